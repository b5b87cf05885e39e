/** Texts that come near to a word that stands nowhere as it was typed. Pure. */
import UFuzzy from '@leeoniya/ufuzzy';
import { type Bits, bitsOf, everyBit, lowest, placesOf } from './bits.ts';
import { FEWEST, joinedPattern, looseOf, looseRank, slippedPattern } from './loose.ts';
import { bestFirst, placeAt, positionsOf, scratchOf, type Texts } from './placing.ts';
import { mayComeNear, mayHoldJoined, mayHoldSlipped } from './promising.ts';

/** uFuzzy's own advice: more than this many hits are not put in order by how near they are. */
const MOST_ORDERED = 1_000;
/** Expressions of more parts could take very long on hostile names: those are only asked for part by part. */
const MOST_PARTS = 3;
const LONGEST_SLIP = 64;

const fuzzy = new UFuzzy({ intraMode: 1 });

/** Texts by their places, and where they stand in their order, the nearest first. */
export type Near = { readonly bits: Bits; readonly positions: Uint32Array };

/**
 * Those that come near to a word that stands nowhere: a separator is the least of slips, then come a letter where a
 * word begins, and what uFuzzy finds within words or with a slip in each of several.
 */
export function findNear(source: Texts, word: string, within: Bits | null): Near {
  const loose = looseOf(word);
  if (loose === null) return oneSlipAway(source, word, within);
  const all = within ?? everyBit(source.texts.length);
  const joined = held(source, joinedPattern(loose), mayHoldJoined(source.grams, loose, all));
  if (joined !== null) return joined;
  const pattern = slippedPattern(loose);
  const slipped = pattern === null ? null : held(source, pattern, mayHoldSlipped(source.grams, loose, all));
  return slipped ?? oneSlipAway(source, word, within);
}

/** Those in which the expression is found, equally good ones in their order; null for none. */
function held(source: Texts, pattern: RegExp, promising: Bits): Near | null {
  const bits = new Int32Array(promising.length);
  const ranks = scratchOf(source).bytes('ranks');
  // Where it ends is asked for apart: what `exec` gives takes longer to make than to find.
  const ending = new RegExp(pattern, 'y');
  let isAny = false;
  for (let at = 0; at < promising.length; at += 1) {
    for (let left = promising[at] ?? 0; left !== 0; left &= left - 1) {
      const place = at * 32 + lowest(left);
      const text = source.texts[place] ?? '';
      const from = text.search(pattern);
      if (from === -1) continue;
      isAny = true;
      bits[at] = (bits[at] ?? 0) | (left & -left);
      ending.lastIndex = from;
      ranks[place] = looseRank(text, from, ending.test(text) ? ending.lastIndex : from);
    }
  }
  return isAny ? { bits, positions: bestFirst(source, bits, ranks) } : null;
}

const NONE: Near = { bits: new Int32Array(), positions: new Uint32Array() };

/** Those that uFuzzy finds one slip away. */
function oneSlipAway(source: Texts, word: string, within: Bits | null): Near {
  const { texts, grams } = source;
  // A quote would be an order to uFuzzy.
  const needle = word.slice(0, LONGEST_SLIP).replaceAll('"', ' ');
  const parts = /[a-z]/.test(needle) ? fuzzy.split(needle) : [];
  if ([...new Set(parts)].join('').length < FEWEST) return NONE;
  const promising = placesOf(mayComeNear(grams, parts, within ?? everyBit(texts.length)));
  const found =
    parts.length > MOST_PARTS || needle !== word
      ? nearAll(texts, parts, promising)
      : (fuzzy.filter(texts, needle, promising) ?? []);
  const bits = bitsOf(found, texts.length);
  const near = bestFirst(source, bits);
  if (near.length === 0 || near.length > MOST_ORDERED || needle !== word || parts.length > MOST_PARTS)
    return { bits, positions: near };
  const places = Array.from(near, (position) => placeAt(source, position));
  const info = fuzzy.info(places, texts, needle);
  const sorted = fuzzy.sort(info, texts, needle).flatMap((at) => info.idx[at] ?? []);
  return { bits: bitsOf(sorted, texts.length), positions: positionsOf(source, sorted) };
}

/** Texts that come near to each of many parts, wherever these stand. */
function nearAll(texts: string[], parts: readonly string[], promising: number[]): number[] {
  let found = promising;
  for (const part of new Set(parts)) found = fuzzy.filter(texts, part, found) ?? [];
  return found;
}
