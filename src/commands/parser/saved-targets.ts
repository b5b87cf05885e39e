/** `in:NAME` among the filters of a command stands for the filters that were saved under the name. */
import { nearestNamesOrAll } from '../../inventory/nearest-names.ts';
import type { PersonId } from '../../lib/ids.ts';
import type { NamedLines } from '../settings/settings-port.ts';
import { normalizedName } from './named-line-parser.ts';
import { type FilterToken, type LineWords, type TokenizedLine, tokenizeLine } from './tokenizer.ts';

export const SAVED_KEY = 'in';

/** The person's saved targets and the shared ones. */
export type SavedTargets = { readonly saved: Pick<NamedLines, 'find' | 'list'>; readonly person: PersonId };

/**
 * The words with each `in:NAME` replaced, once: saved filters contain no `in:`. `filters`: words of a search are refused,
 * because a change is for the devices that are named or filtered, never for what a search finds.
 */
export async function expandSaved(
  words: LineWords,
  targets: SavedTargets,
  takes: 'words' | 'filters' = 'words',
): Promise<TokenizedLine> {
  if (!usesSavedTarget(words)) return { kind: 'words', words };
  const free = [...words.free];
  const filters: FilterToken[] = [];
  for (const [at, filter] of words.filters.entries()) {
    if (!isSaved(filter)) {
      filters.push(filter);
      continue;
    }
    if (filter.value.trim() === '') return savedTargetFault(filter, 'a name right after the colon');
    const isAlternative = filter.or === true || words.filters[at + 1]?.or === true;
    if (filter.negated || isAlternative)
      return savedTargetFault(filter, 'a saved target without “-” and “or”');
    const inside = await savedWords(filter, targets);
    if (inside.kind === 'fault') return inside;
    if (takes === 'filters' && inside.words.free.length > 0)
      return savedTargetFault(filter, 'a saved target that has only filters, without words to search for');
    free.push(...inside.words.free);
    filters.push(...inside.words.filters.map((one) => ({ ...one, saved: true as const })));
  }
  return { kind: 'words', words: { ...words, free, filters } };
}

const isSaved = ({ key }: FilterToken): boolean => key === SAVED_KEY;

export function usesSavedTarget({ filters }: LineWords): boolean {
  return filters.some(isSaved);
}

async function savedWords(filter: FilterToken, { saved, person }: SavedTargets): Promise<TokenizedLine> {
  const name = normalizedName(filter.value);
  const named = name === null ? null : await saved.find(person, name);
  if (named !== null) return tokenizeLine(named.line);
  const names = (await saved.list(person)).map((known) => known.name);
  const nearest = nearestNamesOrAll(filter.value, names).map((known) => `${SAVED_KEY}:${known}`);
  return { kind: 'fault', fault: { kind: 'unknown-word', word: filter.text, nearest, of: 'saved target' } };
}

function savedTargetFault({ text: word }: FilterToken, expected: string): TokenizedLine {
  return { kind: 'fault', fault: { kind: 'bad-value', word, expected } };
}
