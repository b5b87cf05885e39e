import { describe, expect, it } from 'vitest';
import {
  answerOf,
  BOT,
  button,
  clientOf,
  errorOf,
  OPERATOR,
  OPS,
  OUTSIDER,
  RANDOM,
  section,
  seenBy,
  startWorkspace,
} from '../harness/workspace-harness.ts';

const METADATA = { event_type: 'notice', event_payload: { key: 'n_1' } };

describe('chat.postMessage', () => {
  it('stores the message under a ts of the clock and answers with it', async () => {
    const { workspace, clock } = await startWorkspace();
    const answer = await clientOf(workspace).chat.postMessage({
      channel: OPS,
      text: 'hi',
      metadata: METADATA,
    });
    expect(answer).toMatchObject({
      ok: true,
      channel: OPS,
      message: {
        type: 'message',
        user: BOT,
        bot_id: 'B0PATCHBAY1',
        app_id: 'A0PATCHBAY1',
        metadata: METADATA,
      },
    });
    expect(answer.ts).toBe(`${clock.now() / 1_000}.000000`);
    expect(seenBy(workspace, 'operator')).toEqual([
      {
        ts: answer.ts,
        user: BOT,
        bot: true,
        text: 'hi',
        blocks: [],
        metadata: METADATA,
        ephemeral: false,
        thread_ts: null,
      },
    ]);
  });

  it('gives messages of one instant different, growing timestamps', async () => {
    const { workspace } = await startWorkspace();
    const client = clientOf(workspace);
    const posts = await Promise.all(
      Array.from({ length: 20 }, () => client.chat.postMessage({ channel: OPS, text: 'hi' })),
    );
    const stamps = seenBy(workspace, 'operator').map(({ ts }) => ts);
    expect(new Set(posts.map(({ ts }) => ts)).size).toBe(20);
    expect(stamps).toEqual(stamps.toSorted());
  });

  it('gives ids to blocks and elements that have none, and keeps those that have', async () => {
    const { workspace } = await startWorkspace();
    const blocks = [section('hi', { block_id: 'mine' }), { type: 'actions', elements: [button('go')] }];
    await clientOf(workspace).chat.postMessage({ channel: OPS, text: 'hi', blocks });
    const [message] = seenBy(workspace, 'operator');
    expect(message?.blocks).toMatchObject([
      { block_id: 'mine' },
      { block_id: expect.stringMatching(/./), elements: [{ action_id: 'go' }] },
    ]);
  });

  it('reaches a channel by name and a person by id', async () => {
    const { workspace } = await startWorkspace();
    const client = clientOf(workspace);
    expect(await client.chat.postMessage({ channel: '#ops', text: 'hi' })).toMatchObject({ channel: OPS });
    const direct = await client.chat.postMessage({ channel: OPERATOR, text: 'for you' });
    expect(direct.channel).toMatch(/^D/);
    expect(seenBy(workspace, 'operator', '@operator')).toMatchObject([{ text: 'for you' }]);
  });

  it('cuts text above 40,000 characters', async () => {
    const { workspace } = await startWorkspace();
    await clientOf(workspace).chat.postMessage({ channel: OPS, text: 'x'.repeat(40_001) });
    expect(seenBy(workspace, 'operator')[0]?.text).toHaveLength(40_000);
  });

  it('takes markdown text instead of text and blocks', async () => {
    const { workspace } = await startWorkspace();
    await clientOf(workspace).chat.postMessage({ channel: OPS, markdown_text: '**hi**' });
    expect(seenBy(workspace, 'operator')[0]?.blocks).toMatchObject([{ type: 'markdown', text: '**hi**' }]);
  });

  const hi = { channel: OPS, text: 'hi' };
  it.each([
    ['no channel', { text: 'hi' }, 'invalid_arguments'],
    ['an unknown channel', { channel: 'C0NOWHERE01', text: 'hi' }, 'channel_not_found'],
    ['a channel without the bot', { channel: RANDOM, text: 'hi' }, 'not_in_channel'],
    ['nothing to say', { channel: OPS }, 'no_text'],
    ['blank text', { channel: OPS, text: ' ' }, 'no_text'],
    ['no blocks and no text', { channel: OPS, blocks: [] }, 'no_text'],
    ['blocks that are no list', { ...hi, blocks: {} }, 'invalid_blocks_format'],
    ['blocks that are no JSON', { ...hi, blocks: '[{' }, 'invalid_blocks_format'],
    ['blocks that are double JSON', { ...hi, blocks: '"[]"' }, 'invalid_blocks_format'],
    ['an unknown block', { ...hi, blocks: [{ type: 'marquee' }] }, 'invalid_blocks'],
    ['a thread that is no timestamp', { ...hi, thread_ts: 'x' }, 'invalid_thread_ts'],
    ['metadata that is no JSON', { ...hi, metadata: '{' }, 'invalid_metadata_format'],
    ['metadata without a type', { ...hi, metadata: { event_payload: {} } }, 'invalid_metadata_schema'],
    ['metadata without a payload', { ...hi, metadata: { event_type: 'x' } }, 'invalid_metadata_schema'],
    [
      'a lot of metadata',
      { ...hi, metadata: { event_type: 'x', event_payload: { k: 'x'.repeat(8_000) } } },
      'metadata_too_large',
    ],
    ['markdown beside text', { ...hi, markdown_text: 'hi' }, 'markdown_text_conflict'],
    ['long markdown', { channel: OPS, markdown_text: 'x'.repeat(12_001) }, 'msg_too_long'],
    ['too many attachments', { ...hi, attachments: Array(101).fill({ text: 'x' }) }, 'too_many_attachments'],
    ['attachments that are no list', { ...hi, attachments: 'x' }, 'invalid_attachments'],
    ['bad blocks in an attachment', { ...hi, attachments: [{ blocks: [{}] }] }, 'invalid_attachments'],
    [
      'blocks of more text than a message holds',
      { ...hi, blocks: Array.from({ length: 5 }, () => section('x'.repeat(2_640))) },
      'msg_blocks_too_long',
    ],
  ])('refuses %s', async (_what, args, error) => {
    const { workspace } = await startWorkspace();
    expect(await answerOf(workspace, 'chat.postMessage', args)).toMatchObject({ ok: false, error });
    expect(seenBy(workspace, 'operator')).toEqual([]);
  });

  it('says where blocks are wrong, by JSON pointer', async () => {
    const { workspace } = await startWorkspace();
    const blocks = [section(), section('x', { block_id: 'x'.repeat(256) })];
    expect(await answerOf(workspace, 'chat.postMessage', { channel: OPS, blocks })).toEqual({
      ok: false,
      error: 'invalid_blocks',
      errors: ['must be less than 256 characters [json-pointer:/blocks/1/block_id]'],
      response_metadata: {
        messages: ['[ERROR] must be less than 256 characters [json-pointer:/blocks/1/block_id]'],
      },
    });
  });

  it('keeps direct messages out when the app has its messages tab off', async () => {
    const { workspace } = await startWorkspace({ appHome: { messages_tab_enabled: false } });
    const post = clientOf(workspace).chat.postMessage({ channel: OPERATOR, text: 'hi' });
    expect(await errorOf(post)).toBe('messages_tab_disabled');
  });
});

describe('chat.update', () => {
  async function withCard() {
    const { workspace } = await startWorkspace();
    const client = clientOf(workspace);
    const { ts = '' } = await client.chat.postMessage({
      channel: OPS,
      text: 'card',
      blocks: [section('before', { block_id: 'b' })],
      metadata: METADATA,
    });
    return { workspace, client, ts, see: () => seenBy(workspace, 'operator')[0] };
  }

  it('puts text in the place of blocks and keeps the metadata', async () => {
    const { client, ts, see } = await withCard();
    await client.chat.update({ channel: OPS, ts, text: 'after' });
    expect(see()).toMatchObject({ ts, text: 'after', blocks: [], metadata: METADATA });
  });

  it('is not marked as edited when the update carries blocks, and is when it carries text alone', async () => {
    const { client, ts, see } = await withCard();
    await client.chat.update({ channel: OPS, ts, text: 'card', blocks: [section('after')] });
    expect(see()).toMatchObject({ blocks: [{ text: { text: 'after' } }] });
    const { message } = await client.chat.update({
      channel: OPS,
      ts,
      text: 'card',
      blocks: [section('again')],
    });
    expect(message).not.toHaveProperty('edited');
    const marked = await client.chat.update({ channel: OPS, ts, text: 'after' });
    const edited = { user: 'B0PATCHBAY1', ts: expect.stringMatching(/^\d{10}\.000000$/) };
    expect(marked.message).toMatchObject({ edited });
  });

  it('keeps what is not sent when only metadata is', async () => {
    const { workspace, ts, see } = await withCard();
    const changed = { event_type: 'notice', event_payload: { key: 'n_2' } };
    await answerOf(workspace, 'chat.update', { channel: OPS, ts, metadata: changed });
    expect(see()).toMatchObject({ text: 'card', blocks: [{ block_id: 'b' }], metadata: changed });
  });

  // docs.slack.dev/reference/methods/chat.update: “the message's previous attachments will be retained”
  it('keeps attachments that are not sent, and removes them on an empty list', async () => {
    const { workspace, ts, see } = await withCard();
    const update = (args: object) => answerOf(workspace, 'chat.update', { channel: OPS, ts, ...args });
    await update({ text: 'with', attachments: [{ text: 'attached' }] });
    await update({ text: 'after' });
    expect(see()).toMatchObject({ text: 'after', blocks: [], attachments: [{ text: 'attached' }] });
    await update({ text: 'bare', attachments: [] });
    expect(see()).not.toHaveProperty('attachments');
  });

  it('removes metadata on an empty object, and takes 12,000 characters of markdown', async () => {
    const { workspace, ts, see } = await withCard();
    const markdown_text = 'x'.repeat(12_000);
    await answerOf(workspace, 'chat.update', { channel: OPS, ts, markdown_text, metadata: {} });
    expect(see()).toMatchObject({ text: markdown_text, metadata: null });
  });

  it.each([
    ['an unknown message', { ts: '1.000001', text: 'x' }, 'message_not_found'],
    ['an unknown channel', { channel: 'C0NOWHERE01', text: 'x' }, 'channel_not_found'],
    ['text above 4,000 characters', { text: 'x'.repeat(4_001) }, 'msg_too_long'],
    ['nothing left to say', { text: ' ', blocks: [] }, 'no_text'],
    ['bad blocks', { blocks: [{ type: 'section' }] }, 'invalid_blocks'],
  ])('refuses %s', async (_what, args, error) => {
    const { workspace, ts, see } = await withCard();
    expect(await answerOf(workspace, 'chat.update', { channel: OPS, ts, ...args })).toMatchObject({ error });
    expect(see()).toMatchObject({ text: 'card' });
  });

  it('changes and deletes only what the bot wrote for everybody', async () => {
    const { workspace, client } = await withCard();
    const typed = await workspace.message({ user: 'operator', channel: 'ops', text: 'mine' });
    const ts = typed.ts ?? '';
    expect(await errorOf(client.chat.update({ channel: OPS, ts, text: 'x' }))).toBe('cant_update_message');
    expect(await errorOf(client.chat.delete({ channel: OPS, ts }))).toBe('cant_delete_message');
    const whisper = await client.chat.postEphemeral({ channel: OPS, user: OPERATOR, text: 'psst' });
    const hidden = { channel: OPS, ts: whisper.message_ts ?? '' };
    expect(await errorOf(client.chat.update({ ...hidden, text: 'x' }))).toBe('message_not_found');
    expect(await errorOf(client.chat.delete(hidden))).toBe('message_not_found');
  });

  it('deletes', async () => {
    const { client, ts, see } = await withCard();
    expect(await client.chat.delete({ channel: OPS, ts })).toMatchObject({ ok: true, channel: OPS, ts });
    expect(see()).toBeUndefined();
    expect(await errorOf(client.chat.delete({ channel: OPS, ts }))).toBe('message_not_found');
  });
});

describe('chat.postEphemeral', () => {
  it('shows the message to its person only', async () => {
    const { workspace } = await startWorkspace();
    const client = clientOf(workspace);
    await client.chat.postEphemeral({ channel: OPS, user: OPERATOR, text: 'psst' });
    expect(seenBy(workspace, 'operator')).toMatchObject([{ text: 'psst', ephemeral: true }]);
    expect(seenBy(workspace, 'operator2')).toEqual([]);
    expect((await client.conversations.history({ channel: OPS })).messages).toEqual([]);
  });

  it('is shown in a thread only once somebody has answered there', async () => {
    const { workspace } = await startWorkspace();
    const client = clientOf(workspace);
    const { ts: thread_ts = '' } = await client.chat.postMessage({ channel: OPS, text: 'card' });
    const whisper = { channel: OPS, user: OPERATOR, thread_ts };
    await client.chat.postEphemeral({ ...whisper, text: 'unheard' });
    expect(seenBy(workspace, 'operator').map(({ text }) => text)).toEqual(['card']);
    await client.chat.postMessage({ channel: OPS, text: 'reply', thread_ts });
    await client.chat.postEphemeral({ ...whisper, text: 'psst' });
    expect(seenBy(workspace, 'operator').map(({ text }) => text)).toEqual(['card', 'reply', 'psst']);
  });

  it('passes over the metadata of an event', async () => {
    const { workspace } = await startWorkspace();
    const whisper = { channel: OPS, user: OPERATOR, text: 'psst', metadata: METADATA };
    await clientOf(workspace).chat.postEphemeral(whisper);
    expect(seenBy(workspace, 'operator')).toMatchObject([{ text: 'psst', metadata: null }]);
  });

  it('reaches members only', async () => {
    const { workspace } = await startWorkspace();
    const whisper = clientOf(workspace).chat.postEphemeral({ channel: OPS, user: OUTSIDER, text: 'psst' });
    expect(await errorOf(whisper)).toBe('user_not_in_channel');
  });

  it.each([
    ['no person', { channel: OPS, text: 'hi' }, 'invalid_arguments'],
    ['nothing to say', { channel: OPS, user: OPERATOR }, 'no_text'],
    ['a channel without the bot', { channel: RANDOM, user: OPERATOR, text: 'hi' }, 'not_in_channel'],
  ])('refuses %s', async (_what, args, error) => {
    const { workspace } = await startWorkspace();
    expect(await answerOf(workspace, 'chat.postEphemeral', args)).toMatchObject({ ok: false, error });
  });
});

it('chat.getPermalink answers with the address of a message', async () => {
  const { workspace } = await startWorkspace();
  const client = clientOf(workspace);
  const { ts = '' } = await client.chat.postMessage({ channel: OPS, text: 'hi' });
  const { permalink } = await client.chat.getPermalink({ channel: OPS, message_ts: ts });
  expect(permalink).toBe(`https://sandbox.slack.com/archives/${OPS}/p${ts.replace('.', '')}`);
  const unknown = client.chat.getPermalink({ channel: OPS, message_ts: '1.000001' });
  expect(await errorOf(unknown)).toBe('message_not_found');
});
