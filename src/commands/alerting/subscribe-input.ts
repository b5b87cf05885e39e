/** What somebody subscribes to and where, as it is typed: pure. */
import { z } from 'zod';
import { HAPPENING_KINDS, HAPPENINGS, type Happening } from '../../fleet/happenings.ts';
import type { Typed } from '../define.ts';
import { extraWord, fault } from '../line/faults.ts';
import { filtersOnce } from '../line/filters-once.ts';
import { MAX_TEXT, type Words } from '../line/grammar.ts';
import { ref } from '../targets/named.ts';
import { readEvents } from './subscribe-events.ts';

export const kindsSchema = z.array(
  z.custom<Happening>((kind) => typeof kind === 'string' && kind in HAPPENINGS),
);

const text = z.string().min(1).max(MAX_TEXT).nullable();

export const subscribeInput = z.object({
  /** `here`, `me`, or a channel by name or id. */
  where: z.string().min(1).max(MAX_TEXT),
  events: kindsSchema.min(1),
  group: ref.nullable(),
  policy: ref.nullable(),
  tag: text,
  os: text,
});
export type SubscribeInput = z.infer<typeof subscribeInput>;

type Filters = Pick<SubscribeInput, 'group' | 'policy' | 'tag' | 'os'>;

const KEYS = ['group', 'policy', 'tag', 'os'] as const;
const CHANNEL_ID = /^[CG][A-Z0-9]{6,20}$/;

/** Where no place is named, it is the one where it was asked. */
export function parseSubscribe(words: Words): Typed<SubscribeInput> {
  const extra = extraWord(words, { filters: true });
  if (extra !== null) return { kind: 'fault', fault: extra };
  const { where, rest } = readPlace(words.free);
  const filters = readFilters(words);
  if (filters.kind === 'fault') return filters;
  const read = readEvents(rest);
  if (read.kind === 'fault') return read;
  if (read.kinds.length === 0) {
    const given = { where, ...filters.input };
    return fault({ kind: 'missing', what: 'Which events? For example, patch-failed.', given });
  }
  return { kind: 'input', input: { where, events: [...read.kinds], ...filters.input } };
}

/** The place that the first word names, if it names one. */
function readPlace(free: readonly string[]): {
  readonly where: string;
  readonly rest: readonly string[];
} {
  const [first = '', ...rest] = free;
  const word = first.toLowerCase();
  if (word === 'here' || word === 'me') return { where: word, rest };
  if (first.startsWith('#') && first.length > 1) return { where: first.slice(1), rest };
  return CHANNEL_ID.test(first) ? { where: first, rest } : { where: 'here', rest: free };
}

function readFilters({ filters }: Words): Typed<Filters> {
  const read = filtersOnce(filters, KEYS);
  if (read.kind === 'fault') return read;
  const given = (key: (typeof KEYS)[number]) => read.input.get(key) ?? null;
  const input = { group: given('group'), policy: given('policy'), tag: given('tag'), os: given('os') };
  return { kind: 'input', input };
}

/** As choices of a form. */
export const EVENT_OPTIONS = HAPPENING_KINDS.map((kind) => {
  const { title } = HAPPENINGS[kind];
  return { value: kind, label: title };
});
