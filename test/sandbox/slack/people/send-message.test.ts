/** Who is in the workspace, who sees what, and what the bot receives. */
import { describe, expect, it } from 'vitest';
import { madePerTest } from '../../../harness/use-started.ts';
import { startRawBot, startWithBot } from '../harness/bots.ts';
import {
  APPROVALS,
  answerOf,
  BOT,
  OPERATOR,
  OPS,
  seenBy,
  startWorkspace,
} from '../harness/workspace-harness.ts';

const workspace = madePerTest(async () => (await startWorkspace()).workspace);

describe('the workspace', () => {
  it('has its people, channels, groups and commands', async () => {
    expect(workspace.users()[0]).toEqual({ id: OPERATOR, name: 'operator', role: 'operator' });
    expect(workspace.channels()[0]).toEqual({ id: OPS, name: 'ops' });
    const names = [...workspace.users(), ...workspace.channels()].map(({ name }) => name).join(' ');
    expect(names).toBe(
      'operator operator2 approver approver2 approver3 viewer admin outsider ' +
        'ops approvals patch-alerts new-devices random secret-team',
    );
    expect(workspace.commands()).toMatchObject([{ command: '/fleet', usageHint: 'device NAME' }]);
  });

  it('goes back to its seed', async () => {
    await workspace.invite({ user: 'operator', channel: 'random' });
    await workspace.message({ user: 'operator', channel: 'ops', text: 'hi' });
    const [before] = seenBy(workspace, 'operator');
    workspace.reset();
    expect(seenBy(workspace, 'operator')).toEqual([]);
    expect(
      await answerOf(workspace, 'chat.postMessage', { channel: 'C0RANDOM001', text: 'hi' }),
    ).toMatchObject({
      error: 'not_in_channel',
    });
    await workspace.message({ user: 'operator', channel: 'ops', text: 'hi' });
    expect(Number(seenBy(workspace, 'operator')[0]?.ts)).toBeGreaterThan(Number(before?.ts));
  });

  it('tells listeners of every change until they stop listening', async () => {
    let changes = 0;
    const stop = workspace.onChange(() => {
      changes += 1;
    });
    await workspace.message({ user: 'operator', channel: 'ops', text: 'hi' });
    await answerOf(workspace, 'chat.postMessage', { channel: OPS, text: 'hi' });
    expect(changes).toBe(2);
    stop();
    workspace.reset();
    expect(changes).toBe(2);
  });
});

describe('a message', () => {
  it('is seen by everybody who can read the channel, members or not', async () => {
    await answerOf(workspace, 'chat.postMessage', { channel: APPROVALS, text: 'card' });
    for (const user of ['approver', 'viewer', 'outsider', 'U0OUTSIDER1'])
      expect(seenBy(workspace, user, 'approvals')).toMatchObject([{ text: 'card' }]);
    expect(seenBy(workspace, 'viewer', '#approvals')).toHaveLength(1);
    expect(seenBy(workspace, 'viewer', APPROVALS)).toHaveLength(1);
  });

  it('in a direct message is seen by its person only', async () => {
    await answerOf(workspace, 'conversations.open', { users: OPERATOR });
    await answerOf(workspace, 'chat.postMessage', { channel: 'D0OPERATOR1', text: 'for you' });
    expect(workspace.messages({ user: 'operator', channel: '@operator' })).toHaveLength(1);
    expect(workspace.messages({ user: 'admin', channel: '@operator' })).toBeNull();
    expect(workspace.messages({ user: 'admin', channel: '@admin' })).toEqual([]);
  });

  it('cannot be read by nobody or nowhere', async () => {
    expect(workspace.messages({ user: 'nobody', channel: 'ops' })).toBeNull();
    expect(workspace.messages({ user: 'operator', channel: 'nowhere' })).toBeNull();
  });

  it.each([
    ['@viewer', { type: 'user', user_id: 'U0VIEWER001' }],
    ['#approvals', { type: 'channel', channel_id: 'C0APPROVALS' }],
    ['@fleet-approvers', { type: 'usergroup', usergroup_id: 'S0APPROVERS' }],
    ['@here', { type: 'broadcast', range: 'here' }],
    ['https://example.com/?a=1&b=2', { type: 'link', url: 'https://example.com/?a=1&b=2' }],
    ['<https://example.com|the page>', { type: 'link', url: 'https://example.com', text: 'the page' }],
    ['ada@example.com', { type: 'link', url: 'mailto:ada@example.com', text: 'ada@example.com' }],
    ['<@U0VIEWER001|vera>', { type: 'user', user_id: 'U0VIEWER001' }],
  ])('of %j becomes rich text', async (text, element) => {
    await workspace.message({ user: 'operator', channel: 'ops', text });
    expect(seenBy(workspace, 'viewer')).toMatchObject([
      { blocks: [{ elements: [{ elements: [element] }] }] },
    ]);
  });

  it('may answer in a thread', async () => {
    const { ts = '' } = await workspace.message({ user: 'operator', channel: 'ops', text: 'one' });
    await workspace.message({ user: 'viewer', channel: 'ops', text: 'two', thread_ts: ts });
    expect(seenBy(workspace, 'viewer')).toMatchObject([{ thread_ts: null }, { thread_ts: ts }]);
  });

  it('that answers an answer stands in the same thread', async () => {
    const { ts: first = '' } = await workspace.message({ user: 'operator', channel: 'ops', text: 'one' });
    const below = { user: 'viewer', channel: 'ops', text: 'two' };
    const { ts: second = '' } = await workspace.message({ ...below, thread_ts: first });
    await workspace.message({ ...below, thread_ts: second });
    expect(seenBy(workspace, 'viewer').map(({ thread_ts }) => thread_ts)).toEqual([null, first, first]);
  });

  it('answers no ephemeral message, not even its own person’s', async () => {
    const note = { channel: OPS, user: OPERATOR, text: 'just you' };
    const posted = await answerOf(workspace, 'chat.postEphemeral', note);
    const thread_ts = String(posted['message_ts']);
    for (const user of ['operator', 'viewer'])
      expect(await workspace.message({ user, channel: 'ops', text: 'hi', thread_ts })).toEqual({
        ok: false,
        error: 'thread_not_found',
      });
  });

  it.each([
    ['an unknown person', { user: 'nobody' }, 'user_not_found'],
    ['an unknown channel', { channel: 'nowhere' }, 'channel_not_found'],
    ['a person who is no member', { user: 'outsider' }, 'not_in_channel'],
    ['nothing to say', { text: '  ' }, 'no_text'],
    ['an unknown thread', { thread_ts: '1.000001' }, 'thread_not_found'],
    ['an archived channel', { channel: 'old-alerts' }, 'is_archived'],
  ])('is refused for %s', async (_what, change, error) => {
    const order = { user: 'operator', channel: 'ops', text: 'hi', ...change };
    expect(await workspace.message(order)).toEqual({ ok: false, error });
  });
});

describe('the bot hears', () => {
  it('of what the manifest subscribes to, and of nothing else', async () => {
    const { workspace, bot } = await startWithBot({ events: ['app_mention', 'message.im'] });
    await workspace.message({ user: 'operator', channel: 'ops', text: 'hi @patchbay' });
    await workspace.message({ user: 'operator', channel: 'random', text: 'not here' });
    await workspace.message({ user: 'operator', channel: '@operator', text: 'just us' });
    await workspace.invite({ user: 'operator', channel: 'random' });
    await expect.poll(() => bot.envelopes.length).toBe(2);
    expect(bot.envelopes.map(({ payload }) => payload['event'])).toMatchObject([
      { type: 'app_mention', channel: OPS, text: `hi <@${BOT}>` },
      { type: 'message', channel: 'D0OPERATOR1', channel_type: 'im', text: 'just us' },
    ]);
  });

  it('of its invitation, once', async () => {
    const bot = await startRawBot(workspace);
    const invite = (user: string) => workspace.invite({ user, channel: 'random' });
    expect(await workspace.invite({ user: 'outsider', channel: 'ops' })).toMatchObject({
      error: 'not_in_channel',
    });
    expect(await invite('outsider')).toEqual({ ok: true });
    expect(await invite('viewer')).toEqual({ ok: false, error: 'already_in_channel' });
    await expect.poll(() => bot.envelopes.length).toBe(1);
    expect(bot.last()).toMatchObject({
      type: 'event_callback',
      event_id: expect.stringMatching(/^Ev/),
      event: { type: 'member_joined_channel', user: BOT, channel: 'C0RANDOM001', inviter: 'U0OUTSIDER1' },
    });
  });

  it('a mention in another channel once its author invites it', async () => {
    const { workspace, bot } = await startWithBot({ events: ['app_mention'] });
    const sent = await workspace.message({ user: 'outsider', channel: 'random', text: 'see @patchbay' });
    expect(sent).toMatchObject({ ok: true, offers_invite: true });
    expect(await workspace.invite({ user: 'outsider', channel: 'random' })).toEqual({ ok: true });
    await expect.poll(() => bot.envelopes.length).toBe(1);
    const event = {
      type: 'app_mention',
      user: 'U0OUTSIDER1',
      channel: 'C0RANDOM001',
      ts: sent.ts,
      event_ts: sent.ts,
    };
    expect(bot.last()).toMatchObject({ event: { ...event, text: `see <@${BOT}>` } });
  });

  it.each([
    ['somebody else invites it', [['outsider', '@patchbay']], 'viewer'],
    [
      'its author wrote more since',
      [
        ['outsider', '@patchbay'],
        ['outsider', 'never mind'],
      ],
      'outsider',
    ],
  ] as const)('no mention from before if %s', async (_what, messages, inviter) => {
    const { workspace, bot } = await startWithBot({ events: ['app_mention', 'member_joined_channel'] });
    for (const [user, text] of messages) await workspace.message({ user, channel: 'random', text });
    expect(await workspace.invite({ user: inviter, channel: 'random' })).toEqual({ ok: true });
    await workspace.message({ user: 'outsider', channel: 'random', text: 'now @patchbay' });
    await expect.poll(() => bot.envelopes.length).toBe(2);
    expect(bot.envelopes.map(({ payload }) => payload['event'])).toMatchObject([
      { type: 'member_joined_channel' },
      { type: 'app_mention', text: `now <@${BOT}>` },
    ]);
  });
});
