/** Lets a few of many repeated entries pass, so that repetition cannot fill the log or the audit. */
import { type Clock, type Instant, later } from '../../lib/clock.ts';
import { dropOldest } from '../../lib/newest.ts';

export type RateLimiter = (key: string) => RateLimitVerdict;
/** `skipped`: entries with this key that were left out since the last one that passed. */
export type RateLimitVerdict = { readonly pass: true; readonly skipped: number } | { readonly pass: false };

export type RateLimiterOptions = {
  readonly clock: Pick<Clock, 'now'>;
  /** Entries with one key that pass in each interval. */
  readonly max: number;
  readonly everyMs: number;
};

type WindowCount = { endsAt: Instant; passed: number; skipped: number };

/** Keys counted at once; the oldest is dropped first. */
const MAX_KEYS = 1_000;

/** Counts in memory, so each process has its own count. */
export function createRateLimiter({ clock, max, everyMs }: RateLimiterOptions): RateLimiter {
  const counts = new Map<string, WindowCount>();
  return (key) => {
    const now = clock.now();
    const count = counts.get(key) ?? { endsAt: now, passed: 0, skipped: 0 };
    counts.set(key, count);
    dropOldest(counts, MAX_KEYS);
    if (now >= count.endsAt) {
      count.endsAt = later(now, everyMs);
      count.passed = 0;
    }
    if (count.passed >= max) {
      count.skipped += 1;
      return { pass: false };
    }
    count.passed += 1;
    const { skipped } = count;
    count.skipped = 0;
    return { pass: true, skipped };
  };
}
