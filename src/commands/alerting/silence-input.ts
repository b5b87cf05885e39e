/** What a silence holds and for how long, as it is typed: pure. */
import { z } from 'zod';
import { nearest } from '../../inventory/nearest.ts';
import type { UsageFault } from '../../views/model.ts';
import type { Typed } from '../define.ts';
import { extraWord, fault } from '../line/faults.ts';
import { filtersOnce } from '../line/filters-once.ts';
import { MAX_TEXT, valueText, type Words } from '../line/grammar.ts';
import { numberOf, ref } from '../targets/named.ts';
import { reasonText } from '../targets/resolve.ts';
import { type Lasts, LONGEST, readLength, readTime } from './silence-time.ts';
import { EVENT_WORDS, readEvents } from './subscribe-events.ts';
import { kindsSchema } from './subscribe-input.ts';

export const lasts = z.union([
  z.object({ for: z.int().positive().max(LONGEST) }),
  z.object({ untilMinute: z.int().min(0).max(1_439) }),
]);

export const silenceInput = z.union([
  z.object({ off: z.int().positive() }),
  z.object({
    events: kindsSchema,
    group: ref.nullable(),
    device: ref.nullable(),
    package: z.string().min(1).max(MAX_TEXT).nullable(),
    lasts: lasts.nullable(),
    reason: reasonText,
  }),
]);
export type SilenceInput = z.infer<typeof silenceInput>;
export type Wanted = Exclude<SilenceInput, { off: number }>;

const KEYS = ['group', 'device', 'package'] as const;

/** A new silence, or with `off` the number of one that shall end. */
export function parseSilence(words: Words): Typed<SilenceInput> {
  const extra = extraWord(words, { filters: true, reason: true });
  if (extra !== null) return { kind: 'fault', fault: extra };
  const [first, second, ...more] = words.free;
  if (first?.toLowerCase() === 'off') return parseOff(second, more);
  const parted = partTime(words.free);
  if (parted.kind === 'fault') return parted;
  const filters = readFilters(words);
  if (filters.kind === 'fault') return filters;
  const all = parted.events.length === 1 && /^(all|everything)$/i.test(parted.events[0] ?? '');
  const read = all ? ({ kind: 'events', kinds: [] } as const) : readEvents(parted.events);
  if (read.kind === 'fault') return fault(orDevice(read.fault));
  const isNothing = Object.values(filters.input).every((value) => value === null);
  if (read.kinds.length === 0 && isNothing && !all)
    return fault({
      kind: 'missing',
      what: 'What do you want to silence?',
      given: { lasts: parted.lasts, reason: words.reason },
    });
  const input = {
    events: [...read.kinds],
    ...filters.input,
    lasts: parted.lasts,
    reason: words.reason,
  };
  return { kind: 'input', input };
}

function parseOff(word: string | undefined, more: readonly string[]): Typed<SilenceInput> {
  const off = word === undefined ? null : numberOf(word);
  if (word === undefined) return fault({ kind: 'missing', what: 'Which silence?', given: { off: true } });
  if (off === null) return fault({ kind: 'bad-value', word, expected: 'the number of a silence' });
  const [unused] = more;
  if (unused !== undefined) return fault({ kind: 'unknown-word', word: unused, nearest: [] });
  return { kind: 'input', input: { off } };
}

/** A word that is near to no event may name what is to be silent. */
function orDevice(what: UsageFault): UsageFault {
  if (what.kind !== 'unknown-word' || nearest(what.word, EVENT_WORDS).length > 0) return what;
  const device = `device:${valueText(what.word)}`;
  const group = `group:${valueText(what.word)}`;
  return { ...what, nearest: [device, group, ...what.nearest] };
}

type Parted =
  | { readonly kind: 'parted'; readonly events: readonly string[]; readonly lasts: Lasts | null }
  | { readonly kind: 'fault'; readonly fault: UsageFault };

/** The last `for` or `until` and what follows it. */
function partTime(free: readonly string[]): Parted {
  const at = free.findLastIndex((word) => /^(for|until)$/i.test(word));
  if (at < 0) return { kind: 'parted', events: free, lasts: null };
  const words = free.slice(at + 1).join(' ');
  const isLength = free[at]?.toLowerCase() === 'for';
  const read = isLength ? readLength(words) : readTime(words);
  if (read !== null) return { kind: 'parted', events: free.slice(0, at), lasts: read };
  const expected = isLength ? 'a duration such as 90m, 2h or 3d, up to 30 days' : 'a time such as 18:00';
  return fault({ kind: 'bad-value', word: `${free[at]} ${words}`.trim(), expected });
}

function readFilters({ filters }: Words): Typed<Pick<Wanted, (typeof KEYS)[number]>> {
  const read = filtersOnce(filters, KEYS);
  if (read.kind === 'fault') return read;
  const given = (key: (typeof KEYS)[number]) => read.input.get(key) ?? null;
  return {
    kind: 'input',
    input: { group: given('group'), device: given('device'), package: given('package') },
  };
}
