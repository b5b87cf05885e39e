/** Lists as tables of a CSV file: a column is a title with what a row says in it. */
import type { Instant } from '../../lib/clock.ts';
import { quoteValue } from '../../lib/text.ts';
import { isoTime } from './timestamps.ts';

export type CsvCell = string | number | boolean | null;
export type CsvTable = {
  readonly head: readonly string[];
  readonly rows: readonly (readonly CsvCell[])[];
  /** Rows of the list that are not in the table; absent: those of the view's other pages. */
  readonly omittedRows?: number;
};

export function csvTable<Row>(
  rows: readonly Row[],
  columns: Readonly<Record<string, (row: Row) => CsvCell>>,
): CsvTable {
  const cells = Object.values(columns);
  return { head: Object.keys(columns), rows: rows.map((row) => cells.map((cell) => cell(row))) };
}

/** Several values in one cell, of which none looks like several. */
export function csvList(values: readonly string[]): string {
  return values.map(quoteValue).join('; ');
}

export function utcTimestamp(time: Instant | null): string | null {
  return time === null ? null : isoTime(time);
}
