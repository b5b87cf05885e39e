/** Names of events as people type them, in any order, with slips: pure. */
import { distance } from 'fastest-levenshtein';
import { EVENT_NAMES, POLICY_ACTION } from '../../fleet/event-names.ts';
import { HAPPENING_KINDS, HAPPENINGS, type Happening, happeningOf } from '../../fleet/happenings.ts';
import { nearestOrAny } from '../../inventory/nearest.ts';
import { fold } from '../../text.ts';
import type { UsageFault } from '../../views/model.ts';

export type EventsRead =
  | { readonly kind: 'events'; readonly kinds: readonly Happening[] }
  | { readonly kind: 'fault'; readonly fault: UsageFault };

const POLICIES: readonly Happening[] = ['policy-run', 'policy-failed'];

/** Every name with what it stands for. */
const NAMES: ReadonlyMap<string, readonly Happening[]> = new Map([
  ...HAPPENING_KINDS.flatMap((kind) => {
    const { title, one, many, also } = HAPPENINGS[kind];
    return [kind, title, one, many, ...also].map((name) => [fold(name), [kind]] as const);
  }),
  ...EVENT_NAMES.flatMap((name) => {
    const kind = happeningOf({ name, exitCode: null });
    return kind === null ? [] : [[name, [kind]] as const];
  }),
  [POLICY_ACTION, POLICIES],
  ['policies', POLICIES],
  ['policy actions', POLICIES],
]);

/** What people ask for and the service does not log (§6). */
const NOT_LOGGED: ReadonlySet<string> = new Set([
  'reboot',
  'reboots',
  'restarts',
  'disconnect',
  'disconnects',
  'connects',
  'offline devices',
  'online devices',
  'scans',
]);

/** The names that are offered. */
export const EVENT_WORDS: readonly string[] = HAPPENING_KINDS;

const BETWEEN: ReadonlySet<string> = new Set(['', 'to', 'and', '&', 'or', '+']);

/** What these words name, each kind once; the first that names nothing is a fault with the nearest names. */
export function readEvents(words: readonly string[]): EventsRead {
  const said = words.flatMap((word) => fold(word).split(/[\s,;]+/)).filter((word) => !BETWEEN.has(word));
  const kinds = new Set<Happening>();
  for (let at = 0; at < said.length; ) {
    const taken = takeName(said, at);
    if (taken === null) return { kind: 'fault', fault: unknown(said.slice(at, at + 2)) };
    for (const kind of taken.kinds) kinds.add(kind);
    at += taken.words;
  }
  return { kind: 'events', kinds: HAPPENING_KINDS.filter((kind) => kinds.has(kind)) };
}

/** The longest exact name that begins here, else the longest that one slip explains. */
function takeName(said: readonly string[], at: number) {
  const phrases = [3, 2, 1]
    .filter((words) => at + words <= said.length)
    .map((words) => ({ words, phrase: said.slice(at, at + words).join(' ') }));
  for (const { words, phrase } of phrases) {
    const kinds = NAMES.get(phrase);
    if (kinds !== undefined) return { kinds, words };
  }
  for (const { words, phrase } of phrases) {
    const kinds = NOT_LOGGED.has(phrase) ? null : meant(phrase);
    if (kinds !== null) return { kinds, words };
  }
  return null;
}

/** Never a choice among several: null where names of different events are equally near. */
function meant(phrase: string): readonly Happening[] | null {
  const most = Math.min(Math.floor(phrase.length / 5) + 1, Math.floor(phrase.length / 3));
  const near = [...NAMES]
    .map(([name, kinds]) => ({ kinds, edits: distance(phrase, name) }))
    .filter(({ edits }) => edits <= most);
  const least = Math.min(...near.map(({ edits }) => edits));
  const [first, ...others] = near.filter(({ edits }) => edits === least);
  const isOne = others.every(({ kinds }) => String(kinds) === String(first?.kinds));
  return first !== undefined && isOne ? first.kinds : null;
}

function unknown(said: readonly string[]): UsageFault {
  const [first = ''] = said;
  const word = [said.join(' '), first].find((phrase) => NOT_LOGGED.has(phrase));
  if (word !== undefined) {
    const expected =
      'an event from the event log, which has no reboots, scans, connections or disconnections';
    return { kind: 'bad-value', word, expected };
  }
  return { kind: 'unknown-word', word: first, nearest: nearestOrAny(said.join(' '), EVENT_WORDS) };
}
