/** Lists as CSV files: times in UTC, and no cell that a spreadsheet would run as a formula. */
import { stringify } from 'csv-stringify/sync';
import type { Instant } from '../../lib/clock.ts';
import { inlineCode, type Mrkdwn, md, singleLine } from '../kit/escape.ts';
import type { CsvCell } from '../kit/table.ts';
import { isoTime, relativeDate } from '../kit/timestamps.ts';
import { countText } from '../text/common-text.ts';
import { rowOf, type View } from '../views.ts';

/** Our own limit: such names still fit in a list of files. */
const MAX_NAME_LENGTH = 80;

export type Csv = {
  /** Such as `missing-openssl-2026-11-28.csv`. */
  readonly name: string;
  readonly command: string;
  readonly asOf: Instant | null;
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
  const { command, asOf } = sourceOf(view);
  return {
    name: fileName(command, asOf),
    command,
    asOf,
    // Without the byte order mark, spreadsheets do not read the file as UTF-8.
    text: stringify([head, ...cells], { bom: true, escape_formulas: true, record_delimiter: 'windows' }),
    rows: rows.length,
    omittedRows,
  };
}

export function isList(view: View): view is Extract<View, { readonly rows: readonly unknown[] }> {
  return rowOf(view).csv !== undefined && 'rows' in view;
}

/** Without the words of a list whose reader may see less now: they may hold a name that is hidden since. */
function sourceOf(view: View): Pick<Csv, 'command' | 'asOf'> {
  if (!('paging' in view)) return { command: view.kind, asOf: 'asOf' in view ? view.asOf : null };
  const { line, refreshReason, asOf } = view.paging;
  return { command: refreshReason === 'rights' || line === undefined ? view.kind : line.text, asOf };
}

/** What was asked for, in characters that every file system takes, and the day in UTC. */
function fileName(command: string, asOf: Instant | null): string {
  const words = command.match(/[\p{L}\p{N}]+(?:\.[\p{L}\p{N}]+)*/gu) ?? [];
  const day = asOf === null ? [] : [isoTime(asOf).slice(0, 'yyyy-mm-dd'.length)];
  return `${[words.join('-').slice(0, MAX_NAME_LENGTH), ...day].join('-')}.csv`;
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

export function exportComment(file: Pick<Csv, 'command' | 'asOf' | 'rows'>): Mrkdwn {
  const read = file.asOf === null ? md`` : md`, read ${relativeDate(file.asOf)}`;
  return md`${countText(file.rows, 'row')} of ${inlineCode(file.command)}${read}`;
}
