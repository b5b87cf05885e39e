/** Removals as they are typed, confirmed in their form, and planned. */
import { describe, expect, it } from 'vitest';
import {
  deviceRemoveCommand,
  groupRemoveCommand,
  isNameTyped,
  nameToType,
} from '../../../src/commands/removals.ts';
import { deviceId, groupId, policyId, queueEntryId } from '../../../src/lib/ids.ts';
import { aDevice, aGroup, aPolicy, aQueueEntry } from '../../harness/builders.ts';
import type { FakeFleetContent } from '../harness/fake-fleet.ts';
import { formTests, valuesOf } from '../harness/forms.ts';
import { testPorts } from '../harness/ports.ts';
import { parsedChange, planLine } from '../harness/typed-line.ts';

const WEB = groupId(21);
const content: FakeFleetContent = {
  devices: [
    aDevice({ policies: [aPolicy()] }),
    aDevice({ id: deviceId(1002), name: 'dup', groupId: WEB }),
    aDevice({ id: deviceId(1003), name: 'dup', groupId: WEB }),
    aDevice({ id: deviceId(1004), name: '<!channel> *x* `y`', groupId: WEB }),
  ],
  groups: [
    aGroup({ id: groupId(1), name: '', parentId: groupId(1), policyIds: [policyId(12)] }),
    aGroup(),
    aGroup({ id: WEB, name: 'Web', policyIds: [policyId(12)] }),
    aGroup({ id: groupId(22), name: 'Shops', parentId: WEB }),
  ],
  policies: [aPolicy({ name: 'Patch all' })],
  queue: [aQueueEntry({ id: queueEntryId(9), type: 'Reboot', response: null, responseTime: null })],
};
const portsOf = () => testPorts(content).ports;

const plan = (line: string) => planLine(line, portsOf());
const { open: opened, read } = formTests(portsOf);

describe('a typed removal', () => {
  it.each([
    ['device-remove web-01 because scrapped', { device: 1001, reason: 'scrapped' }],
    ['device-remove #1001', { device: 1001, reason: null }],
    ['group-remove Web because closed', { group: 21, reason: 'closed' }],
    ['group-remove #21', { group: 21, reason: null }],
  ])('%s opens the form and proposes nothing', async (line, prefill) => {
    const view = { kind: 'fill-in', command: line.split(' ')[0], prefill };
    expect(await plan(line)).toMatchObject({ kind: 'view', view });
  });

  it('reads no device before its form opens', async () => {
    const { ports, fleet } = testPorts(content);
    await deviceRemoveCommand.plan({ device: '#1001', reason: null }, ports);
    expect(fleet.reads).toEqual([]);
  });

  it('of one of several devices offers them', async () => {
    const view = { kind: 'picker', choices: [{ command: 'device-remove' }, { command: 'device-remove' }] };
    expect(await plan('device-remove dup')).toMatchObject({ kind: 'view', view });
  });

  it.each([
    ['device-remove nothing-like-this', { kind: 'no-such-device' }],
    ['group-remove default', { kind: 'default-group' }],
    ['group-remove #1', { kind: 'default-group' }],
  ])('%s is refused', async (line, problem) => {
    expect(await plan(line)).toMatchObject({ kind: 'problem', problem });
  });

  it.each([
    ['device-remove ', { kind: 'missing', what: 'Which device?' }],
    ['device-remove os:linux', { kind: 'one-device' }],
    ['group-remove because closed', { kind: 'missing', prefill: { reason: 'closed' } }],
    ['group-remove Web name:x', { kind: 'unknown-word' }],
  ])('%s is not taken', (line, fault) => {
    expect(parsedChange(line)).toMatchObject({ kind: 'fault', fault });
  });
});

describe('the form of a removal', () => {
  it('shows what goes with the device, and asks for its name', async () => {
    const form = await opened(deviceRemoveCommand, { device: 1001, reason: 'why' });
    expect(form).toMatchObject({
      submit: 'Request approval',
      context: { confirms: { id: 1001, name: 'web-01' } },
      fields: [
        { id: 'device', initial: { value: '1001' }, live: true },
        { kind: 'words', text: expect.stringContaining('can’t be undone') },
        { id: 'confirm:1001', hint: 'web-01', initial: '' },
        { id: 'reason', initial: 'why' },
      ],
    });
    const words = JSON.stringify(form.fields);
    for (const part of ['Group: Linux servers', 'Policies (1)', 'Queued commands, also deleted (1): Reboot'])
      expect(words).toContain(part);
    expect(words).toContain('registers again under another ID');
  });

  it('shows what goes with the group', async () => {
    const form = await opened(groupRemoveCommand, { group: 21, reason: null });
    const words = JSON.stringify(form.fields);
    for (const part of [
      'Devices, moved to the Default Group (3): dup (#',
      'Subgroups (1): Shops',
      'Linked policies (1): Patch all',
      'Policies of the Default Group (1): Patch all',
    ])
      expect(words).toContain(part);
    expect(form.fields).toContainEqual(expect.objectContaining({ id: 'confirm:21', hint: 'Web' }));
  });

  it.each([
    [deviceRemoveCommand, {}, 'Choose a device'],
    [deviceRemoveCommand, { device: 'nothing' }, 'Choose a device'],
    [groupRemoveCommand, {}, 'Choose a group'],
    [groupRemoveCommand, { group: 1 }, 'The Default Group can’t be removed'],
  ])('%# has no name to type: %o', async (command, given, words) => {
    const form = await opened(command, given);
    expect(JSON.stringify(form.fields)).toContain(words);
    expect(JSON.stringify(form.fields)).not.toContain('confirm:');
    expect(form.context).toMatchObject({ confirms: null });
  });

  it('changes with what is chosen', async () => {
    const values = valuesOf({ group: ['22'], reason: ['r'] });
    const form = await groupRemoveCommand.form?.redraw?.(values, null, portsOf());
    expect(form).toMatchObject({ form: { context: { confirms: { id: 22, name: 'Shops' } } } });
  });

  const device = { confirms: { id: 1001, name: 'web-01' } };
  const group = { confirms: { id: 21, name: 'Web' } };

  it.each([
    [deviceRemoveCommand, { device: ['1001'], 'confirm:1001': ['web-02'] }, device, 'confirm:1001'],
    [deviceRemoveCommand, { device: ['1001'], 'confirm:1001': ['WEB-01'] }, device, 'confirm:1001'],
    [deviceRemoveCommand, { device: ['1001'], 'confirm:1001': [] }, device, 'confirm:1001'],
    [deviceRemoveCommand, { device: ['1002'], 'confirm:1001': ['web-01'] }, device, 'device'],
    [deviceRemoveCommand, { device: ['1001'], 'confirm:1001': ['web-01'] }, null, 'device'],
    [deviceRemoveCommand, {}, null, 'device'],
    [groupRemoveCommand, { group: ['21'], 'confirm:21': ['Webs'] }, group, 'confirm:21'],
    [groupRemoveCommand, { group: ['22'], 'confirm:21': ['Web'] }, group, 'group'],
    [groupRemoveCommand, {}, null, 'group'],
  ])('%# with another name is an error at the field: %o', (command, values, context, field) => {
    const result = read(command, values, context);
    expect(result).toMatchObject({ kind: 'errors', errors: { [field]: expect.any(String) } });
  });

  it('with the name is the input of the command', () => {
    expect(
      read(deviceRemoveCommand, { device: ['1001'], 'confirm:1001': [' web-01 '], reason: ['old'] }, device),
    ).toEqual({ kind: 'input', input: { device: 1001, confirm: 'web-01', reason: 'old' } });
    const expected = { kind: 'input', input: { group: 21, confirm: 'Web', reason: null } };
    expect(read(groupRemoveCommand, { group: ['21'], 'confirm:21': ['Web'] }, group)).toEqual(expected);
  });
});

describe('a confirmed removal', () => {
  it('is a proposal with what goes with it', async () => {
    const device = await deviceRemoveCommand.plan(
      { device: 1001, confirm: 'web-01', reason: 'r' },
      portsOf(),
    );
    expect(device).toMatchObject({
      kind: 'proposal',
      proposal: {
        command: { kind: 'device-remove' },
        reason: 'r',
        targets: [{ deviceId: 1001, removal: { queued: [{ id: 9, type: 'Reboot' }] } }],
      },
    });
    const group = await groupRemoveCommand.plan({ group: 21, confirm: 'Web', reason: null }, portsOf());
    expect(group).toMatchObject({
      proposal: {
        command: { kind: 'group-remove', groupId: 21 },
        targets: [{ groupId: 21, removal: { devices: { count: 3 }, subgroups: [{ name: 'Shops' }] } }],
      },
    });
  });

  it.each([
    [deviceRemoveCommand, { device: 1001, confirm: 'web-02', reason: null }, { kind: 'name-not-typed' }],
    [
      groupRemoveCommand,
      { group: 21, confirm: 'web', reason: null },
      { kind: 'name-not-typed', name: 'Web' },
    ],
    [deviceRemoveCommand, { device: 77, confirm: 'x', reason: null }, { kind: 'device-gone' }],
  ])('%# by another name than it has now is refused: %o', async (command, input, problem) => {
    expect(await command.plan(input, portsOf())).toMatchObject({ kind: 'problem', problem });
  });
});

describe('the name to type', () => {
  it.each([
    ['web-01', 'web-01'],
    ['', '#7'],
    ['  ', '#7'],
    ['\u200D', '#7'],
    ['two  spaces', 'two spaces'],
    ['line\nbreak', 'line break'],
    ['\u202Eevil', 'evil'],
    ['x'.repeat(151), '#7'],
  ])('of %j is %j', (name, shown) => {
    expect(nameToType({ id: 7, name })).toBe(shown);
    expect(isNameTyped(shown, { id: 7, name })).toBe(true);
  });

  it.each([
    ['Bob’s Mac', "Bob's Mac"],
    ['a—b', 'a--b'],
    ['Zo\u00EB', 'Zoe\u0308'],
    ['<!channel> *x* `y`', '<\u2060!channel> *x* `y`'],
  ])('%j may be typed as %j', (name, entered) => {
    expect(isNameTyped(entered, { id: 7, name })).toBe(true);
  });

  it('is not another one, nor part of it', () => {
    for (const entered of ['', 'web', 'web-011', 'WEB-01', '#7'])
      expect(isNameTyped(entered, { id: 7, name: 'web-01' })).toBe(false);
  });
});
