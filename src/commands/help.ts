/** `help`: common tasks and topics, one topic, or one command, computed from the registry. */

import { z } from 'zod';
import { FleetFailure } from '../fleet/fleet.ts';
import type { IndexedDevice, Inventory, SuggestionKind } from '../inventory/inventory.ts';
import { nearestNamesOrAll } from '../inventory/nearest-names.ts';
import type { Permission } from '../lib/access.ts';
import { ROOT_COMMAND } from '../lib/slash-commands.ts';
import type { HelpFilter, HelpTask } from '../views/answers/help-answer.ts';
import type { HelpEntry, HelpSection, Problem, View } from '../views/views.ts';
import { type Command, helpEntry, type ReadCommand, type ReadPorts, type Registry } from './core/command.ts';
import { defineReadCommand } from './core/define-command.ts';
import { requiredPermission } from './core/reader-rights.ts';
import { saidLine } from './parser/said-lines.ts';
import { quoteWord } from './parser/tokenizer.ts';
import { problemView, unexpectedWord } from './parser/usage-errors.ts';
import { filterText } from './targets/device-query.ts';

const input = z.object({ topic: z.string().nullable() });

export function createHelpCommand(registry: Registry): ReadCommand {
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
      const commands = registry.all();
      const refusals = await refusalsByPermission(ports);
      const named = topic?.toLowerCase() ?? null;
      if (named === ROLES && !refusals.has('read')) return { kind: 'roles', roles: ports.roles() };
      if (named === null || named === ROLES) return start(commands, refusals, ports);
      if (named === ALL) return listed(TOPICS, commands, refusals);
      const topics = TOPICS.filter(({ name }) => name === named);
      if (topics.length === 0) return commandHelp(named, registry, refusals, ports);
      const list = listed(topics, commands, refusals);
      // A topic may have the name of a command, such as alerts: both are shown.
      const command = registry.find(named);
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

/** A setting opens its form first: running it may change something. Without a form it only lists values. */
function tryButtonOf({ name, kind, form, parse }: Command): HelpView['attempt'] {
  const opened = form === undefined ? null : ({ do: 'form', command: name, input: {} } as const);
  if (kind === 'write' || (kind === 'setting' && opened !== null)) return opened;
  const parsed = parse({ free: [], filters: [], flags: [], reason: null, line: name });
  return parsed.kind === 'input' ? { do: 'run', command: name, input: parsed.input, page: 0 } : opened;
}

type HelpView = Extract<View, { kind: 'help' }>;

const COMMANDS_WITH_FILTERS = 'devices';

const FILTERS = 'filters';

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

const TOPICS = [
  { name: 'looking', title: 'Look at the fleet' },
  { name: 'changing', title: 'Change devices, groups and policies' },
  { name: 'alerts', title: 'Alerts' },
  { name: 'settings', title: 'Settings' },
] as const;
type TopicName = (typeof TOPICS)[number]['name'];

const ALL = 'all';
const ROLES = 'roles';

/** Commands whose topic does not follow from their kind. */
const OF_COMMANDS: ReadonlyMap<string, TopicName> = new Map([
  ...(['alerts', 'acknowledge', 'subscribe', 'unsubscribe', 'subscriptions', 'silence'] as const).map(
    (name) => [name, 'alerts'] as const,
  ),
  ['explain', 'changing'],
  ['help', 'settings'],
]);
const OF_KINDS = { read: 'looking', write: 'changing', setting: 'settings' } as const;

function topicOf({ name, kind }: Pick<Command, 'name' | 'kind'>): TopicName {
  return OF_COMMANDS.get(name) ?? OF_KINDS[kind];
}

/** The made-up names in the commands' examples, quoted as they are there. */
const EXAMPLE_NAMES: readonly {
  readonly kind: SuggestionKind;
  readonly name: string;
  readonly id: string;
}[] = [
  { kind: 'device', name: 'web-01', id: '#1042' },
  { kind: 'group', name: '"Linux servers"', id: '#3111' },
  { kind: 'policy', name: '"Apply All Patches"', id: '#2103' },
];
/** A name that needs no quotes and no escaping. */
const PLAIN_NAME = /^[\p{L}\p{N}][\p{L}\p{N}._-]{0,40}$/u;
/** A name that needs no escaping inside quotes. */
const PLAIN_WORDS_NAME = /^[\p{L}\p{N}][\p{L}\p{N} ._-]{0,40}$/u;
/** How many names are read to find one that fits. */
const MAX_SUGGESTIONS = 30;

export function withFleetNames(entry: HelpEntry, inventory: Pick<Inventory, 'suggest'>): HelpEntry {
  return { ...entry, examples: ownLines(entry.examples, inventory) };
}

/** The lines with names of the fleet. A name that would need escaping is not used. */
function ownLines(given: readonly string[], { suggest }: Pick<Inventory, 'suggest'>): readonly string[] {
  const swaps = EXAMPLE_NAMES.flatMap(({ kind, name, id }) => {
    const own = pickName(suggest(kind, '', MAX_SUGGESTIONS), name.startsWith('"'));
    return own === null ? [] : [{ name, id, own }];
  });
  return given.map((example) => {
    let shown = example;
    for (const { name, id, own } of swaps) {
      shown = shown.replaceAll(name, () => own.name);
      if (own.id !== null) shown = shown.replaceAll(id, `#${own.id}`);
    }
    return shown;
  });
}

/** The first fitting name that only one item has. A single word needs no quotes. */
function pickName(found: ReturnType<Inventory['suggest']>, isQuoted: boolean) {
  const allowed = isQuoted ? PLAIN_WORDS_NAME : PLAIN_NAME;
  const labels = found.map(({ label }) => label);
  const fits = found.find(
    ({ label }) => allowed.test(label) && labels.indexOf(label) === labels.lastIndexOf(label),
  );
  if (fits === undefined) return null;
  const isWord = quoteWord(fits.label) === fits.label;
  if (!isQuoted && !isWord) return null;
  return { id: fits.id, name: isQuoted && !isWord ? `"${fits.label}"` : fits.label };
}

/** Each key with what it finds, and a value for when the fleet has none. */
const FILTER_EXAMPLES = [
  { key: 'group', description: 'in this group or its subgroups', value: 'Linux servers' },
  { key: 'os', description: 'with this operating system', value: 'Linux' },
  { key: 'tag', description: 'with this tag', value: 'web' },
  { key: 'ip', description: 'with this IP address, or in this network', value: '10.0.0.0/8' },
  { key: 'user', description: 'where this person logged in last', value: 'jane' },
  { key: 'serial', description: 'with this in the serial number', value: 'SN-1001' },
  { key: 'policy', description: 'that this policy applies to', value: 'Apply All Patches' },
  { key: 'fails', description: 'that don’t comply with this policy', value: 'Apply All Patches' },
  { key: 'version', description: 'with an agent or OS version that starts with this', value: '24.04' },
  {
    key: 'powershell',
    description: 'with this PowerShell version, or one that starts with it',
    value: '5.1',
  },
  {
    key: 'missing',
    description: 'missing this package, a patch for this CVE, or any patch of this severity',
    value: 'critical',
  },
  { key: 'device', description: 'with this name or ID', value: 'web-01' },
  { key: 'in', description: 'in this saved target (see save)', value: 'web' },
  {
    key: 'is',
    description:
      'in any of these states; pending means that policies want patches, patches-available that any are available, also ignored or deferred ones, exception means excluded from reports, unmanaged means without a policy, stale means not seen for 30 days',
    value: 'offline,stale',
  },
  { key: 'sort', description: 'most recently seen first; also name, group, pending, os', value: 'seen' },
] as const satisfies readonly Readonly<Record<'key' | 'description' | 'value', string>>[];

const COMBINED_FILTERS: readonly HelpFilter[] = [
  { text: '-is:online', description: '“-” negates a filter' },
  { text: 'is:offline or is:stale', description: '“or” means either, a space means both' },
];

async function filterExamples({
  snapshot,
  suggest,
}: Pick<Inventory, 'snapshot' | 'suggest'>): Promise<readonly HelpFilter[]> {
  const devices = await devicesIn(snapshot);
  const first = (kind: 'group' | 'policy') => suggest(kind, '', 1)[0]?.label;
  const policy = first('policy');
  const own = new Map<string, string | undefined>([
    ['group', first('group')],
    ['policy', policy],
    ['fails', policy],
    ['os', devices.find(({ osFamily }) => isQuotable(osFamily))?.osFamily ?? undefined],
    ['tag', devices.find(({ tags }) => tags?.[0])?.tags?.[0]],
    ['version', devices.find(({ agentVersion }) => isQuotable(agentVersion))?.agentVersion ?? undefined],
  ]);
  const each = FILTER_EXAMPLES.map(({ key, description, value }) => ({
    text: key === 'is' ? `is:${value}` : filterText(key, own.get(key) ?? value),
    description,
  }));
  return [...each, ...COMBINED_FILTERS];
}

function isQuotable(text: string | null): boolean {
  return text !== null && text !== '';
}

/** Empty if the service is down: help works without it. */
async function devicesIn(snapshot: Inventory['snapshot']): Promise<readonly IndexedDevice[]> {
  try {
    return (await snapshot({ lane: 'person' })).devices;
  } catch (error) {
    if (error instanceof FleetFailure) return [];
    throw error;
  }
}

const OPTIONS_PLACE = '[OPTIONS]';

export const OPTION_HELP: readonly HelpFilter[] = [
  {
    text: 'waves:1,25%',
    description:
      'how much is done after each wave, as devices or a share; the rest follows. Default from 11 devices on: 5%, 25%, the rest',
  },
  { text: 'wait:10m', description: 'a wait between waves, up to 24 hours (default: none)' },
  {
    text: 'brake:3',
    description:
      'stops sending at so many failures in a wave, or at a share such as 10% (the default) of the devices that ended, judged once ten or all of the wave ended. A device that isn’t verified counts as a failure, one that wasn’t sent anything doesn’t. Whatever it says, no wave begins by itself after one in which no device is verified',
  },
  { text: 'gate:manual', description: 'an approver continues after each wave (default: auto)' },
  {
    text: 'offline:skip',
    description: 'leaves out devices that are offline when their turn comes (default: queue)',
  },
];

const FIND = { title: 'Show a device', line: 'device web-01' };
const MISSING = { title: 'See its missing patches', line: 'packages web-01' };
const PATCH = {
  title: 'Install missing patches (needs approval)',
  line: 'patch web-01 severity:critical because monthly patches',
};
const REBOOT = {
  title: 'Reboot a device (needs approval)',
  line: 'reboot web-01 because kernel update',
};
const PENDING = {
  title: 'List devices with pending patches',
  line: 'devices is:pending group:"Linux servers"',
};
const NEEDS_REBOOT = { title: 'List devices that require a reboot', line: 'devices is:needs-reboot' };
const ALERTS = { title: 'See recent alerts', line: 'alerts' };
const WAITING = { title: 'See what is waiting for approval', line: 'approvals' };
const RUNNING = { title: 'See operations in progress', line: 'operations' };

function tasksFor(may: (need: Permission) => boolean): readonly HelpTask[] {
  const changes = may('propose') ? [PATCH, REBOOT] : [PENDING, NEEDS_REBOOT];
  return [FIND, MISSING, ...changes, ALERTS, may('approve') ? WAITING : RUNNING];
}
