/** Our receiver for Socket Mode against the local Slack: one connection is always open. */
import { setTimeout as pause } from 'node:timers/promises';
import { App as BoltApp } from '@slack/bolt';
import { Agent } from 'undici';
import { describe, expect, it, onTestFinished } from 'vitest';
import { silentLog } from '../../../src/lib/log.ts';
import {
  createRequestConnectionUrl,
  type RequestConnectionUrl,
} from '../../../src/slack/socket-mode/connection-urls.ts';
import { createSocketReceiver, type SocketReceiver } from '../../../src/slack/socket-mode/socket-receiver.ts';
import { StartupError, tokenRejected } from '../../../src/slack/web-api/slack-web.ts';
import { until } from '../../harness/until.ts';
import { startRawBot } from '../../sandbox/slack/harness/raw-bot.ts';
import {
  clientOf,
  type StartedWorkspace,
  startWorkspace,
} from '../../sandbox/slack/harness/workspace-harness.ts';

const asking = { user: 'operator', channel: 'ops', command: '/fleet', text: 'device web-01' };

/** A bot that acknowledges commands once `answers` lets it. */
async function startBot(
  { workspace }: StartedWorkspace,
  {
    ask,
    answers = async () => undefined,
  }: { ask?: RequestConnectionUrl; answers?: () => Promise<void> } = {},
) {
  const heard: string[] = [];
  const fatal: string[] = [];
  const counts: (readonly [number, number])[] = [];
  const dispatcher = new Agent({ allowH2: false });
  const receiver = createSocketReceiver({
    request: ask ?? createRequestConnectionUrl(clientOf(workspace, workspace.appToken)),
    dispatcher,
    onFatal: (reason) => fatal.push(reason),
    onCounted: (counted, own) => counts.push([counted, own]),
    log: silentLog,
  });
  const app = new BoltApp({
    receiver,
    authorize: async () => ({ botToken: workspace.botToken }),
    deferInitialization: true,
    convoStore: false,
  });
  app.command('/fleet', async ({ ack, command }) => {
    heard.push(command.text);
    await answers();
    await ack();
  });
  await app.init();
  onTestFinished(async () => {
    await receiver.stop();
    await dispatcher.destroy();
  });
  return { receiver, heard, fatal, counts };
}

const both = (receiver: SocketReceiver, count = 2) =>
  until(() => receiver.connections() === count, { what: `${count} connections` });

describe('a connection that ends', () => {
  it.each(['refresh', 'disconnect', 'kill-socket'] as const)(
    'by %s leaves another that listens: no command is lost',
    async (order) => {
      const started = await startWorkspace();
      const { workspace } = started;
      const { receiver, heard } = await startBot(started);
      await receiver.start();
      await both(receiver);
      const answers: unknown[] = [];
      for (let count = 0; count < 40; count += 1) {
        if (count % 10 === 5) {
          // The oldest of two; its successor opens at once.
          await workspace.delivery({ do: order, times: 1 });
          answers.push(await workspace.command({ ...asking, text: `${count} right after` }));
          expect(receiver.connections()).toBeGreaterThan(0);
          if (order !== 'disconnect') await both(receiver);
        }
        answers.push(await workspace.command({ ...asking, text: String(count) }));
      }
      expect(answers.filter((answer) => JSON.stringify(answer).includes('"ok":false'))).toEqual([]);
      expect(heard).toHaveLength(44);
    },
  );

  it('opens the next one before the one that was warned is gone', async () => {
    const started = await startWorkspace();
    const { workspace, clock } = started;
    const { receiver } = await startBot(started);
    await receiver.start();
    await both(receiver);
    await workspace.delivery({ do: 'disconnect' });
    await both(receiver, 4);
    // Slack closes those that it warned ten seconds later.
    await clock.advance(10_000);
    await both(receiver);
    expect(receiver.connections()).toBeGreaterThan(0);
    expect(await workspace.command(asking)).toMatchObject({ ok: true });
  });

  it('in silence is found out by its pings, and replaced', async () => {
    const started = await startWorkspace();
    const { workspace } = started;
    const { receiver } = await startBot(started);
    await receiver.start();
    await both(receiver);
    await workspace.delivery({ do: 'half-open', times: 2 });
    await until(async () => (await workspace.command(asking)).ok, {
      what: 'a command that comes through',
    });
    await both(receiver);
  });
});

describe('an app token that Slack refuses', () => {
  const refusing: RequestConnectionUrl = async () => ({ kind: 'refused', reason: 'invalid_auth' });

  it('is reported at the start', async () => {
    const started = await startWorkspace();
    const { receiver, fatal } = await startBot(started, { ask: refusing });
    await expect(receiver.start()).rejects.toEqual(
      new StartupError(tokenRejected('SLACK_APP_TOKEN', 'invalid_auth')),
    );
    expect(fatal).toEqual([]);
  });

  it('later is fatal only when it is refused again and again and no connection is left', async () => {
    const started = await startWorkspace();
    const { workspace } = started;
    const good = createRequestConnectionUrl(clientOf(workspace, workspace.appToken));
    let revoked = false;
    let refusals = 0;
    const ask: RequestConnectionUrl = () => {
      if (!revoked) return good();
      refusals += 1;
      return refusing();
    };
    const { receiver, fatal } = await startBot(started, { ask });
    await receiver.start();
    await both(receiver);
    revoked = true;
    await workspace.delivery({ do: 'kill-socket', times: 1 });
    await until(() => refusals >= 3, { what: 'three refusals' });
    expect([fatal, receiver.connections()]).toEqual([[], 1]);
    await workspace.delivery({ do: 'kill-socket' });
    await until(() => fatal.length > 0, { what: 'the end' });
    expect(fatal[0]).toBe(tokenRejected('SLACK_APP_TOKEN', 'invalid_auth'));
  });

  it('is distinguished from an outage, which ends on its own', async () => {
    const started = await startWorkspace();
    const { workspace } = started;
    const good = createRequestConnectionUrl(clientOf(workspace, workspace.appToken));
    let away = 0;
    const ask: RequestConnectionUrl = async () => {
      if (away === 0) return good();
      away -= 1;
      return { kind: 'unavailable', reason: 'internal_error', retryAfterMs: 0 };
    };
    const { receiver, fatal } = await startBot(started, { ask });
    await receiver.start();
    await both(receiver);
    away = 3;
    await workspace.delivery({ do: 'kill-socket' });
    await until(() => receiver.connections() === 0);
    await until(() => receiver.connections() > 0);
    expect(fatal).toEqual([]);
  });
});

describe('an envelope', () => {
  it('taken before the stop is acknowledged; one that comes later is not', async () => {
    const started = await startWorkspace();
    const { workspace } = started;
    const gate = Promise.withResolvers<void>();
    const { receiver, heard } = await startBot(started, { answers: () => gate.promise });
    await receiver.start();
    await both(receiver);
    const taken = workspace.command(asking);
    await until(() => heard.length === 1);
    const refused = receiver.stopAccepting();
    const late = workspace.command({ ...asking, text: 'late' });
    await pause(0);
    gate.resolve();
    await refused;
    expect(await taken).toMatchObject({ ok: true });
    expect(await late).toEqual({ ok: false, error: 'operation_timeout' });
    expect(heard).toEqual(['device web-01']);
    expect(receiver.connections()).toBe(0);
    // Slack tries another connection, or says at once that there is none.
    expect(await workspace.command(asking)).toEqual({ ok: false, error: 'dispatch_failed' });
  });
});

describe('Slack’s count of connections', () => {
  it('is of ours alone, or of another client’s too, and is asked for again by a new connection', async () => {
    const started = await startWorkspace();
    const { receiver, counts } = await startBot(started);
    await receiver.start();
    await both(receiver);
    expect(counts.map(([counted, own]) => counted - own)).not.toContain(1);
    await startRawBot(started.workspace);
    receiver.recount();
    await until(() => counts.length === 3);
    expect(counts.at(-1)).toEqual([4, 3]);
    // Not more often than that, whatever the clock does.
    receiver.recount();
    await pause(0);
    expect(counts).toHaveLength(3);
  });
});

it('a stop while it waits to connect again opens nothing more', async () => {
  const started = await startWorkspace();
  const { workspace } = started;
  const good = createRequestConnectionUrl(clientOf(workspace, workspace.appToken));
  let asked = 0;
  const fetching = Promise.withResolvers<void>();
  const ask: RequestConnectionUrl = async () => {
    asked += 1;
    if (asked > 2) await fetching.promise;
    return good();
  };
  const { receiver } = await startBot(started, { ask });
  await receiver.start();
  await both(receiver);
  await workspace.delivery({ do: 'kill-socket' });
  await until(() => asked === 3);
  await receiver.stop();
  fetching.resolve();
  await pause(0);
  expect([asked, receiver.connections()]).toEqual([3, 0]);
  expect(await workspace.command(asking)).toEqual({ ok: false, error: 'dispatch_failed' });
});
