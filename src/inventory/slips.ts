/** Texts that come near to a word that stands nowhere as it was typed. Pure. */
import UFuzzy from '@leeoniya/ufuzzy';
import { type Bits, bitsOf, everyBit, placesOf } from './bits.ts';
import { FEWEST, joinedPattern, looseOf, looseRank, slippedPattern } from './loose.ts';
import { inOrder, type Texts } from './placing.ts';
import { mayComeNear, mayHoldJoined, mayHoldSlipped } from './promising.ts';

/** uFuzzy's own advice: more than this many hits are not put in order by how near they are. */
const MOST_ORDERED = 1_000;
/** Expressions of more parts could take very long on hostile names: those are only asked for part by part. */
const MOST_PARTS = 3;
const LONGEST_SLIP = 64;

const fuzzy = new UFuzzy({ intraMode: 1 });

/**
 * Those that come near to a word that stands nowhere, the nearest first: a separator is the least of slips, then come
 * a letter where a word begins, and what uFuzzy finds within words or with a slip in each of several.
 */
export function nearest(source: Texts, word: string, within: Bits | null): readonly number[] {
  const loose = looseOf(word);
  if (loose === null) return oneSlipAway(source, word, within);
  const all = within ?? everyBit(source.texts.length);
  const joined = held(source, joinedPattern(loose), mayHoldJoined(source.grams, loose, all));
  if (joined.length > 0) return joined;
  const pattern = slippedPattern(loose);
  const slipped = pattern === null ? [] : held(source, pattern, mayHoldSlipped(source.grams, loose, all));
  return slipped.length > 0 ? slipped : oneSlipAway(source, word, within);
}

/** Those in which the expression is found, the best first, equally good ones in their order. */
function held(source: Texts, pattern: RegExp, promising: Bits): readonly number[] {
  const found = new Uint32Array(promising.length);
  const ranks = new Uint8Array(source.texts.length);
  // Where it ends is asked for apart: what `exec` gives takes longer to make than to find.
  const ending = new RegExp(pattern, 'y');
  let isAny = false;
  for (const place of placesOf(promising)) {
    const text = source.texts[place] ?? '';
    const from = text.search(pattern);
    if (from === -1) continue;
    isAny = true;
    found[place >>> 5] = (found[place >>> 5] ?? 0) | (1 << (place & 31));
    ending.lastIndex = from;
    ranks[place] = looseRank(text, from, ending.test(text) ? ending.lastIndex : from);
  }
  return isAny ? placesInOrder(source, found, ranks) : [];
}

function placesInOrder(source: Texts, found: Bits, ranks?: Uint8Array): number[] {
  const places: number[] = [];
  // By hand: there may be tens of thousands.
  for (const at of inOrder(source, found, ranks)) places.push(source.order?.[at] ?? at);
  return places;
}

/** Those that uFuzzy finds one slip away, the nearest first. */
function oneSlipAway(source: Texts, word: string, within: Bits | null): readonly number[] {
  const { texts, grams } = source;
  // A quote would be an order to uFuzzy.
  const needle = word.slice(0, LONGEST_SLIP).replaceAll('"', ' ');
  const parts = /[a-z]/.test(needle) ? fuzzy.split(needle) : [];
  if ([...new Set(parts)].join('').length < FEWEST) return [];
  const promising = placesOf(mayComeNear(grams, parts, within ?? everyBit(texts.length)));
  const found =
    parts.length > MOST_PARTS || needle !== word
      ? nearAll(texts, parts, promising)
      : (fuzzy.filter(texts, needle, promising) ?? []);
  const near = placesInOrder(source, bitsOf(found, texts.length));
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
