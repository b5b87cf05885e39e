/**
 * Response URLs against Slack's pages, with bare posts and with Bolt's `respond`. Every block is named after the page
 * for its behavior.
 */
import { request } from 'node:http';
import type { RespondArguments } from '@slack/bolt';
import { describe, expect, it } from 'vitest';
import { startRawBot, startWithBot } from '../harness/bots.ts';
import {
  answerOf,
  button,
  OPERATOR,
  OPS,
  type StartedWorkspace,
  section,
  seenBy,
  startBolt,
  startWorkspace,
} from '../harness/workspace-harness.ts';

type Json = Record<string, unknown>;
const PAGE = 'https://docs.slack.dev/interactivity/handling-user-interaction';
const shortcuts = [{ callback_id: 'on_message', type: 'message' }] as const;

/** The action that created the URL. */
type Source = 'command' | 'click' | 'click on an ephemeral message' | 'message shortcut';
const SOURCES: readonly Source[] = ['command', 'click', 'click on an ephemeral message', 'message shortcut'];

async function cardOf({ workspace }: StartedWorkspace, isEphemeral: boolean): Promise<string> {
  const blocks = [section('card', { accessory: button('go') })];
  const card = { channel: OPS, text: 'card', blocks };
  const { ts, message_ts } = isEphemeral
    ? await answerOf(workspace, 'chat.postEphemeral', { ...card, user: OPERATOR })
    : await answerOf(workspace, 'chat.postMessage', card);
  return String(ts ?? message_ts);
}

async function withUrl(source: Source) {
  const started = await startWorkspace({ shortcuts });
  const { workspace } = started;
  const bot = await startRawBot(workspace);
  const ts = source === 'command' ? '' : await cardOf(started, source === 'click on an ephemeral message');
  const place = { user: 'operator', channel: 'ops', ts };
  if (source === 'command') await workspace.command({ ...place, command: '/fleet', text: '' });
  else if (source === 'message shortcut') await workspace.shortcut({ ...place, callback_id: 'on_message' });
  else await workspace.click({ ...place, action_id: 'go' });
  const url = String(bot.last()['response_url']);
  const texts = (user = 'operator') => seenBy(workspace, user).map(({ text }) => text);
  return { ...started, ts, url, texts, post: (body: Json | string) => postTo(url, body) };
}

async function postTo(url: string, body: Json | string) {
  const sent = typeof body === 'string' ? body : JSON.stringify(body);
  const response = await fetch(url, { method: 'POST', body: sent });
  const text = await response.text();
  return [response.status, text.startsWith('{') ? JSON.parse(text) : text];
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

/** https://github.com/pyslackers/slack-sansio/pull/42: the answer for a command is no JSON. */
const taken = (source: Source) => [200, source === 'command' ? 'ok' : { ok: true }];
const refused = (status: number, error: string) => [status, { ok: false, error }];

describe(PAGE, () => {
  it.each(SOURCES)('the URL of a %s takes five posts within thirty minutes', async (source) => {
    const { post, clock } = await withUrl(source);
    await clock.advance(30 * 60_000);
    for (let count = 0; count < 5; count += 1) expect(await post({ text: 'hi' })).toEqual(taken(source));
    expect(await post({ text: 'hi' })).toEqual(refused(404, 'used_url'));
    await clock.advance(1);
    expect(await post({ text: 'hi' })).toEqual(refused(404, 'expired_url'));
  });

  it('does not count what it refused', async () => {
    const { post, texts } = await withUrl('command');
    expect(await post('no JSON')).toEqual(refused(400, 'invalid_payload'));
    expect(await post({})).toEqual(refused(404, 'no_text'));
    expect(await post({ blocks: [{ type: 'marquee' }] })).toMatchObject([404, { error: 'invalid_blocks' }]);
    for (const thread_ts of ['junk', ''])
      expect(await post({ text: 'hi', thread_ts })).toMatchObject([404, { error: 'invalid_thread_ts' }]);
    for (let count = 0; count < 5; count += 1) expect(await post({ text: 'hi' })).toEqual(taken('command'));
    expect(texts()).toHaveLength(5);
  });

  it('takes five of the messages that come at the same time', async () => {
    const { url, texts } = await withUrl('command');
    const posts = Array.from({ length: 8 }, () => postInPieces(url, '{"text"', ':"hi"}'));
    for (const { begun } of posts) await begun;
    const statuses = await Promise.all(posts.map(({ end }) => end()));
    expect(statuses.filter((status) => status === 200)).toHaveLength(5);
    expect(texts()).toHaveLength(5);
  });

  it('must be known and posted to, and appears in the journal without its secret', async () => {
    const { url, wire } = await withUrl('command');
    expect(await postTo(`${url}0`, { text: 'hi' })).toEqual(refused(404, 'expired_url'));
    expect((await fetch(url)).status).toBe(405);
    const path = wire.journal('slack').at(-1)?.path ?? '';
    expect(path).toMatch(/^\/commands\/T0SANDBOX01\//);
    expect(path).not.toContain(url.split('/').at(-1));
  });

  it.each(SOURCES)('an answer to a %s is private unless it says in_channel', async (source) => {
    const { workspace, post, texts } = await withUrl(source);
    await post({ text: 'for one' });
    await post({ text: 'for all', response_type: 'in_channel' });
    expect(seenBy(workspace, 'operator').slice(-2)).toMatchObject([
      { text: 'for one', ephemeral: true },
      { text: 'for all', ephemeral: false },
    ]);
    expect(texts('viewer')).toContain('for all');
    expect(texts('viewer')).not.toContain('for one');
  });

  it('answers where the bot is no member and may not write', async () => {
    const { workspace, bot } = await startWithBot({ scopes: ['commands'] });
    await workspace.command({ user: 'operator', channel: 'random', command: '/fleet', text: '' });
    expect(await postTo(String(bot.last()['response_url']), { text: 'hi' })).toEqual(taken('command'));
    expect(seenBy(workspace, 'operator', 'random')).toMatchObject([{ text: 'hi' }]);
  });

  it.each(SOURCES)('replace_original after a %s leaves one message', async (source) => {
    const { workspace, post, ts } = await withUrl(source);
    expect(await post({ text: 'new', replace_original: true })).toEqual(taken(source));
    const seen = seenBy(workspace, 'operator');
    expect(seen).toMatchObject([{ text: 'new', blocks: [] }]);
    expect(seen[0]?.ts === ts).toBe(source !== 'command');
  });

  it('replace_original leaves an ephemeral message private, whatever response_type says', async () => {
    const { workspace, post, texts } = await withUrl('click on an ephemeral message');
    await post({ text: 'new', replace_original: true, response_type: 'in_channel' });
    expect(seenBy(workspace, 'operator')).toMatchObject([{ text: 'new', ephemeral: true }]);
    expect(texts('viewer')).toEqual([]);
  });

  it('replaces nothing that is gone', async () => {
    const { workspace, ts, post } = await withUrl('click');
    await answerOf(workspace, 'chat.delete', { channel: OPS, ts });
    expect(await post({ replace_original: true, text: 'x' })).toEqual(refused(404, 'message_not_found'));
  });

  it('thread_ts answers below a message, which stays as it was', async () => {
    const { workspace, post, ts } = await withUrl('click');
    const below = { text: 'below', thread_ts: ts, replace_original: false, response_type: 'in_channel' };
    expect(await post(below)).toEqual(taken('click'));
    expect(seenBy(workspace, 'viewer')).toMatchObject([{ text: 'card' }, { text: 'below', thread_ts: ts }]);
  });

  it('has links for its addresses (docs.slack.dev/messaging/formatting-message-text)', async () => {
    const { post, texts } = await withUrl('command');
    await post({ text: 'see https://a.example' });
    expect(texts()).toEqual(['see <https://a.example>']);
  });
});

describe.each(['socket', 'http'] as const)('Bolt’s respond over %s', (transport) => {
  async function responding(answers: readonly RespondArguments[]) {
    const started = await startWorkspace({ transport });
    const done = Promise.withResolvers<string>();
    await startBolt(started, transport, (app) =>
      app.action('go', async ({ ack, respond }) => {
        await ack();
        try {
          for (const answer of answers) await respond(answer);
          done.resolve('taken');
        } catch (error) {
          done.resolve(String((error as { statusCode?: number }).statusCode)); // Bolt's RespondError has it
        }
      }),
    );
    const ts = await cardOf(started, false);
    await started.workspace.click({ user: 'operator', channel: 'ops', ts, action_id: 'go' });
    return { ...started, outcome: await done.promise };
  }

  it('replaces, then adds', async () => {
    const { workspace, outcome } = await responding([
      { replace_original: true, text: 'new' },
      { replace_original: false, response_type: 'in_channel', text: 'more' },
    ]);
    expect(outcome).toBe('taken');
    expect(seenBy(workspace, 'viewer').map(({ text }) => text)).toEqual(['new', 'more']);
  });

  it('gets an error for the sixth post', async () => {
    const six = Array.from({ length: 6 }, (_, index) => ({ text: `${index}`, replace_original: false }));
    const { workspace, outcome } = await responding(six);
    expect(outcome).toBe('404');
    expect(seenBy(workspace, 'operator')).toHaveLength(6);
  });
});

// getsentry/sentry, integrations/slack/webhooks/action.py; docs.slack.dev/messaging/unfurling-links-in-messages
it('the URL of a press in what a link shows replaces that, and nothing else of the message', async () => {
  const scopes = ['links:write', 'commands', 'chat:write', 'channels:history'];
  const { workspace, bot } = await startWithBot({ scopes, unfurlDomains: ['x.example'] });
  const links = ['https://x.example/1', 'https://x.example/2'];
  const { ts = '' } = await workspace.message({ user: 'operator', channel: 'ops', text: links.join(' ') });
  const shown = links.map((url, index) => [
    url,
    { blocks: [section('x', { accessory: button(`go${index}`) })] },
  ]);
  await answerOf(workspace, 'chat.unfurl', { channel: OPS, ts, unfurls: Object.fromEntries(shown) });
  await workspace.click({ user: 'operator', channel: 'ops', ts, action_id: 'go1' });
  const url = String(bot.last()['response_url']);
  const answer = { replace_original: true, text: 'Landed', blocks: [section('new')] };
  expect(await postTo(url, answer)).toEqual([200, { ok: true }]);
  const own = { text: links.map((link) => `<${link}>`).join(' '), user: OPERATOR };
  const attachments = [
    { id: 1, app_unfurl_url: links[0] },
    {
      id: 2,
      app_unfurl_url: links[1],
      fallback: 'Landed',
      is_app_unfurl: true,
      blocks: [{ text: { text: 'new' } }],
    },
  ];
  expect(seenBy(workspace, 'operator')).toMatchObject([{ ...own, attachments }]);
  await postTo(url, { text: 'ahoy' });
  expect(seenBy(workspace, 'operator')).toMatchObject([own, { text: 'ahoy', ephemeral: true }]);
});
