/**
 * Finding texts by words: every word must be in the text. Only a word that stands nowhere is taken for a slip of the
 * pen. A number or an address is never a slip: another one would be another thing. Pure.
 */
import { type Bits, bitsOf, both, everyBit, hasBit, lowest } from './bits.ts';
import { inOrder, type Texts } from './placing.ts';
import { mayHold } from './promising.ts';
import { bestIn, FUZZY, rankAtHead, rankIn } from './ranks.ts';
import { nearest } from './slips.ts';

export type Hits = {
  /** Where the texts stand in their order, the best first; equally good ones in this order. */
  readonly found: Uint32Array;
  /** Some word stands in none of them as it was typed. */
  readonly close: boolean;
};

/** More words than this narrow nothing down. */
export const MOST_WORDS = 12;

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
  // A slip has put them in an order of its own, and where it stands alone there is no other.
  const places = wanted.length === 1 ? slips : byScore(slips, found, scores);
  return { found: positionsOf(source, places), close: places.length > 0 };
}

const NO_HITS: Hits = { found: new Uint32Array(), close: false };

function isEmpty(bits: Bits): boolean {
  return bits.every((some) => some === 0);
}

/** The places of texts that hold the word; `scores` takes how well each does. */
function holding(
  { texts, grams, heads, isPart }: Texts,
  word: string,
  within: Bits | null,
  scores: Uint8Array | null,
): Bits {
  const promising = mayHold(grams, word, texts.length);
  const { anywhere } = promising;
  const certain = promising.certain && isPart !== true;
  const found = within === null ? anywhere.slice() : both(anywhere, within);
  // Up to every text is met here: a loop by hand takes a third of the time.
  for (let at = 0; at < found.length; at += 1) {
    for (let left = found[at] ?? 0; left !== 0; left &= left - 1) {
      const place = at * 32 + lowest(left);
      const text = texts[place] ?? '';
      if (heads !== undefined && word.length > 1 && hasBit(promising.starts, place)) {
        const rank = rankAtHead(text, word, heads[place] ?? 0);
        if (rank !== null && rank <= bestIn(promising, place)) {
          if (scores !== null) scores[place] = (scores[place] ?? 0) + rank;
          continue;
        }
      }
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
  const positions = Uint32Array.from(places);
  for (let at = 0; at < positions.length; at += 1) positions[at] = where[positions[at] ?? 0] ?? 0;
  return positions;
}
