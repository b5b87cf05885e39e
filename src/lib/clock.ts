/**
 * The two kinds of time, and the only reader of the time of day.
 *
 * The **clock** is wall time plus an offset: polls, expiry, following and every time shown to a person use it, and a
 * test or the sandbox may move it. **Wall time** is for what the network decides: deadlines, the three-second
 * acknowledgement, leases.
 */
import { setImmediate as immediate } from 'node:timers/promises';
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

/** How long ago `at` was, in milliseconds; 0 for a future time, which a clock that was set back can leave behind. */
export function ageOf(at: Instant, now: Instant): number {
  return Math.max(now - at, 0);
}

/** A wait of `ms` milliseconds that ends at `until`. */
export type Wait = { readonly until: Instant; readonly ms: number };

/** 0 when it is over, or when the time of day was set back so that it would take longer than planned. */
export function remainingMs({ until, ms }: Wait, now: Instant): number {
  const left = until - now;
  return left > 0 && left <= ms ? left : 0;
}

/** A time zone of the IANA database in the runtime's own spelling; null where it has none of the name. */
export function timeZoneNamed(name: string): string | null {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone;
  } catch {
    return null;
  }
}

/** Wall time. Only for deadlines that must not move with the clock. */
export function wallNow(): Instant {
  return instant(Date.now());
}

/** Milliseconds since this process started, whatever happens to the time of day. */
export function monotonicNow(): number {
  return performance.now();
}

export type Timer = { readonly cancel: () => void };
export type Task = () => void | Promise<void>;

export type Clock = {
  readonly now: () => Instant;
  /** A past `due` runs on the next turn of the event loop. Early only where the time of day was set back meanwhile. */
  readonly at: (due: Instant, task: Task) => Timer;
  /** Milliseconds that really passed, also while the machine slept, without what `advance` adds. */
  readonly elapsed: () => number;
};

/** Waits `ms` of the clock, or until `early` settles: then no timer is left, and its error is thrown. */
export async function waitOn(
  clock: Clock,
  ms: number,
  early: Promise<unknown> = new Promise(() => {}),
): Promise<void> {
  const over = Promise.withResolvers<void>();
  const timer = clock.at(later(clock.now(), ms), over.resolve);
  try {
    await Promise.race([over.promise, early]);
  } finally {
    timer.cancel();
  }
}

export type MovableClock = Clock & {
  /** Fires what falls due in order, each at its own time and finished before the next. A clock never goes back. */
  readonly advance: (ms: number) => Promise<void>;
  /** The same as a machine that slept sees it: all that fell due meanwhile fires at the time of waking. */
  readonly jump: (ms: number) => void;
  readonly stop: () => void;
};

type Entry = { readonly due: Instant; readonly order: number; readonly task: Task };

/** Smaller differences come from reading two clocks one after the other, not from setting the time of day back. */
const SET_BACK_MS = SECOND;
/** Longest delay that `setTimeout` takes (a 32-bit count of milliseconds). */
const MAX_TIMER_MS = 2 ** 31 - 1;

type ClockOptions = {
  /** Where the clock starts; it then stands still until it is advanced. Without it the clock ticks with wall time. */
  readonly standingAt?: Instant;
  /** Called with the error of a task that threw; tasks are expected to handle their own failures. */
  readonly onError?: (error: unknown) => void;
  readonly wall?: () => Instant;
};

/**
 * The running clock: it ticks with wall time and is moved by `advance`. When the time of day is set back, tasks keep
 * the time they had left: otherwise everything would wait for as long as the clock had been wrong.
 */
export function createClock({
  standingAt,
  onError = rethrow,
  wall = wallNow,
}: ClockOptions = {}): MovableClock {
  const entries = createHeap<Entry>((a, b) => a.due < b.due || (a.due === b.due && a.order < b.order));
  let offset = 0;
  let slept = 0;
  let nextOrder = 0;
  let timeout: NodeJS.Timeout | undefined;
  const now = () => instant((standingAt ?? wall()) + offset);
  const begun = { wall: wall(), monotonic: monotonicNow() };
  // The time that nobody sets stands still while the machine sleeps, so the time of day counts beside it.
  const passed = () => Math.max(monotonicNow() - begun.monotonic, wall() - begun.wall);
  const setBack = standingAt === undefined ? createSetBackMeter(wall) : () => 0;
  /** What entries are compared with: the clock plus everything it was set back. This sum never goes back. */
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
    elapsed: () => (standingAt === undefined ? passed() + slept : offset),
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
    jump(ms) {
      offset += Math.max(ms, 0);
      slept += Math.max(ms, 0);
      schedule();
    },
    stop() {
      clearTimeout(timeout);
      entries.clear();
    },
  };
}

/** How far the time of day was set back so far, in milliseconds, against the time that really passed. */
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

/** Lets everything else that waits run first. Called between parts of long work, so that it does not block the rest. */
export function yieldToEventLoop(): Promise<void> {
  return immediate();
}

/** The smallest item first. `isBefore` must order every two items. An item may be added only once. */
export function createHeap<T extends object>(isBefore: (a: T, b: T) => boolean) {
  /** Smallest first: the items at `2n + 1` and `2n + 2` come after the item at `n`. */
  const items: T[] = [];
  const indexes = new Map<T, number>();

  const set = (item: T, at: number): void => {
    items[at] = item;
    indexes.set(item, at);
  };
  const siftUp = (item: T, from: number): void => {
    let at = from;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      const other = items[parent];
      if (other === undefined || !isBefore(item, other)) break;
      set(other, at);
      at = parent;
    }
    set(item, at);
  };
  /** The index of the smaller child of `at`, if that child comes before `item`. */
  const smallerChild = (item: T, at: number): number | null => {
    const [left, right] = [items[2 * at + 1], items[2 * at + 2]];
    if (left === undefined) return null;
    const isRight = right !== undefined && isBefore(right, left);
    return isBefore(isRight ? right : left, item) ? 2 * at + (isRight ? 2 : 1) : null;
  };
  const siftDown = (item: T, from: number): void => {
    let at = from;
    for (let child = smallerChild(item, at); child !== null; child = smallerChild(item, at)) {
      const other = items[child];
      if (other === undefined) break;
      set(other, at);
      at = child;
    }
    set(item, at);
  };

  return {
    add: (item: T): void => siftUp(item, items.length),
    /** False when the item is not in the heap. */
    remove(item: T): boolean {
      const at = indexes.get(item);
      if (at === undefined) return false;
      indexes.delete(item);
      const last = items.pop();
      if (last === undefined || last === item) return true;
      // The last item fills the gap, and may belong above or below it.
      siftDown(last, at);
      siftUp(last, indexes.get(last) ?? at);
      return true;
    },
    /** The smallest item, which stays in the heap; undefined when the heap is empty. */
    peek: (): T | undefined => items[0],
    clear(): void {
      items.length = 0;
      indexes.clear();
    },
  };
}
