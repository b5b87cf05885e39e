/** The `key:value` parts of commands that set fields. */
import type { UsageFault } from '../../views/model.ts';
import { extraWord, fault } from '../line/faults.ts';
import { type Keys, misfit } from '../line/filters-once.ts';
import type { Filter, Words } from '../line/grammar.ts';

export type SetFields =
  | {
      readonly kind: 'fields';
      /** The value of a key that may stand once, or undefined. */
      readonly one: (key: string) => Filter | undefined;
      readonly all: (key: string) => readonly Filter[];
    }
  | { readonly kind: 'fault'; readonly fault: UsageFault };

/** The parts by key, or the first that does not fit. Only notes can be emptied. */
export function setFields(words: Words, keys: Keys): SetFields {
  const { filters } = words;
  const wrong =
    extraWord(words, { filters: true, reason: true }) ?? misfit(filters, { ...keys, empty: ['notes'] });
  if (wrong !== null) return fault(wrong);
  const all = (key: string) => filters.filter((filter) => filter.key === key);
  return { kind: 'fields', one: (key) => all(key)[0], all };
}
