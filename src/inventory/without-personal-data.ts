/**
 * The index for people who may not see personal data: its rows have no users, serial numbers and addresses, and can't
 * be found by them. Otherwise a search for a person's name would reveal their devices.
 */
import type { DeviceMatch, IndexedDevice, Inventory } from './inventory.ts';
import { withNamesOnly } from './search/search-text.ts';

/** Cached per original row and list: there may be a hundred thousand, of which few change. */
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

/** The same inventory, whose rows have no personal data and are found only by names and numbers. */
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
        search(words) {
          const found = snapshot.search(words, { namesOnly: true });
          return { ...found, devices: found.devices.map(rowWithoutPersonalData) };
        },
      };
    },
    suggest: (kind, query, limit) => inventory.suggest(kind, query, limit, { namesOnly: true }),
  };
}
