/** The names closest to what a person typed. */
import { distance } from 'fastest-levenshtein';
import { fold } from '../lib/text.ts';

/** Comparing costs length times length, so longer input is compared by its beginning. */
const COMPARED_LENGTH = 64;
/** When no name is close, all names are listed only up to this number. */
const MAX_LISTED = 16;
/** From this length on, a part identifies a text. */
const LONG_TEXT_LENGTH = 8;

/** The words of a query that are compared when similar names are searched for; more would only take longer. */
export function comparedWords(query: string): readonly string[] {
  return query.slice(0, COMPARED_LENGTH).split(/\s+/);
}

/** Those that contain the query first, then by the fewest edits. None is better than a distant guess. */
export function nearestNames(query: string, names: Iterable<string>, count = 3): readonly string[] {
  const wanted = fold(query).slice(0, COMPARED_LENGTH);
  const known = new Map<string, string>();
  for (const name of names) {
    // The same as `fold`: most names are plain ASCII, where only the case can differ.
    const compared = /^[\x21-\x7e]*$/.test(name) ? name.toLowerCase() : fold(name);
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

/** All names, if they are few, where nothing is close: choices instead of a distant guess. */
export function nearestNamesOrAll(query: string, names: Iterable<string>): readonly string[] {
  const all = [...new Set(names)];
  const near = nearestNames(query, all);
  if (near.length > 0) return near;
  return all.length <= MAX_LISTED ? all : [];
}

/** Lower is closer; null: not close. */
function nearnessRank(wanted: string, name: string): number | null {
  if (wanted === '' || name === '') return null;
  const compared = name.slice(0, COMPARED_LENGTH);
  if (containsPart(name, wanted)) return distance(wanted, compared) - COMPARED_LENGTH;
  // Swapped letters are one typo but two edits.
  if (wanted.length === name.length && sameLetters(wanted, name)) return distance(wanted, compared) / 2;
  const typoRank = editsIfTypo(wanted, compared);
  if (typoRank !== null) return typoRank;
  // `Servers` is a part of `linx servers`, but `Linux servers` is closer.
  return containsPart(wanted, name) ? distance(wanted, compared) : nearnessOfWords(wanted, name);
}

/** At the start a part counts from two letters on; inside the text, short parts match by chance. */
function containsPart(text: string, part: string): boolean {
  if (part.length < 2) return false;
  return (
    text.startsWith(part) ||
    (part.length * 2 >= Math.min(text.length, LONG_TEXT_LENGTH) && text.includes(part))
  );
}

/** The number of edits between the two; null when there are more than a typo explains: a third of the letters. */
function editsIfTypo(wanted: string, text: string): number | null {
  const most = Math.min(Math.max(2, wanted.length / 3), wanted.length - 1);
  if (Math.abs(text.length - wanted.length) > most) return null;
  const edits = distance(wanted, text);
  if (edits > most) return null;
  // Two edits are half of a short word: swapped letters are one typo, and vowels are omitted on purpose.
  const isTypo = edits * 3 <= wanted.length || edits === 1;
  return isTypo || sameLetters(wanted, text) || isAbbreviation(wanted, text) ? edits : null;
}

/** Like `grp` for `group`: the same first letter, and every letter in order. */
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

/** A typo in one word of a longer name, such as `linx` for `Linux servers`. */
function nearnessOfWords(wanted: string, name: string): number | null {
  const edits = name
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word.length > 1)
    .flatMap((word) => editsIfTypo(wanted, word) ?? []);
  return edits.length === 0 ? null : Math.min(...edits);
}
