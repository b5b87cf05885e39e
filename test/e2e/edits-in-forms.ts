/** Devices and groups that are edited in a form. */
import { describe, expect, it } from 'vitest';
import { createEdits, DEVICE } from './edits-hand.ts';
import { actionsOf, type Town, wordsOf } from './town.ts';
import { submit, windowOf } from './windows.ts';

export function editForms(town: () => Town): void {
  const { read, groupsNamed } = createEdits(town);
  describe('in a form', () => {
    it('a device is edited from its card: what is stands in the fields, and only what changed is asked for', async () => {
      const device = await town().asks('operator', 'device web-01');
      expect(actionsOf(device)).toContain('more');
      await town().presses('operator', { ...device, channel: 'ops' }, 'more', 'Edit');
      const form = await windowOf(town(), 'operator', 'Custom name');
      const { tags } = await read(DEVICE);
      const wanted = [...(tags as string[]).slice(1), 'dmz'].join(', ');
      expect(
        await submit(town(), 'operator', form, { 'tags:4001': wanted, 'addresses:4001': 'nowhere' }),
      ).toMatchObject({
        ok: false,
        errors: { 'addresses:4001': 'nowhere isn’t an IP address.' },
      });
      expect(
        await submit(town(), 'operator', form, { 'tags:4001': wanted, 'addresses:4001': '', reason: 'tidy' }),
      ).toMatchObject({
        ok: true,
      });
      const card = await town().card('approvals', ({ text }) => text.includes('web-01'));
      expect(wordsOf(card)).toContain('*Tags*');
      expect(wordsOf(card)).not.toContain('*Custom name*');
    });

    it('a group is made from what was typed and chosen', async () => {
      await town().command({
        user: 'operator',
        channel: 'ops',
        command: '/fleet',
        text: 'group-create every:6h',
      });
      const form = await windowOf(town(), 'operator', 'Create a group');
      expect(await submit(town(), 'operator', form, { name: ' ' })).toMatchObject({ ok: false });
      const values = {
        name: 'Web servers',
        color: '#D78500',
        os: 'off',
        wsus: 'on',
        server: 'http://wsus.example:8530',
      };
      expect(await submit(town(), 'operator', form, values)).toMatchObject({ ok: true });
      const card = await town().card('approvals', ({ text }) => text.includes('Web servers'));
      for (const part of ['6 hours', 'Utah Clay', 'off', 'WSUS, server', 'wsus.example:8530'])
        expect(wordsOf(card)).toContain(part);
      await town().push('approver', card, 'approve');
      await town().becomes(card, 'verified');
      expect(await groupsNamed('Web servers')).toMatchObject([
        { enable_os_auto_update: false, ui_color: '#D78500', refresh_interval: 360 },
      ]);
    });

    it('a group is edited from its view', async () => {
      const group = await town().asks('operator', 'group Kiosks');
      await town().push('operator', { ...group, channel: 'ops' }, 'form');
      const form = await windowOf(town(), 'operator', 'Scan interval');
      const [kiosks] = await groupsNamed('Kiosks');
      const field = `every:${kiosks?.id}`;
      expect(await submit(town(), 'operator', form, { [field]: '1440' })).toMatchObject({ ok: true });
      const card = await town().card('approvals', ({ text }) => text.includes('Kiosks'));
      expect(wordsOf(card)).toContain('4 hours → 24 hours');
      await town().push('approver', card, 'approve');
      await town().becomes(card, 'verified');
      expect(await groupsNamed('Kiosks')).toMatchObject([{ refresh_interval: 1_440 }]);
    });
  });
}
