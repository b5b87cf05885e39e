import { describe, expect, it } from 'vitest';
import type { WriteCommand } from '../../../src/commands/core/command.ts';
import { deviceEditCommand } from '../../../src/commands/device-edit.ts';
import { groupCreateCommand, groupEditCommand } from '../../../src/commands/group-edits.ts';
import { groupId, policyId } from '../../../src/lib/ids.ts';
import { aDevice, aGroup } from '../../harness/builders.ts';
import { editFleetPorts } from '../harness/edit-fleet.ts';

describe('forms', () => {
  const open = async (command: WriteCommand, given: unknown) => {
    const opened = await command.form?.open(given, editFleetPorts());
    if (opened?.kind !== 'form') throw new Error('no form');
    return opened.form;
  };
  const read = (
    command: WriteCommand,
    values: Readonly<Record<string, readonly string[]>>,
    context: unknown = null,
  ) => command.form?.read(new Map(Object.entries(values)), context, editFleetPorts());

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
      const opened = await deviceEditCommand.form?.open({ device: 1001, ...typed }, ports);
      if (opened?.kind !== 'form') throw new Error('no form');
      const field = opened.form.fields.find((one) => one.kind === 'choice' && one.id === 'exception:1001');
      if (field?.kind !== 'choice') throw new Error('no field');
      expect(field.options.map(({ value, label }) => `${value}:${label}`)).toEqual(options);
      expect(field.initial).toBe(initial);
    },
  );

  it('of a group hold its policies with those that were typed, and without those that were typed to go', async () => {
    const typed = { group: 21, link: ['VPN', 'Twins'], unlink: ['kiosk mode'] };
    const { fields } = await open(groupEditCommand, typed);
    const policies = fields.find((one) => one.kind === 'searches');
    expect(policies).toMatchObject({
      id: 'policies:21',
      initial: [{ label: 'Apply All Patches' }, { label: 'VPN' }],
    });
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
      const drawn = await command.form?.redraw?.(new Map(Object.entries(chosen)), context, editFleetPorts());
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
    const values = {
      device: ['1001'],
      'tags:1001': ['new, old ,, new'],
      'name:1001': [''],
      'exception:1001': ['no'],
    };
    expect(read(deviceEditCommand, values, { tags: ['old', 'gone'] })).toEqual({
      kind: 'input',
      input: { device: 1001, name: null, add: ['new'], remove: ['gone'], exception: false, reason: null },
    });
  });

  it('say on the field what is wrong', () => {
    expect(read(deviceEditCommand, {})).toEqual({ kind: 'errors', errors: { device: 'Choose a device.' } });
    const odd = { device: ['1001'], 'exception:1001': ['leave'], 'addresses:1001': ['x'] };
    expect(read(deviceEditCommand, odd)).toMatchObject({
      errors: { 'addresses:1001': 'x isn’t an IP address.' },
    });
    expect(read(groupEditCommand, {})).toEqual({ kind: 'errors', errors: { group: 'Choose a group.' } });
    expect(read(groupCreateCommand, { name: [' '], wsus: ['on'], server: ['https://x'] })).toMatchObject({
      errors: { name: expect.any(String), wsus: expect.stringContaining('http://') },
    });
  });

  it('accept nothing for a device or group whose fields are not shown yet', () => {
    expect(read(deviceEditCommand, { device: ['1001'], 'exception:1002': ['yes'] })).toMatchObject({
      errors: { device: expect.stringContaining('aren’t shown yet') },
    });
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
    expect(read(groupCreateCommand, { name: ['Web'], wsus: [wsus], server })).toEqual({
      kind: 'errors',
      errors: { server: idle },
    });
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
    const opened = await groupEditCommand.form?.open({ group: 21 }, editFleetPorts({ groups: [kiosk] }));
    expect(opened).toMatchObject({
      form: {
        fields: [
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
        ],
      },
    });
  });

  it('return notes line by line, and leave out text that would be cut', async () => {
    const long = aGroup({ id: groupId(21), notes: 'x'.repeat(3_000) });
    const opened = await groupEditCommand.form?.open({ group: 21 }, editFleetPorts({ groups: [long] }));
    expect(JSON.stringify(opened)).toContain('too long to show here');
    expect(JSON.stringify(opened)).not.toContain('xxx');
    expect(
      read(groupEditCommand, { group: ['21'], 'wsus:21': ['device'], 'notes:21': ['one\r\ntwo  three'] }),
    ).toMatchObject({
      input: { notes: 'one\ntwo  three' },
    });
  });

  it('of a group give what was chosen; a new one leaves unsaid what it leaves to the device', () => {
    const values = {
      name: ['Web'],
      every: ['360'],
      os: ['device'],
      wsus: ['device'],
      notes: [''],
      policies: [],
    };
    expect(read(groupCreateCommand, values)).toEqual({
      kind: 'input',
      input: { name: 'Web', every: 360, reason: null },
    });
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
