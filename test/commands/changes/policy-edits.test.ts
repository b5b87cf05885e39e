import { describe, expect, it } from 'vitest';
import type { WriteCommand } from '../../../src/commands/core/command.ts';
import { policyCreateCommand, policyEditCommand } from '../../../src/commands/policy-edits.ts';
import { DIALECTS } from '../../../src/fleet/dialect.ts';
import { policyId } from '../../../src/lib/ids.ts';
import { aPolicy } from '../../harness/builders.ts';
import { editFleetPorts } from '../harness/edit-fleet.ts';
import { inputOf, parse } from '../harness/typed-line.ts';

const ports = () =>
  editFleetPorts({
    policies: [
      aPolicy({ settings: { autoReboot: false, deferralHours: [1, 4, 8] } }),
      aPolicy({ id: policyId(13), name: 'Disable SMBv1', type: 'custom' }),
      aPolicy({ id: policyId(14), name: 'Require VPN', type: 'required_software' }),
    ],
  });

const planned = async (command: WriteCommand, text: string, given = ports()) =>
  command.plan(inputOf(command, text), given);

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
    ['text:"Save, please" text-mac:Save', { settings: { patchText: 'Save, please', patchTextMac: 'Save' } }],
    ['pending-text:"Restart soon"', { settings: { pendingText: 'Restart soon' } }],
    // Values that are already set are left out.
    ['days:every reboot:no defer:8,4,1 time:05:00', { time: '05:00' }],
  ])('policy-edit %s', async (text, change) => {
    const plan = await planned(policyEditCommand, `"Apply All Patches" ${text}`);
    expect(plan).toMatchObject({ kind: 'proposal' });
    if (plan.kind !== 'proposal') return;
    expect(plan.proposal.command).toEqual({ kind: 'policy-edit', policyId: 12, change });
  });

  it.each<readonly [string, object]>([
    [
      'Nightly',
      {
        name: 'Nightly',
        severities: [],
        days: 0,
        groupIds: [],
        settings: { autoReboot: false, notifyPatch: false },
      },
    ],
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
    const plan = await planned(policyCreateCommand, text);
    expect(plan).toMatchObject({ proposal: { command: { kind: 'policy-create' } } });
    if (plan.kind !== 'proposal') return;
    expect(plan.proposal.command).toEqual({ kind: 'policy-create', policy });
  });

  it.each<readonly [WriteCommand, string, object]>([
    [policyEditCommand, 'days:every', { kind: 'missing', what: 'Which policy?', prefill: { days: 254 } }],
    [policyEditCommand, 'X', { kind: 'missing', what: 'What should change?', prefill: { policy: 'X' } }],
    [policyEditCommand, 'X days:mo', { kind: 'bad-value', word: 'days:mo' }],
    [policyEditCommand, 'X weeks:6', { kind: 'bad-value', word: 'weeks:6' }],
    [policyEditCommand, 'X months:13', { kind: 'bad-value', word: 'months:13' }],
    [policyEditCommand, 'X time:noon', { kind: 'bad-value', word: 'time:noon' }],
    [policyEditCommand, 'X time:24:00', { kind: 'bad-value', word: 'time:24:00' }],
    [policyCreateCommand, 'X time:23:60', { kind: 'bad-value', word: 'time:23:60' }],
    [policyEditCommand, 'X group:Web,,Kiosks', { kind: 'bad-value', word: 'group:Web,,Kiosks' }],
    [policyEditCommand, 'X zone:Europe/Berlin', { kind: 'bad-value', word: 'zone:Europe/Berlin' }],
    [policyEditCommand, 'X reboot:maybe', { kind: 'bad-value', expected: 'reboot:yes or reboot:no' }],
    [policyEditCommand, 'X reboot:constructor', { kind: 'bad-value', word: 'reboot:constructor' }],
    [policyEditCommand, 'X defer:soon', { kind: 'bad-value', expected: 'hours such as defer:1,4,8' }],
    [policyEditCommand, 'X deferrals:-1', { kind: 'bad-value', expected: 'a whole number from 0' }],
    [policyEditCommand, 'X severity:high', { kind: 'unknown-word', word: 'severity:high' }],
    [policyCreateCommand, 'days:every', { kind: 'missing', what: 'Enter a name for the policy.' }],
    [policyCreateCommand, 'X name:Y', { kind: 'unknown-word', word: 'name:Y' }],
    [policyCreateCommand, 'X days:sun', { kind: 'missing', what: 'At what time should it run?' }],
    [policyCreateCommand, 'X time:02:00', { kind: 'missing', what: 'On which days should it run?' }],
    [policyCreateCommand, 'X -group:Web', { kind: 'bad-value', word: '-group:Web' }],
    [policyEditCommand, '#12 zone:UTC+99', { kind: 'bad-value', word: 'zone:UTC+99' }],
    [policyEditCommand, '#12 zone:UTC+15:00', { kind: 'bad-value', word: 'zone:UTC+15:00' }],
  ])('%# is not taken: %s', (command, text, fault) => {
    expect(parse(command, text)).toMatchObject({ kind: 'fault', fault });
  });
});

describe('what cannot be asked for', () => {
  it.each<readonly [WriteCommand, string, object]>([
    [policyEditCommand, '#12 days:every', { kind: 'already-so', name: 'Apply All Patches' }],
    [policyEditCommand, '#99 days:every', { kind: 'no-such-policy' }],
    [policyEditCommand, '#12 name:"Require VPN"', { kind: 'policy-exists', name: 'Require VPN', id: 14 }],
    [policyEditCommand, '#12 defer:1,25', { fault: { expected: expect.stringMatching(/from 1 to 24/) } }],
    [policyEditCommand, '#12 defer:1,2,3,4', { fault: { expected: expect.stringMatching(/^up to 3/) } }],
    [policyEditCommand, '#12 timeout:500', { fault: { word: 'timeout:500', expected: '15 to 480 minutes' } }],
    [policyEditCommand, `#12 text-mac:"${'x'.repeat(71)}"`, { fault: { expected: 'at most 70 characters' } }],
    [
      policyEditCommand,
      '#13 notify:yes',
      { fault: { word: 'notify:', expected: expect.stringMatching(/reboot:, notify-reboot:/) } },
    ],
    [policyEditCommand, '#14 reboot:yes', { fault: { expected: expect.stringMatching(/no such setting/) } }],
    [policyEditCommand, '#12 -group:Web', { fault: { word: '-group:Web' } }],
    [policyCreateCommand, 'Nightly severity:worst', { fault: { word: 'severity:worst' } }],
    [policyCreateCommand, '"Require VPN"', { kind: 'policy-exists', id: 14 }],
  ])('%# %s', async (command, text, problem) => {
    const plan = await planned(command, text);
    expect(plan).toMatchObject({ problem });
  });

  it('a group that nobody knows is named back', async () => {
    expect(await planned(policyEditCommand, '#12 group:Wbe')).toMatchObject({
      kind: 'view',
      view: { kind: 'problem', problem: { kind: 'no-such-group', query: 'Wbe' } },
    });
    const input = { policy: 12, groups: [20, 999], reason: null };
    expect(await policyEditCommand.plan(input, ports())).toMatchObject({
      view: { problem: { kind: 'no-such-group', query: '#999' } },
    });
  });

  it('a group of which there are several is chosen, with the others as they were typed', async () => {
    expect(await planned(policyEditCommand, '#12 group:Web group:Twin')).toMatchObject({
      view: { kind: 'choices', rows: [{ choice: { input: { policy: 12, add: ['Web', 30] } } }, {}] },
    });
  });

  it('a time zone in the documented form of the service', async () => {
    const documented = { ...ports(), dialect: DIALECTS.documented };
    expect(await planned(policyEditCommand, '#12 zone:UTC', documented)).toMatchObject({
      problem: { fault: { word: 'zone:', expected: expect.stringMatching(/has none for policies/) } },
    });
  });
});
