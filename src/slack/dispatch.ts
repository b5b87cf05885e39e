/**
 * Runs what a person asked for and turns it into one view: rights, command, approvals desk, and the one catch.
 * Knows no transport; acknowledging is the listeners' business and has happened before.
 */
import { judge, type Need, type Role, roleFor } from '../access.ts';
import type { Desk } from '../approvals/desk.ts';
import type { Instant } from '../clock.ts';
import type {
  Command,
  Planned,
  ReadCommand,
  ReadPorts,
  SettingCommand,
  SharedPorts,
  WriteCommand,
} from '../commands/command.ts';
import { withAnsweringOffers } from '../commands/line/answering.ts';
import { type Asked, createReading } from '../commands/line/reading.ts';
import { needOf } from '../commands/needs.ts';
import type { Registry } from '../commands/registry.ts';
import type { Settings } from '../commands/settings.ts';
import { deviceCalled } from '../commands/targets/device-called.ts';
import { type ApprovalId, newReference, type PersonId } from '../ids.ts';
import type { Log } from '../log.ts';
import type { Problem, View } from '../views/model.ts';
import { type AskingOptions, createAsking } from './asking.ts';
import { createCommandLog } from './command-log.ts';
import { createFailure } from './failure.ts';
import { maybeChanging } from './maybe-changed.ts';
import type { People } from './people.ts';
import { createPersonal, type Personal, shownFrom } from './personal.ts';
import type { Refusals } from './refusals.ts';
import type { Caller } from './replies.ts';
import { type AgainOrder, createRequestAgain } from './request-again.ts';
import { createRights } from './rights.ts';
import { EXPORT_ROWS, shareable } from './sharing/shareable.ts';
import { createTooLate } from './too-late.ts';

export type Decision = 'approve' | 'deny' | 'withdraw';

export type Dispatch = {
  /** What somebody typed after the root command. `requestKey` makes a repeated delivery ask once. */
  readonly text: (text: string, caller: Caller, requestKey: string, askedAt?: Instant) => Promise<View>;
  /** A command with input that a button carried. */
  readonly command: (order: CommandOrder) => Promise<View>;
  /** What an operation did not send, requested once more. */
  readonly again: (order: AgainOrder) => Promise<View>;
  readonly decide: (order: DecideOrder) => Promise<View>;
};
export type CommandOrder = {
  readonly name: string;
  readonly input: unknown;
  readonly page: number;
  readonly caller: Caller;
  readonly requestKey: string;
  /** All pages of a list in one. */
  readonly whole?: true;
  /** When the person asked for it; absent: just now. */
  readonly askedAt?: Instant;
};
export type DecideOrder = {
  readonly approvalId: ApprovalId;
  readonly seal: string;
  readonly decision: Decision;
  readonly caller: Caller;
};

export type DispatchOptions = AskingOptions & {
  readonly registry: Registry;
  readonly people: People;
  readonly desk: Pick<Desk, 'decide'>;
  readonly ports: SharedPorts;
  /** Personal data is shown in private from this role on; absent: to whoever may look. */
  readonly personalFrom?: Role;
  readonly settings: Settings;
  /** Keeps what was refused. */
  readonly noted: Refusals['noted'];
  readonly root: string;
  /** Who can be asked for a role. */
  readonly admins: readonly PersonId[];
  readonly log: Log;
};

/** The delivery that asked, so that a repeated one asks once, and when that was. */
type Delivery = { readonly key: string; readonly askedAt?: Instant | undefined };

/** Of a list: one page of it, or all of it as a file. */
type Listed = { readonly input: unknown; readonly page: number; readonly whole: boolean };

export function createDispatch(options: DispatchOptions): Dispatch {
  const { registry, people, desk, settings, noted, root, log } = options;
  const rights = createRights(options);
  const failure = createFailure(log);
  const begun = createCommandLog(log);
  const ask = createAsking(options);
  const read = createReading(options);
  const personal = createPersonal(options);
  const tooLate = createTooLate(options);
  const portsOf = async ({ person }: Caller, whole = false, purpose: keyof Personal = 'reading') => ({
    ...(await personal[purpose](person)),
    asker: person,
    refusal: (need: Need) => rights.refusal(person, need),
    ...(whole ? { pageSize: EXPORT_ROWS } : {}),
  });

  /** The one catch: whatever is thrown below becomes words for the person and a line for the log. */
  const answer = async (
    what: string,
    caller: Caller,
    job: () => Promise<View>,
    event: 'command' | 'decision' = 'command',
  ): Promise<View> => {
    const { person } = caller;
    const ended = begun({ event, what, person });
    const view = await job().catch((thrown: unknown) => problem(failure({ what, person, thrown })));
    ended(view);
    return view;
  };

  /** The command that begins a line, for the log: nothing else of what was typed. */
  const named = (text: string): string => registry.find(text.trim().split(/\s/, 1)[0] ?? '')?.name ?? 'other';

  const withRole = async (caller: Caller, need: Need, job: () => Promise<View>): Promise<View> => {
    const refused = await rights.refusal(caller.person, need);
    return refused === null ? job() : problem(refused);
  };

  /** The answer to a command, kept where it is a refusal. */
  const run = async (...asked: Parameters<typeof answerTo>): Promise<View> => {
    const [{ name }, , , { person }] = asked;
    return noted(person, name, await answerTo(...asked));
  };

  const answerTo = (
    command: Command,
    input: unknown,
    page: number,
    caller: Caller,
    delivery: Delivery,
    whole = false,
  ): Promise<View> => {
    const again = { command: command.name, input, page };
    const listed = { input, page, whole };
    switch (command.kind) {
      case 'read':
        if (command.open) return look(command, { input, page, whole: false }, caller);
        return withRole(caller, command.need, async () =>
          shareable(await look(command, listed, caller), caller, again),
        );
      case 'write':
        return withRole(caller, needOf(command), () => propose(command, input, caller, delivery));
      case 'setting':
        return withRole(caller, needOf(command), async () =>
          shareable(await set(command, listed, caller), caller, again),
        );
    }
  };

  const look = async (command: ReadCommand, { input, page, whole }: Listed, caller: Caller) => {
    const ports = await portsOf(caller, whole);
    return shownFrom(ports, await command.run(input, page, ports));
  };

  const propose = async (
    command: WriteCommand,
    input: unknown,
    caller: Caller,
    { key, askedAt }: Delivery,
  ): Promise<View> => {
    const late = await tooLate({ command, input, requestKey: key, askedAt });
    return late ?? request((ports) => command.plan(input, ports), { caller, key, askedAt });
  };

  /** Asks for what is planned from fresh facts. */
  const request = async (
    plan: (ports: ReadPorts) => Promise<Planned>,
    { caller, key, askedAt }: Delivery & { readonly caller: Caller },
  ): Promise<View> => {
    const ports = await portsOf(caller, false, 'planning');
    const planned = await plan(ports);
    if (planned.kind !== 'proposal') return shownFrom(ports, plannedView(planned));
    return maybeChanging(() => ask(planned.proposal, caller, key, askedAt));
  };

  const requestAgain = createRequestAgain({
    ...options,
    request,
    allowed: async (command, caller, job) =>
      noted(caller.person, command.name, await withRole(caller, needOf(command), job)),
  });

  const set = async (
    command: SettingCommand,
    { input, page, whole }: Listed,
    caller: Caller,
  ): Promise<View> => {
    const ports = { ...(await portsOf(caller, whole)), settings, channel: caller.channel };
    return shownFrom(ports, await maybeChanging(() => command.run(input, page, ports)));
  };

  /** To who may look, what is offered is held against what there is. */
  const misread = async (what: Problem, caller: Caller): Promise<View> => {
    if (!('offers' in what) || (await rights.refusal(caller.person, 'read')) !== null) return problem(what);
    const ports = await portsOf(caller);
    return shownFrom(ports, problem(await withAnsweringOffers(what, registry, ports)));
  };

  /** Words that begin with no command show the device that is named so, to who may look. */
  const deviceNamed = async (
    named: string,
    otherwise: Problem,
    caller: Caller,
    delivery: Delivery,
  ): Promise<View> => {
    const command = registry.find('device');
    if (command === null || (await rights.refusal(caller.person, 'read')) !== null)
      return misread(otherwise, caller);
    const device = await deviceCalled(named, await portsOf(caller));
    return device === null ? misread(otherwise, caller) : run(command, { device }, 0, caller, delivery);
  };

  /** Offers only what the person may do. */
  const greet = async ({ person }: Caller): Promise<View> => {
    const refusal = await rights.refusal(person, 'read');
    const changes = refusal === null && (await rights.refusal(person, 'propose')) === null;
    return { kind: 'greeting', refusal, changes, root };
  };

  const act = (asked: Asked, caller: Caller, delivery: Delivery): Promise<View> | View => {
    switch (asked.kind) {
      case 'command':
        return run(asked.command, asked.input, 0, caller, delivery);
      case 'fill-in':
        return withRole(caller, needOf(asked.command), async () => asked.view).then((view) =>
          noted(caller.person, asked.command.name, view),
        );
      case 'problem':
        return asked.named === undefined
          ? misread(asked.problem, caller)
          : deviceNamed(asked.named, asked.problem, caller, delivery);
      case 'greeting':
        return greet(caller);
    }
  };

  const typed = async (text: string, caller: Caller, delivery: Delivery): Promise<View> => {
    const reading = await read(text, caller.person);
    if (reading.kind !== 'kept') return act(reading, caller, delivery);
    const { alias, asked } = reading;
    const refused = await rights.refusal(caller.person, 'read');
    if (refused !== null) return noted(caller.person, 'alias or saved target', problem(refused));
    const view = await act(asked, caller, delivery);
    // Where a form is asked for, nothing ran yet.
    return alias === null || view.kind === 'fill-in' ? view : { kind: 'expanded', view, ...alias };
  };

  const runNamed = (name: string, order: Omit<CommandOrder, 'name'>): Promise<View> | View => {
    const { input, page, caller, requestKey: key, askedAt, whole } = order;
    const command = registry.find(name);
    if (command === null) return problem({ kind: 'unknown-command', word: name, nearest: [], root });
    return run(command, input, page, caller, { key, askedAt }, whole);
  };

  return {
    text: (text, caller, key, askedAt) =>
      answer(named(text), caller, () => typed(text, caller, { key, askedAt })),
    command: ({ name, ...order }) => answer(name, order.caller, async () => runNamed(name, order)),
    again: (order) => answer('again', order.caller, () => requestAgain(order)),
    decide: ({ approvalId, seal, decision, caller }) => {
      const decide = async (): Promise<View> => {
        const { person } = caller;
        // What is withdrawn is one's own, whatever role one has.
        const standing =
          decision === 'withdraw'
            ? { role: null, maybe: null }
            : await people.roleOf(person, { fresh: true, enough: roleFor('approve') });
        if (judge(standing, 'approve') === 'unknown')
          return problem({ kind: 'rights-unknown', reference: newReference() });
        const { role } = standing;
        const order = { approvalId, person, role, decision, seal };
        return { kind: 'decided', outcome: await maybeChanging(() => desk.decide(order)) };
      };
      return answer(decision, caller, decide, 'decision');
    },
  };
}

function plannedView(planned: Exclude<Planned, { kind: 'proposal' }>): View {
  return planned.kind === 'view' ? planned.view : problem(planned.problem);
}

function problem(what: Problem): View {
  return { kind: 'problem', problem: what };
}
