/**
 * The index for those who may not see what is personal: its rows have no users, serial numbers and addresses, and
 * nothing is found by them. A list of the devices of one person says as much as the name would.
 */
import type {
  DeviceMatch,
  IndexedDevice,
  Inventory,
  SearchResult,
  SearchTerm,
  Snapshot,
} from './inventory.ts';
import { withNamesOnly } from './search/search-text.ts';

/** By the rows and lists that they were made of: there may be a hundred thousand, of which few change. */
const rowCache = new WeakMap<IndexedDevice, IndexedDevice>();
const listCache = new WeakMap<readonly IndexedDevice[], readonly IndexedDevice[]>();

function rowWithoutPersonalData(row: IndexedDevice): IndexedDevice {
  const before = rowCache.get(row);
  if (before !== undefined) return before;
  const made = { ...row, searchText: withNamesOnly(row.searchText) };
  rowCache.set(row, made);
  return made;
}

function rowsWithoutPersonalData(devices: readonly IndexedDevice[]): readonly IndexedDevice[] {
  const made = listCache.get(devices) ?? devices.map(rowWithoutPersonalData);
  listCache.set(devices, made);
  return made;
}

/** The devices that hold every one of these words in their names, or have this `#id`. */
function searchNames({ search }: Pick<Snapshot, 'search'>, words: readonly SearchTerm[]): SearchResult {
  const { devices, isApproximate } = search(words, { namesOnly: true });
  return { devices: devices.map(rowWithoutPersonalData), isApproximate };
}

function matchWithoutPersonalData(found: DeviceMatch): DeviceMatch {
  switch (found.kind) {
    case 'one':
      return { kind: 'one', device: rowWithoutPersonalData(found.device) };
    case 'several':
      return { kind: 'several', devices: found.devices.map(rowWithoutPersonalData) };
    case 'none':
      return found;
  }
}

/** The same inventory, whose rows have nothing personal and are found by their names and numbers alone. */
export function inventoryWithoutPersonalData(inventory: Inventory): Inventory {
  return {
    ...inventory,
    find: async (query, options) =>
      matchWithoutPersonalData(await inventory.find(query, { ...options, namesOnly: true })),
    async snapshot(options) {
      const snapshot = await inventory.snapshot(options);
      const { devices } = snapshot;
      return {
        ...snapshot,
        devices: rowsWithoutPersonalData(devices),
        device(id) {
          const row = snapshot.device(id);
          return row === null ? null : rowWithoutPersonalData(row);
        },
        search: (words) => searchNames(snapshot, words),
      };
    },
    suggest: (kind, query, limit) => inventory.suggest(kind, query, limit, { namesOnly: true }),
  };
}
