/** Sorts devices by the names that people know. Pure. */
import { displayName } from '../../fleet/model/resources.ts';
import { FIELD_MARK, normalizeField } from '../search/search-text.ts';
import type { IndexedDevice } from './indexed-device.ts';

const DIGITS = 12;
const ZEROS = '0'.repeat(DIGITS);
const [ZERO, NINE] = [48, 57];

/** The sort key of a row: numbers sort by value, so web-2 comes before web-10. */
export function sortKeyOf(row: IndexedDevice): string {
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

export type RowOfSlot = (slot: number) => IndexedDevice | undefined;

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

export type SlotArray = Uint32Array<ArrayBuffer>;

/** The first `count` slots are used; the rest is room for more. */
export type SlotList = { slots: SlotArray; count: number };

/**
 * Removes the positions in `removed` from an ordered list, and inserts `fresh` slots, which are ordered too. Sorting
 * everything again for a few new rows would take long in a large fleet, and so would a new list each time.
 */
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
