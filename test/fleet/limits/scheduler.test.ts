import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LANES, type Lane } from '../../../src/fleet/fleet.ts';
import type { LimitedRequest, LimitOptions } from '../../../src/fleet/limits/rate-limits.ts';
import {
  createScheduler,
  type Scheduler,
  type Turn,
  type TurnRequest,
} from '../../../src/fleet/limits/scheduler.ts';
import { createManualClock, HOUR, instant, later, wallNow } from '../../../src/lib/clock.ts';
import { backwards } from '../harness.ts';

const READ = { method: 'GET', path: '/servers/{id}' } as const;
const start = instant(Date.UTC(2026, 0, 1));

const LIST = { method: 'GET', path: '/servers' } as const;

function schedulerOf(concurrency: number, limits: LimitOptions = 'published') {
  const clock = createManualClock(start);
  return { clock, scheduler: createScheduler({ clock, concurrency, limits }) };
}
function enter(
  scheduler: Scheduler,
  lane: Lane = 'person',
  leftMs = 60_000,
  more: Partial<TurnRequest> = {},
): Promise<Turn> {
  return scheduler.enter({ lane, request: READ, deadline: later(wallNow(), leftMs), ...more });
}
/** Takes turns and leaves at once, for as long as turns are granted; returns how many there were. */
async function drain(scheduler: Scheduler, lane: Lane, request: LimitedRequest): Promise<number> {
  for (let taken = 0; ; taken += 1) {
    const turn = await enter(scheduler, lane, 0, { request });
    if (turn.kind !== 'go') return taken;
    turn.leave();
  }
}
function leave(turn: Turn): void {
  if (turn.kind !== 'go') throw new Error(`no turn: ${turn.kind}`);
  turn.leave();
}
/** The outcome of each entrant so far; null while it waits. */
async function soFar(turns: readonly Promise<Turn>[]): Promise<readonly (string | null)[]> {
  const kinds: (string | null)[] = turns.map(() => null);
  for (const [index, turn] of turns.entries()) {
    void turn.then(({ kind }) => {
      kinds[index] = kind;
    });
  }
  await new Promise(setImmediate);
  return kinds;
}

describe('the scheduler', () => {
  it('runs a few calls at once, and the others in order', async () => {
    const { scheduler } = schedulerOf(2);
    const first = enter(scheduler);
    const others = [enter(scheduler), enter(scheduler), enter(scheduler)];
    expect(await soFar(others)).toEqual(['go', null, null]);
    leave(await first);
    expect(await soFar(others)).toEqual(['go', 'go', null]);
  });

  it('serves a person before writes, and those before background work, whoever came earlier', async () => {
    const { scheduler } = schedulerOf(1);
    const running = enter(scheduler);
    const background = enter(scheduler, 'background');
    const write = enter(scheduler, 'write');
    const person = enter(scheduler);
    leave(await running);
    expect(await soFar([background, write, person])).toEqual([null, null, 'go']);
    leave(await person);
    expect(await soFar([background, write])).toEqual([null, 'go']);
    leave(await write);
    expect(await soFar([background])).toEqual(['go']);
  });

  it('counts a call that leaves twice only once', async () => {
    const { scheduler } = schedulerOf(1);
    const first = await enter(scheduler);
    const others = [enter(scheduler), enter(scheduler)];
    leave(first);
    leave(first);
    expect(await soFar(others)).toEqual(['go', null]);
  });

  it('holds all calls during a pause, until the clock has passed it', async () => {
    const { scheduler, clock } = schedulerOf(3);
    scheduler.pause(5_000);
    const turns = [enter(scheduler), enter(scheduler, 'background')];
    await clock.advance(4_999);
    expect(await soFar(turns)).toEqual([null, null]);
    await clock.advance(1);
    expect(await soFar(turns)).toEqual(['go', 'go']);
  });

  it('keeps the longer of two pauses', async () => {
    const { scheduler, clock } = schedulerOf(1);
    scheduler.pause(5_000);
    scheduler.pause(1_000);
    const turn = enter(scheduler);
    await clock.advance(4_999);
    expect(await soFar([turn])).toEqual([null]);
    await clock.advance(1);
    expect(await soFar([turn])).toEqual(['go']);
  });

  it('refuses calls at once that cannot wait out a pause, including those already waiting', async () => {
    const { scheduler } = schedulerOf(1);
    await enter(scheduler);
    const waiting = enter(scheduler, 'person', 20_000);
    scheduler.pause(30_000);
    const turn = { kind: 'throttled', retryAfterMs: 30_000, by: 'pause' };
    expect(await waiting).toEqual(turn);
    expect(await enter(scheduler, 'background', 29_000)).toEqual(turn);
  });

  it('reports when no turn came in time, and gives the slot to the next call', async () => {
    const { scheduler } = schedulerOf(1);
    const running = await enter(scheduler);
    expect(await enter(scheduler, 'person', 5)).toEqual({ kind: 'late' });
    const next = enter(scheduler);
    leave(running);
    expect(await soFar([next])).toEqual(['go']);
  });

  it('lets a caller give up, with its own reason', async () => {
    const { scheduler } = schedulerOf(1);
    const running = await enter(scheduler);
    const abort = new AbortController();
    const deadline = later(wallNow(), 60_000);
    const turn = scheduler.enter({ lane: 'person', request: READ, deadline, signal: abort.signal });
    const next = enter(scheduler);
    abort.abort(new Error('went home'));
    await expect(turn).rejects.toThrow('went home');
    await expect(
      scheduler.enter({ lane: 'person', request: READ, deadline, signal: abort.signal }),
    ).rejects.toThrow('went home');
    leave(running);
    expect(await soFar([next])).toEqual(['go']);
  });

  it.each(['write', 'background'] as const)(
    'keeps the last slot from the lane %s, where there is more than one',
    async (lane) => {
      const { scheduler } = schedulerOf(3);
      const others = [enter(scheduler, lane), enter(scheduler, lane), enter(scheduler, lane)];
      expect(await soFar([...others, enter(scheduler)])).toEqual(['go', 'go', null, 'go']);
      leave(await enter(schedulerOf(1).scheduler, lane));
    },
  );

  it('reports its figures', async () => {
    const { scheduler, clock } = schedulerOf(2, { listsPerMinute: 9, window: { requests: 30, ms: 1_000 } });
    await enter(scheduler, 'person', 60_000, { request: LIST });
    void enter(scheduler, 'background');
    expect(scheduler.figures()).toEqual({
      running: 1,
      waiting: { person: 0, write: 0, background: 1 },
      tokens: { lists: 8, window: 29 },
      capacities: { lists: 9, window: 30 },
      pausedForMs: 0,
    });
    scheduler.pause(2_000);
    await clock.advance(1_500);
    expect(scheduler.figures()).toMatchObject({ tokens: { lists: 8, window: 30 }, pausedForMs: 500 });
  });
});

describe('the published limits', () => {
  it('keep the list of devices under 30 in any minute, and other requests apart from it', async () => {
    const { scheduler, clock } = schedulerOf(4);
    expect(await drain(scheduler, 'person', LIST)).toBe(29);
    expect((await enter(scheduler, 'person', 0)).kind).toBe('go');
    await clock.advance(60_000);
    expect(await drain(scheduler, 'person', LIST)).toBe(0);
    await clock.advance(1_000);
    expect(await drain(scheduler, 'person', LIST)).toBe(29);
  });

  it('keep all requests under 100 in a short window', async () => {
    const { scheduler, clock } = schedulerOf(4);
    expect(await drain(scheduler, 'person', READ)).toBe(100);
    await clock.advance(2_000);
    expect(await drain(scheduler, 'person', READ)).toBe(100);
  });

  it.each([
    ['list', LIST, 20, 9],
    ['window', READ, 67, 33],
  ] as const)('reserve the last third of the %s for people', async (_, request, background, person) => {
    const { scheduler } = schedulerOf(4);
    expect(await drain(scheduler, 'background', request)).toBe(background);
    expect(await drain(scheduler, 'person', request)).toBe(person);
  });

  it('can be switched off, and set', async () => {
    const off = schedulerOf(4, 'off').scheduler;
    for (let calls = 0; calls < 500; calls += 1) leave(await enter(off, 'background', 0, { request: LIST }));
    off.applyRateLimit({ limit: 100, remaining: 0, resetMs: 1_500 });
    expect(off.figures()).toMatchObject({ tokens: {}, pausedForMs: 0 });
    const set = schedulerOf(4, { listsPerMinute: 2 }).scheduler;
    expect(await drain(set, 'person', LIST)).toBe(2);
  });

  it('serve a person at once while a background walk waits for slots and tokens', async () => {
    const { scheduler, clock } = schedulerOf(4);
    const walk = Array.from({ length: 200 }, () =>
      enter(scheduler, 'background', 0, { request: LIST, patient: true }),
    );
    for (const turn of walk.slice(0, 20)) leave(await turn);
    expect(await soFar(walk.slice(20, 22))).toEqual([null, null]);
    expect(await soFar([enter(scheduler, 'person', 0, { request: LIST })])).toEqual(['go']);
    expect(scheduler.figures().waiting).toEqual({ person: 0, write: 0, background: 180 });
    await clock.advance(61_000);
    expect(await soFar(walk.slice(20, 24))).toEqual(['go', 'go', null, null]);
  });

  it('are never exceeded in any window, whatever calls come when (property)', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.nat(700), fc.constantFrom<Lane>(...LANES)), { maxLength: 60 }),
        async (calls) => {
          const { scheduler, clock } = schedulerOf(50, { window: { requests: 5, ms: 1_000 } });
          const gone: number[] = [];
          for (const [waitMs, lane] of calls) {
            await clock.advance(waitMs);
            const turn = await enter(scheduler, lane, 0);
            if (turn.kind === 'go') gone.push(clock.now());
            if (turn.kind === 'go') turn.leave();
          }
          for (const at of gone)
            expect(gone.filter((other) => other >= at && other < at + 1_000).length).toBeLessThanOrEqual(5);
        },
      ),
    );
  });
});

describe('the limit that the service states', () => {
  it('holds all calls until the reset when nothing remains', async () => {
    const { scheduler, clock } = schedulerOf(4);
    scheduler.applyRateLimit({ limit: 100, remaining: 0, resetMs: 1_500 });
    const turns = [enter(scheduler), enter(scheduler, 'background')];
    await clock.advance(1_499);
    expect(await soFar(turns)).toEqual([null, null]);
    await clock.advance(1);
    expect(await soFar(turns)).toEqual(['go', 'go']);
  });

  it('lowers our own limit when it is smaller, and never raises it', async () => {
    const { scheduler } = schedulerOf(4);
    scheduler.applyRateLimit({ limit: 10, remaining: 10, resetMs: 1_000 });
    expect(await drain(scheduler, 'person', READ)).toBe(10);
    const other = schedulerOf(4).scheduler;
    other.applyRateLimit({ limit: 5_000, remaining: 5_000, resetMs: 1_000 });
    expect(await drain(other, 'person', READ)).toBe(100);
  });

  it('counts what others took with the same key, until the reset', async () => {
    const { scheduler, clock } = schedulerOf(4);
    scheduler.applyRateLimit({ limit: 100, remaining: 40, resetMs: 1_000 });
    expect(await drain(scheduler, 'background', READ)).toBe(7);
    expect(await drain(scheduler, 'person', READ)).toBe(33);
    await clock.advance(1_000);
    expect(scheduler.figures().tokens).toMatchObject({ window: 60 });
  });
});

describe('setting back the time of day', () => {
  it.each<[string, (scheduler: Scheduler) => unknown]>([
    ['a pause', (scheduler) => scheduler.pause(60_000)],
    ['a limit', (scheduler) => drain(scheduler, 'person', LIST)],
    [
      'what others took',
      (scheduler) => scheduler.applyRateLimit({ limit: 100, remaining: 1, resetMs: 60_000 }),
    ],
  ])('does not make %s longer', async (_, hold) => {
    const { clock, moveBack } = backwards();
    const scheduler = createScheduler({ clock });
    await hold(scheduler);
    expect((await enter(scheduler, 'background', 0, { request: LIST })).kind).toBe('throttled');
    moveBack(HOUR);
    expect((await enter(scheduler, 'background', 0, { request: LIST })).kind).toBe('go');
  });
});

describe('a scheduler that is closed', () => {
  it('refuses waiting calls, however patient, and new ones', async () => {
    const { scheduler } = schedulerOf(1);
    const running = await enter(scheduler);
    const waiting = [enter(scheduler), enter(scheduler, 'background', 0, { patient: true })];
    scheduler.close();
    expect(await soFar([...waiting, enter(scheduler)])).toEqual(['closed', 'closed', 'closed']);
    expect(scheduler.figures()).toMatchObject({ running: 1, waiting: { person: 0, background: 0 } });
    leave(running);
    expect(scheduler.figures().running).toBe(0);
  });
});
