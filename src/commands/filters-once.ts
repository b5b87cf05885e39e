/** Filters of which each key may stand once, as they are typed: pure. */
import { nearestOrAny } from '../inventory/nearest.ts';
import type { Typed } from './define.ts';
import { fault } from './faults.ts';
import type { Filter } from './grammar.ts';

/** The values by key, or what is wrong with the first filter that does not fit. */
export function filtersOnce<Key extends string>(
  typed: readonly Filter[],
  keys: readonly Key[],
): Typed<ReadonlyMap<Key, string>> {
  const read = new Map<Key, string>();
  for (const { key: word, value, negated, text } of typed) {
    const key = keys.find((known) => known === word);
    if (key === undefined) {
      const nearest = nearestOrAny(word, keys).map((known) => `${known}:`);
      return fault({ kind: 'unknown-word', word: text, nearest });
    }
    const bad = (expected: string) => fault({ kind: 'bad-value', word: text, expected });
    if (negated) return bad('the same without “-”');
    if (value === '') return bad('a value right after the colon');
    if (read.has(key)) return bad(`“${key}:” once`);
    read.set(key, value);
  }
  return { kind: 'input', input: read };
}
