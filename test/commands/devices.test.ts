import { describe, expect, it } from 'vitest';
import { devicesCommand } from '../../src/commands/devices.ts';
import { deviceId, groupId } from '../../src/lib/ids.ts';
import { renderView, viewForChannel } from '../../src/views/views.ts';
import { aDevice, aGroup } from '../harness/builders.ts';
import { renderedText } from '../views/rendered-text.ts';
import { fleet, groups, runList } from './harness/listed-fleet.ts';
import { testPorts } from './harness/ports.ts';

async function names(text: string): Promise<readonly string[]> {
  const view = await runList(text);
  if (view.kind !== 'devices') throw new Error(JSON.stringify(view));
  return view.rows.map(({ device }) => device?.name ?? 'gone');
}

describe('devices: which are listed', () => {
  it.each([
    [
      'everything, in the order of names and their numbers',
      '',
      ['WIN-1', 'lost', 'web-01', 'web-02', 'web-10'],
    ],
    ['by a part of the name', 'WEB', ['web-01', 'web-02', 'web-10']],
    ['by every word', 'web 0', ['web-01', 'web-02', 'web-10']],
    ['by a custom name', '"front desk"', ['WIN-1']],
    ['by an id', '#77', ['lost']],
    ['by either of two names', 'web-01,lost', ['lost', 'web-01']],
    ['by either of two names, however the comma stands', 'web-01 ,, "front desk",', ['WIN-1', 'web-01']],
    ['by a group with its subgroups', 'group:"linux servers"', ['web-01', 'web-02', 'web-10']],
    ['by either of two groups', 'group:front group:Windows', ['WIN-1', 'web-01']],
    ['by either of two groups in quotes', 'group:"front","Windows"', ['WIN-1', 'web-01']],
    ['by the default group itself', 'group:default', ['lost']],
    ['by what is not in a group', '-group:"Linux servers"', ['WIN-1', 'lost']],
    ['by a family of systems', 'os:windows', ['WIN-1']],
    ['by a part of a system with its version', 'os:"11 pro 23h2"', ['WIN-1']],
    ['by a system as it is shown', 'os:"windows 11 pro"', ['WIN-1']],
    ['by either of two systems', 'os:windows os:ubuntu is:offline', ['web-10']],
    ['by a tag, whatever its case', 'tag:web', ['web-01']],
    ['by a tag with a space', 'tag:“two words”', ['WIN-1']],
    ['by all of two tags', 'tag:critical tag:web', []],
    ['by a need to reboot', 'is:needs-reboot', ['WIN-1', 'lost', 'web-01']],
    ['by being online', 'web is:online', ['web-01']],
    ['by being offline, which is not the same as not stated', 'is:offline', ['web-10']],
    ['by being known not to be online', '-is:online', ['web-10']],
    ['by pending patches', '-is:pending', ['WIN-1']],
    ['by any available patch', '-is:patches-available', ['web-10']],
    ['by failing to comply', '-is:noncompliant', ['WIN-1']],
    ['by an exception', 'is:exception', ['WIN-1']],
    ['by wanting attention', 'is:attention', ['WIN-1']],
    ['by several filters at once', 'group:"Linux servers" is:needs-reboot', ['web-01']],
  ])('lists %s', async (_what, text, expected) => {
    expect((await names(text)).toSorted()).toEqual(expected.toSorted());
  });

  it.each([
    ['deploy', ['user deploy']],
    ['web DEPLOY', ['user deploy']],
    ['user:depl', ['user deploy']],
    ['203.0.113.10', ['203.0.113.10']],
    ['ip:10.0.0.0/8', ['10.0.0.10']],
    ['1001', ['serial number sn-1001']],
    ['user:deploy serial:1001', ['user deploy', 'serial number sn-1001']],
    ['web-01', []],
    ['lost or web', []],
    ['lost -user:anna', []],
  ])('shows what “%s” found beside the names: %j', async (text, parts) => {
    const view = await runList(text);
    const found = renderedText(renderView(view)).match(/\n(?:user |serial number |\d+\.).*/)?.[0] ?? '';
    expect(
      found
        .trim()
        .split(' · ')
        .filter((part) => part !== ''),
    ).toEqual(parts);
    const shared = viewForChannel(view);
    expect(shared && JSON.stringify(renderView(shared).blocks)).not.toMatch(/user deploy|sn-1001|\d\.0\./);
  });

  it('sorts by the name that people know, numbers by their value', async () => {
    // WIN-1 has the custom name Front desk.
    expect(await names('')).toEqual(['WIN-1', 'lost', 'web-01', 'web-02', 'web-10']);
  });

  it('ends for groups that are each other’s ancestors', async () => {
    const ring = [
      aGroup({ id: groupId(40), name: 'A', parentId: groupId(41) }),
      aGroup({ id: groupId(41), name: 'B', parentId: groupId(40) }),
    ];
    const inB = aDevice({ groupId: groupId(41) });
    const input = { words: [], filters: [{ key: 'group', value: 'A', negated: false }] };
    const { ports } = testPorts({ devices: [inB], groups: ring });
    expect(await devicesCommand.run(input, 0, ports)).toMatchObject({
      kind: 'devices',
      rows: [{ groupName: 'B' }],
    });
  });

  it('says how many devices could not be listed', async () => {
    const { ports } = testPorts({ devices: fleet, groups, unlisted: { unreadable: 1, shortfall: 2 } });
    expect(await devicesCommand.run({ words: [], filters: [] }, 0, ports)).toMatchObject({ unlisted: 3 });
  });

  it('shows commas between names as “or”', async () => {
    expect(await runList('web-01, #77,lost is:online')).toMatchObject({
      title: 'web-01 or #77 or lost is:online',
    });
  });

  it('shows how it read the line', async () => {
    expect(await runList('web -is:online group:“Linux servers”')).toMatchObject({
      title: 'web -is:online group:"Linux servers"',
    });
  });
});

describe('devices: pages', () => {
  const many = Array.from({ length: 25 }, (_, at) => aDevice({ id: deviceId(at + 1), name: `pc-${at + 1}` }));
  const page = async (at: number) => {
    const view = await devicesCommand.run(
      { words: [], filters: [] },
      at,
      testPorts({ devices: many, groups }).ports,
    );
    if (view.kind !== 'devices') throw new Error(view.kind);
    return { first: view.rows[0]?.device?.name, rows: view.rows.length, paging: view.paging };
  };

  it.each([
    ['the first', 0, { first: 'pc-1', rows: 10, paging: { page: 0, pages: 3, total: 25 } }],
    ['the last', 2, { first: 'pc-21', rows: 5, paging: { page: 2, pages: 3, total: 25 } }],
    ['one past the end', 9, { first: 'pc-21', rows: 5, paging: { page: 2, pages: 3, total: 25 } }],
    ['one before the beginning', -1, { first: 'pc-1', rows: 10, paging: { page: 0, pages: 3, total: 25 } }],
    ['none that is a number', Number.NaN, { first: 'pc-1', rows: 10, paging: { page: 0 } }],
  ])('shows %s', async (_what, at, expected) => {
    expect(await page(at)).toMatchObject(expected);
  });

  it('carries the query for another page', async () => {
    expect(await runList('web is:online')).toMatchObject({
      paging: {
        command: 'devices',
        input: { words: ['web'], filters: [{ key: 'is', value: 'online', negated: false }] },
      },
    });
  });
});
