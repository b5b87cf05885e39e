/**
 * Tables: Slack's own in messages, and lines of text where it draws none
 * (docs.slack.dev/reference/block-kit/blocks/table-block).
 */
import type { Instant } from '../../clock.ts';
import type { PersonId } from '../../ids.ts';
import type { Block } from '../model.ts';
import { context } from './blocks.ts';
import { type Mrkdwn, plain } from './escape.ts';
import { LIMIT, SHOWN } from './limits.ts';
import { isPerson } from './mentions.ts';
import { type Richer, size } from './message.ts';
import { dateOf, utc } from './when.ts';

/** Text as it is, and what each reader's client draws. */
export type Piece = string | { readonly at: Instant } | { readonly person: PersonId };
/** Null: there is nothing to say. Nothing in a cell is markup, so nothing in it mentions or links by itself. */
export type Cell = string | readonly Piece[] | null;

export type Column<Row> = {
  readonly title: string;
  readonly cell: (row: Row) => Cell;
  /** Numbers stand right. */
  readonly align?: 'right';
  /** Long text is wrapped, so that the other columns stay in sight. */
  readonly wraps?: true;
  /** Of the text of a cell; {@link SHOWN.label} unless said. */
  readonly max?: number;
};

export type TableOptions<Row> = {
  /** The first tells what a row is about. Those without anything in them are left out. */
  readonly columns: readonly Column<Row>[];
  /** The rows where there are no tables. */
  readonly instead: readonly Block[];
  /** What stands below the table alone, such as buttons that lines have beside them. */
  readonly below?: readonly Block[];
  readonly more: (left: number) => Mrkdwn;
};

/** Characters of a table as JSON. */
const BUDGET = 8_000;
const NOTHING = '–';

/** A time as each reader's client draws it. */
export function timeCell(at: Instant | null): Cell {
  return at === null ? null : [{ at }];
}

/** Rows as a table; what does not fit into it is counted. */
export function table<Row>(
  rows: readonly Row[],
  { columns, instead, below = [], more }: TableOptions<Row>,
): Richer {
  const shown = columns
    .filter(({ cell }, at) => at === 0 || rows.some((row) => !isEmpty(cell(row))))
    .slice(0, LIMIT.tableColumns);
  const rich = (room: number): readonly Block[] => {
    const { blocks, taken } = drawn(rows, shown, room - size(below));
    if (taken === 0) return instead;
    const left = rows.length - taken;
    return [...blocks, ...(left === 0 ? [] : [context(more(left))]), ...below];
  };
  return { rich, plain: instead };
}

/** As many rows as there is room for. */
function drawn<Row>(rows: readonly Row[], columns: readonly Column<Row>[], room: number) {
  const head = columns.map(({ title }) => rawText(title, SHOWN.label));
  const settings = columns.map(({ align = 'left', wraps = false }) => ({ align, is_wrapped: wraps }));
  const body: (readonly object[])[] = [];
  const block = (): Block => ({ type: 'table', column_settings: settings, rows: [head, ...body] });
  let left = Math.min(room, BUDGET, LIMIT.tableText) - size([block()]);
  for (const row of rows.slice(0, LIMIT.tableRows - 1)) {
    const cells = columns.map(({ cell, max = SHOWN.label }) => cellBlock(cell(row), max));
    // With the comma that parts it from the row before.
    left -= JSON.stringify(cells).length + 1;
    if (left < 0) break;
    body.push(cells);
  }
  return { blocks: [block()], taken: body.length };
}

function cellBlock(cell: Cell, max: number): object {
  if (isEmpty(cell)) return rawText(NOTHING, max);
  if (typeof cell === 'string') return rawText(cell, max);
  const elements = cell.map((piece) => pieceElement(piece, max));
  return { type: 'rich_text', elements: [{ type: 'rich_text_section', elements }] };
}

function isEmpty(cell: Cell): cell is null | '' {
  return cell === null || cell.length === 0;
}

function rawText(text: string, max: number): object {
  return { type: 'raw_text', text: plain(text, max) };
}

/** docs.slack.dev/reference/block-kit/blocks/rich-text-block */
function pieceElement(piece: Piece, max: number): object {
  if (typeof piece === 'string') return { type: 'text', text: spaced(piece, max) };
  if ('person' in piece) {
    return isPerson(piece.person)
      ? { type: 'user', user_id: piece.person }
      : { type: 'text', text: plain(piece.person, max) };
  }
  const date = dateOf(piece.at);
  return date === null ? { type: 'text', text: utc(piece.at) } : { type: 'date', ...date };
}

/** With the one space on either side that parts it from its neighbours. */
function spaced(text: string, max: number): string {
  const before = text.startsWith(' ') ? ' ' : '';
  const after = text.endsWith(' ') ? ' ' : '';
  return `${before}${plain(text, max - 2)}${after}`;
}
