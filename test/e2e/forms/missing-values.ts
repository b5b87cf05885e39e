/** Commands without their arguments, in every place where they can be typed. */
import { describe, expect, it } from 'vitest';
import { until } from '../../harness/until.ts';
import { openModalOf, submitModal } from '../harness/modals.ts';
import { messageText, type SandboxPeople } from '../harness/sandbox-people.ts';
import { createFormUser } from './forms-harness.ts';

export function missingValueTests(people: () => SandboxPeople): void {
  const { opens, offered, told, modals } = createFormUser(people);

  describe('a command that lacks something', () => {
    it('opens its form with what was typed, and requests what is submitted', async () => {
      const form = await opens('operator', 'reboot because kernel update', 'Reboot a device');
      expect(JSON.stringify(form.blocks)).toContain('"initial_value":"kernel update"');
      await offered('operator', form, 'device', 'web-01');
      expect(await submitModal(people(), 'operator', form, { device: '4001' })).toMatchObject({ ok: true });
      expect(
        JSON.stringify((await openModalOf(people(), 'operator', 'Approval requested')).blocks),
      ).toContain('Open the request');
      const card = await people().card('approvals', ({ text }) => text.includes('web-01'));
      expect(messageText(card)).toContain('kernel update');
      await people().presses('approver', card, 'approve');
      await people().becomes(card, 'verified');
      expect(await people().writes()).toEqual(['POST /servers/4001/queues']);
    });

    it('is requested once however often the window is submitted', async () => {
      const form = await opens('operator', 'scan', 'Scan a device');
      await offered('operator', form, 'device', 'web-01');
      const sent = () => submitModal(people(), 'operator', form, { device: '4001' });
      await Promise.all([sent(), sent(), sent()]);
      await openModalOf(people(), 'operator', ' requested');
      await until(async () => (await people().writes()).length > 0, { what: 'the scan to be sent' });
      await people().advance('1m');
      expect(await people().writes()).toEqual(['POST /servers/4001/queues']);
    });

    it('is requested once where the window is submitted again with other values', async () => {
      const form = await opens('operator', 'scan', 'Scan a device');
      await offered('operator', form, 'device', 'web-0');
      const answers = await Promise.all(
        ['4001', '4002'].map((device) => submitModal(people(), 'operator', form, { device })),
      );
      expect(JSON.stringify(answers)).toContain('You already sent this form');
      await openModalOf(people(), 'operator', ' requested');
      await until(async () => (await people().writes()).length > 0, { what: 'the scan to be sent' });
      await people().advance('1m');
      expect(await people().writes()).toHaveLength(1);
    });

    it.each([
      ['device', 'Find a device', 'device', 'web-01', '4001', 'web-01: Online'],
      ['packages', 'Device packages', 'device', 'web-01', '4001', 'Packages for web-01'],
      ['queue', 'Device queue', 'device', 'web-01', '4001', 'web-01'],
    ])('%s: the one that is chosen is shown', async (command, title, field, letters, value, answer) => {
      const form = await opens('viewer', command, title);
      expect((await offered('viewer', form, field, letters)).map((option) => option.value)).toContain(value);
      expect(await submitModal(people(), 'viewer', form, { [field]: value })).toMatchObject({ ok: true });
      await told('viewer', answer);
      expect(await modals('viewer')).toBe(0);
    });

    it.each([
      ['group', 'Show a group', 'linux', 'Linux servers'],
      ['policy', 'Show a policy', 'patch', 'Patch'],
    ])('%s: the one that is chosen is shown', async (command, title, letters, name) => {
      const form = await opens('viewer', command, title);
      const option = (await offered('viewer', form, command, letters)).find(({ text }) =>
        text.text.includes(name),
      );
      expect(await submitModal(people(), 'viewer', form, { [command]: option?.value })).toMatchObject({
        ok: true,
      });
      await told('viewer', name);
    });

    it('is refused to somebody without the right, and no window opens', async () => {
      expect((await people().runs('viewer', 'reboot')).text).toMatch(
        /^`\/fleet [\w-]+` needs the operator role/,
      );
      await people().invite({ user: 'viewer', channel: 'random' });
      expect((await people().runs('outsider', 'device', 'random')).text).toMatch(
        /^`\/fleet [\w-]+` needs the viewer role/,
      );
      expect([await modals('viewer'), await modals('outsider')]).toEqual([0, 0]);
    });

    it('is answered with a button in a thread, where there is no window to open by itself', async () => {
      const { ts = '' } = await people().message({ user: 'operator', channel: 'ops', text: 'It hangs.' });
      const where = { channel: 'ops', thread: ts };
      const answer = await people().says('operator', '@patchbay scan because it hangs', where);
      expect(answer.text).toContain('Which device?');
      await people().push('operator', { ...answer, channel: 'ops' }, 'form');
      const form = await openModalOf(people(), 'operator', 'Scan a device');
      expect(JSON.stringify(form.blocks)).toContain('it hangs');
      await offered('operator', form, 'device', 'web-01');
      await submitModal(people(), 'operator', form, { device: '4001' });
      expect((await openModalOf(people(), 'operator', ' requested'))['private_metadata']).toContain(ts);
      // The request is stored before its command is sent.
      await expect.poll(() => people().writes()).toEqual(['POST /servers/4001/queues']);
    });

    it('is answered with the button where Slack opens no window', async () => {
      await people().faultOnce({ service: 'slack', match: 'views.open', kind: 'status', status: 500 });
      const answer = await people().runs('operator', 'scan');
      expect(answer.text).toContain('Which device?');
      await people().push('operator', { ...answer, channel: 'ops' }, 'form');
      await openModalOf(people(), 'operator', 'Scan a device');
    });

    it('is answered in the direct message where the bot is not in the channel', async () => {
      const form = await opens('viewer', 'device', 'Find a device', 'random');
      await offered('viewer', form, 'device', 'web-01');
      await submitModal(people(), 'viewer', form, { device: '4001' });
      await told('viewer', 'web-01: Online', '@viewer');
    });
  });
}
