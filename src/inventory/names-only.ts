/**
 * The index for those who may not see what is personal: its rows have no users, serial numbers and addresses, and
 * nothing is found by them. A list of the devices of one person says as much as the name would.
 */
import type { Found, IndexedDevice, Inventory, Searched, Snapshot, Wanted } from './inventory.ts';
import { namesIn } from './searched.ts';

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

function foundWithoutPersonal(found: Found): Found {
  switch (found.kind) {
    case 'one':
      return { kind: 'one', device: withoutPersonal(found.device) };
    case 'several':
      return { kind: 'several', devices: found.devices.map(withoutPersonal) };
    case 'none':
      return found;
  }
}

/** The same inventory, whose rows have nothing personal and are found by their names and numbers alone. */
export function namesOnly(inventory: Inventory): Inventory {
  return {
    ...inventory,
    find: async (query, options) =>
      foundWithoutPersonal(await inventory.find(query, { ...options, namesOnly: true })),
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
