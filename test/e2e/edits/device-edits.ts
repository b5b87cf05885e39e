/** Devices edited by typed commands. */
import { describe, expect, it } from 'vitest';
import { until } from '../../harness/until.ts';
import type { KillableSandbox } from '../crashes/killable-sandbox.ts';
import { messageText, stateOf } from '../harness/sandbox-people.ts';
import { createEditsHarness, EDITED_DEVICE } from './edits-harness.ts';

export function deviceEditTests(people: () => KillableSandbox): void {
  const { asked, approved, cardNow, read, edits } = createEditsHarness(people);
  describe('of a device', () => {
    it('a custom name alone is given at once, read back, and taken away again', async () => {
      expect((await people().runs('operator', 'device-edit web-01 name:"Front door"')).text).toMatch(
        /Edit of web-01 requested/,
      );
      const card = await people().card('ops', ({ text }) => text.includes(': Edit web-01\n'));
      expect(messageText(await people().becomes(card, 'verified'))).toContain(
        'The management service now shows the new custom name “',
      );
      expect(await read(EDITED_DEVICE)).toMatchObject({ custom_name: 'Front door' });
      const answer = await people().says('operator', '@patchbay device-edit "Front door" name:none');
      expect(answer.text).toMatch(/Edit of Front door \(web-01, #4001\) requested/);
      await until(async () => (await read(EDITED_DEVICE))['custom_name'] === '' || null, {
        what: 'no custom name',
      });
      expect(await edits()).toEqual([`PUT ${EDITED_DEVICE}`, `PUT ${EDITED_DEVICE}`]);
    });

    it('its group, tags and exception wait for an approver, who sees what is and what will be', async () => {
      const before = await read(EDITED_DEVICE);
      const card = await asked(
        'device-edit web-01 group:Kiosks tag:<!channel> exception:yes because it moved',
        'web-01',
      );
      for (const part of [
        '→ Kiosks (#',
        'included → excluded',
        'it moved',
        'the policies of the new group apply to the device instead of those of the current group.',
      ])
        expect(messageText(card)).toContain(part);
      expect(messageText(card)).not.toContain('<!channel>');
      expect(await edits()).toEqual([]);
      expect((await people().presses('operator', card, 'approve')).text).toMatch(/your own request/);
      await people().push('approver', card, 'approve');
      await people().becomes(card, 'verified');
      const after = await read(EDITED_DEVICE);
      expect(after).toMatchObject({ exception: true, tags: [...(before['tags'] as string[]), '<!channel>'] });
      expect(after['server_group_id']).not.toBe(before['server_group_id']);
      expect(await edits()).toEqual([`PUT ${EDITED_DEVICE}`]);
    });

    it('tags of several are one request, proven device by device', async () => {
      const card = await asked('device-edit web-01, web-02, #4012 tag:zone-7 because new zone', '3 devices');
      for (const part of ['Edit 3 devices', '*web-01*', '*web-02*', '*web-04*', 'add zone-7'])
        expect(messageText(card)).toContain(part);
      expect(await edits()).toEqual([]);
      await people().push('approver', card, 'approve');
      await people().becomes(card, 'verified');
      expect(messageText(await cardNow(card))).toContain('3 verified');
      for (const id of [4001, 4002, 4012]) expect((await read(`/servers/${id}`))['tags']).toContain('zone-7');
      const again = await people().runs('operator', 'device-edit web-01, web-03 tag:zone-7');
      expect(messageText(again)).toMatch(/Edit web-03.*Not requested for 1 device.*web-01/s);
    });

    it('values that are already set are not requested, and wrong ones are named', async () => {
      await people().runs('operator', 'device-edit web-01 name:A');
      await people().becomes(
        await people().card('ops', ({ text }) => text.includes(': Edit web-01\n')),
        'verified',
      );
      for (const [text, answer] of [
        ['device-edit web-01 name:A', /already has these values/],
        ['device-edit web-01 exception:perhaps', /exception:perhaps/],
        ['device-edit web-01 ip:elsewhere', /`ip:elsewhere` isn’t valid\. Expected an IP address/],
        ['device-edit web-01 group:Kiosk', /No group is named Kiosk/],
        ['device-edit web-01 colour:red', /colour:red/],
      ] as const)
        expect(messageText(await people().runs('operator', text))).toMatch(answer);
      expect(await edits()).toEqual([`PUT ${EDITED_DEVICE}`]);
    });

    it('a field that changed since the card was drawn sends it back, and nothing is sent', async () => {
      const card = await asked('device-edit web-01 tag:dmz', 'web-01');
      await approvedElsewhere('device-edit web-01 tag:other');
      await people().push('approver', card, 'approve');
      const again = await until(async () => {
        const now = await cardNow(card);
        return messageText(now).includes('the tags of') ? now : null;
      });
      expect(stateOf(again)).toBe('waiting');
      expect(await edits()).toEqual([`PUT ${EDITED_DEVICE}`]);
      await people().push('approver', again, 'approve');
      await people().becomes(again, 'verified');
      const { tags } = await read(EDITED_DEVICE);
      expect(tags).toEqual(expect.arrayContaining(['dmz', 'other']));
    });
    const approvedElsewhere = async (text: string) => {
      await people().runs('operator2', text);
      const card = await people().card('approvals', (one) => messageText(one).includes('<@U0OPERATOR2>'));
      await people().push('approver', card, 'approve');
      await people().becomes(card, 'verified');
    };

    it('a lost answer is resolved by reading, and the edit is not sent again', async () => {
      await people().fault({
        service: 'management',
        match: 'PUT /servers/{id}',
        kind: 'cut-after',
        times: 1,
      });
      const card = await approved('device-edit web-01 tag:dmz', 'web-01');
      expect(messageText(card)).toContain('The management service now shows the new tags');
      await people().advance('10m');
      expect(await edits()).toEqual([`PUT ${EDITED_DEVICE}`]);
    });

    it('a request that was lost on its way becomes unknown, and stays so: it is not sent again', async () => {
      await people().fault({ service: 'management', match: 'PUT /servers/{id}', kind: 'cut', times: 1 });
      const card = await approved('device-edit web-01 tag:dmz', 'web-01', 'unknown');
      await people().advance('10m');
      await until(async () => messageText(await cardNow(card)).includes('It was not sent again') || null);
      expect(stateOf(await cardNow(card))).toBe('unknown');
      expect((await read(EDITED_DEVICE))['tags']).not.toContain('dmz');
      expect(await edits()).toEqual([`PUT ${EDITED_DEVICE}`]);
    });

    it.each(['target.claimed', 'target.sent'] as const)(
      'killed at %s: it is looked for by reading and not sent again',
      async (step) => {
        const card = await asked('device-edit web-01 tag:dmz', 'web-01');
        people().killAt(step);
        await people().push('approver', card, 'approve');
        await until(async () => !(await people().state()).bot.running, { what: 'the product to end' });
        await people().bot({ do: 'start' });
        await people().becomes(card, step === 'target.sent' ? 'verified' : 'unknown');
        await people().advance('10m');
        expect(await edits()).toEqual(step === 'target.sent' ? [`PUT ${EDITED_DEVICE}`] : []);
      },
    );
  });
}
