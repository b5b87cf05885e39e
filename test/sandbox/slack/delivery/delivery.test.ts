/** Delivery to the bot: Socket Mode, signed HTTP, and retries of events. */
import { createHmac } from 'node:crypto';
import { describe, expect, it, onTestFinished } from 'vitest';
import { WebSocket } from 'ws';
import type { MovableClock } from '../../../../src/lib/clock.ts';
import { type BotRequest, withHttpBot } from '../harness/http-bot.ts';
import { connectionUrl, startRawBot } from '../harness/raw-bot.ts';
import { aModal } from '../harness/sample-views.ts';
import { answerOf, button, OPS, section, startWorkspace } from '../harness/workspace-harness.ts';

const asking = { user: 'operator', channel: 'ops', command: '/fleet', text: 'a & b' };

describe('Socket Mode', () => {
  it('greets a connection', async () => {
    const { workspace } = await startWorkspace();
    expect((await startRawBot(workspace)).hello).toMatchObject({
      type: 'hello',
      num_connections: 1,
      connection_info: { app_id: 'A0PATCHBAY1' },
    });
    expect((await startRawBot(workspace)).hello).toMatchObject({ num_connections: 2 });
  });

  it('gives each envelope to one of the connections, in turn', async () => {
    const { workspace } = await startWorkspace();
    const bots = [await startRawBot(workspace), await startRawBot(workspace)];
    for (let count = 0; count < 4; count += 1) await workspace.command(asking);
    expect(bots.map(({ envelopes }) => envelopes.length)).toEqual([2, 2]);
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

  it('sends an eleventh connection away', async () => {
    const { workspace } = await startWorkspace();
    for (let count = 0; count < 10; count += 1) await startRawBot(workspace);
    const eleventh = await startRawBot(workspace);
    expect(eleventh.hello).toMatchObject({ type: 'disconnect', reason: 'too_many_websockets' });
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
});

describe('signed HTTP', () => {
  it('sends a command as a signed form', async () => {
    const { workspace, heard } = await withHttpBot((response) => response.end());
    await workspace.command(asking);
    const [request] = heard;
    expect(request?.url).toBe('/slack/events');
    expect(request?.headers['content-type']).toBe('application/x-www-form-urlencoded');
    expect(new URLSearchParams(request?.body).get('text')).toBe('a &amp; b');
    const timestamp = request?.headers['x-slack-request-timestamp'];
    const signed = createHmac('sha256', workspace.signingSecret).update(`v0:${timestamp}:${request?.body}`);
    expect(request?.headers['x-slack-signature']).toBe(`v0=${signed.digest('hex')}`);
  });

  it('sends an interaction as JSON in one field', async () => {
    const { workspace, heard } = await withHttpBot((response) => response.end());
    const blocks = [section('card', { accessory: button('go') })];
    const { ts } = await answerOf(workspace, 'chat.postMessage', { channel: OPS, text: 'card', blocks });
    await workspace.click({ user: 'operator', channel: 'ops', ts: String(ts), action_id: 'go' });
    const form = new URLSearchParams(heard[0]?.body);
    expect([...form.keys()]).toEqual(['payload']);
    expect(JSON.parse(form.get('payload') ?? '')).toMatchObject({ type: 'block_actions' });
  });

  it('takes the acknowledgement of a submission', async () => {
    const { workspace } = await withHttpBot((response, { body }) => {
      const errors = { response_action: 'errors', errors: { why: 'No' } };
      response.setHeader('content-type', 'application/json');
      response.end(body.includes('view_submission') ? JSON.stringify(errors) : '');
    });
    const command = await workspace.command(asking);
    const trigger_id = command.ok ? command.trigger_id : '';
    const { view } = await answerOf(workspace, 'views.open', { trigger_id, view: aModal() });
    const { id } = view as { id: string }; // the view was opened
    const submitted = workspace.submit({ user: 'operator', view_id: id, values: { why: { reason: 'x' } } });
    expect(await submitted).toMatchObject({ ok: false, errors: { why: 'No' } });
  });

  it.each([500, 404, 302])('fails a command on HTTP %i', async (status) => {
    const { workspace } = await withHttpBot((response) =>
      response.writeHead(status, { location: 'http://127.0.0.1:1/' }).end(),
    );
    expect(await workspace.command(asking)).toEqual({ ok: false, error: 'dispatch_failed' });
  });
});

/** Advances until it holds: the next attempt is scheduled only once the one before has failed on the network. */
function afterAdvancing<T>(clock: MovableClock, ms: number, value: () => T) {
  return expect.poll(async () => {
    await clock.advance(ms);
    return value();
  });
}

describe('an event that was not acknowledged', () => {
  const mention = { user: 'operator', channel: 'ops', text: '@patchbay' };
  const retries = (heard: readonly BotRequest[]) =>
    heard.map(({ headers }) => [headers['x-slack-retry-num'], headers['x-slack-retry-reason']]);

  it('is tried again at once, after a minute and after five more, then never', async () => {
    const { workspace, clock, heard } = await withHttpBot((response) => response.writeHead(500).end());
    await workspace.message(mention);
    await expect.poll(() => heard.length).toBe(2);
    await afterAdvancing(clock, 60_000, () => heard.length).toBe(3);
    await afterAdvancing(clock, 300_000, () => heard.length).toBe(4);
    await clock.advance(3_600_000);
    expect(retries(heard)).toEqual([
      [undefined, undefined],
      ['1', 'http_error'],
      ['2', 'http_error'],
      ['3', 'http_error'],
    ]);
    const ids = heard.map(({ body }) => JSON.parse(body).event_id);
    expect(new Set(ids).size).toBe(1);
  });

  it('is not tried again when the bot says so', async () => {
    const { workspace, clock, heard } = await withHttpBot((response) =>
      response.writeHead(500, { 'x-slack-no-retry': '1' }).end(),
    );
    await workspace.message(mention);
    await expect.poll(() => heard.length).toBe(1);
    await clock.advance(3_600_000);
    expect(heard).toHaveLength(1);
  });

  it('waits for a bot that was away, and says so in the envelope', async () => {
    const { workspace, clock } = await startWorkspace();
    await workspace.message(mention);
    const bot = await startRawBot(workspace);
    await afterAdvancing(clock, 60_000, () => bot.envelopes.length).toBe(1);
    expect(bot.envelopes).toMatchObject([
      { type: 'events_api', accepts_response_payload: false, retry_reason: 'connection_failed' },
    ]);
    await clock.advance(3_600_000);
    expect(bot.envelopes).toHaveLength(1);
  });

  it('is forgotten by a reset', async () => {
    const { workspace, clock } = await startWorkspace();
    await workspace.message(mention);
    workspace.reset();
    const bot = await startRawBot(workspace);
    await clock.advance(3_600_000);
    await workspace.command(asking);
    expect(bot.envelopes).toMatchObject([{ type: 'slash_commands' }]);
  });
});
