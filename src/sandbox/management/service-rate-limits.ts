/** The service's rate limits, counted on the clock. */
import { type Clock, type Instant, later, MINUTE, SECOND } from '../../lib/clock.ts';

/** "Under 30 requests a minute" for the list of devices, and 429 for a minute after that (in practice 2.3). */
const LISTS_PER_MINUTE = 29;
/** `x-ratelimit-limit` of every recorded answer. */
const WINDOW_REQUESTS = 100;
/**
 * Assumption (§8): a window opens with its first request and lasts a second; in the recordings `x-ratelimit-reset` is
 * one or two seconds after `date`, and the count restarts there.
 */
const WINDOW_MS = SECOND;

export type RateLimitStatus = {
  readonly refused: boolean;
  /** The short window that counts every request. */
  readonly window: { readonly limit: number; readonly remaining: number; readonly resetsAt: Instant };
};

export type ManagementRateLimits = {
  /** Counts one request; says whether it exceeds a limit. */
  readonly count: (method: string, path: string) => RateLimitStatus;
};

/** Starts at zero. A refused request counts in the window, but does not extend the refusal of lists. */
export function createManagementRateLimits(clock: Pick<Clock, 'now'>): ManagementRateLimits {
  const window = createWindowLimit();
  const lists = createListLimit();
  return {
    count(method, path) {
      const now = clock.now();
      const { used, resetsAt } = window.count(now);
      const refused = used > WINDOW_REQUESTS || (isDeviceList(method, path) && lists.refuses(now));
      const remaining = Math.max(0, WINDOW_REQUESTS - used);
      return { refused, window: { limit: WINDOW_REQUESTS, remaining, resetsAt } };
    },
  };
}

/** Assumption (§8): the minute's limit is on the list of devices alone, not on single devices or their parts. */
function isDeviceList(method: string, path: string): boolean {
  return method === 'GET' && /^\/servers\/?$/.test(path);
}

function createWindowLimit() {
  let used = 0;
  let resetsAt: Instant | null = null;
  return {
    count(now: Instant): { readonly used: number; readonly resetsAt: Instant } {
      if (resetsAt === null || now >= resetsAt) {
        used = 0;
        resetsAt = later(now, WINDOW_MS);
      }
      used += 1;
      return { used, resetsAt };
    },
  };
}

function createListLimit() {
  let recent: readonly Instant[] = [];
  let closedUntil: Instant | null = null;
  return {
    refuses(now: Instant): boolean {
      if (closedUntil !== null && now < closedUntil) return true;
      recent = recent.filter((at) => now - at < MINUTE);
      if (recent.length < LISTS_PER_MINUTE) {
        recent = [...recent, now];
        return false;
      }
      closedUntil = later(now, MINUTE);
      return true;
    },
  };
}
