import { describe, expect, it, onTestFinished } from 'vitest';
import { FleetFailure } from '../../src/fleet/fleet.ts';
import { createManualClock, type Instant, instant, MINUTE, SECOND } from '../../src/lib/clock.ts';
import { createLog } from '../../src/lib/log.ts';
import { createPollLoop, POLL_INTERVAL_MS, type PollLoopOptions } from '../../src/watch/poll-loop.ts';

function watchOf(
  turn: () => Promise<{ taken: number; alerts: number }>,
  followed?: PollLoopOptions['followed'],
) {
  const clock = createManualClock(instant(0));
  const turns: number[] = [];
  const lines: string[] = [];
  let kicks = 0;
  const watch = createPollLoop({
    clock,
    log: createLog({ level: 'info', destination: { write: (line) => void lines.push(line) } }),
    ...(followed === undefined ? {} : { followed }),
    wakeWorker: () => {
      kicks += 1;
    },
    poll: () => {
      turns.push(clock.now());
      return turn();
    },
  });
  onTestFinished(watch.stop);
  return { clock, turns, lines, watch, kicks: () => kicks };
}
const quiet = async () => ({ taken: 0, alerts: 0 });
const throttled = new FleetFailure({
  kind: 'throttled',
  retryAfterMs: 10 * MINUTE,
  method: 'GET',
  path: '/events',
  status: 429,
  detail: '',
});
const unauthorized = new FleetFailure({
  kind: 'unauthorized',
  method: 'GET',
  path: '/events',
  status: 401,
  detail: '',
});

describe('the loop', () => {
  it('polls at its interval', async () => {
    const { clock, turns, watch } = watchOf(quiet);
    watch.start();
    await clock.advance(POLL_INTERVAL_MS * 3);
    expect(turns).toEqual([0, 1, 2, 3].map((n) => n * POLL_INTERVAL_MS));
  });

  it('becomes ready with the first poll that succeeds', async () => {
    let broken = true;
    const { clock, watch } = watchOf(() => (broken ? Promise.reject(new Error('down')) : quiet()));
    let ready = false;
    void watch.ready.then(() => {
      ready = true;
    });
    watch.start();
    await clock.advance(SECOND);
    expect(ready).toBe(false);
    broken = false;
    await clock.advance(POLL_INTERVAL_MS);
    expect(ready).toBe(true);
  });

  it('doubles its pause after failures, up to a minute', async () => {
    const { clock, turns, watch } = watchOf(() => Promise.reject(new Error('down')));
    watch.start();
    await clock.advance(30 * MINUTE);
    const pauses = turns.slice(1).map((at, n) => at - (turns[n] ?? 0));
    expect(pauses.slice(0, 3)).toEqual([15, 30, 60].map((s) => s * SECOND));
    expect(Math.max(...pauses)).toBe(MINUTE);
  });

  it('waits as long as the service asks', async () => {
    const { clock, turns, watch } = watchOf(() => Promise.reject(throttled));
    watch.start();
    await clock.advance(10 * MINUTE - 1);
    expect(turns).toEqual([0]);
    await clock.advance(1);
    expect(turns).toEqual([0, 10 * MINUTE]);
  });

  it('logs a rejected key in one plain line until a poll succeeds, and goes on trying', async () => {
    let answer: () => ReturnType<typeof quiet> = () => Promise.reject(unauthorized);
    const { clock, turns, lines, watch } = watchOf(() => answer());
    watch.start();
    await clock.advance(30 * MINUTE);
    expect(turns.length).toBeGreaterThan(5);
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      {
        level: 50,
        time: expect.anything(),
        event: 'fleet.key-rejected',
        msg: expect.stringMatching(/rejected FLEET_API_KEY \(401\)\. Set a valid key/),
      },
    ]);
    answer = quiet;
    await clock.advance(10 * MINUTE);
    answer = () => Promise.reject(unauthorized);
    await clock.advance(10 * MINUTE);
    expect(lines).toHaveLength(2);
  });

  it('has due work looked at after alerts, and only then', async () => {
    let alerts = 0;
    const { clock, kicks, watch } = watchOf(async () => ({ taken: alerts, alerts }));
    watch.start();
    await clock.advance(SECOND);
    expect(kicks()).toBe(0);
    alerts = 1;
    await clock.advance(POLL_INTERVAL_MS);
    expect(kicks()).toBe(1);
  });

  it('does nothing after it was stopped, and may be stopped twice', async () => {
    const { clock, turns, watch } = watchOf(quiet);
    watch.start();
    await clock.advance(SECOND);
    await watch.stop();
    await watch.stop();
    await clock.advance(MINUTE);
    expect(turns).toHaveLength(1);
  });

  it('leaves the log to the leader, and says of it what the leader says', async () => {
    const leader = { lastReadAt: instant(7), failures: 3 };
    const { clock, turns, watch } = watchOf(quiet, () => leader);
    watch.start();
    await clock.advance(POLL_INTERVAL_MS * 3);
    await watch.ready;
    expect(turns).toEqual([]);
    expect(watch.health()).toEqual({ lastSuccess: 7, failures: 3 });
  });

  it('becomes ready a second after the first report of a leader that has just started', async () => {
    const leader: { lastReadAt: Instant | null; failures: number } = { lastReadAt: null, failures: 0 };
    const { clock, watch } = watchOf(quiet, () => leader);
    let ready = false;
    void watch.ready.then(() => {
      ready = true;
    });
    watch.start();
    await clock.advance(2 * SECOND);
    expect(ready).toBe(false);
    leader.lastReadAt = instant(1);
    await clock.advance(SECOND);
    expect(ready).toBe(true);
  });

  it('reads at once when it becomes the leader, and continues from what was read', async () => {
    let leader: ReturnType<NonNullable<PollLoopOptions['followed']>> = {
      lastReadAt: instant(0),
      failures: 0,
    };
    const { clock, turns, watch } = watchOf(quiet, () => leader);
    watch.start();
    await clock.advance(POLL_INTERVAL_MS + SECOND);
    leader = null;
    expect(watch.health()).toMatchObject({ lastSuccess: 0, failures: 0 });
    watch.lead();
    await clock.advance(POLL_INTERVAL_MS);
    expect(turns).toEqual([POLL_INTERVAL_MS + SECOND, 2 * POLL_INTERVAL_MS + SECOND]);
  });
});
