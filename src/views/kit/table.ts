/**
 * Tables: Slack's table block in messages, lines of text elsewhere (docs.slack.dev/reference/block-kit/blocks/table-block). And
 * charts, which only messages support, and bars of characters elsewhere; their numbers are always in the text as well.
 */
import type { Instant } from '../../lib/clock.ts';
import type { PersonId } from '../../lib/ids.ts';
import { quoteValue } from '../../lib/text.ts';
import { context } from './blocks.ts';
import { type Mrkdwn, plainAlone, plainText, truncate, trustedMrkdwn } from './escape.ts';
import { type Block, DISPLAY_LIMIT, LIMIT } from './limits.ts';
import { isUserId } from './mentions.ts';
import { jsonSize, type RichWithFallback } from './message.ts';
import { dateOf, isoTime, utcTime } from './timestamps.ts';

/** Plain text of ours, or a time or person that the reader's client draws. */
type CellPart = string | { readonly at: Instant } | { readonly person: PersonId };
/** A text alone may be other people's; null for an empty cell. Cells have no markup, so text in them cannot mention or link. */
export type CellContent = string | readonly CellPart[] | null;

export type Column<Row> = {
  readonly title: string;
  readonly cell: (row: Row) => CellContent;
  readonly align?: 'right';
  /** Wraps long text, so that the other columns stay visible. */
  readonly wraps?: true;
  /** Characters of a cell; {@link DISPLAY_LIMIT.label} by default. */
  readonly max?: number;
};

type TableOptions<Row> = {
  /** The first names the row. Other columns are left out if all their cells are empty. */
  readonly columns: readonly Column<Row>[];
  /** The rows for surfaces without tables. */
  readonly fallback: readonly Block[];
  /** Blocks below the table only, such as the buttons that fallback rows have beside them. */
  readonly below?: readonly Block[];
  readonly more: (left: number) => Mrkdwn;
};

/** Characters of a whole table as JSON. */
const BUDGET = 8_000;
const EMPTY_CELL = '–';

/** A cell with a time, drawn by the reader's client; empty for null. */
export function timeCell(at: Instant | null): CellContent {
  return at === null ? null : [{ at }];
}

/** The rows as a table; rows that do not fit are counted. */
export function renderTable<Row>(
  rows: readonly Row[],
  { columns, fallback, below = [], more }: TableOptions<Row>,
): RichWithFallback {
  const visibleColumns = columns
    .filter(({ cell }, at) => at === 0 || rows.some((row) => !isEmpty(cell(row))))
    .slice(0, LIMIT.tableColumns);
  const rich = (room: number): readonly Block[] => {
    const { blocks, taken } = tableBlock(rows, visibleColumns, room - jsonSize(below));
    if (taken === 0) return fallback;
    const left = rows.length - taken;
    return [...blocks, ...(left === 0 ? [] : [context(more(left))]), ...below];
  };
  return { rich, fallback: fallback };
}

/** A table of the first rows, as many as fit `room`; `taken` says how many. */
function tableBlock<Row>(rows: readonly Row[], columns: readonly Column<Row>[], room: number) {
  const head = columns.map(({ title }) => rawTextCell(title, DISPLAY_LIMIT.label));
  const settings = columns.map(({ align = 'left', wraps = false }) => ({ align, is_wrapped: wraps }));
  const body: (readonly object[])[] = [];
  const block = (): Block => ({ type: 'table', column_settings: settings, rows: [head, ...body] });
  let left = Math.min(room, BUDGET, LIMIT.tableText) - jsonSize([block()]);
  for (const row of rows.slice(0, LIMIT.tableRows - 1)) {
    const cells = columns.map(({ cell, max = DISPLAY_LIMIT.label }) => cellBlock(cell(row), max));
    // One more for the comma between rows.
    left -= JSON.stringify(cells).length + 1;
    if (left < 0) break;
    body.push(cells);
  }
  return { blocks: [block()], taken: body.length };
}

function cellBlock(cell: CellContent, max: number): object {
  if (isEmpty(cell)) return rawTextCell(EMPTY_CELL, max);
  if (typeof cell === 'string') return rawTextCell(plainAlone(cell, max), max);
  const elements = cell.map((piece) => cellPartElement(piece, max));
  return { type: 'rich_text', elements: [{ type: 'rich_text_section', elements }] };
}

function isEmpty(cell: CellContent): cell is null | '' {
  return cell === null || cell.length === 0;
}

function rawTextCell(text: string, max: number): object {
  return { type: 'raw_text', text: plainText(text, max) };
}

/** docs.slack.dev/reference/block-kit/blocks/rich-text-block */
function cellPartElement(piece: CellPart, max: number): object {
  if (typeof piece === 'string') return { type: 'text', text: spacedText(piece, max) };
  if ('person' in piece) {
    return isUserId(piece.person)
      ? { type: 'user', user_id: piece.person }
      : { type: 'text', text: plainText(piece.person, max) };
  }
  const date = dateOf(piece.at);
  return date === null ? { type: 'text', text: utcTime(piece.at) } : { type: 'date', ...date };
}

/** Keeps the space that separates the text from its neighbors on either side. */
function spacedText(text: string, max: number): string {
  const before = text.startsWith(' ') ? ' ' : '';
  const after = text.endsWith(' ') ? ' ' : '';
  return `${before}${plainText(text, max - 2)}${after}`;
}

/** Lists as tables of a CSV file: a column is a title with what a row says in it. */
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

const WIDTH = 20;

/**
 * A bar of characters: `part` of `total`. It is empty only for 0 and full only for all. Not inline code, which Slack draws
 * in red. For the Home and modals, where Slack has no charts
 * (docs.slack.dev/reference/block-kit/blocks/data-visualization-block).
 */
export function bar(part: number, total: number, width: number = WIDTH): Mrkdwn {
  const full = filledCells(part, total, width);
  return trustedMrkdwn('█'.repeat(full) + '░'.repeat(width - full));
}

function filledCells(part: number, total: number, width: number): number {
  if (part <= 0 || total <= 0) return 0;
  if (part >= total) return width;
  return Math.min(Math.max(Math.round((part / total) * width), 1), width - 1);
}

type ChartPoint = { readonly label: string; readonly value: number };

/**
 * A bar chart, in messages only (docs.slack.dev/reference/block-kit/blocks/data-visualization-block). Empty for fewer than
 * two points. Slack requires unique labels, so equal ones get a number.
 */
export function barChart(
  title: string,
  series: string,
  points: readonly ChartPoint[],
): readonly RichWithFallback[] {
  const labelled = pointLabels(points.slice(0, LIMIT.chartPoints));
  if (labelled.length < 2) return [];
  const categories = labelled.map(({ label }) => label);
  const chart = { type: 'bar', series: [{ name: series, data: labelled }], axis_config: { categories } };
  const blocks = [{ type: 'data_visualization', title: truncate(title, LIMIT.chartTitle), chart }];
  return [{ rich: (room) => (jsonSize(blocks) <= room ? blocks : []), fallback: [] }];
}

/** Block types that Slack supports in messages only. */
const RICH_BLOCK_TYPES: ReadonlySet<string> = new Set(['data_visualization', 'table']);

/** The blocks that the Home and modals support. */
export function withoutRichBlocks(blocks: readonly Block[]): readonly Block[] {
  return blocks.filter(({ type }) => !RICH_BLOCK_TYPES.has(type));
}

function pointLabels(points: readonly ChartPoint[]): readonly ChartPoint[] {
  const usedLabels = new Set<string>();
  return points.map(({ label, value }) => {
    let name = plainAlone(label, LIMIT.chartLabel);
    for (let again = 2; usedLabels.has(name); again += 1) {
      const mark = ` ${again}`;
      name = `${plainAlone(label, LIMIT.chartLabel - mark.length)}${mark}`;
    }
    usedLabels.add(name);
    return { label: name, value };
  });
}
