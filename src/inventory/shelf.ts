/** All rows in memory, by id and in the order of their names, and their texts as search reads them. */
import type { DeviceId } from '../ids.ts';
import { createHaystack, type Haystack } from './haystack.ts';
import { inOrder, merged, sortKey } from './order.ts';
import { type IndexedDevice, sameRow } from './row.ts';

/** Rows in the order of the names that people know. Good until the next change. */
export type Ordered = {
  readonly rows: readonly IndexedDevice[];
  /** Where each stands in the haystack. */
  readonly places: Uint32Array<ArrayBuffer>;
};

export type Shelf = {
  readonly size: () => number;
  readonly get: (id: DeviceId) => IndexedDevice | undefined;
  /** False where the row was there already, just so. */
  readonly put: (row: IndexedDevice) => boolean;
  readonly remove: (id: DeviceId) => boolean;
  readonly ids: () => Iterable<DeviceId>;
  readonly ordered: () => Ordered;
  readonly haystack: Pick<Haystack, 'texts' | 'grams' | 'within'>;
  /** The row with the text at this place, and the other way round. */
  readonly at: (place: number) => IndexedDevice | undefined;
  readonly placeOf: (id: DeviceId) => number | undefined;
};

export function createShelf(): Shelf {
  const haystack = createHaystack();
  const placeOf = new Map<DeviceId, number>();
  /** By place; undefined where a device was removed. */
  const rows: (IndexedDevice | undefined)[] = [];
  const free: number[] = [];
  let ordered: Ordered = { rows: [], places: new Uint32Array() };
  /** Since `ordered` was made. */
  const added = new Set<DeviceId>();
  let changed = false;

  const get = (id: DeviceId): IndexedDevice | undefined => {
    const place = placeOf.get(id);
    return place === undefined ? undefined : rows[place];
  };
  const refresh = (): Ordered => {
    const old = ordered.rows.flatMap(({ id }) => (added.has(id) ? [] : (get(id) ?? [])));
    const fresh = inOrder([...added].flatMap((id) => get(id) ?? []));
    const all = merged(old, fresh);
    return { rows: all, places: Uint32Array.from(all, ({ id }) => placeOf.get(id) ?? 0) };
  };
  return {
    size: () => placeOf.size,
    get,
    put(row) {
      const before = get(row.id);
      if (before !== undefined && sameRow(before, row)) return false;
      const place = placeOf.get(row.id) ?? free.pop() ?? rows.length;
      placeOf.set(row.id, place);
      rows[place] = row;
      haystack.put(place, row.searched);
      if (before === undefined || sortKey(before) !== sortKey(row)) added.add(row.id);
      changed = true;
      return true;
    },
    remove(id) {
      const place = placeOf.get(id);
      if (place === undefined) return false;
      placeOf.delete(id);
      rows[place] = undefined;
      haystack.remove(place);
      free.push(place);
      changed = true;
      return true;
    },
    ids: () => placeOf.keys(),
    ordered() {
      if (!changed) return ordered;
      ordered = refresh();
      added.clear();
      changed = false;
      return ordered;
    },
    haystack,
    at: (place) => rows[place],
    placeOf: (id) => placeOf.get(id),
  };
}
