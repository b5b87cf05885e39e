/** What the bot receives, against recordings and samples of what Slack sent. Each test names them. */
import { describe, expect, it } from 'vitest';
import { startRawBot } from '../harness/raw-bot.ts';
import { aModal } from '../harness/sample-views.ts';
import { answerOf, button, OPERATOR, OPS, section, startWorkspace } from '../harness/workspace-harness.ts';

type Json = Record<string, unknown>;
const plain = (text: string) => ({ type: 'plain_text', text });
const options = [{ text: plain('One'), value: '1' }];
const asking = { user: 'operator', channel: 'ops', command: '/fleet', text: '' };
const shortcuts = [
  { callback_id: 'everywhere', type: 'global' },
  { callback_id: 'on_message', type: 'message' },
] as const;

async function listening(events: readonly string[] = [], scopes?: readonly string[]) {
  const unfurlDomains = ['x.example'];
  const { workspace } = await startWorkspace({
    events,
    shortcuts,
    unfurlDomains,
    ...(scopes ? { scopes } : {}),
  });
  const bot = await startRawBot(workspace);
  const call = (method: string, args: Json) => answerOf(workspace, method, args);
  const post = async (args: Json) => {
    const { ts } = await call('chat.postMessage', { channel: OPS, text: 'x', ...args });
    return { user: 'operator', channel: 'ops', ts: String(ts), action_id: 'it' };
  };
  const heard = () => bot.envelopes.map(({ payload }) => payload['event']).filter(Boolean) as Json[]; // events
  return { workspace, bot, call, post, heard };
}

// business4s/chatOps4s, chatops4s-slack-client/src/test/resources/ws-events/interactive.json, 2026-02
describe('a click on an element of a message', () => {
  it('tells the message without the bot’s profile, and texts with their defaults', async () => {
    const { workspace, bot, post } = await listening();
    const select = { type: 'static_select', action_id: 'it', options };
    const place = await post({ blocks: [{ type: 'actions', block_id: 'row', elements: [select] }] });
    await workspace.click({ ...place, value: '1' });
    const selected_option = { text: { type: 'plain_text', text: 'One', emoji: true }, value: '1' };
    expect(bot.last()).toMatchObject({
      message: { bot_id: 'B0PATCHBAY1', app_id: 'A0PATCHBAY1' },
      actions: [{ selected_option }],
      state: { values: { row: { it: { selected_option } } } },
    });
    expect(bot.last()['message']).not.toHaveProperty('bot_profile');
  });

  it('has a trigger of three parts', async () => {
    const { workspace, bot, post } = await listening();
    await workspace.click(await post({ blocks: [section('x', { accessory: button('it') })] }));
    expect(bot.last()['trigger_id']).toMatch(/^\d+\.\d+\.[0-9a-f]+$/);
  });
});

// slackapi/python-slack-sdk, tests/slack_sdk/socket_mode/mock_socket_mode_server.py; abdolence/slack-morphism-rust, 2.31
describe('an envelope takes content', () => {
  it('for a form and for options, and not for shortcuts', async () => {
    const { workspace, bot, call, post } = await listening();
    await workspace.shortcut({ user: 'operator', callback_id: 'everywhere' });
    const menu = { type: 'external_select', action_id: 'it', min_query_length: 0 };
    const place = await post({ blocks: [{ type: 'actions', block_id: 'row', elements: [menu] }] });
    await workspace.suggest({ ...place, block_id: 'row', value: '' });
    const command = await workspace.command(asking);
    const trigger_id = command.ok ? command.trigger_id : '';
    const opened = await call('views.open', { trigger_id, view: aModal() });
    const { id } = opened['view'] as { id: string }; // it was opened
    await workspace.submit({ user: 'operator', view_id: id, values: { why: { reason: 'x' } } });
    const taken = bot.envelopes.map(({ payload, accepts_response_payload }) => [
      payload['type'] ?? 'command',
      accepts_response_payload,
    ]);
    expect(taken).toEqual([
      ['shortcut', false],
      ['block_suggestion', true],
      ['command', true],
      ['view_submission', true],
    ]);
  });
});

// docs.slack.dev/messaging/unfurling-links-in-messages, “Alternate interactive payload behavior”
describe('a click on what a link shows', () => {
  it('tells what the app itself added, and no message', async () => {
    const { workspace, bot, call } = await listening([], ['links:write', 'commands']);
    const url = 'https://x.example/1';
    const { ts = '' } = await workspace.message({ user: 'operator', channel: 'ops', text: `see ${url}` });
    const blocks = [{ type: 'actions', elements: [button('it')] }];
    expect(await call('chat.unfurl', { channel: OPS, ts, unfurls: { [url]: { blocks } } })).toMatchObject({
      ok: true,
    });
    await workspace.click({ user: 'operator', channel: 'ops', ts, action_id: 'it' });
    expect(bot.last()).toMatchObject({
      container: { type: 'message_attachment', is_app_unfurl: true, app_unfurl_url: url, attachment_id: 1 },
      app_unfurl: { id: 1, bot_id: 'B0PATCHBAY1', app_unfurl_url: url, is_app_unfurl: true },
      actions: [{ block_id: expect.stringMatching(/./) }],
    });
    expect(bot.last()).not.toHaveProperty('message');
  });
});

// slackapi/bolt-python, tests/scenario_tests/test_message_thread_broadcast.py; slack-go/slack, TestThreadBroadcastEvent
describe('a reply that is shown in the channel too', () => {
  it('carries the first message of its thread with what is known of the thread', async () => {
    const { workspace, heard } = await listening(['message.channels']);
    const said = { user: 'operator', channel: 'ops' };
    const { ts = '' } = await workspace.message({ ...said, text: 'first' });
    const reply = await workspace.message({ ...said, text: 'loud', thread_ts: ts, broadcast: true });
    await expect.poll(() => heard().length).toBe(2);
    expect(heard().at(-1)).toMatchObject({
      subtype: 'thread_broadcast',
      root: {
        client_msg_id: expect.any(String),
        team: 'T0SANDBOX01',
        text: 'first',
        thread_ts: ts,
        reply_count: 1,
        reply_users_count: 1,
        reply_users: [OPERATOR],
        latest_reply: reply.ok ? reply.ts : '',
        is_locked: false,
      },
    });
  });
});

// slackapi/bolt-python, tests/scenario_tests/test_events_ignore_self.py
describe('a public response through a response URL', () => {
  it('is told as of a bot without a user or a team', async () => {
    const { workspace, bot, heard } = await listening(['message.channels']);
    await workspace.command(asking);
    const body = JSON.stringify({ text: 'done', response_type: 'in_channel' });
    const headers = { 'content-type': 'application/json' };
    await fetch(String(bot.last()['response_url']), { method: 'POST', headers, body });
    await expect.poll(() => heard().length).toBe(1);
    expect(heard()).toMatchObject([{ subtype: 'bot_message', text: 'done', bot_id: 'B0PATCHBAY1' }]);
    for (const name of ['user', 'team', 'bot_profile']) expect(heard()[0]).not.toHaveProperty(name);
  });
});

// slackapi/java-slack-sdk, slack-api-model, MessageChangedEventTest
describe('the first message of a thread that is deleted', () => {
  it('leaves a stone in its place, and is a change', async () => {
    const { workspace, call, post, heard } = await listening(['message.channels']);
    const { ts } = await post({ text: 'first' });
    await workspace.message({ user: 'operator', channel: 'ops', text: 'reply', thread_ts: ts });
    await call('chat.delete', { channel: OPS, ts });
    await expect.poll(() => heard().length).toBe(3);
    const stone = {
      subtype: 'tombstone',
      user: 'USLACKBOT',
      hidden: true,
      text: 'This message was deleted.',
    };
    const message = { ...stone, ts, reply_count: 1, reply_users: [OPERATOR] };
    expect(heard().at(-1)).toMatchObject({
      subtype: 'message_changed',
      hidden: true,
      message,
      previous_message: { ts, text: 'first', reply_count: 1 },
    });
    const { messages } = await call('conversations.history', { channel: OPS });
    expect(messages).toMatchObject([message]);
    expect(workspace.messages({ user: 'operator', channel: 'ops' })).toMatchObject([{ ts }, {}]);
    expect(await call('chat.delete', { channel: OPS, ts })).toMatchObject({ error: 'message_not_found' });
  });
});
