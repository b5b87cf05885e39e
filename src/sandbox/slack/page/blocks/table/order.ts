/** Sorting of data table rows. */
import type { RichPart, TableCell } from '../../types.ts';

type SortableRow = readonly TableCell[];
export type SortOrder = { column: number; isDown: boolean };

/** Sorts numbers by value and everything else by text; equal rows keep their order. */
export function sortRows(rows: readonly SortableRow[], sortOrder: SortOrder | null) {
  if (!sortOrder) return rows;
  const way = sortOrder.isDown ? -1 : 1;
  return rows.toSorted((a, b) => way * compare(a[sortOrder.column], b[sortOrder.column]));
}

function compare(a: TableCell | undefined, b: TableCell | undefined) {
  if (a?.type === 'raw_number' && b?.type === 'raw_number') return Number(a.value) - Number(b.value);
  return wordsOf(a).localeCompare(wordsOf(b), 'en', { numeric: true, sensitivity: 'base' });
}

function wordsOf(part: TableCell | RichPart | undefined): string {
  if (!part) return '';
  return (part.text ?? '') + (part.elements ?? []).map(wordsOf).join('');
}

/** The first click sorts ascending, the second descending, the third not at all. */
export function nextSortOrder(sortOrder: SortOrder | null, column: number): SortOrder | null {
  if (sortOrder?.column !== column) return { column, isDown: false };
  return sortOrder.isDown ? null : { column, isDown: true };
}
