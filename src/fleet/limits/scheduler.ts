/**
 * Who may call now, for everything that shares one key: a few calls at once, a person's reads before writes, those
 * before background work, within the rate limits, and a pause for everybody when the service says it had enough.
 * Limits and pauses live on the clock; deadlines on wall time.
 */
import {
  type Clock,
  type Instant,
  later,
  remainingMs,
  type Timer,
  type Wait,
  wallNow,
} from '../../lib/clock.ts';
import { LANES, type Lane } from '../fleet.ts';
import {
  createRequestLimits,
  DEVICE_LIST_LIMIT,
  isDeviceList,
  type LimitedRequest,
  type LimitOptions,
  type RequestBudget,
} from './rate-limits.ts';
import type { RateLimitReport } from './token-bucket.ts';

export type Scheduler = Readonly<ReturnType<typeof createScheduler>>;
export type SchedulerFigures = Readonly<ReturnType<Scheduler['figures']>>;
type SchedulerOptions = {
  readonly clock: Clock;
  readonly concurrency?: number;
  readonly limits?: LimitOptions | undefined;
  /** Shared with other processes; null: no other process uses the key. */
  readonly budget?: RequestBudget | null;
};

/** Calls at once: what the live service bears well (management API in practice, 2.3 and 15). */
const DEFAULT_CONCURRENCY = 4;

/** One for all calls with a key. */
export function createScheduler(options: SchedulerOptions) {
  const { clock, concurrency = DEFAULT_CONCURRENCY } = options;
  const limits = createRequestLimits(clock, options.limits, options.budget);
  const waiting: Record<Lane, Set<Waiter>> = { person: new Set(), write: new Set(), background: new Set() };
  // The last slot is kept for a person's reads, except where there is only one.
  const others = Math.max(concurrency - 1, 1);
  const slots: Record<Lane, number> = { person: concurrency, write: others, background: others };
  let running = 0;
  let pauseWait: Wait = { until: clock.now(), ms: 0 };
  let closed = false;

  const start = (waiter: Waiter): void => {
    const leave = once(() => {
      running -= 1;
      grantTurns();
    });
    running += 1;
    limits.take(waiter.request, clock.now());
    waiter.settle({ kind: 'go', leave });
  };
  const grantOrHold = (waiter: Waiter): void => {
    const now = clock.now();
    const paused = remainingMs(pauseWait, now) > 0;
    const at = paused ? pauseWait.until : limits.freeAt(waiter.request, waiter.lane, now);
    const outwaits = (waiter.patient === true && !paused) || canWait(waiter, at - now);
    if (at <= now) start(waiter);
    else if (outwaits) wakeUp.at(at);
    else waiter.settle({ kind: 'throttled', retryAfterMs: at - now, by: paused ? 'pause' : 'limit' });
  };
  const grantTurns = (): void => {
    for (const lane of LANES)
      for (const waiter of waiting[lane]) {
        if (running >= slots[lane] && remainingMs(pauseWait, clock.now()) === 0) break;
        grantOrHold(waiter);
      }
  };
  const wakeUp = createWakeUp(clock, grantTurns);

  /** No call starts for `ms` of clock; a longer pause that is already running stays. */
  const pause = (ms: number): void => {
    const now = clock.now();
    if (ms <= remainingMs(pauseWait, now)) return;
    pauseWait = { until: later(now, ms), ms };
    grantTurns();
  };
  options.budget?.onPause(pause);
  return {
    /** Waits for a turn. A caller's own abort throws its reason. */
    async enter(turnRequest: TurnRequest): Promise<Turn> {
      if (closed) return { kind: 'closed' };
      const turn = waitForTurn(waiting[turnRequest.lane], turnRequest);
      grantTurns();
      return turn;
    },
    /** Refuses calls that wait and all new ones; turns that were granted continue. */
    close(): void {
      closed = true;
      wakeUp.cancel();
      for (const lane of LANES) for (const waiter of waiting[lane]) waiter.settle({ kind: 'closed' });
    },
    pause,
    applyRateLimit(count: RateLimitReport): void {
      if (options.limits === 'off') return;
      limits.correct(count, clock.now());
      if (count.remaining === 0) pause(count.resetMs);
    },
    figures: () => ({
      running,
      waiting: {
        person: waiting.person.size,
        write: waiting.write.size,
        background: waiting.background.size,
      },
      /** Requests that each limit would take now. */
      tokens: limits.tokens(),
      /** How many it takes in one window. */
      capacities: limits.capacities(),
      pausedForMs: remainingMs(pauseWait, clock.now()),
    }),
  };
}

function once(work: () => void): () => void {
  let done = false;
  return () => {
    if (done) return;
    done = true;
    work();
  };
}

/** Calls `onWake` at the earliest of the times that were named since the last call. */
function createWakeUp(clock: Clock, onWake: () => void) {
  let wake: { readonly at: Instant; readonly timer: Timer } | undefined;
  const run = (): void => {
    wake = undefined;
    onWake();
  };
  return {
    at(at: Instant): void {
      if (wake !== undefined && wake.at <= at && wake.at > clock.now()) return;
      wake?.timer.cancel();
      wake = { at, timer: clock.at(at, run) };
    },
    cancel: () => wake?.timer.cancel(),
  };
}

/** What a turn needs when processes share a budget. */
export type SharedScheduling = {
  readonly scheduler: Pick<Scheduler, 'enter'>;
  /** Null: no other process uses the key. */
  readonly budget: RequestBudget | null;
  /** On the clock; ends early when the client is closed, and throws the reason of a caller's abort. */
  readonly wait: (ms: number, signal?: AbortSignal) => Promise<void>;
};

/** The shared budget is taken last, so that the request is sent within the window in which it is counted. */
export async function enterWithBudget(
  { scheduler, budget, wait }: SharedScheduling,
  turnRequest: TurnRequest,
): Promise<Turn> {
  for (;;) {
    const turn = await scheduler.enter(turnRequest);
    if (turn.kind !== 'go' || budget === null || !isDeviceList(turnRequest.request)) return turn;
    const waitMs = await budget.takeList({ ...DEVICE_LIST_LIMIT, lane: turnRequest.lane });
    if (waitMs === null) return turn;
    turn.leave();
    if (turnRequest.patient !== true && !canWait(turnRequest, waitMs))
      return { kind: 'throttled', retryAfterMs: waitMs, by: 'limit' };
    await wait(waitMs, turnRequest.signal);
  }
}

export type TurnRequest = {
  readonly lane: Lane;
  readonly request: LimitedRequest;
  /** Wall time after which waiting is pointless. */
  readonly deadline: Instant;
  /** A background walk waits out our own limits; its deadline then applies only to a pause of the service. */
  readonly patient?: boolean;
  readonly signal?: AbortSignal | undefined;
};

export type Turn =
  /** Send, and call `leave` exactly once when done. */
  | { readonly kind: 'go'; readonly leave: () => void }
  /** The wait is longer than the deadline: waiting is useless. */
  | {
      readonly kind: 'throttled';
      readonly retryAfterMs: number;
      /** Our own limit, or a pause that the service asked for. */
      readonly by: 'limit' | 'pause';
    }
  | { readonly kind: 'late' }
  | { readonly kind: 'closed' };

type Waiter = TurnRequest & { readonly settle: (turn: Turn) => void };

/** Waits among `waiters`; a caller's own abort throws its reason. */
function waitForTurn(waiters: Set<Waiter>, turnRequest: TurnRequest): Promise<Turn> {
  return new Promise((resolve, reject) => {
    turnRequest.signal?.throwIfAborted();
    const removeWaiter = () => {
      clearTimeout(late);
      turnRequest.signal?.removeEventListener('abort', abandon);
      waiters.delete(waiter);
    };
    const settle = (turn: Turn) => {
      removeWaiter();
      resolve(turn);
    };
    const abandon = () => {
      removeWaiter();
      reject(turnRequest.signal?.reason);
    };
    const waiter: Waiter = { ...turnRequest, settle };
    const late =
      turnRequest.patient === true
        ? undefined
        : setTimeout(() => settle({ kind: 'late' }), Math.max(turnRequest.deadline - wallNow(), 0));
    turnRequest.signal?.addEventListener('abort', abandon);
    waiters.add(waiter);
  });
}

function canWait({ deadline }: TurnRequest, ms: number): boolean {
  return wallNow() + ms <= deadline;
}
