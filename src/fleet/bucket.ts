/**
 * Tokens of one rate limit. Each comes back a whole window after it was taken, so that no stretch of that length,
 * wherever it begins, holds more than `capacity` requests. Lives on the clock; pure but for what it remembers.
 */
import { type Instant, instant, later, leftOf } from '../clock.ts';
import type { Lane } from './fleet.ts';

export type Bucket = {
  /** When a token is free for this lane: `now` where one is. */
  readonly freeAt: (lane: Lane, now: Instant) => Instant;
  readonly take: (now: Instant) => void;
  readonly tokens: (now: Instant) => number;
  /** The service's own count, which other users of the key lower too: believed where it is the smaller one. */
  readonly correct: (count: Count, now: Instant) => void;
};
export type Count = {
  readonly limit: number;
  readonly remaining: number;
  /** How long until the service counts anew. */
  readonly resetMs: number;
};
export type BucketSize = { readonly capacity: number; readonly windowMs: number };

/** Full at first. `share`, between 0 and 1, is what of the capacity is ours by now: others have the rest. */
export function createBucket(
  { capacity: whole, windowMs }: BucketSize,
  share: () => number = () => 1,
): Bucket {
  /** When the tokens that are out come back; the earliest first. */
  const back: Instant[] = [];
  let most = whole;
  /** Tokens that others took, and until when. */
  let others = { tokens: 0, until: instant(0), ms: 0 };

  const settle = (now: Instant): void => {
    while (back[0] !== undefined && leftOf({ until: back[0], ms: windowMs }, now) === 0) back.shift();
    if (leftOf(others, now) === 0) others = { tokens: 0, until: now, ms: 0 };
  };
  const capacityNow = (): number => Math.min(most, Math.floor(whole * share()));
  const tokens = (now: Instant): number => {
    settle(now);
    return capacityNow() - others.tokens - back.length;
  };
  return {
    tokens: (now) => Math.max(tokens(now), 0),
    freeAt(lane, now) {
      const missing = reserveFor(lane, capacityNow()) + 1 - tokens(now);
      if (missing <= 0) return now;
      const returning =
        others.tokens === 0 ? back : [...back, ...Array(others.tokens).fill(others.until)].sort(byTime);
      return returning[missing - 1] ?? later(now, windowMs);
    },
    take(now) {
      back.push(later(now, windowMs));
    },
    correct({ limit, remaining, resetMs }, now) {
      most = Math.min(whole, limit);
      const more = tokens(now) - remaining;
      if (more > 0) others = { tokens: others.tokens + more, until: later(now, resetMs), ms: resetMs };
    },
  };
}

/** Background work leaves the last third, so that a person never waits behind a walk. */
function reserveFor(lane: Lane, capacity: number): number {
  return lane === 'person' ? 0 : Math.floor(capacity / 3);
}

function byTime(a: Instant, b: Instant): number {
  return a - b;
}
