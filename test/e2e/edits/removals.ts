/** Devices and groups removed from Slack: confirmed by name, approved, and gone. */
import { describe, expect, it } from 'vitest';
import { until } from '../../harness/until.ts';
import { fillIn, openFormOf } from '../every-command/command-harness.ts';
import { messageText, type PostedCard, type SandboxPeople, stateOf } from '../harness/sandbox-people.ts';
import { createEditsHarness } from './edits-harness.ts';

const DEVICE = '/servers/4028';
const GROUP = '/servergroups/3121';

export function removalTests(people: () => SandboxPeople): void {
  const { cardNow, read, groupsNamed, edits } = createEditsHarness(people);

  const opened = async (text: string) => {
    await people().command({ user: 'operator', channel: 'ops', command: '/fleet', text });
    return openFormOf(people(), 'operator');
  };
  /** The card of a removal that was confirmed in its form. */
  const confirmed = async (text: string, field: string, name: string): Promise<PostedCard> => {
    await opened(text);
    await fillIn(people(), 'operator', { [field]: name });
    return people().card('approvals', (card) => card.text.includes(name), `the request for ${name}`);
  };
  const kiosk = () => confirmed('device-remove kiosk-01 because scrapped', 'confirm:4028', 'kiosk-01');
  const laptops = () =>
    confirmed('group-remove "Finance laptops" because merged', 'confirm:3121', 'Finance laptops');

  describe('of a removal', () => {
    it('a device is shown with what goes with it, approved, and gone from the service and from lists', async () => {
      await people().runs('operator', 'scan kiosk-01');
      const form = await opened('device-remove kiosk-01 because scrapped');
      for (const part of ['Group: Kiosks', 'can’t be undone', 'Type the device’s name to confirm'])
        expect(JSON.stringify(form)).toContain(part);
      await people().close({ user: 'operator', view_id: form.id });
      const card = await kiosk();
      for (const part of ['Remove the device kiosk-01', 'scrapped', 'registers again under another ID'])
        expect(messageText(card)).toContain(part);
      expect(await edits()).toEqual([]);
      await people().push('operator', card, 'approve');
      expect(stateOf(await cardNow(card))).toBe('waiting');
      await people().push('approver', card, 'approve');
      const done = await people().becomes(card, 'verified');
      expect(messageText(done)).toContain('The device no longer exists in the management service.');
      expect(await edits()).toEqual([`DELETE ${DEVICE}`]);
      expect(await read(DEVICE)).not.toHaveProperty('name');
      expect(messageText(await people().runs('operator', 'device kiosk-01'))).toContain('No device');
      expect(messageText(await people().runs('approver', 'audit device #4028'))).toContain(
        'removal of kiosk-01 (#4028)',
      );
    });

    it('a group is gone, and its devices are in the Default Group', async () => {
      const card = await laptops();
      for (const part of [
        'Remove the group Finance laptops',
        'moved to the Default Group',
        'can’t be undone',
      ])
        expect(messageText(card)).toContain(part);
      await people().push('approver', card, 'approve');
      const done = await people().becomes(card, 'verified');
      expect(messageText(done)).toContain('The group no longer exists in the management service.');
      expect(await edits()).toEqual([`DELETE ${GROUP}`]);
      expect(await groupsNamed('Finance laptops')).toEqual([]);
      expect(await read('/servers/4019')).toMatchObject({ server_group_id: 3_100 });
      expect(messageText(await people().runs('operator', 'group "Finance laptops"'))).toContain('No group');
    });

    it('another name is an error at the field, and nothing is requested', async () => {
      const form = await opened('device-remove kiosk-01');
      const submitted = await people().submit({
        user: 'operator',
        view_id: form.id,
        values: { 'confirm:4028': { field: 'kiosk-02' } },
      });
      expect(JSON.stringify(submitted)).toContain('The name doesn’t match. Type kiosk-01 to confirm.');
      expect(await people().posts('approvals')).toEqual([]);
      expect(await edits()).toEqual([]);
    });

    it('more devices than were approved send a group back, and nothing is removed', async () => {
      const card = await laptops();
      const { management, organization } = await people().state();
      const moved = await fetch(`${management.baseUrl}/servers/4010?o=${organization.id}`, {
        method: 'PUT',
        headers: {
          authorization: `Bearer ${management.apiKey}`,
          'content-type': 'application/json',
        },
        body: JSON.stringify({ server_group_id: 3_121, exception: false }),
      });
      expect(moved.status).toBe(204);
      await people().push('approver', card, 'approve');
      const again = await until(async () => {
        const now = await cardNow(card);
        return messageText(now).includes('the devices of Finance laptops now also include desk-01')
          ? now
          : null;
      });
      expect(stateOf(again)).toBe('waiting');
      expect(await groupsNamed('Finance laptops')).toHaveLength(1);
    });

    it.each([
      ['a device', kiosk, 'DELETE /servers', `DELETE ${DEVICE}`],
      ['a group', laptops, 'DELETE /servergroups', `DELETE ${GROUP}`],
    ] as const)(
      '%s whose answer was lost is looked for, and never removed twice',
      async (_what, asked, match, call) => {
        await people().faultOnce({ service: 'management', match, kind: 'cut-after' });
        const card = await asked();
        await people().push('approver', card, 'approve');
        const done = await people().becomes(card, 'verified');
        expect(messageText(done)).toContain('no longer exists in the management service');
        await people().advance('10m');
        expect(await edits()).toEqual([call]);
      },
    );

    it('a device whose removal never arrived stays unknown, and is not removed later', async () => {
      await people().faultOnce({ service: 'management', match: 'DELETE /servers', kind: 'cut' });
      const card = await kiosk();
      await people().push('approver', card, 'approve');
      await people().becomes(card, 'unknown');
      await people().advance('10m');
      expect(messageText(await cardNow(card))).toContain('It still shows the device. It was not sent again.');
      expect(await read(DEVICE)).toMatchObject({ id: 4_028 });
    });

    it('two presses at once remove once', async () => {
      const card = await kiosk();
      await Promise.all(
        (['approver', 'approver2'] as const).map((user) => people().push(user, card, 'approve')),
      );
      await people().becomes(card, 'verified');
      expect(await edits()).toEqual([`DELETE ${DEVICE}`]);
    });

    it('a hostile name is typed as it is shown', async () => {
      const form = await opened('device-remove #4008');
      const { hint } = form.blocks.find(
        (block) => (block as { readonly block_id?: string }).block_id === 'confirm:4008',
      ) as { readonly hint: { readonly text: string } };
      await fillIn(people(), 'operator', { 'confirm:4008': hint.text });
      const card = await people().card('approvals', (one) => one.text.includes('Remove the device'));
      expect(messageText(card)).not.toContain('<!channel>');
      await people().push('approver', card, 'approve');
      await people().becomes(card, 'verified');
      expect(await edits()).toEqual(['DELETE /servers/4008']);
    });

    it('the Default Group stays', async () => {
      expect(messageText(await people().runs('operator', 'group-remove default'))).toContain(
        'The Default Group can’t be removed',
      );
    });
  });
}
