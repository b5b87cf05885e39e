/** Shortcuts: find a device from anywhere, or the one that a message names. */
import { describe, expect, it } from 'vitest';
import type { SlackViewAnswer } from '../../harness/client.ts';
import { until } from '../../harness/until.ts';
import { openModalOf, submitModal } from '../harness/modals.ts';
import type { PersonName, SandboxPeople } from '../harness/sandbox-people.ts';
import { createFormUser } from './forms-harness.ts';

export function shortcutTests(people: () => SandboxPeople): void {
  const { offered } = createFormUser(people);

  describe('shortcuts', () => {
    const acts = async (user: PersonName, channel: string, ts: string, part: string) => {
      expect(await people().shortcut({ user, callback_id: 'act_on_device', channel, ts })).toMatchObject({
        ok: true,
      });
      return openModalOf(people(), user, part);
    };
    const writes = async (text: string) => {
      const { ts = '' } = await people().message({ user: 'operator', channel: 'ops', text });
      return ts;
    };

    it('a device is found from anywhere, and shown in the window with its buttons', async () => {
      expect(await people().shortcut({ user: 'viewer', callback_id: 'find_device' })).toMatchObject({
        ok: true,
      });
      const form = await openModalOf(people(), 'viewer', 'Find a device');
      await offered('viewer', form, 'device', 'web-01');
      await submitModal(people(), 'viewer', form, { device: '4001' });
      const card = await openModalOf(people(), 'viewer', 'Reboot required');
      expect(card.id).toBe(form.id);
      await pressIn('viewer', card, 'packages');
      await openModalOf(people(), 'viewer', 'Packages for web-01');
      expect(await people().messages('@viewer', 'viewer')).toEqual([]);
    });

    it('what is looked for stays in the window until it is found', async () => {
      expect(await people().shortcut({ user: 'operator', callback_id: 'find_device' })).toMatchObject({
        ok: true,
      });
      const form = await openModalOf(people(), 'operator', 'Find a device');
      await submitModal(people(), 'operator', form, { words: 'nowhere-at-all' });
      const again = await openModalOf(people(), 'operator', 'No devices match');
      expect(JSON.stringify(again.blocks)).toContain('"initial_value":"nowhere-at-all"');
      await submitModal(people(), 'operator', again, { words: 'web-0' });
      const list = await openModalOf(people(), 'operator', '*Devices matching* `web-0`');
      expect(list.id).toBe(form.id);
      await pressIn('operator', list, 'device:4002');
      const card = await openModalOf(people(), 'operator', 'ID*');
      await people().close({ user: 'operator', view_id: card.id });
      await pressIn('operator', list, 'form:back');
      expect(JSON.stringify((await openModalOf(people(), 'operator', 'Or search')).blocks)).toContain(
        'web-0',
      );
    });

    const pressIn = async (user: PersonName, view: SlackViewAnswer, action_id: string) => {
      const block = view.blocks.find((one) => JSON.stringify(one).includes(`"action_id":"${action_id}"`));
      const { block_id } = block as { readonly block_id: string };
      expect(await people().click({ user, view_id: view.id, action_id, block_id })).toMatchObject({
        ok: true,
      });
    };

    it('the device of a card is shown with its buttons, which act', async () => {
      await people().runs('operator', 'reboot web-01');
      const card = await people().card('approvals', ({ text }) => text.includes('web-01'));
      const shown = await acts('operator', 'approvals', card.ts, 'ID*');
      await pressIn('operator', shown, 'scan');
      const form = await openModalOf(people(), 'operator', 'Device: web-01 (#4001)');
      await people().submit({ user: 'operator', view_id: form.id, values: {} });
      await until(async () => (await people().writes()).length === 1, { what: 'a scan' });
      expect(await people().writes()).toEqual(['POST /servers/4001/queues']);
    });

    it('the device of an alert, and the one that somebody wrote of', async () => {
      await people().world({ do: 'patch-fails', device: 'web-02' });
      await people().advance('20s');
      const alert = await people().card('patch-alerts', ({ text }) => text.includes('web-02'));
      await acts('viewer', 'patch-alerts', alert.ts, '#4002');
      await people().close({ user: 'viewer', view_id: (await openModalOf(people(), 'viewer', '#4002')).id });
      await acts('viewer', 'ops', await writes('Is *web-01* (or so), slow again?'), '#4001');
    });

    it('of several devices one is chosen', async () => {
      const choice = await acts(
        'viewer',
        'ops',
        await writes('web-01 and #4002 are slow'),
        'This message mentions',
      );
      const block = choice.blocks.find((one) => JSON.stringify(one).includes('"action_id":"pick:1"'));
      const { block_id } = block as { readonly block_id: string };
      await people().click({ user: 'viewer', view_id: choice.id, action_id: 'pick:1', block_id });
      await openModalOf(people(), 'viewer', 'ID*');
      expect(JSON.stringify((await openModalOf(people(), 'viewer', 'web-02')).blocks)).toContain('#4002');
    });

    it('where a message speaks of none, one can be looked for; and nobody without a role learns of any', async () => {
      const none = await writes('Lunch?');
      expect((await acts('viewer', 'ops', none, 'names no device of the fleet'))['callback_id']).toBe('form');
      await acts('outsider', 'random', (await said('random', 'web-01')) ?? '', 'You need the viewer role');
    });

    const said = async (channel: string, text: string) =>
      (await people().message({ user: 'outsider', channel, text })).ts;
  });
}
