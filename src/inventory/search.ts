/** Finding devices by whatever somebody has in hand. Pure. */
import { isIPv4 } from 'node:net';
import { displayName } from '../fleet/model.ts';
import { deviceId } from '../ids.ts';
import { fold } from '../text.ts';
import { canonicalAddress, networkOf } from './addresses.ts';
import { type Bits, bitsOf, both, placesOf } from './bits.ts';
import type { Found, IndexedDevice, Searched } from './inventory.ts';
import { findTexts, MOST_WORDS } from './matching.ts';
import { nearestOrAny } from './nearest.ts';
import { mayHold } from './promising.ts';
import { isNamed, isWhole } from './searched.ts';
import type { Shelf } from './shelf.ts';

const ID = /^#(\d{1,15})$/;
const BARE_ID = /^[1-9]\d{0,14}$/;
/** Comparing with every name takes too long where there are more; then the first that search finds are compared. */
const MOST_COMPARED = 1_000;
const FIRST_FOUND = 100;
/** More names near to one help nobody. */
const MOST_NEAREST = 5;

/** Every word must fit: an id, a network, or a part of a name, address, serial number or user. The first `limit`. */
export function searchDevices(shelf: Shelf, words: readonly string[], limit = Infinity): Searched {
  const folded = [...new Set(words.map(fold))].filter((word) => word !== '').slice(0, MOST_WORDS);
  const texts = folded
    .filter((word) => !ID.test(word) && networkOf(word) === null)
    .map((word) => canonicalAddress(word).toLowerCase());
  const only = placesFor(shelf, folded);
  const { rows, order } = shelf.ordered();
  if (texts.length === 0 && only === null) return { devices: rows, close: false };
  const { texts: searched, grams, inAddresses, scratch } = shelf.haystack;
  const hits = findTexts({ texts: searched, grams, inAddresses, scratch, order }, texts, { only, limit });
  const devices = rowsAt(rows, hits.found);
  const [number] = folded;
  return number !== undefined && folded.length === 1 && BARE_ID.test(number)
    ? withId(shelf, Number(number), { devices, close: hits.close })
    : { devices, close: hits.close };
}

/** The same by names and ids alone: nothing is found by what is personal. */
export function searchNames(shelf: Shelf, words: readonly string[], limit = Infinity): Searched {
  const folded = [...new Set(words.map(fold))].filter((word) => word !== '').slice(0, MOST_WORDS);
  const [number] = folded;
  const ids = folded.filter((word) => ID.test(word));
  const { rows, order } = shelf.ordered();
  const { names, grams, scratch } = shelf.haystack;
  const source = { texts: names(), grams, scratch, order, isPart: true } as const;
  const hits = findTexts(
    source,
    folded.filter((word) => !ID.test(word)),
    { only: placesFor(shelf, ids), limit },
  );
  const found = { devices: rowsAt(rows, hits.found), close: hits.close };
  return number !== undefined && folded.length === 1 && BARE_ID.test(number)
    ? withId(shelf, Number(number), found)
    : found;
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

/** Places of the devices with these ids, in all of these networks; null where the words hold neither. */
function placesFor(shelf: Shelf, words: readonly string[]): Bits | null {
  let only: Bits | null = null;
  for (const word of words) {
    const places = placesOfWord(shelf, word);
    if (places === null) continue;
    only = only === null ? places : both(only, places);
  }
  return only;
}

function placesOfWord(shelf: Shelf, word: string): Bits | null {
  const id = ID.exec(word)?.[1];
  if (id !== undefined) {
    const place = shelf.placeOf(deviceId(Number(id)));
    return bitsOf(place === undefined ? [] : [place], shelf.haystack.texts.length);
  }
  const network = networkOf(word);
  return network === null ? null : shelf.haystack.within(network);
}

/** A bare number may be an id: then that device comes first. */
function withId(shelf: Shelf, id: number, { devices, close }: Searched): Searched {
  const named = shelf.get(deviceId(id));
  if (named === undefined) return { devices, close };
  return { devices: [named, ...(close ? [] : devices.filter((device) => device !== named))], close: false };
}

/** The device that is meant, where only one can be: by its id, or the whole of a name or of another field. */
export function findDevice(shelf: Shelf, query: string): Found {
  const id = ID.exec(query.trim())?.[1];
  const withId = id === undefined ? undefined : shelf.get(deviceId(Number(id)));
  if (withId !== undefined) return { kind: 'one', device: withId };
  const wanted = canonicalAddress(fold(query)).toLowerCase();
  const holding = wanted === '' ? [] : rowsHolding(shelf, wanted);
  const named = holding.filter(({ searched }) => isNamed(searched, wanted));
  const devices = named.length > 0 ? named : otherwise(shelf, holding, wanted);
  const [first, second] = devices;
  if (first === undefined) return { kind: 'none', nearest: nearestNames(shelf, query) };
  if (second === undefined) return { kind: 'one', device: first };
  return { kind: 'several', devices: devices.toSorted((a, b) => a.id - b.id) };
}

/** Those with a field that is just this. */
function rowsHolding({ haystack, at }: Shelf, wanted: string): readonly IndexedDevice[] {
  const { whole } = mayHold(haystack.grams, wanted, haystack.texts.length);
  const address = isIPv4(wanted) ? networkOf(`${wanted}/32`) : null;
  const places = new Set(placesOf(whole).concat(address === null ? [] : placesOf(haystack.within(address))));
  return [...places].flatMap((place) => {
    const row = at(place);
    return row !== undefined && isWhole(row.searched, wanted) ? [row] : [];
  });
}

/** Where nothing is so named: those with the whole serial number, user or address, or every device of a network. */
function otherwise(
  shelf: Shelf,
  holding: readonly IndexedDevice[],
  wanted: string,
): readonly IndexedDevice[] {
  return networkOf(wanted) === null ? holding : searchDevices(shelf, [wanted]).devices;
}

function nearestNames(shelf: Shelf, query: string): readonly string[] {
  const rows =
    shelf.size() <= MOST_COMPARED
      ? shelf.ordered().rows
      : searchDevices(shelf, query.split(/\s+/)).devices.slice(0, FIRST_FOUND);
  return nearestOrAny(query, namesOf(rows), MOST_NEAREST);
}

function* namesOf(devices: readonly IndexedDevice[]): Iterable<string> {
  for (const device of devices) {
    yield displayName(device);
    if (device.name !== '') yield device.name;
  }
}
