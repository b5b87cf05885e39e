/** The rate limits that a request falls under, and where their figures come from. */
import { type Clock, type Instant, later, MINUTE, SECOND } from '../clock.ts';
import { type Bucket, type BucketSize, type Count, createBucket } from './bucket.ts';
import type { RequestBudget } from './budget.ts';
import type { Lane } from './fleet.ts';
import type { HttpRequest } from './http.ts';

/** What we keep to: what is published, nothing (a 429 still pauses everybody), or figures of one's own. */
export type LimitOptions =
  | 'published'
  | 'off'
  | {
      /** Of the list of devices, in any minute. */
      readonly listsPerMinute?: number;
      /** Of all requests together. */
      readonly window?: { readonly requests: number; readonly ms: number };
    };

export type Limits = {
  /** When this request may go: `now` where it may. */
  readonly freeAt: (request: Limited, lane: Lane, now: Instant) => Instant;
  readonly take: (request: Limited, now: Instant) => void;
  readonly correct: (count: Count, now: Instant) => void;
  readonly tokens: () => Readonly<Record<string, number>>;
};
export type Limited = Pick<HttpRequest, 'method' | 'path'>;

/** "Under 30 a minute" for `GET /servers`, else 429 for a minute (management API in practice, 2.3). */
const LISTS_PER_MINUTE = 29;
/** Requests need not arrive in the rhythm in which they left. */
const TRAVEL_MS = SECOND;
/** `x-ratelimit-limit: 100`, its reset one or two seconds ahead: seen live (management API in practice, 2.3). */
const WINDOW: BucketSize = { capacity: 100, windowMs: 2 * SECOND };

/** Of the list of devices, for everything that has the key. */
export const LIST_LIMIT: BucketSize = { capacity: LISTS_PER_MINUTE, windowMs: MINUTE + TRAVEL_MS };

/** The limits of one key, or with a budget this process's part of them. */
export function createLimits(
  clock: Clock,
  options: LimitOptions = 'published',
  budget: RequestBudget | null = null,
): Limits {
  const buckets: Buckets =
    budget === null ? bucketsOf(options) : { window: createBucket(WINDOW, budget.share) };
  const over = (request: Limited): readonly Bucket[] =>
    isDeviceList(request) ? Object.values(buckets) : buckets.window === undefined ? [] : [buckets.window];
  return {
    freeAt: (request, lane, now) =>
      over(request).reduce((at, bucket) => later(at, Math.max(bucket.freeAt(lane, now) - at, 0)), now),
    take(request, now) {
      for (const bucket of over(request)) bucket.take(now);
    },
    correct: (count, now) => buckets.window?.correct(count, now),
    tokens: () =>
      Object.fromEntries(Object.entries(buckets).map(([name, bucket]) => [name, bucket.tokens(clock.now())])),
  };
}

type Buckets = { readonly lists?: Bucket; readonly window?: Bucket };

function bucketsOf(options: LimitOptions): Buckets {
  if (options === 'off') return {};
  const { listsPerMinute = LISTS_PER_MINUTE, window } = options === 'published' ? {} : options;
  return {
    lists: createBucket({ ...LIST_LIMIT, capacity: listsPerMinute }),
    window: createBucket(window === undefined ? WINDOW : { capacity: window.requests, windowMs: window.ms }),
  };
}

/** What the limit of lists counts. */
export function isDeviceList({ method, path }: Limited): boolean {
  return method === 'GET' && path === '/servers';
}
