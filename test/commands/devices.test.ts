import { describe, expect, it } from 'vitest';
import { devices } from '../../src/commands/devices.ts';
import { readWords } from '../../src/commands/line/grammar.ts';
import { deviceId, groupId } from '../../src/ids.ts';
import type { View } from '../../src/views/model.ts';
import { aDevice, aGroup } from '../harness/builders.ts';
import { testPorts } from './ports.ts';

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

function words(text: string) {
  const read = readWords(text);
  if (read.kind === 'fault') throw new Error(read.fault.kind);
  return read.words;
}

async function run(text: string, page = 0): Promise<View> {
  const parsed = devices.parse(words(text));
  if (parsed.kind === 'fault') throw new Error(JSON.stringify(parsed.fault));
  return devices.run(parsed.input, page, testPorts({ devices: fleet, groups }).ports);
}

async function names(text: string): Promise<readonly string[]> {
  const view = await run(text);
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
    ['by a group with its subgroups', 'group:"linux servers"', ['web-01', 'web-02', 'web-10']],
    ['by either of two groups', 'group:front group:Windows', ['WIN-1', 'web-01']],
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
    ['by not being known to be online', '-is:online', ['web-02', 'web-10']],
    ['by pending patches', '-is:pending', ['WIN-1']],
    ['by failing to comply', '-is:noncompliant', ['WIN-1']],
    ['by an exception', 'is:exception', ['WIN-1']],
    ['by wanting attention', 'is:attention', ['WIN-1']],
    ['by several filters at once', 'group:"Linux servers" is:needs-reboot', ['web-01']],
  ])('lists %s', async (_what, text, expected) => {
    expect((await names(text)).toSorted()).toEqual(expected.toSorted());
  });

  it('sorts by the name that people know, numbers by their value', async () => {
    // WIN-1 is called Front desk.
    expect(await names('')).toEqual(['WIN-1', 'lost', 'web-01', 'web-02', 'web-10']);
  });

  it('is not held up by groups that stand below each other in a ring', async () => {
    const ring = [
      aGroup({ id: groupId(40), name: 'A', parentId: groupId(41) }),
      aGroup({ id: groupId(41), name: 'B', parentId: groupId(40) }),
    ];
    const inB = aDevice({ groupId: groupId(41) });
    const input = { words: [], filters: [{ key: 'group', value: 'A', negated: false }] };
    const { ports } = testPorts({ devices: [inB], groups: ring });
    expect(await devices.run(input, 0, ports)).toMatchObject({ kind: 'devices', rows: [{ groupName: 'B' }] });
  });

  it('says how many devices could not be listed', async () => {
    const { ports } = testPorts({ devices: fleet, groups, unlisted: { unreadable: 1, shortfall: 2 } });
    expect(await devices.run({ words: [], filters: [] }, 0, ports)).toMatchObject({ unlisted: 3 });
  });

  it('says back what it understood', async () => {
    expect(await run('web -is:online group:“Linux servers”')).toMatchObject({
      title: 'web -is:online group:"Linux servers"',
    });
  });
});

describe('devices: bad input', () => {
  it.each([
    ['an unknown filter', 'grp:x', { kind: 'unknown-word', word: 'grp:x', nearest: ['group:'] }],
    [
      'a filter that is nearly one',
      'serail:x',
      { kind: 'unknown-word', word: 'serail:x', nearest: ['serial:'] },
    ],
    [
      'an order of nothing',
      'sort:size',
      {
        kind: 'unknown-word',
        word: 'sort:size',
        nearest: ['sort:name', 'sort:group', 'sort:seen', 'sort:pending', 'sort:os'],
      },
    ],
    [
      'a slip among several conditions',
      'is:online,ofline',
      { kind: 'unknown-word', word: 'is:ofline', nearest: ['is:offline', 'is:online'] },
    ],
    [
      'an address that is none',
      'ip:web',
      {
        kind: 'bad-value',
        word: 'ip:web',
        expected: 'an address, its beginning such as 10.1., or a network such as 10.1.0.0/16',
      },
    ],
    [
      'a comma without a value',
      'tag:a,',
      { kind: 'bad-value', word: 'tag:a,', expected: 'a value on both sides of a comma' },
    ],
    [
      'two orders',
      'sort:os sort:name',
      { kind: 'bad-value', word: 'sort:name', expected: 'one order, and no “or” beside it' },
    ],
    [
      'an order beside an or',
      'os:a or sort:name',
      { kind: 'bad-value', word: 'sort:name', expected: 'one order, and no “or” beside it' },
    ],
    [
      'a list that is negated beside an or',
      '-tag:a,b or os:x',
      { kind: 'bad-value', word: '-tag:a,b', expected: 'one value where “-” and “or” meet' },
    ],
    ...['or', 'web or', 'or web', 'web or or db', 'web or os:x', 'os:x or web', 'os:x or'].map(
      (text): [string, string, object] => [
        `an or that joins nothing: ${text}`,
        text,
        { kind: 'bad-value', word: 'or', expected: 'a word on both sides, or a filter on both sides' },
      ],
    ),
    ['an unknown flag', '--all', { kind: 'unknown-word', word: '--all', nearest: [] }],
    [
      'more values than a question may have',
      `-tag:${'a,'.repeat(24)}a -tag:${'b,'.repeat(25)}b`,
      {
        kind: 'bad-value',
        word: `-tag:${'b,'.repeat(25)}b`,
        expected: 'at most 50 values in all filters',
      },
    ],
    [
      'more words than a question may have',
      `one ${'more '.repeat(12)}`,
      { kind: 'bad-value', word: 'more', expected: 'at most 12 words' },
    ],
    [
      'more alternatives than a question may have',
      `one${' or other'.repeat(12)}`,
      { kind: 'bad-value', word: 'other', expected: 'at most 12 words' },
    ],
    [
      'a filter without a value',
      'tag:',
      { kind: 'bad-value', word: 'tag:', expected: 'a value right after the colon' },
    ],
    [
      'a reason, of which it has no use',
      'web because x',
      { kind: 'unknown-word', word: 'because', nearest: [] },
    ],
  ])('names %s', (_what, text, fault) => {
    expect(devices.parse(words(text))).toEqual({ kind: 'fault', fault });
  });

  it('names an unknown condition with the nearest', () => {
    const parsed = devices.parse(words('is:ofline'));
    expect(parsed).toMatchObject({ kind: 'fault', fault: { kind: 'unknown-word', word: 'is:ofline' } });
    if (parsed.kind === 'fault' && parsed.fault.kind === 'unknown-word') {
      expect(parsed.fault.nearest[0]).toBe('is:offline');
    }
  });

  it.each([
    ['os', 'os:linx', 'os:Linux'],
    ['tag', 'tag:critcal', 'tag:critical'],
    ['tag with a space', 'tag:"two word"', 'tag:"two words"'],
  ])('names a value that no device has: %s', async (_what, text, nearest) => {
    const view = await run(text);
    expect(view).toMatchObject({
      kind: 'problem',
      problem: { kind: 'usage', command: 'devices', fault: { word: text } },
    });
    expect(JSON.stringify(view)).toContain(JSON.stringify(nearest).slice(1, -1));
  });

  it('names an unknown group with the nearest', async () => {
    expect(await run('group:"Linux server"')).toMatchObject({
      kind: 'problem',
      problem: {
        kind: 'no-such-group',
        query: 'Linux server',
        nearest: ['Linux servers'],
      },
    });
  });

  it.each([
    ['web is:online group:linx', 'group', 'Linux servers', 'devices web is:online group:"Linux servers"'],
    ['tag:critcal', 'tag', 'critical', 'tag:critical'],
  ])('offers the question of %s with what is near', async (text, key, value, line) => {
    const view = await run(text);
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
    const view = await devices.run({ words: 'web' }, 0, testPorts({ devices: fleet, groups }).ports);
    expect(view).toMatchObject({
      kind: 'problem',
      problem: { kind: 'usage', fault: { word: 'this button' } },
    });
  });
});

describe('devices: pages', () => {
  const many = Array.from({ length: 25 }, (_, at) => aDevice({ id: deviceId(at + 1), name: `pc-${at + 1}` }));
  const page = async (at: number) => {
    const view = await devices.run(
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

  it('carries the question for another page', async () => {
    expect(await run('web is:online')).toMatchObject({
      paging: {
        command: 'devices',
        input: { words: ['web'], filters: [{ key: 'is', value: 'online', negated: false }] },
      },
    });
  });
});
