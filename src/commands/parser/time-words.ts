/** Times in words, such as `tonight` or `at 02:00`, of somebody who expects a schedule. Pure. */
import type { Command } from '../core/command.ts';
import type { LineWords } from './tokenizer.ts';

type TimeInLine = {
  readonly when: string;
  /** The line without it; a reason stays as it is. */
  readonly words: LineWords;
};

const CLOCK = '(?:(?:[01]?\\d|2[0-3]):[0-5]\\d(?: ?[ap]m)?|(?:0?\\d|1[0-2]) ?[ap]m|noon|midnight)';
const WEEKDAY = '(?:mon|tues|wednes|thurs|fri|satur|sun)day';
/** What only speaks of the future. */
const TIMES = [
  'tonight',
  'tomorrow(?: (?:morning|noon|afternoon|evening|night))?',
  'this (?:afternoon|evening|weekend)',
  `next (?:week|weekend|month|${WEEKDAY})`,
  `(?:at|by|after|around|from) ${CLOCK}`,
  'in (?:\\d{1,3}|an?|half an|one|two) (?:min|minute|hour|day|week)s?',
  'later(?: today)?',
  'overnight',
];
/** Words that also stand in a report of what happened. */
const DAYS = [`(?:on )?${WEEKDAY}`, CLOCK];
const series = (times: readonly string[]): string => `(?:${times.join('|')})(?: (?:${times.join('|')}))*`;
const AT_END = new RegExp(`(?:^| )(${series(TIMES)})[.!]?$`, 'i');
const WHOLE = new RegExp(`^${series([...TIMES, ...DAYS])}$`, 'i');
/** Such as `tomorrow night at 2 am`. */
const MAX_WORDS = 6;

/** The time that a change is wanted at; null: none. Only devices stand beside it, because other names may hold one. */
export function timeInLine(
  { kind, targets }: Pick<Command, 'kind'> & { readonly targets?: unknown },
  words: LineWords,
): TimeInLine | null {
  if (kind !== 'write') return null;
  const before = targets === undefined ? null : timeAmong(words.free);
  if (before !== null) return { when: before.when, words: { ...words, free: before.rest } };
  const when = words.reasonQuoted === true ? null : timeAtEnd(words.reason ?? '');
  return when === null ? null : { when, words };
}

/** Null without a time. */
export function timeAtEnd(reason: string): string | null {
  return AT_END.exec(reason)?.[1] ?? null;
}

/** The first of the longest times, and the words without it. */
export function timeAmong(free: readonly string[]) {
  for (let count = Math.min(MAX_WORDS, free.length); count > 0; count -= 1) {
    for (let at = 0; at + count <= free.length; at += 1) {
      const when = free.slice(at, at + count).join(' ');
      if (WHOLE.test(when)) return { when, rest: free.toSpliced(at, count) };
    }
  }
  return null;
}
