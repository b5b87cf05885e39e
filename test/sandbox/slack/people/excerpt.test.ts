/** Parts of a channel, and changes since a cursor. */
import { describe, expect, it } from 'vitest';
import type { Excerpt, ExcerptQuery } from '../../../../src/sandbox/contracts/people.ts';
import { madePerTest } from '../../../harness/use-started.ts';
import { answerOf, OPERATOR, OPS, startWorkspace } from '../harness/workspace-harness.ts';

const workspace = madePerTest(async () => (await startWorkspace()).workspace);

async function say(text: string, more: object = {}): Promise<string> {
  const { ts = '' } = await workspace.message({ user: 'operator', channel: 'ops', text, ...more });
  return ts;
}

function excerpt(order: Partial<ExcerptQuery> = {}): Excerpt {
  const read = workspace.excerpt({ user: 'operator', channel: 'ops', ...order });
  if (read === null) throw new Error('nothing to be seen');
  return read;
}

const texts = ({ messages }: Excerpt) => messages.map(({ text }) => text);

async function talk() {
  const times: string[] = [];
  for (const text of ['one', 'two', 'three', 'four']) times.push(await say(text));
  return times;
}

describe('a part of a channel', () => {
  it.each<[{ limit?: number; before?: number; after?: number }, readonly string[], boolean]>([
    [{}, ['one', 'two', 'three', 'four'], false],
    [{ limit: 2 }, ['three', 'four'], true],
    [{ limit: 4 }, ['one', 'two', 'three', 'four'], false],
    [{ limit: 2, before: 2 }, ['one', 'two'], false],
    [{ limit: 1, before: 2 }, ['two'], true],
    [{ limit: 2, after: 0 }, ['two', 'three'], true],
    [{ after: 3 }, [], false],
    [{ after: 0, before: 2 }, ['two'], false],
  ])('%j is %j', async ({ limit, ...at }, expected, more) => {
    const times = await talk();
    const bounds = Object.fromEntries(Object.entries(at).map(([name, index]) => [name, times[index] ?? '']));
    const read = excerpt({ ...(limit === undefined ? {} : { limit }), ...bounds });
    expect([texts(read), read.more]).toEqual([expected, more]);
  });

  it('leaves out replies when they are not wanted, counts them, and reads them as a thread', async () => {
    const thread = await say('a question');
    await say('an answer', { thread_ts: thread });
    const last = await say('another', { thread_ts: thread });
    const own = excerpt({ replies: false });
    expect(texts(own)).toEqual(['a question']);
    expect(own.messages[0]).toMatchObject({ reply_count: 2, latest_reply: last, reply_users: [OPERATOR] });
    expect(texts(excerpt({ thread }))).toEqual(['a question', 'an answer', 'another']);
  });

  // docs.slack.dev/reference/methods/chat.postEphemeral, `thread_ts`
  it('shows a private answer in a thread only after somebody answered there, and counts none', async () => {
    const thread = await say('a question');
    const whisper = { channel: OPS, user: OPERATOR, thread_ts: thread };
    await answerOf(workspace, 'chat.postEphemeral', { ...whisper, text: 'unheard' });
    const [first] = excerpt({ thread }).messages;
    expect(texts(excerpt({ thread }))).toEqual(['a question']);
    expect(first).not.toHaveProperty('reply_count');
    const last = await say('an answer', { thread_ts: thread });
    await answerOf(workspace, 'chat.postEphemeral', { ...whisper, text: 'for one' });
    expect(texts(excerpt({ thread }))).toEqual(['a question', 'an answer', 'for one']);
    expect(excerpt().messages[0]).toMatchObject({ reply_count: 1, latest_reply: last });
  });

  it('shows nobody the notes for somebody else, nor a channel that they cannot see', async () => {
    await answerOf(workspace, 'chat.postEphemeral', { channel: OPS, user: OPERATOR, text: 'for one' });
    expect(texts(excerpt())).toEqual(['for one']);
    const { cursor } = excerpt({ user: 'viewer' });
    expect(texts(excerpt({ user: 'viewer' }))).toEqual([]);
    await answerOf(workspace, 'chat.postEphemeral', { channel: OPS, user: OPERATOR, text: 'again' });
    expect(texts(excerpt({ user: 'viewer', since: cursor }))).toEqual([]);
    expect(workspace.excerpt({ user: 'viewer', channel: '@operator' })).toBeNull();
  });
});

describe('what has changed since', () => {
  it('is only what was added, edited or removed, and the first message of a thread with a new reply', async () => {
    const [one = ''] = await talk();
    const { ts } = await answerOf(workspace, 'chat.postMessage', { channel: OPS, text: 'card' });
    const gone = await answerOf(workspace, 'chat.postMessage', { channel: OPS, text: 'gone' });
    const { cursor } = excerpt({ replies: false });
    await say('a reply', { thread_ts: one });
    await answerOf(workspace, 'chat.update', { channel: OPS, ts, text: 'edited' });
    await answerOf(workspace, 'chat.delete', { channel: OPS, ts: gone['ts'] });
    const changed = excerpt({ replies: false, since: cursor });
    expect(texts(changed)).toEqual(['one', 'edited']);
    expect(changed.removed).toContain(gone['ts']);
    expect(changed.whole).toBe(false);
    expect(texts(excerpt({ since: changed.cursor }))).toEqual([]);
  });

  it('is everything after a reset, and for a cursor of another start', async () => {
    await talk();
    const { cursor } = excerpt();
    workspace.reset();
    await say('anew');
    for (const since of [cursor, 0, cursor + 1_000_000]) {
      const read = excerpt({ since });
      expect([texts(read), read.whole]).toEqual([['anew'], true]);
      expect(workspace.channelsSince(since)).toBeNull();
    }
  });

  it('names the channels', async () => {
    const before = workspace.cursor();
    expect(workspace.channelsSince(before)).toEqual([]);
    await say('hello');
    expect(workspace.channelsSince(before)).toEqual([OPS]);
    expect(workspace.channelsSince(workspace.cursor())).toEqual([]);
  });
});

describe('conversations', () => {
  it('are the public channels, the direct message with the app, and private ones that one is in', async () => {
    const of = (user: string) => workspace.conversations(user);
    expect(
      of('outsider')
        .filter(({ is_member }) => is_member)
        .map(({ name }) => name),
    ).toEqual(['random', 'outsider']);
    expect(of('admin')).toContainEqual(expect.objectContaining({ name: 'secret-team', kind: 'private' }));
    expect(of('operator').map(({ name }) => name)).not.toContain('secret-team');
    expect(of('nobody')).toEqual([]);
  });

  it('can be joined where they are public, once', async () => {
    const join = (channel: string) => workspace.join({ user: 'outsider', channel });
    expect(await workspace.message({ user: 'outsider', channel: 'ops', text: 'hi' })).toMatchObject({
      ok: false,
    });
    expect(await join('ops')).toEqual({ ok: true });
    expect(await workspace.message({ user: 'outsider', channel: 'ops', text: 'hi' })).toMatchObject({
      ok: true,
    });
    expect(await join('ops')).toEqual({ ok: false, error: 'already_in_channel' });
    expect(await join('@outsider')).toEqual({ ok: false, error: 'method_not_supported_for_channel_type' });
    expect(await join('nowhere')).toEqual({ ok: false, error: 'channel_not_found' });
  });
});
