/** All rows in memory, by id and in the order of their names, with their texts for search. */
import { displayName } from '../../fleet/model/resources.ts';
import type { DeviceId } from '../../lib/ids.ts';
import { FIELD_MARK, normalizeField } from '../search/search-text.ts';
import { createTextIndex } from '../search/text-index.ts';
import { type IndexedDevice, isSameRow } from './indexed-device.ts';

/** Rows in the order of the names that people know. Valid until the next change. */
type OrderedRows = {
  readonly rows: readonly IndexedDevice[];
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

const DIGITS = 12;
const ZEROS = '0'.repeat(DIGITS);
const [ZERO, NINE] = [48, 57];

/** The sort key of a row: numbers sort by value, so web-2 comes before web-10. */
function sortKeyOf(row: IndexedDevice): string {
  return sortKeyOfName(normalizedName(row));
}

/** The sort key of a folded name. Works letter by letter, because a start computes it for every device. */
export function sortKeyOfName(name: string): string {
  let key = '';
  let done = 0;
  for (let at = 0; at < name.length; at += 1) {
    if (!isDigit(name.charCodeAt(at))) continue;
    const from = at;
    while (at < name.length && isDigit(name.charCodeAt(at))) at += 1;
    key += name.slice(done, from) + ZEROS.slice(at - from) + name.slice(from, at);
    done = at;
  }
  return done === 0 ? name : key + name.slice(done);
}

const isDigit = (char: number): boolean => char >= ZERO && char <= NINE;

/** {@link displayName} in its comparable form, taken from the start of the search text. */
function normalizedName(row: IndexedDevice): string {
  const { searchText, customName, name } = row;
  const first = searchText.indexOf(FIELD_MARK);
  if (first === -1 || (name === '' && (customName === null || customName === '')))
    return normalizeField(displayName(row));
  if (customName === null || customName === '') return searchText.slice(0, first);
  const second = searchText.indexOf(FIELD_MARK, first + 1);
  return second === -1 ? normalizeField(customName) : searchText.slice(first + 1, second);
}

type RowOfSlot = (slot: number) => IndexedDevice | undefined;

type KeyedSlot = { readonly slot: number; readonly id: number; readonly key: string };

function toKeyedSlot(slot: number, rowAt: RowOfSlot): KeyedSlot {
  const row = rowAt(slot);
  return row === undefined ? { slot, id: 0, key: '' } : { slot, id: row.id, key: sortKeyOf(row) };
}

function compareKeyed(a: KeyedSlot, b: KeyedSlot): number {
  if (a.key < b.key) return -1;
  return a.key === b.key ? a.id - b.id : 1;
}

/** As long as the prefixes of names that say what a device is: `ber-web-`, `laptop-`. */
const PREFIX_LENGTH = 7;

/** Slots in the order of their rows. Grouping by prefix first saves half of the comparisons. */
export function sortSlots(slots: Iterable<number>, rowAt: RowOfSlot): readonly number[] {
  const beginnings = new Map<string, KeyedSlot[]>();
  for (const slot of slots) {
    const one = toKeyedSlot(slot, rowAt);
    const beginning = one.key.slice(0, PREFIX_LENGTH);
    const alike = beginnings.get(beginning);
    if (alike === undefined) beginnings.set(beginning, [one]);
    else alike.push(one);
  }
  const ordered: number[] = [];
  for (const beginning of [...beginnings.keys()].sort()) {
    const alike = beginnings.get(beginning)?.sort(compareKeyed) ?? [];
    for (const { slot } of alike) ordered.push(slot);
  }
  return ordered;
}

type SlotArray = Uint32Array<ArrayBuffer>;

/** The first `count` slots are used; the rest is room for more. */
type SlotList = { slots: SlotArray; count: number };

/** `fresh` is ordered, too. Sorting a large fleet again for a few new rows would take long. */
export function mergeIntoOrder(
  list: SlotList,
  removed: ReadonlySet<number>,
  fresh: readonly number[],
  rowAt: RowOfSlot,
): void {
  removePositions(list, removed);
  const all = list.count + fresh.length;
  if (all > list.slots.length) {
    const larger = new Uint32Array(Math.ceil(all * 1.25));
    larger.set(list.slots.subarray(0, list.count));
    list.slots = larger;
  }
  const { slots } = list;
  // From the end, so that each stretch moves only once.
  let end = list.count;
  for (let at = fresh.length - 1; at >= 0; at -= 1) {
    const slot = fresh[at] ?? 0;
    const to = findInsertPosition(slots, rowAt(slot), end, rowAt);
    slots.copyWithin(to + at + 1, to, end);
    slots[to + at] = slot;
    end = to;
  }
  list.count = all;
}

function removePositions(list: SlotList, removed: ReadonlySet<number>): void {
  const positions = [...removed, list.count].sort((a, b) => a - b);
  let [from, to] = [0, 0];
  for (const end of positions) {
    if (from !== to) list.slots.copyWithin(to, from, end);
    to += end - from;
    from = end + 1;
  }
  list.count = to;
}

/** Binary search for the first of the first `end` slots that comes after `next`. */
function findInsertPosition(
  slots: SlotArray,
  next: IndexedDevice | undefined,
  end: number,
  rowAt: RowOfSlot,
): number {
  const name = next === undefined ? '' : normalizedName(next);
  let [low, high] = [0, end];
  while (low < high) {
    const middle = (low + high) >>> 1;
    const row = rowAt(slots[middle] ?? 0);
    if (row === undefined || next === undefined) return low;
    if ((compareNormalizedNames(normalizedName(row), name) || row.id - next.id) <= 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Compares two names like {@link sortKeyOf}, without making the keys. Below 0: `a` comes first. */
export function compareNormalizedNames(a: string, b: string): number {
  let [at, other] = [0, 0];
  while (at < a.length && other < b.length) {
    const [one, two] = [a.charCodeAt(at), b.charCodeAt(other)];
    if (isDigit(one) && isDigit(two)) {
      const [end, otherEnd] = [endOfDigits(a, at), endOfDigits(b, other)];
      // Too long for the padding of sort keys: the keys are compared as text.
      if (Math.max(end - at, otherEnd - other) > DIGITS)
        return compareKeys(sortKeyOfName(a), sortKeyOfName(b));
      const difference = Number(a.slice(at, end)) - Number(b.slice(other, otherEnd));
      if (difference !== 0) return difference;
      [at, other] = [end, otherEnd];
    } else if (one !== two) return one - two;
    else [at, other] = [at + 1, other + 1];
  }
  return a.length - at - (b.length - other);
}

function endOfDigits(text: string, from: number): number {
  let end = from;
  while (end < text.length && isDigit(text.charCodeAt(end))) end += 1;
  return end;
}

function compareKeys(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
