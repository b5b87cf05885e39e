/** One parser for every way to ask: slash commands, mentions, threads, direct messages and buttons. */
import { beforeEach, describe, expect, it } from 'vitest';
import type { SeenMessage } from '../../src/sandbox/contracts/people.ts';
import { until } from '../harness/until.ts';
import { actionIdsOf, messageText, type PostedCard } from './harness/sandbox-people.ts';
import { useSandboxPeople } from './harness/use-sandbox-people.ts';

const WEB_01: unknown = expect.stringMatching(/^web-01: Online, 3 pending patches, reboot required\.\n/);
const NOBODY = /^`\/fleet [\w-]+` needs the viewer role \(you have no role\)/;

describe.each(['socket', 'http'] as const)('ways to ask, by %s', (transport) => {
  const people = useSandboxPeople({ transport });

  const calls = async (method: string) =>
    (await people.journal('slack')).filter(({ path }) => path.endsWith(method)).length;
  const startThread = async (channel: string): Promise<string> => {
    const { ts = '' } = await people.message({
      user: 'viewer',
      channel,
      text: 'What is the matter with it?',
    });
    return ts;
  };
  /** The bot's messages in the direct message, visible to everybody in it. */
  const said = async (user: string): Promise<readonly SeenMessage[]> =>
    (await people.messages(`@${user}`, user)).filter(({ bot }) => bot);

  it.each([
    ['a slash command', () => people.runs('viewer', 'device web-01')],
    ['a slash command of its own', () => people.types('viewer', '/fleet-device', 'web-01')],
    ['a mention', () => people.says('viewer', '@patchbay device web-01')],
    ['a mention by the name that is shown', () => people.says('viewer', '@Patchbay device web-01')],
    ['a mention that was chosen from the menu', () => people.says('viewer', '<@U0PATCHBAY1> device web-01')],
    ['a mention with a colon and the slash', () => people.says('viewer', '@patchbay: /fleet device web-01')],
  ])('%s is answered privately', async (_way, ask) => {
    const answer = await ask();
    expect(answer).toMatchObject({ text: WEB_01, ephemeral: true, thread_ts: null });
  });

  it('a mention in a thread is answered there, for the asker alone, and so are its buttons', async () => {
    const thread = await startThread('ops');
    const answer = await people.says('viewer', '@patchbay device web-01', { thread });
    expect(answer).toMatchObject({ text: WEB_01, ephemeral: true, thread_ts: thread });
    const pressed = await people.presses('viewer', { ...answer, channel: 'ops' }, 'packages');
    expect(pressed).toMatchObject({ ephemeral: true, thread_ts: thread });
    expect(pressed.text).toMatch(/^Packages for web-01/);
    const others = await people.messages('ops', 'approver');
    expect(others.filter(({ bot }) => bot)).toEqual([]);
  });

  it('a direct message is a command without any prefix, answered by a message that stays', async () => {
    const before = await said('viewer');
    const answer = await people.says('viewer', 'device web-01', { channel: '@viewer' });
    expect(answer).toMatchObject({ text: WEB_01, ephemeral: false, thread_ts: null });
    expect(await said('viewer')).toEqual([...before, answer]);
  });

  it('a list in a direct message turns its pages in place', async () => {
    const list: PostedCard = {
      ...(await people.says('viewer', 'devices', { channel: '@viewer' })),
      channel: '@viewer',
    };
    await people.push('viewer', list, 'page:next');
    const turned = await until(async () =>
      (await said('viewer')).find((one) => messageText(one).includes('Page 2 of')),
    );
    expect(turned.ts).toBe(list.ts);
  });

  it('a form with its menu, and both shortcuts, answer', async () => {
    const user = 'viewer';
    const windowOf = (part: string) =>
      until(
        async () => (await people.views(user)).modals.findLast((one) => JSON.stringify(one).includes(part)),
        { what: `“${part}” in a window` },
      );
    const fills = async (value: string): Promise<void> => {
      const form = await windowOf('"callback_id":"form"');
      const field = { block_id: 'device', action_id: 'search_device' };
      const { options = [] } = await people.suggest({ user, view_id: form.id, ...field, value: 'web-01' });
      expect(options).toMatchObject([{ value }]);
      const values = { device: { search_device: value } };
      expect(await people.submit({ user, view_id: form.id, values })).toMatchObject({ ok: true });
    };
    await people.command({ user, channel: 'ops', command: '/fleet', text: 'queue' });
    const told = await people.answerTo(user, 'ops', () => fills('4001'));
    expect(messageText(told)).toContain('web-01');
    expect(await people.shortcut({ user, callback_id: 'find_device' })).toMatchObject({ ok: true });
    await fills('4001');
    await people.close({ user, view_id: (await windowOf('Reboot required')).id });
    const { ts = '' } = await people.message({ user, channel: 'ops', text: 'Is web-02 slow?' });
    await people.shortcut({ user, callback_id: 'act_on_device', channel: 'ops', ts });
    await people.close({ user, view_id: (await windowOf('#4002')).id });
  });

  it('a word that is no command is answered with the nearest', async () => {
    const answer = await people.says('viewer', 'devcies', { channel: '@viewer' });
    expect(answer.text).toMatch(/^No command is named `devcies`/);
    expect(messageText(answer)).toMatch(/Did you mean .*devices/s);
  });

  it.each([
    ['an empty mention', '@patchbay'],
    ['talk about the bot, which orders nothing', 'I told @patchbay reboot web-01 because of it'],
  ])('%s is answered with help', async (_what, text) => {
    expect((await people.says('operator', text)).text).toMatch(/^What you can do with \/fleet/);
    expect(await people.posts('approvals')).toEqual([]);
  });

  it.each([
    ['a slash command', () => people.types('outsider', '/fleet-device', 'web-01', 'random')],
    ['a mention', () => people.says('outsider', '@patchbay device web-01', { channel: 'random' })],
    ['a direct message', () => people.says('outsider', 'device web-01', { channel: '@outsider' })],
  ])('%s of somebody without a role is refused with whom to ask', async (_way, ask) => {
    await people.invite({ user: 'viewer', channel: 'random' });
    const refusal = await ask();
    expect(refusal.text).toMatch(NOBODY);
    expect(messageText(refusal)).toMatch(/Ask <@U0ADMIN\w*> for it/);
  });

  describe('to act', () => {
    beforeEach(async () => {
      await people.reset();
    });

    it('a request in a thread gets its card, and the asker the link there', async () => {
      const thread = await startThread('ops');
      const answer = await people.says('operator', '@patchbay reboot web-01 because kernel update', {
        thread,
      });
      expect(answer.thread_ts).toBe(thread);
      const card = await people.card('approvals', ({ text }) => text.includes('web-01'));
      expect(messageText(card)).toContain('kernel update');
    });

    it('the answer to a request in a direct message loses the buttons that were used', async () => {
      const direct = { channel: '@operator' };
      const note = { ...(await people.says('operator', 'reboot web-01', direct)), ...direct };
      expect(actionIdsOf(note)).toEqual(['add_reason', 'withdraw']);
      await people.push('operator', note, 'add_reason');
      const form = await until(async () => (await people.views('operator')).modals.at(-1));
      const values = { reason: { reason: 'new kernel' } };
      const reasoned = await people.answerTo('operator', direct.channel, async () => {
        expect(await people.submit({ user: 'operator', view_id: form.id, values })).toMatchObject({
          ok: true,
        });
      });
      expect([reasoned.ts, actionIdsOf(reasoned)]).toEqual([note.ts, ['withdraw']]);
      const withdrawn = await people.presses('operator', note, 'withdraw');
      expect([withdrawn.ts, actionIdsOf(withdrawn)]).toEqual([note.ts, []]);
      expect(withdrawn.text).toMatch(/^You withdrew the request for the reboot of web-01/);
      expect(await said('operator')).toHaveLength(1);
    });

    it('an event that comes twice asks once and is answered once', async () => {
      await people.delivery({ do: 'duplicate', times: 2 });
      await people.says('operator', '@patchbay scan web-01');
      await people.says('operator', 'device web-01', { channel: '@operator' });
      await until(async () => (await people.posts('ops')).length === 1, { what: 'the card of the scan' });
      // The answer to a later question shows that nothing else was on its way.
      await people.says('operator', 'help', { channel: '@operator' });
      expect(await said('operator')).toHaveLength(2);
      expect(await calls('chat.postEphemeral')).toBe(1);
      expect(await people.writes()).toEqual(['POST /servers/4001/queues']);
    });
  });

  describe('while the service is slow', () => {
    beforeEach(async () => {
      await people.reset();
    });
    const ASKED = 'packages web-01';
    const seen = async () =>
      (await people.messages('ops', 'viewer'))
        .filter(({ ephemeral }) => ephemeral)
        .map(({ text }) => text.slice(0, 8));
    const isSlowOnce = (ms = 1_500) =>
      people.faultOnce({ service: 'management', match: '/servers/4001/packages', kind: 'slow', ms });

    it('no notice precedes the answer to a slash command or a mention, where it could not be removed', async () => {
      for (const ask of [
        () => people.runs('viewer', ASKED),
        () => people.says('viewer', `@patchbay ${ASKED}`),
      ]) {
        const before = (await seen()).length;
        await isSlowOnce();
        await ask();
        expect((await seen()).slice(before)).toEqual(['Packages']);
      }
    });

    it('somebody who waits more than five seconds gets a notice that stays true beside the answer', async () => {
      await isSlowOnce(6_000);
      await people.runs('viewer', ASKED);
      expect(await seen()).toEqual(['This too', 'Packages']);
    });

    it('the line in a direct message becomes the answer', async () => {
      await isSlowOnce();
      const answer = await people.says('viewer', ASKED, { channel: '@viewer' });
      expect(answer.text).toMatch(/^Packages for web-01/);
      expect(await calls('chat.update')).toBe(1);
      expect(await said('viewer')).toHaveLength(1);
    });
  });
});
