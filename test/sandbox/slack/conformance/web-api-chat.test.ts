/** chat.*: https://docs.slack.dev/reference/methods?family=chat. */
import { describe, expect, it } from 'vitest';
import { OPERATOR, OPS, OUTSIDER, RANDOM } from '../harness/workspace-harness.ts';
import { ARCHIVED, bench, METHODS, posted, refusals, typed } from './conformance-harness.ts';

const on = bench();
const hi = { channel: OPS, text: 'hi' };
const error = (reply: unknown, word: string) => expect(reply).toMatchObject({ ok: false, error: word });
const seen = (channel = 'ops', user = 'operator') => on.workspace.messages({ channel, user }) ?? [];

describe('refusals', () => {
  refusals(
    on,
    [
      ['chat.postMessage', 'an archived channel', { channel: ARCHIVED, text: 'hi' }, 'is_archived'],
      [
        'chat.postMessage',
        'an archived channel by name',
        { channel: '#old-alerts', text: 'hi' },
        'is_archived',
      ],
      ['chat.postMessage', 'a channel without the bot', { channel: RANDOM, text: 'hi' }, 'not_in_channel'],
      ['chat.postMessage', 'an empty channel', { channel: '', text: 'hi' }, 'channel_not_found'],
      ['chat.postMessage', 'nobody', { channel: 'U0NOBODY001', text: 'hi' }, 'channel_not_found'],
      ['chat.postMessage', 'no content', { channel: OPS }, 'no_text'],
      ['chat.postMessage', 'a thread that is none', { ...hi, thread_ts: '0' }, 'invalid_thread_ts'],
      ['chat.postMessage', 'an empty thread', { ...hi, thread_ts: '' }, 'invalid_thread_ts'],
      ['chat.postMessage', 'markdown and text', { ...hi, markdown_text: 'x' }, 'markdown_text_conflict'],
      [
        'chat.postEphemeral',
        'an archived channel',
        { channel: ARCHIVED, user: OPERATOR, text: 'x' },
        'is_archived',
      ],
      ['chat.postEphemeral', 'who is not there', { ...hi, user: OUTSIDER }, 'user_not_in_channel'],
      [
        'chat.postEphemeral',
        'long text',
        { channel: OPS, user: OPERATOR, text: 'x'.repeat(40_001) },
        'msg_too_long',
      ],
      [
        'chat.update',
        'the message of a person',
        async (it) => ({ ...hi, ts: await typed(it) }),
        'cant_update_message',
      ],
      ['chat.update', 'an unknown message', { ...hi, ts: '1.000001' }, 'message_not_found'],
      [
        'chat.update',
        'long text',
        async (it) => ({ ...hi, ts: await posted(it), text: 'x'.repeat(4_001) }),
        'msg_too_long',
      ],
      [
        'chat.update',
        'showing what is no reply',
        async (it) => ({ ...hi, ts: await posted(it), reply_broadcast: true }),
        'cant_broadcast_message',
      ],
      [
        'chat.delete',
        'the message of a person',
        async (it) => ({ channel: OPS, ts: await typed(it) }),
        'cant_delete_message',
      ],
      ['chat.delete', 'an unknown message', { channel: OPS, ts: '1.000001' }, 'message_not_found'],
      [
        'chat.getPermalink',
        'an unknown message',
        { channel: OPS, message_ts: '1.000001' },
        'message_not_found',
      ],
    ],
    error,
  );
});

describe(`${METHODS}chat.postMessage`, () => {
  // https://github.com/slackapi/python-slack-sdk/issues/840
  it('takes a thread whose timestamp lost its last digits, and shows the reply nowhere', async () => {
    const answer = await on.call('chat.postMessage', { ...hi, thread_ts: '1.0017' });
    expect(answer).toMatchObject({ ok: true, message: { text: 'hi', thread_ts: '1.0017' } });
    const { messages } = await on.call('conversations.history', { channel: OPS });
    expect(messages).toEqual([]);
    error(await on.call('conversations.replies', { channel: OPS, ts: '1.0017' }), 'thread_not_found');
  });

  it('posts outside of threads where the timestamp is that of no message', async () => {
    const { ok, ts, message } = await on.call('chat.postMessage', { ...hi, thread_ts: '1787656658.009669' });
    expect(ok).toBe(true);
    expect(message).not.toHaveProperty('thread_ts');
    const { messages } = await on.call('conversations.history', { channel: OPS });
    expect(messages).toMatchObject([{ ts, text: 'hi' }]);
  });

  it('answers a reply to a reply in the thread of its parent', async () => {
    const parent = await posted(on);
    const reply = await posted(on, { thread_ts: parent });
    const { message } = await on.call('chat.postMessage', { ...hi, thread_ts: reply });
    expect(message).toMatchObject({ thread_ts: parent });
  });

  it('shows a broadcast reply in the channel, as one', async () => {
    const parent = await posted(on);
    await posted(on, { thread_ts: parent, reply_broadcast: true, text: 'loud' });
    const { messages } = await on.call('conversations.history', { channel: OPS });
    expect(messages).toMatchObject([
      { text: 'loud', subtype: 'thread_broadcast', thread_ts: parent, root: { ts: parent } },
      { ts: parent, reply_count: 1 },
    ]);
  });

  it('broadcasts nothing outside a thread', async () => {
    await posted(on, { reply_broadcast: true });
    const { messages } = await on.call('conversations.history', { channel: OPS });
    expect(messages).toEqual([expect.not.objectContaining({ subtype: 'thread_broadcast' })]);
  });

  // docs.slack.dev/messaging/formatting-message-text, “Automatic parsing”, “Links in retrieved messages”
  it('links addresses unless told not to, names on request, and everything with parse=full', async () => {
    const text = 'ask @fleet-approvers, not a@b.c, in #ops: https://x.example & <b>';
    await posted(on, { text, parse: 'none' });
    await posted(on, { text });
    await posted(on, { text, link_names: true });
    await posted(on, { text, parse: 'full' });
    expect(seen().map((message) => message.text)).toEqual([
      text,
      'ask @fleet-approvers, not a@b.c, in #ops: <https://x.example> & <b>',
      'ask <!subteam^S0APPROVERS|@fleet-approvers>, not a@b.c, in <#C0OPS000001|ops>: <https://x.example> & <b>',
      expect.stringContaining('<https://x.example> &amp; &lt;b&gt;'),
    ]);
  });

  it('links no people on request in a new message, only in an ephemeral or changed one', async () => {
    const named = { channel: OPS, text: 'ask @operator', link_names: true };
    const ts = await posted(on, named);
    await on.call('chat.postEphemeral', { ...named, user: OPERATOR });
    expect(seen().map(({ text }) => text)).toEqual(['ask @operator', `ask <@${OPERATOR}>`]);
    await on.call('chat.update', { ...named, ts });
    expect(seen()[0]?.text).toBe(`ask <@${OPERATOR}>`);
  });

  it('takes metadata of work objects alone', async () => {
    const metadata = { entities: [{ entity_type: 'slack#/entities/task', url: 'https://x.example/1' }] };
    const { message } = await on.call('chat.postMessage', { ...hi, metadata });
    expect(message).toMatchObject({ text: 'hi' });
    expect(await on.call('chat.postMessage', { ...hi, metadata: { entities: 'x' } })).toMatchObject({
      error: 'invalid_metadata_schema',
    });
  });

  it('ignores the metadata of an ephemeral message', async () => {
    for (const metadata of [{ event_type: 'seen' }, 'x'])
      expect(await on.call('chat.postEphemeral', { ...hi, user: OPERATOR, metadata })).toMatchObject({
        ok: true,
      });
  });

  it('says when markup is off, and passes over what does nothing here', async () => {
    const args = { ...hi, mrkdwn: false, as_user: true, unfurl_links: true, unfurl_media: false };
    const { message } = await on.call('chat.postMessage', args);
    expect(message).toMatchObject({ text: 'hi', mrkdwn: false, bot_id: 'B0PATCHBAY1' });
    const marked = await on.call('chat.postMessage', hi);
    expect(marked['message']).not.toHaveProperty('mrkdwn');
  });

  it('warns of text that it has cut', async () => {
    const answer = await on.call('chat.postMessage', { channel: OPS, text: 'x'.repeat(40_001) });
    const line =
      '[WARN] Your message was truncated but still posted. The `text` field accepts up to 40,000 characters.';
    expect(answer).toMatchObject({
      ok: true,
      warning: 'message_truncated',
      response_metadata: { warnings: ['message_truncated'], messages: [line] },
    });
    expect(await on.call('chat.postMessage', hi)).not.toHaveProperty('warning');
  });

  it('reaches several people in their direct message', async () => {
    const { channel } = await on.client.conversations.open({ users: 'U0OPERATOR1,U0APPROVER1' });
    await posted(on, { channel: channel?.id });
    expect(seen(channel?.id, 'approver')).toMatchObject([{ text: 'hi' }]);
    expect(on.workspace.messages({ channel: channel?.id ?? '', user: 'viewer' })).toBeNull();
  });
});

describe(`${METHODS}chat.update`, () => {
  it('shows a reply in the channel, without a new content', async () => {
    const parent = await posted(on);
    const ts = await posted(on, { thread_ts: parent, text: 'reply' });
    const update = (text: string) =>
      on.call('chat.update', { channel: OPS, ts, text, reply_broadcast: true });
    error(await update('other'), 'no_dual_broadcast_content_update');
    expect(await update('reply')).toMatchObject({ ok: true });
    const { messages } = await on.call('conversations.history', { channel: OPS });
    expect(messages).toMatchObject([{ text: 'reply', subtype: 'thread_broadcast' }, { ts: parent }]);
  });

  it('does not know an ephemeral message', async () => {
    const { message_ts: ts } = await on.call('chat.postEphemeral', { ...hi, user: OPERATOR });
    error(await on.call('chat.update', { ...hi, ts }), 'message_not_found');
    error(await on.call('chat.delete', { channel: OPS, ts }), 'message_not_found');
    expect(seen()).toMatchObject([{ text: 'hi', ephemeral: true }]);
  });
});

describe(`${METHODS}chat.scheduleMessage`, () => {
  const now = () => on.clock.now() / 1_000;
  const schedule = (seconds: number, args = {}) =>
    on.call('chat.scheduleMessage', { ...hi, post_at: now() + seconds, ...args });

  it('posts when the time has come', async () => {
    const answer = await schedule(60, { text: 'later' });
    expect(answer).toMatchObject({
      ok: true,
      channel: OPS,
      message: { text: 'later', type: 'delayed_message' },
    });
    await on.clock.advance(59_000);
    expect(seen()).toEqual([]);
    await on.clock.advance(1_000);
    expect(seen()).toMatchObject([{ text: 'later', bot: true }]);
    expect(await on.call('chat.scheduledMessages.list')).toMatchObject({ scheduled_messages: [] });
  });

  it('answers the attachments, of which false is none', async () => {
    expect(await schedule(60, { attachments: false })).toMatchObject({ ok: true });
    const { message } = await schedule(60, { attachments: [{ text: 'x' }] });
    expect(message).toMatchObject({ attachments: [{ id: 1, text: 'x' }] });
  });

  it('says nothing in a channel that was archived meanwhile', async () => {
    await schedule(60, { text: 'later' });
    await on.call('conversations.archive', { channel: OPS });
    await on.clock.advance(60_000);
    expect(seen()).toEqual([]);
    expect(await on.call('chat.scheduledMessages.list')).toMatchObject({ scheduled_messages: [] });
  });

  it('never posts a message with metadata', async () => {
    const metadata = { event_type: 'seen', event_payload: {} };
    expect(await schedule(60, { text: 'later', metadata })).toMatchObject({ ok: true });
    await on.clock.advance(60_000);
    expect(seen()).toEqual([]);
  });

  it('lists what waits, the earliest first, and forgets what is deleted', async () => {
    await schedule(120, { text: 'second' });
    const first = await schedule(61, { text: 'first' });
    const list = await on.call('chat.scheduledMessages.list', { channel: OPS });
    expect(list).toMatchObject({ scheduled_messages: [{ text: 'first' }, { text: 'second' }] });
    const args = { channel: OPS, scheduled_message_id: first['scheduled_message_id'] };
    expect(await on.call('chat.deleteScheduledMessage', args)).toMatchObject({ ok: true });
    error(await on.call('chat.deleteScheduledMessage', args), 'invalid_scheduled_message_id');
    await on.clock.advance(200_000);
    expect(seen()).toMatchObject([{ text: 'second' }]);
  });

  it('deletes nothing that is posted within 60 seconds', async () => {
    const { scheduled_message_id } = await schedule(60, { text: 'later' });
    const args = { channel: OPS, scheduled_message_id };
    error(await on.call('chat.deleteScheduledMessage', args), 'invalid_scheduled_message_id');
    await on.clock.advance(60_000);
    expect(seen()).toMatchObject([{ text: 'later' }]);
  });

  it.each([
    ['a time in the past', { post_at: 1 }, 'time_in_past'],
    ['no time', { post_at: 'soon' }, 'invalid_time'],
    ['an archived channel', { channel: ARCHIVED }, 'is_archived'],
    ['nothing to say', { text: '' }, 'no_text'],
  ])('refuses %s', async (_what, args, word) => {
    error(await schedule(60, args), word);
  });

  it('looks 120 days ahead and takes 30 in five minutes of a channel', async () => {
    expect(await schedule(120 * 86_400)).toMatchObject({ ok: true });
    error(await schedule(120 * 86_400 + 1), 'time_too_far');
    for (let count = 0; count < 15; count += 1) await schedule(600 + count);
    for (let count = 0; count < 15; count += 1) await schedule(1_100 + count);
    expect(await schedule(850)).toMatchObject({ ok: true });
    for (let count = 0; count < 14; count += 1) await schedule(700 + count);
    error(await schedule(720), 'restricted_too_many');
    expect(await schedule(720, { channel: 'C0APPROVALS' })).toMatchObject({ ok: true });
    on.workspace.reset();
    await on.clock.advance(2_000_000);
    expect(seen()).toEqual([]);
  });
});
