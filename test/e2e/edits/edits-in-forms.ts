/** Devices and groups edited in a form. */
import { describe, expect, it } from 'vitest';
import { openModalOf, submitModal } from '../harness/modals.ts';
import { actionIdsOf, messageText, type SandboxPeople } from '../harness/sandbox-people.ts';
import { createEditsHarness, EDITED_DEVICE } from './edits-harness.ts';

export function formEditTests(people: () => SandboxPeople): void {
  const { read, groupsNamed } = createEditsHarness(people);
  describe('in a form', () => {
    it('a device is edited from its card: fields show current values, and only changes are requested', async () => {
      const device = await people().runs('operator', 'device web-01');
      expect(actionIdsOf(device)).toContain('more');
      await people().presses('operator', { ...device, channel: 'ops' }, 'more', 'Edit');
      const form = await openModalOf(people(), 'operator', 'Custom name');
      const { tags } = await read(EDITED_DEVICE);
      const wanted = [...(tags as string[]).slice(1), 'dmz'].join(', ');
      expect(
        await submitModal(people(), 'operator', form, { 'tags:4001': wanted, 'addresses:4001': 'nowhere' }),
      ).toMatchObject({
        ok: false,
        errors: { 'addresses:4001': 'nowhere isn’t an IP address.' },
      });
      expect(
        await submitModal(people(), 'operator', form, {
          'tags:4001': wanted,
          'addresses:4001': '',
          reason: 'tidy',
        }),
      ).toMatchObject({
        ok: true,
      });
      const card = await people().card('approvals', ({ text }) => text.includes('web-01'));
      expect(messageText(card)).toContain('*Tags*');
      expect(messageText(card)).not.toContain('*Custom name*');
    });

    it('a group is made from what was typed and chosen', async () => {
      await people().command({
        user: 'operator',
        channel: 'ops',
        command: '/fleet',
        text: 'group-create every:6h',
      });
      const form = await openModalOf(people(), 'operator', 'Create a group');
      expect(await submitModal(people(), 'operator', form, { name: ' ' })).toMatchObject({ ok: false });
      const values = {
        name: 'Web servers',
        color: '#D78500',
        os: 'off',
        wsus: 'on',
        server: 'http://wsus.example:8530',
      };
      expect(await submitModal(people(), 'operator', form, values)).toMatchObject({ ok: true });
      const card = await people().card('approvals', ({ text }) => text.includes('Web servers'));
      for (const part of ['6 hours', 'Utah Clay', 'off', 'WSUS, server', 'wsus.example:8530'])
        expect(messageText(card)).toContain(part);
      await people().push('approver', card, 'approve');
      await people().becomes(card, 'verified');
      expect(await groupsNamed('Web servers')).toMatchObject([
        { enable_os_auto_update: false, ui_color: '#D78500', refresh_interval: 360 },
      ]);
    });

    it('a group is edited from its view', async () => {
      const group = await people().runs('operator', 'group Kiosks');
      await people().push('operator', { ...group, channel: 'ops' }, 'form');
      const form = await openModalOf(people(), 'operator', 'Scan interval');
      const [kiosks] = await groupsNamed('Kiosks');
      const field = `every:${kiosks?.id}`;
      expect(await submitModal(people(), 'operator', form, { [field]: '1440' })).toMatchObject({ ok: true });
      const card = await people().card('approvals', ({ text }) => text.includes('Kiosks'));
      expect(messageText(card)).toContain('4 hours → 24 hours');
      await people().push('approver', card, 'approve');
      await people().becomes(card, 'verified');
      expect(await groupsNamed('Kiosks')).toMatchObject([{ refresh_interval: 1_440 }]);
    });
  });
}
