/** What accompanies an event and the end of a connection, besides the event itself. */
import { describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { connectionUrl, startRawBot } from '../harness/raw-bot.ts';
import { answerOf, OPS, startWorkspace } from '../harness/workspace-harness.ts';

type Json = Record<string, unknown>;
const UUID = expect.stringMatching(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);

async function listening(...events: readonly string[]) {
  const { workspace } = await startWorkspace({ events });
  const bot = await startRawBot(workspace);
  const payloads = () => bot.envelopes.map(({ payload }) => payload);
  return { workspace, payloads, heard: () => payloads().map(({ event }) => event as Json) }; // all are events
}

describe('https://docs.slack.dev/apis/events-api', () => {
  it('gives every event a context that names its type, workspace, app and channel', async () => {
    const { workspace, payloads } = await listening('message.channels');
    await workspace.message({ user: 'operator', channel: 'ops', text: 'hi' });
    await expect.poll(() => payloads().length).toBe(1);
    const context = String(payloads()[0]?.['event_context']);
    expect(context).toMatch(/^4-/);
    expect(JSON.parse(Buffer.from(context.slice(2), 'base64url').toString())).toEqual({
      et: 'message',
      tid: 'T0SANDBOX01',
      aid: 'A0PATCHBAY1',
      cid: OPS,
    });
  });
});

describe('https://docs.slack.dev/reference/events/message', () => {
  it('has the client_msg_id of a person’s message, in the event, the mention and the history', async () => {
    const { workspace, heard } = await listening('message.channels', 'app_mention');
    await workspace.message({ user: 'operator', channel: 'ops', text: '@patchbay hi' });
    await expect.poll(() => heard().length).toBe(2);
    const [message, mention] = heard();
    expect(message).toMatchObject({ type: 'message', client_msg_id: UUID });
    expect(mention).toMatchObject({ type: 'app_mention', client_msg_id: message?.['client_msg_id'] });
    const { messages } = await answerOf(workspace, 'conversations.history', { channel: OPS });
    expect(messages).toMatchObject([{ client_msg_id: message?.['client_msg_id'] }]);
  });

  it('has a different one for each message, and none for those of the bot', async () => {
    const { workspace, heard } = await listening('message.channels');
    await workspace.message({ user: 'operator', channel: 'ops', text: 'one' });
    await workspace.message({ user: 'operator', channel: 'ops', text: 'two' });
    await answerOf(workspace, 'chat.postMessage', { channel: OPS, text: 'mine' });
    await expect.poll(() => heard().length).toBe(3);
    const ids = heard().map(({ client_msg_id }) => client_msg_id);
    expect(ids).toEqual([UUID, UUID, undefined]);
    expect(ids[0]).not.toBe(ids[1]);
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
