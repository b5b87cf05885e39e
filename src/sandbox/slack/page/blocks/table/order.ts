/** Sorting of data table rows. */
import { renderPlainText } from '../../text/text-object.ts';
import type { RichPart, TableCell } from '../../types.ts';

type SortableRow = readonly TableCell[];
export type SortOrder = { column: number; isDown: boolean };

/**
 * Alphabetically, but by value where all cells of the column are numbers
 * (docs.slack.dev/reference/block-kit/blocks/data-table-block); equal rows keep their order.
 */
export function sortRows(rows: readonly SortableRow[], sortOrder: SortOrder | null) {
  if (!sortOrder) return rows;
  const { column, isDown } = sortOrder;
  const way = isDown ? -1 : 1;
  const compare = rows.every((row) => row[column]?.type === 'raw_number') ? byValue : byWords;
  return rows.toSorted((a, b) => way * compare(a[column], b[column]));
}

type Cell = TableCell | undefined;

const byValue = (a: Cell, b: Cell) => Number(a?.value) - Number(b?.value);

const byWords = (a: Cell, b: Cell) => cellWords(a).localeCompare(cellWords(b), 'en', { sensitivity: 'base' });

const cellWords = (cell: Cell) => (cell?.element ? renderPlainText(cell.element.text) : wordsOf(cell));

function wordsOf(part: TableCell | RichPart | undefined): string {
  if (!part) return '';
  return (part.text ?? '') + (part.elements ?? []).map(wordsOf).join('');
}

/** The first click sorts ascending, the second descending, the third not at all. */
export function nextSortOrder(sortOrder: SortOrder | null, column: number): SortOrder | null {
  if (sortOrder?.column !== column) return { column, isDown: false };
  return sortOrder.isDown ? null : { column, isDown: true };
}
