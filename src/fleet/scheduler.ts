/**
 * Who may call now, for everything that shares one key: a few calls at once, a person before background work, within
 * the rate limits, and a pause for everybody when the service says it had enough. Limits and pauses live on the
 * clock; deadlines on wall time.
 */
import { type Clock, type Instant, later, leftOf, type Timer, type Wait } from '../clock.ts';
import type { Count } from './bucket.ts';
import type { RequestBudget } from './budget.ts';
import type { Lane } from './fleet.ts';
import { createLimits, type LimitOptions } from './limits.ts';
import { canOutwait, type Place, type Turn, type Waiter, waitIn } from './line.ts';

export type Scheduler = {
  /** Waits for a turn. A caller's own abort throws its reason. */
  readonly enter: (place: Place) => Promise<Turn>;
  /** Nobody starts for `ms` of clock; a longer pause that runs already stays. */
  readonly pause: (ms: number) => void;
  /** What the service says about its rate limit. */
  readonly heed: (count: Count) => void;
  /** Whoever waits, or comes from now on, is sent away; turns that were given go on. */
  readonly close: () => void;
  readonly figures: () => SchedulerFigures;
};
export type SchedulerFigures = {
  readonly running: number;
  readonly waiting: Readonly<Record<Lane, number>>;
  /** Requests that each limit would take now. */
  readonly tokens: Readonly<Record<string, number>>;
  readonly pausedForMs: number;
};
export type SchedulerOptions = {
  readonly clock: Clock;
  readonly concurrency?: number;
  readonly limits?: LimitOptions | undefined;
  /** Shared with other processes; null: nobody else uses the key. */
  readonly budget?: RequestBudget | null;
};

/** Calls at once: what the live service bears well (management API in practice, 2.3 and 15). */
const DEFAULT_CONCURRENCY = 4;

/** One for all calls with a key. */
export function createScheduler(options: SchedulerOptions): Scheduler {
  const { clock, concurrency = DEFAULT_CONCURRENCY } = options;
  const limits = createLimits(clock, options.limits, options.budget);
  const waiting: Record<Lane, Set<Waiter>> = { person: new Set(), background: new Set() };
  // The last slot is kept for a person, except where there is only one.
  const slots: Record<Lane, number> = { person: concurrency, background: Math.max(concurrency - 1, 1) };
  let running = 0;
  let pausing: Wait = { until: clock.now(), ms: 0 };
  let closed = false;
  let wake: { readonly at: Instant; readonly timer: Timer } | undefined;

  const start = (waiter: Waiter): void => {
    let left = false;
    const leave = () => {
      if (left) return;
      left = true;
      running -= 1;
      serve();
    };
    running += 1;
    limits.take(waiter.request, clock.now());
    waiter.settle({ kind: 'go', leave });
  };
  /** Wakes at the earliest time that anybody waits for. */
  const wakeAt = (at: Instant): void => {
    if (wake !== undefined && wake.at <= at && wake.at > clock.now()) return;
    wake?.timer.cancel();
    wake = { at, timer: clock.at(at, woken) };
  };
  const woken = (): void => {
    wake = undefined;
    serve();
  };
  const serveOrHold = (waiter: Waiter): void => {
    const now = clock.now();
    const paused = leftOf(pausing, now) > 0;
    const at = paused ? pausing.until : limits.freeAt(waiter.request, waiter.lane, now);
    const outwaits = (waiter.patient === true && !paused) || canOutwait(waiter, at - now);
    if (at <= now) start(waiter);
    else if (outwaits) wakeAt(at);
    else waiter.settle({ kind: 'throttled', retryAfterMs: at - now, by: paused ? 'pause' : 'limit' });
  };
  const serve = (): void => {
    for (const lane of ['person', 'background'] as const)
      for (const waiter of waiting[lane]) {
        if (running >= slots[lane] && leftOf(pausing, clock.now()) === 0) break;
        serveOrHold(waiter);
      }
  };

  const pause = (ms: number): void => {
    const now = clock.now();
    if (ms <= leftOf(pausing, now)) return;
    pausing = { until: later(now, ms), ms };
    serve();
  };
  options.budget?.onPause(pause);
  return {
    async enter(place) {
      if (closed) return { kind: 'closed' };
      const turn = waitIn(waiting[place.lane], place);
      serve();
      return turn;
    },
    close() {
      closed = true;
      wake?.timer.cancel();
      for (const waiter of [...waiting.person, ...waiting.background]) waiter.settle({ kind: 'closed' });
    },
    pause,
    heed(count) {
      if (options.limits === 'off') return;
      limits.correct(count, clock.now());
      if (count.remaining === 0) pause(count.resetMs);
    },
    figures: () => ({
      running,
      waiting: { person: waiting.person.size, background: waiting.background.size },
      tokens: limits.tokens(),
      pausedForMs: leftOf(pausing, clock.now()),
    }),
  };
}
