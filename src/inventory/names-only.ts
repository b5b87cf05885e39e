/**
 * The index for those who may not see what is personal: its rows have no users, serial numbers and addresses, and
 * nothing is found by them. A list of the devices of one person says as much as the name would.
 */
import { displayName } from '../fleet/model.ts';
import { fold } from '../text.ts';
import type { Found, IndexedDevice, Inventory, Searched, Snapshot, Wanted } from './inventory.ts';
import { comparedWords, nearestOrAny } from './nearest.ts';
import { isNamed, namesIn } from './searched.ts';

/** As in `search.ts`: comparing with every name takes too long where there are more. */
const MOST_COMPARED = 1_000;
const FIRST_FOUND = 100;

/** By the rows and lists that they were made of: there may be a hundred thousand, of which few change. */
const known = new WeakMap<IndexedDevice, IndexedDevice>();
const lists = new WeakMap<readonly IndexedDevice[], readonly IndexedDevice[]>();

function withoutPersonal(row: IndexedDevice): IndexedDevice {
  const before = known.get(row);
  if (before !== undefined) return before;
  const made = { ...row, searched: namesIn(row.searched) };
  known.set(row, made);
  return made;
}

function allWithoutPersonal(devices: readonly IndexedDevice[]): readonly IndexedDevice[] {
  const made = lists.get(devices) ?? devices.map(withoutPersonal);
  lists.set(devices, made);
  return made;
}

/** The devices that hold every one of these words in their names, or have this `#id`. */
function searchIn({ search }: Pick<Snapshot, 'search'>, words: readonly Wanted[]): Searched {
  const { devices, close } = search(words, { namesOnly: true });
  return { devices: devices.map(withoutPersonal), close };
}

/** The same inventory, whose rows have nothing personal and are found by their names and numbers alone. */
export function namesOnly(inventory: Inventory): Inventory {
  const find = async (query: string, options?: Parameters<Inventory['find']>[1]): Promise<Found> => {
    // Who is near by what is personal is not looked for at all.
    const found = await inventory.find(query, { ...options, exact: true });
    const wanted = fold(query);
    const isMeant = (row: IndexedDevice): boolean => `#${row.id}` === wanted || isNamed(row.searched, wanted);
    const devices = found.kind === 'one' ? [found.device] : found.kind === 'several' ? found.devices : [];
    const meant = devices.filter(isMeant).map(withoutPersonal);
    const [first, second] = meant;
    if (first === undefined) {
      const nearest = options?.exact ? [] : nearestNames(await inventory.snapshot(options), query);
      return { kind: 'none', nearest };
    }
    return second === undefined ? { kind: 'one', device: first } : { kind: 'several', devices: meant };
  };
  return {
    ...inventory,
    find,
    async snapshot(options) {
      const snapshot = await inventory.snapshot(options);
      const { devices } = snapshot;
      return {
        ...snapshot,
        devices: allWithoutPersonal(devices),
        device(id) {
          const row = snapshot.device(id);
          return row === null ? null : withoutPersonal(row);
        },
        search: (words) => searchIn(snapshot, words),
      };
    },
    suggest: (kind, query, limit) => inventory.suggest(kind, query, limit, { namesOnly: true }),
  };
}

function nearestNames(snapshot: Snapshot, query: string): readonly string[] {
  const { devices } = snapshot;
  const rows =
    devices.length <= MOST_COMPARED
      ? devices
      : snapshot.search(comparedWords(query), { namesOnly: true }).devices.slice(0, FIRST_FOUND);
  const names = rows.flatMap((row) => [displayName(row), row.name]).filter((name) => name !== '');
  return nearestOrAny(query, names);
}
