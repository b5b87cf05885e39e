/** The parts of a channel's history in which messages of calls may stand: pure. */
import { type Instant, later, MINUTE } from '../../lib/clock.ts';
import type { CardCall } from '../../store/port/card-call-records.ts';

/** How far our clock and Slack's may be apart. */
const MAX_CLOCK_SKEW_MS = 10 * MINUTE;

export type HistoryWindow = { readonly oldest: Instant; readonly latest: Instant };

type CallAttempt = Pick<CardCall, 'attemptedAt' | 'settledAt'>;

/**
 * From each attempt until its call had settled, or until now where it has not; those that meet are one. The newest
 * first.
 */
export function windowsOfAttempts(attempts: readonly CallAttempt[], now: Instant): readonly HistoryWindow[] {
  const windows = attempts
    .map(({ attemptedAt, settledAt }) => ({
      oldest: later(attemptedAt, -MAX_CLOCK_SKEW_MS),
      latest: later(settledAt ?? now, MAX_CLOCK_SKEW_MS),
    }))
    .toSorted((a, b) => b.oldest - a.oldest);
  const merged: HistoryWindow[] = [];
  for (const window of windows) {
    const last = merged.at(-1);
    if (last === undefined || window.latest < last.oldest) merged.push(window);
    else
      merged[merged.length - 1] = {
        oldest: window.oldest,
        latest: last.latest > window.latest ? last.latest : window.latest,
      };
  }
  return merged;
}
