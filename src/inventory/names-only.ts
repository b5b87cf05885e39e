/**
 * The index for those who may not see what is personal: its rows have no users, serial numbers and addresses, and
 * nothing is found by them. A list of the devices of one person says as much as the name would.
 */
import { displayName } from '../fleet/model.ts';
import { fold } from '../text.ts';
import { bitsOf } from './bits.ts';
import type { Found, IndexedDevice, Inventory, Searched, Snapshot } from './inventory.ts';
import { findTexts } from './matching.ts';
import { nearestOrAny } from './nearest.ts';
import { isNamed, namesIn } from './searched.ts';

const ID = /^#(\d{1,15})$/;
const BARE_ID = /^[1-9]\d{0,14}$/;
/** As in `search.ts`: comparing with every name takes too long where there are more. */
const MOST_COMPARED = 1_000;
const FIRST_FOUND = 100;

type Named = { readonly rows: readonly IndexedDevice[]; readonly texts: string[] };

/** Made once for each state of the index: there may be a hundred thousand rows. */
const known = new WeakMap<readonly IndexedDevice[], Named>();

function named(devices: readonly IndexedDevice[]): Named {
  const before = known.get(devices);
  if (before !== undefined) return before;
  const rows = devices.map(withoutPersonal);
  const made = { rows, texts: rows.map(({ searched }) => searched) };
  known.set(devices, made);
  return made;
}

function withoutPersonal(row: IndexedDevice): IndexedDevice {
  return { ...row, searched: namesIn(row.searched) };
}

/** The devices, in their order, that hold every one of these words in their names, or have this `#id`. */
export function searchNames(devices: readonly IndexedDevice[], words: readonly string[]): Searched {
  const { rows, texts } = named(devices);
  const folded = words.map(fold).filter((word) => word !== '');
  const ids = folded.flatMap((word) => ID.exec(word)?.[1] ?? []).map(Number);
  const places = rows.flatMap((row, place) => (ids.every((id) => row.id === id) ? [place] : []));
  const only = ids.length === 0 ? null : bitsOf(places, rows.length);
  const hits = findTexts(
    { texts },
    folded.filter((word) => !ID.test(word)),
    only,
  );
  const found = Array.from(hits.found, (place) => rows[place]).filter((row) => row !== undefined);
  const [number = ''] = folded;
  const withId =
    folded.length === 1 && BARE_ID.test(number) ? rows.find(({ id }) => id === Number(number)) : undefined;
  if (withId === undefined) return { devices: found, close: hits.close };
  return { devices: [withId, ...(hits.close ? [] : found.filter((row) => row !== withId))], close: false };
}

/** The same inventory, whose rows have nothing personal and are found by their names and numbers alone. */
export function namesOnly(inventory: Inventory): Inventory {
  const find = async (query: string, options?: Parameters<Inventory['find']>[1]): Promise<Found> => {
    const found = await inventory.find(query, options);
    const wanted = fold(query);
    const isMeant = (row: IndexedDevice): boolean => `#${row.id}` === wanted || isNamed(row.searched, wanted);
    const devices = found.kind === 'one' ? [found.device] : found.kind === 'several' ? found.devices : [];
    const meant = devices.filter(isMeant).map(withoutPersonal);
    const [first, second] = meant;
    if (first === undefined)
      return { kind: 'none', nearest: nearestNames(await inventory.snapshot(options), query) };
    return second === undefined ? { kind: 'one', device: first } : { kind: 'several', devices: meant };
  };
  return {
    ...inventory,
    find,
    async snapshot(options) {
      const snapshot = await inventory.snapshot(options);
      const { devices } = snapshot;
      return { ...snapshot, devices: named(devices).rows, search: (words) => searchNames(devices, words) };
    },
    suggest: (kind, query, limit) => inventory.suggest(kind, query, limit, { namesOnly: true }),
  };
}

function nearestNames({ devices }: Pick<Snapshot, 'devices'>, query: string): readonly string[] {
  const rows =
    devices.length <= MOST_COMPARED
      ? devices
      : searchNames(devices, query.split(/\s+/)).devices.slice(0, FIRST_FOUND);
  const names = rows.flatMap((row) => [displayName(row), row.name]).filter((name) => name !== '');
  return nearestOrAny(query, names);
}
