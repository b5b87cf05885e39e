/**
 * Tables: Slack's own in messages, and lines of text where it draws none
 * (docs.slack.dev/reference/block-kit/blocks/table-block).
 */
import type { Instant } from '../../lib/clock.ts';
import type { PersonId } from '../../lib/ids.ts';
import type { Block } from '../model.ts';
import { context } from './blocks.ts';
import { type Mrkdwn, plainText } from './escape.ts';
import { DISPLAY_LIMIT, LIMIT } from './limits.ts';
import { isUserId } from './mentions.ts';
import { jsonSize, type RichWithFallback } from './message.ts';
import { dateOf, utcTime } from './timestamps.ts';

/** Text as it is, and what each reader's client draws. */
export type CellPart = string | { readonly at: Instant } | { readonly person: PersonId };
/** Null: there is nothing to say. Nothing in a cell is markup, so nothing in it mentions or links by itself. */
export type CellContent = string | readonly CellPart[] | null;

export type Column<Row> = {
  readonly title: string;
  readonly cell: (row: Row) => CellContent;
  /** Numbers stand right. */
  readonly align?: 'right';
  /** Long text is wrapped, so that the other columns stay in sight. */
  readonly wraps?: true;
  /** Of the text of a cell; {@link DISPLAY_LIMIT.label} unless said. */
  readonly max?: number;
};

export type TableOptions<Row> = {
  /** The first tells what a row is about. Those without anything in them are left out. */
  readonly columns: readonly Column<Row>[];
  /** The rows where there are no tables. */
  readonly fallback: readonly Block[];
  /** What stands below the table alone, such as buttons that lines have beside them. */
  readonly below?: readonly Block[];
  readonly more: (left: number) => Mrkdwn;
};

/** Characters of a table as JSON. */
const BUDGET = 8_000;
const EMPTY_CELL = '–';

/** A time as each reader's client draws it. */
export function timeCell(at: Instant | null): CellContent {
  return at === null ? null : [{ at }];
}

/** Rows as a table; what does not fit into it is counted. */
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

/** As many rows as there is room for. */
function tableBlock<Row>(rows: readonly Row[], columns: readonly Column<Row>[], room: number) {
  const head = columns.map(({ title }) => rawTextCell(title, DISPLAY_LIMIT.label));
  const settings = columns.map(({ align = 'left', wraps = false }) => ({ align, is_wrapped: wraps }));
  const body: (readonly object[])[] = [];
  const block = (): Block => ({ type: 'table', column_settings: settings, rows: [head, ...body] });
  let left = Math.min(room, BUDGET, LIMIT.tableText) - jsonSize([block()]);
  for (const row of rows.slice(0, LIMIT.tableRows - 1)) {
    const cells = columns.map(({ cell, max = DISPLAY_LIMIT.label }) => cellBlock(cell(row), max));
    // With the comma that parts it from the row before.
    left -= JSON.stringify(cells).length + 1;
    if (left < 0) break;
    body.push(cells);
  }
  return { blocks: [block()], taken: body.length };
}

function cellBlock(cell: CellContent, max: number): object {
  if (isEmpty(cell)) return rawTextCell(EMPTY_CELL, max);
  if (typeof cell === 'string') return rawTextCell(cell, max);
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

/** With the one space on either side that parts it from its neighbours. */
function spacedText(text: string, max: number): string {
  const before = text.startsWith(' ') ? ' ' : '';
  const after = text.endsWith(' ') ? ' ' : '';
  return `${before}${plainText(text, max - 2)}${after}`;
}
