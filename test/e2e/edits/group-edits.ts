/** Groups created and edited by typed commands. */
import { describe, expect, it } from 'vitest';
import { until } from '../../harness/until.ts';
import { messageText, type SandboxPeople, stateOf } from '../harness/sandbox-people.ts';
import { createEditsHarness } from './edits-harness.ts';

export function groupEditTests(people: () => SandboxPeople): void {
  const { asked, approved, cardNow, groupsNamed, edits } = createEditsHarness(people);
  describe('of a group', () => {
    const CREATE =
      'group-create "Web servers" parent:Servers every:12h color:"utah clay" notes:"front doors"';

    it('one is made below its parent, and shown by its button', async () => {
      const card = await asked(`${CREATE} because new site`, 'Web servers');
      for (const part of [
        '*Parent group*: Servers',
        '12 hours',
        'Utah Clay',
        'front doors',
        'Applies as soon as it’s approved',
      ])
        expect(messageText(card)).toContain(part);
      await people().push('approver', card, 'approve');
      const made = await people().becomes(card, 'verified');
      expect(messageText(made)).toMatch(/It is group #\d+/);
      expect(await groupsNamed('Web servers')).toMatchObject([
        { refresh_interval: 720, notes: 'front doors' },
      ]);
      expect(await edits()).toEqual(['POST /servergroups']);
      expect((await people().presses('operator', made, 'group')).text).toMatch(/^Group Web servers/);
      expect(messageText(await people().runs('operator', CREATE))).toContain('already has a subgroup');
    });

    it('two that are asked for at once become one', async () => {
      const first = await asked(CREATE, 'Web servers');
      await people().runs('operator2', `${CREATE} because "another reason"`);
      expect(await people().posts('approvals')).toHaveLength(1);
      await Promise.all([
        people().push('approver', first, 'approve'),
        people().push('approver2', first, 'approve'),
      ]);
      await people().becomes(first, 'verified');
      expect(await groupsNamed('Web servers')).toHaveLength(1);
    });

    it('its fields change, and the rest stays', async () => {
      const [before] = await groupsNamed('Kiosks');
      const card = await approved('group-edit Kiosks name:"All kiosks" every:6h', 'Kiosks');
      expect(messageText(card)).toContain('The management service now shows the new name and scan interval.');
      const [after] = await groupsNamed('All kiosks');
      expect(after).toEqual({ ...before, name: 'All kiosks', refresh_interval: 360 });
      expect(await edits()).toEqual([`PUT /servergroups/${before?.id}`]);
    });

    it('its updates and policies change as typed, and are read back', async () => {
      const [before] = await groupsNamed('Database servers');
      const typed =
        'updates:off wsus:http://wsus.example:8530 policy:"Disable SMBv1" -policy:"Apply Critical Patches"';
      const card = await asked(`group-edit "Database servers" ${typed}`, 'Database servers');
      for (const part of ['Disable SMBv1', 'Apply Critical Patches', 'WSUS, server http://wsus.example:8530'])
        expect(messageText(card)).toContain(part);
      await people().push('approver', card, 'approve');
      const done = await people().becomes(card, 'verified');
      expect(messageText(done)).toContain(
        'The management service now shows the new operating system updates, source of Windows updates and policies.',
      );
      const [after] = await groupsNamed('Database servers');
      expect(after).toEqual({
        ...before,
        enable_os_auto_update: false,
        policies: [expect.any(Number)],
        wsus_config: expect.objectContaining({ is_managed: true, server_url: 'http://wsus.example:8530' }),
      });
      expect(after).not.toMatchObject({ policies: Reflect.get(before ?? {}, 'policies') });
    });

    it('a name that changed since the card was drawn sends it back', async () => {
      const card = await asked('group-edit Kiosks every:6h', 'Kiosks');
      await people().runs('operator2', 'group-edit Kiosks name:"All kiosks"');
      const other = await people().card('approvals', (one) => messageText(one).includes('<@U0OPERATOR2>'));
      await people().push('approver', other, 'approve');
      await people().becomes(other, 'verified');
      await people().push('approver', card, 'approve');
      const again = await until(async () => {
        const now = await cardNow(card);
        return messageText(now).includes('is now named “All kiosks”') ? now : null;
      });
      expect(stateOf(again)).toBe('waiting');
      expect(await edits()).toHaveLength(1);
    });

    it('a lost answer to a creation is looked for by name, and none is made twice', async () => {
      await people().faultOnce({ service: 'management', match: 'POST /servergroups', kind: 'cut-after' });
      const card = await approved(CREATE, 'Web servers');
      expect(messageText(card)).toContain('Patchbay got no clear answer, but the change is visible now');
      await people().advance('10m');
      expect(await edits()).toEqual(['POST /servergroups']);
      expect(await groupsNamed('Web servers')).toHaveLength(1);
    });

    it('limits are those of the service, and the group above all keeps its place', async () => {
      for (const [text, answer] of [
        ['group-create X every:100m', /`every:4h` to `every:24h`/],
        ['group-create X color:mauve', /Pine Green/],
        ['group-edit default name:Everything', /the Default Group can’t be renamed/],
        ['group-edit Servers parent:"Linux servers"', /isn’t below this one/],
        ['group-edit Nowhere every:6h', /No group is named Nowhere/],
      ] as const)
        expect(messageText(await people().runs('operator', text))).toMatch(answer);
      expect(await edits()).toEqual([]);
    });
  });
}
