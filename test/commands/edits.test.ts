import { describe, expect, it } from 'vitest';
import { deviceEditCommand } from '../../src/commands/device-edit.ts';
import { groupCreateCommand, groupEditCommand } from '../../src/commands/group-edits.ts';
import { DIALECTS } from '../../src/fleet/dialect.ts';
import { groupId, policyId } from '../../src/lib/ids.ts';
import { aDevice, aGroup } from '../harness/builders.ts';
import { editFleetPorts } from './harness/edit-fleet.ts';
import { fieldOf, formTests, valuesOf } from './harness/forms.ts';
import { inputOf, parsedChange, planLine, proposalOf } from './harness/typed-line.ts';

const planned = (line: string) => planLine(line, editFleetPorts());

/** The request that the command would make. */
const order = (line: string) => proposalOf(line, editFleetPorts());

const BLANK_BETWEEN = { kind: 'bad-value', expected: 'a value on both sides of a comma' };
const TOO_MANY = { kind: 'bad-value', expected: 'at most 100 values' };
/** The colors that the console has names for. */
const NINE_COLORS =
  'one of Pine Green, Salmon, Lemonade, Bubblegum, Colorado Snow, Battleship Hull, Utah Clay, Electric Violet, Forgot Sunscreen, or #RRGGBB';

describe('what is typed', () => {
  it.each<readonly [string, object]>([
    ['device-edit web-01 name:"Front door"', { customName: 'Front door' }],
    ['device-edit web-01 name:none tag:a', { retag: { add: ['a'], remove: [] } }],
    ['device-edit web-01 tag:a tag:b -tag:old', { retag: { add: ['a', 'b'], remove: ['old'] } }],
    ['device-edit web-01 tag:a,b', { retag: { add: ['a', 'b'], remove: [] } }],
    ['device-edit web-01 tag:"a,b"', { retag: { add: ['a,b'], remove: [] } }],
    ['device-edit #1001 exception:yes', { exception: true }],
    ['device-edit web-01 group:web', { groupId: 21 }],
    ['device-edit web-01 group:default ip:192.0.2.9', { groupId: 1, addresses: ['192.0.2.9'] }],
  ])('%s', async (line, change) => {
    expect((await order(line)).command).toEqual({ kind: 'device-edit', change });
  });

  it.each<readonly [string, object]>([
    ['Kiosks', { name: 'Kiosks', parentId: 1, refreshIntervalMinutes: 1_440 }],
    [
      'Kiosks parent:"Linux servers" every:12h color:"pine green" notes:"by the door"',
      {
        name: 'Kiosks',
        parentId: 20,
        refreshIntervalMinutes: 720,
        color: 'pine green',
        notes: 'by the door',
      },
    ],
    [
      'New kiosks every:1d color:#123456',
      { name: 'New kiosks', parentId: 1, refreshIntervalMinutes: 1_440, color: '#123456' },
    ],
    [
      'Kiosks updates:on wsus:http://wsus.example:8530 policy:"apply all patches" policy:#12',
      {
        name: 'Kiosks',
        parentId: 1,
        refreshIntervalMinutes: 1_440,
        osAutoUpdate: true,
        wsus: { enabled: true, server: 'http://wsus.example:8530' },
        policyIds: [12],
      },
    ],
    [
      'Kiosks updates:off wsus:Device',
      {
        name: 'Kiosks',
        parentId: 1,
        refreshIntervalMinutes: 1_440,
        osAutoUpdate: false,
        wsus: { enabled: null },
      },
    ],
    ['Kiosks every:300', { name: 'Kiosks', parentId: 1, refreshIntervalMinutes: 300 }],
  ])('group-create %s', async (text, group) => {
    expect((await order(`group-create ${text}`)).command).toEqual({ kind: 'group-create', group });
  });

  it.each<readonly [string, object]>([
    ['Web name:Shops every:6h', { name: 'Shops', refreshIntervalMinutes: 360 }],
    ['#21 parent:default notes:""', { parentId: 1, notes: '' }],
    ['Web updates:device wsus:on', { wsus: { enabled: true } }],
    ['Web wsus:off updates:on', { osAutoUpdate: true, wsus: { enabled: false } }],
    ['Web policy:VPN', { policyIds: [11, 12, 13] }],
    ['Web -policy:#11', { policyIds: [12] }],
    ['Web policy:VPN -policy:"Apply All Patches"', { policyIds: [11, 13] }],
    // Values that are already set are left out.
    ['Web policy:"Apply All Patches" notes:y', { notes: 'y' }],
    ['Web name:Web every:24h color:"Utah Clay" notes:y', { notes: 'y' }],
  ])('group-edit %s', async (text, change) => {
    const expected = { kind: 'group-edit', groupId: 21, change };
    expect((await order(`group-edit ${text}`)).command).toEqual(expected);
  });

  it.each<readonly [string, object]>([
    ['device-edit name:x', { kind: 'missing', what: 'Which device?', prefill: { name: 'x' } }],
    ['device-edit web-01', { kind: 'missing', what: 'What should change?', prefill: { device: 'web-01' } }],
    ['device-edit web-01 colour:red', { kind: 'unknown-word', word: 'colour:red' }],
    ['device-edit web-01 -name:x', { kind: 'bad-value', word: '-name:x', expected: 'the same without “-”' }],
    ['device-edit web-01 name:a name:b', { kind: 'bad-value', word: 'name:b' }],
    ['device-edit web-01 name:', { kind: 'bad-value', word: 'name:' }],
    ['device-edit web-01 tag:a,,b', BLANK_BETWEEN],
    ['device-edit web-01 tag:" "', { kind: 'bad-value', word: 'tag:" "' }],
    [`device-edit web-01 tag:a tag:${'a,'.repeat(99)}a`, TOO_MANY],
    ['device-edit web-01 exception:maybe', { kind: 'bad-value', word: 'exception:maybe' }],
    ['device-edit web-01 exception:constructor', { kind: 'bad-value', word: 'exception:constructor' }],
    [
      'group-create every:6h',
      { kind: 'missing', what: 'Enter a name for the group.', prefill: { every: 360 } },
    ],
    ['group-create X updates:maybe', { kind: 'bad-value', word: 'updates:maybe' }],
    ['group-create X -policy:VPN', { kind: 'bad-value', word: '-policy:VPN' }],
    ['group-edit Web policy:VPN,', BLANK_BETWEEN],
    ['group-create X every:soon', { kind: 'bad-value', word: 'every:soon' }],
    ['group-create X color:teal', { kind: 'bad-value', word: 'color:teal', expected: NINE_COLORS }],
    ['group-create color:teal', { kind: 'bad-value', expected: NINE_COLORS }],
    ['group-edit Web color:teal', { kind: 'bad-value', expected: NINE_COLORS }],
    ['group-create X name:Y', { kind: 'unknown-word', word: 'name:Y' }],
    [
      'group-edit name:x because y',
      { kind: 'missing', what: 'Which group?', prefill: { name: 'x', reason: 'y' } },
    ],
    ['group-edit Web name:" "', { kind: 'bad-value', word: 'name:" "' }],
    ['group-edit Web', { kind: 'missing', what: 'What should change?', prefill: { group: 'Web' } }],
  ])('%s is not taken', (line, fault) => {
    expect(parsedChange(line)).toMatchObject({ kind: 'fault', fault });
  });
});

describe('what cannot be asked for', () => {
  it.each<readonly [string, object]>([
    ['device-edit web-01 exception:no', { kind: 'already-so', name: 'web-01' }],
    ['device-edit web-01 tag:old', { kind: 'already-so' }],
    [`device-edit web-01 tag:${'a'.repeat(1_850)} tag:exempt`, { kind: 'unreadable-edit', most: 1_800 }],
    [`group-edit Web notes:"${'&'.repeat(400)}"`, { kind: 'unreadable-edit' }],
    ['device-edit #77 name:x', { kind: 'no-such-device' }],
    ['device-edit web-01 tag:a -tag:a', { fault: { kind: 'tag-both-ways', tag: 'a' } }],
    [
      'device-edit web-01 tag:dmz -tag:odl',
      { fault: { kind: 'bad-value', word: '-tag:odl', expected: expect.stringContaining('old') } },
    ],
    ['group-edit Web every:24h', { kind: 'already-so', name: 'Web' }],
    ['group-create web parent:"Linux servers"', { kind: 'group-exists', parent: 'Linux servers', id: 21 }],
    [
      'group-create X every:100m',
      {
        kind: 'usage',
        fault: { word: 'every:100m', expected: expect.stringMatching(/^every:4h to every:24h/) },
      },
    ],
    [
      'group-edit Web wsus:wsus.example',
      { kind: 'usage', fault: { word: 'wsus:wsus.example', expected: expect.stringMatching(/http:\/\//) } },
    ],
    [
      'group-edit Web -policy:VPN',
      { fault: { word: '-policy:VPN', expected: 'a policy that is linked to this group' } },
    ],
    ['group-edit Web every:2h', { kind: 'usage', fault: { word: 'every:2h' } }],
    [
      'group-edit "Linux servers" parent:Web',
      { kind: 'usage', fault: { expected: expect.stringMatching(/isn’t below this one/) } },
    ],
    [
      'group-edit default parent:Web',
      { kind: 'usage', fault: { expected: expect.stringMatching(/^another group/) } },
    ],
  ])('%s', async (line, problem) => {
    expect(await planned(line)).toMatchObject({ kind: 'problem', problem });
  });

  it('a group that several have the name of is chosen from a list', async () => {
    const choice = { command: 'device-edit', input: { group: 30, device: 1001, add: ['a'] } };
    const view = { kind: 'choices', what: 'group', total: 2, rows: [{ choice }, {}] };
    expect(await planned('device-edit web-01 group:Twin tag:a')).toMatchObject({ kind: 'view', view });
    expect(await planned('group-edit Twin notes:x')).toMatchObject({ view: { kind: 'choices' } });
  });

  it('a group that nobody knows is named back with the nearest', async () => {
    const view = { kind: 'problem', problem: { kind: 'no-such-group', query: 'Wbe' } };
    expect(await planned('group-edit Wbe notes:x')).toMatchObject({ kind: 'view', view });
    expect(await planned('group-create X parent:Wbe')).toMatchObject({ kind: 'view', view });
  });

  it.each(['policy:VPN', '-policy:VPN', 'notes:x'])('an unknown number is named back: %s', async (part) => {
    const view = { problem: { kind: 'no-such-group', query: '#999' } };
    expect(await planned(`group-edit #999 ${part}`)).toMatchObject({ view });
  });

  it.each([
    ['group-edit Web policy:VPN policy:Twins', { group: 21, link: ['VPN', 14] }],
    ['group-edit Web -policy:Twins', { group: 21, unlink: [14] }],
    ['group-create X policy:Twins', { name: 'X', link: [14] }],
  ])('a policy that several have the name of is chosen from a list: %s', async (line, input) => {
    const choice = { command: line.split(' ')[0], input };
    const view = { kind: 'choices', what: 'policy', rows: [{ choice }, {}] };
    expect(await planned(line)).toMatchObject({ kind: 'view', view });
  });

  it.each(['Wbe', '#99'])('a policy that nobody knows is named back: %s', async (name) => {
    const view = { kind: 'problem', problem: { kind: 'no-such-policy', query: name } };
    expect(await planned(`group-edit Web policy:${name}`)).toMatchObject({ kind: 'view', view });
  });

  it('in the documented form of the service, what only the live one takes', async () => {
    const input = inputOf(groupCreateCommand, 'X every:4h');
    const documented = { ...editFleetPorts(), dialect: DIALECTS.documented };
    const expected = { problem: { fault: { expected: 'every:6h to every:24h' } } };
    expect(await groupCreateCommand.plan(input, documented)).toMatchObject(expected);
    expect(await groupCreateCommand.plan(input, editFleetPorts())).toMatchObject({ kind: 'proposal' });
  });
});

describe('the facts that an approver sees', () => {
  it('of a device are what is, and the name of where it goes', async () => {
    const { targets, reason } = await order('device-edit web-01 group:Web because audit');
    expect(reason).toBe('audit');
    expect(targets).toMatchObject([
      { deviceId: 1001, groupName: 'Linux servers', editable: { intoGroup: 'Web', tags: ['old'] } },
    ]);
  });

  it('of a group are all its fields, with names', async () => {
    const input = { group: 21, policies: [12, 99], reason: null };
    const plan = await groupEditCommand.plan(input, editFleetPorts());
    expect(plan).toMatchObject({
      proposal: {
        command: { change: { policyIds: [policyId(12), policyId(99)] } },
        targets: [
          {
            deviceId: null,
            displayName: 'Web',
            group: { parentName: 'Linux servers', color: '#D78500' },
            policies: [
              { id: 12, name: 'Apply All Patches' },
              { id: 99, name: null },
            ],
          },
        ],
      },
    });
  });
});

describe('forms', () => {
  const { open, read } = formTests(editFleetPorts);

  it('of a device hold its current values, replaced by what was typed', async () => {
    const { fields, context } = await open(deviceEditCommand, { device: 1001, add: ['dmz'], reason: 'why' });
    expect(fields).toMatchObject([
      { id: 'device', initial: { value: '1001' } },
      { id: 'name:1001', initial: '' },
      { id: 'group:1001', initial: { value: '20', label: 'Linux servers' } },
      { id: 'tags:1001', initial: 'old, dmz' },
      { id: 'exception:1001', initial: 'leave' },
      { id: 'addresses:1001', initial: '192.0.2.1' },
      { id: 'reason', initial: 'why' },
    ]);
    expect(context).toEqual({ tags: ['old'], typed: { add: ['dmz'] } });
  });

  it.each([
    [true, {}, ['no:Included', 'leave:Excluded'], 'leave'],
    [false, {}, ['leave:Included', 'yes:Excluded'], 'leave'],
    [false, { exception: true }, ['leave:Included', 'yes:Excluded'], 'yes'],
    [true, { exception: true }, ['no:Included', 'leave:Excluded'], 'leave'],
    [null, {}, ['leave:Don’t change (not known)', 'no:Included', 'yes:Excluded'], 'leave'],
  ])(
    'of a device whose exclusion is %s, with %o typed, change nothing untouched',
    async (now, typed, options, initial) => {
      const ports = editFleetPorts({ devices: [aDevice({ exception: now })] });
      const { fields } = await open(deviceEditCommand, { device: 1001, ...typed }, ports);
      const field = fieldOf(fields, 'exception:1001');
      if (field.kind !== 'choice') throw new Error(field.kind);
      expect(field.options.map(({ value, label }) => `${value}:${label}`)).toEqual(options);
      expect(field.initial).toBe(initial);
    },
  );

  it('of a group hold its policies with those that were typed, and without those that were typed to go', async () => {
    const typed = { group: 21, link: ['VPN', 'Twins'], unlink: ['kiosk mode'] };
    const { fields } = await open(groupEditCommand, typed);
    const policies = fields.find((one) => one.kind === 'searches');
    const initial = [{ label: 'Apply All Patches' }, { label: 'VPN' }];
    expect(policies).toMatchObject({ id: 'policies:21', initial });
  });

  it('ask for a device first where none is known', async () => {
    expect((await open(deviceEditCommand, {})).fields).toMatchObject([
      { id: 'device', live: true },
      { id: 'filters', live: true },
      { kind: 'words' },
      { id: 'reason' },
    ]);
    expect((await open(groupEditCommand, {})).fields).toMatchObject([
      { id: 'group', live: true },
      { kind: 'words' },
      { id: 'reason' },
    ]);
  });

  it.each([
    [deviceEditCommand, { device: ['1001'] }, { add: ['dmz'], exception: true }, ['tags:1001', 'old, dmz']],
    [deviceEditCommand, { device: ['1001'] }, { add: ['dmz'], exception: true }, ['exception:1001', 'yes']],
    [groupEditCommand, { group: ['21'] }, { name: 'Kiosks', every: 360 }, ['name:21', 'Kiosks']],
    [groupEditCommand, { group: ['21'] }, { name: 'Kiosks', every: 360 }, ['every:21', '360']],
  ])(
    'hold what was typed even if the device or group is chosen later',
    async (command, chosen, typed, [id, initial]) => {
      const { context } = await open(command, { ...typed, reason: 'why' });
      const drawn = await command.form?.redraw?.(valuesOf(chosen), context, editFleetPorts());
      expect(drawn).toMatchObject({
        form: { fields: expect.arrayContaining([expect.objectContaining({ id, initial })]) },
      });
    },
  );

  it('leave out what is too long for a window', async () => {
    const { context } = await open(groupEditCommand, { notes: 'x'.repeat(600) });
    expect(context).toEqual({ server: '', typed: {} });
  });

  it('of a device give only added and removed tags', () => {
    const tags = ['new, old ,, new'];
    const values = { device: ['1001'], 'tags:1001': tags, 'name:1001': [''], 'exception:1001': ['no'] };
    expect(read(deviceEditCommand, values, { tags: ['old', 'gone'] })).toEqual({
      kind: 'input',
      input: { device: 1001, name: null, add: ['new'], remove: ['gone'], exception: false, reason: null },
    });
  });

  it('say on the field what is wrong', () => {
    expect(read(deviceEditCommand, {})).toEqual({ kind: 'errors', errors: { device: 'Choose a device.' } });
    const odd = { device: ['1001'], 'exception:1001': ['leave'], 'addresses:1001': ['x'] };
    const expected = { errors: { 'addresses:1001': 'x isn’t an IP address.' } };
    expect(read(deviceEditCommand, odd)).toMatchObject(expected);
    expect(read(groupEditCommand, {})).toEqual({ kind: 'errors', errors: { group: 'Choose a group.' } });
    expect(read(groupCreateCommand, { name: [' '], wsus: ['on'], server: ['https://x'] })).toMatchObject({
      errors: { name: expect.any(String), wsus: expect.stringContaining('http://') },
    });
  });

  it('accept nothing for a device or group whose fields are not shown yet', () => {
    const expected = { errors: { device: expect.stringContaining('aren’t shown yet') } };
    expect(read(deviceEditCommand, { device: ['1001'], 'exception:1002': ['yes'] })).toMatchObject(expected);
    expect(read(groupEditCommand, { group: ['21'], 'wsus:22': ['on'] })).toMatchObject({
      errors: { group: expect.stringContaining('aren’t shown yet') },
    });
  });

  it.each([
    ['the devices’ own setting', 'device'],
    ['the Windows update service', 'off'],
  ])('never drop a WSUS server silently that was entered with %s', (_what, wsus) => {
    const idle = expect.stringContaining('A server needs WSUS above');
    const server = ['http://w:8530'];
    const expected = { kind: 'errors', errors: { server: idle } };
    expect(read(groupCreateCommand, { name: ['Web'], wsus: [wsus], server })).toEqual(expected);
    const values = { group: ['21'], 'wsus:21': [wsus], 'server:21': server };
    expect(read(groupEditCommand, values, { server: 'http://old:8530' })).toMatchObject({
      errors: { 'server:21': idle },
    });
    // The value came with the group; nobody entered it.
    expect(read(groupEditCommand, values, { server: 'http://w:8530' })).toMatchObject({ kind: 'input' });
  });

  it('of a group hold current values, with an unknown colour named as in the console', async () => {
    const kiosk = aGroup({
      id: groupId(21),
      color: '#123456',
      osAutoUpdate: false,
      policyIds: [policyId(12)],
    });
    const { fields } = await open(groupEditCommand, { group: 21 }, editFleetPorts({ groups: [kiosk] }));
    expect(fields).toMatchObject([
      { id: 'group', initial: { value: '21' } },
      { id: 'name:21', initial: 'Linux servers' },
      { id: 'parent:21' },
      { id: 'every:21', initial: '1440' },
      {
        id: 'color:21',
        initial: '#123456',
        options: expect.arrayContaining([
          { value: '#123456', label: '#123456', detail: 'Pine Green in the management service' },
        ]),
      },
      { id: 'notes:21', initial: '' },
      { id: 'os:21', initial: 'off' },
      { id: 'wsus:21', initial: 'device' },
      { id: 'server:21' },
      { id: 'policies:21', initial: [{ value: '12', label: 'Apply All Patches' }] },
      { id: 'reason' },
    ]);
  });

  it('return notes line by line, and leave out text that would be cut', async () => {
    const long = aGroup({ id: groupId(21), notes: 'x'.repeat(3_000) });
    const opened = await groupEditCommand.form?.open({ group: 21 }, editFleetPorts({ groups: [long] }));
    expect(JSON.stringify(opened)).toContain('too long to show here');
    expect(JSON.stringify(opened)).not.toContain('xxx');
    expect(
      read(groupEditCommand, { group: ['21'], 'wsus:21': ['device'], 'notes:21': ['one\r\ntwo  three'] }),
    ).toMatchObject({ input: { notes: 'one\ntwo  three' } });
  });

  it('of a group give what was chosen; a new one leaves unsaid what it leaves to the device', () => {
    const own = { os: ['device'], wsus: ['device'] };
    const values = { name: ['Web'], every: ['360'], ...own, notes: [''], policies: [] };
    const input = { name: 'Web', every: 360, reason: null };
    expect(read(groupCreateCommand, values)).toEqual({ kind: 'input', input });
    const changed = {
      group: ['21'],
      'os:21': ['on'],
      'wsus:21': ['on'],
      'server:21': ['http://w:8530'],
      'policies:21': ['12'],
    };
    expect(read(groupEditCommand, changed)).toEqual({
      kind: 'input',
      input: {
        group: 21,
        osAutoUpdate: true,
        wsus: { enabled: true, server: 'http://w:8530' },
        policies: [12],
        reason: null,
      },
    });
  });
});
