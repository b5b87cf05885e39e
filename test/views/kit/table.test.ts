import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { registry } from '../../../src/commands/index.ts';
import { instant } from '../../../src/lib/clock.ts';
import { deviceId, personId } from '../../../src/lib/ids.ts';
import { section } from '../../../src/views/kit/blocks.ts';
import { readSortBlockId } from '../../../src/views/kit/buttons.ts';
import { trustedMrkdwn } from '../../../src/views/kit/escape.ts';
import { LIMIT } from '../../../src/views/kit/limits.ts';
import { buildMessage, jsonSize, type RichWithFallback } from '../../../src/views/kit/message.ts';
import { inputWithResult, SORT_ORDERS, sortMenu } from '../../../src/views/kit/pager.ts';
import { type CellContent, type Column, renderTable } from '../../../src/views/kit/table.ts';
import { type DevicesRow, type Paging, renderView, type View } from '../../../src/views/views.ts';
import { testPorts } from '../../commands/harness/ports.ts';
import { aDevice, START } from '../../harness/builders.ts';
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

function listOf(rows: readonly DevicesRow[], over: Partial<Paging> = {}): View {
  const paging = { command: 'devices', input: { words: [] }, page: 1, pages: 3, total: 30, asOf: START };
  return { kind: 'devices', title: 'web', rows, unlisted: 0, paging: { ...paging, ...over } };
}
const GONE = { device: null, id: deviceId(7) } as const;
const words = (view: View) => JSON.stringify(renderView(view).blocks);

describe('the end of a list', () => {
  it('has buttons that carry the cached rows, and a menu and a refresh that read again', () => {
    const { blocks } = renderView(listOf([GONE], { result: 'k1' }));
    const row = blocks.at(-1);
    const elements = row?.['elements'] as readonly { readonly action_id: string; readonly value?: string }[];
    const carried = elements.map(({ action_id, value }) => [action_id, JSON.parse(value ?? 'null')?.input]);
    expect(carried).toEqual([
      ['page:prev', { words: [], result: 'k1' }],
      ['page:next', { words: [], result: 'k1' }],
      ['refresh', { words: [], refresh: true }],
      ['sort', undefined],
    ]);
    expect(row?.block_id).not.toContain('k1');
  });

  it('leaves the count to the top of the list', () => {
    expect(words(listOf([GONE]))).toContain('"Page 2 of 3, as of ');
    expect(words(listOf([GONE], { page: 0, pages: 1 }))).toContain('"As of ');
  });

  it.each([
    ['words', '`/fleet devices web`', { root: '/fleet', text: 'devices web' }],
    ['another root', '`/pb devices web`', { root: '/pb', text: 'devices web' }],
  ])('says what to type: %s', (_what, shown, line) => {
    expect(words(listOf([GONE], { line }))).toContain(`Command: ${shown}`);
  });

  it.each([
    ['would be cut', 'x'.repeat(601)],
    ['holds what ends its frame', 'devices a`b'],
  ])('says nothing to type that %s', (_what, text) => {
    expect(words(listOf([GONE], { line: { root: '/fleet', text } }))).not.toContain('Command:');
  });

  it.each([
    ['gone', 'This list expired and was reloaded.'],
    ['others', 'That list was someone else’s, so it was reloaded for you.'],
    ['rights', 'What you may see has changed, so this list was reloaded.'],
  ] as const)('says that a list was read again, and why: %s', (refreshReason, why) => {
    const said = words(listOf([GONE], { refreshReason }));
    expect(said).toContain(why);
    expect(said).toContain('reloaded');
    expect(words(listOf([GONE]))).not.toContain('reloaded');
  });

  it('keeps Slack’s limits whatever is typed, and however many devices are gone', () => {
    const row = fc.oneof(
      fc.constant<DevicesRow>(GONE),
      fc.string().map((name) => ({ device: aDevice({ name }), groupName: name })),
    );
    const over = fc.record({
      input: fc.record({ words: fc.array(fc.string({ unit: 'binary', maxLength: 200 }), { maxLength: 9 }) }),
      line: fc.record({ root: fc.constant('/fleet'), text: fc.string({ unit: 'binary', maxLength: 900 }) }),
      result: fc.constant('k1'),
      anew: fc.constantFrom('gone', 'others', 'rights'),
    });
    fc.assert(
      fc.property(fc.array(row, { maxLength: 60 }), over, (rows, more) => {
        expect(brokenRules(renderView(listOf(rows, more)))).toEqual([]);
      }),
    );
    expect(brokenRules(renderView(listOf(Array(10_000).fill(GONE))))).toEqual([]);
  });

  it('carries nothing but the question where nothing is kept', () => {
    expect(inputWithResult({ input: { a: 1 } })).toEqual({ a: 1 });
    expect(inputWithResult({ input: { a: 1 }, result: 'k' })).toEqual({ a: 1, result: 'k' });
  });
});

const INPUTS: Readonly<Record<string, object>> = {
  devices: { words: ['web'], filters: [] },
  missing: { sought: { kind: 'package', name: 'openssl' }, group: null },
  packages: { device: 12, words: [], filters: [], sort: null },
};

function paging(command: string, input: unknown, pages = 2): Paging {
  return { command, input, result: 'k', page: 1, pages, total: 20, asOf: START };
}
function menuOf(command: string, input: unknown = INPUTS[command]) {
  const found = sortMenu(paging(command, input));
  if (found === null) throw new Error('no menu');
  return found;
}
const optionsOf = (command: string) =>
  menuOf(command).menu['options'] as readonly { readonly value: string }[];

describe('the menu of orders', () => {
  const all = Object.entries(SORT_ORDERS).flatMap(([command, orders]) =>
    orders.map((order) => [command, order.label, order.sort] as const),
  );

  it.each(all)('offers %s by %s, as the command takes it', async (command, _label, sort) => {
    const { ports } = testPorts({ devices: [aDevice({ id: deviceId(12) })] });
    const pressed = readSortBlockId(menuOf(command).block, JSON.stringify(sort));
    if (pressed?.do !== 'run') throw new Error('not a list');
    expect(pressed).toEqual({ do: 'run', command, input: { ...INPUTS[command], sort } });
    const found = registry.find(command);
    if (found?.kind !== 'read') throw new Error('no such command');
    const view = await found.run(pressed.input, 0, ports);
    expect(view).toMatchObject({ kind: command, paging: { input: { sort } } });
  });

  it.each(Object.keys(SORT_ORDERS))('reads %s again instead of the cached rows', (command) => {
    expect(menuOf(command).block).not.toContain('result');
    expect(optionsOf(command).length).toBeGreaterThan(2);
  });

  it('shows the order that the list has', () => {
    const sort = { by: 'seen', reversed: true };
    const { menu } = menuOf('devices', { ...INPUTS['devices'], sort });
    expect(menu['initial_option']).toMatchObject({ value: JSON.stringify(sort) });
    expect(menuOf('devices').menu).not.toHaveProperty('initial_option');
  });

  it.each([
    ['missing', INPUTS['missing'], 'Sorted by name'],
    ['packages', INPUTS['packages'], 'Sorted by state, then severity'],
    ['devices', { words: [], filters: [] }, 'Sorted by name'],
    ['devices', INPUTS['devices'], 'Sorted by best match'],
  ])('says how %s of %j are sorted while nobody chose: %s', (command, input, words) => {
    expect(menuOf(command, input).menu['placeholder']).toMatchObject({ text: words });
  });

  it.each([
    ['one page', paging('devices', INPUTS['devices'], 1)],
    ['a list without orders', paging('events', {})],
    ['a question longer than a block can carry', paging('devices', { words: ['x'.repeat(LIMIT.blockId)] })],
  ])('is not there for %s', (_what, of) => {
    expect(sortMenu(of)).toBeNull();
  });

  it.each([
    ['no block', '', '"name"'],
    ['a block of another kind', '{"do":"device","device":1}', '"name"'],
    ['a block without a list', '{"do":"run","command":"devices","input":7}', '"name"'],
  ])('reads nothing from %s', (_what, block, chosen) => {
    expect(readSortBlockId(block, chosen)).toBeNull();
  });
});
