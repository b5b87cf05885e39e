/** Lists as CSV files: times in UTC, and no cell that a spreadsheet would run as a formula. */
import { stringify } from 'csv-stringify/sync';
import type { CsvCell } from '../kit/csv.ts';
import { singleLine } from '../kit/escape.ts';
import { rowOf, type View } from '../views.ts';

export type Csv = {
  /** The file's name, without its extension. */
  readonly name: string;
  readonly text: string;
  readonly rows: number;
  /** Rows of the list that are not in the file. */
  readonly omittedRows: number;
};

/** The list as a CSV file; null for views that are not lists. Pure. */
export function toCsv(view: View): Csv | null {
  const table = rowOf(view).csv?.(view);
  if (table === undefined) return null;
  const { head, rows, omittedRows = rowsElsewhere(view) } = table;
  const cells = rows.map((row) => row.map(csvCell));
  return {
    name: view.kind,
    // Without the byte order mark, spreadsheets do not read the file as UTF-8.
    text: stringify([head, ...cells], { bom: true, escape_formulas: true, record_delimiter: 'windows' }),
    rows: rows.length,
    omittedRows,
  };
}

/** Whether the view can be exported. */
export function isList(view: View): view is Extract<View, { readonly rows: readonly unknown[] }> {
  return rowOf(view).csv !== undefined && 'rows' in view;
}

function rowsElsewhere(view: View): number {
  return isList(view) && 'paging' in view ? Math.max(view.paging.total - view.rows.length, 0) : 0;
}

/** Text on one line: a line break in a cell would split the row for tools that read by lines. */
function csvCell(value: CsvCell): string | number {
  if (value === null) return '';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return typeof value === 'number' || value === '' ? value : singleLine(value);
}
