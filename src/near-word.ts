/** The known word that a typed one was probably meant to be. Pure. */
import { distance } from 'fastest-levenshtein';

/** Two letters that changed places, or a separator and one letter more. */
const MOST_SLIPS = 2;

/** The nearest of `known`; null where none is near. */
export function nearWord(typed: string, known: readonly string[]): string | null {
  const near = known
    .map((word) => ({ word, slips: distance(typed, word) }))
    .filter(({ slips }) => slips <= MOST_SLIPS);
  return near.toSorted((a, b) => a.slips - b.slips)[0]?.word ?? null;
}
