/**
 * Runs what a person asked for and turns it into one view: rights, command, approvals desk, and the one catch.
 * Knows no transport; acknowledging is the listeners' business and has happened before.
 */
import type { Need } from '../access.ts';
import type { Desk } from '../approvals/desk.ts';
import { expandAlias } from '../commands/aliases.ts';
import type {
  Command,
  Parsed,
  Planned,
  SettingCommand,
  SharedPorts,
  WriteCommand,
} from '../commands/command.ts';
import { givenIn } from '../commands/given.ts';
import { plainLine, type Read, readLine, readWords, type Words } from '../commands/grammar.ts';
import { needOf } from '../commands/needs.ts';
import type { Registry } from '../commands/registry.ts';
import { expandSaved, SAVED_KEY } from '../commands/saved-targets.ts';
import type { Settings } from '../commands/settings.ts';
import { type ApprovalId, newReference, type PersonId } from '../ids.ts';
import type { Log } from '../log.ts';
import type { Problem, View } from '../views/model.ts';
import { type AskingOptions, createAsking } from './asking.ts';
import { createFailure } from './failure.ts';
import { maybeChanging } from './maybe-changed.ts';
import type { People } from './people.ts';
import type { Caller } from './replies.ts';
import { createRights } from './rights.ts';
import { EXPORT_ROWS, shareable } from './shareable.ts';

export type Decision = 'approve' | 'deny' | 'withdraw';

export type Dispatch = {
  /** What somebody typed after the root command. `requestKey` makes a repeated delivery ask once. */
  readonly text: (text: string, caller: Caller, requestKey: string) => Promise<View>;
  /** A command with input that a button carried. */
  readonly command: (order: CommandOrder) => Promise<View>;
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
  readonly settings: Settings;
  readonly root: string;
  /** Who can be asked for a role. */
  readonly admins: readonly PersonId[];
  readonly log: Log;
};

/** Of a list: one page of it, or all of it as a file. */
type Asked = { readonly input: unknown; readonly page: number; readonly whole: boolean };

export function createDispatch(options: DispatchOptions): Dispatch {
  const { registry, people, desk, settings, root, log } = options;
  const rights = createRights(options);
  const failure = createFailure(log);
  const ask = createAsking(options);
  const portsOf = ({ person }: Caller, whole = false) => ({
    ...options.ports,
    asker: person,
    refusal: (need: Need) => rights.refusal(person, need),
    ...(whole ? { pageSize: EXPORT_ROWS } : {}),
  });

  /** The one catch: whatever is thrown below becomes words for the person and a line for the log. */
  const answer = async (what: string, caller: Caller, job: () => Promise<View>): Promise<View> => {
    try {
      return await job();
    } catch (thrown) {
      return problem(failure({ what, person: caller.person, thrown }));
    }
  };

  const withRole = async (caller: Caller, need: Need, job: () => Promise<View>): Promise<View> => {
    const refused = await rights.refusal(caller.person, need);
    return refused === null ? job() : problem(refused);
  };

  const run = (
    command: Command,
    input: unknown,
    page: number,
    caller: Caller,
    key: string,
    whole = false,
  ): Promise<View> => {
    switch (command.kind) {
      case 'read':
        if (command.open) return command.run(input, page, portsOf(caller));
        return withRole(caller, command.need, async () =>
          shareable(await command.run(input, page, portsOf(caller, whole)), caller, {
            command: command.name,
            input,
            page,
          }),
        );
      case 'write':
        return withRole(caller, needOf(command), () => propose(command, input, caller, key));
      case 'setting':
        return withRole(caller, needOf(command), async () =>
          shareable(await set(command, { input, page, whole }, caller), caller, {
            command: command.name,
            input,
            page,
          }),
        );
    }
  };

  const propose = async (command: WriteCommand, input: unknown, caller: Caller, requestKey: string) => {
    const planned = await command.plan(input, portsOf(caller));
    if (planned.kind !== 'proposal') return plannedView(planned);
    return maybeChanging(() => ask(planned.proposal, caller, requestKey));
  };

  const set = (command: SettingCommand, { input, page, whole }: Asked, caller: Caller): Promise<View> => {
    const ports = { ...portsOf(caller, whole), settings: options.settings, channel: caller.channel };
    return maybeChanging(() => command.run(input, page, ports));
  };

  const typed = async (text: string, caller: Caller, requestKey: string): Promise<View> => {
    const expanded = await expandAlias(text, {
      isCommand: (word) => registry.find(word) !== null,
      find: (name) => settings.aliases.find(caller.person, name),
    });
    if (expanded === null) return typedLine(readWords(text), plainLine(text), caller, requestKey);
    const { name, line } = expanded;
    // What an alias stands for may be everybody's, but only of those who may look.
    return withRole(caller, 'read', async () => {
      const view = await typedLine(readLine(line), line, caller, requestKey);
      // Where a form is asked for, nothing ran yet.
      return view.kind === 'fill-in' ? view : { kind: 'expanded', view, name, line };
    });
  };

  const typedLine = async (words: Read, line: string, caller: Caller, requestKey: string): Promise<View> => {
    if (words.kind === 'fault') {
      return problem({ kind: 'usage', command: '', usage: `${root} help`, fault: words.fault, root });
    }
    const [name = 'help', ...rest] = words.words.free;
    const command = registry.find(name);
    if (command === null) {
      return problem({ kind: 'unknown-command', word: name, nearest: registry.nearest(name), root });
    }
    const typedWords = { ...words.words, free: rest, line };
    const job = () => typedCommand(command, typedWords, caller, requestKey);
    // The names of saved targets are offered where one is mistyped: to those who may look.
    const namesSaved = typedWords.filters.some(({ key }) => key === SAVED_KEY);
    return namesSaved ? withRole(caller, 'read', job) : job();
  };

  const typedCommand = async (
    command: Command,
    typedWords: Words,
    caller: Caller,
    requestKey: string,
  ): Promise<View> => {
    const parsed = await parse(command, typedWords, caller);
    if (parsed.kind === 'fault' && parsed.fault.kind === 'missing' && command.form !== undefined) {
      const { what: missing } = parsed.fault;
      const given = givenIn(command, typedWords, parsed.fault);
      const usage = `${root} ${command.usage}`;
      return withRole(caller, needOf(command), async () => ({
        kind: 'fill-in',
        command: command.name,
        given,
        missing,
        usage,
      }));
    }
    if (parsed.kind === 'fault') {
      return problem({
        kind: 'usage',
        command: command.name,
        usage: command.usage,
        fault: parsed.fault,
        root,
      });
    }
    return run(command, parsed.input, 0, caller, requestKey);
  };

  const parse = async (command: Command, words: Words, { person }: Caller): Promise<Parsed<unknown>> => {
    if (command.kind === 'setting' || command.targets !== true) return command.parse(words);
    const full = await expandSaved(words, {
      find: (name) => settings.saved.find(person, name),
      list: () => settings.saved.list(person),
    });
    return full.kind === 'fault' ? full : command.parse(full.words);
  };

  return {
    text: (text, caller, requestKey) => answer('text', caller, () => typed(text, caller, requestKey)),
    command: ({ name, input, page, caller, requestKey, whole }) =>
      answer(name, caller, async () => {
        const command = registry.find(name);
        if (command === null) return problem({ kind: 'unknown-command', word: name, nearest: [], root });
        return run(command, input, page, caller, requestKey, whole);
      }),
    decide: ({ approvalId, seal, decision, caller }) =>
      answer(decision, caller, async () => {
        const answered = await people.roleOf(caller.person, { fresh: decision !== 'withdraw' });
        if (answered.kind === 'unknown')
          return problem({ kind: 'rights-unknown', reference: newReference() });
        const person = caller.person;
        const { role } = answered;
        const order = { approvalId, person, role, decision, seal };
        return { kind: 'decided', outcome: await maybeChanging(() => desk.decide(order)) };
      }),
  };
}

function plannedView(planned: Exclude<Planned, { kind: 'proposal' }>): View {
  return planned.kind === 'view' ? planned.view : problem(planned.problem);
}

function problem(what: Problem): View {
  return { kind: 'problem', problem: what };
}
