/**
 * Socket Mode as Slack documents it, with Slack's own client and with bare sockets. Every block is named after the page
 * for its behavior.
 */
import { SocketModeClient } from '@slack/socket-mode';
import { describe, expect, it, onTestFinished } from 'vitest';
import { WebSocket } from 'ws';
import type { DeliveryFaultInput } from '../../../../src/sandbox/contracts/people.ts';
import { connectionUrl, startRawBot, startWithBot } from '../harness/bots.ts';
import {
  answerOf,
  button,
  OPS,
  SILENT,
  type StartedWorkspace,
  section,
  startWorkspace,
} from '../harness/workspace-harness.ts';

const asking = { user: 'operator', channel: 'ops', command: '/fleet', text: 'help' };
const mention = { user: 'operator', channel: 'ops', text: '@patchbay' };

/** Slack's own client, which acknowledges every command; its reconnects take as little wall time as it allows. */
async function startClient({ workspace }: StartedWorkspace) {
  const client = new SocketModeClient({
    appToken: workspace.appToken,
    clientOptions: { slackApiUrl: workspace.apiUrl },
    clientPingTimeout: 300,
    logger: SILENT,
  });
  const heard: string[] = [];
  let connections = 0;
  client.on('connected', () => {
    connections += 1;
  });
  client.on('slash_commands', async ({ ack, body }) => {
    heard.push(String(body.text));
    await ack();
  });
  await client.start();
  onTestFinished(() => client.disconnect());
  return { heard, connections: () => connections };
}

async function aCard({ workspace }: StartedWorkspace) {
  const blocks = [section('card', { accessory: button('go') })];
  const { ts } = await answerOf(workspace, 'chat.postMessage', { channel: OPS, text: 'card', blocks });
  return { user: 'operator', channel: 'ops', ts: String(ts), action_id: 'go' };
}

async function aMenu({ workspace }: StartedWorkspace) {
  const accessory = { type: 'external_select', action_id: 'it', min_query_length: 0 };
  const blocks = [section('card', { block_id: 'row', accessory })];
  const { ts } = await answerOf(workspace, 'chat.postMessage', { channel: OPS, text: 'card', blocks });
  return { user: 'operator', channel: 'ops', ts: String(ts), action_id: 'it', block_id: 'row', value: '' };
}

describe('https://docs.slack.dev/apis/events-api/using-socket-mode: connections', () => {
  it('greets with how many there are and how long this one lives', async () => {
    const { workspace } = await startWorkspace();
    expect((await startRawBot(workspace)).hello).toEqual({
      type: 'hello',
      num_connections: 1,
      connection_info: { app_id: 'A0PATCHBAY1' },
      debug_info: {
        host: 'sandbox',
        started: '2026-11-20 09:00:00.000',
        build_number: 1,
        approximate_connection_time: 18_060,
      },
    });
  });

  it('closes after a frame of more than 20,480 bytes (slack-go/slack, socketmode.go)', async () => {
    const { workspace } = await startWorkspace();
    const frame = (text: string) => JSON.stringify({ envelope_id: text, payload: {} });
    const most = 20_480 - frame('').length;
    const bot = await startRawBot(workspace);
    bot.send(frame('x'.repeat(most)));
    expect(await workspace.command(asking)).toMatchObject({ ok: true });
    bot.send(frame('x'.repeat(most + 1)));
    await expect.poll(bot.closedWith).toBe(1009);
  });

  it('gives each payload to one of the clients that are connected', async () => {
    const started = await startWorkspace();
    const clients = [await startClient(started), await startClient(started)];
    for (const text of ['1', '2', '3', '4']) await started.workspace.command({ ...asking, text });
    expect(clients.flatMap(({ heard }) => heard).toSorted()).toEqual(['1', '2', '3', '4']);
    expect(clients.every(({ heard }) => heard.length > 0)).toBe(true);
  });

  it('keeps a usual connection however far the clock is moved', async () => {
    const { workspace, clock, bot } = await startWithBot();
    await clock.advance(24 * 3_600_000);
    expect(await workspace.command(asking)).toMatchObject({ ok: true });
    expect(bot.isClosed()).toBe(false);
  });

  it('gives a warned connection payloads until it ends ten seconds later', async () => {
    const { workspace, clock, bot } = await startWithBot();
    expect(await workspace.delivery({ do: 'disconnect' })).toEqual({ ok: true, connections: 1 });
    expect(await workspace.command(asking)).toMatchObject({ ok: true });
    await clock.advance(10_000);
    await expect.poll(bot.isClosed).toBe(true);
    expect(bot.envelopes).toMatchObject([
      { type: 'disconnect', reason: 'warning', debug_info: { host: 'sandbox' } },
      { type: 'slash_commands' },
      { type: 'disconnect', reason: 'refresh_requested' },
    ]);
    expect(await workspace.command(asking)).toEqual({ ok: false, error: 'dispatch_failed' });
  });

  it.each<DeliveryFaultInput['do']>(['refresh', 'kill-socket', 'half-open', 'disconnect'])(
    'Slack’s own client comes back after %s',
    async (order) => {
      const started = await startWorkspace();
      const client = await startClient(started);
      await started.workspace.delivery({ do: order });
      await expect.poll(client.connections, { timeout: 8_000 }).toBe(2);
      expect(await started.workspace.command({ ...asking, text: 'back' })).toMatchObject({ ok: true });
      expect(client.heard).toEqual(['back']);
    },
  );

  it('says nothing through a half-open connection, not even to a ping', async () => {
    const { workspace } = await startWorkspace();
    const [silent, sound] = [await startRawBot(workspace), await startRawBot(workspace)];
    expect(await workspace.delivery({ do: 'half-open', times: 1 })).toEqual({ ok: true, connections: 1 });
    const otherIsAlive = sound.pinged(new Promise(() => undefined));
    expect(await silent.pinged(otherIsAlive)).toBe(false);
    expect(await otherIsAlive).toBe(true);
    const answers = await Promise.all([workspace.command(asking), workspace.command(asking)]);
    expect(answers.filter(({ ok }) => ok)).toHaveLength(1);
    expect(answers).toContainEqual({ ok: false, error: 'operation_timeout' });
    expect(silent.envelopes).toEqual([]);
  });

  it('goes on with the connections that are left', async () => {
    const { workspace } = await startWorkspace();
    const [leaving, staying] = [await startRawBot(workspace), await startRawBot(workspace)];
    await leaving.close();
    for (let count = 0; count < 2; count += 1)
      expect(await workspace.command(asking)).toMatchObject({ ok: true });
    expect(staying.envelopes).toHaveLength(2);
    await staying.close();
    expect(await workspace.command(asking)).toEqual({ ok: false, error: 'dispatch_failed' });
  });

  it('takes each address once, and none that it did not give', async () => {
    const { workspace } = await startWorkspace();
    const url = await connectionUrl(workspace);
    const first = new WebSocket(url);
    onTestFinished(() => first.close());
    await new Promise((resolve) => first.once('message', resolve));
    for (const refused of [
      url,
      url.replace(/ticket=\w+/, 'ticket=made-up'),
      url.replace('/link/', '/other/'),
    ]) {
      const status = await new Promise((resolve) => {
        const socket = new WebSocket(refused);
        socket.once('unexpected-response', (_request, response) => resolve(response.statusCode));
        socket.on('error', () => undefined);
      });
      expect(status).toBe(401);
    }
  });

  it('ignores acknowledgements of what it never sent', async () => {
    const { workspace } = await startWorkspace();
    const socket = new WebSocket(await connectionUrl(workspace));
    onTestFinished(() => socket.close());
    await new Promise((resolve) => socket.once('message', resolve));
    for (const noise of ['{', '[]', '{"envelope_id":"x"}', '{"envelope_id":5}']) socket.send(noise);
    socket.on('message', (data) => {
      const { envelope_id } = JSON.parse(String(data));
      socket.send(JSON.stringify({ envelope_id }));
    });
    expect(await workspace.command(asking)).toMatchObject({ ok: true });
  });

  it('closes an eleventh connection, and one that is refreshed, with code 1000', async () => {
    const { workspace } = await startWorkspace();
    const bots = await Promise.all(Array.from({ length: 10 }, () => startRawBot(workspace)));
    const eleventh = await startRawBot(workspace);
    expect(eleventh.hello).toMatchObject({ type: 'disconnect', reason: 'too_many_websockets' });
    await expect.poll(eleventh.closedWith).toBe(1_000);
    await workspace.delivery({ do: 'refresh', times: 1 });
    await expect.poll(() => bots.filter((bot) => bot.closedWith() === 1_000).length).toBe(1);
  });

  it('meets nobody where nobody is connected', async () => {
    const { workspace } = await startWorkspace();
    expect(await workspace.delivery({ do: 'refresh' })).toEqual({ ok: false, error: 'no_connection' });
  });
});

describe('https://docs.slack.dev/apis/events-api/using-socket-mode: envelopes', () => {
  const acts: readonly [string, boolean, (started: StartedWorkspace) => Promise<unknown>][] = [
    ['slash_commands', true, ({ workspace }) => workspace.command(asking)],
    ['interactive', true, async (started) => started.workspace.click(await aCard(started))],
    ['events_api', false, ({ workspace }) => workspace.message(mention)],
    // slackapi/python-slack-sdk, tests/slack_sdk/socket_mode/mock_socket_mode_server.py
    ['interactive', false, ({ workspace }) => workspace.shortcut({ user: 'operator', callback_id: 'any' })],
    ['interactive', true, async (started) => started.workspace.suggest(await aMenu(started))],
  ];

  it.each(acts)('%s, which takes content: %s', async (type, accepts_response_payload, act) => {
    const started = await startWorkspace({ shortcuts: [{ callback_id: 'any', type: 'global' }] });
    const bot = await startRawBot(started.workspace);
    await act(started);
    await expect.poll(() => bot.envelopes.length).toBe(1);
    const retry = type === 'events_api' ? { retry_attempt: 0, retry_reason: '' } : {};
    const envelope_id = expect.stringMatching(/^[0-9a-f-]{36}$/);
    const payload = expect.any(Object);
    expect(bot.envelopes).toEqual([{ envelope_id, type, payload, accepts_response_payload, ...retry }]);
  });

  it('an event that is not acknowledged in three seconds is sent again, a command and a click are not', async () => {
    const started = await startWorkspace();
    const { workspace, clock } = started;
    const bot = await startRawBot(workspace, ({ retry_attempt }) => (retry_attempt === 1 ? {} : null));
    const click = await aCard(started);
    await workspace.message(mention);
    const refused = { ok: false, error: 'operation_timeout' };
    expect(await Promise.all([workspace.command(asking), workspace.click(click)])).toEqual([
      refused,
      refused,
    ]);
    await expect
      .poll(async () => {
        await clock.advance(1);
        return bot.envelopes.length;
      })
      .toBe(4);
    await clock.advance(3_600_000);
    expect(bot.envelopes.map(({ type, retry_attempt }) => [type, retry_attempt])).toEqual([
      ['events_api', 0],
      ['slash_commands', undefined],
      ['interactive', undefined],
      ['events_api', 1],
    ]);
    expect(bot.envelopes.at(-1)).toMatchObject({ retry_reason: 'timeout' }); // slackapi/bolt-js issue 2487
    const ids = bot.envelopes.map(({ payload }) => payload['event_id']).filter((id) => id !== undefined);
    expect(new Set(ids).size).toBe(1);
    expect(new Set(bot.envelopes.map(({ envelope_id }) => envelope_id)).size).toBe(4);
  });
});

describe('https://docs.slack.dev/apis/events-api: neither once nor in order', () => {
  const textsOf = (envelopes: readonly { readonly payload: Record<string, unknown> }[]) =>
    envelopes.map(({ payload }) => (payload['event'] as { text: string }).text); // all are messages

  async function withListener() {
    const started = await startWorkspace({ events: ['message.im'] });
    const bot = await startRawBot(started.workspace);
    const say = (text: string) => started.workspace.message({ user: 'operator', channel: '@operator', text });
    return { ...started, bot, say };
  }

  it('an event may come twice, with the same event_id', async () => {
    const { workspace, bot, say } = await withListener();
    expect(await workspace.delivery({ do: 'duplicate' })).toEqual({ ok: true });
    await say('one');
    await say('two');
    await expect.poll(() => bot.envelopes.length).toBe(3);
    expect(textsOf(bot.envelopes)).toEqual(['one', 'one', 'two']);
    const [first, second] = bot.envelopes;
    expect(first?.payload['event_id']).toBe(second?.payload['event_id']);
    expect(first?.envelope_id).not.toBe(second?.envelope_id);
  });

  it('an event may be overtaken by the next', async () => {
    const { workspace, bot, say } = await withListener();
    await workspace.delivery({ do: 'reorder' });
    for (const text of ['one', 'two', 'three']) await say(text);
    await expect.poll(() => bot.envelopes.length).toBe(3);
    expect(textsOf(bot.envelopes).indexOf('one')).toBeGreaterThan(textsOf(bot.envelopes).indexOf('two'));
  });

  it('an event that nothing overtakes comes a minute later', async () => {
    const { workspace, clock, bot, say } = await withListener();
    await workspace.delivery({ do: 'reorder' });
    await say('one');
    await clock.advance(59_999);
    await workspace.command(asking);
    expect(bot.envelopes.map(({ type }) => type)).toEqual(['slash_commands']);
    await clock.advance(1);
    await expect.poll(() => bot.envelopes.length).toBe(2);
  });

  it('an event that was held back when all was reset holds nothing up, and comes no more', async () => {
    const { workspace, clock, bot, say } = await withListener();
    const holdBack = async (text: string) => {
      await workspace.delivery({ do: 'reorder' });
      await say(text);
    };
    await holdBack('before');
    await clock.advance(30_000);
    workspace.reset();
    await holdBack('after');
    await clock.advance(59_999);
    await workspace.command(asking);
    expect(bot.envelopes.map(({ type }) => type)).toEqual(['slash_commands']);
    await clock.advance(1);
    await expect.poll(() => bot.envelopes.length).toBe(2);
    expect(bot.last()).toMatchObject({ event: { text: 'after' } });
  });

  it('commands come once and at once all the same', async () => {
    const { workspace, bot } = await withListener();
    for (const order of ['duplicate', 'reorder'] as const) await workspace.delivery({ do: order, times: 5 });
    await workspace.command(asking);
    await workspace.command(asking);
    expect(bot.envelopes).toHaveLength(2);
  });
});
