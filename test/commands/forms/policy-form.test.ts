import { describe, expect, it } from 'vitest';
import type { WriteCommand } from '../../../src/commands/core/command.ts';
import { policyCreateCommand, policyEditCommand } from '../../../src/commands/policy-edits.ts';
import { DIALECTS } from '../../../src/fleet/dialect.ts';
import { policyId } from '../../../src/lib/ids.ts';
import { aPolicy } from '../../harness/builders.ts';
import { editFleetPorts } from '../harness/edit-fleet.ts';
import { testPorts } from '../harness/ports.ts';

const SETTINGS = { autoReboot: true, notifyPatch: false, deferrals: 3, deferralHours: [1, 4] };
const ports = () =>
  editFleetPorts({
    policies: [
      aPolicy({ settings: SETTINGS }),
      aPolicy({ id: policyId(13), name: 'Disable SMBv1', type: 'custom' }),
    ],
  });

async function open(command: WriteCommand, given: unknown, at = ports()) {
  const opened = await command.form?.open(given, at);
  if (opened?.kind !== 'form') throw new Error('no form');
  return opened.form;
}
const read = (
  command: WriteCommand,
  values: Readonly<Record<string, readonly string[]>>,
  context: unknown = null,
) => command.form?.read(new Map(Object.entries(values)), context, ports());

/** The edit form of policy 12 as it is sent when nobody touched it. */
const UNTOUCHED = {
  policy: ['12'],
  'name:12': ['Apply All Patches'],
  'groups:12': ['20'],
  'days:12': ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'],
  'time:12': ['02:00'],
  'zone:12': ['device'],
  'weeks:12': ['first', 'second', 'third', 'fourth', 'fifth'],
  'months:12': [
    'January',
    'February',
    'March',
    'April',
    'May',
    'June',
    'July',
    'August',
    'September',
    'October',
    'November',
    'December',
  ],
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
    expect(fields.find((field) => field.kind === 'choices' && field.id === 'weeks:12')).toMatchObject({
      hint: expect.stringContaining('Calendar weeks'),
    });
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
    expect(await policyEditCommand.plan(given.input, ports())).toMatchObject({
      kind: 'problem',
      problem: { kind: 'already-so' },
    });
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
        'name:12': 'Expected: a name that isn’t blank.',
        'deferrals:12': 'Expected: a whole number from 0.',
        'defer:12': 'Expected: up to 3 different numbers of hours from 1 to 24.',
        'timeout:12': 'Expected: 15 to 480 minutes.',
        'text-mac:12': 'Expected: at most 70 characters.',
      },
    });
    expect(read(policyEditCommand, {})).toMatchObject({ errors: { policy: 'Choose a policy.' } });
    expect(read(policyEditCommand, { policy: ['12'] })).toMatchObject({
      errors: { policy: expect.stringMatching(/Wait a moment/) },
    });
  });

  it('leaves out only the names that do not mean one group', async () => {
    const input = { policy: 12, add: ['Web', 'Wbe'], remove: ['Nowhere', 20] };
    const { fields } = await open(policyEditCommand, input);
    expect(fields.find((field) => field.kind !== 'words' && field.id === 'groups:12')).toMatchObject({
      initial: [{ value: '21' }],
    });
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
    expect(read(policyCreateCommand, values, context)).toEqual({
      kind: 'input',
      input: { name: 'Nightly', days: 0, groups: [21], severities: ['high'], reason: null },
    });
    expect(read(policyCreateCommand, { ...values, days: ['Sunday'] })).toMatchObject({
      errors: { time: 'Choose a time for these days.' },
    });
    expect(read(policyCreateCommand, { ...values, time: ['02:00'] })).toMatchObject({
      errors: { days: 'Choose the days for this time.' },
    });
  });
});
