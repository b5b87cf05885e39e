/**
 * The two kinds of time, and the only reader of the time of day.
 *
 * The **clock** is wall time plus an offset: polls, expiry, following and every time shown to a person live
 * on it, and a test or the sandbox may move it. **Wall time** is for what the network decides: deadlines,
 * the three-second acknowledgement, leases. Nothing else reads the time of day.
 */
import { setImmediate as immediate } from 'node:timers/promises';
import { createHeap } from './heap.ts';
import type { Brand } from './ids.ts';

/** A point in time: milliseconds since 1970-01-01T00:00:00Z. */
export type Instant = Brand<number, 'Instant'>;

export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

export function instant(epochMs: number): Instant {
  return epochMs as Instant;
}

/** `at` moved by `ms` (negative moves back). */
export function later(at: Instant, ms: number): Instant {
  return instant(at + ms);
}

/** How long ago `at` was, in milliseconds: 0 for a time that is still to come, as a clock that was set back leaves it. */
export function ageOf(at: Instant, now: Instant): number {
  return Math.max(now - at, 0);
}

/** A wait that began with `ms`. */
export type Wait = { readonly until: Instant; readonly ms: number };

/** What is left of `wait`: 0 where it is over, or where the time of day was set back so that it would take longer. */
export function remainingMs({ until, ms }: Wait, now: Instant): number {
  const left = until - now;
  return left > 0 && left <= ms ? left : 0;
}

/** Wall time. Only for deadlines that no clock may move. */
export function wallNow(): Instant {
  return instant(Date.now());
}

/** Milliseconds since this process began, whatever happens to the time of day. For leases and waits inside one process. */
export function monotonicNow(): number {
  return performance.now();
}

export type Timer = { readonly cancel: () => void };
export type Task = () => void | Promise<void>;

export type Clock = {
  readonly now: () => Instant;
  /**
   * Runs `task` once, as soon as the clock has reached `due`; a due time in the past runs on the next turn. Before `due`
   * only where the time of day was set back meanwhile.
   */
  readonly at: (due: Instant, task: Task) => Timer;
};

export type MovableClock = Clock & {
  /**
   * Moves the clock forward by `ms`, firing what fell due in order, each task at its own due time and
   * finished before the next begins. A clock never goes back.
   */
  readonly advance: (ms: number) => Promise<void>;
  readonly stop: () => void;
};

type Entry = { readonly due: Instant; readonly order: number; readonly task: Task };

/** Less than this is no setting back of the time of day, but two readings that do not meet. */
const SET_BACK_MS = SECOND;
/** Longest delay that `setTimeout` takes (a 32-bit count of milliseconds). */
const MAX_TIMER_MS = 2 ** 31 - 1;

export type ClockOptions = {
  /** Where the clock starts; it then stands still until it is advanced. Without it the clock ticks with wall time. */
  readonly standingAt?: Instant;
  /** Told about a task that threw; tasks are expected to handle their own failures. */
  readonly onError?: (error: unknown) => void;
  /** Wall time. */
  readonly wall?: () => Instant;
};

/**
 * The running clock: ticks with wall time, moved by `advance`. Where the time of day is set back, tasks keep the time
 * that they had left: to wait for it to come again would hold everything up for as long as it was wrong.
 */
export function createClock({
  standingAt,
  onError = rethrow,
  wall = wallNow,
}: ClockOptions = {}): MovableClock {
  const entries = createHeap<Entry>((a, b) => a.due < b.due || (a.due === b.due && a.order < b.order));
  let offset = 0;
  let nextOrder = 0;
  let timeout: NodeJS.Timeout | undefined;
  const now = () => instant((standingAt ?? wall()) + offset);
  const setBack = standingAt === undefined ? createSetBackMeter(wall) : () => 0;
  /** What entries wait for: the clock and all that it was set back, which together never go back. */
  const steady = () => later(now(), setBack());

  const run = async (entry: Entry): Promise<void> => {
    entries.remove(entry);
    try {
      await entry.task();
    } catch (error) {
      onError(error);
    }
  };
  const schedule = (): void => {
    clearTimeout(timeout);
    const next = entries.peek();
    if (next && (standingAt === undefined || next.due <= now()))
      timeout = setTimeout(tick, Math.min(Math.max(next.due - steady(), 0), MAX_TIMER_MS));
  };
  const tick = (): void => {
    for (let next = entries.peek(); next && next.due <= steady(); next = entries.peek()) void run(next);
    schedule();
  };

  return {
    now,
    at(due, task) {
      const entry: Entry = { due: later(due, setBack()), order: nextOrder++, task };
      entries.add(entry);
      schedule();
      return {
        cancel: () => {
          entries.remove(entry);
        },
      };
    },
    async advance(ms) {
      const target = later(steady(), Math.max(ms, 0));
      for (let next = entries.peek(); next && next.due <= target; next = entries.peek()) {
        offset += Math.max(next.due - steady(), 0);
        await run(next);
      }
      offset += Math.max(target - steady(), 0);
      schedule();
    },
    stop() {
      clearTimeout(timeout);
      entries.clear();
    },
  };
}

/** How far the time of day was set back so far, in all: seen where it falls behind the time that really passed. */
function createSetBackMeter(wall: () => Instant): () => number {
  let sum = 0;
  let ahead = wall() - performance.now();
  return () => {
    const now = wall() - performance.now();
    if (ahead - now >= SET_BACK_MS) sum += Math.round(ahead - now);
    ahead = now;
    return sum;
  };
}

/** A clock that stands still until it is advanced: for tests. */
export function createManualClock(start: Instant): MovableClock {
  return createClock({ standingAt: start });
}

function rethrow(error: unknown): never {
  throw error;
}

/** Everything else that waits has its turn first: between the parts of work that would hold the others up. */
export function yieldToEventLoop(): Promise<void> {
  return immediate();
}
