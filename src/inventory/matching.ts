/**
 * Finding texts by words: every word must be in the text. Only a word that stands nowhere is taken for a slip of the
 * pen. A number or an address is never a slip: another one would be another thing. Pure.
 */
import { type Bits, both, everyBit, hasBit, isEmpty, lowest } from './bits.ts';
import type { InAddresses } from './haystack.ts';
import { NOWHERE } from './octets.ts';
import { bestFirst, placeAt, scratchOf, type Texts } from './placing.ts';
import { mayHold } from './promising.ts';
import { bestIn, FUZZY, rankIn } from './ranks.ts';
import { findNear, type Near } from './slips.ts';

export type Hits = {
  /** Where the texts stand in their order, the best first; equally good ones in this order. */
  readonly found: Uint32Array;
  /** Some word stands in none of them as it was typed. */
  readonly close: boolean;
};

/** More words than this narrow nothing down. */
export const MOST_WORDS = 12;

export type Bounds = {
  /** Nothing but these places is looked at. */
  readonly only?: Bits | null;
  /** So many of the best are enough. */
  readonly limit?: number;
};

/** `words` are folded; no words fit everything. */
export function findTexts(
  source: Texts,
  words: readonly string[],
  { only = null, limit = Infinity }: Bounds = {},
): Hits {
  const wanted = [...new Set(words)].filter((word) => word !== '').slice(0, MOST_WORDS);
  const scores = scratchOf(source).bytes('scores');
  let within = only;
  let slips: Near | null = null;
  for (const word of wanted.toSorted((a, b) => b.length - a.length)) {
    const held = holding(source, word, within, scores);
    if (!isEmpty(held)) {
      within = held;
      continue;
    }
    // Where a slip stands elsewhere as it was typed it is none, and nothing has all the words.
    if (within !== null && !isEmpty(holding(source, word, null, null))) return NO_HITS;
    slips = findNear(source, word, within);
    within = slips.bits;
    addTo(scores, within);
  }
  const found = within ?? everyBit(source.texts.length);
  if (slips === null) return { found: bestFirst(source, found, scores, limit), close: false };
  // A slip has put them in an order of its own, and where it stands alone there is no other.
  const positions =
    wanted.length === 1 ? slips.positions : byScore(source, slips.positions, { found, scores });
  return { found: positions.subarray(0, limit), close: positions.length > 0 };
}

/** The places of the texts that hold the word. */
export function textsHolding(source: Texts, word: string): Bits {
  return holding(source, word, null, null);
}

/** The places of those that come near to a word that stands nowhere. */
export function textsNear(source: Texts, word: string): Bits {
  return findNear(source, word, null).bits;
}

const NO_HITS: Hits = { found: new Uint32Array(), close: false };

/** The places of texts that hold the word; `scores` takes how well each does. */
function holding(source: Texts, word: string, within: Bits | null, scores: Uint8Array | null): Bits {
  const { texts, grams, isPart } = source;
  const addresses = source.inAddresses?.(word) ?? null;
  const promising = mayHold(grams, word, texts.length);
  const certain = promising.certain && isPart !== true;
  const found = within === null ? promising.anywhere.slice() : both(promising.anywhere, within);
  // Up to every text is met here: a loop by hand takes a third of the time.
  for (let at = 0; at < found.length; at += 1) {
    for (let left = found[at] ?? 0; left !== 0; left &= left - 1) {
      const place = at * 32 + lowest(left);
      const best = bestIn(promising, place);
      const known = addresses === null ? NOWHERE : (addresses.ranks[place] ?? NOWHERE);
      let rank = known;
      if (known > best) {
        const text = texts[place] ?? '';
        const first = certain ? 0 : text.indexOf(word);
        if (first !== -1)
          rank = Math.min(known, certain ? best : rankIn(text, word, first, promising, place));
      }
      if (rank === NOWHERE) found[at] = (found[at] ?? 0) & ~(left & -left);
      else if (scores !== null) scores[place] = (scores[place] ?? 0) + rank;
    }
  }
  if (addresses !== null) addThose(addresses, promising.anywhere, { found, within, scores });
  return found;
}

/** Those of which the pairs of letters say nothing, and which hold the word in an address alone. */
function addThose(
  { bits, ranks }: InAddresses,
  anywhere: Bits,
  { found, within, scores }: { found: Bits; within: Bits | null; scores: Uint8Array | null },
): void {
  for (let at = 0; at < bits.length; at += 1) {
    const others = (bits[at] ?? 0) & ~(anywhere[at] ?? 0) & (within === null ? -1 : (within[at] ?? 0));
    found[at] = (found[at] ?? 0) | others;
    if (scores === null) continue;
    for (let left = others; left !== 0; left &= left - 1) {
      const place = at * 32 + lowest(left);
      scores[place] = (scores[place] ?? 0) + (ranks[place] ?? 0);
    }
  }
}

function addTo(scores: Uint8Array, bits: Bits): void {
  for (let at = 0; at < bits.length; at += 1) {
    for (let left = bits[at] ?? 0; left !== 0; left &= left - 1) {
      const place = at * 32 + lowest(left);
      scores[place] = (scores[place] ?? 0) + FUZZY;
    }
  }
}

/** The best first, equally good ones in the order in which they are given. */
function byScore(
  source: Texts,
  given: Uint32Array,
  { found, scores }: { readonly found: Bits; readonly scores: Uint8Array },
): Uint32Array {
  const scoreAt = (position: number) => scores[placeAt(source, position)] ?? 0;
  const kept = given.filter((position) => hasBit(found, placeAt(source, position)));
  return kept.sort((a, b) => scoreAt(a) - scoreAt(b));
}
