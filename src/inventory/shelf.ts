/** All rows in memory, by id and in the order of their names, and their texts as search reads them. */
import type { DeviceId } from '../ids.ts';
import { createHaystack, type Haystack } from './haystack.ts';
import { inOrder, mergeInto, type PlaceList, sortKey } from './order.ts';
import type { Order } from './placing.ts';
import { type IndexedDevice, sameRow } from './row.ts';

/** Rows in the order of the names that people know. Good until the next change. */
export type Ordered = {
  readonly rows: readonly IndexedDevice[];
  /** Where each stands in the haystack, and the other way round. */
  readonly order: Order;
};

export type Shelf = {
  readonly size: () => number;
  readonly get: (id: DeviceId) => IndexedDevice | undefined;
  /** False where the row was there already, just so. */
  readonly put: (row: IndexedDevice) => boolean;
  readonly remove: (id: DeviceId) => boolean;
  readonly ids: () => Iterable<DeviceId>;
  readonly ordered: () => Ordered;
  /** Puts in order what is new, so that whoever looks next need not wait for it. */
  readonly settle: () => void;
  readonly haystack: Pick<Haystack, 'texts' | 'names' | 'scratch' | 'grams' | 'inAddresses' | 'within'>;
  /** The row with the text at this place, and the other way round. */
  readonly at: (place: number) => IndexedDevice | undefined;
  readonly placeOf: (id: DeviceId) => number | undefined;
};

const NOWHERE = -1;

export function createShelf(): Shelf {
  const haystack = createHaystack();
  const placeOf = new Map<DeviceId, number>();
  /** By place; undefined where a device was removed. */
  const rows: (IndexedDevice | undefined)[] = [];
  const free: number[] = [];
  let ordered: Ordered = { rows: [], order: { places: new Uint32Array(), positions: new Int32Array() } };
  const list: PlaceList = { places: new Uint32Array(), count: 0 };
  /** Where each place stands in `list`; {@link NOWHERE} where it does not or must be moved. */
  let positions = new Int32Array();
  /** Positions in `list` that nothing stands at any more, and places that are to be put in. */
  const gone = new Set<number>();
  const fresh = new Set<number>();
  /** Since `ordered` was made: anything at all, and the order. */
  let changed = false;
  let reordered = false;

  const at = (place: number): IndexedDevice | undefined => rows[place];
  const get = (id: DeviceId): IndexedDevice | undefined => {
    const place = placeOf.get(id);
    return place === undefined ? undefined : rows[place];
  };
  const takeOut = (place: number): void => {
    fresh.delete(place);
    // Beyond the end of such a list even a look is slow.
    const position = place < positions.length ? (positions[place] ?? NOWHERE) : NOWHERE;
    if (position === NOWHERE) return;
    gone.add(position);
    positions[place] = NOWHERE;
  };
  const settle = (): void => {
    if (gone.size + fresh.size === 0) return;
    reordered = true;
    mergeInto(list, gone, inOrder(fresh, at), at);
    if (positions.length < rows.length) positions = new Int32Array(Math.ceil(rows.length * 1.25));
    positions.fill(NOWHERE);
    for (let position = 0; position < list.count; position += 1)
      positions[list.places[position] ?? 0] = position;
    gone.clear();
    fresh.clear();
  };
  /** The lists are new ones, since those who have the old ones go on reading them. */
  const refresh = (): Ordered => {
    settle();
    const places = reordered ? list.places.slice(0, list.count) : ordered.order.places;
    // As long as it will be, where it was as long before: growing to it takes longer than filling it.
    const all = ordered.rows.slice(0, places.length);
    for (let position = 0; position < places.length; position += 1) {
      const row = rows[places[position] ?? 0];
      if (row !== undefined) all[position] = row;
    }
    return { rows: all, order: { places, positions } };
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
      if (before === undefined || sortKey(before) !== sortKey(row)) {
        takeOut(place);
        fresh.add(place);
      }
      changed = true;
      return true;
    },
    remove(id) {
      const place = placeOf.get(id);
      if (place === undefined) return false;
      takeOut(place);
      placeOf.delete(id);
      rows[place] = undefined;
      haystack.remove(place);
      free.push(place);
      changed = true;
      return true;
    },
    ids: () => placeOf.keys(),
    ordered() {
      if (changed) ordered = refresh();
      changed = false;
      reordered = false;
      return ordered;
    },
    settle,
    haystack,
    at,
    placeOf: (id) => placeOf.get(id),
  };
}
