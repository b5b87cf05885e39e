import { describe, expect, it } from 'vitest';
import { devicesCommand } from '../../src/commands/devices.ts';
import { policiesCommand, policyCommand } from '../../src/commands/policies.ts';
import { policyCreateCommand, policyEditCommand } from '../../src/commands/policy-edits.ts';
import { DIALECTS } from '../../src/fleet/dialect.ts';
import { deviceId, groupId, policyId } from '../../src/lib/ids.ts';
import { renderView } from '../../src/views/views.ts';
import { aDevice, aGroup, aPolicy } from '../harness/builders.ts';
import { editFleetPorts } from './harness/edit-fleet.ts';
import { fieldOf, formTests } from './harness/forms.ts';
import { testPorts } from './harness/ports.ts';
import { faultOf, parsedChange, planLine, proposalOf, runCommand } from './harness/typed-line.ts';

describe('lines that edit policies', () => {
  const ports = () =>
    editFleetPorts({
      policies: [
        aPolicy({ settings: { autoReboot: false, deferralHours: [1, 4, 8] } }),
        aPolicy({ id: policyId(13), name: 'Disable SMBv1', type: 'custom' }),
        aPolicy({ id: policyId(14), name: 'Require VPN', type: 'required_software' }),
      ],
    });

  const UNSAID = { autoReboot: false, notifyPatch: false };
  const planned = (line: string, given = ports()) => planLine(line, given);

  describe('what is typed', () => {
    it.each<readonly [string, object]>([
      ['days:weekdays', { days: 62 }],
      ['days:mon,thu', { days: 18 }],
      ['days:none', { days: 0 }],
      ['weeks:1,3', { weeksOfMonth: 10 }],
      ['months:mar,september', { months: 520 }],
      ['time:3:30', { time: '03:30' }],
      ['zone:utc+1', { timezone: 'UTC+0100' }],
      ['zone:UTC-05:30', { timezone: 'UTC-0530' }],
      ['name:"All patches" notes:""', { name: 'All patches' }],
      ['group:Web', { groupIds: [20, 21] }],
      ['group:Web -group:"Linux servers"', { groupIds: [21] }],
      ['reboot:yes notify:no', { settings: { autoReboot: true, notifyPatch: false } }],
      ['notify-reboot:yes notify-pending:yes', { settings: { notifyReboot: true, notifyPending: true } }],
      ['deferrals:99 defer:2,6', { settings: { deferrals: 99, deferralHours: [2, 6] } }],
      ['pending-deferrals:0', { settings: { pendingDeferrals: 0 } }],
      ['timeout:15 pending-timeout:480', { settings: { timeout: 15, pendingTimeout: 480 } }],
      [
        'text:"Save, please" text-mac:Save',
        { settings: { patchText: 'Save, please', patchTextMac: 'Save' } },
      ],
      ['pending-text:"Restart soon"', { settings: { pendingText: 'Restart soon' } }],
      // Values that are already set are left out.
      ['days:every reboot:no defer:8,4,1 time:05:00', { time: '05:00' }],
    ])('policy-edit %s', async (text, change) => {
      const { command } = await proposalOf(`policy-edit "Apply All Patches" ${text}`, ports());
      expect(command).toEqual({ kind: 'policy-edit', policyId: 12, change });
    });

    it.each<readonly [string, object]>([
      ['Nightly', { name: 'Nightly', severities: [], days: 0, groupIds: [], settings: UNSAID }],
      [
        '"Kiosk patches" group:Web severity:critical,high days:sun time:02:00 reboot:yes notes:"by night"',
        {
          name: 'Kiosk patches',
          severities: ['critical', 'high'],
          days: 128,
          time: '02:00',
          timezone: 'device',
          notes: 'by night',
          groupIds: [21],
          settings: { autoReboot: true, notifyPatch: false },
        },
      ],
    ])('policy-create %s', async (text, policy) => {
      const { command } = await proposalOf(`policy-create ${text}`, ports());
      expect(command).toEqual({ kind: 'policy-create', policy });
    });

    it.each<readonly [string, object]>([
      ['policy-edit days:every', { kind: 'missing', what: 'Which policy?', prefill: { days: 254 } }],
      ['policy-edit X', { kind: 'missing', what: 'What should change?', prefill: { policy: 'X' } }],
      ['policy-edit X days:mo', { kind: 'bad-value', word: 'days:mo' }],
      ['policy-edit X weeks:6', { kind: 'bad-value', word: 'weeks:6' }],
      ['policy-edit X months:13', { kind: 'bad-value', word: 'months:13' }],
      ['policy-edit X time:noon', { kind: 'bad-value', word: 'time:noon' }],
      ['policy-edit X time:24:00', { kind: 'bad-value', word: 'time:24:00' }],
      ['policy-create X time:23:60', { kind: 'bad-value', word: 'time:23:60' }],
      ['policy-edit X group:Web,,Kiosks', { kind: 'bad-value', word: 'group:Web,,Kiosks' }],
      ['policy-edit X zone:Europe/Berlin', { kind: 'bad-value', word: 'zone:Europe/Berlin' }],
      ['policy-edit X reboot:maybe', { kind: 'bad-value', expected: 'reboot:yes or reboot:no' }],
      ['policy-edit X reboot:constructor', { kind: 'bad-value', word: 'reboot:constructor' }],
      ['policy-edit X defer:soon', { kind: 'bad-value', expected: 'hours such as defer:1,4,8' }],
      ['policy-edit X deferrals:-1', { kind: 'bad-value', expected: 'a whole number from 0' }],
      ['policy-edit X severity:high', { kind: 'unknown-word', word: 'severity:high' }],
      ['policy-create days:every', { kind: 'missing', what: 'Enter a name for the policy.' }],
      ['policy-create X name:Y', { kind: 'unknown-word', word: 'name:Y' }],
      ['policy-create X days:sun', { kind: 'missing', what: 'At what time should it run?' }],
      ['policy-create X time:02:00', { kind: 'missing', what: 'On which days should it run?' }],
      ['policy-create X -group:Web', { kind: 'bad-value', word: '-group:Web' }],
      ['policy-edit #12 zone:UTC+99', { kind: 'bad-value', word: 'zone:UTC+99' }],
      ['policy-edit #12 zone:UTC+15:00', { kind: 'bad-value', word: 'zone:UTC+15:00' }],
    ])('%s is not taken', (line, fault) => {
      expect(parsedChange(line)).toMatchObject({ kind: 'fault', fault });
    });
  });

  describe('what cannot be asked for', () => {
    it.each<readonly [string, object]>([
      ['policy-edit #12 days:every', { kind: 'already-so', name: 'Apply All Patches' }],
      ['policy-edit #99 days:every', { kind: 'no-such-policy' }],
      ['policy-edit #12 name:"Require VPN"', { kind: 'policy-exists', name: 'Require VPN', id: 14 }],
      ['policy-edit #12 defer:1,25', { fault: { expected: expect.stringMatching(/from 1 to 24/) } }],
      ['policy-edit #12 defer:1,2,3,4', { fault: { expected: expect.stringMatching(/^up to 3/) } }],
      ['policy-edit #12 timeout:500', { fault: { word: 'timeout:500', expected: '15 to 480 minutes' } }],
      [`policy-edit #12 text-mac:"${'x'.repeat(71)}"`, { fault: { expected: 'at most 70 characters' } }],
      [
        'policy-edit #13 notify:yes',
        { fault: { word: 'notify:', expected: expect.stringMatching(/reboot:, notify-reboot:/) } },
      ],
      ['policy-edit #14 reboot:yes', { fault: { expected: expect.stringMatching(/no such setting/) } }],
      ['policy-edit #12 -group:Web', { fault: { word: '-group:Web' } }],
      ['policy-create Nightly severity:worst', { fault: { word: 'severity:worst' } }],
      ['policy-create "Require VPN"', { kind: 'policy-exists', id: 14 }],
    ])('%s', async (line, problem) => {
      expect(await planned(line)).toMatchObject({ problem });
    });

    it('a group that nobody knows is named back', async () => {
      const view = { kind: 'problem', problem: { kind: 'no-such-group', query: 'Wbe' } };
      expect(await planned('policy-edit #12 group:Wbe')).toMatchObject({ kind: 'view', view });
      const input = { policy: 12, groups: [20, 999], reason: null };
      const expected = { view: { problem: { kind: 'no-such-group', query: '#999' } } };
      expect(await policyEditCommand.plan(input, ports())).toMatchObject(expected);
    });

    it('a group of which there are several is chosen, with the others as they were typed', async () => {
      expect(await planned('policy-edit #12 group:Web group:Twin')).toMatchObject({
        view: { kind: 'choices', rows: [{ choice: { input: { policy: 12, add: ['Web', 30] } } }, {}] },
      });
    });

    it('a time zone in the documented form of the service', async () => {
      const documented = { ...ports(), dialect: DIALECTS.documented };
      expect(await planned('policy-edit #12 zone:UTC', documented)).toMatchObject({
        problem: { fault: { word: 'zone:', expected: expect.stringMatching(/has none for policies/) } },
      });
    });
  });
});

describe('forms of policies', () => {
  const SETTINGS = { autoReboot: true, notifyPatch: false, deferrals: 3, deferralHours: [1, 4] };
  const ports = () =>
    editFleetPorts({
      policies: [
        aPolicy({ settings: SETTINGS }),
        aPolicy({ id: policyId(13), name: 'Disable SMBv1', type: 'custom' }),
      ],
    });

  const { open, read } = formTests(ports);

  /** The edit form of policy 12 as it is sent when nobody touched it. */
  const UNTOUCHED = {
    policy: ['12'],
    'name:12': ['Apply All Patches'],
    'groups:12': ['20'],
    'days:12': ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'],
    'time:12': ['02:00'],
    'zone:12': ['device'],
    'weeks:12': ['first', 'second', 'third', 'fourth', 'fifth'],
    'months:12':
      'January February March April May June July August September October November December'.split(' '),
    'notes:12': [],
    'flags:12': ['autoReboot'],
    'deferrals:12': ['3'],
    'defer:12': ['1, 4'],
    'timeout:12': [],
    'text:12': [],
  };

  describe('the form of a policy', () => {
    it('says that weeks are those of the calendar', async () => {
      const { fields } = await open(policyEditCommand, { policy: 12 });
      const expected = { hint: expect.stringContaining('Calendar weeks') };
      expect(fieldOf(fields, 'weeks:12')).toMatchObject(expected);
    });

    it('holds its current values, replaced by what was typed', async () => {
      const { fields } = await open(policyEditCommand, {
        policy: 12,
        time: '03:30',
        add: ['Web'],
        reason: 'why',
      });
      expect(fields).toMatchObject([
        { id: 'policy', initial: { value: '12', label: 'Apply All Patches' }, live: true },
        { id: 'name:12', initial: 'Apply All Patches' },
        { id: 'groups:12', initial: [{ value: '20' }, { value: '21' }] },
        { id: 'days:12', initial: UNTOUCHED['days:12'] },
        { kind: 'time', id: 'time:12', initial: '03:30' },
        { id: 'zone:12', initial: 'device' },
        { id: 'weeks:12', initial: UNTOUCHED['weeks:12'] },
        { id: 'months:12', initial: UNTOUCHED['months:12'] },
        { id: 'notes:12', initial: '' },
        { id: 'flags:12', initial: ['autoReboot'] },
        { id: 'deferrals:12', initial: '3' },
        { id: 'defer:12', initial: '1, 4' },
        { id: 'pending-deferrals:12', initial: '' },
        { id: 'pending-defer:12' },
        { id: 'timeout:12' },
        { id: 'pending-timeout:12' },
        { id: 'text:12', most: 125 },
        { id: 'text-mac:12', most: 70 },
        { id: 'reboot-text:12' },
        { id: 'reboot-text-mac:12' },
        { id: 'pending-text:12' },
        { id: 'pending-text-mac:12' },
        { id: 'reason', initial: 'why' },
      ]);
    });

    it('sent untouched asks for nothing', async () => {
      const { context } = await open(policyEditCommand, { policy: 12 });
      const given = read(policyEditCommand, UNTOUCHED, context);
      if (given?.kind !== 'input') throw new Error(JSON.stringify(given));
      const problem = { kind: 'already-so' };
      expect(await policyEditCommand.plan(given.input, ports())).toMatchObject({ kind: 'problem', problem });
    });

    it('asks for what was changed in it, and nothing else', async () => {
      const { context } = await open(policyEditCommand, { policy: 12 });
      const values = {
        ...UNTOUCHED,
        'time:12': ['23:15'],
        'days:12': ['Sunday'],
        'flags:12': ['notifyPending'],
        'defer:12': ['2,6'],
        'text:12': ['Please save'],
      };
      const given = read(policyEditCommand, values, context);
      if (given?.kind !== 'input') throw new Error(JSON.stringify(given));
      expect(await policyEditCommand.plan(given.input, ports())).toMatchObject({
        proposal: {
          command: {
            change: {
              days: 128,
              time: '23:15',
              settings: {
                autoReboot: false,
                notifyPending: true,
                deferralHours: [2, 6],
                patchText: 'Please save',
              },
            },
          },
        },
      });
    });

    it('says at each field what is wrong with it', () => {
      const values = {
        ...UNTOUCHED,
        'name:12': [' '],
        'deferrals:12': ['many'],
        'defer:12': ['1, 25'],
        'timeout:12': ['5'],
        'text-mac:12': ['x'.repeat(71)],
      };
      expect(read(policyEditCommand, values)).toEqual({
        kind: 'errors',
        errors: {
          'name:12': 'Expected a name that isn’t blank.',
          'deferrals:12': 'Expected a whole number from 0.',
          'defer:12': 'Expected up to 3 different numbers of hours from 1 to 24.',
          'timeout:12': 'Expected 15 to 480 minutes.',
          'text-mac:12': 'Expected at most 70 characters.',
        },
      });
      expect(read(policyEditCommand, {})).toMatchObject({ errors: { policy: 'Choose a policy.' } });
      const expected = { errors: { policy: expect.stringMatching(/Wait a moment/) } };
      expect(read(policyEditCommand, { policy: ['12'] })).toMatchObject(expected);
    });

    it('leaves out only the names that do not mean one group', async () => {
      const input = { policy: 12, add: ['Web', 'Wbe'], remove: ['Nowhere', 20] };
      const { fields } = await open(policyEditCommand, input);
      const expected = { initial: [{ value: '21' }] };
      expect(fieldOf(fields, 'groups:12')).toMatchObject(expected);
    });

    it('reads the policy once', async () => {
      const { ports: at, fleet } = testPorts({ policies: [aPolicy()] });
      await open(policyEditCommand, { policy: 12 }, at);
      expect(fleet.reads.filter((name) => name === 'policy')).toHaveLength(1);
    });

    it('shows only the settings that policies of its type have', async () => {
      const { fields } = await open(policyEditCommand, { policy: 13 });
      const ids = fields.map((field) => (field.kind === 'words' ? '' : field.id));
      expect(ids).toContain('pending-text:13');
      expect(ids).not.toContain('text:13');
    });

    it('leaves out days that it cannot show, and the time zone that the service does not know', async () => {
      const schedule = { days: 3, weeksOfMonth: 62, months: 8_190, time: '2 AM', timezone: null };
      const at = { ...editFleetPorts({ policies: [aPolicy({ schedule })] }), dialect: DIALECTS.documented };
      const { fields } = await open(policyEditCommand, { policy: 12 }, at);
      expect(fields[3]).toMatchObject({ kind: 'words', text: expect.stringMatching(/^Days: not known/) });
      expect(fields).toContainEqual(expect.objectContaining({ id: 'time:12', initial: null }));
      expect(JSON.stringify(fields)).not.toContain('zone:12');
      const { 'days:12': _, ...values } = UNTOUCHED;
      expect(read(policyEditCommand, values)).not.toMatchObject({ input: { days: expect.anything() } });
    });

    it('of a new policy asks for what decides, and for days and time together', async () => {
      const { fields, context } = await open(policyCreateCommand, { name: 'Nightly', severities: ['high'] });
      expect(fields.slice(0, 2)).toMatchObject([
        { id: 'name', initial: 'Nightly' },
        { id: 'severity', initial: ['high'] },
      ]);
      const values = { name: ['Nightly'], days: [], groups: ['21'], severity: ['high'], flags: [], text: [] };
      const input = { name: 'Nightly', days: 0, groups: [21], severities: ['high'], reason: null };
      expect(read(policyCreateCommand, values, context)).toEqual({ kind: 'input', input });
      const expected = { errors: { time: 'Choose a time for these days.' } };
      expect(read(policyCreateCommand, { ...values, days: ['Sunday'] })).toMatchObject(expected);
      expect(read(policyCreateCommand, { ...values, time: ['02:00'] })).toMatchObject({
        errors: { days: 'Choose the days for this time.' },
      });
    });
  });
});

describe('policies that are read', () => {
  const content = {
    groups: [aGroup()],
    policies: [
      aPolicy({ id: policyId(14), name: 'Zero' }),
      aPolicy({ groupIds: [groupId(20), groupId(77)] }),
      aPolicy({ id: policyId(13), name: 'zero' }),
    ],
  };

  describe('policies', () => {
    it('lists them by name with the names of their groups', async () => {
      const view = await runCommand(policiesCommand, 'policies', '', testPorts(content).ports);
      expect(view.rows.map((row) => row.policy.id)).toEqual([12, 13, 14]);
      expect(view.rows[0]?.groups).toEqual([
        { id: 20, name: 'Linux servers' },
        { id: 77, name: null },
      ]);
    });

    it('turns pages of ten', async () => {
      const many = Array.from({ length: 12 }, (_, at) => aPolicy({ id: policyId(at + 1) }));
      const view = await runCommand(policiesCommand, 'policies', '', testPorts({ policies: many }).ports, 9);
      expect(view.rows).toHaveLength(2);
      expect(view.paging).toMatchObject({ page: 1, pages: 2, total: 12 });
    });

    it('refuses words', () => {
      expect(faultOf(policiesCommand, 'all')).toMatchObject({ kind: 'unknown-word', word: 'all' });
    });
  });

  describe('policy', () => {
    it.each(['apply all patches', '#12', '12'])('shows the one meant by “%s”, read fresh', async (text) => {
      const { ports, fleet } = testPorts(content);
      const view = await runCommand(policyCommand, 'policy', text, ports);
      expect(view).toMatchObject({ policy: { id: 12 }, groups: [{ name: 'Linux servers' }, { name: null }] });
      expect(fleet.reads).toContain('policy');
    });

    it('counts the devices that report the policy and do not comply, and lists them', async () => {
      const reports = (id: number, compliant: boolean) => {
        const policyCompliance = [{ policyId: policyId(12), compliant }];
        return aDevice({ id: deviceId(id), policies: [aPolicy({ id: policyId(12) })], policyCompliance });
      };
      const devices = [reports(1, false), reports(2, false), reports(3, true), aDevice({ id: deviceId(4) })];
      const { ports } = testPorts({ ...content, devices });
      const view = await runCommand(policyCommand, 'policy', '#12', ports);
      const shown = renderView(view);
      expect(shown.text).toContain('*Not compliant*: 2 of 3 devices that report on this policy');
      expect(JSON.stringify(shown.blocks)).toContain('Show 2 noncompliant');
      const list = await devicesCommand.run(view.compliance?.list.input, 0, ports);
      expect(list).toMatchObject({ kind: 'devices', paging: { total: 2 } });
    });

    it('lets a person choose among policies of one name', async () => {
      const view = await runCommand(policyCommand, 'choices', 'zero', testPorts(content).ports);
      expect(view).toMatchObject({ what: 'policy', rows: [{ id: 14 }, { id: 13 }], total: 2 });
    });

    it('names the nearest of an unknown one', async () => {
      const view = await runCommand(policyCommand, 'problem', 'aply all patches', testPorts(content).ports);
      expect(view.problem).toMatchObject({ kind: 'no-such-policy', nearest: ['Apply All Patches'] });
    });

    it('offers none where no name comes near, and the list of all instead', async () => {
      const view = await runCommand(policyCommand, 'problem', 'Nightly', testPorts(content).ports);
      expect(view.problem).toEqual({ kind: 'no-such-policy', query: 'Nightly', nearest: [] });
      const drawn = JSON.stringify(renderView(view).blocks);
      expect(drawn).toContain('No close match.');
      expect(drawn).toContain('Show all policies');
      expect(drawn).not.toContain('Did you mean');
      const nearer = await runCommand(policyCommand, 'problem', 'aply all patches', testPorts(content).ports);
      expect(JSON.stringify(renderView(nearer).blocks)).not.toContain('Show all policies');
    });

    it('says that an id is of no policy', async () => {
      const view = await runCommand(policyCommand, 'problem', '#4711', testPorts(content).ports);
      expect(view.problem).toEqual({ kind: 'no-such-policy', query: '#4711', nearest: [] });
    });

    it('asks for a name', () => {
      expect(faultOf(policyCommand, '')).toEqual({ kind: 'missing', what: 'Which policy?' });
    });
  });
});
