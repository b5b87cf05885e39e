/** Sorting of data table rows. */
/** @import { TableCell, RichPart } from '../../types.d.ts' */

/** @typedef {readonly TableCell[]} SortableRow */
/** @typedef {{column: number, isDown: boolean}} SortOrder */

/**
 * Sorts numbers by value and everything else by text; equal rows keep their order.
 * @param {readonly SortableRow[]} rows
 * @param {SortOrder | null} sortOrder
 */
export function sortRows(rows, sortOrder) {
  if (!sortOrder) return rows;
  const way = sortOrder.isDown ? -1 : 1;
  return rows.toSorted((a, b) => way * compare(a[sortOrder.column], b[sortOrder.column]));
}

/**
 * @param {TableCell | undefined} a
 * @param {TableCell | undefined} b
 */
function compare(a, b) {
  if (a?.type === 'raw_number' && b?.type === 'raw_number') return Number(a.value) - Number(b.value);
  return wordsOf(a).localeCompare(wordsOf(b), 'en', { numeric: true, sensitivity: 'base' });
}

/** @param {TableCell | RichPart | undefined} part @returns {string} */
function wordsOf(part) {
  if (!part) return '';
  return (part.text ?? '') + (part.elements ?? []).map(wordsOf).join('');
}

/**
 * The first click sorts ascending, the second descending, the third not at all.
 * @param {SortOrder | null} sortOrder
 * @param {number} column
 * @returns {SortOrder | null}
 */
export function nextSortOrder(sortOrder, column) {
  if (sortOrder?.column !== column) return { column, isDown: false };
  return sortOrder.isDown ? null : { column, isDown: true };
}
