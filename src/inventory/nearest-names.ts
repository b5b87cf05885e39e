/** The names nearest to what somebody typed. */
import { distance } from 'fastest-levenshtein';
import { fold } from '../lib/text.ts';

/** Comparing costs length times length: longer input is compared by its beginning. */
const COMPARED_LENGTH = 64;
/** More names than this are not listed where none is near. */
const MAX_LISTED = 16;
/** So much of any text says what it is. */
const LONG_TEXT_LENGTH = 8;

/** Words of a query as far as it is compared, to find the names that may be near: more would only take longer. */
export function comparedWords(query: string): readonly string[] {
  return query.slice(0, COMPARED_LENGTH).split(/\s+/);
}

/**
 * Up to `count` of `names`, each once: those that hold the query first, then by the fewest edits. None where
 * nothing is near: a guess that is far off would only mislead.
 */
export function nearestNames(query: string, names: Iterable<string>, count = 3): readonly string[] {
  const wanted = fold(query).slice(0, COMPARED_LENGTH);
  const known = new Map<string, string>();
  for (const name of names) {
    const compared = normalizeName(name);
    if (!known.has(compared)) known.set(compared, name);
  }
  return [...known]
    .flatMap(([folded, name]) => {
      const edits = nearnessRank(wanted, folded);
      return edits === null ? [] : [{ name, rank: edits }];
    })
    .toSorted((a, b) => a.rank - b.rank || (a.name < b.name ? -1 : 1))
    .slice(0, count)
    .map(({ name }) => name);
}

/**
 * The same, and where nothing is near all names, as far as they are few: somebody who typed what is nothing at all
 * sees what there is, and no guess that is far off.
 */
export function nearestNamesOrAll(query: string, names: Iterable<string>, count = 3): readonly string[] {
  const given = [...new Set(names)];
  const near = nearestNames(query, given, count);
  if (near.length > 0) return near;
  return given.length <= MAX_LISTED ? given : [];
}

/** As `fold` has it; most names are plain ASCII, where only the case can differ. */
function normalizeName(name: string): string {
  return /^[\x21-\x7e]*$/.test(name) ? name.toLowerCase() : fold(name);
}

/** Lower is nearer; null: not near. */
function nearnessRank(wanted: string, name: string): number | null {
  if (wanted === '' || name === '') return null;
  const compared = name.slice(0, COMPARED_LENGTH);
  if (containsPart(name, wanted)) return distance(wanted, compared) - COMPARED_LENGTH;
  // Letters that changed places are one slip, which counts as two edits.
  if (wanted.length === name.length && sameLetters(wanted, name)) return distance(wanted, compared) / 2;
  const typoRank = editsIfTypo(wanted, compared);
  if (typoRank !== null) return typoRank;
  // Of `linx servers`, `Servers` is a part, but `Linux servers` is nearer.
  return containsPart(wanted, name) ? distance(wanted, compared) : nearnessOfWords(wanted, name);
}

/** At its beginning from two letters on; within it what is too short stands by chance. */
function containsPart(text: string, part: string): boolean {
  if (part.length < 2) return false;
  return (
    text.startsWith(part) ||
    (part.length * 2 >= Math.min(text.length, LONG_TEXT_LENGTH) && text.includes(part))
  );
}

/** The edits from one to the other, null where these are more than slips: a third of the letters. */
function editsIfTypo(wanted: string, text: string): number | null {
  const most = Math.min(Math.max(2, wanted.length / 3), wanted.length - 1);
  if (Math.abs(text.length - wanted.length) > most) return null;
  const edits = distance(wanted, text);
  if (edits > most) return null;
  // Of a short word two edits are half: letters that changed places are one slip, and vowels are left out on purpose.
  const isTypo = edits * 3 <= wanted.length || edits === 1;
  return isTypo || sameLetters(wanted, text) || isAbbreviation(wanted, text) ? edits : null;
}

/** As `grp` does `group`: the same beginning, and every letter in its order. */
function isAbbreviation(short: string, text: string): boolean {
  if (short[0] !== text[0]) return false;
  let at = 0;
  for (const letter of short) {
    at = text.indexOf(letter, at) + 1;
    if (at === 0) return false;
  }
  return true;
}

function sameLetters(one: string, other: string): boolean {
  return [...one].sort().join('') === [...other].sort().join('');
}

/** A slip inside one word of a longer name, such as `linx` for `Linux servers`. */
function nearnessOfWords(wanted: string, name: string): number | null {
  const edits = name
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word.length > 1)
    .flatMap((word) => editsIfTypo(wanted, word) ?? []);
  return edits.length === 0 ? null : Math.min(...edits);
}
