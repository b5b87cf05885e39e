/** Table blocks (docs.slack.dev/reference/block-kit/blocks/table-block, data-table-block). */
import { fieldsOf } from '../json.ts';
import { richText } from './rich-text.ts';
import {
  byType,
  flag,
  integer,
  items,
  number,
  oneOf,
  problem,
  type Rule,
  type Rules,
  shape,
  text,
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

/** The documentation says a header and up to 100 rows; later notes of others say 201. The lower is safe. */
export function dataTable(base: Rules): Rule {
  return shape(
    { caption: text({ min: 1, max: 3_000 }), rows: items(row, { min: 2, max: 101 }) },
    { ...base, page_size: integer(1, 100), row_header_column_index: integer(0, COLUMNS - 1) },
    evenRows,
  );
}

const evenRows: Rule = (value, pointer) => {
  const rows = fieldsOf(value)['rows'];
  const widths = new Set(
    Array.isArray(rows) ? rows.map((cells: unknown) => (Array.isArray(cells) ? cells.length : 0)) : [],
  );
  return widths.size > 1 ? problem(`${pointer}/rows`, 'all rows must have the same number of cells') : [];
};
