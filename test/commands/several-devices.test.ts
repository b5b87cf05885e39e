import { describe, expect, it } from 'vitest';
import type { Command, FormPorts } from '../../src/commands/core/command.ts';
import { deviceEditCommand } from '../../src/commands/device-edit.ts';
import { rebootCommand, scanCommand } from '../../src/commands/scan-and-reboot.ts';
import { deviceId, groupId, personId } from '../../src/lib/ids.ts';
import { aDevice, aGroup, aPackage } from '../harness/builders.ts';
import { editFleetPorts } from './harness/edit-fleet.ts';
import { drawn, type Entered, textOf, valuesOf } from './harness/forms.ts';
import { testPorts } from './harness/ports.ts';
import { inputOf, proposalIn } from './harness/typed-line.ts';

describe('the same edit of several devices', () => {
  const devices = [
    aDevice({ id: deviceId(1001), name: 'web-01', tags: ['old'] }),
    aDevice({ id: deviceId(1002), name: 'web-02', tags: ['old', 'dmz'] }),
    aDevice({ id: deviceId(1003), name: 'web-03', tags: ['dmz'] }),
    aDevice({ id: deviceId(1004), name: 'dup', tags: [] }),
    aDevice({ id: deviceId(1005), name: 'dup', tags: [] }),
    aDevice({ id: deviceId(1006), name: 'rack 1, top', tags: [] }),
    aDevice({ id: deviceId(1007), name: 'untold', tags: null }),
  ];
  const ports = editFleetPorts({ devices });

  const plan = async (text: string, more = ports) =>
    deviceEditCommand.plan(inputOf(deviceEditCommand, text), more);
  const targetsOf = async (text: string) => {
    const { command, ids: targets, leftOut } = proposalIn(await plan(text));
    return { command, targets, left: leftOut.map(({ name, problem }) => `${name}: ${problem.kind}`) };
  };

  describe('several devices', () => {
    it.each([
      ['web-01, web-02 tag:new', [1001, 1002]],
      ['web-01,web-02,#1003 tag:new', [1001, 1002, 1003]],
      ['web-01, #1001, WEB-02 tag:new', [1001, 1002]],
      ['web-01, , web-02, tag:new', [1001, 1002]],
    ])('%s are one request with a target for each', async (text, targets) => {
      const command = { kind: 'device-edit', change: { retag: { add: ['new'], remove: [] } } };
      expect(await targetsOf(text)).toEqual({ command, targets, left: [] });
    });

    it('that have the tags already are left out and named', async () => {
      expect(await targetsOf('web-01, web-02, web-03 tag:dmz -tag:old')).toEqual({
        command: { kind: 'device-edit', change: { retag: { add: ['dmz'], remove: ['old'] } } },
        targets: [1001, 1002],
        left: ['web-03: already-so'],
      });
    });

    it('whose tags the service does not state are left out, or refused, since those would be lost', async () => {
      const left = ['untold: unsendable-change'];
      expect(await targetsOf('web-01, untold tag:dmz')).toMatchObject({ targets: [1001], left });
      expect(await plan('untold tag:dmz')).toMatchObject({ problem: { fault: { what: 'device-tags' } } });
    });

    it('are sealed with their own tags', async () => {
      const targets = [{ editable: { tags: ['old'] } }, { editable: { tags: ['old', 'dmz'] } }];
      expect(await plan('web-01, web-02 tag:new')).toMatchObject({ proposal: { targets } });
    });

    it.each([
      [
        'web-02, web-03 tag:dmz',
        { kind: 'none-to-change', leftOut: [{ name: 'web-02' }, { name: 'web-03' }] },
      ],
      ['web-01, web-02 -tag:gone', { kind: 'usage', fault: { kind: 'bad-value', word: '-tag:gone' } }],
      ['web-01, web-02 tag:x name:y', { kind: 'usage', fault: { kind: 'bad-value', word: 'name:' } }],
      ['web-01, web-02 ip:192.0.2.1', { kind: 'usage', fault: { kind: 'bad-value', word: 'ip:' } }],
      ['web-01, web-02 tag:x -tag:x', { kind: 'unsendable-change' }],
      ['web-01, web-99 tag:x', { kind: 'not-all-devices', unknown: ['web-99'] }],
    ])('%s are refused', async (text, problem) => {
      expect(await plan(text)).toMatchObject({ kind: 'problem', problem });
    });

    it('of which a name fits two offer them, with the other names kept', async () => {
      const planned = await plan('web-01, dup, web-03 tag:x');
      expect(planned).toMatchObject({
        kind: 'view',
        view: { kind: 'picker', choices: [{ input: { device: 'web-01, #1004, web-03', add: ['x'] } }, {}] },
      });
    });

    it('are not meant where one device has the commas in its name', async () => {
      expect(await targetsOf('"rack 1, top" tag:x')).toMatchObject({ targets: [1006] });
      expect(await targetsOf('"rack 1, top" name:Rack')).toMatchObject({ targets: [1006] });
    });

    it('are selected by filters, but for those that set values', async () => {
      const expected = { targets: [1001, 1002, 1003, 1004, 1005, 1006] };
      expect(await targetsOf('os:linux -is:stale tag:new')).toMatchObject(expected);
    });
  });

  describe('the form for several devices', () => {
    it('opens with those that were typed', async () => {
      const opened = await deviceEditCommand.form?.open({ device: 'web-01, #1002', add: ['a'] }, ports);
      expect(opened).toMatchObject({
        form: {
          command: 'device-edit',
          fields: [
            { kind: 'searches', id: 'devices', initial: [{ value: '1001' }, { value: '1002' }] },
            { id: 'filters', initial: '' },
            { id: 'add', initial: 'a' },
            { id: 'remove', initial: '' },
            { id: 'group' },
            { id: 'exception', initial: null },
            { id: 'waves', initial: null },
            { id: 'brake', initial: null },
            { id: 'options', initial: '' },
            { id: 'reason' },
          ],
        },
      });
    });

    it('keeps a name that is none, and filters, in the line', async () => {
      const fieldsFor = async (typed: object) =>
        (await drawn(deviceEditCommand.form?.open(typed, ports))).fields;
      expect(await fieldsFor({ device: 'web-01, nope' })).toMatchObject([
        { initial: [] },
        { initial: 'web-01, nope' },
        ...Array.from({ length: 9 }, () => ({})),
      ]);
      const filters = [{ key: 'tag', value: 'dmz', negated: false }];
      expect(await fieldsFor({ filters, rollout: { gate: 'manual' }, reason: 'x' })).toMatchObject([
        { id: 'devices', initial: [] },
        { id: 'filters', initial: 'tag:dmz' },
        { kind: 'words', text: '2 devices match now:\nweb-02 · #1002\nweb-03 · #1003' },
        {},
        {},
        {},
        {},
        { id: 'waves' },
        { id: 'brake' },
        { id: 'options', initial: 'gate:manual' },
        { id: 'reason', initial: 'x' },
      ]);
    });

    const read = (values: Entered) => deviceEditCommand.form?.read(valuesOf(values), null, ports);

    it('is read as names with commas', async () => {
      const result = read({ devices: ['1001', '1002'], add: ['a, b'], remove: [], reason: ['why'] });
      const input = { device: '#1001, #1002', add: ['a', 'b'], reason: 'why' };
      expect(result).toEqual({ kind: 'input', input });
      const expected = { proposal: { targets: [{ deviceId: 1001 }, { deviceId: 1002 }], reason: 'why' } };
      expect(await deviceEditCommand.plan(input, ports)).toMatchObject(expected);
    });

    it('is read as filters and options', () => {
      const values = { devices: [], filters: ['os:linux brake:1'], options: ['waves:1'], add: ['a'] };
      expect(read(values)).toMatchObject({
        input: { filters: [{ key: 'os' }], rollout: { brake: {}, waves: [{}] }, add: ['a'] },
      });
    });

    it('for one device changes its tags', async () => {
      const input = { device: '#1001', remove: ['old'], reason: null };
      expect(read({ devices: ['1001'], add: [], remove: ['old'] })).toEqual({ kind: 'input', input });
      expect(await deviceEditCommand.plan(input, ports)).toMatchObject({ kind: 'proposal' });
    });

    it.each([
      [{ devices: [], add: ['a'] }, 'devices'],
      [{ devices: ['1001'], filters: ['os:linux'], add: ['a'] }, 'filters'],
      [{ devices: [], filters: ['os:linux because x'], add: ['a'] }, 'filters'],
      [{ devices: [], filters: ['grop:x'], add: ['a'] }, 'filters'],
      [{ devices: ['1001'], options: ['wave:1'], add: ['a'] }, 'options'],
      [{ devices: ['1001'], add: [' , '], remove: [] }, 'add'],
    ])('says at the field what is missing: %o', (values, field) => {
      expect(read(values)).toMatchObject({ kind: 'errors', errors: { [field]: expect.any(String) } });
    });
  });
});

describe('forms for several devices', () => {
  const KIOSKS = groupId(30);
  const { form } = rebootCommand;
  if (form?.redraw === undefined) throw new Error('no live form');
  const { open, read, redraw } = form;

  const portsOf = (count = 12): FormPorts =>
    testPorts({
      devices: Array.from({ length: count }, (_, at) =>
        aDevice({ id: deviceId(at + 1), name: `web-${at + 1}`, groupId: at < 7 ? KIOSKS : groupId(20) }),
      ),
      groups: [aGroup(), aGroup({ id: KIOSKS, name: 'Kiosks' })],
      packages: [aPackage({ severity: 'critical' })],
    }).ports;

  /** The window after Enter was pressed in the line. */
  const lineDrawn = (line: string, ports: FormPorts) =>
    drawn(redraw(valuesOf({ devices: [], filters: [line] }), null, ports));

  it('says from how many devices on a reason is required, and never calls that one optional', async () => {
    const reasonOf = async (reasonFrom: number) => {
      const rollouts = { reasonFrom, maxDevices: 100, maxDevicesPerDay: 100, maxWaiting: 20, maxAgeMs: 1 };
      return (await lineDrawn('group:Kiosks', { ...portsOf(), rollouts: () => rollouts })).fields.at(-1);
    };
    const hint = 'Approvers see it with the request. Required from 8 devices on.';
    expect(await reasonOf(8)).toMatchObject({ id: 'reason', hint, optional: true });
    expect(await reasonOf(7)).not.toHaveProperty('optional');
  });

  it('requires the reason of one device where those of the last hour make it required, but not of a scan', async () => {
    const ports = testPorts({}, { asked: 24 }).ports;
    const reasonOf = async ({ form }: Pick<Command, 'form'>) =>
      form && (await drawn(form.open({}, ports))).fields.at(-1);
    const hint =
      'Approvers see it with the request. Required from 25 devices on, counting your 24 of the last hour.';
    expect(await reasonOf(rebootCommand)).toMatchObject({ id: 'reason', hint });
    expect(await reasonOf(rebootCommand)).not.toHaveProperty('optional');
    expect(await reasonOf(scanCommand)).toHaveProperty('optional');
  });

  describe('the line of filters in a form', () => {
    it('shows how many devices match now, and some of them', async () => {
      const named = [1, 2, 3, 4, 5].map((id) => `web-${id} · #${id}`);
      expect(textOf(await lineDrawn('group:Kiosks', portsOf()))).toBe(
        ['7 devices match now:', ...named, 'and 2 more'].join('\n'),
      );
    });

    it.each([
      ['missing:critical group:Kiosks', /^7 devices match now:/],
      ['missing:low', /^No devices match\.$/],
      ['missing:opnssl', /^No device has “opnssl”\.$/],
      ['group:nowhere', /^No device has “nowhere”\.$/],
      ['web-1, web-2', /^Each name is looked up when you send the form\.$/],
      ['speed:9', /Unknown|doesn’t apply/],
      ['group:Kiosks because x', /reason in its own field/],
      ['in:nothing', /Unknown saved target “in:nothing”/],
    ])('%s: says what is known of it', async (line, text) => {
      expect(textOf(await lineDrawn(line, portsOf()))).toMatch(text);
    });

    it('says so while packages are being read', async () => {
      const ports = portsOf();
      const answer = await ports.missingPatches.query({ groups: null, waitMs: 0 });
      const missingPatches = {
        ...ports.missingPatches,
        query: async () => ({ ...answer, known: new Map() }),
      };
      expect(textOf(await lineDrawn('missing:critical', { ...ports, missingPatches }))).toBe(
        'Packages of 0 of 12 devices read so far. Press Enter again in a minute.',
      );
    });

    it('takes a saved target once it was looked up', async () => {
      const ports = portsOf();
      const line = 'group:Kiosks';
      const owner = personId('UOPERATOR');
      await ports.settings.saved.save({ owner, name: 'kiosks', line, by: owner });
      const values = valuesOf({ devices: [], filters: ['in:kiosks'] });
      const errors = { filters: 'Press Enter in this field to look up the saved target.' };
      expect(read(values, null, ports)).toEqual({ kind: 'errors', errors });
      const view = await lineDrawn('in:kiosks', ports);
      expect(textOf(view)).toMatch(/^7 devices match now:/);
      const expected = { kind: 'input', input: { filters: [{ key: 'group', value: 'Kiosks' }] } };
      expect(read(values, JSON.parse(JSON.stringify(view.context)), ports)).toMatchObject(expected);
      // Another line than the one that was looked up.
      expect(read(valuesOf({ devices: [], filters: ['in:others'] }), view.context, ports)).toMatchObject({
        kind: 'errors',
      });
    });
  });

  describe('the form of several devices', () => {
    it('is for those that are picked, or for the line, and never for both', () => {
      const ports = portsOf();
      expect(
        read(valuesOf({ devices: ['1', '2'], options: ['waves:1'], reason: ['x'] }), null, ports),
      ).toMatchObject({
        kind: 'input',
        input: { device: '#1, #2', rollout: { waves: [{ kind: 'devices', devices: 1 }] }, reason: 'x' },
      });
      const expected = { input: { device: 'web-1, web-2' } };
      expect(read(valuesOf({ devices: [], filters: ['web-1, web-2'] }), null, ports)).toMatchObject(expected);
      for (const fields of [
        { devices: ['1'], filters: ['is:online'] },
        { devices: [] },
        { devices: ['1'], options: ['x:1'] },
      ])
        expect(read(valuesOf(fields), null, ports).kind).toBe('errors');
    });

    it('has menus in words for waves and brake, and the line for the rest', async () => {
      const ports = portsOf();
      const waves = [
        { kind: 'devices', devices: 1 },
        { kind: 'share', percent: 100 },
      ];
      const opened = await drawn(open({ device: 'web-1, web-2', rollout: { waves, gate: 'manual' } }, ports));
      expect(opened.fields.slice(2)).toMatchObject([
        { kind: 'choice', id: 'waves', initial: 'waves:1,100%', optional: true },
        { kind: 'choice', id: 'brake', initial: null },
        { id: 'options', initial: 'gate:manual' },
        { id: 'reason' },
      ]);
      const picked = {
        devices: ['1', '2'],
        waves: ['waves:1,100%'],
        brake: ['brake:2'],
        options: ['gate:manual'],
      };
      const rollout = { waves, brake: { kind: 'devices', devices: 2 }, gate: 'manual' };
      expect(read(valuesOf(picked), null, ports)).toMatchObject({ input: { rollout } });
      const twice = read(valuesOf({ ...picked, options: ['brake:3'] }), null, ports);
      const expected = { errors: { options: expect.stringContaining('is chosen above. Clear the menu') } };
      expect(twice).toMatchObject(expected);
    });

    it('opens with what was typed', async () => {
      const ports = portsOf();
      const line = await drawn(
        open({ filters: [{ key: 'missing', value: 'critical', negated: false }] }, ports),
      );
      expect(line.fields).toMatchObject([
        { id: 'devices', initial: [] },
        { id: 'filters', initial: 'missing:critical', live: true },
        { kind: 'words' },
        { id: 'waves' },
        { id: 'brake' },
        { id: 'options' },
        { id: 'reason' },
      ]);
      const names = await drawn(open({ device: 'web-1, web-2', reason: 'x' }, ports));
      expect(names.fields[0]).toMatchObject({ initial: [{ value: '1' }, { value: '2' }] });
    });
  });
});
