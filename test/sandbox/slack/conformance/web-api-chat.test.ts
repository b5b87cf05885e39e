/** chat.* and blocks.validate: https://docs.slack.dev/reference/methods. */
import { describe, expect, it } from 'vitest';
import { BOT, button, OPERATOR, OPS, OUTSIDER, RANDOM, section } from '../harness/workspace-harness.ts';
import {
  ARCHIVED,
  type Args,
  bench,
  type ConformanceBench,
  METHODS,
  posted,
  refusals,
  typed,
} from './conformance-harness.ts';

const on = bench({ unfurlDomains: ['x.example'] });
const hi = { channel: OPS, text: 'hi' };
const METADATA = { event_type: 'notice', event_payload: { key: 'n_1' } };
const URL_1 = 'https://x.example/1';
const error = (reply: unknown, word: string) => expect(reply).toMatchObject({ ok: false, error: word });
const seen = (channel = 'ops', user = 'operator') => on.workspace.messages({ channel, user }) ?? [];
const unfurling = async (it: ConformanceBench, blocks: readonly unknown[]) => ({
  channel: OPS,
  ts: await typed(it, `see ${URL_1}`),
  unfurls: { [URL_1]: { blocks } },
});

describe('refusals', () => {
  const post = (what: string, args: Args, word: string) => ['chat.postMessage', what, args, word] as const;
  const unfurl = (what: string, args: Args | ((it: ConformanceBench) => Promise<Args>), word: string) =>
    ['chat.unfurl', what, args, word] as const;
  const said = (text: string, unfurls: unknown) => async (it: ConformanceBench) => ({
    channel: OPS,
    ts: await typed(it, text),
    unfurls,
  });
  refusals(
    on,
    [
      post('no channel', { text: 'hi' }, 'invalid_arguments'),
      post('an archived channel', { channel: ARCHIVED, text: 'hi' }, 'is_archived'),
      post('a channel without the bot', { channel: RANDOM, text: 'hi' }, 'not_in_channel'),
      post('an empty channel', { channel: '', text: 'hi' }, 'channel_not_found'),
      post('an unknown channel', { channel: 'C0NOWHERE01', text: 'hi' }, 'channel_not_found'),
      post('no content', { channel: OPS }, 'no_text'),
      post('blank text', { channel: OPS, text: ' ' }, 'no_text'),
      post('no blocks and no text', { channel: OPS, blocks: [] }, 'no_text'),
      post('a thread that is none', { ...hi, thread_ts: '0' }, 'invalid_thread_ts'),
      post('an empty thread', { ...hi, thread_ts: '' }, 'invalid_thread_ts'),
      post('blocks that are no list', { ...hi, blocks: {} }, 'invalid_blocks_format'),
      post('blocks that are no JSON', { ...hi, blocks: '[{' }, 'invalid_blocks_format'),
      post('blocks that are double JSON', { ...hi, blocks: '"[]"' }, 'invalid_blocks_format'),
      post('an unknown block', { ...hi, blocks: [{ type: 'marquee' }] }, 'invalid_blocks'),
      post('metadata that is no JSON', { ...hi, metadata: '{' }, 'invalid_metadata_format'),
      [
        'chat.postEphemeral',
        'an archived channel',
        { channel: ARCHIVED, user: OPERATOR, text: 'x' },
        'is_archived',
      ],
      ['chat.postEphemeral', 'no person', hi, 'invalid_arguments'],
      ['chat.postEphemeral', 'who is not there', { ...hi, user: OUTSIDER }, 'user_not_in_channel'],
      [
        'chat.postEphemeral',
        'long text',
        { ...hi, user: OPERATOR, text: 'x'.repeat(40_001) },
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
        'nothing left to say',
        async (it) => ({ channel: OPS, ts: await posted(it), text: ' ', blocks: [] }),
        'no_text',
      ],
      [
        'chat.delete',
        'the message of a person',
        async (it) => ({ channel: OPS, ts: await typed(it) }),
        'cant_delete_message',
      ],
      ['chat.delete', 'an unknown message', { channel: OPS, ts: '1.000001' }, 'message_not_found'],
      ['chat.getPermalink', 'an unknown message', { channel: OPS, message_ts: '1.1' }, 'message_not_found'],
      unfurl('no channel', { ts: '1.000001', unfurls: {} }, 'missing_channel'),
      unfurl('no message', { channel: OPS, unfurls: {} }, 'missing_ts'),
      unfurl('no unfurls', { channel: OPS, ts: '1.000001' }, 'missing_unfurls'),
      unfurl('an unknown channel', { channel: 'C1', ts: '1.1', unfurls: {} }, 'cannot_find_channel'),
      unfurl('an unknown message', { channel: OPS, ts: '1.1', unfurls: {} }, 'cannot_find_message'),
      unfurl('unfurls that are no map', said('x', '[]'), 'invalid_unfurls_format'),
      unfurl('an unfurl that is none', said('x', { x: 1 }), 'cannot_parse_attachment'),
      unfurl('a link that was not said', said('x', { [URL_1]: {} }), 'cannot_unfurl_message'),
      unfurl(
        'a link into a domain that is not the app’s',
        said('see https://y.example', { 'https://y.example': {} }),
        'cannot_unfurl_url',
      ),
      unfurl('blocks that are none', (it) => unfurling(it, [{ type: 'nope' }]), 'invalid_blocks'),
    ],
    error,
  );

  it('say where blocks are wrong, by JSON pointer', async () => {
    const blocks = [section(), section('x', { block_id: 'x'.repeat(256) })];
    const errors = ['must be less than 256 characters [json-pointer:/blocks/1/block_id]'];
    expect(await on.call('chat.postMessage', { channel: OPS, blocks })).toMatchObject({
      error: 'invalid_blocks',
      errors,
      response_metadata: { messages: errors.map((line) => `[ERROR] ${line}`) },
    });
  });
});

describe(`${METHODS}chat.postMessage`, () => {
  it('stores the message under a ts of the clock and answers with it', async () => {
    const answer = await on.call('chat.postMessage', { ...hi, metadata: METADATA });
    const message = { type: 'message', user: BOT, bot_id: 'B0PATCHBAY1', app_id: 'A0PATCHBAY1' };
    expect(answer).toMatchObject({
      channel: OPS,
      message: { ...message, metadata: METADATA, bot_profile: { user_id: BOT } },
    });
    expect(Number(answer['ts'])).toBeCloseTo(on.clock.now() / 1_000, 3);
    const shown = { ts: answer['ts'], user: BOT, bot: true, text: 'hi', blocks: [], metadata: METADATA };
    expect(seen()).toEqual([{ ...shown, ephemeral: false, thread_ts: null }]);
  });

  it('gives messages of one instant different, growing timestamps', async () => {
    const posts = await Promise.all(Array.from({ length: 20 }, () => posted(on)));
    const stamps = seen().map(({ ts }) => ts);
    expect(new Set(posts).size).toBe(20);
    expect(stamps).toEqual(stamps.toSorted());
  });

  it('gives ids to blocks and elements that have none, and keeps those that have', async () => {
    const blocks = [section('hi', { block_id: 'mine' }), { type: 'actions', elements: [button('go')] }];
    await posted(on, { blocks });
    expect(seen()[0]?.blocks).toMatchObject([
      { block_id: 'mine' },
      { block_id: expect.stringMatching(/./), elements: [{ action_id: 'go' }] },
    ]);
  });

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

  it('cuts long text, and warns of it', async () => {
    const answer = await on.call('chat.postMessage', { channel: OPS, text: 'x'.repeat(40_001) });
    const line =
      '[WARN] Your message was truncated but still posted. The `text` field accepts up to 40,000 characters.';
    expect(answer).toMatchObject({
      ok: true,
      warning: 'message_truncated',
      response_metadata: { warnings: ['message_truncated'], messages: [line] },
    });
    expect(seen()[0]?.text).toHaveLength(40_000);
    expect(await on.call('chat.postMessage', hi)).not.toHaveProperty('warning');
  });
});

it(`${METHODS}chat.postMessage reaches a person by id`, async () => {
  const { channel } = await on.call('chat.postMessage', { channel: OPERATOR, text: 'for you' });
  expect(channel).toBe('D0OPERATOR1');
  expect(seen('@operator')).toMatchObject([{ text: 'for you' }]);
});

describe(`${METHODS}chat.postEphemeral`, () => {
  const whisper = (args: Args = {}) => on.call('chat.postEphemeral', { ...hi, user: OPERATOR, ...args });

  it('shows the message to its person only, without metadata, and to no method', async () => {
    for (const metadata of [METADATA, { event_type: 'seen' }, 'x'])
      expect(await whisper({ metadata })).toMatchObject({ ok: true });
    expect(seen()).toMatchObject(Array(3).fill({ text: 'hi', ephemeral: true, metadata: null }));
    expect(seen('ops', 'operator2')).toEqual([]);
    expect(await on.call('conversations.history', { channel: OPS })).toMatchObject({ messages: [] });
    const { message_ts: ts } = await whisper();
    error(await on.call('chat.update', { ...hi, ts }), 'message_not_found');
    error(await on.call('chat.delete', { channel: OPS, ts }), 'message_not_found');
  });

  it('is shown in a thread only once somebody has answered there', async () => {
    const thread_ts = await posted(on, { text: 'card' });
    await whisper({ thread_ts, text: 'unheard' });
    expect(seen().map(({ text }) => text)).toEqual(['card']);
    await posted(on, { text: 'reply', thread_ts });
    await whisper({ thread_ts, text: 'psst' });
    expect(seen().map(({ text }) => text)).toEqual(['card', 'reply', 'psst']);
  });
});

describe(`${METHODS}chat.update`, () => {
  const card = () =>
    posted(on, { text: 'card', blocks: [section('before', { block_id: 'b' })], metadata: METADATA });
  const update = (ts: string, args: Args) => on.call('chat.update', { channel: OPS, ts, ...args });

  it('puts text in the place of blocks and keeps the metadata', async () => {
    const ts = await card();
    await update(ts, { text: 'after' });
    expect(seen()).toMatchObject([{ ts, text: 'after', blocks: [], metadata: METADATA }]);
  });

  it('is not marked as edited when the update carries blocks, and is when it carries text alone', async () => {
    const ts = await card();
    const { message } = await update(ts, { text: 'card', blocks: [section('after')] });
    expect(message).not.toHaveProperty('edited');
    expect(seen()).toMatchObject([{ blocks: [{ text: { text: 'after' } }] }]);
    const marked = await update(ts, { text: 'Done 🎉' });
    const edited = { user: 'B0PATCHBAY1', ts: expect.stringMatching(/^\d{10}\.000000$/) };
    expect(marked).toMatchObject({ text: 'Done :tada:', message: { text: 'Done :tada:', edited } });
  });

  it('keeps what is not sent when only metadata is, and removes metadata on an empty object', async () => {
    const ts = await card();
    const metadata = { event_type: 'notice', event_payload: { key: 'n_2' } };
    await update(ts, { metadata });
    expect(seen()).toMatchObject([{ text: 'card', blocks: [{ block_id: 'b' }], metadata }]);
    await update(ts, { metadata: {} });
    expect(seen()).toMatchObject([{ text: 'card', metadata: null }]);
  });
});

describe(`${METHODS}chat.delete`, () => {
  it('deletes once', async () => {
    const ts = await posted(on);
    expect(await on.call('chat.delete', { channel: OPS, ts })).toMatchObject({ ok: true, channel: OPS, ts });
    expect(seen()).toEqual([]);
    error(await on.call('chat.delete', { channel: OPS, ts }), 'message_not_found');
  });

  // slackapi/java-slack-sdk, slack-api-model, MessageChangedEventTest
  it('leaves a stone in the place of the first message of a thread', async () => {
    const ts = await posted(on);
    await on.workspace.message({ user: 'operator', channel: 'ops', text: 'reply', thread_ts: ts });
    await on.call('chat.delete', { channel: OPS, ts });
    const stone = { subtype: 'tombstone', user: 'USLACKBOT', hidden: true, ts, reply_count: 1 };
    const { messages } = await on.call('conversations.history', { channel: OPS });
    expect(messages).toMatchObject([{ ...stone, text: 'This message was deleted.' }]);
    expect(seen()).toMatchObject([{ ts }, { text: 'reply' }]);
    error(await on.call('chat.delete', { channel: OPS, ts }), 'message_not_found');
  });
});

it(`${METHODS}chat.getPermalink answers with the address of a message, also in a thread`, async () => {
  const ts = await posted(on);
  const { permalink } = await on.call('chat.getPermalink', { channel: OPS, message_ts: ts });
  expect(permalink).toBe(`https://sandbox.slack.com/archives/${OPS}/p${ts.replace('.', '')}`);
  const message_ts = await posted(on, { thread_ts: ts });
  expect(await on.call('chat.getPermalink', { channel: OPS, message_ts })).toMatchObject({
    permalink: expect.stringContaining(`?thread_ts=${ts}&cid=${OPS}`),
  });
});

describe(`${METHODS}chat.unfurl`, () => {
  it('hangs what a link shows under the message', async () => {
    const url = 'https://x.example/1?a=1&b=2';
    const ts = await typed(on, `see ${url}`);
    const unfurls = { [url]: { fallback: 'mine', blocks: [section('x')] } };
    expect(await on.call('chat.unfurl', { channel: OPS, ts, unfurls })).toMatchObject({ ok: true });
    const { messages } = await on.call('conversations.history', { channel: OPS });
    const block = { type: 'section', block_id: expect.stringMatching(/./), text: { verbatim: false } };
    expect(messages).toMatchObject([
      { attachments: [{ id: 1, fallback: 'mine', app_unfurl_url: url, blocks: [block] }] },
    ]);
  });

  // docs.slack.dev/reference/events/link_shared: “message_ts and channel always work to supply chat.unfurl”
  it('finds the message by its channel and timestamp where the bot is no member', async () => {
    const ts = await typed(on, `see ${URL_1}`, 'random');
    const unfurls = { [URL_1]: { fallback: 'x' } };
    expect(await on.call('chat.unfurl', { channel: RANDOM, ts, unfurls })).toMatchObject({ ok: true });
  });
});

const bad = section('x'.repeat(3_001));

/** Without any token, as anybody may. */
async function validate(fields: Record<string, string>, type = 'application/x-www-form-urlencoded') {
  const isForm = type.startsWith('application/x');
  const body = isForm ? new URLSearchParams(fields).toString() : JSON.stringify(fields);
  const response = await fetch(`${on.workspace.apiUrl}blocks.validate`, {
    method: 'POST',
    headers: { 'content-type': type },
    body,
  });
  const answer: Record<string, unknown> = JSON.parse(await response.text());
  return { status: response.status, headers: response.headers, answer };
}

describe(`${METHODS}blocks.validate`, () => {
  it('passes good blocks, and points to what is wrong in others', async () => {
    const good = await validate({ blocks: JSON.stringify([section()]) });
    expect(good).toMatchObject({ status: 200, answer: { ok: true } });
    const { answer } = await validate({ blocks: JSON.stringify([section(), bad]) });
    const message = 'must be less than 3001 characters';
    expect(answer).toMatchObject({
      error: 'invalid_blocks',
      errors: [{ pointer: '/1/text/text', code: 'failed_constraint', message }],
    });
  });

  // The example of its page, and `got`, which the real one also sends (slack-morphism 2.30.0, SlackApiBlocksValidateError).
  it('answers with the published example', async () => {
    const blocks = [{ type: 'section', text: { type: 'invalid', text: 'Hello world' } }];
    const { answer } = await validate({ blocks: JSON.stringify(blocks) });
    const constraint = { type: 'enum', expected: ['plain_text', 'mrkdwn'], got: 'invalid' };
    const message = 'unsupported type: invalid';
    expect(answer).toEqual({
      ok: false,
      error: 'invalid_blocks',
      errors: [{ code: 'failed_constraint', message, pointer: '/0/text/type', constraint }],
    });
  });

  it('refuses nothing', async () => {
    expect((await validate({})).answer).toEqual({
      ok: false,
      error: 'invalid_arguments',
      response_metadata: { messages: ['must provide exactly one of `blocks`, `view`, or `message`'] },
    });
  });

  it('reads JSON as well as forms, needs no scope and names none', async () => {
    const fields = { blocks: JSON.stringify([bad]) };
    const { answer, headers } = await validate(fields, 'application/json; charset=utf-8');
    expect(answer).toMatchObject({ error: 'invalid_blocks', errors: [{ pointer: '/0/text/text' }] });
    expect([headers.get('x-oauth-scopes'), headers.get('x-accepted-oauth-scopes')]).toEqual([null, null]);
  });

  it('refuses blocks that are no JSON', async () => {
    expect((await validate({ blocks: '[{' })).answer).toEqual({
      ok: false,
      error: 'invalid_arguments',
      response_metadata: { messages: ['the value of `blocks` must be valid JSON'] },
    });
  });

  it('takes 100,000 characters', async () => {
    const blocks = JSON.stringify([section()]).padEnd(100_000);
    expect((await validate({ blocks })).answer).toMatchObject({ ok: true });
    const messages = ['must be less than 100001 characters [json-pointer:/blocks]'];
    expect((await validate({ blocks: `${blocks} ` })).answer).toMatchObject({
      error: 'invalid_arguments',
      response_metadata: { messages },
    });
  });

  it('is what Slack’s client calls', async () => {
    const blocks = [{ type: 'divider' as const }];
    expect(await on.client.blocks.validate({ blocks })).toMatchObject({ ok: true });
  });
});
