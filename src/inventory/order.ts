/** The order of devices by the names that people know. Pure. */
import { displayName } from '../fleet/model.ts';
import type { IndexedDevice } from './row.ts';
import { folded } from './searched.ts';

/** Numbers by their value: web-2 before web-10. */
export function sortKey(row: IndexedDevice): string {
  return folded(displayName(row)).replace(/\d+/g, (digits) => digits.padStart(12, '0'));
}

type Keyed = { readonly row: IndexedDevice; readonly key: string };

const keyed = (row: IndexedDevice): Keyed => ({ row, key: sortKey(row) });

function compare(a: Keyed, b: Keyed): number {
  if (a.key !== b.key) return a.key < b.key ? -1 : 1;
  return a.row.id - b.row.id;
}

export function inOrder(rows: readonly IndexedDevice[]): readonly IndexedDevice[] {
  return rows
    .map(keyed)
    .sort(compare)
    .map(({ row }) => row);
}

/** Two lists in order as one: sorting everything again for a few new rows would take long in a large fleet. */
export function merged(
  old: readonly IndexedDevice[],
  fresh: readonly IndexedDevice[],
): readonly IndexedDevice[] {
  if (fresh.length === 0) return old;
  const rows: IndexedDevice[] = [];
  let at = 0;
  for (const row of fresh) {
    const next = keyed(row);
    const end = firstAfter(old, next, at);
    while (at < end) {
      const before = old[at];
      if (before !== undefined) rows.push(before);
      at += 1;
    }
    rows.push(row);
  }
  return rows.concat(old.slice(at));
}

/** By halves: the first of `old` from `from` on that stands after `next`. */
function firstAfter(old: readonly IndexedDevice[], next: Keyed, from: number): number {
  let [low, high] = [from, old.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    const row = old[middle];
    if (row !== undefined && compare(keyed(row), next) <= 0) low = middle + 1;
    else high = middle;
  }
  return low;
}
