/** The `key:value` parts of commands that set fields: each key once, but for those that may stand several times. */
import type { UsageFault } from '../views/model.ts';
import { extraWord, fault, unknownWord } from './faults.ts';
import type { Filter, Words } from './grammar.ts';

export type Keys = {
  readonly once: readonly string[];
  readonly many?: readonly string[];
  /** Of `many`: may begin with a dash. */
  readonly removable?: readonly string[];
};

export type SetFields =
  | {
      readonly kind: 'fields';
      /** The value of a key that may stand once, or undefined. */
      readonly one: (key: string) => Filter | undefined;
      readonly all: (key: string) => readonly Filter[];
    }
  | { readonly kind: 'fault'; readonly fault: UsageFault };

/** The parts by key, or the first that does not fit. */
export function setFields(words: Words, { once, many = [], removable = [] }: Keys): SetFields {
  const extra = extraWord(words, { filters: true, reason: true });
  if (extra !== null) return { kind: 'fault', fault: extra };
  const known = [...once, ...many];
  for (const [at, { key, text, value, negated }] of words.filters.entries()) {
    const isKnown = known.includes(key) && (!negated || removable.includes(key));
    if (!isKnown)
      return fault(
        unknownWord(
          text,
          known.map((one) => `${one}:`),
        ),
      );
    const again = once.includes(key) && words.filters.slice(0, at).some((other) => other.key === key);
    if (again) return fault({ kind: 'bad-value', word: text, expected: `${key}: once` });
    if (value === '' && key !== 'notes')
      return fault({ kind: 'bad-value', word: text, expected: `something after ${key}:` });
  }
  const all = (key: string) => words.filters.filter((filter) => filter.key === key);
  return { kind: 'fields', one: (key) => all(key)[0], all };
}
