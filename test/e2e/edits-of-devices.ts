/** Devices that are edited by what is typed. */
import { describe, expect, it } from 'vitest';
import { until } from '../harness/until.ts';
import { createEdits, DEVICE } from './edits-hand.ts';
import type { MortalTown } from './mortal-town.ts';
import { stateOf, wordsOf } from './town.ts';

export function deviceEdits(town: () => MortalTown): void {
  const { asked, approved, cardNow, read, edits } = createEdits(town);
  describe('of a device', () => {
    it('a custom name alone is given at once, read back, and taken away again', async () => {
      expect((await town().asks('operator', 'device-edit web-01 name:"Front door"')).text).toMatch(
        /Edit of web-01 requested/,
      );
      const card = await town().card('ops', ({ text }) => text.includes(': Edit web-01'));
      expect(wordsOf(await town().becomes(card, 'verified'))).toContain('Confirmed custom name “');
      expect(await read(DEVICE)).toMatchObject({ custom_name: 'Front door' });
      const answer = await town().says('operator', '@patchbay device-edit "Front door" name:none');
      expect(answer.text).toMatch(/Edit of Front door requested/);
      await until(async () => (await read(DEVICE))['custom_name'] === '' || null, { what: 'no custom name' });
      expect(await edits()).toEqual([`PUT ${DEVICE}`, `PUT ${DEVICE}`]);
    });

    it('its group, tags and exception wait for an approver, who sees what is and what will be', async () => {
      const before = await read(DEVICE);
      const card = await asked(
        'device-edit web-01 group:Kiosks tag:<!channel> exception:yes because it moved',
        'web-01',
      );
      for (const part of [
        'Linux servers (#',
        '→ Kiosks (#',
        'no → yes',
        'it moved',
        'Other policies may then apply',
      ])
        expect(wordsOf(card)).toContain(part);
      expect(wordsOf(card)).not.toContain('<!channel>');
      expect(await edits()).toEqual([]);
      expect((await town().presses('operator', card, 'approve')).text).toMatch(/your own request/);
      await town().push('approver', card, 'approve');
      await town().becomes(card, 'verified');
      const after = await read(DEVICE);
      expect(after).toMatchObject({ exception: true, tags: [...(before['tags'] as string[]), '<!channel>'] });
      expect(after['server_group_id']).not.toBe(before['server_group_id']);
      expect(await edits()).toEqual([`PUT ${DEVICE}`]);
    });

    it('what is so already is not asked for, and what is wrong is named back', async () => {
      await town().asks('operator', 'device-edit web-01 name:A');
      await town().becomes(
        await town().card('ops', ({ text }) => text.includes(': Edit web-01')),
        'verified',
      );
      for (const [text, answer] of [
        ['device-edit web-01 name:A', /already has these values/],
        ['device-edit web-01 exception:perhaps', /exception:perhaps/],
        ['device-edit web-01 ip:elsewhere', /`ip:elsewhere` isn’t valid\. Expected an IP address/],
        ['device-edit web-01 group:Kiosk', /No group is named Kiosk/],
        ['device-edit web-01 colour:red', /colour:red/],
      ] as const)
        expect(wordsOf(await town().asks('operator', text))).toMatch(answer);
      expect(await edits()).toEqual([`PUT ${DEVICE}`]);
    });

    it('a field that changed since the card was drawn sends it back, and nothing is sent', async () => {
      const card = await asked('device-edit web-01 tag:dmz', 'web-01');
      await approvedElsewhere('device-edit web-01 tag:other');
      await town().push('approver', card, 'approve');
      const again = await until(async () => {
        const now = await cardNow(card);
        return wordsOf(now).includes('changed from') ? now : null;
      });
      expect(stateOf(again)).toBe('waiting');
      expect(await edits()).toEqual([`PUT ${DEVICE}`]);
      await town().push('approver', again, 'approve');
      await town().becomes(again, 'verified');
      const { tags } = await read(DEVICE);
      expect(tags).toEqual(expect.arrayContaining(['dmz', 'other']));
    });
    const approvedElsewhere = async (text: string) => {
      await town().asks('operator2', text);
      const card = await town().card('approvals', (one) => wordsOf(one).includes('<@U0OPERATOR2>'));
      await town().push('approver', card, 'approve');
      await town().becomes(card, 'verified');
    };

    it('a lost answer is made up for by reading, and the edit is not sent again', async () => {
      await town().fault({ service: 'management', match: 'PUT /servers/{id}', kind: 'cut-after', times: 1 });
      const card = await approved('device-edit web-01 tag:dmz', 'web-01');
      expect(wordsOf(card)).toContain('Confirmed tags');
      await town().advance('10m');
      expect(await edits()).toEqual([`PUT ${DEVICE}`]);
    });

    it('a request that was lost on its way becomes unknown, and stays so: it is not sent again', async () => {
      await town().fault({ service: 'management', match: 'PUT /servers/{id}', kind: 'cut', times: 1 });
      const card = await approved('device-edit web-01 tag:dmz', 'web-01', 'unknown');
      await town().advance('10m');
      await until(async () => wordsOf(await cardNow(card)).includes('It was not sent again') || null);
      expect(stateOf(await cardNow(card))).toBe('unknown');
      expect((await read(DEVICE))['tags']).not.toContain('dmz');
      expect(await edits()).toEqual([`PUT ${DEVICE}`]);
    });

    it.each(['operation.claimed', 'operation.sent'] as const)(
      'killed at %s: it is looked for by reading and not sent again',
      async (step) => {
        const card = await asked('device-edit web-01 tag:dmz', 'web-01');
        town().killAt(step);
        await town().click({ user: 'approver', channel: card.channel, ts: card.ts, action_id: 'approve' });
        await until(async () => !(await town().state()).bot.running, { what: 'the product to end' });
        await town().bot({ do: 'start' });
        await town().becomes(card, step === 'operation.sent' ? 'verified' : 'unknown');
        await town().advance('10m');
        expect(await edits()).toEqual(step === 'operation.sent' ? [`PUT ${DEVICE}`] : []);
      },
    );
  });
}
