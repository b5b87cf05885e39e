/** The device that somebody means by a name, and what is near to it where there is none. Pure. */
import { isIPv4 } from 'node:net';
import { displayName } from '../../fleet/model/resources.ts';
import { deviceId } from '../../lib/ids.ts';
import { fold } from '../../lib/text.ts';
import type { RowStore } from '../device-index/row-store.ts';
import type { DeviceMatch, IndexedDevice, SearchScope } from '../inventory.ts';
import { comparedWords, nearestNames } from '../nearest-names.ts';
import { slotsIn } from './bitmap.ts';
import { findCandidates } from './candidates.ts';
import { ID_WORD, searchDevices } from './device-search.ts';
import { canonicalAddress, parseNetwork } from './ip-networks.ts';
import { hasWholeField, isNamed } from './search-text.ts';

/** Comparing with every name takes too long where there are more; then the first that search finds are compared. */
const MAX_COMPARED = 1_000;
const MAX_SEARCHED = 100;
/** More names near to one help nobody. */
const MAX_NEAREST = 5;

/**
 * The device that is meant, where only one can be: by its id, or the whole of a name or of another field. Null where
 * there is none: what is near to it is asked for apart, because it takes long.
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
  const devices = named.length > 0 || namesOnly ? named : rowsByOtherFields(rowStore, matching, wanted);
  const [first, second] = devices;
  if (first === undefined) return null;
  if (second === undefined) return { kind: 'one', device: first };
  return { kind: 'several', devices: devices.toSorted((a, b) => a.id - b.id) };
}

/** Those with a field that is just this. */
function rowsWithField({ textIndex, rowAt }: RowStore, wanted: string): readonly IndexedDevice[] {
  if (wanted === '') return [];
  const { wholeField } = findCandidates(textIndex.ngrams, wanted, textIndex.texts.length);
  const address = isIPv4(wanted) ? parseNetwork(`${wanted}/32`) : null;
  const slots = new Set(
    slotsIn(wholeField).concat(address === null ? [] : slotsIn(textIndex.inNetwork(address))),
  );
  return [...slots].flatMap((slot) => {
    const row = rowAt(slot);
    return row !== undefined && hasWholeField(row.searchText, wanted) ? [row] : [];
  });
}

/** Where nothing is so named: those with the whole serial number, user or address, or every device of a network. */
function rowsByOtherFields(
  rowStore: RowStore,
  matching: readonly IndexedDevice[],
  wanted: string,
): readonly IndexedDevice[] {
  if (parseNetwork(wanted) !== null) return searchDevices(rowStore, [wanted]).devices;
  const address = canonicalAddress(wanted);
  return address === wanted ? matching : rowsWithField(rowStore, address);
}

/** The names near to a query that names nothing. */
export function suggestNames(
  rowStore: RowStore,
  query: string,
  foundBy: SearchScope = {},
): readonly string[] {
  const rows =
    rowStore.size() <= MAX_COMPARED
      ? rowStore.ordered().rows
      : searchDevices(rowStore, comparedWords(query), { ...foundBy, limit: MAX_SEARCHED }).devices;
  return nearestNames(query, namesOf(rows), MAX_NEAREST);
}

function* namesOf(devices: readonly IndexedDevice[]): Iterable<string> {
  for (const device of devices) {
    yield displayName(device);
    if (device.name !== '') yield device.name;
  }
}
