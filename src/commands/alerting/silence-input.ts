/** What a silence holds and for how long, as it is typed: pure. */
import { z } from 'zod';
import { nearestNames } from '../../inventory/nearest-names.ts';
import type { UsageFault } from '../../views/model.ts';
import type { TypedInput } from '../core/define-command.ts';
import { readFilterKeys } from '../parser/filter-keys.ts';
import { type LineWords, MAX_LINE_LENGTH, quoteValue } from '../parser/tokenizer.ts';
import { unexpectedWord, usageFault } from '../parser/usage-errors.ts';
import { nameOrId, numberOf } from '../targets/name-lookup.ts';
import { reasonSchema } from '../targets/resolve-device.ts';
import { EVENT_NAME_WORDS, parseEventNames } from './event-names.ts';
import { LONGEST_SILENCE_MS, readClockTime, readDuration, type SilenceDuration } from './silence-duration.ts';
import { kindsSchema } from './subscribe-input.ts';

export const durationSchema = z.union([
  z.object({ for: z.int().positive().max(LONGEST_SILENCE_MS) }),
  z.object({ untilMinute: z.int().min(0).max(1_439) }),
]);

export const silenceInput = z.union([
  z.object({ off: z.int().positive() }),
  z.object({
    events: kindsSchema,
    group: nameOrId.nullable(),
    device: nameOrId.nullable(),
    package: z.string().min(1).max(MAX_LINE_LENGTH).nullable(),
    lasts: durationSchema.nullable(),
    reason: reasonSchema,
  }),
]);
export type SilenceInput = z.infer<typeof silenceInput>;
export type SilenceRequest = Exclude<SilenceInput, { off: number }>;

const KEYS = ['group', 'device', 'package'] as const;

/** A new silence, or with `off` the number of one that shall end. */
export function parseSilence(words: LineWords): TypedInput<SilenceInput> {
  const extra = unexpectedWord(words, { filters: true, reason: true });
  if (extra !== null) return { kind: 'fault', fault: extra };
  const [first, second, ...more] = words.free;
  if (first?.toLowerCase() === 'off') return parseOff(second, more);
  const parted = splitDuration(words.free);
  if (parted.kind === 'fault') return parted;
  const filters = readSilenceFilters(words);
  if (filters.kind === 'fault') return filters;
  const all = parted.events.length === 1 && /^(all|everything)$/i.test(parted.events[0] ?? '');
  const read = all ? ({ kind: 'events', kinds: [] } as const) : parseEventNames(parted.events);
  if (read.kind === 'fault') return usageFault(elseDevice(read.fault));
  const isNothing = Object.values(filters.input).every((value) => value === null);
  if (read.kinds.length === 0 && isNothing && !all)
    return usageFault({
      kind: 'missing',
      what: 'What do you want to silence?',
      prefill: { lasts: parted.lasts, reason: words.reason },
    });
  const input = {
    events: [...read.kinds],
    ...filters.input,
    lasts: parted.lasts,
    reason: words.reason,
  };
  return { kind: 'input', input };
}

function parseOff(word: string | undefined, more: readonly string[]): TypedInput<SilenceInput> {
  const off = word === undefined ? null : numberOf(word);
  if (word === undefined)
    return usageFault({ kind: 'missing', what: 'Which silence?', prefill: { off: true } });
  if (off === null) return usageFault({ kind: 'bad-value', word, expected: 'the number of a silence' });
  const [unused] = more;
  if (unused !== undefined) return usageFault({ kind: 'unknown-word', word: unused, nearest: [] });
  return { kind: 'input', input: { off } };
}

/** A word that is near to no event may name what is to be silent. */
function elseDevice(what: UsageFault): UsageFault {
  if (what.kind !== 'unknown-word' || nearestNames(what.word, EVENT_NAME_WORDS).length > 0) return what;
  const device = `device:${quoteValue(what.word)}`;
  const group = `group:${quoteValue(what.word)}`;
  return { ...what, nearest: [device, group, ...what.nearest] };
}

type SplitSilence =
  | { readonly kind: 'parted'; readonly events: readonly string[]; readonly lasts: SilenceDuration | null }
  | { readonly kind: 'fault'; readonly fault: UsageFault };

/** The last `for` or `until` and what follows it. */
function splitDuration(free: readonly string[]): SplitSilence {
  const at = free.findLastIndex((word) => /^(for|until)$/i.test(word));
  if (at < 0) return { kind: 'parted', events: free, lasts: null };
  const words = free.slice(at + 1).join(' ');
  const isLength = free[at]?.toLowerCase() === 'for';
  const read = isLength ? readDuration(words) : readClockTime(words);
  if (read !== null) return { kind: 'parted', events: free.slice(0, at), lasts: read };
  const expected = isLength ? 'a duration such as 90m, 2h or 3d, up to 30 days' : 'a time such as 18:00';
  return usageFault({ kind: 'bad-value', word: `${free[at]} ${words}`.trim(), expected });
}

function readSilenceFilters({ filters }: LineWords): TypedInput<Pick<SilenceRequest, (typeof KEYS)[number]>> {
  const read = readFilterKeys(filters, KEYS);
  if (read.kind === 'fault') return read;
  const filterValue = (key: (typeof KEYS)[number]) => read.input.get(key) ?? null;
  return {
    kind: 'input',
    input: { group: filterValue('group'), device: filterValue('device'), package: filterValue('package') },
  };
}
