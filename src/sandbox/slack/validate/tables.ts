/** Table blocks (docs.slack.dev/reference/block-kit/blocks/table-block, data-table-block). */
import { fieldsOf } from '../json.ts';
import { type Problem, problem } from './problem.ts';
import { richText } from './rich-text.ts';
import {
  byType,
  flag,
  integer,
  items,
  number,
  oneOf,
  type Rule,
  type Rules,
  shape,
  text,
  unsupported,
} from './rule.ts';

const COLUMNS = 20;
const CELLS: Rules = {
  raw_text: shape({ type: oneOf('raw_text'), text: text({ min: 1, max: 10_000 }) }),
  raw_number: shape({ type: oneOf('raw_number'), value: number, text: text({ min: 1, max: 10_000 }) }),
  rich_text: richText,
};
const row = items(
  byType(() => CELLS),
  { max: COLUMNS },
);
const settings = shape({}, { align: oneOf('left', 'center', 'right'), is_wrapped: flag });
const setting: Rule = (value, pointer) => (value === null ? [] : settings(value, pointer));

export function table(base: Rules): Rule {
  return shape(
    { rows: items(row, { max: 100 }) },
    { ...base, column_settings: items(setting, { max: COLUMNS }) },
  );
}

/** The documentation says a header and up to 100 rows; later notes of others say 200. The lower is safe. */
export function dataTable(base: Rules): Rule {
  return shape(
    { caption: text({ min: 1, max: 3_000 }), rows: items(row, { min: 2, max: 101 }) },
    { ...base, page_size: integer(1, 100), row_header_column_index: integer(0, COLUMNS - 1) },
    evenRows,
    plainHeader,
    knownColumn,
  );
}

type Cells = readonly (readonly unknown[])[];

function rowsOf(value: unknown): Cells {
  const { rows } = fieldsOf(value);
  return Array.isArray(rows) ? rows.filter((cells: unknown) => Array.isArray(cells)) : [];
}

const evenRows: Rule = (value, pointer) => {
  const widths = new Set(rowsOf(value).map((cells) => cells.length));
  return widths.size > 1 ? problem(`${pointer}/rows`, 'all rows must have the same number of cells') : [];
};

const plainHeader: Rule = (value, pointer) =>
  (rowsOf(value)[0] ?? []).flatMap((cell, index): readonly Problem[] =>
    fieldsOf(cell)['type'] === 'rich_text'
      ? unsupported(`${pointer}/rows/0/${index}/type`, 'rich_text', ['raw_text', 'raw_number'])
      : [],
  );

const knownColumn: Rule = (value, pointer) => {
  const index = fieldsOf(value)['row_header_column_index'];
  const columns = rowsOf(value)[0]?.length ?? 0;
  return typeof index === 'number' && index >= columns
    ? problem(`${pointer}/row_header_column_index`, `must be at most ${columns - 1}`)
    : [];
};
