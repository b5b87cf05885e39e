/** The status of a thread, and messages that are streamed. */
import { describe, expect, it } from 'vitest';
import { OPERATOR, OPS, RANDOM, section } from '../harness/workspace-harness.ts';
import {
  ARCHIVED,
  type Args,
  answerFrom,
  bench,
  METHODS,
  posted,
  refusals,
  typed,
} from './conformance-harness.ts';

const on = bench();
const lacking = bench({ scopes: ['channels:read'] });
const TO_OPERATOR = { recipient_user_id: OPERATOR, recipient_team_id: 'T0SANDBOX01' };
const error = (reply: unknown, word: string) => expect(reply).toMatchObject({ ok: false, error: word });
const stream = { channel: OPS, ...TO_OPERATOR };

/** Starts a stream below a person's message; returns where it is. */
async function streaming(args: Args = {}) {
  const thread_ts = await typed(on);
  const started = await on.call('chat.startStream', { ...stream, thread_ts, ...args });
  expect(started).toMatchObject({ ok: true, channel: OPS });
  return { channel: OPS, ts: String(started['ts']) };
}

function shown() {
  const messages = on.workspace.messages({ channel: 'ops', user: 'operator' }) ?? [];
  return messages.at(-1);
}

describe('refusals', () => {
  const status = { channel_id: OPS, thread_ts: '1.000001', status: 'is thinking…' };
  const wrong = { channel: OPS, ts: '1.000001', markdown_text: 'x' };
  refusals(
    on,
    [
      ['assistant.threads.setStatus', 'no thread', { channel_id: OPS, status: '' }, 'invalid_arguments'],
      [
        'assistant.threads.setStatus',
        'a channel without the bot',
        { ...status, channel_id: RANDOM },
        'channel_not_found',
      ],
      ['assistant.threads.setStatus', 'an unknown thread', status, 'invalid_thread_ts'],
      [
        'assistant.threads.setStatus',
        'eleven messages',
        { ...status, loading_messages: Array(11).fill('x') },
        'invalid_arguments',
      ],
      ['chat.startStream', 'an unknown channel', { ...stream, channel: 'C0NOWHERE01' }, 'channel_not_found'],
      ['chat.startStream', 'a channel without the bot', { ...stream, channel: RANDOM }, 'not_in_channel'],
      ['chat.startStream', 'an archived channel', { ...stream, channel: ARCHIVED }, 'is_archived'],
      ['chat.startStream', 'no thread of a channel', stream, 'invalid_thread_ts'],
      ['chat.startStream', 'nobody to receive it', { channel: OPS }, 'missing_recipient_user_id'],
      [
        'chat.startStream',
        'no workspace of the person',
        { channel: OPS, recipient_user_id: OPERATOR },
        'missing_recipient_team_id',
      ],
      [
        'chat.startStream',
        'a stop button without its event',
        async (it) => ({ ...stream, thread_ts: await typed(it), is_stoppable: true }),
        'not_subscribed_to_message_stream_stopped',
      ],
      [
        'chat.startStream',
        'another workspace',
        { ...stream, recipient_team_id: 'T0OTHER0001' },
        'team_not_found',
      ],
      [
        'chat.startStream',
        'an unknown person',
        { ...stream, recipient_user_id: 'U0NOBODY001' },
        'user_not_found',
      ],
      [
        'chat.startStream',
        'chunks that are none',
        { ...stream, chunks: [{ type: 'text' }] },
        'invalid_chunks',
      ],
      [
        'chat.startStream',
        'very long text',
        { ...stream, markdown_text: 'x'.repeat(12_001) },
        'msg_blocks_too_long',
      ],
      ['chat.appendStream', 'an unknown message', wrong, 'message_not_found'],
      [
        'chat.appendStream',
        'the message of a person',
        async (it) => ({ ...wrong, ts: await typed(it) }),
        'message_not_owned_by_app',
      ],
      [
        'chat.appendStream',
        'a message that is whole',
        async (it) => ({ ...wrong, ts: await posted(it) }),
        'message_not_in_streaming_state',
      ],
      ['chat.appendStream', 'no text', async () => streaming(), 'no_text'],
      [
        'chat.stopStream',
        'a message that is whole',
        async (it) => ({ ...wrong, ts: await posted(it) }),
        'message_not_in_streaming_state',
      ],
      [
        'chat.stopStream',
        'bad blocks',
        async () => ({ ...(await streaming()), blocks: [{ type: 'x' }] }),
        'invalid_blocks',
      ],
      [
        'chat.update',
        'a message that is being streamed',
        async () => ({ ...(await streaming()), text: 'x' }),
        'streaming_state_conflict',
      ],
    ],
    error,
  );

  it.each(['assistant.threads.setStatus', 'chat.startStream', 'chat.appendStream', 'chat.stopStream'])(
    `${METHODS}%s needs chat:write`,
    async (method) => {
      expect(await answerFrom(lacking.client, method)).toMatchObject({
        error: 'missing_scope',
        needed: 'chat:write',
      });
    },
  );

  // https://github.com/hrygo/hotplex/pull/174
  it('a stream in a direct message without a thread', async () => {
    const { channel } = await on.client.conversations.open({ users: OPERATOR });
    error(await on.call('chat.startStream', { channel: channel?.id }), 'invalid_arguments');
  });
});

describe(`${METHODS}assistant.threads.setStatus`, () => {
  it('is accepted in the threads of every channel of the bot, and removed by an empty one', async () => {
    const place = { channel_id: OPS, thread_ts: await typed(on) };
    for (const status of ['is thinking…', ''])
      expect(await on.call('assistant.threads.setStatus', { ...place, status })).toMatchObject({ ok: true });
  });
});

describe(`${METHODS}chat.startStream`, () => {
  it('shows what was received so far, and the blocks of the stop below it', async () => {
    const place = await streaming({ markdown_text: 'One ' });
    expect(shown()).toMatchObject({ text: 'One ', bot: true });
    expect(await on.call('chat.appendStream', { ...place, markdown_text: '*two*' })).toMatchObject({
      ok: true,
      ...place,
    });
    expect(shown()).toMatchObject({ text: 'One *two*', blocks: [{ type: 'markdown', text: 'One *two*' }] });
    const stopped = await on.call('chat.stopStream', { ...place, blocks: [section('done')] });
    expect(stopped).toMatchObject({ ok: true, ...place, message: { text: 'One *two*' } });
    expect(shown()).toMatchObject({ blocks: [{ type: 'markdown' }, { type: 'section' }] });
    error(
      await on.call('chat.appendStream', { ...place, markdown_text: 'x' }),
      'message_not_in_streaming_state',
    );
  });

  const task = (id: string, status: string) => ({ type: 'task_update', id, title: id, status });
  const text = { type: 'markdown_text', text: 'x' };

  it('shows each task where it was first, in its newest state', async () => {
    const place = await streaming({ chunks: [text, task('a', 'pending'), task('b', 'pending'), text] });
    await on.call('chat.appendStream', { ...place, chunks: [task('a', 'complete')] });
    expect(shown()?.blocks).toMatchObject([
      { type: 'markdown' },
      { type: 'task_card', task_id: 'a', status: 'complete' },
      { type: 'task_card', task_id: 'b', status: 'pending' },
      { type: 'markdown' },
    ]);
  });

  it('shows the title of a task or hides it, with an icon, up to 256 characters long', async () => {
    const titled = { ...task('a', 'in_progress'), title: 'x'.repeat(256) };
    const icon = { type: 'icon', name: 'https://picsum.photos/36/36' };
    await streaming({ chunks: [titled, { ...task('b', 'in_progress'), hide_title: true, icon }] });
    expect(shown()?.blocks).toMatchObject([{ title: titled.title }, { hide_title: true, icon }]);
    for (const type of ['task_update', 'plan_update']) {
      const chunks = [{ ...titled, type, title: `${titled.title}x` }];
      error(
        await on.call('chat.startStream', { ...stream, thread_ts: await typed(on), chunks }),
        'invalid_chunks',
      );
    }
  });

  // https://github.com/NousResearch/hermes-agent/pull/104173
  it('takes either text or chunks, all along', async () => {
    const both = { markdown_text: 'x', chunks: [text] };
    const refused = 'cannot_provide_both_markdown_text_and_chunks';
    error(await on.call('chat.startStream', { ...stream, thread_ts: await typed(on), ...both }), refused);
    for (const first of [{ markdown_text: 'x' }, { chunks: [text] }]) {
      const place = await streaming(first);
      const other = 'chunks' in first ? { markdown_text: 'x' } : { chunks: [text] };
      for (const method of ['chat.appendStream', 'chat.stopStream']) {
        error(await on.call(method, { ...place, ...both }), refused);
        error(await on.call(method, { ...place, ...other }), 'streaming_mode_mismatch');
      }
      expect(await on.call('chat.stopStream', { ...place, ...first })).toMatchObject({ ok: true });
    }
  });

  it('takes 50 blocks by chunks, and 50 more with the stop', async () => {
    const blocks = (count: number) => [{ type: 'blocks', blocks: Array(count).fill(section()) }];
    const place = await streaming({ chunks: blocks(49) });
    for (const method of ['chat.appendStream', 'chat.stopStream'])
      error(await on.call(method, { ...place, chunks: blocks(2) }), 'msg_blocks_too_many');
    const below = { chunks: blocks(1), blocks: Array(50).fill(section()) };
    expect(await on.call('chat.stopStream', { ...place, ...below })).toMatchObject({ ok: true });
    expect(shown()?.blocks).toHaveLength(100);
  });

  it('shows all tasks in one plan, with its newest title', async () => {
    const chunks = [task('a', 'pending'), { type: 'plan_update', title: 'Plan' }, text, task('b', 'pending')];
    await streaming({ task_display_mode: 'plan', chunks });
    expect(shown()?.blocks).toMatchObject([
      { type: 'plan', title: 'Plan', tasks: [{ task_id: 'a' }, { task_id: 'b' }] },
      { type: 'markdown' },
    ]);
  });
});
