/**
 * The tokens of one rate limit. Each returns a whole window after it was taken, so that no period of that length,
 * wherever it begins, holds more than `capacity` requests. Uses the clock.
 */
import { type Instant, instant, later, MINUTE, remainingMs, SECOND } from '../../lib/clock.ts';
import type { Lane } from '../fleet.ts';

export type TokenBucket = Readonly<ReturnType<typeof createTokenBucket>>;
export type RateLimitReport = {
  readonly limit: number;
  readonly remaining: number;
  /** Milliseconds until the service starts a new window. */
  readonly resetMs: number;
};
export type TokenBucketSize = { readonly capacity: number; readonly windowMs: number };

/** Full at first. `share` (0 to 1): the part of the capacity that is ours; other processes have the rest. */
export function createTokenBucket(
  { capacity: fullCapacity, windowMs }: TokenBucketSize,
  share: () => number = () => 1,
) {
  /** When each taken token returns; the earliest first. */
  const returnsAt: Instant[] = [];
  let reportedCapacity = fullCapacity;
  /** Tokens that others took, and until when. */
  let takenByOthers = { tokens: 0, until: instant(0), ms: 0 };

  const expire = (now: Instant): void => {
    while (returnsAt[0] !== undefined && remainingMs({ until: returnsAt[0], ms: windowMs }, now) === 0)
      returnsAt.shift();
    if (remainingMs(takenByOthers, now) === 0) takenByOthers = { tokens: 0, until: now, ms: 0 };
  };
  const capacityNow = (): number => Math.min(reportedCapacity, Math.floor(fullCapacity * share()));
  const tokens = (now: Instant): number => {
    expire(now);
    return capacityNow() - takenByOthers.tokens - returnsAt.length;
  };
  return {
    tokens: (now: Instant): number => Math.max(tokens(now), 0),
    capacity: capacityNow,
    /** When a token is free for this lane: `now` where one is. */
    freeAt(lane: Lane, now: Instant): Instant {
      // Writes and background work leave the last third, so that a person's question never waits behind them.
      const reserved = lane === 'person' ? 0 : Math.floor(capacityNow() / 3);
      const missing = reserved + 1 - tokens(now);
      if (missing <= 0) return now;
      const returning =
        takenByOthers.tokens === 0
          ? returnsAt
          : [...returnsAt, ...Array(takenByOthers.tokens).fill(takenByOthers.until)].sort((a, b) => a - b);
      return returning[missing - 1] ?? later(now, windowMs);
    },
    take(now: Instant): void {
      returnsAt.push(later(now, windowMs));
    },
    /** Applies the service's own count, which other users of the key lower too; the smaller count wins. */
    correct({ limit, remaining, resetMs }: RateLimitReport, now: Instant): void {
      reportedCapacity = Math.min(fullCapacity, limit);
      const more = tokens(now) - remaining;
      if (more > 0)
        takenByOthers = { tokens: takenByOthers.tokens + more, until: later(now, resetMs), ms: resetMs };
    },
  };
}

/** Seen live: one or two seconds (management API in practice, 2.3). Longer windows are ignored. */
const MAX_WINDOW_MS = MINUTE;

/** The reset is in seconds since the epoch; `answeredAt` is the answer's own time. Null unless all makes sense. */
export function readRateLimit(
  header: (name: string) => string | null,
  answeredAt: Instant | null,
): RateLimitReport | null {
  const limit = parseCount(header('x-ratelimit-limit'));
  const remaining = parseCount(header('x-ratelimit-remaining'));
  const reset = parseCount(header('x-ratelimit-reset'));
  if (limit === null || remaining === null || reset === null || answeredAt === null) return null;
  const resetMs = Math.max(reset * SECOND - answeredAt, 0);
  if (limit === 0 || remaining > limit || resetMs > MAX_WINDOW_MS) return null;
  return { limit, remaining, resetMs };
}

function parseCount(text: string | null): number | null {
  return text !== null && /^\d{1,12}$/.test(text) ? Number(text) : null;
}
