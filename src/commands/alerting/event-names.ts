/** Names of events as people type them, in any order, with slips: pure. */
import { distance } from 'fastest-levenshtein';
import { z } from 'zod';
import {
  type AnyEventKind,
  EVENT_KIND_NAMES,
  EVENT_KINDS,
  type EventKind,
  eventKindOf,
  isEventKind,
  isOtherEventName,
  LOG_EVENT_NAMES,
  type OtherEventName,
  POLICY_ACTION,
} from '../../fleet/model/event-kinds.ts';
import { nearestNames, nearestNamesOrAll } from '../../inventory/nearest-names.ts';
import { fold } from '../../lib/text.ts';
import type { FieldValues, FormField } from '../../views/models/form-model.ts';
import type { CommandChoice } from '../../views/models/list-model.ts';
import type { UnknownEvent } from '../../views/models/problem-model.ts';
import type { UsageFault } from '../../views/views.ts';
import type { FormValues } from '../core/command.ts';
import { fieldError, textValue } from '../core/field-values.ts';

type ParsedEventNames =
  | { readonly kind: 'events'; readonly kinds: readonly AnyEventKind[] }
  | { readonly kind: 'fault'; readonly fault: UsageFault };

const POLICIES: readonly EventKind[] = ['policy-run', 'policy-failed'];

const NAMES: ReadonlyMap<string, readonly EventKind[]> = new Map([
  ...EVENT_KIND_NAMES.flatMap((kind) => {
    const { title, one, many, also } = EVENT_KINDS[kind];
    return [kind, title, one, many, ...also].map((name) => [fold(name), [kind]] as const);
  }),
  ...LOG_EVENT_NAMES.flatMap((name) => {
    const kind = eventKindOf({ name, exitCode: null });
    return kind === null ? [] : [[name, [kind]] as const];
  }),
  [POLICY_ACTION, POLICIES],
  ['policies', POLICIES],
  ['policy actions', POLICIES],
]);

/** What people ask for and the service does not log (§6). */
const NOT_IN_EVENT_LOG: ReadonlySet<string> = new Set([
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

export const EVENT_NAME_WORDS: readonly string[] = EVENT_KIND_NAMES;

const SEPARATOR_WORDS: ReadonlySet<string> = new Set(['', 'to', 'and', '&', 'or', '+']);

/** Also exact names of events that Patchbay does not know. The first word that names nothing is a fault. */
export function parseEventNames(words: readonly string[]): ParsedEventNames {
  const exactWords = words
    .flatMap((word) => word.split(/[\s,;]+/))
    .filter((word) => !SEPARATOR_WORDS.has(fold(word)));
  const typedWords = exactWords.map(fold);
  const kinds = new Set<EventKind>();
  const others = new Set<OtherEventName>();
  for (let at = 0; at < typedWords.length; ) {
    const exact = exactWords[at] ?? '';
    if (!NAMES.has(fold(exact)) && isOtherEventName(exact)) {
      others.add(exact);
      at += 1;
      continue;
    }
    const match = takeEventName(typedWords, at);
    if (match === null) return { kind: 'fault', fault: unknownEventFault(typedWords.slice(at, at + 2)) };
    for (const kind of match.kinds) kinds.add(kind);
    at += match.words;
  }
  return { kind: 'events', kinds: [...EVENT_KIND_NAMES.filter((kind) => kinds.has(kind)), ...others] };
}

/** The events that Patchbay does not know. `again`: the command with other events. */
export function unknownEventsAmong(
  kinds: readonly AnyEventKind[],
  again: (events: readonly AnyEventKind[]) => CommandChoice,
): readonly UnknownEvent[] {
  return kinds.filter(isOtherEventName).map((name) => {
    const [word] = nearestNames(name, LOG_EVENT_NAMES);
    if (word === undefined) return { name, meant: null };
    const right = parseEventNames(kinds.map((kind) => (kind === name ? word : kind)));
    return { name, meant: right.kind === 'events' ? { word, choice: again(right.kinds) } : null };
  });
}

/** The longest exact name that begins here, else the longest that one slip explains. */
function takeEventName(typedWords: readonly string[], at: number) {
  const phrases = [3, 2, 1]
    .filter((words) => at + words <= typedWords.length)
    .map((words) => ({ words, phrase: typedWords.slice(at, at + words).join(' ') }));
  for (const { words, phrase } of phrases) {
    const kinds = NAMES.get(phrase);
    if (kinds !== undefined) return { kinds, words };
  }
  for (const { words, phrase } of phrases) {
    const kinds = NOT_IN_EVENT_LOG.has(phrase) ? null : eventNameMatch(phrase);
    if (kinds !== null) return { kinds, words };
  }
  return null;
}

/** Never a choice among several: null where names of different events are equally near. */
function eventNameMatch(phrase: string): readonly EventKind[] | null {
  const most = Math.min(Math.floor(phrase.length / 5) + 1, Math.floor(phrase.length / 3));
  const near = [...NAMES]
    .map(([name, kinds]) => ({ kinds, edits: distance(phrase, name) }))
    .filter(({ edits }) => edits <= most);
  const least = Math.min(...near.map(({ edits }) => edits));
  const [first, ...others] = near.filter(({ edits }) => edits === least);
  const isOne = others.every(({ kinds }) => String(kinds) === String(first?.kinds));
  return first !== undefined && isOne ? first.kinds : null;
}

function unknownEventFault(typedWords: readonly string[]): UsageFault {
  const [first = ''] = typedWords;
  const word = [typedWords.join(' '), first].find((phrase) => NOT_IN_EVENT_LOG.has(phrase));
  if (word !== undefined) {
    const expected =
      'an event from the event log, which has no reboots, scans, connections or disconnections';
    return { kind: 'bad-value', word, expected };
  }
  return {
    kind: 'unknown-word',
    word: first,
    nearest: nearestNamesOrAll(typedWords.join(' '), EVENT_NAME_WORDS),
  };
}

const OTHERS = 'others';
const MAX_OTHERS = 500;

/** `events`: those that are filled in; known ones have a field of their own. */
export function otherEventsField(events: readonly string[]): FormField {
  return {
    id: OTHERS,
    kind: 'text',
    label: 'Other events',
    hint: 'The exact names in the event log, such as system.device.renamed, separated by commas.',
    optional: true,
    initial: events.filter((kind) => !isEventKind(kind)).join(', '),
    most: MAX_OTHERS,
  };
}

export function readOtherEvents(
  values: FieldValues,
): { readonly kind: 'events'; readonly kinds: readonly AnyEventKind[] } | FormValues {
  const read = parseEventNames([textValue(values, OTHERS)]);
  return read.kind === 'fault' ? fieldError(OTHERS, 'Enter names as they are in the event log.') : read;
}

export const kindsSchema = z.array(
  z.custom<AnyEventKind>((kind) => typeof kind === 'string' && (isEventKind(kind) || isOtherEventName(kind))),
);

export const EVENT_OPTIONS = EVENT_KIND_NAMES.map((kind) => {
  const { title } = EVENT_KINDS[kind];
  return { value: kind, label: title };
});
