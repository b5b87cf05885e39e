/** Policies made and edited by typed commands and in forms. */
import { describe, expect, it } from 'vitest';
import { until } from '../../harness/until.ts';
import { openModalOf, submitModal } from '../harness/modals.ts';
import { messageText, type SandboxPeople, stateOf } from '../harness/sandbox-people.ts';
import { createEditsHarness } from './edits-harness.ts';

const ALL_PATCHES = '/policies/2101';
const WORKLET = '/policies/2103';

export function policyEditTests(people: () => SandboxPeople): void {
  const { asked, approved, cardNow, policiesNamed, read, edits } = createEditsHarness(people);
  describe('of a policy', () => {
    const CREATE =
      'policy-create "Kiosk patches" group:Kiosks days:sun time:02:00 zone:UTC+1 severity:critical,high defer:1,4';

    it('one is made, attached to its group, and shown by its button', async () => {
      const card = await asked(`${CREATE} because new site`, 'Kiosk patches');
      for (const part of [
        '*Patches*: only critical and high severity',
        '*Groups*: Kiosks (#3140)',
        '*Days*: Sunday',
        '*Time*: 02:00',
        '*Time zone*: UTC+0100',
        '*Automatic reboot*: off',
        '*Deferral periods*: 1 and 4 hours',
        'Applies as soon as it’s approved',
      ])
        expect(messageText(card)).toContain(part);
      await people().push('approver', card, 'approve');
      const made = await people().becomes(card, 'verified');
      expect(messageText(made)).toMatch(/It is policy #\d+/);
      const [policy] = await policiesNamed('Kiosk patches');
      expect(policy).toMatchObject({
        schedule_days: 128,
        use_scheduled_timezone: true,
        scheduled_timezone: 'UTC+0100',
        server_groups: [3140],
        configuration: { severity_filter: ['critical', 'high'], auto_patch: true },
      });
      expect(await edits()).toEqual(['POST /policies']);
      const shown = await people().presses('operator', made, 'policy');
      expect(messageText(shown)).toContain('Sunday at 2:00 AM, UTC+0100');
      expect(messageText(await people().runs('operator', CREATE))).toContain(
        'is already named Kiosk patches',
      );
    });

    it('its fields change, and scripts, secrets and the rest stay', async () => {
      const before = await read(WORKLET);
      const card = await approved(
        'policy-edit "Disable SMBv1" time:04:30 group:Kiosks reboot:yes because audit',
        'Disable SMBv1',
      );
      for (const part of [
        '*Time*: 02:00 → 04:30',
        '*Groups*: add Kiosks',
        '*Automatic reboot*: not set → on',
      ])
        expect(messageText(card)).toContain(part);
      expect(messageText(card)).not.toContain('hunter2');
      const after = await read(WORKLET);
      expect(after).toEqual({
        ...before,
        schedule_time: '04:30',
        // The service's own: the next time of the new schedule.
        next_remediation: expect.stringContaining('04:30'),
        server_groups: expect.arrayContaining([...(before['server_groups'] as number[]), 3140]),
        server_count: expect.any(Number),
        configuration: { ...(before['configuration'] as object), auto_reboot: true },
      });
      expect(await edits()).toEqual([`PUT ${WORKLET}`]);
    });

    it('a policy that changed since the card was drawn sends it back', async () => {
      const card = await asked(
        'policy-edit "Apply All Patches" notify:no because audit',
        'Apply All Patches',
      );
      await people().runs('operator2', 'policy-edit "Apply All Patches" time:05:00 because audit');
      const other = await people().card('approvals', (one) => messageText(one).includes('<@U0OPERATOR2>'));
      await people().push('approver', other, 'approve');
      await people().becomes(other, 'verified');
      await people().push('approver', card, 'approve');
      const again = await until(async () => {
        const now = await cardNow(card);
        return messageText(now).includes('the time of Apply All Patches changed') ? now : null;
      });
      expect(stateOf(again)).toBe('waiting');
      expect(await edits()).toHaveLength(1);
    });

    it('a lost answer to a creation is looked for by name, and none is made twice', async () => {
      await people().faultOnce({ service: 'management', match: 'POST /policies', kind: 'cut-after' });
      const card = await approved(CREATE, 'Kiosk patches');
      expect(messageText(card)).toContain('Patchbay got no clear answer, but the change is visible now');
      await people().advance('10m');
      expect(await edits()).toEqual(['POST /policies']);
      expect(await policiesNamed('Kiosk patches')).toHaveLength(1);
    });

    it('is edited from its view: fields show current values, errors stand at theirs, only changes are requested', async () => {
      const policy = await people().runs('operator', 'policy "Apply All Patches"');
      await people().push('operator', { ...policy, channel: 'ops' }, 'form');
      const form = await openModalOf(people(), 'operator', 'Deferral periods');
      const element = (field: string) =>
        form.blocks.find((block) => (block as { readonly block_id?: string }).block_id === `${field}:2101`);
      expect(element('time')).toMatchObject({ element: { type: 'timepicker', initial_time: '02:00' } });
      expect(element('defer')).toMatchObject({ element: { initial_value: '1, 4, 8' } });
      expect(
        await submitModal(people(), 'operator', form, { 'defer:2101': '1, 40', 'timeout:2101': '5' }),
      ).toMatchObject({
        ok: false,
        errors: {
          'defer:2101': 'Expected up to 3 different numbers of hours from 1 to 24.',
          'timeout:2101': 'Expected 15 to 480 minutes.',
        },
      });
      expect(
        await submitModal(people(), 'operator', form, {
          'defer:2101': '2, 6',
          'timeout:2101': '',
          'time:2101': '03:15',
          reason: 'a quiet hour',
        }),
      ).toMatchObject({ ok: true });
      const card = await people().card('approvals', ({ text }) => text.includes('Apply All Patches'));
      for (const part of ['*Time*: 02:00 → 03:15', '*Deferral periods*: 1, 4 and 8 hours → 2 and 6 hours'])
        expect(messageText(card)).toContain(part);
      for (const part of ['*Days*', '*Name*', '*Automatic reboot*', '*Notification'])
        expect(messageText(card)).not.toContain(part);
      await people().push('approver', card, 'approve');
      await people().becomes(card, 'verified');
      expect(await read(ALL_PATCHES)).toMatchObject({
        schedule_time: '03:15',
        configuration: { custom_notification_deferment_periods: [2, 6] },
      });
    });

    it('what the service would refuse is refused before, in plain words', async () => {
      for (const [text, answer] of [
        ['policy-edit "Apply All Patches" time:25:00', /time such as 02:00/],
        ['policy-edit "Apply All Patches" name:"Disable SMBv1"', /is already named Disable SMBv1/],
        ['policy-edit "Apply All Patches" group:Nowhere', /No group is named Nowhere/],
        ['policy-edit "Require VPN client" reboot:yes', /no such setting/],
        ['policy-edit Nothing days:every', /No policy is named Nothing/],
      ] as const)
        expect(messageText(await people().runs('operator', text))).toMatch(answer);
      expect(await edits()).toEqual([]);
    });
  });
}
