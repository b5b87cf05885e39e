import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { instant } from '../../../src/lib/clock.ts';
import { personId } from '../../../src/lib/ids.ts';
import { section } from '../../../src/views/kit/blocks.ts';
import { trustedMrkdwn } from '../../../src/views/kit/escape.ts';
import { buildMessage, jsonSize, type RichWithFallback } from '../../../src/views/kit/message.ts';
import { type CellContent, type Column, renderTable } from '../../../src/views/kit/table.ts';
import { START } from '../../harness/builders.ts';
import { brokenRules } from '../slack-message-rules.ts';

type Row = readonly CellContent[];
const INSTEAD = [section(trustedMrkdwn('lines'))];
const more = (left: number) => trustedMrkdwn(`${left} more did not fit.`);
const columnsOf = (titles: readonly string[]): readonly Column<Row>[] =>
  titles.map((title, at) => ({ title, cell: (row) => row[at] ?? null }));
const tableOf = (rows: readonly Row[], titles: readonly string[]): RichWithFallback =>
  renderTable(rows, { columns: columnsOf(titles), fallback: INSTEAD, more });
const ROOM = 9_000;

/** The texts of its cells; other cells as their element. */
function cells(drawn: RichWithFallback): unknown {
  const rows: unknown = drawn.rich(ROOM).find(({ type }) => type === 'table')?.['rows'];
  if (!Array.isArray(rows)) return null;
  return rows.map((row: readonly { readonly type: string; readonly text?: string }[]) =>
    row.map(({ type, text }) => (type === 'raw_text' ? text : type)),
  );
}

describe('a table', () => {
  it('has a head, a row for each row, and a mark where there is nothing', () => {
    expect(
      cells(
        tableOf(
          [
            ['a', '1'],
            ['b', null],
            ['', '2'],
          ],
          ['Name', 'Count'],
        ),
      ),
    ).toEqual([
      ['Name', 'Count'],
      ['a', '1'],
      ['b', '–'],
      ['–', '2'],
    ]);
  });

  it('leaves out columns that are empty in every row, but never the first', () => {
    expect(cells(tableOf([[null, null, 'x']], ['Name', 'Empty', 'Full']))).toEqual([
      ['Name', 'Full'],
      ['–', 'x'],
    ]);
  });

  it('sets numbers right and wraps what is long', () => {
    const columns: readonly Column<Row>[] = [
      { title: 'Name', cell: ([name = null]) => name, wraps: true },
      { title: 'Count', cell: ([, number = null]) => number, align: 'right' },
    ];
    const [block] = renderTable([['a', '1']], { columns, fallback: INSTEAD, more }).rich(ROOM);
    expect(block?.['column_settings']).toEqual([
      { align: 'left', is_wrapped: true },
      { align: 'right', is_wrapped: false },
    ]);
  });

  it('cuts a long text with a mark', () => {
    expect(cells(tableOf([['x'.repeat(200)]], ['Name']))).toEqual([['Name'], [`${'x'.repeat(59)}…`]]);
  });

  it('lets each reader’s client draw times and people, and shows what is neither as text', () => {
    const row: Row = [
      [{ at: START }, ' by ', { person: personId('UOPERATOR') }],
      [{ at: instant(Number.NaN) }],
    ];
    const [block] = tableOf([row], ['When', 'Then']).rich(ROOM);
    expect(JSON.stringify(block?.['rows'])).toContain(
      `{"type":"text","text":" by "},{"type":"user","user_id":"UOPERATOR"}`,
    );
    expect(JSON.stringify(block?.['rows'])).toContain(`{"type":"date","timestamp":${START / 1_000},`);
    expect(JSON.stringify(block?.['rows'])).toContain('an unknown time');
    expect(JSON.stringify(tableOf([[[{ person: personId('<!here>') }]]], ['Who']).rich(ROOM))).not.toContain(
      '"user"',
    );
  });

  it('says how many rows did not fit', () => {
    const rows = Array.from({ length: 10_000 }, (_, at) => [`device ${at}`]);
    const [block, note] = tableOf(rows, ['Name']).rich(ROOM);
    const shown = Array.isArray(block?.['rows']) ? block['rows'].length - 1 : 0;
    expect(shown).toBe(99);
    expect(JSON.stringify(note)).toContain('9901 more did not fit.');
  });

  it('becomes lines where there is no room for a row', () => {
    expect(tableOf([['a']], ['Name']).rich(50)).toEqual(INSTEAD);
  });

  it('keeps to the room that it is given, with what stands below it', () => {
    const below = [section(trustedMrkdwn('x'.repeat(500)))];
    const columns = columnsOf(['Name']);
    const rows = Array.from({ length: 90 }, () => ['y'.repeat(50)]);
    const drawn = renderTable(rows, { columns, fallback: INSTEAD, below, more }).rich(3_000);
    expect(drawn.at(-1)).toEqual(below[0]);
    // The line that counts the remaining rows needs room in the message.
    expect(jsonSize(drawn.filter(({ type }) => type !== 'context'))).toBeLessThanOrEqual(3_000);
  });

  it('keeps Slack’s rules in a message, whatever is in it', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 300 }),
      fc.constantFrom('<!channel>', '"'.repeat(3_000), '😀'.repeat(90), '\u202E\u0000', ' ', '&lt;', '<@U1>'),
    );
    const cell = fc.oneof(
      text,
      fc.constant(null),
      text.map((one): CellContent => [{ at: START }, one === '' ? 'x' : one, { person: personId(one) }]),
    );
    const width = 6;
    const rows = fc.array(fc.array(cell, { minLength: width, maxLength: width }), { maxLength: 120 });
    fc.assert(
      fc.property(rows, (given) => {
        const titles = Array.from({ length: width }, (_, at) => `Column ${at}`);
        expect(
          brokenRules(buildMessage({ text: trustedMrkdwn('A table.'), body: [tableOf(given, titles)] })),
        ).toEqual([]);
      }),
      { numRuns: 60 },
    );
  }, 60_000);
});

describe('a message with a table', () => {
  it('has a plain form beside it', () => {
    const drawn = buildMessage({
      text: trustedMrkdwn('A table.'),
      body: [tableOf([['a']], ['Name'])],
      footer: INSTEAD,
    });
    expect(drawn.blocks.map(({ type }) => type)).toEqual(['table', 'section']);
    expect(drawn.plain).toEqual([...INSTEAD, ...INSTEAD]);
  });

  it('has no second form where there is nothing to leave out', () => {
    expect(buildMessage({ text: trustedMrkdwn('Words.'), body: INSTEAD })).not.toHaveProperty('plain');
  });
});
