import { describe, expect, it } from 'vitest';
import { registry } from '../../../src/commands/index.ts';
import { deviceId } from '../../../src/lib/ids.ts';
import { readSortBlockId } from '../../../src/views/kit/button-value.ts';
import { LIMIT } from '../../../src/views/kit/limits.ts';
import { SORT_ORDERS, sortMenu } from '../../../src/views/kit/pager.ts';
import type { Paging } from '../../../src/views/model.ts';
import { testPorts } from '../../commands/harness/ports.ts';
import { aDevice, START } from '../../harness/builders.ts';

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
