/**
 * Finding texts by words: every word must be in the text. Only a word that stands nowhere is taken for a slip of the
 * pen, and then uFuzzy says which texts are one slip away. A number or an address is never a slip: another one would
 * be another thing. Pure.
 */
import UFuzzy from '@leeoniya/ufuzzy';
import { ADDRESS, FIELD } from './searched.ts';

export type Hits = {
  /** Indices of the texts, the best first; equally good ones in the order of the texts. */
  readonly places: readonly number[];
  /** Some word stands in none of them as it was typed. */
  readonly close: boolean;
};

/** How well a word fits, the best first. */
const EXACT = 0;
const PREFIX = 1;
const WORD_START = 2;
const SUBSTRING = 3;
const FUZZY = 4;

/** More words than this narrow nothing down. */
const MOST_WORDS = 12;
/** uFuzzy's own advice: more than this many hits are not put in order by how near they are. */
const MOST_ORDERED = 1_000;
/** Expressions of more parts could take very long on hostile names: those are only asked for part by part. */
const MOST_PARTS = 3;
const LONGEST_SLIP = 64;

const fuzzy = new UFuzzy({ intraMode: 1 });

/** `words` are folded; no words fit everything. */
export function findTexts(texts: string[], words: readonly string[]): Hits {
  const wanted = [...new Set(words)].filter((word) => word !== '').slice(0, MOST_WORDS);
  const scores = new Uint8Array(texts.length);
  let within: number[] | null = null;
  let close = false;
  for (const word of wanted.toSorted((a, b) => b.length - a.length)) {
    const found: Look = lookFor(texts, word, within, scores);
    // Where a slip stands elsewhere as it was typed it is none, and nothing has all the words.
    const isSlip: boolean = found.close && !(within !== null && texts.some((text) => text.includes(word)));
    within = found.close && !isSlip ? [] : found.places;
    close ||= isSlip;
    if (isSlip) for (const place of within) scores[place] = (scores[place] ?? 0) + FUZZY;
  }
  if (within === null) return { places: texts.map((_, place) => place), close: false };
  return { places: byScore(within, scores), close: close && within.length > 0 };
}

type Look = { readonly places: number[]; readonly close: boolean };

/** The texts that hold the word, each with its score; else those that come near, the nearest first. */
function lookFor(texts: string[], word: string, within: number[] | null, scores: Uint8Array): Look {
  // A quote would be an order to uFuzzy.
  const needle = word.slice(0, LONGEST_SLIP).replaceAll('"', ' ');
  const parts = /[a-z]/.test(needle) ? fuzzy.split(needle) : [];
  if (parts.length === 0) return { places: holding(texts, word, within, scores), close: false };
  if (parts.length > MOST_PARTS || needle !== word) {
    const places = holding(texts, word, within, scores);
    return places.length > 0
      ? { places, close: false }
      : { places: nearAll(texts, parts, within), close: true };
  }
  // One pass: what is near holds, among others, what has the word itself.
  const near = fuzzy.filter(texts, needle, within ?? undefined) ?? [];
  const places = holding(texts, word, near, scores);
  return places.length > 0 ? { places, close: false } : { places: nearest(texts, needle, near), close: true };
}

function holding(
  texts: readonly string[],
  word: string,
  within: readonly number[] | null,
  scores: Uint8Array,
): number[] {
  const found: number[] = [];
  const count = within === null ? texts.length : within.length;
  for (let at = 0; at < count; at += 1) {
    const place = within === null ? at : (within[at] ?? 0);
    const text = texts[place] ?? '';
    const first = text.indexOf(word);
    if (first === -1) continue;
    scores[place] = (scores[place] ?? 0) + rankIn(text, word, first);
    found.push(place);
  }
  return found;
}

/** The best of all places where the word stands. */
function rankIn(text: string, word: string, first: number): number {
  let best = SUBSTRING;
  for (let at = first; at !== -1 && best !== EXACT; at = text.indexOf(word, at + 1)) {
    best = Math.min(best, rankAt(text, word, at));
  }
  return best;
}

function rankAt(text: string, word: string, at: number): number {
  if (!isEdge(text, at - 1)) return isPartOfWord(text.charCodeAt(at - 1)) ? SUBSTRING : WORD_START;
  return isEdge(text, at + word.length) ? EXACT : PREFIX;
}

function isEdge(text: string, at: number): boolean {
  if (at < 0 || at >= text.length) return true;
  const char = text.charAt(at);
  return char === FIELD || char === ADDRESS;
}

/** ASCII letters and digits, and everything beyond ASCII. */
function isPartOfWord(code: number): boolean {
  return (code >= 48 && code <= 57) || (code >= 97 && code <= 122) || code > 127;
}

/** Texts that come near to each of many parts, wherever these stand. */
function nearAll(texts: string[], parts: readonly string[], within: number[] | null): number[] {
  let found = within ?? undefined;
  for (const part of new Set(parts)) found = fuzzy.filter(texts, part, found) ?? [];
  return found ?? [];
}

function nearest(texts: string[], needle: string, near: number[]): number[] {
  if (near.length === 0 || near.length > MOST_ORDERED) return near;
  const info = fuzzy.info(near, texts, needle);
  return fuzzy.sort(info, texts, needle).flatMap((at) => info.idx[at] ?? []);
}

function byScore(places: readonly number[], scores: Uint8Array): readonly number[] {
  const shelves: number[][] = [];
  for (const place of places) {
    const score = scores[place] ?? 0;
    const shelf = shelves[score];
    if (shelf === undefined) shelves[score] = [place];
    else shelf.push(place);
  }
  return shelves.flat();
}
