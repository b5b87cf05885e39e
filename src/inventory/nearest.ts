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
  for (const name of names) {
    const compared = comparable(name);
    if (!known.has(compared)) known.set(compared, name);
  }
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
  return leastFar(fold(query).slice(0, COMPARED_LENGTH), given, count);
}

/** The length alone rules most names out: an edit changes it by one at the most. */
function leastFar(wanted: string, names: readonly string[], count: number): readonly string[] {
  let best: readonly { readonly name: string; readonly edits: number }[] = [];
  for (const name of names) {
    const compared = comparable(name).slice(0, COMPARED_LENGTH);
    const worst = best.length < count ? Number.POSITIVE_INFINITY : (best.at(-1)?.edits ?? 0);
    if (Math.abs(compared.length - wanted.length) > worst) continue;
    const edits = distance(wanted, compared);
    if (edits > worst) continue;
    best = [...best, { name, edits }]
      .toSorted((a, b) => a.edits - b.edits || (a.name < b.name ? -1 : 1))
      .slice(0, count);
  }
  return best.map(({ name }) => name);
}

/** As `fold` has it; most names are plain ASCII, where only the case can differ. */
function comparable(name: string): string {
  return /^[\x21-\x7e]*$/.test(name) ? name.toLowerCase() : fold(name);
}

/** Lower is nearer; null: not near. */
function rank(wanted: string, name: string): number | null {
  if (wanted === '' || name === '') return null;
  const compared = name.slice(0, COMPARED_LENGTH);
  const related = wanted.length > 1 && (name.includes(wanted) || (name.length > 1 && wanted.includes(name)));
  if (related) return distance(wanted, compared) - COMPARED_LENGTH;
  const most = Math.min(Math.max(2, wanted.length / 2), wanted.length - 1);
  const edits = atMost(most, wanted, compared);
  return edits ?? wordRank(wanted, name);
}

/** The edits from one to the other; null where these are more. */
function atMost(most: number, wanted: string, text: string): number | null {
  if (Math.abs(text.length - wanted.length) > most) return null;
  const edits = distance(wanted, text);
  return edits <= most ? edits : null;
}

/** A slip inside one word of a longer name, such as `linx` for `Linux servers`. */
function wordRank(wanted: string, name: string): number | null {
  const edits = name
    .split(/[^\p{L}\p{N}]+/u)
    .flatMap((word) => atMost(Math.floor(wanted.length / 3), wanted, word) ?? []);
  return edits.length === 0 ? null : Math.min(...edits);
}
