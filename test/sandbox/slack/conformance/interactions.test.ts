/**
 * Payloads of clicks, shortcuts and suggestions, against Slack's reference pages. Every block is named after the page
 * for its behavior.
 */
import { describe, expect, it } from 'vitest';
import { startWithBot } from '../harness/bots.ts';
import {
  answerOf,
  BY_OPERATOR,
  button,
  OPERATOR,
  OPS,
  section,
  startWorkspace,
} from '../harness/workspace-harness.ts';

type Json = Record<string, unknown>;
const PAYLOADS = 'https://docs.slack.dev/reference/interaction-payloads';
const plain = (text: string) => ({ type: 'plain_text', text });
const option = (value: string) => ({ text: plain(value), value });
const options = [option('one'), option('two')];
const VIEWER = 'U0VIEWER001';

/** Uses a message of one block; returns the payload. */
async function used(block: Json, value: unknown) {
  const { workspace, bot } = await startWithBot();
  const posted = await answerOf(workspace, 'chat.postMessage', { channel: OPS, text: 'x', blocks: [block] });
  expect(posted).toMatchObject({ ok: true });
  const place = { user: 'operator', channel: 'ops', ts: String(posted['ts']), action_id: 'it' };
  expect(await workspace.click({ ...place, value })).toEqual({ ok: true });
  return bot.last();
}

describe(`${PAYLOADS}/block_actions-payload`, () => {
  const shared = {
    type: 'block_actions',
    ...BY_OPERATOR,
    trigger_id: expect.stringMatching(/./),
    actions: [expect.objectContaining({ action_id: 'it' })],
  };

  it('of a message has the message, its state and a response URL', async () => {
    const payload = await used(section('x', { accessory: button('it') }), undefined);
    expect(payload).toEqual({
      ...shared,
      container: { type: 'message', message_ts: expect.any(String), channel_id: OPS, is_ephemeral: false },
      channel: { id: OPS, name: 'ops' },
      message: expect.objectContaining({ type: 'message', bot_id: 'B0PATCHBAY1' }),
      state: { values: {} },
      response_url: expect.stringMatching(/\/actions\/T0SANDBOX01\//),
    });
  });

  it('of the Home has the view with its hash and its state, and no response URL', async () => {
    const { workspace, bot } = await startWithBot();
    const blocks = [section('x', { accessory: button('it') })];
    const view = { type: 'home', blocks, private_metadata: ' as it <is> ' };
    await answerOf(workspace, 'views.publish', { user_id: OPERATOR, view });
    const { id } = workspace.views('operator').home as { id: string }; // it was published
    await workspace.click({ user: 'operator', channel: '', ts: '', view_id: id, action_id: 'it' });
    expect(bot.last()).toEqual({
      ...shared,
      container: { type: 'view', view_id: id },
      view: expect.objectContaining({
        id,
        type: 'home',
        hash: expect.stringMatching(/./),
        private_metadata: ' as it <is> ',
        state: { values: {} },
      }),
    });
  });

  // docs.slack.dev/messaging/unfurling-links-in-messages, “Alternate interactive payload behavior”
  it('of what a link shows tells what the app itself added, and no message', async () => {
    const scopes = ['links:write', 'commands'];
    const { workspace, bot } = await startWithBot({ scopes, unfurlDomains: ['x.example'] });
    const url = 'https://x.example/1';
    const { ts = '' } = await workspace.message({ user: 'operator', channel: 'ops', text: `see ${url}` });
    const unfurls = { [url]: { blocks: [{ type: 'actions', elements: [button('it')] }] } };
    expect(await answerOf(workspace, 'chat.unfurl', { channel: OPS, ts, unfurls })).toMatchObject({
      ok: true,
    });
    await workspace.click({ user: 'operator', channel: 'ops', ts, action_id: 'it' });
    expect(bot.last()).toMatchObject({
      container: { type: 'message_attachment', is_app_unfurl: true, app_unfurl_url: url, attachment_id: 1 },
      app_unfurl: { id: 1, bot_id: 'B0PATCHBAY1', fallback: '[no preview available]', is_app_unfurl: true },
      actions: [{ block_id: expect.stringMatching(/./) }],
    });
    expect(bot.last()).not.toHaveProperty('message');
  });

  // business4s/chatOps4s, ws-events/interactive.json, 2026-02; slackapi/bolt-python, issue 863
  it('tells the message with its metadata and without the bot’s profile, and texts with their defaults', async () => {
    const { workspace, bot } = await startWithBot();
    const metadata = { event_type: 'task_added', event_payload: { id: '11223' } };
    const select = { type: 'static_select', action_id: 'it', options };
    const blocks = [{ type: 'actions', block_id: 'row', elements: [select] }];
    const { ts } = await answerOf(workspace, 'chat.postMessage', {
      channel: OPS,
      text: 'x',
      blocks,
      metadata,
    });
    const place = { user: 'operator', channel: 'ops', ts: String(ts), action_id: 'it' };
    await workspace.click({ ...place, value: 'one' });
    const selected_option = { text: { type: 'plain_text', text: 'one', emoji: true }, value: 'one' };
    expect(bot.last()).toMatchObject({
      message: { bot_id: 'B0PATCHBAY1', app_id: 'A0PATCHBAY1', metadata },
      actions: [{ selected_option }],
      state: { values: { row: { it: { selected_option } } } },
      trigger_id: expect.stringMatching(/^\d+\.\d+\.[0-9a-f]+$/),
    });
    expect(bot.last()['message']).not.toHaveProperty('bot_profile');
  });
});

describe(`${PAYLOADS}/block_suggestion-payload`, () => {
  async function withSelect(element: Json, answer: Json) {
    const { workspace, bot } = await startWithBot({}, () => answer);
    const select = { type: 'external_select', action_id: 'it', ...element };
    const blocks = [section('x', { block_id: 'row', accessory: select })];
    const { ts } = await answerOf(workspace, 'chat.postMessage', { channel: OPS, text: 'x', blocks });
    const place = { user: 'operator', channel: 'ops', ts: String(ts), action_id: 'it', block_id: 'row' };
    return { workspace, bot, place, type: (value: string) => workspace.suggest({ ...place, value }) };
  }
  const many = (count: number) => Array.from({ length: count }, (_, index) => option(`v${index}`));
  it('says what was typed into what, and has neither a trigger nor state', async () => {
    const { bot, type, place } = await withSelect({ min_query_length: 1 }, { options });
    expect(await type('w')).toEqual({ ok: true, options });
    expect(bot.last()).toEqual({
      type: 'block_suggestion',
      ...BY_OPERATOR,
      container: { type: 'message', message_ts: place.ts, channel_id: OPS, is_ephemeral: false },
      channel: { id: OPS, name: 'ops' },
      message: expect.objectContaining({ type: 'message' }),
      action_id: 'it',
      block_id: 'row',
      value: 'w',
    });
  });

  it.each([
    [{}, 'we', 0],
    [{}, 'web', 1],
    [{ min_query_length: 0 }, '', 1],
    [{ min_query_length: 5 }, 'web-', 0],
    [{ type: 'multi_external_select', min_query_length: 1 }, 'w', 1],
  ])('with %j asks for %j %i times', async (element, typed, times) => {
    const { bot, type } = await withSelect(element, { options });
    expect(await type(typed)).toMatchObject({ ok: true });
    expect(bot.envelopes).toHaveLength(times);
  });

  it.each([
    ['100 options', { options: many(100) }, true],
    ['101 options', { options: many(101) }, false],
    ['no options', { options: [] }, true],
    ['neither', {}, false],
  ])('takes %s: %j', async (_what, answer, ok) => {
    const { type } = await withSelect({}, answer);
    expect(await type('web')).toMatchObject(ok ? { ok } : { ok, error: 'invalid_options' });
  });

  it('leaves a choice of what was offered', async () => {
    const { workspace, bot, place, type } = await withSelect({ min_query_length: 1 }, { options });
    await type('o');
    expect(await workspace.click({ ...place, value: 'one' })).toEqual({ ok: true });
    expect(bot.last()).toMatchObject({
      actions: [{ type: 'external_select', selected_option: option('one'), min_query_length: 1 }],
    });
  });
});

describe(`${PAYLOADS}/shortcuts-interaction-payload`, () => {
  const shortcuts = [
    { callback_id: 'everywhere', type: 'global' },
    { callback_id: 'on_message', type: 'message' },
  ] as const;
  const shared = {
    token: 'not-a-secret',
    action_ts: expect.stringMatching(/^\d+\.\d{6}$/),
    team: { id: 'T0SANDBOX01', domain: 'sandbox' },
    user: { id: OPERATOR, username: 'operator', team_id: 'T0SANDBOX01' },
    enterprise: null,
    is_enterprise_install: false,
    trigger_id: expect.stringMatching(/./),
  };

  it('a global one has no channel and no response URL', async () => {
    const { workspace, bot } = await startWithBot({ shortcuts });
    expect(await workspace.shortcut({ user: 'operator', callback_id: 'everywhere' })).toEqual({ ok: true });
    expect(bot.last()).toEqual({ type: 'shortcut', callback_id: 'everywhere', ...shared });
  });

  it('one on a message has the message, a response URL and the person’s display name', async () => {
    const { workspace, bot } = await startWithBot({ shortcuts });
    const { ts = '' } = await workspace.message({ user: 'viewer', channel: 'ops', text: 'look' });
    const order = { user: 'operator', callback_id: 'on_message', channel: 'ops', ts };
    expect(await workspace.shortcut(order)).toEqual({ ok: true });
    expect(bot.last()).toEqual({
      type: 'message_action',
      callback_id: 'on_message',
      ...shared,
      user: { ...shared.user, name: 'operator' },
      response_url: expect.stringMatching(/\/app\/T0SANDBOX01\//),
      message_ts: ts,
      channel: { id: OPS, name: 'ops' },
      message: expect.objectContaining({ type: 'message', user: VIEWER, text: 'look', ts }),
    });
  });

  it.each([
    ['an unknown one', { callback_id: 'nothing' }, 'unknown_shortcut'],
    ['one on no message', { callback_id: 'on_message' }, 'needs_channel_and_ts'],
    [
      'an unknown message',
      { callback_id: 'on_message', channel: 'ops', ts: '1.000001' },
      'message_not_found',
    ],
    ['another channel', { callback_id: 'on_message', channel: 'nowhere', ts: '1.1' }, 'channel_not_found'],
    ['nobody', { user: 'nobody', callback_id: 'everywhere' }, 'user_not_found'],
  ])('is refused for %s', async (_what, change, error) => {
    const { workspace, bot } = await startWithBot({ shortcuts });
    expect(await workspace.shortcut({ user: 'operator', ...change })).toEqual({ ok: false, error });
    expect(bot.envelopes).toEqual([]);
  });

  it('there are none without the scope commands, and no slash commands either', async () => {
    const { workspace } = await startWorkspace({ shortcuts, scopes: ['chat:write'] });
    expect([workspace.shortcuts(), workspace.commands()]).toEqual([[], []]);
    const everywhere = { user: 'operator', callback_id: 'everywhere' };
    expect(await workspace.shortcut(everywhere)).toEqual({ ok: false, error: 'unknown_shortcut' });
    const fleet = { user: 'operator', channel: 'ops', command: '/fleet', text: '' };
    expect(await workspace.command(fleet)).toEqual({ ok: false, error: 'invalid_command' });
  });
});
