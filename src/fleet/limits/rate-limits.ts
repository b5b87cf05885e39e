/** The rate limits that a request falls under, and where their figures come from. */
import { type Clock, type Instant, later, MINUTE, SECOND } from '../../lib/clock.ts';
import type { Lane } from '../fleet.ts';
import type { HttpRequest } from '../http/http-client.ts';
import {
  createTokenBucket,
  type RateLimitReport,
  type TokenBucket,
  type TokenBucketSize,
} from './token-bucket.ts';

/** Which limits to keep: the published ones, none (a 429 still pauses all calls), or other figures. */
export type LimitOptions =
  | 'published'
  | 'off'
  | {
      /** For the list of devices, in any minute. */
      readonly listsPerMinute?: number;
      /** For all requests together. */
      readonly window?: { readonly requests: number; readonly ms: number };
    };

export type LimitedRequest = Pick<HttpRequest, 'method' | 'path'>;

/** "Under 30 a minute" for `GET /servers`, else 429 for a minute (management API in practice, 2.3). */
const DEVICE_LISTS_PER_MINUTE = 29;
/** Requests need not arrive with the spacing with which they were sent. */
const NETWORK_JITTER_MS = SECOND;
/** `x-ratelimit-limit: 100`, its reset one or two seconds ahead: seen live (management API in practice, 2.3). */
const REQUEST_WINDOW: TokenBucketSize = { capacity: 100, windowMs: 2 * SECOND };

/** The limit for the list of devices, for everything that uses the key. */
export const DEVICE_LIST_LIMIT: TokenBucketSize = {
  capacity: DEVICE_LISTS_PER_MINUTE,
  windowMs: MINUTE + NETWORK_JITTER_MS,
};

/** The limits of one key; with a budget, this process's part of them. */
export function createRequestLimits(
  clock: Clock,
  options: LimitOptions = 'published',
  budget: RequestBudget | null = null,
) {
  const buckets: Buckets =
    budget === null ? bucketsOf(options) : { window: createTokenBucket(REQUEST_WINDOW, budget.share) };
  const bucketsFor = (request: LimitedRequest): readonly TokenBucket[] =>
    isDeviceList(request) ? Object.values(buckets) : buckets.window === undefined ? [] : [buckets.window];
  return {
    /** When this request may be sent; `now` when it may be sent at once. */
    freeAt: (request: LimitedRequest, lane: Lane, now: Instant): Instant =>
      bucketsFor(request).reduce((at, bucket) => later(at, Math.max(bucket.freeAt(lane, now) - at, 0)), now),
    take(request: LimitedRequest, now: Instant): void {
      for (const bucket of bucketsFor(request)) bucket.take(now);
    },
    correct: (count: RateLimitReport, now: Instant): void => buckets.window?.correct(count, now),
    tokens: (): Readonly<Record<string, number>> =>
      Object.fromEntries(Object.entries(buckets).map(([name, bucket]) => [name, bucket.tokens(clock.now())])),
    capacities: (): Readonly<Record<string, number>> =>
      Object.fromEntries(Object.entries(buckets).map(([name, bucket]) => [name, bucket.capacity()])),
  };
}

type Buckets = { readonly lists?: TokenBucket; readonly window?: TokenBucket };

function bucketsOf(options: LimitOptions): Buckets {
  if (options === 'off') return {};
  const { listsPerMinute = DEVICE_LISTS_PER_MINUTE, window } = options === 'published' ? {} : options;
  return {
    lists: createTokenBucket({ ...DEVICE_LIST_LIMIT, capacity: listsPerMinute }),
    window: createTokenBucket(
      window === undefined ? REQUEST_WINDOW : { capacity: window.requests, windowMs: window.ms },
    ),
  };
}

export function isDeviceList({ method, path }: LimitedRequest): boolean {
  return method === 'GET' && path === '/servers';
}

/** The request budget of a key that several processes share, as the client of the service uses it. */
export type RequestBudget = {
  /** The part of the limits that this process may use, between 0 and 1. */
  readonly share: () => number;
  /** Null: taken; otherwise the milliseconds (clock) until one may be free. Never throws. */
  readonly takeList: (limit: ListLimit) => Promise<number | null>;
  /** Tells all processes that the service wants no calls for this long, in milliseconds. */
  readonly pauseEverybody: (ms: number) => void;
  /** Registers what to do when another process reports such a pause, in milliseconds. */
  readonly onPause: (pause: (ms: number) => void) => void;
};

type ListLimit = { readonly capacity: number; readonly windowMs: number; readonly lane: Lane };
