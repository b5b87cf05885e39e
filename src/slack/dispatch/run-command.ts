/** Runs one command for a person: the permission it needs, then what its kind does. A refusal is recorded. */
import type {
  Command,
  Planned,
  ReadCommand,
  ReadPorts,
  SettingCommand,
  SharedPorts,
  WriteCommand,
} from '../../commands/core/command.ts';
import type { Registry } from '../../commands/core/registry.ts';
import { requiredPermission } from '../../commands/core/required-permission.ts';
import type { SettingsPort } from '../../commands/settings/settings-port.ts';
import type { View } from '../../views/model.ts';
import type { AccessRefusals } from '../access/access-refusals.ts';
import { createPermissions, ofCommand, type PermissionsOptions } from '../access/permissions.ts';
import { type PersonalOptions, visibleTo } from '../access/personal-data.ts';
import type { CommandSource } from '../replies/private-replies.ts';
import { withShareButton } from '../sharing/share-answer.ts';
import { createCallerPorts } from './caller-ports.ts';
import type { CommandRequest, Dispatch } from './dispatch-port.ts';
import { createRequestAgain, withUnrequested } from './request-again.ts';
import { createCheckRequestAge } from './request-age.ts';
import { createSubmitRequest, type RequestSource, type SubmitRequestOptions } from './submit-request.ts';
import { markMaybeChanged, markRead } from './unexpected-errors.ts';

export type RunCommandOptions = SubmitRequestOptions &
  PermissionsOptions &
  PersonalOptions & {
    readonly registry: Registry;
    readonly ports: SharedPorts;
    readonly settings: SettingsPort;
    readonly recordRefusal: AccessRefusals['recordRefusal'];
    readonly root: string;
  };

/** What a command is run with; its name is known. */
export type CommandOrder = Omit<CommandRequest, 'name'>;

export type CommandRunner = {
  readonly run: (command: Command, order: CommandOrder) => Promise<View>;
  /** Runs `job` if the person may use the command. */
  readonly withPermission: (
    command: Command,
    caller: CommandSource,
    job: () => Promise<View>,
  ) => Promise<View>;
  readonly requestAgain: Dispatch['requestAgain'];
};

export function createCommandRunner(options: RunCommandOptions): CommandRunner {
  const { recordRefusal } = options;
  const rights = createPermissions(options);
  const { read, write, set, request } = createCommandKinds(options);

  const withPermission: CommandRunner['withPermission'] = async (command, { person }, job) => {
    const refused = await rights.refusal(person, requiredPermission(command));
    const view: View =
      refused === null ? await job() : { kind: 'problem', problem: ofCommand(refused, command.name) };
    return recordRefusal(person, command.name, view);
  };

  return {
    withPermission,
    async run(command, order) {
      const { caller, input, page } = order;
      if (command.kind === 'read' && command.open)
        return recordRefusal(caller.person, command.name, await read(command, order));
      return withPermission(command, caller, async () => {
        if (command.kind === 'write') return write(command, order);
        const view = await (command.kind === 'read' ? read(command, order) : set(command, order));
        return withShareButton(view, caller, { command: command.name, input, page });
      });
    },
    requestAgain: createRequestAgain({ ...options, request, withPermission }),
  };
}

type PlanChange = (ports: ReadPorts) => Promise<Planned>;

/** What each kind of command does, once the person may use it. */
function createCommandKinds(options: RunCommandOptions) {
  const {
    settings,
    ports: { clock },
  } = options;
  const submit = createSubmitRequest(options);
  const tooLate = createCheckRequestAge(options);
  const portsOf = createCallerPorts(options);

  const read = async (command: ReadCommand, { input, page, caller, allPages }: CommandOrder) => {
    const ports = await portsOf(caller, { allPages: command.open ? false : allPages });
    return visibleTo(ports, await markRead(() => command.run(input, page, ports)));
  };

  /** Plans from fresh facts, then requests. */
  const request = async (plan: PlanChange, source: RequestSource): Promise<View> => {
    const ports = await portsOf(source.caller, { purpose: 'planning' });
    const planned = await plan(ports);
    if (planned.kind !== 'proposal') return visibleTo(ports, viewOfPlan(planned));
    const view = await markMaybeChanged(() => submit(planned.proposal, source));
    const { leftOut = [] } = planned;
    return leftOut.length > 0 ? withUnrequested(view, leftOut) : view;
  };

  const write = async (
    command: WriteCommand,
    { input, caller, requestKey, askedAt }: CommandOrder,
  ): Promise<View> => {
    const late = await tooLate({ command, input, requestKey, askedAt });
    const asked = { name: command.name, input };
    return late ?? request((ports) => command.plan(input, ports), { caller, requestKey, askedAt, asked });
  };

  const set = async (
    command: SettingCommand,
    { input, page, caller, allPages, askedAt = clock.now() }: CommandOrder,
  ) => {
    const shared = await portsOf(caller, { allPages });
    const ports = { ...shared, settings, channel: caller.channel, askedAt };
    return visibleTo(ports, await markMaybeChanged(() => command.run(input, page, ports)));
  };

  return { read, write, set, request };
}

function viewOfPlan(planned: Exclude<Planned, { kind: 'proposal' }>): View {
  return planned.kind === 'view' ? planned.view : { kind: 'problem', problem: planned.problem };
}
