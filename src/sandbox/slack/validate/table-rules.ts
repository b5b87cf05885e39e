/** Table blocks (docs.slack.dev/reference/block-kit/blocks/table-block, data-table-block). */
import { asJsonObject } from '../core/json-object.ts';
import { button } from './element-rules.ts';
import { richTextRule } from './rich-text-rules.ts';
import {
  booleanRule,
  byTypeRule,
  integerRule,
  listRule,
  numberRule,
  objectRule,
  oneOfRule,
  pickRules,
  textRule,
  unsupported,
  type ValidationRule,
  type ValidationRules,
} from './rule-builders.ts';
import { type ValidationProblem, validationProblem } from './validation-problem.ts';

const COLUMNS = 20;
const CELLS: ValidationRules = {
  raw_text: objectRule({ type: oneOfRule('raw_text'), text: textRule({ min: 1, max: 20_000 }) }),
  raw_number: objectRule({
    type: oneOfRule('raw_number'),
    value: numberRule,
    text: textRule({ min: 1, max: 10_000 }),
  }),
  rich_text: richTextRule,
};
const PLAIN_CELLS = ['raw_text', 'raw_number'];
const plainCell = byTypeRule(() => pickRules(CELLS, PLAIN_CELLS));
/** slack-morphism 2.30, SlackDataTableActionCell; docs.rs/slack-web-api 0.2.1, ActionCell: data tables only. */
const actionCell = objectRule(
  { type: oneOfRule('action_cell'), element: byTypeRule(() => ({ button })) },
  { fallback: plainCell },
);
const rowOf = (cells: ValidationRules) =>
  listRule(
    byTypeRule(() => cells),
    { max: COLUMNS },
  );
const row = rowOf(CELLS);
const dataRow = rowOf({ ...CELLS, action_cell: actionCell });
// Slack's client for Python has null for a column to skip, and the real one refuses it.
const setting = objectRule({}, { align: oneOfRule('left', 'center', 'right'), is_wrapped: booleanRule });

export function tableRule(base: ValidationRules): ValidationRule {
  return objectRule(
    { rows: listRule(row, { max: 100 }) },
    { ...base, column_settings: listRule(setting, { max: COLUMNS }) },
  );
}

/** The stored page says a header and up to 100 rows; the real validator accepts 200 (slackblocks, spec/limits.json). */
export function dataTableRule(base: ValidationRules): ValidationRule {
  return objectRule(
    { caption: textRule({ min: 1, max: 3_000 }), rows: listRule(dataRow, { min: 2, max: 201 }) },
    { ...base, page_size: integerRule(1, 100), row_header_column_index: integerRule(0, COLUMNS - 1) },
    evenRows,
    plainHeader,
    knownColumn,
  );
}

type Cells = readonly (readonly unknown[])[];

function rowsOf(value: unknown): Cells {
  const { rows } = asJsonObject(value);
  return Array.isArray(rows) ? rows.filter((cells: unknown) => Array.isArray(cells)) : [];
}

const evenRows: ValidationRule = (value, pointer) => {
  const widths = new Set(rowsOf(value).map((cells) => cells.length));
  return widths.size > 1
    ? validationProblem(`${pointer}/rows`, 'all rows must have the same number of cells')
    : [];
};

/** No source has a button in a header either. */
const plainHeader: ValidationRule = (value, pointer) =>
  (rowsOf(value)[0] ?? []).flatMap((cell, index): readonly ValidationProblem[] => {
    const { type } = asJsonObject(cell);
    return type === 'rich_text' || type === 'action_cell'
      ? unsupported(`${pointer}/rows/0/${index}/type`, type, PLAIN_CELLS)
      : [];
  });

const knownColumn: ValidationRule = (value, pointer) => {
  const index = asJsonObject(value)['row_header_column_index'];
  const columns = rowsOf(value)[0]?.length ?? 0;
  return typeof index === 'number' && index >= columns
    ? validationProblem(`${pointer}/row_header_column_index`, `must be less than ${columns - 1}`)
    : [];
};
