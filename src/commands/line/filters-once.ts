/** `key:value` parts of which most keys may stand once: what is wrong with them, and what they say. Pure. */
import { nearestOrAny } from '../../inventory/nearest.ts';
import type { UsageFault } from '../../views/model.ts';
import type { Typed } from '../define.ts';
import { fault } from './faults.ts';
import type { Filter } from './grammar.ts';

export type Keys = {
  readonly once: readonly string[];
  readonly many?: readonly string[];
  /** May begin with a dash. */
  readonly removable?: readonly string[];
  /** May stand without a value. */
  readonly empty?: readonly string[];
};

/** What is wrong with the first part that does not fit, or null. */
export function misfit(
  typed: readonly Filter[],
  { once, many = [], removable = [], empty = [] }: Keys,
): UsageFault | null {
  const known = [...once, ...many];
  const met = new Set<string>();
  for (const { key, value, negated, text } of typed) {
    if (!known.includes(key)) {
      const nearest = nearestOrAny(key, known).map((one) => `${one}:`);
      return { kind: 'unknown-word', word: text, nearest };
    }
    const bad = (expected: string): UsageFault => ({ kind: 'bad-value', word: text, expected });
    if (negated && !removable.includes(key)) return bad('the same without “-”');
    if (value === '' && !empty.includes(key)) return bad('a value right after the colon');
    if (once.includes(key) && met.has(key)) return bad(`“${key}:” only once`);
    met.add(key);
  }
  return null;
}

/** The values by key, or what is wrong with the first filter that does not fit. */
export function filtersOnce<Key extends string>(
  typed: readonly Filter[],
  keys: readonly Key[],
): Typed<ReadonlyMap<Key, string>> {
  const wrong = misfit(typed, { once: keys });
  if (wrong !== null) return fault(wrong);
  const read = new Map<Key, string>();
  for (const key of keys) {
    const found = typed.find((one) => one.key === key);
    if (found !== undefined) read.set(key, found.value);
  }
  return { kind: 'input', input: read };
}
