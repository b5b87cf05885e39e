/** What somebody subscribes to and where, as it is typed: pure. */
import { z } from 'zod';
import {
  type AnyEventKind,
  EVENT_KIND_NAMES,
  EVENT_KINDS,
  isEventKind,
  isOtherEventName,
} from '../../fleet/model/event-kinds.ts';
import type { TypedInput } from '../core/define-command.ts';
import { readFilterKeys } from '../parser/filter-keys.ts';
import { type LineWords, MAX_LINE_LENGTH } from '../parser/tokenizer.ts';
import { unexpectedWord, usageFault } from '../parser/usage-errors.ts';
import { nameOrId } from '../targets/name-lookup.ts';
import { parseEventNames } from './event-names.ts';

export const kindsSchema = z.array(
  z.custom<AnyEventKind>((kind) => typeof kind === 'string' && (isEventKind(kind) || isOtherEventName(kind))),
);

const text = z.string().min(1).max(MAX_LINE_LENGTH).nullable();

export const subscribeInput = z.object({
  /** `here`, `me`, or a channel by name or id. */
  where: z.string().min(1).max(MAX_LINE_LENGTH),
  events: kindsSchema.min(1),
  group: nameOrId.nullable(),
  policy: nameOrId.nullable(),
  tag: text,
  os: text,
});
export type SubscribeInput = z.infer<typeof subscribeInput>;

type Filters = Pick<SubscribeInput, 'group' | 'policy' | 'tag' | 'os'>;

const KEYS = ['group', 'policy', 'tag', 'os'] as const;
const CHANNEL_ID = /^[CG][A-Z0-9]{6,20}$/;

/** Where no place is named, it is the one where it was asked. */
export function parseSubscribe(words: LineWords): TypedInput<SubscribeInput> {
  const extra = unexpectedWord(words, { filters: true });
  if (extra !== null) return { kind: 'fault', fault: extra };
  const { where, rest } = readDestination(words.free);
  const filters = readSubscriptionFilters(words);
  if (filters.kind === 'fault') return filters;
  const read = parseEventNames(rest);
  if (read.kind === 'fault') return read;
  if (read.kinds.length === 0) {
    const partialInput = { where, ...filters.input };
    return usageFault({
      kind: 'missing',
      what: 'Which events? For example, patch-failed.',
      prefill: partialInput,
    });
  }
  return { kind: 'input', input: { where, events: [...read.kinds], ...filters.input } };
}

/** The place that the first word names, if it names one. */
function readDestination(free: readonly string[]): {
  readonly where: string;
  readonly rest: readonly string[];
} {
  const [first = '', ...rest] = free;
  const word = first.toLowerCase();
  if (word === 'here' || word === 'me') return { where: word, rest };
  if (first.startsWith('#') && first.length > 1) return { where: first.slice(1), rest };
  return CHANNEL_ID.test(first) ? { where: first, rest } : { where: 'here', rest: free };
}

function readSubscriptionFilters({ filters }: LineWords): TypedInput<Filters> {
  const read = readFilterKeys(filters, KEYS);
  if (read.kind === 'fault') return read;
  const filterValue = (key: (typeof KEYS)[number]) => read.input.get(key) ?? null;
  const input = {
    group: filterValue('group'),
    policy: filterValue('policy'),
    tag: filterValue('tag'),
    os: filterValue('os'),
  };
  return { kind: 'input', input };
}

/** As choices of a form. */
export const EVENT_OPTIONS = EVENT_KIND_NAMES.map((kind) => {
  const { title } = EVENT_KINDS[kind];
  return { value: kind, label: title };
});
