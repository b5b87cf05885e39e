/** The device that a person means by a name, or names close to it. Pure. */
import { displayName } from '../../fleet/model/resources.ts';
import { deviceId } from '../../lib/ids.ts';
import { fold } from '../../lib/text.ts';
import type { RowStore } from '../device-index/row-store.ts';
import type { DeviceMatch, IndexedDevice, SearchScope } from '../inventory.ts';
import { comparedWords, nearestNames } from '../nearest-names.ts';
import { fullBitmap, slotsIn } from './bitmap.ts';
import { ID_WORD, searchDevices } from './device-search.ts';
import { canonicalAddress, parseNetwork } from './ip-networks.ts';
import { FIELD_MARK, hasWholeField, isNamed } from './search-text.ts';
import { userNamed } from './search-text-fields.ts';

/** Comparing with every name takes too long for larger fleets; then only the first search results are compared. */
const MAX_COMPARED = 1_000;
const MAX_SEARCHED = 100;
/** More close names do not help. */
const MAX_NEAREST = 5;

/**
 * The device that is meant, if only one can be: by its id, or by the whole of a name or another field. Null when
 * there is none; close names are a separate search, because it takes long.
 */
export function matchDevice(
  rowStore: RowStore,
  query: string,
  { namesOnly }: SearchScope = {},
): Exclude<DeviceMatch, { kind: 'none' }> | null {
  const id = ID_WORD.exec(query.trim())?.[1];
  const withId = id === undefined ? undefined : rowStore.get(deviceId(Number(id)));
  if (withId !== undefined) return { kind: 'one', device: withId };
  const wanted = fold(query);
  const matching = rowsWithField(rowStore, wanted);
  const named = matching.filter(({ searchText }) => isNamed(searchText, wanted));
  const isByName = named.length > 0 || namesOnly === true;
  const devices = isByName ? named : rowsByOtherFields(rowStore, matching, wanted);
  const [first, second] = devices;
  if (first === undefined) return null;
  if (second === undefined) return { kind: 'one', device: first };
  return { kind: 'several', devices: devices.toSorted(isByName ? byId : bySeen) };
}

const byId = (a: IndexedDevice, b: IndexedDevice): number => a.id - b.id;
/** The last seen first: a user or address has likely moved on from the others. A connected device is seen now. */
const bySeen = (a: IndexedDevice, b: IndexedDevice): number => seenRank(b) - seenRank(a) || byId(a, b);
const seenRank = ({ connected, seenMinute }: IndexedDevice): number =>
  connected === true ? Number.MAX_SAFE_INTEGER : (seenMinute ?? 0);

function rowsWithField({ textIndex, rowAt }: RowStore, wanted: string): readonly IndexedDevice[] {
  if (wanted === '') return [];
  const all = fullBitmap(textIndex.texts.length);
  const candidates = textIndex.ngrams.candidates(FIELD_MARK + wanted + FIELD_MARK, all);
  return slotsIn(candidates).flatMap((slot) => {
    const row = rowAt(slot);
    return row !== undefined && hasWholeField(row.searchText, wanted) ? [row] : [];
  });
}

/** When no name matches: rows with this serial number, user, address or account, or all devices of a network. */
function rowsByOtherFields(
  rowStore: RowStore,
  matching: readonly IndexedDevice[],
  wanted: string,
): readonly IndexedDevice[] {
  if (parseNetwork(wanted) !== null) return searchDevices(rowStore, [wanted]).devices;
  const address = canonicalAddress(wanted);
  const whole = address === wanted ? matching : rowsWithField(rowStore, address);
  if (whole.length > 0) return whole;
  const containing = searchDevices(rowStore, [wanted.replaceAll(' ', '')]).devices;
  return containing.filter((row) => userNamed(wanted, row) !== null);
}

/** Names close to a query that matches nothing. */
export function suggestNames(rowStore: RowStore, query: string, scope: SearchScope = {}): readonly string[] {
  const rows =
    rowStore.size() <= MAX_COMPARED
      ? rowStore.ordered().rows
      : searchDevices(rowStore, comparedWords(query), { ...scope, limit: MAX_SEARCHED }).devices;
  return nearestNames(query, namesOf(rows), MAX_NEAREST);
}

function* namesOf(devices: readonly IndexedDevice[]): Iterable<string> {
  for (const device of devices) {
    yield displayName(device);
    if (device.name !== '') yield device.name;
  }
}
