/** Runs one command for a person: the permission it needs, then what its kind does. A refusal is recorded. */
import { z } from 'zod';
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
import { PERSON_PRIORITY } from '../../commands/targets/resolve-device.ts';
import { FleetFailure } from '../../fleet/fleet.ts';
import { displayName } from '../../fleet/model/resources.ts';
import type { Permission } from '../../lib/access.ts';
import { ageOf, type Instant } from '../../lib/clock.ts';
import { groupId, requestCardKey } from '../../lib/ids.ts';
import type { RequestWithTargets } from '../../store/port/request-records.ts';
import type { View } from '../../views/model.ts';
import type { AccessRefusals } from '../access/access-refusals.ts';
import { createPermissions, ofCommand, type PermissionsOptions } from '../access/permissions.ts';
import {
  createPersonalDataAccess,
  type PersonalDataAccess,
  type PersonalOptions,
  visibleTo,
} from '../access/personal-data.ts';
import type { CommandSource } from '../replies/private-replies.ts';
import { MAX_EXPORT_ROWS, withShareButton } from '../sharing/share-answer.ts';
import type { CommandRequest } from './dispatch-port.ts';
import { decidedView, startedView } from './request-view.ts';
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

export type CommandRunner = Readonly<ReturnType<typeof createCommandRunner>>;

export function createCommandRunner(options: RunCommandOptions) {
  const { recordRefusal } = options;
  const rights = createPermissions(options);
  const { read, write, set } = createCommandKinds(options);

  /** Runs `job` if the person may use the command. */
  const withPermission = async (
    command: Command,
    { person }: CommandSource,
    job: () => Promise<View>,
  ): Promise<View> => {
    const refused = await rights.refusal(person, requiredPermission(command));
    const view: View =
      refused === null ? await job() : { kind: 'problem', problem: ofCommand(refused, command.name) };
    return recordRefusal(person, command.name, view);
  };

  return {
    withPermission,
    async run(command: Command, order: CommandOrder): Promise<View> {
      const { caller, input, page } = order;
      if (command.kind === 'read' && command.open)
        return recordRefusal(caller.person, command.name, await read(command, order));
      return withPermission(command, caller, async () => {
        if (command.kind === 'write') return write(command, order);
        const view = await (command.kind === 'read' ? read(command, order) : set(command, order));
        return withShareButton(view, caller, { command: command.name, input, page });
      });
    },
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
    const { leftOut: unrequested = [] } = planned;
    return unrequested.length > 0 && isNewRequest(view)
      ? { kind: 'requested-again', view, unrequested }
      : view;
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

  return { read, write, set };
}

/** Whether this press made the request: an earlier one may be about other devices. */
function isNewRequest(view: View): boolean {
  return (view.kind === 'asked' && !view.already) || (view.kind === 'started' && view.already !== true);
}

function viewOfPlan(planned: Exclude<Planned, { kind: 'proposal' }>): View {
  return planned.kind === 'view' ? planned.view : { kind: 'problem', problem: planned.problem };
}

type RequestedChangeInput = {
  readonly command: Pick<WriteCommand, 'name'>;
  readonly input: unknown;
  readonly requestKey: string;
  /** Absent: just now. */
  readonly askedAt: Instant | undefined;
};

type RequestAgePorts = Pick<SharedPorts, 'clock' | 'maxAgeMs'> & {
  readonly inventory: Pick<SharedPorts['inventory'], 'find' | 'groupName'>;
  readonly records: Pick<SharedPorts['records'], 'byRequestKey' | 'cardLink'>;
};

/** The message when it is too late; null where the change may still be requested. */
function createCheckRequestAge({ ports, root }: { readonly ports: RequestAgePorts; readonly root: string }) {
  const { clock, maxAgeMs, records, inventory } = ports;
  return async ({ command, input, requestKey, askedAt }: RequestedChangeInput): Promise<View | null> => {
    if (askedAt === undefined || ageOf(askedAt, clock.now()) < maxAgeMs) return null;
    const before = await records.byRequestKey(requestKey);
    if (before !== null) return earlierRequestView(before, records);
    const subject = await subjectOf(input, inventory);
    return { kind: 'too-late', command: command.name, input, subject, askedAt, maxAgeMs, root };
  };
}

/**
 * The answer when the change was asked for in time but the process stopped before answering; null where its request
 * waits and can be shown again.
 */
async function earlierRequestView(
  before: RequestWithTargets,
  records: RequestAgePorts['records'],
): Promise<View | null> {
  if (before.state === 'waiting') return null;
  if (before.expiresAt !== null) return decidedView(before);
  return startedView(before, await records.cardLink(requestCardKey(before)));
}

/** The name of the device or group; its number where the service does not answer or no longer has it. */
async function subjectOf(input: unknown, inventory: RequestAgePorts['inventory']): Promise<string | null> {
  const { device, group, name } = subjectSchema.catch({}).parse(input);
  if (typeof device === 'number')
    return (await nameOrNull(() => deviceName(device, inventory))) ?? `#${device}`;
  if (device !== undefined) return device;
  if (typeof group === 'number')
    return (await nameOrNull(() => inventory.groupName(groupId(group), PERSON_PRIORITY))) ?? `#${group}`;
  return group ?? name ?? null;
}

const nameOrNumber = z.union([z.string(), z.number()]).optional();
/** The name of a new group is tried last: other inputs also carry a name, the one to be given. */
const subjectSchema = z.object({
  device: nameOrNumber,
  group: nameOrNumber,
  name: z.string().optional().catch(undefined),
});

async function deviceName(id: number, { find }: RequestAgePorts['inventory']): Promise<string | null> {
  const found = await find(`#${id}`, { ...PERSON_PRIORITY, exact: true });
  return found.kind === 'one' ? displayName(found.device) : null;
}

async function nameOrNull(read: () => Promise<string | null>): Promise<string | null> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof FleetFailure) return null;
    throw error;
  }
}

type PortsPurpose = {
  /** The whole list in one, instead of a page. */
  readonly allPages?: boolean | undefined;
  readonly purpose?: keyof PersonalDataAccess;
};

export function createCallerPorts(options: PermissionsOptions & PersonalOptions) {
  const rights = createPermissions(options);
  const personal = createPersonalDataAccess(options);
  return async ({ person }: CommandSource, { allPages = false, purpose = 'reading' }: PortsPurpose = {}) => ({
    ...(await personal[purpose](person)),
    asker: person,
    refusal: (need: Permission) => rights.refusal(person, need),
    ...(allPages ? { pageSize: MAX_EXPORT_ROWS } : {}),
  });
}
