/** Slack's published rate limits (docs.slack.dev/apis/web-api/rate-limits), counted on the clock. */
import { type Clock, type Instant, MINUTE, SECOND } from '../../../clock.ts';
import type { Arguments } from '../arguments.ts';
import type { Method } from './method.ts';

export type RateLimits = {
  /** Seconds to wait, or null when the call may pass. */
  readonly refuses: (method: Method, args: Arguments) => number | null;
  readonly reset: () => void;
};

/** chat.postMessage: one a second in each channel, on top of its limit per minute. */
const POSTING = 'chat.postMessage';

export function createRateLimits(clock: Pick<Clock, 'now'>): RateLimits {
  const calls = new Map<string, readonly Instant[]>();
  const waitFor = (key: string, most: number, windowMs: number): number | null => {
    const now = clock.now();
    const recent = (calls.get(key) ?? []).filter((at) => now - at < windowMs);
    const [first] = recent;
    if (first !== undefined && recent.length >= most) return Math.ceil((first + windowMs - now) / SECOND);
    calls.set(key, [...recent, now]);
    return null;
  };
  return {
    refuses({ name, perMinute }, args) {
      const perChannel =
        name === POSTING ? waitFor(`${name} ${args.text('channel') ?? ''}`, 1, SECOND) : null;
      return perChannel ?? waitFor(name, perMinute, MINUTE);
    },
    reset: () => calls.clear(),
  };
}
