/** What accompanies events and other payloads, and the end of a connection. */
import { describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { connectionUrl, startRawBot } from '../harness/raw-bot.ts';
import { aModal } from '../harness/sample-views.ts';
import { answerOf, OPS, startWorkspace } from '../harness/workspace-harness.ts';

describe('https://docs.slack.dev/apis/events-api', () => {
  it('gives every event a context that names its type, workspace, app and channel', async () => {
    const { workspace } = await startWorkspace();
    const bot = await startRawBot(workspace);
    await workspace.message({ user: 'operator', channel: 'ops', text: '@patchbay hi' });
    await expect.poll(() => bot.envelopes.length).toBe(1);
    const context = String(bot.last()['event_context']);
    expect(context).toMatch(/^4-/);
    expect(JSON.parse(Buffer.from(context.slice(2), 'base64url').toString())).toEqual({
      et: 'app_mention',
      tid: 'T0SANDBOX01',
      aid: 'A0PATCHBAY1',
      cid: OPS,
    });
  });
});

// slackapi/python-slack-sdk, tests/slack_sdk/socket_mode/mock_socket_mode_server.py; abdolence/slack-morphism-rust, 2.31
describe('an envelope takes content', () => {
  it('for a form and for options, and not for shortcuts', async () => {
    const { workspace } = await startWorkspace({
      shortcuts: [{ callback_id: 'everywhere', type: 'global' }],
    });
    const bot = await startRawBot(workspace);
    await workspace.shortcut({ user: 'operator', callback_id: 'everywhere' });
    const menu = { type: 'external_select', action_id: 'it', min_query_length: 0 };
    const blocks = [{ type: 'actions', block_id: 'row', elements: [menu] }];
    const { ts } = await answerOf(workspace, 'chat.postMessage', { channel: OPS, text: 'x', blocks });
    const place = { user: 'operator', channel: 'ops', ts: String(ts), action_id: 'it' };
    await workspace.suggest({ ...place, block_id: 'row', value: '' });
    const command = await workspace.command({
      user: 'operator',
      channel: 'ops',
      command: '/fleet',
      text: '',
    });
    const trigger_id = command.ok ? command.trigger_id : '';
    const opened = await answerOf(workspace, 'views.open', { trigger_id, view: aModal() });
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

describe('https://docs.slack.dev/apis/events-api/using-socket-mode', () => {
  async function connect(url: string) {
    const socket = new WebSocket(url);
    const closed = new Promise<number>((resolve) => socket.once('close', resolve));
    await new Promise((resolve) => socket.once('message', resolve));
    return { socket, closed };
  }

  it('closes a connection that is refreshed with code 1000', async () => {
    const { workspace } = await startWorkspace();
    const { closed } = await connect(await connectionUrl(workspace));
    await workspace.delivery({ do: 'refresh' });
    expect(await closed).toBe(1_000);
  });

  it('closes one connection too many with code 1000', async () => {
    const { workspace } = await startWorkspace();
    const open = await Promise.all(
      Array.from({ length: 10 }, async () => connect(await connectionUrl(workspace))),
    );
    const { closed } = await connect(await connectionUrl(workspace));
    expect(await closed).toBe(1_000);
    for (const { socket } of open) socket.terminate();
  });
});
