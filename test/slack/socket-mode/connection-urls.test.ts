/** How often Slack is asked for a connection. */
import { describe, expect, it } from 'vitest';
import { MINUTE, SECOND } from '../../../src/lib/clock.ts';
import { type ConnectionUrl, createConnectionUrls } from '../../../src/slack/socket-mode/connection-urls.ts';

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
