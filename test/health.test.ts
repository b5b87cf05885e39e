import { describe, expect, it } from 'vitest';
import { createManualClock, instant, MINUTE } from '../src/clock.ts';
import { createHealth, healthRoutes } from '../src/health.ts';
import { VERSION } from '../src/version.ts';
import { HEALTHY } from './commands/fake-records.ts';

function product() {
  const clock = createManualClock(instant(0));
  const state = { lastSuccess: clock.now(), connected: true, database: true };
  const routes = healthRoutes({
    clock,
    connected: () => state.connected,
    store: { ping: () => (state.database ? Promise.resolve() : Promise.reject(new Error('down'))) },
    watch: { health: () => ({ lastSuccess: state.lastSuccess, failures: 0 }) },
  });
  const answer = async (path: string) => routes.find((route) => route.path === path)?.answer();
  return { clock, state, answer };
}

describe('whether the product is ready', () => {
  it('depends on Slack, the database and the event log', async () => {
    const { state, answer } = product();
    expect(await answer('/readyz')).toMatchObject({ status: 200 });
    state.connected = false;
    expect(await answer('/readyz')).toMatchObject({ status: 503, body: { slack: false, database: true } });
    state.connected = true;
    state.database = false;
    expect(await answer('/readyz')).toMatchObject({ status: 503, body: { slack: true, database: false } });
  });

  it('ends when the event log was not read for five minutes, and comes back', async () => {
    const { clock, state, answer } = product();
    await clock.advance(5 * MINUTE);
    expect(await answer('/readyz')).toMatchObject({ status: 200 });
    await clock.advance(1);
    expect(await answer('/readyz')).toMatchObject({
      status: 503,
      body: { events: { ageMs: 5 * MINUTE + 1 } },
    });
    expect(await answer('/healthz')).toMatchObject({ status: 200 });
    state.lastSuccess = clock.now();
    expect(await answer('/readyz')).toMatchObject({ status: 200 });
  });
});

describe('the health that people ask for', () => {
  it('is read when it is asked for, and a database that is down is no failure', async () => {
    const events = { lastSuccess: instant(5), failures: 2 };
    const state = { connected: true, database: true };
    const health = createHealth({
      connected: () => state.connected,
      store: { ping: () => (state.database ? Promise.resolve() : Promise.reject(new Error('down'))) },
      watch: { health: () => events },
      calls: () => HEALTHY.calls,
    });
    const all = { slack: true, database: true, events, calls: HEALTHY.calls, version: VERSION };
    expect(await health()).toEqual(all);
    state.connected = false;
    state.database = false;
    expect(await health()).toEqual({ ...all, slack: false, database: false });
    expect(VERSION).toMatch(/^\d+\.\d+\.\d+/);
  });
});
