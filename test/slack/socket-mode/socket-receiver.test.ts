/** Our receiver for Socket Mode against the local Slack: one connection is always open. */
import { setTimeout as pause } from 'node:timers/promises';
import { App as BoltApp, type ReceiverEvent } from '@slack/bolt';
import { Agent } from 'undici';
import { describe, expect, it, onTestFinished } from 'vitest';
import { MINUTE, SECOND } from '../../../src/lib/clock.ts';
import { silentLog } from '../../../src/lib/log.ts';
import {
  type ConnectionUrl,
  createConnectionUrls,
  createRequestConnectionUrl,
  type RequestConnectionUrl,
} from '../../../src/slack/socket-mode/connection-urls.ts';
import {
  createEnvelopes,
  createSocketReceiver,
  type SocketConnection,
  type SocketReceiver,
} from '../../../src/slack/socket-mode/socket-receiver.ts';
import { StartupError, tokenRejected } from '../../../src/slack/web-api/slack-web.ts';
import { until } from '../../harness/until.ts';
import { madePerTest } from '../../harness/use-started.ts';
import { startRawBot } from '../../sandbox/slack/harness/bots.ts';
import {
  clientOf,
  type StartedWorkspace,
  startWorkspace,
} from '../../sandbox/slack/harness/workspace-harness.ts';

const started = madePerTest(() => startWorkspace());

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
    const { workspace } = started;
    const { receiver } = await startBot(started);
    await receiver.start();
    await both(receiver);
    await workspace.delivery({ do: 'half-open', times: 2 });
    await until(async () => (await workspace.command(asking)).ok, { what: 'a command that comes through' });
    await both(receiver);
  });
});

describe('an app token that Slack refuses', () => {
  const refusing: RequestConnectionUrl = async () => ({ kind: 'refused', reason: 'invalid_auth' });

  it('is reported at the start', async () => {
    const { receiver, fatal } = await startBot(started, { ask: refusing });
    await expect(receiver.start()).rejects.toEqual(
      new StartupError(tokenRejected('SLACK_APP_TOKEN', 'invalid_auth')),
    );
    expect(fatal).toEqual([]);
  });

  it('later is fatal only when it is refused again and again and no connection is left', async () => {
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

const AWAY: ConnectionUrl = { kind: 'unavailable', reason: 'internal_error', retryAfterMs: 0 };
const GOOD: ConnectionUrl = { kind: 'address', url: 'wss://slack.test/link' };

function start(answer: () => ConnectionUrl, random = () => 1) {
  let now = 0;
  const waits: number[] = [];
  const addresses = createConnectionUrls({
    request: async () => answer(),
    random,
    now: () => now,
    sleep: async (ms) => {
      waits.push(Math.round(ms));
      now += ms;
    },
  });
  const stop = new AbortController();
  return { addresses, waits, stop, next: () => addresses.next(stop.signal) };
}

describe('asking for connections', () => {
  it('waits twice as long after each failure, up to a minute', async () => {
    const { next, waits } = start(() => AWAY);
    for (let tries = 0; tries < 9; tries += 1) await next();
    expect(waits).toEqual([1, 2, 4, 8, 16, 32, 60, 60].map((seconds) => seconds * SECOND));
  });

  it('leaves up to half of each wait to chance', async () => {
    const { next, waits } = start(
      () => AWAY,
      () => 0,
    );
    for (let tries = 0; tries < 4; tries += 1) await next();
    expect(waits).toEqual([500, 1_000, 2_000]);
  });

  it('waits as long as Slack asks', async () => {
    const answers: ConnectionUrl[] = [
      { kind: 'unavailable', reason: 'ratelimited', retryAfterMs: 40 * SECOND },
      GOOD,
    ];
    const { next, waits } = start(() => answers.shift() ?? GOOD);
    await next();
    expect(await next()).toEqual(GOOD);
    expect(waits).toEqual([40 * SECOND]);
  });

  it('asks at once after a connection that worked, but no more than once a minute for long', async () => {
    const { addresses, next, waits } = start(() => GOOD);
    for (let count = 0; count < 23; count += 1) {
      await next();
      addresses.worked();
    }
    expect(waits).toEqual([MINUTE, MINUTE, MINUTE]);
  });

  it('slows down where connections break before they are of any use', async () => {
    const { addresses, next, waits } = start(() => GOOD);
    for (let count = 0; count < 4; count += 1) {
      await next();
      addresses.failed();
    }
    expect(waits).toEqual([1, 2, 4].map((seconds) => seconds * SECOND));
  });

  it('asks for one at a time', async () => {
    let asking = 0;
    let most = 0;
    const addresses = createConnectionUrls({
      sleep: async () => undefined,
      async request() {
        asking += 1;
        most = Math.max(most, asking);
        await new Promise((resolve) => setImmediate(resolve));
        asking -= 1;
        return GOOD;
      },
    });
    const { signal } = new AbortController();
    await Promise.all([addresses.next(signal), addresses.next(signal), addresses.next(signal)]);
    expect(most).toBe(1);
  });

  it('asks nothing more once it was stopped', async () => {
    let asked = 0;
    const { next, stop } = start(() => {
      asked += 1;
      return AWAY;
    });
    stop.abort();
    await next();
    expect(asked).toBe(0);
  });
});

describe('envelopes', () => {
  function start(process: (event: ReceiverEvent) => Promise<void>) {
    const sent: { readonly by: string; readonly text: string }[] = [];
    const closed = new Set<string>();
    const link = (by: string): SocketConnection => ({
      send: (text) => {
        if (closed.has(by)) return false;
        sent.push({ by, text });
        return true;
      },
      close: () => undefined,
    });
    const [one, two] = [link('one'), link('two')];
    const envelopes = createEnvelopes({ process, openConnections: () => [one, two], log: silentLog });
    return { envelopes, one, two, sent, closed };
  }
  const ACK = '{"envelope_id":"e1","payload":{}}';

  describe('an envelope', () => {
    it('that comes twice is handled once, and acknowledged again', async () => {
      const events: ReceiverEvent[] = [];
      const { envelopes, one, two, sent } = start(async (event) => {
        events.push(event);
        await event.ack();
      });
      envelopes.accept({ id: 'e1', payload: { a: 1 } }, one);
      envelopes.accept({ id: 'e1', payload: { a: 1 } }, two);
      expect(events).toHaveLength(1);
      expect(sent).toEqual([
        { by: 'one', text: ACK },
        { by: 'two', text: ACK },
      ]);
    });

    it('is acknowledged once, however often a listener does it', async () => {
      const { envelopes, one, sent } = start(async (event) => {
        await event.ack({ text: 'hi' });
        await event.ack({ text: 'no' });
      });
      envelopes.accept({ id: 'e1', payload: {} }, one);
      await envelopes.settled(1_000);
      expect(sent).toEqual([{ by: 'one', text: '{"envelope_id":"e1","payload":{"text":"hi"}}' }]);
    });

    it('is not acknowledged with more than Slack takes in one frame', async () => {
      const { envelopes, one, sent } = start(async (event) => {
        await event.ack({ text: 'é'.repeat(10_240) });
      });
      envelopes.accept({ id: 'e1', payload: {} }, one);
      await envelopes.settled(60_000);
      expect(sent).toEqual([]);
    });

    it('whose connection is gone is acknowledged on another', async () => {
      const gate = Promise.withResolvers<void>();
      const { envelopes, one, sent, closed } = start(async (event) => {
        await gate.promise;
        await event.ack();
      });
      envelopes.accept({ id: 'e1', payload: {} }, one);
      closed.add('one');
      gate.resolve();
      await envelopes.settled(1_000);
      expect(sent).toEqual([{ by: 'two', text: ACK }]);
    });

    it.each([[null], ['words'], [[1, 2]], [7], [undefined]])(
      'with the payload %j is acknowledged and reaches nobody',
      async (payload) => {
        const events: ReceiverEvent[] = [];
        const { envelopes, one, sent } = start(async (event) => void events.push(event));
        envelopes.accept({ id: 'e1', payload }, one);
        expect([events, sent]).toEqual([[], [{ by: 'one', text: ACK }]]);
      },
    );

    it('that no listener wants is not waited for', async () => {
      const { envelopes, one, sent } = start(async () => undefined);
      envelopes.accept({ id: 'e1', payload: {} }, one);
      // Longer than the test may take.
      await envelopes.settled(60_000);
      expect(sent).toEqual([]);
    });

    it('whose listener fails ends nothing but itself', async () => {
      const { envelopes, one } = start(async () => {
        throw new Error('no');
      });
      envelopes.accept({ id: 'e1', payload: {} }, one);
      await envelopes.settled(60_000);
    });

    it('is ignored once the receiver has stopped', () => {
      const events: ReceiverEvent[] = [];
      const { envelopes, one, sent } = start(async (event) => void events.push(event));
      envelopes.stopAccepting();
      envelopes.accept({ id: 'e1', payload: {} }, one);
      expect([events, sent]).toEqual([[], []]);
    });
  });
});
