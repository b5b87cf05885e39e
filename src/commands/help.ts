/** `help`: common tasks and topics, one topic, or one command, computed from the registry. */
import { z } from 'zod';
import { nearestNamesOrAll } from '../inventory/nearest-names.ts';
import type { Permission } from '../lib/access.ts';
import { ROOT_COMMAND } from '../lib/slash-commands.ts';
import type { HelpSection, Problem, View } from '../views/model.ts';
import type { Command, ReadCommand, ReadPorts, Registry } from './core/command.ts';
import { defineReadCommand } from './core/define-command.ts';
import { requiredPermission } from './core/reader-rights.ts';
import { saidLine } from './parser/said-lines.ts';
import { problemView, unexpectedWord } from './parser/usage-errors.ts';
import { ownLines, withFleetNames } from './queries/help-examples.ts';
import { filterExamples } from './queries/help-filters.ts';
import { OPTION_HELP, OPTIONS_PLACE } from './queries/help-options.ts';
import { tasksFor } from './queries/help-tasks.ts';
import { ALL, FILTERS, helpEntry, TOPICS, topicOf } from './queries/help-topics.ts';

const input = z.object({ topic: z.string().nullable() });

/** The registry contains this command too, so it is read only when help is shown. */
export function createHelpCommand(registry: () => Registry): ReadCommand {
  return defineReadCommand<z.infer<typeof input>>({
    name: 'help',
    usage: 'help [looking|changing|alerts|filters|settings|all|COMMAND]',
    summary: 'Show common tasks, a topic, or one command with its usage and examples.',
    examples: ['help', 'help changing', 'help filters', 'help patch'],
    open: true,
    input,
    parse: (words) => {
      const fault = unexpectedWord(words, {});
      if (fault !== null) return { kind: 'fault', fault };
      return { kind: 'input', input: { topic: words.free[0] ?? null } };
    },
    run: async ({ topic }, _page, ports) => {
      const commands = registry().all();
      const refusals = await refusalsByPermission(ports);
      const named = topic?.toLowerCase() ?? null;
      if (named === null) return start(commands, refusals, ports);
      if (named === ALL) return listed(TOPICS, commands, refusals);
      const topics = TOPICS.filter(({ name }) => name === named);
      if (topics.length === 0) return commandHelp(named, registry(), refusals, ports);
      const list = listed(topics, commands, refusals);
      // A topic may have the name of a command, such as alerts: both are shown.
      const command = registry().find(named);
      if (command === null || refusal(command, refusals) !== null) return list;
      return {
        ...list,
        topic: withFleetNames(helpEntry(command), ports.inventory),
        attempt: tryButtonOf(command),
      };
    },
  });
}

type Refusals = ReadonlyMap<Permission, Problem>;

/** Common tasks and topics. A person without a role gets the reason, and the commands that are open to everybody. */
function start(commands: readonly Command[], refusals: Refusals, { inventory }: ReadPorts): HelpView {
  if (refusals.has('read')) return listed(TOPICS, commands, refusals);
  const tasks = tasksFor((need) => !refusals.has(need));
  const lines = ownLines(
    tasks.map(({ line }) => line),
    inventory,
  );
  const allowed = commands.filter((command) => refusal(command, refusals) === null);
  const topics = new Set<string>(allowed.map(topicOf));
  return {
    ...NO_COMMANDS,
    start: {
      tasks: tasks.map(({ title }, at) => ({ title, line: lines[at] ?? '' })),
      topics: ORDER.filter((name) => name === FILTERS || topics.has(name)),
    },
    refusal: refusals.get('configure') ?? null,
  };
}

/** Topics with the commands that the reader may use. */
function listed(
  topics: readonly (typeof TOPICS)[number][],
  commands: readonly Command[],
  refusals: Refusals,
): HelpView {
  const found = commands.filter((command) => topics.some(({ name }) => name === topicOf(command)));
  const allowed = found.filter((command) => refusal(command, refusals) === null);
  const sections = topics.map(({ name, title }): HelpSection => {
    return { title, commands: allowed.filter((command) => topicOf(command) === name).map(helpEntry) };
  });
  const withheld = found.length - allowed.length;
  return { ...NO_COMMANDS, sections, withheld, refusal: refusals.get('read') ?? null };
}

async function commandHelp(
  topic: string,
  { find, all }: Registry,
  refusals: Refusals,
  ports: ReadPorts,
): Promise<View> {
  const known = find(topic === FILTERS ? COMMANDS_WITH_FILTERS : topic);
  if (known === null) {
    // `retry` is about `operations`.
    const meant = saidLine(topic)?.replace(/^help /, '') ?? topic;
    const near = nearestNamesOrAll(meant, [...all().map(({ name }) => name), ...ORDER, ALL]);
    const offers = near.map((name) => {
      const choice = { command: 'help', input: { topic: name } };
      return { kind: 'line', line: `${ROOT_COMMAND} help ${name}`, does: 'run', choice } as const;
    });
    return problemView({ kind: 'unknown-command', word: topic, nearest: near, offers, root: ROOT_COMMAND });
  }
  const refused = refusal(known, refusals);
  // Only people who may read the fleet see its names.
  const shown = refused === null ? withFleetNames(helpEntry(known), ports.inventory) : helpEntry(known);
  const attempt = refused === null ? tryButtonOf(known) : null;
  const options = known.usage.includes(OPTIONS_PLACE) ? { options: OPTION_HELP } : {};
  const view = { ...NO_COMMANDS, refusal: refused, topic: shown, attempt, ...options };
  if (refused !== null || known.name !== COMMANDS_WITH_FILTERS) return view;
  return { ...view, filters: await filterExamples(ports.inventory) };
}

/**
 * What the button below the help does. A read command runs without arguments. A setting opens its form first, since
 * running it may change something; settings without a form only list values.
 */
function tryButtonOf({ name, kind, form, parse }: Command): HelpView['attempt'] {
  const opened = form === undefined ? null : ({ do: 'form', command: name, input: {} } as const);
  if (kind === 'write' || (kind === 'setting' && opened !== null)) return opened;
  const parsed = parse({ free: [], filters: [], flags: [], reason: null, line: name });
  return parsed.kind === 'input' ? { do: 'run', command: name, input: parsed.input, page: 0 } : opened;
}

type HelpView = Extract<View, { kind: 'help' }>;

/** `help filters` explains the filters of this command. */
const COMMANDS_WITH_FILTERS = 'devices';

/** Topics in the order of the first screen. */
const ORDER = ['looking', 'changing', 'alerts', FILTERS, 'settings'] as const;
const NO_COMMANDS = {
  kind: 'help',
  sections: [],
  withheld: 0,
  root: ROOT_COMMAND,
  topic: null,
  attempt: null,
} as const;
const PERMISSIONS: readonly Permission[] = ['read', 'propose', 'approve', 'audit', 'configure'];

/** The refusal for each permission that the reader does not have. */
async function refusalsByPermission({ refusal: why }: ReadPorts): Promise<Refusals> {
  const found = await Promise.all(
    PERMISSIONS.map(async (need) => [need, (await why?.(need)) ?? null] as const),
  );
  return new Map(found.flatMap(([need, problem]) => (problem === null ? [] : [[need, problem]])));
}

function refusal(command: Command, refusals: Refusals): Problem | null {
  if (command.kind === 'read' && command.open) return null;
  return refusals.get(requiredPermission(command)) ?? null;
}
