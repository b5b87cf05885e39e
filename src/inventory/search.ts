/** Finding devices by whatever somebody has in hand. Pure. */
import { displayName } from '../fleet/model.ts';
import { deviceId } from '../ids.ts';
import { fold } from '../text.ts';
import { canonicalAddress, type Network, networkOf } from './addresses.ts';
import type { Found, IndexedDevice, Searched } from './inventory.ts';
import { findTexts } from './matching.ts';
import { nearestOrAny } from './nearest.ts';
import { ADDRESS, FIELD, isNamed } from './searched.ts';
import type { Shelf } from './shelf.ts';

const ID = /^#(\d{1,15})$/;
const BARE_ID = /^[1-9]\d{0,14}$/;
/** Comparing with every name takes too long where there are more; then the first that search finds are compared. */
const MOST_COMPARED = 1_000;
const FIRST_FOUND = 100;

/** Every word must fit: an id, a network, or a part of a name, address, serial number or user. */
export function searchDevices(shelf: Shelf, words: readonly string[]): Searched {
  const folded = words.map(fold).filter((word) => word !== '');
  const ids = folded.filter((word) => ID.test(word));
  const networks = folded.flatMap((word) => networkOf(word) ?? []);
  const texts = folded
    .filter((word) => !ID.test(word) && networkOf(word) === null)
    .map((word) => canonicalAddress(word).toLowerCase());
  const { rows, texts: searched } = shelf.ordered();
  const hits = findTexts(searched, texts);
  const fits = (row: IndexedDevice): boolean =>
    ids.every((id) => id === `#${row.id}`) && networks.every((network) => isIn(network, row.searched));
  const found = hits.places.flatMap((place) => rows[place] ?? []);
  const devices = ids.length + networks.length === 0 ? found : found.filter(fits);
  const [only] = folded;
  return only !== undefined && folded.length === 1 && BARE_ID.test(only)
    ? withId(shelf, Number(only), { devices, close: hits.close })
    : { devices, close: hits.close && devices.length > 0 };
}

/** A bare number may be an id: then that device comes first. */
function withId(shelf: Shelf, id: number, { devices, close }: Searched): Searched {
  const named = shelf.get(deviceId(id));
  if (named === undefined) return { devices, close };
  return { devices: [named, ...(close ? [] : devices.filter((device) => device !== named))], close: false };
}

function isIn({ start, holds }: Network, searched: string): boolean {
  for (
    let at = searched.indexOf(ADDRESS + start);
    at !== -1;
    at = searched.indexOf(ADDRESS + start, at + 1)
  ) {
    const end = searched.indexOf(ADDRESS, at + 1);
    if (holds(end === -1 ? searched.slice(at + 1) : searched.slice(at + 1, end))) return true;
  }
  return false;
}

/** The device that is meant, where only one can be: by its id, or the whole of a name or of another field. */
export function findDevice(shelf: Shelf, query: string): Found {
  const id = ID.exec(query.trim())?.[1];
  const withId = id === undefined ? undefined : shelf.get(deviceId(Number(id)));
  if (withId !== undefined) return { kind: 'one', device: withId };
  const wanted = canonicalAddress(fold(query)).toLowerCase();
  const { rows } = shelf.ordered();
  const named = wanted === '' ? [] : rows.filter(({ searched }) => isNamed(searched, wanted));
  const devices = named.length > 0 || wanted === '' ? named : otherwise(shelf, rows, wanted);
  const [first, second] = devices;
  if (first === undefined) return { kind: 'none', nearest: nearestNames(shelf, query) };
  if (second === undefined) return { kind: 'one', device: first };
  return { kind: 'several', devices: devices.toSorted((a, b) => a.id - b.id) };
}

/** Where nothing is so named: a whole serial number, user or address, or every device of a network. */
function otherwise(shelf: Shelf, rows: readonly IndexedDevice[], wanted: string): readonly IndexedDevice[] {
  const network = networkOf(wanted);
  if (network !== null) return searchDevices(shelf, [wanted]).devices;
  return rows.filter(
    ({ searched }) => searched.includes(wanted) && searched.split(EDGE).some((field) => field === wanted),
  );
}

const EDGE = new RegExp(`[${FIELD}${ADDRESS}]`);

function nearestNames(shelf: Shelf, query: string): readonly string[] {
  const rows =
    shelf.size() <= MOST_COMPARED
      ? shelf.ordered().rows
      : searchDevices(shelf, query.split(/\s+/)).devices.slice(0, FIRST_FOUND);
  return nearestOrAny(query, namesOf(rows));
}

function* namesOf(devices: readonly IndexedDevice[]): Iterable<string> {
  for (const device of devices) {
    yield displayName(device);
    if (device.name !== '') yield device.name;
  }
}
