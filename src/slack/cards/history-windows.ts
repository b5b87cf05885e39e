/** The parts of a channel's history that may hold messages of calls. Pure. */
import { type Instant, later, MINUTE } from '../../lib/clock.ts';
import type { CardCall } from '../../store/port/card-call-records.ts';

/** How far our clock and Slack's may differ. */
const MAX_CLOCK_SKEW_MS = 10 * MINUTE;

export type HistoryWindow = { readonly oldest: Instant; readonly latest: Instant };

type CallAttempt = Pick<CardCall, 'attemptedAt' | 'settledAt'>;

/** One window from each attempt until its call settled, or until now. Overlapping windows are merged; newest first. */
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
