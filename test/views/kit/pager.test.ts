import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { registry } from '../../../src/commands/index.ts';
import { deviceId } from '../../../src/lib/ids.ts';
import { readSortBlockId } from '../../../src/views/kit/buttons.ts';
import { LIMIT } from '../../../src/views/kit/limits.ts';
import { inputWithResult, SORT_ORDERS, sortMenu } from '../../../src/views/kit/pager.ts';
import type { DevicesRow, Paging, View } from '../../../src/views/model.ts';
import { renderView } from '../../../src/views/views.ts';
import { testPorts } from '../../commands/harness/ports.ts';
import { aDevice, START } from '../../harness/builders.ts';
import { brokenRules } from '../slack-message-rules.ts';

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
