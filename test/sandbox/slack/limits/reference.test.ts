/** The table of limits has every row and every number of the notes about the platform. */
import { describe, expect, it } from 'vitest';
import { LIMITS, RULES } from './all-limits.ts';
import type { LimitRow } from './limit-cases.ts';

/** Largest sizes by row, in the order of the notes; where notes and page differ, both are named. */
const NUMBERS: Readonly<Record<Exclude<LimitRow, 'beyond the notes'>, readonly number[]>> = {
  'blocks per message / modal / Home': [50, 100, 100],
  'sum of all blocks': [13_171],
  // A new message is cut at 40,000 characters (`chat.test.ts`); a longer update is refused.
  'message text': [4_000],
  markdown_text: [12_000],
  attachments: [100],
  'block_id / action_id': [255, 255],
  'text object': [3_000, 3_000],
  section: [3_000, 10, 2_000],
  header: [150],
  'context / actions / context_actions': [10, 25, 5],
  button: [75, 2_000, 3_000, 75],
  // The types say 75 for a value, the page 150.
  option: [75, 150, 75, 3_000],
  select: [100, 100, 100, 100, 75],
  'checkboxes, radio_buttons / overflow': [10, 10, 5],
  placeholder: [150],
  confirm: [100, 300, 30, 30],
  input: [2_000, 2_000],
  plain_text_input: [3_000],
  file_input: [10],
  image: [2_000, 2_000, 3_000],
  // The notes say 200, the page “less than 200”.
  video: [199],
  markdown: [12_000, 12_000],
  table: [100, 20, 20, 10_000, 1],
  // 100 rows and a header.
  data_table: [101, 20, 100, 1],
  // Title, segments, three times series, points, categories, three labels, charts.
  data_visualization: [50, 6, 6, 6, 6, 20, 20, 20, 20, 20, 2],
  'card, carousel': [150, 150, 200, 10],
  container: [150, 150, 10],
  // Its only number is the depth of a list.
  rich_text: [8],
  'title / submit / close': [24, 24, 24],
  private_metadata: [3_000],
  callback_id: [255],
  external_id: [255],
  stack: [3],
};
/** Rows without a number; triggers and hashes are tested in `views.test.ts`. */
const STATED: readonly LimitRow[] = [
  'markdown_text',
  'block_id / action_id',
  'section',
  'header',
  'button',
  'option',
  'select',
  'table',
  'data_table',
  'external_id',
  'title / submit / close',
];
const sorted = (numbers: readonly number[]) => numbers.toSorted((one, other) => one - other);

describe('the table of limits', () => {
  it.each(Object.entries(NUMBERS))('has the numbers of “%s”', (row, numbers) => {
    const found = LIMITS.filter((limit) => limit.row === row).flatMap(({ most }) => most ?? []);
    expect(sorted(found)).toEqual(sorted(numbers));
  });

  it.each(STATED)('has a rule for “%s”', (row) => {
    expect(RULES.map((rule) => rule.row)).toContain(row);
  });

  it('names the source of every number', () => {
    for (const { source } of [...LIMITS, ...RULES])
      expect(source).toMatch(/^https:\/\/(docs\.slack\.dev|github\.com)\/./);
  });

  it('has no two rows of one name', () => {
    const names = LIMITS.map(({ what }) => what);
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  });
});
