/** Headers of every response: its time, the request's id and the rate limit counters. */
import { type Clock, SECOND } from '../../lib/clock.ts';
import { plainErrorResponse } from './endpoints/responses.ts';
import type { Profile } from './profiles.ts';
import type { ManagementRateLimits, RateLimitStatus } from './service-rate-limits.ts';
import { uuidOf } from './world/random.ts';

export type Fetch = (request: Request) => Response | Promise<Response>;

export type ResponseHeaderOptions = {
  readonly clock: Clock;
  readonly limits: ManagementRateLimits;
  /** Whether requests over the limit are refused; they are counted either way, as in all recorded responses. */
  readonly strict: boolean;
  readonly profile: Pick<Profile, 'rateHeaders'>;
  readonly fetch: Fetch;
};

/**
 * Wraps the service's app. Request ids follow the order of arrival and repeat at every start.
 * Assumption (§8): a refused request has the same headers as others, and no `Retry-After`; no refused one was recorded.
 */
export function withResponseHeaders({ clock, limits, strict, profile, fetch }: ResponseHeaderOptions): Fetch {
  let requests = 0;
  return async (request) => {
    requests += 1;
    const id = uuidOf(`request ${requests}`).replaceAll('-', '');
    const limitStatus = limits.count(request.method, new URL(request.url).pathname);
    // The limit is checked before the key, because it counts addresses and programs, not keys.
    const answer =
      strict && limitStatus.refused ? plainErrorResponse(429, 'Too Many Requests!') : await fetch(request);
    answer.headers.set('x-request-id', id);
    // The service's own clock, which the clients compare its times with; the server would state wall time.
    answer.headers.set('date', new Date(clock.now()).toUTCString());
    if (profile.rateHeaders) setRateHeaders(answer.headers, limitStatus);
    return answer;
  };
}

function setRateHeaders(headers: Headers, { window }: RateLimitStatus): void {
  headers.set('x-ratelimit-limit', String(window.limit));
  headers.set('x-ratelimit-remaining', String(window.remaining));
  headers.set('x-ratelimit-reset', String(Math.ceil(window.resetsAt / SECOND)));
}
