/** What the headers of an answer say about the rate limit. Pure; odd and hostile values are no values. */
import { type Instant, MINUTE, SECOND } from '../clock.ts';
import type { Count } from './bucket.ts';

/** Seen live: one or two seconds (management API in practice, 2.3). A longer window than this is not believed. */
const LONGEST_WINDOW_MS = MINUTE;

export type HeaderOf = (name: string) => string | null;

/**
 * `x-ratelimit-limit`, `-remaining` and `-reset`, the last in seconds of the epoch; `answeredAt` is the answer's own
 * `date`, so that skewed clocks agree. Null unless all of them make sense together.
 */
export function quotaOf(header: HeaderOf, answeredAt: Instant | null): Count | null {
  const limit = countIn(header('x-ratelimit-limit'));
  const remaining = countIn(header('x-ratelimit-remaining'));
  const reset = countIn(header('x-ratelimit-reset'));
  if (limit === null || remaining === null || reset === null || answeredAt === null) return null;
  const resetMs = Math.max(reset * SECOND - answeredAt, 0);
  if (limit === 0 || remaining > limit || resetMs > LONGEST_WINDOW_MS) return null;
  return { limit, remaining, resetMs };
}

function countIn(text: string | null): number | null {
  return text !== null && /^\d{1,12}$/.test(text) ? Number(text) : null;
}
