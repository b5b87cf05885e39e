/** `help`: what the reader may do here, or one command, computed from the registry. */
import { z } from 'zod';
import type { Need } from '../access.ts';
import type { HelpEntry, HelpSection, Problem, View } from '../views/model.ts';
import type { Command, ReadCommand, ReadPorts } from './command.ts';
import { defineRead } from './define.ts';
import { withOwnNames } from './help-examples.ts';
import { filtersHelp } from './help-filters.ts';
import { extraWord, problemView } from './line/faults.ts';
import { needOf } from './needs.ts';
import type { Registry } from './registry.ts';
import { ROOT } from './root.ts';

const input = z.object({ topic: z.string().nullable() });

/** The registry holds this command too, so it is asked for only when help is wanted. */
export function createHelp(registry: () => Registry): ReadCommand {
  return defineRead<z.infer<typeof input>>({
    name: 'help',
    usage: 'help [COMMAND|filters]',
    summary: 'Show common tasks, a topic, or one command with its usage and examples.',
    examples: ['help', 'help devices', 'help filters'],
    open: true,
    input,
    parse: (words) => {
      const fault = extraWord(words, {});
      if (fault !== null) return { kind: 'fault', fault };
      return { kind: 'input', input: { topic: words.free[0] ?? null } };
    },
    run: ({ topic }, _page, ports) =>
      topic === null ? all(registry(), ports) : one(topic, registry(), ports),
  });
}

async function all({ all: commands }: Registry, ports: ReadPorts): Promise<View> {
  const refusals = await refusalsOf(ports);
  const allowed = commands().filter((command) => refusal(command, refusals) === null);
  const withheld = commands().length - allowed.length;
  const sections = SECTIONS.map(({ title, kind }): HelpSection => {
    return { title, commands: allowed.filter((command) => command.kind === kind).map(entry) };
  });
  const stranger = refusals.get('read') ?? null;
  return { kind: 'help', sections, withheld, refusal: stranger, root: ROOT, topic: null, attempt: null };
}

async function one(topic: string, { find, nearest }: Registry, ports: ReadPorts): Promise<View> {
  const known = find(topic.toLowerCase() === 'filters' ? FILTERED : topic);
  if (known === null) {
    const near = nearest(topic);
    const offers = near.map((name) => {
      const choice = { command: 'help', input: { topic: name } };
      return { kind: 'line', line: `${ROOT} help ${name}`, does: 'run', choice } as const;
    });
    return problemView({ kind: 'unknown-command', word: topic, nearest: near, offers, root: ROOT });
  }
  const refused = refusal(known, await refusalsOf(ports));
  // Names of the fleet are for those who may look at it.
  const shown = refused === null ? withOwnNames(entry(known), ports.inventory) : entry(known);
  const attempt = refused === null ? attemptOf(known) : null;
  const view = {
    kind: 'help',
    sections: [],
    withheld: 0,
    refusal: refused,
    root: ROOT,
    topic: shown,
    attempt,
  } as const;
  if (refused !== null || known.name !== FILTERED) return view;
  return { ...view, filters: await filtersHelp(ports.inventory) };
}

/**
 * A line without arguments is run where that only looks. A setting may change something by it, so its form comes first,
 * which asks before anything happens; settings without a form list what is remembered.
 */
function attemptOf({ name, kind, form, parse }: Command): HelpView['attempt'] {
  const opened = form === undefined ? null : ({ do: 'form', command: name, input: {} } as const);
  if (kind === 'write' || (kind === 'setting' && opened !== null)) return opened;
  const parsed = parse({ free: [], filters: [], flags: [], reason: null, line: name });
  return parsed.kind === 'input' ? { do: 'run', command: name, input: parsed.input, page: 0 } : opened;
}

type HelpView = Extract<View, { kind: 'help' }>;

/** The command whose filters are the ones that people mean. */
const FILTERED = 'devices';

const SECTIONS = [
  { title: 'Look', kind: 'read' },
  { title: 'Change', kind: 'write' },
  { title: 'Settings', kind: 'setting' },
] as const;
const NEEDS: readonly Need[] = ['read', 'propose', 'approve', 'audit', 'configure'];

/** Why the reader may not do each thing; nothing where they may. */
async function refusalsOf({ refusal: why }: ReadPorts): Promise<ReadonlyMap<Need, Problem>> {
  const found = await Promise.all(NEEDS.map(async (need) => [need, (await why?.(need)) ?? null] as const));
  return new Map(found.flatMap(([need, problem]) => (problem === null ? [] : [[need, problem]])));
}

function refusal(command: Command, refusals: ReadonlyMap<Need, Problem>): Problem | null {
  if (command.kind === 'read' && command.open) return null;
  return refusals.get(needOf(command)) ?? null;
}

function entry({ name, usage, summary, examples }: HelpEntry): HelpEntry {
  return { name, usage, summary, examples };
}
