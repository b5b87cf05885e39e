import { request } from 'node:http';
import { describe, expect, it } from 'vitest';
import { startRawBot } from '../harness/raw-bot.ts';
import { answerOf, button, OPS, section, seenBy, startWorkspace } from '../harness/workspace-harness.ts';

type Json = Record<string, unknown>;

/** A response URL of a command, and how to post to it. */
async function withCommandUrl() {
  const started = await startWorkspace();
  const bot = await startRawBot(started.workspace);
  await started.workspace.command({ user: 'operator', channel: 'ops', command: '/fleet', text: '' });
  const url = String(bot.last()['response_url']);
  return { ...started, bot, url, post: (body: unknown) => postTo(url, body) };
}

/** The same for a click on a card, which is ephemeral when `user` is named. */
async function withClickUrl(user?: string) {
  const started = await startWorkspace();
  const bot = await startRawBot(started.workspace);
  const card = { channel: OPS, text: 'card', blocks: [section('card', { accessory: button('go') })] };
  const method = user === undefined ? 'chat.postMessage' : 'chat.postEphemeral';
  const posted = await answerOf(started.workspace, method, { ...card, user });
  const ts = String(posted['ts'] ?? posted['message_ts']);
  await started.workspace.click({ user: 'operator', channel: 'ops', ts, action_id: 'go' });
  const url = String(bot.last()['response_url']);
  return { ...started, ts, post: (body: unknown) => postTo(url, body) };
}

async function postTo(url: string, body: unknown) {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  const text = await response.text();
  const json: Json = text === 'ok' ? {} : JSON.parse(text);
  return [response.status, json['error'] ?? 'ok'];
}

/** A post whose body comes in two pieces: `begun` resolves once the first was sent, `end` sends the second. */
function postInPieces(url: string, first: string, second: string) {
  const answer = Promise.withResolvers<number | undefined>();
  const begun = Promise.withResolvers<void>();
  const sent = request(url, { method: 'POST', headers: { 'content-type': 'application/json' } });
  sent.on('response', (response) => answer.resolve(response.resume().statusCode));
  sent.on('error', answer.reject);
  sent.write(first, () => begun.resolve());
  const end = () => {
    sent.end(second);
    return answer.promise;
  };
  return { begun: begun.promise, end };
}

describe('a response URL', () => {
  it('takes five messages', async () => {
    const { workspace, post } = await withCommandUrl();
    for (let count = 0; count < 5; count += 1) expect(await post({ text: 'hi' })).toEqual([200, 'ok']);
    expect(await post({ text: 'hi' })).toEqual([404, 'used_url']);
    expect(seenBy(workspace, 'operator')).toHaveLength(5);
  });

  it('lives thirty minutes on the clock', async () => {
    const { clock, post } = await withCommandUrl();
    await clock.advance(30 * 60_000);
    expect(await post({ text: 'in time' })).toEqual([200, 'ok']);
    await clock.advance(1);
    expect(await post({ text: 'late' })).toEqual([404, 'expired_url']);
  });

  it('does not count what it refused', async () => {
    const { post } = await withCommandUrl();
    expect(await post('no JSON')).toEqual([400, 'invalid_payload']);
    expect(await post({})).toEqual([404, 'no_text']);
    expect(await post({ blocks: [{ type: 'marquee' }] })).toEqual([404, 'invalid_blocks']);
    for (let count = 0; count < 5; count += 1) expect(await post({ text: 'hi' })).toEqual([200, 'ok']);
  });

  it('is private unless it says otherwise', async () => {
    const { workspace, post } = await withCommandUrl();
    await post({ text: 'for me' });
    await post({ text: 'for all', response_type: 'in_channel' });
    expect(seenBy(workspace, 'operator').map(({ text }) => text)).toEqual(['for me', 'for all']);
    expect(seenBy(workspace, 'approver').map(({ text }) => text)).toEqual(['for all']);
  });

  it.each([
    ['is no timestamp', 'junk'],
    ['is empty', ''],
  ])('refuses a thread that %s', async (_what, thread_ts) => {
    const { workspace, post } = await withCommandUrl();
    expect(await post({ text: 'hi', thread_ts })).toEqual([404, 'invalid_thread_ts']);
    expect(seenBy(workspace, 'operator')).toEqual([]);
  });

  it('takes five of the messages that come at the same time', async () => {
    const { workspace, url } = await withCommandUrl();
    const posts = Array.from({ length: 8 }, () => postInPieces(url, '{"text"', ':"hi"}'));
    for (const { begun } of posts) await begun;
    const statuses = await Promise.all(posts.map(({ end }) => end()));
    expect(statuses.filter((status) => status === 200)).toHaveLength(5);
    expect(seenBy(workspace, 'operator')).toHaveLength(5);
  });

  it('must be known and posted to', async () => {
    const { url } = await withCommandUrl();
    expect(await postTo(`${url}0`, { text: 'hi' })).toEqual([404, 'expired_url']);
    expect((await fetch(url)).status).toBe(405);
  });

  it('never replaces the command itself', async () => {
    const { workspace, post } = await withCommandUrl();
    await post({ text: 'one' });
    await post({ text: 'two', replace_original: true });
    expect(seenBy(workspace, 'operator').map(({ text }) => text)).toEqual(['one', 'two']);
  });

  it('appears in the journal without its secret', async () => {
    const { url, post, wire } = await withCommandUrl();
    await post({ text: 'hi' });
    const path = wire.journal('slack').at(-1)?.path ?? '';
    expect(path).toMatch(/^\/commands\/T0SANDBOX01\//);
    expect(path).not.toContain(url.split('/').at(-1));
  });
});

describe('the response URL of a click', () => {
  it('replaces a message for everybody', async () => {
    const { workspace, ts, post } = await withClickUrl();
    await post({ text: 'done', replace_original: true });
    expect(seenBy(workspace, 'approver')).toMatchObject([{ ts, text: 'done', blocks: [] }]);
  });

  it('leaves an ephemeral message ephemeral when it replaces it', async () => {
    const { workspace, ts, post } = await withClickUrl('U0OPERATOR1');
    await post({ text: 'done', replace_original: true, response_type: 'in_channel' });
    expect(seenBy(workspace, 'operator')).toMatchObject([{ ts, text: 'done', ephemeral: true }]);
    expect(seenBy(workspace, 'approver')).toEqual([]);
  });

  it('adds a private message when it does not replace', async () => {
    const { workspace, post } = await withClickUrl();
    await post({ text: 'note' });
    expect(seenBy(workspace, 'operator')).toMatchObject([
      { text: 'card' },
      { text: 'note', ephemeral: true },
    ]);
  });

  it('deletes, and posts after deleting', async () => {
    const { workspace, post } = await withClickUrl();
    expect(await post({ delete_original: true })).toEqual([200, 'ok']);
    expect(seenBy(workspace, 'operator')).toEqual([]);
    await post({ delete_original: true, text: 'gone' });
    expect(seenBy(workspace, 'operator')).toMatchObject([{ text: 'gone', ephemeral: true }]);
    expect(await post({ replace_original: true, text: 'x' })).toEqual([404, 'message_not_found']);
  });

  it('answers in a thread', async () => {
    const { workspace, ts, post } = await withClickUrl();
    await post({ text: 'below', thread_ts: ts, replace_original: false, response_type: 'in_channel' });
    expect(seenBy(workspace, 'approver').at(-1)).toMatchObject({ text: 'below', thread_ts: ts });
  });

  // docs.slack.dev/interactivity/handling-user-interaction: “set replace_original to false or you'll overwrite the message”
  it('replaces the message with an answer in a thread that does not say otherwise', async () => {
    const { workspace, ts, post } = await withClickUrl();
    await post({ text: 'below', thread_ts: ts, response_type: 'in_channel' });
    expect(seenBy(workspace, 'approver')).toMatchObject([{ ts, text: 'below', thread_ts: null }]);
  });
});
