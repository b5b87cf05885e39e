/** The device that somebody means by a name, and what is near to it where there is none. Pure. */
import { isIPv4 } from 'node:net';
import { displayName } from '../fleet/model.ts';
import { deviceId } from '../ids.ts';
import { fold } from '../text.ts';
import { canonicalAddress, networkOf } from './addresses.ts';
import { placesOf } from './bits.ts';
import type { Found, FoundBy, IndexedDevice } from './inventory.ts';
import { comparedWords, nearest } from './nearest.ts';
import { mayHold } from './promising.ts';
import { ID, searchDevices } from './search.ts';
import { isNamed, isWhole } from './searched.ts';
import type { Shelf } from './shelf.ts';

/** Comparing with every name takes too long where there are more; then the first that search finds are compared. */
const MOST_COMPARED = 1_000;
const FIRST_FOUND = 100;
/** More names near to one help nobody. */
const MOST_NEAREST = 5;

/**
 * The device that is meant, where only one can be: by its id, or the whole of a name or of another field. Null where
 * there is none: what is near to it is asked for apart, because it takes long.
 */
export function findDevice(
  shelf: Shelf,
  query: string,
  { namesOnly }: FoundBy = {},
): Exclude<Found, { kind: 'none' }> | null {
  const id = ID.exec(query.trim())?.[1];
  const withId = id === undefined ? undefined : shelf.get(deviceId(Number(id)));
  if (withId !== undefined) return { kind: 'one', device: withId };
  const wanted = fold(query);
  const holding = rowsHolding(shelf, wanted);
  const named = holding.filter(({ searched }) => isNamed(searched, wanted));
  const devices = named.length > 0 || namesOnly ? named : otherwise(shelf, holding, wanted);
  const [first, second] = devices;
  if (first === undefined) return null;
  if (second === undefined) return { kind: 'one', device: first };
  return { kind: 'several', devices: devices.toSorted((a, b) => a.id - b.id) };
}

/** Those with a field that is just this. */
function rowsHolding({ haystack, at }: Shelf, wanted: string): readonly IndexedDevice[] {
  if (wanted === '') return [];
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
  if (networkOf(wanted) !== null) return searchDevices(shelf, [wanted]).devices;
  const address = canonicalAddress(wanted);
  return address === wanted ? holding : rowsHolding(shelf, address);
}

/** The names near to a query that names nothing. */
export function namesNear(shelf: Shelf, query: string, foundBy: FoundBy = {}): readonly string[] {
  const rows =
    shelf.size() <= MOST_COMPARED
      ? shelf.ordered().rows
      : searchDevices(shelf, comparedWords(query), { ...foundBy, limit: FIRST_FOUND }).devices;
  return nearest(query, namesOf(rows), MOST_NEAREST);
}

function* namesOf(devices: readonly IndexedDevice[]): Iterable<string> {
  for (const device of devices) {
    yield displayName(device);
    if (device.name !== '') yield device.name;
  }
}
