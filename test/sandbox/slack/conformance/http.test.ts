/**
 * Signed HTTP as Slack documents it, with bare servers and with Bolt's receiver. Every block is named after the page
 * for its behavior.
 */
import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { MovableClock } from '../../../../src/lib/clock.ts';
import { type AnswerRequest, type BotRequest, startRawBot, withHttpBot } from '../harness/bots.ts';
import { answerOf, button, OPS, section, startBolt, startWorkspace } from '../harness/workspace-harness.ts';

const asking = { user: 'operator', channel: 'ops', command: '/fleet', text: 'help' };
const mention = { user: 'operator', channel: 'ops', text: '@patchbay' };

describe('https://docs.slack.dev/authentication/verifying-requests-from-slack', () => {
  it('every kind of request is signed over its time and its exact body', async () => {
    const { workspace, heard } = await withHttpBot((response) => response.end());
    const blocks = [section('card', { accessory: button('go') })];
    const { ts } = await answerOf(workspace, 'chat.postMessage', { channel: OPS, text: 'card', blocks });
    await workspace.command(asking);
    await workspace.click({ user: 'operator', channel: 'ops', ts: String(ts), action_id: 'go' });
    await workspace.message(mention);
    await workspace.delivery({ do: 'verify' });
    await expect.poll(() => heard.length).toBe(4);
    for (const { headers, body } of heard) {
      const time = headers['x-slack-request-timestamp'];
      const digest = createHmac('sha256', workspace.signingSecret).update(`v0:${time}:${body}`).digest('hex');
      expect(headers['x-slack-signature']).toBe(`v0=${digest}`);
      expect(Math.abs(Date.now() / 1_000 - Number(time))).toBeLessThan(300);
    }
    expect(heard.map(({ headers }) => headers['content-type'])).toEqual([
      'application/x-www-form-urlencoded',
      'application/x-www-form-urlencoded',
      'application/json',
      'application/json',
    ]);
    const forms = 'application/json,*/*';
    expect(heard.map(({ headers }) => headers.accept)).toEqual([forms, forms, '*/*', '*/*']);
  });

  it('Bolt takes what is signed with the secret of the app, and nothing else', async () => {
    const started = await startWorkspace({ transport: 'http' });
    const botUrl = await startBolt(started, 'http', (app) => app.command('/fleet', ({ ack }) => ack()));
    expect(await started.workspace.command(asking)).toMatchObject({ ok: true });
    const stranger = await startWorkspace({ transport: 'http' });
    stranger.workspace.setBotUrl(botUrl);
    expect(await stranger.workspace.command(asking)).toEqual({ ok: false, error: 'dispatch_failed' });
  });
});

describe('https://docs.slack.dev/reference/events/url_verification', () => {
  const challengeOf = (body: string) => JSON.parse(body).challenge as string; // the request is the challenge

  it('takes the challenge back as JSON', async () => {
    const { workspace, heard } = await withHttpBot((response, { body }) =>
      response
        .setHeader('content-type', 'application/json')
        .end(JSON.stringify({ challenge: challengeOf(body) })),
    );
    expect(await workspace.delivery({ do: 'verify' })).toEqual({ ok: true });
    expect(JSON.parse(heard[0]?.body ?? '')).toEqual({
      token: 'not-a-secret',
      challenge: expect.stringMatching(/^\w{48}$/),
      type: 'url_verification',
    });
  });

  it.each([
    ['another challenge', 200, 'something else'],
    ['an error', 500, ''],
  ])('refuses an address that answers %s', async (_what, status, text) => {
    const { workspace } = await withHttpBot((response) => response.writeHead(status).end(text));
    expect(await workspace.delivery({ do: 'verify' })).toEqual({ ok: false, error: 'challenge_failed' });
  });

  it('Bolt answers it', async () => {
    const started = await startWorkspace({ transport: 'http' });
    await startBolt(started, 'http', () => undefined);
    expect(await started.workspace.delivery({ do: 'verify' })).toEqual({ ok: true });
  });

  it('says where there is no address, or nobody at it', async () => {
    const { workspace } = await startWorkspace({ transport: 'http' });
    expect(await workspace.delivery({ do: 'verify' })).toEqual({ ok: false, error: 'no_request_url' });
    workspace.setBotUrl('http://127.0.0.1:1');
    expect(await workspace.delivery({ do: 'verify' })).toEqual({
      ok: false,
      error: 'request_url_unreachable',
    });
  });
});

const retriesOf = (heard: readonly BotRequest[]) =>
  heard.map(({ headers }) => [headers['x-slack-retry-num'], headers['x-slack-retry-reason']]);

describe('https://docs.slack.dev/apis/events-api: errors and retries', () => {
  it.each([
    ['500', 'http_error', (response: AnswerRequest) => response.writeHead(500).end()],
    ['404', 'http_error', (response: AnswerRequest) => response.writeHead(404).end()],
    ['a broken connection', 'connection_failed', (response: AnswerRequest) => response.destroy()],
    ['nothing in three seconds', 'http_timeout', () => undefined],
  ])('an event answered with %s is sent again at once, because of %s', async (_what, reason, answer) => {
    const { workspace, clock, heard } = await withHttpBot((response, { headers }) => {
      if (headers['x-slack-retry-num'] === undefined) answer(response);
      else response.end();
    });
    await workspace.message(mention);
    await expect
      .poll(
        async () => {
          await clock.advance(1);
          return retriesOf(heard).at(-1);
        },
        { timeout: 6_000 },
      )
      .toEqual(['1', reason]);
    await clock.advance(3_600_000);
    expect(retriesOf(heard).filter(([attempt]) => attempt !== undefined)).toHaveLength(1);
  });

  it.each([200, 201, 202, 204])('an event answered with %i was taken', async (status) => {
    const { workspace, clock, heard } = await withHttpBot((response) => response.writeHead(status).end());
    await workspace.message(mention);
    await expect.poll(() => heard.length).toBe(1);
    await workspace.message(mention);
    await expect.poll(() => heard.length).toBe(2);
    await clock.advance(3_600_000);
    expect(heard).toHaveLength(2);
  });
});

describe('https://docs.slack.dev/interactivity/handling-user-interaction: acknowledgements', () => {
  it.each([201, 204, 302, 400, 404, 500])('a command answered with %i was not taken', async (status) => {
    const { workspace, clock, heard } = await withHttpBot((response) =>
      response.writeHead(status, { location: '/elsewhere' }).end(),
    );
    expect(await workspace.command(asking)).toEqual({ ok: false, error: 'dispatch_failed' });
    await clock.advance(3_600_000);
    expect(heard).toHaveLength(1);
  });

  it('a click that is answered with an error shows one, and is never sent again', async () => {
    const { workspace, clock, heard } = await withHttpBot((response) => response.writeHead(500).end());
    const blocks = [section('card', { accessory: button('go') })];
    const { ts } = await answerOf(workspace, 'chat.postMessage', { channel: OPS, text: 'card', blocks });
    const click = { user: 'operator', channel: 'ops', ts: String(ts), action_id: 'go' };
    expect(await workspace.click(click)).toEqual({ ok: false, error: 'dispatch_failed' });
    await clock.advance(3_600_000);
    expect(heard).toHaveLength(1);
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
  it('is tried again at once, after a minute and after five more, then never', async () => {
    const { workspace, clock, heard } = await withHttpBot((response) => response.writeHead(500).end());
    await workspace.message(mention);
    await expect.poll(() => heard.length).toBe(2);
    await afterAdvancing(clock, 60_000, () => heard.length).toBe(3);
    await afterAdvancing(clock, 300_000, () => heard.length).toBe(4);
    await clock.advance(3_600_000);
    expect(retriesOf(heard)).toEqual([
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
