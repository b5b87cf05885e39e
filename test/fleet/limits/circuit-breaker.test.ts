import { describe, expect, it } from 'vitest';
import type { CallOutcome } from '../../../src/fleet/http/call-outcome.ts';
import { type FailureCause, fleetError } from '../../../src/fleet/http/errors.ts';
import {
  type CallIntent,
  type CircuitBreaker,
  createCircuitBreaker,
} from '../../../src/fleet/limits/circuit-breaker.ts';
import { createManualClock, HOUR, instant, MINUTE } from '../../../src/lib/clock.ts';
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
