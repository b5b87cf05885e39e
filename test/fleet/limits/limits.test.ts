import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LANES, type Lane } from '../../../src/fleet/fleet.ts';
import type { CallOutcome } from '../../../src/fleet/http/call-outcome.ts';
import { type FailureCause, fleetError } from '../../../src/fleet/http/errors.ts';
import {
  type CallIntent,
  type CircuitBreaker,
  createCircuitBreaker,
} from '../../../src/fleet/limits/circuit-breaker.ts';
import type { LimitedRequest, LimitOptions } from '../../../src/fleet/limits/rate-limits.ts';
import {
  createScheduler,
  type Scheduler,
  type Turn,
  type TurnRequest,
} from '../../../src/fleet/limits/scheduler.ts';
import { readRateLimit } from '../../../src/fleet/limits/token-bucket.ts';
import { createManualClock, HOUR, instant, later, MINUTE, wallNow } from '../../../src/lib/clock.ts';
import { property } from '../../harness/property.ts';
import { backwards } from '../harness.ts';

const PERSON: CallIntent = { lane: 'person', writes: false };
const WRITE: CallIntent = { lane: 'person', writes: true };
const BACKGROUND: CallIntent = { lane: 'background', writes: false };
const GOOD: CallOutcome = { kind: 'answered', json: null };

function failed(
  cause: FailureCause,
  status: number | null = null,
  retryAfterMs: number | null = null,
): CallOutcome {
  const error = fleetError({ method: 'GET', path: '/servers' }, status, cause, '');
  return { kind: 'failed', error, sent: true, retryable: true, retryAfterMs };
}
const DOWN = failed({ kind: 'unreachable' });

function closed() {
  const clock = createManualClock(instant(Date.UTC(2026, 0, 1)));
  return { clock, breaker: createCircuitBreaker(clock) };
}
function call(breaker: CircuitBreaker, outcome: CallOutcome | null, asking = BACKGROUND): string {
  const entry = breaker.admit(asking);
  if (entry.kind === 'go') entry.settle(outcome);
  return entry.kind;
}
function opened() {
  const { clock, breaker } = closed();
  for (let calls = 0; calls < 8; calls += 1) call(breaker, DOWN);
  return { clock, breaker };
}

describe('the breaker', () => {
  it.each<[string, CallOutcome]>([
    ['is unreachable', DOWN],
    ['does not answer in time', failed({ kind: 'timeout' })],
    ['is broken', failed({ kind: 'broken' }, 503)],
  ])('opens when the service %s eight times in a row, not seven', (_, outcome) => {
    const { breaker } = closed();
    for (let calls = 0; calls < 8; calls += 1) expect(call(breaker, outcome)).toBe('go');
    expect(breaker.admit(BACKGROUND)).toEqual({ kind: 'open', retryInMs: 5_000, failures: 8 });
    expect(breaker.figures()).toMatchObject({ state: 'open', retryInMs: 5_000 });
  });

  it.each<[string, CallOutcome | null]>([
    ['an answer', GOOD],
    ['a refusal', failed({ kind: 'invalid' }, 400)],
    ['an absent thing', failed({ kind: 'missing' }, 404)],
    ['a gateway’s own timeout', failed({ kind: 'timeout' }, 408)],
    ['a throttle', failed({ kind: 'throttled', retryAfterMs: 5 }, 429, 5)],
    ['an overload that says when to come back', failed({ kind: 'broken' }, 503, 3_000)],
    ['a page instead of JSON', failed({ kind: 'unreadable' }, 200)],
  ])('starts counting again after %s', (_, outcome) => {
    const { breaker } = closed();
    for (let calls = 0; calls < 7; calls += 1) call(breaker, DOWN);
    call(breaker, outcome);
    for (let calls = 0; calls < 7; calls += 1) call(breaker, DOWN);
    expect(breaker.figures().state).toBe('closed');
    call(breaker, DOWN);
    expect(breaker.figures().state).toBe('open');
  });

  it('does not count a caller that gave up', () => {
    const { breaker } = closed();
    for (let calls = 0; calls < 20; calls += 1) call(breaker, null);
    expect(breaker.figures().state).toBe('closed');
  });

  it('lets exactly one probe through after its time, whose success closes it', async () => {
    const { breaker, clock } = opened();
    await clock.advance(4_999);
    expect(breaker.admit(BACKGROUND).kind).toBe('open');
    await clock.advance(1);
    expect(breaker.rejection(BACKGROUND)).toBeNull();
    const probe = breaker.admit(BACKGROUND);
    expect(breaker.figures().state).toBe('half-open');
    expect([breaker.admit(BACKGROUND).kind, breaker.admit(PERSON).kind]).toEqual(['open', 'open']);
    if (probe.kind === 'go') probe.settle(GOOD);
    expect(breaker.figures().state).toBe('closed');
    expect(call(breaker, GOOD)).toBe('go');
  });

  it('opens for longer after each probe that failed, up to a minute', async () => {
    const { breaker, clock } = opened();
    const waits: number[] = [];
    for (let probes = 0; probes < 6; probes += 1) {
      const { retryInMs } = breaker.figures();
      waits.push(retryInMs);
      await clock.advance(retryInMs);
      expect(call(breaker, DOWN)).toBe('go');
    }
    expect(waits).toEqual([5_000, 10_000, 20_000, 40_000, 60_000, 60_000]);
  });

  it('gives the probe to the next call when its caller gave up', async () => {
    const { breaker, clock } = opened();
    await clock.advance(5_000);
    expect(call(breaker, null)).toBe('go');
    expect(call(breaker, GOOD)).toBe('go');
    expect(breaker.figures().state).toBe('closed');
  });

  it('lets a person’s read probe early, every two seconds at most, and no write', async () => {
    const { breaker, clock } = opened();
    await clock.advance(1_999);
    expect(call(breaker, DOWN, PERSON)).toBe('open');
    await clock.advance(1);
    expect(call(breaker, DOWN, WRITE)).toBe('open');
    expect(call(breaker, DOWN, BACKGROUND)).toBe('open');
    expect(call(breaker, DOWN, PERSON)).toBe('go');
    expect(call(breaker, DOWN, PERSON)).toBe('open');
    await clock.advance(2_000);
    expect(call(breaker, GOOD, PERSON)).toBe('go');
    expect(breaker.figures().state).toBe('closed');
  });

  it('closes on a good answer to a call already in flight, and does not open for longer on a bad one', () => {
    const { breaker } = closed();
    const [good, bad] = [breaker.admit(BACKGROUND), breaker.admit(BACKGROUND)];
    for (let calls = 0; calls < 8; calls += 1) call(breaker, DOWN);
    if (bad.kind === 'go') bad.settle(DOWN);
    expect(breaker.figures()).toMatchObject({ state: 'open', retryInMs: 5_000 });
    if (good.kind === 'go') good.settle(GOOD);
    expect(breaker.figures().state).toBe('closed');
  });

  it('does not stay open for longer because the time of day was set back', async () => {
    const { clock, moveBack } = backwards();
    const breaker = createCircuitBreaker(clock);
    for (let calls = 0; calls < 8; calls += 1) call(breaker, DOWN);
    moveBack(HOUR);
    expect(breaker.figures()).toMatchObject({ state: 'half-open', retryInMs: 0 });
    expect(call(breaker, DOWN)).toBe('go');
    expect(breaker.admit(BACKGROUND)).toMatchObject({ kind: 'open', retryInMs: 10_000 });
  });

  it('says since when the service has failed, how often, and that it rejects the key after three answers in a row', async () => {
    const { clock, breaker } = closed();
    const since = clock.now();
    for (let calls = 0; calls < 7; calls += 1) call(breaker, DOWN);
    expect(breaker.figures().failing).toBeNull();
    await clock.advance(MINUTE);
    call(breaker, failed({ kind: 'timeout' }));
    expect(breaker.figures().failing).toEqual({ cause: 'timeout', since, failures: 8 });
    await clock.advance(MINUTE);
    call(breaker, GOOD);
    expect(breaker.figures().failing).toBeNull();
    const reject = () => call(breaker, failed({ kind: 'unauthorized' }, 401));
    for (const before of [DOWN, GOOD]) {
      call(breaker, before);
      reject();
      reject();
      expect(breaker.figures().failing).toBeNull();
    }
    const rejectedSince = clock.now();
    reject();
    const failing = { cause: 'unauthorized', since: rejectedSince, failures: 3 };
    expect(breaker.figures()).toMatchObject({ state: 'closed', failing });
  });
});

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

  property([fc.array(fc.tuple(fc.nat(700), fc.constantFrom<Lane>(...LANES)), { maxLength: 60 })])(
    'are never exceeded in any window, whatever calls come when',
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
  );
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

const AT = instant(Date.UTC(2026, 0, 1, 12));
const RESET = String(AT / 1_000 + 2);

function quota(
  limit: string | null,
  remaining: string | null,
  reset: string | null,
  at: typeof AT | null = AT,
) {
  const headers: Readonly<Record<string, string | null>> = {
    'x-ratelimit-limit': limit,
    'x-ratelimit-remaining': remaining,
    'x-ratelimit-reset': reset,
  };
  return readRateLimit((name) => headers[name] ?? null, at);
}

describe('the headers of the rate limit', () => {
  it('are read by the service’s own time', () => {
    expect(quota('100', '96', RESET)).toEqual({ limit: 100, remaining: 96, resetMs: 2_000 });
    expect(quota('100', '0', String(AT / 1_000 - 5))).toEqual({ limit: 100, remaining: 0, resetMs: 0 });
  });

  it.each([
    ['none', null, null, null],
    ['no reset', '100', '0', null],
    ['no limit', null, '0', RESET],
    ['a limit of nothing', '0', '0', RESET],
    ['more left than there is', '10', '11', RESET],
    ['a reset far away', '100', '0', String(AT / 1_000 + 61)],
    ['a reset in milliseconds', '100', '0', String(AT + 2_000)],
    ['less than nothing', '-1', '0', RESET],
    ['words', 'many', 'few', 'soon'],
    ['fractions', '1e2', '0', RESET],
    ['hexadecimal', '0x64', '0', RESET],
    ['a list', '100, 100', '0', RESET],
  ])('are ignored when they are invalid: %s', (_, limit, remaining, reset) => {
    expect(quota(limit, remaining, reset)).toBeNull();
  });

  it('are ignored without the time of the answer', () => {
    expect(quota('100', '0', RESET, null)).toBeNull();
  });

  property([fc.string(), fc.string(), fc.string()])(
    'never cause a wait of more than a minute, whatever they say',
    (limit, remaining, reset) => {
      const found = quota(limit, remaining, reset);
      expect(found === null || (found.resetMs <= 60_000 && found.limit > 0)).toBe(true);
    },
  );
});
