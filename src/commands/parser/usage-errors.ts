/** Words and `key:value` parts that a command takes, and the faults of those that it does not. */
import { nearestNames, nearestNamesOrAll } from '../../inventory/nearest-names.ts';
import { ROOT_COMMAND } from '../../lib/slash-commands.ts';
import { isBlank } from '../../lib/text.ts';
import type { HelpEntry, Problem, UsageFault, View } from '../../views/views.ts';
import { commaValues, type FilterToken, type LineWords } from './tokenizer.ts';

export function usageFault(what: UsageFault) {
  return { kind: 'fault', fault: what } as const;
}

export function badValue({ text }: Pick<FilterToken, 'text'>, expected: string) {
  return usageFault({ kind: 'bad-value', word: text, expected });
}

export function usageProblem(
  { name, usage }: Pick<HelpEntry, 'name' | 'usage'>,
  fault: UsageFault,
): Extract<Problem, { kind: 'usage' }> {
  return { kind: 'usage', command: name, usage, fault, root: ROOT_COMMAND };
}

export function problemView(problem: Problem): View {
  return { kind: 'problem', problem };
}

export function unknownWordFault(word: string, known: Iterable<string>): UsageFault {
  return { kind: 'unknown-word', word, nearest: nearestNames(word, known) };
}

/** What a command takes besides free words. */
export type AcceptedParts = {
  readonly filters?: boolean;
  /** An `or` between two filters. */
  readonly or?: boolean;
  readonly reason?: boolean;
};

export function unexpectedWord(words: LineWords, accepted: AcceptedParts): UsageFault | null {
  const [flag] = words.flags;
  if (flag !== undefined) return unknownWordFault(flag, accepted.reason === true ? ['because'] : []);
  const [filter] = words.filters;
  if (filter !== undefined && accepted.filters !== true) return unknownWordFault(filter.text, []);
  if (accepted.or !== true && words.filters.some(({ or }) => or === true)) return unknownWordFault('or', []);
  if (words.reason !== null && accepted.reason !== true) return unknownWordFault('because', []);
  if (words.reason === '') return { kind: 'missing', what: 'Enter a reason after “because”.' };
  return null;
}

export type KeyRules = {
  readonly once: readonly string[];
  readonly many?: readonly string[];
  /** Keys that may be negated with a dash. */
  readonly removable?: readonly string[];
  readonly empty?: readonly string[];
};

/** Of all filters of a key: the input of a command holds no longer lists. */
const MAX_LISTED = 100;

export function filterFault(
  typed: readonly FilterToken[],
  { once, many = [], removable = [], empty = [] }: KeyRules,
): UsageFault | null {
  const known = [...once, ...many];
  const listed = new Map<string, number>();
  for (const { key, value, negated, text } of typed) {
    if (!known.includes(key)) {
      const nearest = nearestNamesOrAll(key, known).map((one) => `${one}:`);
      return { kind: 'unknown-word', word: text, nearest };
    }
    const bad = (expected: string): UsageFault => ({ kind: 'bad-value', word: text, expected });
    const values = many.includes(key) ? commaValues({ value, text }) : [value];
    listed.set(key, (listed.get(key) ?? 0) + values.length);
    if (negated && !removable.includes(key)) return bad('the same without “-”');
    if (values.some(isBlank) && !empty.includes(key))
      return bad(values.length > 1 ? 'a value on both sides of a comma' : 'a value right after the colon');
    if ((listed.get(key) ?? 0) > MAX_LISTED) return bad(`at most ${MAX_LISTED} values`);
    if (once.includes(key) && listed.get(key) !== 1) return bad(`“${key}:” only once`);
  }
  return null;
}

/** What the parts list with commas, those with a dash apart; undefined without any. */
export function listedValues(parts: readonly FilterToken[], negated: boolean): string[] | undefined {
  const values = parts.filter((part) => part.negated === negated).flatMap(commaValues);
  return values.length === 0 ? undefined : values.map((value) => value.trim());
}

const YES_NO = new Map([
  ['yes', true],
  ['on', true],
  ['no', false],
  ['off', false],
]);

/** `yes`, `on`, `no` or `off`; null for other words. */
export function readYesNo(text: string): boolean | null {
  return YES_NO.get(text.trim().toLowerCase()) ?? null;
}
