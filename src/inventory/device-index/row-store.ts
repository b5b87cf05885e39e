/** All rows in memory, by id and in the order of their names, with their texts for search. */
import type { DeviceId } from '../../lib/ids.ts';
import { createTextIndex } from '../search/text-index.ts';
import { type IndexedDevice, isSameRow } from './indexed-device.ts';
import { mergeIntoOrder, type SlotList, sortKeyOf, sortSlots } from './row-order.ts';

/** Rows in the order of the names that people know. Valid until the next change. */
export type OrderedRows = {
  readonly rows: readonly IndexedDevice[];
  /** Their slots. */
  readonly order: Uint32Array;
};

export type RowStore = Readonly<ReturnType<typeof createRowStore>>;

export function createRowStore() {
  const textIndex = createTextIndex();
  const slotOf = new Map<DeviceId, number>();
  /** By slot; undefined where a device was removed. */
  const rows: (IndexedDevice | undefined)[] = [];
  const freeSlots: number[] = [];
  const slotOrder = createSlotOrder(rows);
  let ordered: OrderedRows = { rows: [], order: new Uint32Array() };
  /** Whether anything changed since `ordered` was made. */
  let changed = false;

  const get = (id: DeviceId): IndexedDevice | undefined => {
    const slot = slotOf.get(id);
    return slot === undefined ? undefined : rows[slot];
  };
  /** Makes new lists, because readers of the old ones go on using them. */
  const refresh = (): OrderedRows => {
    const slots = slotOrder.current();
    // Starts with a copy of full length: growing an array takes longer than filling it.
    const all = ordered.rows.slice(0, slots.length);
    for (let position = 0; position < slots.length; position += 1) {
      const row = rows[slots[position] ?? 0];
      if (row !== undefined) all[position] = row;
    }
    return { rows: all, order: slots };
  };
  return {
    size: (): number => slotOf.size,
    get,
    /** False when the same row was already stored. */
    put(row: IndexedDevice): boolean {
      const before = get(row.id);
      if (before !== undefined && isSameRow(before, row)) return false;
      const slot = slotOf.get(row.id) ?? freeSlots.pop() ?? rows.length;
      slotOf.set(row.id, slot);
      rows[slot] = row;
      textIndex.set(slot, row.searchText);
      if (before === undefined || sortKeyOf(before) !== sortKeyOf(row)) slotOrder.move(slot);
      changed = true;
      return true;
    },
    remove(id: DeviceId): boolean {
      const slot = slotOf.get(id);
      if (slot === undefined) return false;
      slotOrder.remove(slot);
      slotOf.delete(id);
      rows[slot] = undefined;
      textIndex.remove(slot);
      freeSlots.push(slot);
      changed = true;
      return true;
    },
    ids: (): Iterable<DeviceId> => slotOf.keys(),
    ordered(): OrderedRows {
      if (changed) ordered = refresh();
      changed = false;
      return ordered;
    },
    /** Sorts new rows in now, so that the next reader need not wait for it. */
    sortPending: slotOrder.sortPending,
    textIndex,
    /** The row in this slot of the text index, and the reverse. */
    rowAt: (slot: number): IndexedDevice | undefined => rows[slot],
    slotOf: (id: DeviceId): number | undefined => slotOf.get(id),
  };
}

const NO_POSITION = -1;

/** The slots of `rows` in the order of their names, kept by merging in what changed since the last read. */
function createSlotOrder(rows: readonly (IndexedDevice | undefined)[]) {
  const list: SlotList = { slots: new Uint32Array(), count: 0 };
  /** The position of each slot in `list`; {@link NO_POSITION} when it has none or has to move. */
  let positions = new Int32Array();
  /** Positions in `list` that became empty, and slots that still have to be inserted. */
  const removedPositions = new Set<number>();
  const pendingSlots = new Set<number>();
  let current = new Uint32Array();
  /** Whether the order changed since `current` was made. */
  let reordered = false;

  const rowAt = (slot: number): IndexedDevice | undefined => rows[slot];
  const remove = (slot: number): void => {
    pendingSlots.delete(slot);
    // Reading beyond the end of a typed array is slow.
    const position = slot < positions.length ? (positions[slot] ?? NO_POSITION) : NO_POSITION;
    if (position === NO_POSITION) return;
    removedPositions.add(position);
    positions[slot] = NO_POSITION;
  };
  const sortPending = (): void => {
    if (removedPositions.size + pendingSlots.size === 0) return;
    reordered = true;
    mergeIntoOrder(list, removedPositions, sortSlots(pendingSlots, rowAt), rowAt);
    if (positions.length < rows.length) positions = new Int32Array(Math.ceil(rows.length * 1.25));
    positions.fill(NO_POSITION);
    for (let position = 0; position < list.count; position += 1)
      positions[list.slots[position] ?? 0] = position;
    removedPositions.clear();
    pendingSlots.clear();
  };
  return {
    remove,
    sortPending,
    /** The slot's row is new or has another name. */
    move(slot: number): void {
      remove(slot);
      pendingSlots.add(slot);
    },
    current(): Uint32Array {
      sortPending();
      if (reordered) current = list.slots.slice(0, list.count);
      reordered = false;
      return current;
    },
  };
}
