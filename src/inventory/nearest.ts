/** The names nearest to what somebody typed. */
import { distance } from 'fastest-levenshtein';
import { fold } from '../text.ts';

/** Comparing costs length times length: longer input is compared by its beginning. */
const COMPARED_LENGTH = 64;

/**
 * Up to `count` of `names`, each once: those that hold the query first, then by the fewest edits. None where
 * nothing is near: a guess that is far off would only mislead.
 */
export function nearest(query: string, names: Iterable<string>, count = 3): readonly string[] {
  const wanted = fold(query).slice(0, COMPARED_LENGTH);
  const known = new Map<string, string>();
  for (const name of names) if (!known.has(fold(name))) known.set(fold(name), name);
  return [...known]
    .flatMap(([folded, name]) => {
      const edits = rank(wanted, folded);
      return edits === null ? [] : [{ name, rank: edits }];
    })
    .toSorted((a, b) => a.rank - b.rank || (a.name < b.name ? -1 : 1))
    .slice(0, count)
    .map(({ name }) => name);
}

/**
 * The same, and where nothing is near the least far: somebody who typed what is nothing at all still sees what the
 * names look like here.
 */
export function nearestOrAny(query: string, names: Iterable<string>, count = 3): readonly string[] {
  const given = [...new Set(names)];
  const near = nearest(query, given, count);
  if (near.length > 0) return near;
  const wanted = fold(query).slice(0, COMPARED_LENGTH);
  const far = given.map((name) => ({ name, edits: distance(wanted, fold(name).slice(0, COMPARED_LENGTH)) }));
  return far
    .toSorted((a, b) => a.edits - b.edits || (a.name < b.name ? -1 : 1))
    .slice(0, count)
    .map(({ name }) => name);
}

/** Lower is nearer; null: not near. */
function rank(wanted: string, name: string): number | null {
  if (wanted === '' || name === '') return null;
  const edits = distance(wanted, name.slice(0, COMPARED_LENGTH));
  const related = wanted.length > 1 && (name.includes(wanted) || (name.length > 1 && wanted.includes(name)));
  if (related) return edits - COMPARED_LENGTH;
  return edits <= Math.max(2, wanted.length / 2) && edits < wanted.length ? edits : wordRank(wanted, name);
}

/** A slip inside one word of a longer name, such as `linx` for `Linux servers`. */
function wordRank(wanted: string, name: string): number | null {
  const edits = Math.min(...name.split(/[^\p{L}\p{N}]+/u).map((word) => distance(wanted, word)));
  return edits <= wanted.length / 3 ? edits : null;
}
