/** The names nearest to what somebody typed. */
import { distance } from 'fastest-levenshtein';
import { fold } from '../text.ts';

/** Comparing costs length times length: longer input is compared by its beginning. */
const COMPARED_LENGTH = 64;

/** Up to `count` of `names`: those that hold the query first, then by the fewest edits. */
export function nearest(query: string, names: Iterable<string>, count = 3): readonly string[] {
  const wanted = fold(query).slice(0, COMPARED_LENGTH);
  const ranked = [...new Set(names)].map((name) => ({ name, rank: rank(wanted, fold(name)) }));
  return ranked
    .toSorted((a, b) => a.rank - b.rank || (a.name < b.name ? -1 : 1))
    .slice(0, count)
    .map(({ name }) => name);
}

function rank(wanted: string, name: string): number {
  const edits = distance(wanted, name.slice(0, COMPARED_LENGTH));
  const related = wanted.length > 1 && (name.includes(wanted) || (name.length > 1 && wanted.includes(name)));
  return related ? edits - COMPARED_LENGTH : edits;
}
