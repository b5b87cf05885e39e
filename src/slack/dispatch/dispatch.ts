/**
 * Runs a person's command and returns one view: permission, command, approval service, and the only catch. It knows no
 * transport; the listener acknowledged before.
 */

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
import { withAnswerableOffers } from '../../commands/parser/answerable-offers.ts';
import { createLineParser, type ParsedLine } from '../../commands/parser/line-parser.ts';
import type { SettingsPort } from '../../commands/settings/settings-port.ts';
import { deviceNamedBy } from '../../commands/targets/device-mentions.ts';
import { decideAccess, type Permission, type Role, roleForPermission } from '../../lib/access.ts';
import type { Instant } from '../../lib/clock.ts';
import { newReference, type PersonId } from '../../lib/ids.ts';
import type { Log } from '../../lib/log.ts';
import type { RequestService } from '../../requests/decide/request-service.ts';
import type { Problem, View } from '../../views/model.ts';
import type { AccessRefusals } from '../access/access-refusals.ts';
import { createPermissions, ofCommand } from '../access/permissions.ts';
import { createPersonalDataAccess, type PersonalDataAccess, visibleTo } from '../access/personal-data.ts';
import type { RoleLookup } from '../access/role-lookup.ts';
import type { CommandSource } from '../replies/private-replies.ts';
import { MAX_EXPORT_ROWS, withShareButton } from '../sharing/share-answer.ts';
import { createCommandLog } from './command-log.ts';
import { decisionOutcome } from './decision-outcome.ts';
import type { CommandRequest, Dispatch } from './dispatch-port.ts';
import { createRequestAgain } from './request-again.ts';
import { createCheckRequestAge } from './request-age.ts';
import { createSubmitRequest, type SubmitRequestOptions } from './submit-request.ts';
import { createErrorReporter, markMaybeChanged } from './unexpected-errors.ts';

export type DispatchOptions = SubmitRequestOptions & {
  readonly registry: Registry;
  readonly people: RoleLookup;
  readonly requests: Pick<RequestService, 'decide'>;
  readonly ports: SharedPorts;
  /** The lowest role that sees personal data in private; absent: everybody who may read. */
  readonly personalFrom?: Role;
  readonly settings: SettingsPort;
  /** Records refusals. */
  readonly recordRefusal: AccessRefusals['recordRefusal'];
  readonly root: string;
  /** People who can grant a role. */
  readonly admins: readonly PersonId[];
  readonly log: Log;
};

/** The delivery's key, so that a repeated one requests once, and when the person asked. */
type RequestDelivery = { readonly key: string; readonly askedAt?: Instant | undefined };

/** One page of a list, or all of it as a file. */
type ListRequest = { readonly input: unknown; readonly page: number; readonly allPages: boolean };

export function createDispatch(options: DispatchOptions): Dispatch {
  const { registry, people, ports, requests, settings, recordRefusal, root, log } = options;
  const rights = createPermissions(options);
  const failure = createErrorReporter(log);
  const startLog = createCommandLog(log);
  const ask = createSubmitRequest(options);
  const parseLine = createLineParser(options);
  const personal = createPersonalDataAccess(options);
  const tooLate = createCheckRequestAge(options);
  const portsOf = async (
    { person }: CommandSource,
    allPages = false,
    purpose: keyof PersonalDataAccess = 'reading',
  ) => ({
    ...(await personal[purpose](person)),
    asker: person,
    refusal: (need: Permission) => rights.refusal(person, need),
    ...(allPages ? { pageSize: MAX_EXPORT_ROWS } : {}),
  });

  /** The only catch: everything thrown below becomes a message for the person and a line in the log. */
  const answer = async (
    what: string,
    caller: CommandSource,
    job: () => Promise<View>,
    event: 'command' | 'decision' = 'command',
  ): Promise<View> => {
    const { person } = caller;
    const ended = startLog({ event, what, person });
    const view = await job().catch((thrown: unknown) => problemView(failure({ what, person, thrown })));
    ended(view);
    return view;
  };

  /** Only the command's name goes to the log, nothing else of the typed line. */
  const commandNameOf = (text: string): string =>
    registry.find(text.trim().split(/\s/, 1)[0] ?? '')?.name ?? 'other';

  const withRole = async (
    caller: CommandSource,
    command: Command,
    job: () => Promise<View>,
  ): Promise<View> => {
    const refused = await rights.refusal(caller.person, requiredPermission(command));
    return refused === null ? job() : problemView(ofCommand(refused, command.name));
  };

  /** The answer to a command, recorded if it refuses. */
  const run = async (...args: Parameters<typeof answerTo>): Promise<View> => {
    const [{ name }, , , { person }] = args;
    return recordRefusal(person, name, await answerTo(...args));
  };

  const answerTo = (
    command: Command,
    input: unknown,
    page: number,
    caller: CommandSource,
    delivery: RequestDelivery,
    allPages = false,
  ): Promise<View> => {
    const again = { command: command.name, input, page };
    const listed = { input, page, allPages };
    switch (command.kind) {
      case 'read':
        if (command.open) return runRead(command, { input, page, allPages: false }, caller);
        return withRole(caller, command, async () =>
          withShareButton(await runRead(command, listed, caller), caller, again),
        );
      case 'write':
        return withRole(caller, command, () => runWrite(command, input, caller, delivery));
      case 'setting':
        return withRole(caller, command, async () =>
          withShareButton(await runSetting(command, listed, caller), caller, again),
        );
    }
  };

  const runRead = async (
    command: ReadCommand,
    { input, page, allPages }: ListRequest,
    caller: CommandSource,
  ) => {
    const ports = await portsOf(caller, allPages);
    return visibleTo(ports, await command.run(input, page, ports));
  };

  const runWrite = async (
    command: WriteCommand,
    input: unknown,
    caller: CommandSource,
    { key, askedAt }: RequestDelivery,
  ): Promise<View> => {
    const late = await tooLate({ command, input, requestKey: key, askedAt });
    return late ?? request((ports) => command.plan(input, ports), { caller, key, askedAt });
  };

  /** Plans from fresh facts, then requests. */
  const request = async (
    plan: (ports: ReadPorts) => Promise<Planned>,
    { caller, key, askedAt }: RequestDelivery & { readonly caller: CommandSource },
  ): Promise<View> => {
    const ports = await portsOf(caller, false, 'planning');
    const planned = await plan(ports);
    if (planned.kind !== 'proposal') return visibleTo(ports, viewOfPlan(planned));
    return markMaybeChanged(() => ask(planned.proposal, caller, key, askedAt));
  };

  const requestAgain = createRequestAgain({
    ...options,
    request,
    withPermission: async (command, caller, job) =>
      recordRefusal(caller.person, command.name, await withRole(caller, command, job)),
  });

  const runSetting = async (
    command: SettingCommand,
    { input, page, allPages }: ListRequest,
    caller: CommandSource,
  ): Promise<View> => {
    const ports = { ...(await portsOf(caller, allPages)), settings, channel: caller.channel };
    return visibleTo(ports, await markMaybeChanged(() => command.run(input, page, ports)));
  };

  /** Keeps only offers that would be answered, for people who may read. */
  const withOffers = async (what: Problem, caller: CommandSource): Promise<View> => {
    if (!('offers' in what) || (await rights.refusal(caller.person, 'read')) !== null)
      return problemView(what);
    const ports = await portsOf(caller);
    return visibleTo(ports, problemView(await withAnswerableOffers(what, registry, ports)));
  };

  /** A line that starts with no command but names a device shows that device, to people who may read. */
  const deviceNamed = async (
    commandNameOf: string,
    otherwise: Problem,
    caller: CommandSource,
    delivery: RequestDelivery,
  ): Promise<View> => {
    const command = registry.find('device');
    if (command === null || (await rights.refusal(caller.person, 'read')) !== null)
      return withOffers(otherwise, caller);
    const device = await deviceNamedBy(commandNameOf, await portsOf(caller));
    return device === null ? withOffers(otherwise, caller) : run(command, { device }, 0, caller, delivery);
  };

  /** Offers only what the person may do. */
  const greetingView = async ({ person }: CommandSource): Promise<View> => {
    const refusal = await rights.refusal(person, 'read');
    const changes = refusal === null && (await rights.refusal(person, 'propose')) === null;
    return { kind: 'greeting', refusal, changes, root };
  };

  const runParsed = (
    asked: ParsedLine,
    caller: CommandSource,
    delivery: RequestDelivery,
  ): Promise<View> | View => {
    switch (asked.kind) {
      case 'command':
        return run(asked.command, asked.input, 0, caller, delivery);
      case 'fill-in':
        return withRole(caller, asked.command, async () => asked.view).then((view) =>
          recordRefusal(caller.person, asked.command.name, view),
        );
      case 'problem':
        return asked.possibleDeviceName === undefined
          ? withOffers(asked.problem, caller)
          : deviceNamed(asked.possibleDeviceName, asked.problem, caller, delivery);
      case 'greeting':
        return greetingView(caller);
    }
  };

  const runTyped = async (text: string, caller: CommandSource, delivery: RequestDelivery): Promise<View> => {
    const reading = await parseLine(text, caller.person);
    if (reading.kind !== 'kept') return runParsed(reading, caller, delivery);
    const { alias, parsed } = reading;
    const refused = await rights.refusal(caller.person, 'read');
    if (refused !== null) return recordRefusal(caller.person, 'alias or saved target', problemView(refused));
    const view = await runParsed(parsed, caller, delivery);
    // A form was opened, so nothing ran yet.
    return alias === null || view.kind === 'fill-in' ? view : { kind: 'expanded', view, ...alias };
  };

  const runByName = (name: string, order: Omit<CommandRequest, 'name'>): Promise<View> | View => {
    const { input, page, caller, requestKey: key, askedAt, allPages } = order;
    const command = registry.find(name);
    if (command === null) return problemView({ kind: 'unknown-command', word: name, nearest: [], root });
    return run(command, input, page, caller, { key, askedAt }, allPages);
  };

  return {
    runText: (text, caller, key, askedAt) =>
      answer(commandNameOf(text), caller, () => runTyped(text, caller, { key, askedAt })),
    runCommand: ({ name, ...order }) => answer(name, order.caller, async () => runByName(name, order)),
    requestAgain: (order) => answer('again', order.caller, () => requestAgain(order)),
    decide: ({ requestId, seal, decision, caller }) => {
      const decide = async (): Promise<View> => {
        const { person } = caller;
        // Everybody may withdraw their own request, whatever their role.
        const resolvedRole =
          decision === 'withdraw'
            ? { role: null, maybe: null }
            : await people.roleOf(person, { fresh: true, enough: roleForPermission('approve') });
        if (decideAccess(resolvedRole, 'approve') === 'unknown')
          return problemView({ kind: 'rights-unknown', reference: newReference() });
        const { role } = resolvedRole;
        const result = await markMaybeChanged(() =>
          requests.decide({ requestId, person, role, decision, seal }),
        );
        const outcome = await decisionOutcome(result, decision, { records: ports.records, requestId });
        return { kind: 'decided', outcome };
      };
      return answer(decision, caller, decide, 'decision');
    },
  };
}

function viewOfPlan(planned: Exclude<Planned, { kind: 'proposal' }>): View {
  return planned.kind === 'view' ? planned.view : problemView(planned.problem);
}

function problemView(what: Problem): View {
  return { kind: 'problem', problem: what };
}
