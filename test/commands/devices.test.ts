import { describe, expect, it } from 'vitest';
import { devicesCommand } from '../../src/commands/devices.ts';
import { deviceId, groupId } from '../../src/lib/ids.ts';
import { renderView, type View, viewForChannel } from '../../src/views/views.ts';
import { aDevice, aGroup } from '../harness/builders.ts';
import { renderedText } from '../views/rendered-text.ts';
import { testPorts } from './harness/ports.ts';
import { inputOf, lineWords, planLine, runCommand } from './harness/typed-line.ts';

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
    const rows = [{ groupName: 'B' }];
    expect(await devicesCommand.run(input, 0, ports)).toMatchObject({ kind: 'devices', rows });
  });

  it('says how many devices could not be listed', async () => {
    const { ports } = testPorts({ devices: fleet, groups, unlisted: { unreadable: 1, shortfall: 2 } });
    expect(await devicesCommand.run({ words: [], filters: [] }, 0, ports)).toMatchObject({ unlisted: 3 });
  });

  it('shows commas between names as “or”', async () => {
    const expected = { title: 'web-01 or #77 or lost is:online' };
    expect(await runList('web-01, #77,lost is:online')).toMatchObject(expected);
  });

  it('shows how it read the line', async () => {
    const expected = { title: 'web -is:online group:"Linux servers"' };
    expect(await runList('web -is:online group:“Linux servers”')).toMatchObject(expected);
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

describe('devices: bad input', () => {
  const unknown = (word: string, ...nearest: readonly string[]) => ({ kind: 'unknown-word', word, nearest });
  const bad = (word: string, expected: unknown) => ({ kind: 'bad-value', word, expected });
  const orders = ['name', 'group', 'seen', 'pending', 'os'].map((by) => `sort:${by}`);
  const address = 'an IP address, the start of one such as 10.1., or a network such as 10.1.0.0/16';
  const oneOrder = 'one sort order, without “or”';
  const manyTags = `-tag:${'b,'.repeat(25)}b`;

  it.each<[string, string, object]>([
    [
      'a CVE, by which no device is found',
      'CVE-2024-6387',
      bad('CVE-2024-6387', expect.stringContaining('missing CVE-…')),
    ],
    ['the severity of packages', 'severity:critical', unknown('severity:critical', 'missing:critical')],
    ['an unknown filter', 'grp:x', unknown('grp:x', 'group:')],
    ['a filter that is nearly one', 'serail:x', unknown('serail:x', 'serial:')],
    ['an order of nothing', 'sort:size', unknown('sort:size', ...orders)],
    ['a slip among several conditions', 'is:online,ofline', unknown('is:ofline', 'is:offline', 'is:online')],
    ['an address that is none', 'ip:web', bad('ip:web', address)],
    ['a comma without a value', 'tag:a,', bad('tag:a,', 'a value on both sides of a comma')],
    ['two orders', 'sort:os sort:name', bad('sort:name', oneOrder)],
    ['an order beside an or', 'os:a or sort:name', bad('sort:name', oneOrder)],
    [
      'a list that is negated beside an or',
      '-tag:a,b or os:x',
      bad('-tag:a,b', 'one value when “-” and “or” are combined'),
    ],
    ...['or', 'web or', 'or web', 'web or or db', 'web or os:x', 'os:x or web', 'os:x or'].map(
      (text): [string, string, object] => [
        `an or that joins nothing: ${text}`,
        text,
        bad('or', 'a word or a filter on both sides'),
      ],
    ),
    ['an unknown flag', '--all', unknown('--all')],
    [
      'more values than a question may have',
      `-tag:${'a,'.repeat(24)}a ${manyTags}`,
      bad(manyTags, 'at most 50 values in all filters'),
    ],
    ['more words than a question may have', `one ${'more '.repeat(12)}`, bad('more', 'at most 12 words')],
    [
      'more alternatives than a question may have',
      `one${' or other'.repeat(12)}`,
      bad('other', 'at most 12 words'),
    ],
    ['a filter without a value', 'tag:', bad('tag:', 'a value right after the colon')],
    ['a reason, of which it has no use', 'web because x', unknown('because')],
  ])('names %s', (_what, text, fault) => {
    expect(devicesCommand.parse(lineWords(text))).toEqual({ kind: 'fault', fault });
  });

  it('names an unknown condition with the nearest', () => {
    const parsed = devicesCommand.parse(lineWords('is:ofline'));
    if (parsed.kind !== 'fault' || parsed.fault.kind !== 'unknown-word') throw new Error(parsed.kind);
    expect(parsed.fault.word).toBe('is:ofline');
    expect(parsed.fault.nearest[0]).toBe('is:offline');
  });

  it.each([
    ['os', 'os:linx', 'os:Linux'],
    ['tag', 'tag:critcal', 'tag:critical'],
    ['tag with a space', 'tag:"two word"', 'tag:"two words"'],
  ])('names a value that no device has: %s', async (_what, text, nearest) => {
    const view = await runList(text);
    const problem = { kind: 'usage', command: 'devices', fault: { word: text } };
    expect(view).toMatchObject({ kind: 'problem', problem });
    expect(JSON.stringify(view)).toContain(JSON.stringify(nearest).slice(1, -1));
  });

  it('names an unknown group with the nearest', async () => {
    const problem = { kind: 'no-such-group', query: 'Linux server', nearest: ['Linux servers'] };
    expect(await runList('group:"Linux server"')).toMatchObject({ kind: 'problem', problem });
  });

  it.each([
    ['web is:online group:linx', 'group', 'Linux servers', 'devices web is:online group:"Linux servers"'],
    ['tag:critcal', 'tag', 'critical', 'tag:critical'],
  ])('offers %s with the nearest value', async (text, key, value, line) => {
    const view = await runList(text);
    if (view.kind !== 'problem' || !('offers' in view.problem)) throw new Error(view.kind);
    const [offer] = view.problem.offers ?? [];
    expect(offer).toMatchObject({ kind: 'line', does: 'run', choice: { command: 'devices' } });
    expect(offer).toHaveProperty(
      'choice.input.filters',
      expect.arrayContaining([expect.objectContaining({ key, value })]),
    );
    expect(offer).toHaveProperty('line', expect.stringContaining(line));
  });

  it('refuses input from a button that does not fit', async () => {
    const view = await devicesCommand.run({ words: 'web' }, 0, testPorts({ devices: fleet, groups }).ports);
    const problem = { kind: 'usage', fault: { word: 'this button' } };
    expect(view).toMatchObject({ kind: 'problem', problem });
  });
});

describe('what the service does not state', () => {
  it('counts what the service does not say as unknown, and selects it neither by a condition nor by its negation', async () => {
    const unstated = {
      connected: null,
      needsReboot: null,
      compliant: null,
      pending: null,
      pendingPatches: null,
    };
    const stated = {
      connected: true,
      needsReboot: false,
      compliant: true,
      pending: false,
      pendingPatches: 0,
    };
    const devices = [
      aDevice({ id: deviceId(1), ...unstated }),
      aDevice({ id: deviceId(2), ...stated, name: 'known' }),
    ];
    const run = (text: string) => runCommand(devicesCommand, 'devices', text, testPorts({ devices }).ports);
    expect((await run('')).totals).toMatchObject({
      ...{ online: 1, offline: 0, pending: 0, needsReboot: 0, noncompliant: 0 },
      unknown: { connection: 1, pending: 1, needsReboot: 1, compliance: 1 },
    });
    for (const condition of ['needs-reboot', 'offline', 'noncompliant', 'pending'])
      expect((await run(`-is:${condition}`)).rows.map(({ device }) => device?.name)).toEqual(['known']);
  });

  describe('tags, a system and a group that the service does not state', () => {
    const [linux, windows, elsewhere] = [groupId(3), groupId(4), groupId(5)];
    const groups = [aGroup({ id: linux, name: 'Linux' }), aGroup({ id: windows, name: 'Windows' })];
    const own = { osFamily: 'Linux', osName: 'Ubuntu', groupId: linux };
    const devices = [
      aDevice({ id: deviceId(1), name: 'web-01', ...own, tags: ['production'] }),
      aDevice({ id: deviceId(2), name: 'web-02', ...own, tags: null }),
      aDevice({ id: deviceId(3), name: 'web-03', ...own, tags: [] }),
      aDevice({ id: deviceId(4), name: 'web-04', ...own, tags: ['lab'] }),
      aDevice({ id: deviceId(5), name: 'win-05', osFamily: null, osName: null, groupId: windows, tags: [] }),
      aDevice({ id: deviceId(6), name: 'odd-06', ...own, groupId: null, tags: [] }),
      aDevice({ id: deviceId(7), name: 'odd-07', ...own, groupId: elsewhere, tags: [] }),
    ];

    it.each([
      ['tag:production', ['web-01'], 1],
      ['-tag:production group:Linux', ['web-03', 'web-04'], 3],
      ['tag:production or -tag:production', ['odd-06', 'odd-07', 'web-01', 'web-03', 'web-04', 'win-05'], 1],
      ['-os:Ubuntu group:Windows', [], 1],
      ['group:Windows', ['win-05'], 2],
      ['-group:Windows', ['web-01', 'web-02', 'web-03', 'web-04'], 2],
      ['tag:lab os:Ubuntu', ['web-04'], 1],
      ['os:Ubuntu -os:Ubuntu', [], 1],
    ])('fit neither `%s` nor its negation, and their devices are counted', async (text, names, unstated) => {
      const view = await runCommand(devicesCommand, 'devices', text, testPorts({ devices, groups }).ports);
      expect(view.rows.map(({ device }) => device?.name).toSorted()).toEqual(names);
      expect(view.unstated).toBe(unstated);
    });

    it.each(['user:anna', 'serial:SN', 'ip:203.0.', 'policy:#7', 'fails:#7'])(
      'nor does a device without what `%s` asks pass its negation',
      async (text) => {
        const nothing = { lastLoggedInUser: null, serialNumber: null, addresses: [], privateAddresses: [] };
        const bare = aDevice({
          id: deviceId(8),
          name: 'bare',
          groupId: null,
          policyStatus: null,
          ...nothing,
        });
        const { ports } = testPorts({ devices: [bare] });
        const view = await runCommand(devicesCommand, 'devices', `-${text}`, ports);
        expect([view.rows, view.unstated]).toEqual([[], 1]);
      },
    );

    it('leave devices out of a change, which is said with their names', async () => {
      const { ports } = testPorts({ devices, groups });
      const outOf = (names: readonly string[]) =>
        names.map((name) => ({ name, problem: { kind: 'unknown-fit', deviceName: name } }));
      const several = await planLine('reboot group:Linux -tag:production', ports);
      expect(several).toMatchObject({
        proposal: { targets: [{ hostname: 'web-03' }, { hostname: 'web-04' }] },
        leftOut: outOf(['odd-06', 'odd-07', 'web-02']),
      });
      const one = await planLine('reboot tag:production', ports);
      const proposal = { plan: { waves: [1] }, unknownFit: { devices: 1, some: [{ name: 'web-02' }] } };
      expect(one).toMatchObject({ kind: 'proposal', proposal, leftOut: outOf(['web-02']) });
      const expected = { problem: { kind: 'no-devices-match', unknown: 1 } };
      expect(await planLine('reboot -os:Ubuntu', ports)).toMatchObject(expected);
    });
  });
});

/** A small fleet for lists. */

const groups = [
  aGroup({ id: groupId(1), name: '', parentId: groupId(1) }),
  aGroup({ id: groupId(20), name: 'Linux servers', parentId: groupId(1) }),
  aGroup({ id: groupId(21), name: 'Web', parentId: groupId(20) }),
  aGroup({ id: groupId(22), name: 'Front', parentId: groupId(21) }),
  aGroup({ id: groupId(30), name: 'Windows', parentId: groupId(1) }),
];

const fleet = [
  aDevice({ id: deviceId(1), name: 'web-01', groupId: groupId(22), tags: ['Web'] }),
  aDevice({
    id: deviceId(2),
    name: 'web-10',
    tags: [],
    groupId: groupId(21),
    connected: false,
    needsReboot: false,
    patches: 0,
  }),
  aDevice({
    id: deviceId(3),
    name: 'web-02',
    tags: [],
    groupId: groupId(20),
    connected: null,
    needsReboot: null,
  }),
  aDevice({
    id: deviceId(4),
    name: 'WIN-1',
    customName: 'Front desk',
    groupId: groupId(30),
    osFamily: 'Windows',
    osName: '11 Pro',
    osVersion: '23H2',
    tags: ['critical', 'two words'],
    compliant: true,
    pending: false,
    pendingPatches: 0,
    exception: true,
    needsAttention: true,
  }),
  aDevice({ id: deviceId(77), name: 'lost', groupId: groupId(1), tags: [] }),
];

async function runList(text: string, page = 0): Promise<View> {
  return devicesCommand.run(inputOf(devicesCommand, text), page, testPorts({ devices: fleet, groups }).ports);
}
