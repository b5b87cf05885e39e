/** Finding devices by whatever somebody has in hand. Pure. */
import { deviceId } from '../ids.ts';
import { fold } from '../text.ts';
import { canonicalAddress, networkOf } from './addresses.ts';
import { type Bits, bitsOf, both, either, isEmpty, noBit } from './bits.ts';
import type { FoundBy, IndexedDevice, Searched, Wanted } from './inventory.ts';
import { findTexts, MOST_WORDS, textsHolding, textsNear } from './matching.ts';
import type { Texts } from './placing.ts';
import type { Shelf } from './shelf.ts';

export const ID = /^#(\d{1,15})$/;
const BARE_ID = /^[1-9]\d{0,14}$/;

export type SearchOptions = FoundBy & {
  /** So many of the best are enough. */
  readonly limit?: number;
};

/** Every word must fit: an id, a network, or a part of a name, address, serial number or user. */
export function searchDevices(
  shelf: Shelf,
  wanted: readonly Wanted[],
  { limit = Infinity, namesOnly }: SearchOptions = {},
): Searched {
  const { rows } = shelf.ordered();
  const reader = namesOnly ? readerOfNames(shelf) : readerOfAll(shelf);
  const words = foldedOf(wanted.filter((word) => typeof word === 'string')).slice(0, MOST_WORDS);
  const texts: string[] = [];
  let only: Bits | null = null;
  let isClose = false;
  for (const word of words) {
    const places = reader.placesOf(word);
    if (places === null) texts.push(reader.formOf(word));
    else only = only === null ? places : both(only, places);
  }
  for (const alternatives of wanted) {
    const folded = typeof alternatives === 'string' ? [] : foldedOf(alternatives);
    if (folded.length === 0) continue;
    const { places, close } = eitherOf(shelf, reader, folded);
    only = only === null ? places : both(only, places);
    isClose ||= close;
  }
  if (texts.length === 0 && only === null) return { devices: rows, close: false };
  const hits = findTexts(reader.source, texts, { only, limit });
  const devices = rowsAt(rows, hits.found);
  const found: Searched = { devices, close: (hits.close || isClose) && devices.length > 0 };
  const [number] = words;
  return wanted.length === 1 && number !== undefined && BARE_ID.test(number)
    ? withId(shelf, Number(number), found)
    : found;
}

function foldedOf(words: readonly string[]): readonly string[] {
  return [...new Set(words.map(fold))].filter((word) => word !== '');
}

type Reader = {
  readonly source: Texts;
  /** Places of what a word names without a look at texts: an id or a network; null where it names neither. */
  readonly placesOf: (word: string) => Bits | null;
  /** As it stands in texts. */
  readonly formOf: (word: string) => string;
};

function readerOfAll(shelf: Shelf): Reader {
  const { texts, grams, inAddresses, scratch, within } = shelf.haystack;
  return {
    source: { texts, grams, inAddresses, scratch, order: shelf.ordered().order },
    placesOf(word) {
      const network = networkOf(word);
      return network === null ? placeOfId(shelf, word) : within(network);
    },
    formOf: canonicalAddress,
  };
}

/** Nothing is found by what is personal. */
function readerOfNames(shelf: Shelf): Reader {
  const { names, grams, scratch } = shelf.haystack;
  return {
    source: { texts: names(), grams, scratch, order: shelf.ordered().order, isPart: true },
    placesOf: (word) => placeOfId(shelf, word),
    formOf: (word) => word,
  };
}

function placeOfId(shelf: Shelf, word: string): Bits | null {
  const id = ID.exec(word)?.[1];
  if (id === undefined) return null;
  const place = shelf.placeOf(deviceId(Number(id)));
  return bitsOf(place === undefined ? [] : [place], shelf.haystack.texts.length);
}

/**
 * One of the words is enough. What comes near to one is wanted only where none is found just so, and looked for only
 * for the first of very many.
 */
function eitherOf(
  shelf: Shelf,
  { source, placesOf, formOf }: Reader,
  words: readonly string[],
): { readonly places: Bits; readonly close: boolean } {
  let places = noBit(shelf.haystack.texts.length);
  for (const word of words) {
    places = either(places, placesOf(word) ?? textsHolding(source, formOf(word)));
    const id = BARE_ID.test(word) ? placeOfId(shelf, `#${word}`) : null;
    if (id !== null) places = either(places, id);
  }
  if (!isEmpty(places)) return { places, close: false };
  for (const word of words.slice(0, MOST_WORDS)) {
    if (placesOf(word) === null) places = either(places, textsNear(source, formOf(word)));
  }
  return { places, close: !isEmpty(places) };
}

/** By hand, into a list that is long enough from the start: there may be a hundred thousand. */
function rowsAt(rows: readonly IndexedDevice[], positions: Uint32Array): readonly IndexedDevice[] {
  if (positions.length === rows.length && isRising(positions)) return rows;
  const found = rows.slice(0, positions.length);
  for (let at = 0; at < positions.length; at += 1) {
    const row = rows[positions[at] ?? 0];
    if (row !== undefined) found[at] = row;
  }
  return found;
}

function isRising(positions: Uint32Array): boolean {
  for (let at = 0; at < positions.length; at += 1) {
    if (positions[at] !== at) return false;
  }
  return true;
}

/** A bare number may be an id: then that device comes first. */
function withId(shelf: Shelf, id: number, { devices, close }: Searched): Searched {
  const named = shelf.get(deviceId(id));
  if (named === undefined) return { devices, close };
  return { devices: [named, ...(close ? [] : devices.filter((device) => device !== named))], close: false };
}
