/**
 * Response URLs against Slack's pages, with bare posts and with Bolt's `respond`. Every block is named after the page
 * for its behavior.
 */
import type { RespondArguments } from '@slack/bolt';
import { describe, expect, it } from 'vitest';
import { startRawBot } from '../harness/raw-bot.ts';
import { aModal } from '../harness/sample-views.ts';
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
const plain = (text: string) => ({ type: 'plain_text' as const, text });
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
  return { ...started, ts, post: (body: Json) => postTo(url, body) };
}

async function postTo(url: string, body: Json) {
  const response = await fetch(url, { method: 'POST', body: JSON.stringify(body) });
  const text = await response.text();
  return [response.status, text.startsWith('{') ? JSON.parse(text) : text];
}

/** https://github.com/pyslackers/slack-sansio/pull/42: the answer for a command is no JSON. */
const taken = (source: Source) => [200, source === 'command' ? 'ok' : { ok: true }];

describe(PAGE, () => {
  it.each(SOURCES)('the URL of a %s takes five posts', async (source) => {
    const { post } = await withUrl(source);
    for (let count = 0; count < 5; count += 1) expect(await post({ text: 'hi' })).toEqual(taken(source));
    expect(await post({ text: 'hi' })).toEqual([404, { ok: false, error: 'used_url' }]);
  });

  it.each(SOURCES)('the URL of a %s lives thirty minutes', async (source) => {
    const { post, clock } = await withUrl(source);
    await clock.advance(30 * 60_000);
    expect(await post({ text: 'hi' })).toEqual(taken(source));
    await clock.advance(1);
    expect(await post({ text: 'hi' })).toEqual([404, { ok: false, error: 'expired_url' }]);
  });

  it.each(SOURCES)('an answer to a %s is private unless it says in_channel', async (source) => {
    const { workspace, post } = await withUrl(source);
    await post({ text: 'for one' });
    await post({ text: 'for all', response_type: 'in_channel' });
    expect(seenBy(workspace, 'operator').slice(-2)).toMatchObject([
      { text: 'for one', ephemeral: true },
      { text: 'for all', ephemeral: false },
    ]);
    expect(seenBy(workspace, 'viewer').at(-1)).toMatchObject({ text: 'for all' });
    expect(seenBy(workspace, 'viewer').map(({ text }) => text)).not.toContain('for one');
  });

  it('answers where the bot is no member and may not write', async () => {
    const { workspace } = await startWorkspace({ scopes: ['commands'] });
    const bot = await startRawBot(workspace);
    await workspace.command({ user: 'operator', channel: 'random', command: '/fleet', text: '' });
    const url = String(bot.last()['response_url']);
    expect(await postTo(url, { text: 'hi', response_type: 'in_channel' })).toEqual(taken('command'));
    expect(seenBy(workspace, 'outsider', 'random')).toMatchObject([{ text: 'hi' }]);
  });

  it.each<[Source, readonly string[]]>([
    ['command', ['new']],
    ['click', ['new']],
    ['click on an ephemeral message', ['new']],
    ['message shortcut', ['new']],
  ])('replace_original after a %s leaves one message', async (source, texts) => {
    const { workspace, post, ts } = await withUrl(source);
    expect(await post({ text: 'new', replace_original: true })).toEqual(taken(source));
    const seen = seenBy(workspace, 'operator');
    expect(seen.map(({ text }) => text)).toEqual(texts);
    expect(seen[0]?.ts === ts).toBe(source !== 'command');
  });

  it('replace_original leaves an ephemeral message private, whatever response_type says', async () => {
    const { workspace, post } = await withUrl('click on an ephemeral message');
    await post({ text: 'new', replace_original: true, response_type: 'in_channel' });
    expect(seenBy(workspace, 'operator')).toMatchObject([{ text: 'new', ephemeral: true }]);
    expect(seenBy(workspace, 'viewer')).toEqual([]);
  });

  it.each([
    ['alone', { delete_original: true }, []],
    ['with a message', { delete_original: true, text: 'instead' }, ['instead']],
    ['after nothing', { text: 'beside' }, ['card', 'beside']],
    ['as false', { delete_original: false, replace_original: false, text: 'beside' }, ['card', 'beside']],
  ])('delete_original %s', async (_what, body, texts) => {
    const { workspace, post } = await withUrl('click');
    expect(await post(body)).toEqual(taken('click'));
    expect(seenBy(workspace, 'operator').map(({ text }) => text)).toEqual(texts);
  });

  it('thread_ts answers below a message, which stays as it was', async () => {
    const { workspace, post, ts } = await withUrl('click');
    const below = { text: 'below', thread_ts: ts, replace_original: false, response_type: 'in_channel' };
    expect(await post(below)).toEqual(taken('click'));
    expect(seenBy(workspace, 'viewer')).toMatchObject([{ text: 'card' }, { text: 'below', thread_ts: ts }]);
  });

  it('is the only way to change an ephemeral message', async () => {
    const { workspace, ts } = await withUrl('click on an ephemeral message');
    for (const method of ['chat.update', 'chat.delete'])
      expect(await answerOf(workspace, method, { channel: OPS, ts, text: 'new' })).toMatchObject({
        ok: false,
        error: 'message_not_found',
      });
  });

  it('a global shortcut has none', async () => {
    const { workspace } = await startWorkspace({ shortcuts: [{ callback_id: 'any', type: 'global' }] });
    const bot = await startRawBot(workspace);
    await workspace.shortcut({ user: 'operator', callback_id: 'any' });
    expect(bot.last()).not.toHaveProperty('response_url');
  });
});

describe('https://docs.slack.dev/surfaces/modals: response_url_enabled', () => {
  it.each(['channels_select', 'conversations_select'] as const)('of a %s', async (type) => {
    const { workspace } = await startWorkspace();
    const bot = await startRawBot(workspace);
    const command = await workspace.command({
      user: 'operator',
      channel: 'ops',
      command: '/fleet',
      text: '',
    });
    const select = { type, action_id: 'channel', response_url_enabled: true };
    const where = { type: 'input' as const, block_id: 'where', label: plain('Where'), element: select };
    const view = aModal({ blocks: [where] });
    const trigger_id = command.ok ? command.trigger_id : '';
    const opened = await answerOf(workspace, 'views.open', { trigger_id, view });
    const { id: view_id } = opened['view'] as { id: string }; // the view was opened
    await workspace.submit({ user: 'operator', view_id, values: { where: { channel: 'random' } } });
    const urls = bot.last()['response_urls'] as { response_url: string }[]; // the payload has them
    const response_url = expect.stringMatching(/\/app\/T0SANDBOX01\//);
    expect(urls).toEqual([
      { block_id: 'where', action_id: 'channel', channel_id: 'C0RANDOM001', response_url },
    ]);
    const body = { text: 'done', response_type: 'in_channel', replace_original: true };
    expect(await postTo(urls[0]?.response_url ?? '', body)).toEqual(taken('click'));
    expect(seenBy(workspace, 'outsider', 'random')).toMatchObject([{ text: 'done' }]);
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

it('https://docs.slack.dev/reference/events/reaction_added: what was posted has no author', async () => {
  const scopes = ['reactions:read', 'commands', 'chat:write'];
  const { workspace } = await startWorkspace({ events: ['reaction_added'], scopes });
  const bot = await startRawBot(workspace, () => ({ text: 'answer', response_type: 'in_channel' }));
  await workspace.command({ user: 'operator', channel: 'ops', command: '/fleet', text: '' });
  const ts = workspace.messages({ user: 'operator', channel: 'ops' })?.at(-1)?.ts ?? '';
  await workspace.react({ user: 'operator', channel: 'ops', ts, name: 'eyes' });
  await expect.poll(() => bot.last()['event']).toMatchObject({ type: 'reaction_added', item: { ts } });
  expect(bot.last()['event']).not.toHaveProperty('item_user');
});

/** The URL of an interaction with a message of a person, with two links that show a button each. */
async function withPersonsMessage(source: 'unfurl' | 'message shortcut') {
  const scopes = ['links:write', 'commands', 'chat:write', 'channels:history'];
  const { workspace } = await startWorkspace({ shortcuts, scopes, unfurlDomains: ['x.example'] });
  const bot = await startRawBot(workspace);
  const links = ['https://x.example/1', 'https://x.example/2'];
  const { ts = '' } = await workspace.message({ user: 'operator', channel: 'ops', text: links.join(' ') });
  const shown = links.map((url, index) => [
    url,
    { blocks: [section('x', { accessory: button(`go${index}`) })] },
  ]);
  await answerOf(workspace, 'chat.unfurl', { channel: OPS, ts, unfurls: Object.fromEntries(shown) });
  const place = { user: 'operator', channel: 'ops', ts };
  if (source === 'unfurl') await workspace.click({ ...place, action_id: 'go1' });
  else await workspace.shortcut({ ...place, callback_id: 'on_message' });
  const url = String(bot.last()['response_url']);
  const text = links.map((link) => `<${link}>`).join(' ');
  return { links, text, post: (body: Json) => postTo(url, body), seen: () => seenBy(workspace, 'operator') };
}

// getsentry/sentry, integrations/slack/webhooks/action.py; docs.slack.dev/messaging/unfurling-links-in-messages
describe('the URL of a press in what a link shows', () => {
  it('replaces what this link shows, and nothing else of the message', async () => {
    const { links, text, post, seen } = await withPersonsMessage('unfurl');
    expect(await post({ replace_original: true, text: 'Landed' })).toEqual([200, { ok: true }]);
    const attachments = [
      { id: 1, app_unfurl_url: links[0], blocks: [{ type: 'section' }] },
      { id: 2, app_unfurl_url: links[1], text: 'Landed', is_app_unfurl: true },
    ];
    expect(seen()).toMatchObject([{ text, attachments }]);
    await post({ replace_original: true, text: 'Landed', blocks: [section('new')] });
    expect(seen()[0]?.attachments?.[1]).toMatchObject({ fallback: 'Landed', blocks: [{ type: 'section' }] });
    expect(seen()[0]?.attachments?.[1]).not.toHaveProperty('text');
    await post({ replace_original: true, attachments: [{ title: 'Neptune' }] });
    expect(seen()[0]?.attachments?.[1]).toMatchObject({ id: 2, title: 'Neptune', app_unfurl_url: links[1] });
  });

  it('deletes what this link shows, and not the message', async () => {
    const { links, text, post, seen } = await withPersonsMessage('unfurl');
    await post({ delete_original: true });
    expect(seen()).toMatchObject([{ text, attachments: [{ app_unfurl_url: links[0] }] }]);
  });

  it('posts for the person alone by default', async () => {
    const { text, post, seen } = await withPersonsMessage('unfurl');
    await post({ text: 'ahoy' });
    expect(seen()).toMatchObject([{ text }, { text: 'ahoy', ephemeral: true }]);
  });
});

it('https://docs.slack.dev/reference/methods/chat.update: a shortcut changes no message of a person', async () => {
  const { text, post, seen } = await withPersonsMessage('message shortcut');
  await post({ replace_original: true, text: 'new' });
  await post({ delete_original: true });
  expect(seen()).toMatchObject([{ text }, { text: 'new', ephemeral: true }]);
});

it('https://docs.slack.dev/messaging/formatting-message-text: addresses in an answer are links', async () => {
  const { workspace, post } = await withUrl('command');
  await post({ text: 'see https://a.example' });
  await post({ text: 'see https://a.example', parse: 'none' });
  const texts = seenBy(workspace, 'operator').map((message) => message.text);
  expect(texts).toEqual(['see <https://a.example>', 'see https://a.example']);
});
