import { describe, expect, it } from 'vitest';
import { answerOf, clientOf, errorOf, OPS, RANDOM, startWorkspace } from '../harness/workspace-harness.ts';

const METADATA = { event_type: 'notice', event_payload: { key: 'n_1' } };

/** A channel with the messages 1, 2 and 3, a second apart. */
async function withThree() {
  const { workspace, clock } = await startWorkspace();
  const client = clientOf(workspace);
  const stamps: string[] = [];
  for (const text of ['1', '2', '3']) {
    const { ts = '' } = await client.chat.postMessage({ channel: OPS, text, metadata: METADATA });
    stamps.push(ts);
    await clock.advance(1_000);
  }
  const [first = '', second = '', third = ''] = stamps;
  const texts = async (args: Record<string, unknown>) => {
    const { messages = [] } = await client.conversations.history({ channel: OPS, ...args });
    return messages.map(({ text }) => text).join(' ');
  };
  return { workspace, client, first, second, third, texts };
}

describe('conversations.history', () => {
  it('has the newest message first', async () => {
    const { texts } = await withThree();
    expect(await texts({})).toBe('3 2 1');
  });

  it('honours oldest, latest and inclusive', async () => {
    const { texts, first, second, third } = await withThree();
    expect(await texts({ oldest: first })).toBe('3 2');
    expect(await texts({ latest: third })).toBe('2 1');
    expect(await texts({ oldest: first, latest: third })).toBe('2');
    expect(await texts({ oldest: first, latest: third, inclusive: true })).toBe('3 2 1');
    expect(await texts({ oldest: second, latest: second, inclusive: true })).toBe('2');
    expect(await texts({ oldest: '99999999999' })).toBe('');
  });

  it('matches nothing after an `oldest` of more than six decimals', async () => {
    const { texts, first } = await withThree();
    expect(await texts({ oldest: `${first}0` })).toBe('');
  });

  // https://github.com/slackhq/slack-api-docs/issues/4
  it('begins at `oldest` where that is the only bound, the newest message of a page first', async () => {
    const { client, first, texts } = await withThree();
    expect(await texts({ oldest: first, inclusive: true, limit: 1 })).toBe('1');
    expect(await texts({ oldest: '0', limit: 1 })).toBe('3');
    const bound = { channel: OPS, oldest: first, inclusive: true, limit: 2 };
    const page = await client.conversations.history(bound);
    expect(page).toMatchObject({ has_more: true, messages: [{ text: '2' }, { text: '1' }] });
    const cursor = page.response_metadata?.next_cursor ?? '';
    expect(await client.conversations.history({ ...bound, cursor })).toMatchObject({
      has_more: false,
      messages: [{ text: '3' }],
    });
  });

  it('goes page by page with a cursor', async () => {
    const { client } = await withThree();
    const first = await client.conversations.history({ channel: OPS, limit: 2 });
    expect(first).toMatchObject({ has_more: true, messages: [{ text: '3' }, { text: '2' }] });
    const cursor = first.response_metadata?.next_cursor ?? '';
    const second = await client.conversations.history({ channel: OPS, limit: 2, cursor });
    expect(second).toMatchObject({ has_more: false, messages: [{ text: '1' }] });
  });

  it('has all metadata only when asked for it', async () => {
    const { client } = await withThree();
    const brief = await client.conversations.history({ channel: OPS, limit: 1 });
    expect(brief.messages?.[0]?.metadata).toEqual({ event_type: 'notice' });
    const full = await client.conversations.history({ channel: OPS, limit: 1, include_all_metadata: true });
    expect(full.messages?.[0]?.metadata).toEqual(METADATA);
  });

  it.each([
    ['a channel without the bot', { channel: RANDOM }, 'not_in_channel'],
    ['an unknown channel', { channel: 'C1' }, 'channel_not_found'],
    ['a bad oldest', { channel: OPS, oldest: 'x' }, 'invalid_ts_oldest'],
    ['a bad latest', { channel: OPS, latest: 'x' }, 'invalid_ts_latest'],
  ])('refuses %s', async (_what, args, error) => {
    const { workspace } = await startWorkspace();
    expect(await answerOf(workspace, 'conversations.history', args)).toMatchObject({ ok: false, error });
  });
});

describe('threads', () => {
  it('are read by conversations.replies, parent first, and stay out of the history', async () => {
    const { client, first, texts } = await withThree();
    await client.chat.postMessage({ channel: OPS, thread_ts: first, text: 'reply' });
    const { messages } = await client.conversations.replies({ channel: OPS, ts: first });
    expect(messages).toMatchObject([
      { text: '1', reply_count: 1, thread_ts: first },
      { text: 'reply', thread_ts: first },
    ]);
    expect(await texts({})).toBe('3 2 1');
    expect(await errorOf(client.conversations.replies({ channel: OPS, ts: '1.000001' }))).toBe(
      'thread_not_found',
    );
  });

  it('show a broadcast reply in the channel too', async () => {
    const { client, first, texts } = await withThree();
    await client.chat.postMessage({ channel: OPS, thread_ts: first, text: 'loud', reply_broadcast: true });
    expect(await texts({})).toBe('loud 3 2 1');
  });
});
