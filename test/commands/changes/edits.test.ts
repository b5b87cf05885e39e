import { describe, expect, it } from 'vitest';
import type { WriteCommand } from '../../../src/commands/core/command.ts';
import { deviceEditCommand } from '../../../src/commands/device-edit.ts';
import { groupCreateCommand, groupEditCommand } from '../../../src/commands/group-edits.ts';
import { DIALECTS } from '../../../src/fleet/dialect.ts';
import { policyId } from '../../../src/lib/ids.ts';
import { editFleetPorts } from '../harness/edit-fleet.ts';
import { inputOf, parse } from '../harness/typed-line.ts';

const planned = async (command: WriteCommand, text: string) =>
  command.plan(inputOf(command, text), editFleetPorts());

/** The request that the command would make. */
async function order(command: WriteCommand, text: string) {
  const plan = await planned(command, text);
  if (plan.kind !== 'proposal') throw new Error(JSON.stringify(plan));
  return plan.proposal;
}

const BLANK_BETWEEN = { kind: 'bad-value', expected: 'a value on both sides of a comma' };
const TOO_MANY = { kind: 'bad-value', expected: 'at most 100 values' };
/** The colors that the console has names for. */
const NINE_COLORS =
  'one of Pine Green, Salmon, Lemonade, Bubblegum, Colorado Snow, Battleship Hull, Utah Clay, Electric Violet, Forgot Sunscreen, or #RRGGBB';

describe('what is typed', () => {
  it.each<readonly [WriteCommand, string, object]>([
    [deviceEditCommand, 'web-01 name:"Front door"', { customName: 'Front door' }],
    [deviceEditCommand, 'web-01 name:none tag:a', { retag: { add: ['a'], remove: [] } }],
    [deviceEditCommand, 'web-01 tag:a tag:b -tag:old', { retag: { add: ['a', 'b'], remove: ['old'] } }],
    [deviceEditCommand, 'web-01 tag:a,b', { retag: { add: ['a', 'b'], remove: [] } }],
    [deviceEditCommand, 'web-01 tag:"a,b"', { retag: { add: ['a,b'], remove: [] } }],
    [deviceEditCommand, '#1001 exception:yes', { exception: true }],
    [deviceEditCommand, 'web-01 group:web', { groupId: 21 }],
    [deviceEditCommand, 'web-01 group:default ip:192.0.2.9', { groupId: 1, addresses: ['192.0.2.9'] }],
  ])('%s %s', async (command, text, change) => {
    const { command: edit } = await order(command, text);
    expect(edit).toEqual({ kind: 'device-edit', change });
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
    expect((await order(groupCreateCommand, text)).command).toEqual({ kind: 'group-create', group });
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
    expect((await order(groupEditCommand, text)).command).toEqual({
      kind: 'group-edit',
      groupId: 21,
      change,
    });
  });

  it.each<readonly [WriteCommand, string, object]>([
    [deviceEditCommand, 'name:x', { kind: 'missing', what: 'Which device?', prefill: { name: 'x' } }],
    [
      deviceEditCommand,
      'web-01',
      { kind: 'missing', what: 'What should change?', prefill: { device: 'web-01' } },
    ],
    [deviceEditCommand, 'web-01 colour:red', { kind: 'unknown-word', word: 'colour:red' }],
    [
      deviceEditCommand,
      'web-01 -name:x',
      { kind: 'bad-value', word: '-name:x', expected: 'the same without “-”' },
    ],
    [deviceEditCommand, 'web-01 name:a name:b', { kind: 'bad-value', word: 'name:b' }],
    [deviceEditCommand, 'web-01 name:', { kind: 'bad-value', word: 'name:' }],
    [deviceEditCommand, 'web-01 tag:a,,b', BLANK_BETWEEN],
    [deviceEditCommand, 'web-01 tag:" "', { kind: 'bad-value', word: 'tag:" "' }],
    [deviceEditCommand, `web-01 tag:a tag:${'a,'.repeat(99)}a`, TOO_MANY],
    [deviceEditCommand, 'web-01 exception:maybe', { kind: 'bad-value', word: 'exception:maybe' }],
    [deviceEditCommand, 'web-01 exception:constructor', { kind: 'bad-value', word: 'exception:constructor' }],
    [
      groupCreateCommand,
      'every:6h',
      { kind: 'missing', what: 'Enter a name for the group.', prefill: { every: 360 } },
    ],
    [groupCreateCommand, 'X updates:maybe', { kind: 'bad-value', word: 'updates:maybe' }],
    [groupCreateCommand, 'X -policy:VPN', { kind: 'bad-value', word: '-policy:VPN' }],
    [groupEditCommand, 'Web policy:VPN,', BLANK_BETWEEN],
    [groupCreateCommand, 'X every:soon', { kind: 'bad-value', word: 'every:soon' }],
    [groupCreateCommand, 'X color:teal', { kind: 'bad-value', word: 'color:teal', expected: NINE_COLORS }],
    [groupCreateCommand, 'color:teal', { kind: 'bad-value', expected: NINE_COLORS }],
    [groupEditCommand, 'Web color:teal', { kind: 'bad-value', expected: NINE_COLORS }],
    [groupCreateCommand, 'X name:Y', { kind: 'unknown-word', word: 'name:Y' }],
    [
      groupEditCommand,
      'name:x because y',
      { kind: 'missing', what: 'Which group?', prefill: { name: 'x', reason: 'y' } },
    ],
    [groupEditCommand, 'Web name:" "', { kind: 'bad-value', word: 'name:" "' }],
    [groupEditCommand, 'Web', { kind: 'missing', what: 'What should change?', prefill: { group: 'Web' } }],
  ])('%# is not taken: %s', (command, text, fault) => {
    expect(parse(command, text)).toMatchObject({ kind: 'fault', fault });
  });
});

describe('what cannot be asked for', () => {
  it.each<readonly [WriteCommand, string, object]>([
    [deviceEditCommand, 'web-01 exception:no', { kind: 'already-so', name: 'web-01' }],
    [deviceEditCommand, 'web-01 tag:old', { kind: 'already-so' }],
    [
      deviceEditCommand,
      `web-01 tag:${'a'.repeat(1_850)} tag:exempt`,
      { kind: 'unreadable-edit', most: 1_800 },
    ],
    [groupEditCommand, `Web notes:"${'&'.repeat(400)}"`, { kind: 'unreadable-edit' }],
    [deviceEditCommand, '#77 name:x', { kind: 'no-such-device' }],
    [deviceEditCommand, 'web-01 tag:a -tag:a', { fault: { kind: 'tag-both-ways', tag: 'a' } }],
    [
      deviceEditCommand,
      'web-01 tag:dmz -tag:odl',
      { fault: { kind: 'bad-value', word: '-tag:odl', expected: expect.stringContaining('old') } },
    ],
    [groupEditCommand, 'Web every:24h', { kind: 'already-so', name: 'Web' }],
    [
      groupCreateCommand,
      'web parent:"Linux servers"',
      { kind: 'group-exists', parent: 'Linux servers', id: 21 },
    ],
    [
      groupCreateCommand,
      'X every:100m',
      {
        kind: 'usage',
        fault: { word: 'every:100m', expected: expect.stringMatching(/^every:4h to every:24h/) },
      },
    ],
    [
      groupEditCommand,
      'Web wsus:wsus.example',
      { kind: 'usage', fault: { word: 'wsus:wsus.example', expected: expect.stringMatching(/http:\/\//) } },
    ],
    [
      groupEditCommand,
      'Web -policy:VPN',
      { fault: { word: '-policy:VPN', expected: 'a policy that is linked to this group' } },
    ],
    [groupEditCommand, 'Web every:2h', { kind: 'usage', fault: { word: 'every:2h' } }],
    [
      groupEditCommand,
      '"Linux servers" parent:Web',
      { kind: 'usage', fault: { expected: expect.stringMatching(/isn’t below this one/) } },
    ],
    [
      groupEditCommand,
      'default parent:Web',
      { kind: 'usage', fault: { expected: expect.stringMatching(/^another group/) } },
    ],
  ])('%# %s', async (command, text, problem) => {
    expect(await planned(command, text)).toMatchObject({ kind: 'problem', problem });
  });

  it('a group that several have the name of is chosen from a list', async () => {
    const plan = await planned(deviceEditCommand, 'web-01 group:Twin tag:a');
    expect(plan).toMatchObject({ kind: 'view', view: { kind: 'choices', what: 'group', total: 2 } });
    expect(plan).toMatchObject({
      view: {
        rows: [{ choice: { command: 'device-edit', input: { group: 30, device: 1001, add: ['a'] } } }, {}],
      },
    });
    expect(await planned(groupEditCommand, 'Twin notes:x')).toMatchObject({ view: { kind: 'choices' } });
  });

  it('a group that nobody knows is named back with the nearest', async () => {
    const view = { kind: 'problem', problem: { kind: 'no-such-group', query: 'Wbe' } };
    expect(await planned(groupEditCommand, 'Wbe notes:x')).toMatchObject({ kind: 'view', view });
    expect(await planned(groupCreateCommand, 'X parent:Wbe')).toMatchObject({ kind: 'view', view });
  });

  it.each(['policy:VPN', '-policy:VPN', 'notes:x'])(
    'a group of an unknown number is named back: %s',
    async (part) => {
      expect(await planned(groupEditCommand, `#999 ${part}`)).toMatchObject({
        view: { problem: { kind: 'no-such-group', query: '#999' } },
      });
    },
  );

  it.each([
    [groupEditCommand, 'Web policy:VPN policy:Twins', { group: 21, link: ['VPN', 14] }],
    [groupEditCommand, 'Web -policy:Twins', { group: 21, unlink: [14] }],
    [groupCreateCommand, 'X policy:Twins', { name: 'X', link: [14] }],
  ])('%# a policy that several have the name of is chosen from a list: %s', async (command, text, input) => {
    expect(await planned(command, text)).toMatchObject({
      kind: 'view',
      view: { kind: 'choices', what: 'policy', rows: [{ choice: { command: command.name, input } }, {}] },
    });
  });

  it.each(['Wbe', '#99'])('a policy that nobody knows is named back: %s', async (name) => {
    const view = { kind: 'problem', problem: { kind: 'no-such-policy', query: name } };
    expect(await planned(groupEditCommand, `Web policy:${name}`)).toMatchObject({ kind: 'view', view });
  });

  it('in the documented form of the service, what only the live one takes', async () => {
    const input = inputOf(groupCreateCommand, 'X every:4h');
    const documented = { ...editFleetPorts(), dialect: DIALECTS.documented };
    expect(await groupCreateCommand.plan(input, documented)).toMatchObject({
      problem: { fault: { expected: 'every:6h to every:24h' } },
    });
    expect(await groupCreateCommand.plan(input, editFleetPorts())).toMatchObject({ kind: 'proposal' });
  });
});

describe('the facts that an approver sees', () => {
  it('of a device are what is, and the name of where it goes', async () => {
    const { targets, reason } = await order(deviceEditCommand, 'web-01 group:Web because audit');
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
