/**
 * Finding texts by words: every word must be in the text. Only a word that stands nowhere is taken for a slip of the
 * pen, and then uFuzzy says which texts are one slip away. A number or an address is never a slip: another one would
 * be another thing. Pure.
 */
import UFuzzy from '@leeoniya/ufuzzy';
import { type Bits, bitsOf, both, everyBit, hasBit, lowest, placesOf } from './bits.ts';
import type { Grams } from './grams.ts';
import { mayComeNear, mayHold } from './promising.ts';
import { bestIn, FUZZY, rankIn } from './ranks.ts';

/** Texts by their places. */
export type Texts = {
  readonly texts: string[];
  /** The places in the order in which equally good ones are told; absent: as they come. */
  readonly order?: Uint32Array<ArrayBuffer>;
  /** Absent: so few texts that each is read. */
  readonly grams?: Grams;
};

export type Hits = {
  /** Where the texts stand in their order, the best first; equally good ones in this order. */
  readonly found: Uint32Array;
  /** Some word stands in none of them as it was typed. */
  readonly close: boolean;
};

/** More words than this narrow nothing down. */
const MOST_WORDS = 12;
/** uFuzzy's own advice: more than this many hits are not put in order by how near they are. */
const MOST_ORDERED = 1_000;
/** Expressions of more parts could take very long on hostile names: those are only asked for part by part. */
const MOST_PARTS = 3;
const LONGEST_SLIP = 64;
const MOST_SCORE = MOST_WORDS * FUZZY;

const fuzzy = new UFuzzy({ intraMode: 1 });

/** `words` are folded; no words fit everything. `only`: nothing but these places is looked at. */
export function findTexts(source: Texts, words: readonly string[], only: Bits | null = null): Hits {
  const wanted = [...new Set(words)].filter((word) => word !== '').slice(0, MOST_WORDS);
  const scores = new Uint8Array(source.texts.length);
  let within = only;
  let slips: readonly number[] | null = null;
  for (const word of wanted.toSorted((a, b) => b.length - a.length)) {
    const held = holding(source, word, within, scores);
    if (!isEmpty(held)) {
      within = held;
      continue;
    }
    // Where a slip stands elsewhere as it was typed it is none, and nothing has all the words.
    if (within !== null && !isEmpty(holding(source, word, null, null))) return NO_HITS;
    slips = nearest(source, word, within);
    within = bitsOf(slips, source.texts.length);
    for (const place of slips) scores[place] = (scores[place] ?? 0) + FUZZY;
  }
  const found = within ?? everyBit(source.texts.length);
  if (slips === null) return { found: inOrder(source, found, scores), close: false };
  // A slip has put them in an order of its own.
  const places = byScore(slips, found, scores);
  return { found: positionsOf(source, places), close: places.length > 0 };
}

const NO_HITS: Hits = { found: new Uint32Array(), close: false };

function isEmpty(bits: Bits): boolean {
  return bits.every((some) => some === 0);
}

/** The places of texts that hold the word; `scores` takes how well each does. */
function holding(
  { texts, grams }: Texts,
  word: string,
  within: Bits | null,
  scores: Uint8Array | null,
): Bits {
  const promising = mayHold(grams, word, texts.length);
  const { anywhere, certain } = promising;
  const found = within === null ? anywhere.slice() : both(anywhere, within);
  // Up to every text is met here: a loop by hand takes a third of the time.
  for (let at = 0; at < found.length; at += 1) {
    for (let left = found[at] ?? 0; left !== 0; left &= left - 1) {
      const place = at * 32 + lowest(left);
      const text = texts[place] ?? '';
      const first = certain ? 0 : text.indexOf(word);
      if (first === -1) found[at] = (found[at] ?? 0) & ~(left & -left);
      else if (scores !== null) {
        const rank = certain ? bestIn(promising, place) : rankIn(text, word, first, promising, place);
        scores[place] = (scores[place] ?? 0) + rank;
      }
    }
  }
  return found;
}

/** Those that come near to a word that stands nowhere, the nearest first. */
function nearest(source: Texts, word: string, within: Bits | null): readonly number[] {
  const { texts, grams } = source;
  // A quote would be an order to uFuzzy.
  const needle = word.slice(0, LONGEST_SLIP).replaceAll('"', ' ');
  const parts = /[a-z]/.test(needle) ? fuzzy.split(needle) : [];
  if (parts.length === 0) return [];
  const promising = placesOf(mayComeNear(grams, parts, within ?? everyBit(texts.length)));
  const found =
    parts.length > MOST_PARTS || needle !== word
      ? nearAll(texts, parts, promising)
      : (fuzzy.filter(texts, needle, promising) ?? []);
  const near = Array.from(inOrder(source, bitsOf(found, texts.length)), (at) => source.order?.[at] ?? at);
  if (near.length === 0 || near.length > MOST_ORDERED || needle !== word || parts.length > MOST_PARTS)
    return near;
  const info = fuzzy.info(near, texts, needle);
  return fuzzy.sort(info, texts, needle).flatMap((at) => info.idx[at] ?? []);
}

/** Texts that come near to each of many parts, wherever these stand. */
function nearAll(texts: string[], parts: readonly string[], promising: number[]): number[] {
  let found = promising;
  for (const part of new Set(parts)) found = fuzzy.filter(texts, part, found) ?? [];
  return found;
}

/**
 * Where they stand in the order of the texts, the best first, equally good ones in this order. Counted first, so that
 * nothing needs to be sorted.
 */
function inOrder({ texts, order }: Texts, found: Bits, scores?: Uint8Array): Uint32Array {
  const all = order ?? Uint32Array.from(texts.keys());
  const held = new Uint32Array(all.length);
  const scored = new Uint8Array(all.length);
  const next = new Uint32Array(MOST_SCORE + 2);
  let count = 0;
  for (let at = 0; at < all.length; at += 1) {
    const place = all[at] ?? 0;
    if (!hasBit(found, place)) continue;
    const score = scores?.[place] ?? 0;
    held[count] = at;
    scored[count] = score;
    count += 1;
    next[score + 1] = (next[score + 1] ?? 0) + 1;
  }
  for (let score = 1; score < next.length; score += 1)
    next[score] = (next[score] ?? 0) + (next[score - 1] ?? 0);
  const ordered = new Uint32Array(count);
  for (let from = 0; from < count; from += 1) {
    const score = scored[from] ?? 0;
    const to = next[score] ?? 0;
    ordered[to] = held[from] ?? 0;
    next[score] = to + 1;
  }
  return ordered;
}

/** The best first, equally good ones in the order in which they are given. */
function byScore(given: readonly number[], found: Bits, scores: Uint8Array): readonly number[] {
  const kept = given.filter((place) => hasBit(found, place));
  return kept.sort((a, b) => (scores[a] ?? 0) - (scores[b] ?? 0));
}

/** Where the texts at these places stand in their order. */
function positionsOf({ order, texts }: Texts, places: readonly number[]): Uint32Array {
  if (order === undefined) return Uint32Array.from(places);
  const where = new Uint32Array(texts.length);
  for (let at = 0; at < order.length; at += 1) where[order[at] ?? 0] = at;
  return Uint32Array.from(places, (place) => where[place] ?? 0);
}
