/** The order of the rows of a data table. */
/** @import { Cell, RichPart } from '../../types.d.ts' */

/** @typedef {readonly Cell[]} Row */
/** @typedef {{column: number, isDown: boolean}} Order */

/**
 * Numbers by their value, everything else by its words; rows that are equal stay as they were.
 * @param {readonly Row[]} rows
 * @param {Order | null} order
 */
export function ordered(rows, order) {
  if (!order) return rows;
  const way = order.isDown ? -1 : 1;
  return rows.toSorted((a, b) => way * compare(a[order.column], b[order.column]));
}

/**
 * @param {Cell | undefined} a
 * @param {Cell | undefined} b
 */
function compare(a, b) {
  if (a?.type === 'raw_number' && b?.type === 'raw_number') return Number(a.value) - Number(b.value);
  return wordsOf(a).localeCompare(wordsOf(b), 'en', { numeric: true, sensitivity: 'base' });
}

/** @param {Cell | RichPart | undefined} part @returns {string} */
function wordsOf(part) {
  if (!part) return '';
  return (part.text ?? '') + (part.elements ?? []).map(wordsOf).join('');
}

/** A first press sorts up, a second down, a third not at all. @param {Order | null} order @param {number} column @returns {Order | null} */
export function nextOrder(order, column) {
  if (order?.column !== column) return { column, isDown: false };
  return order.isDown ? null : { column, isDown: true };
}
