/** A clock that moves by itself to the next timer whenever nothing else goes on: hours of a rollout in seconds. */
import { setImmediate as immediate } from 'node:timers/promises';
import { type Clock, createHeap, type Instant, instant, type Task } from '../../../src/lib/clock.ts';

type Entry = { readonly due: Instant; readonly order: number; readonly task: Task };

export type VirtualClock = Clock & {
  /** Counts as going on until it settles: work that waits for no timer of this clock. */
  readonly busy: <T>(job: Promise<T>) => Promise<T>;
  /** Moves on until `isOver`. */
  readonly runUntil: (isOver: () => boolean) => Promise<void>;
};

/** Turns of the event loop without any news after which nothing goes on. */
const QUIET_TURNS = 6;

export function createVirtualClock(start: Instant): VirtualClock {
  const entries = createHeap<Entry>((a, b) => a.due < b.due || (a.due === b.due && a.order < b.order));
  let now = start;
  let order = 0;
  let running = 0;
  let news = 0;

  const quiet = async (): Promise<void> => {
    for (let turns = 0, seen = news; turns < QUIET_TURNS; turns += 1) {
      await immediate();
      if (running === 0 && news === seen) continue;
      seen = news;
      turns = -1;
    }
  };

  return {
    now: () => now,
    elapsed: () => now,
    at(due, task) {
      const entry = { due, order: order++, task };
      entries.add(entry);
      news += 1;
      return { cancel: () => void entries.remove(entry) };
    },
    async busy(job) {
      running += 1;
      try {
        return await job;
      } finally {
        running -= 1;
        news += 1;
      }
    },
    async runUntil(isOver) {
      for (;;) {
        await quiet();
        if (isOver()) return;
        const first = entries.peek();
        if (first === undefined) throw new Error('nothing is due any more');
        now = instant(Math.max(now, first.due));
        for (let next = entries.peek(); next !== undefined && next.due <= now; next = entries.peek()) {
          entries.remove(next);
          void next.task();
        }
      }
    },
  };
}
