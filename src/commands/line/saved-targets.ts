/** `in:NAME` among the filters of a command stands for the filters that were saved under the name. */
import { nearestOrAny } from '../../inventory/nearest.ts';
import type { UsageFault } from '../../views/model.ts';
import type { NamedLines } from '../settings.ts';
import { type Filter, readLine, type Words } from './grammar.ts';
import { nameOf } from './named-line.ts';

export const SAVED_KEY = 'in';

export type WordsOrFault =
  | { readonly kind: 'words'; readonly words: Words }
  | { readonly kind: 'fault'; readonly fault: UsageFault };

/** What somebody may choose from: their own ones and everybody's. */
export type SavedReader = {
  readonly find: (name: string) => ReturnType<NamedLines['find']>;
  readonly list: () => ReturnType<NamedLines['list']>;
};

/** The words with each `in:NAME` replaced, once: what is saved holds no such filter. */
export async function expandSaved(words: Words, saved: SavedReader): Promise<WordsOrFault> {
  if (!words.filters.some(isSaved)) return { kind: 'words', words };
  const free = [...words.free];
  const filters: Filter[] = [];
  for (const [at, filter] of words.filters.entries()) {
    if (!isSaved(filter)) {
      filters.push(filter);
      continue;
    }
    if (filter.value.trim() === '') return fault(filter, 'a name right after the colon');
    const isAlternative = filter.or === true || words.filters[at + 1]?.or === true;
    if (filter.negated || isAlternative) return fault(filter, 'a saved target without “-” and “or”');
    const inside = await wordsOf(filter, saved);
    if (inside.kind === 'fault') return inside;
    free.push(...inside.words.free);
    filters.push(...inside.words.filters);
  }
  return { kind: 'words', words: { ...words, free, filters } };
}

const isSaved = ({ key }: Filter): boolean => key === SAVED_KEY;

async function wordsOf(filter: Filter, { find, list }: SavedReader): Promise<WordsOrFault> {
  const name = nameOf(filter.value);
  const named = name === null ? null : await find(name);
  if (named !== null) return readLine(named.line);
  const names = (await list()).map((known) => known.name);
  const nearest = nearestOrAny(filter.value, names).map((known) => `${SAVED_KEY}:${known}`);
  return { kind: 'fault', fault: { kind: 'no-saved-target', name: filter.value, nearest } };
}

function fault({ text: word }: Filter, expected: string): WordsOrFault {
  return { kind: 'fault', fault: { kind: 'bad-value', word, expected } };
}
