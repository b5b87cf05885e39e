/**
 * The management service on this machine: a stand-in that speaks the real interface over HTTP, with a fleet that
 * changes with the clock. It shares no code and no schema with the product's client: a fake with the client's own
 * schema cannot reveal the client's mistakes.
 */

import { type Clock, type Instant, later, MINUTE, SECOND } from '../../lib/clock.ts';
import type { ManagementOptions, ManagementService } from '../contracts/services.ts';
import { plainErrorResponse } from './endpoints/requests.ts';
import { createManagementApp, KEYS } from './http-app.ts';
import { type Profile, profileOf } from './profiles.ts';
import { searchDevicesByName } from './world/queries.ts';
import { uuidOf } from './world/random.ts';
import { createRunningWorld } from './world/running-world.ts';

/** Size of the seeded fleet in the design. */
const DEVICES = 240;

/** Starts the service with its seed, on 127.0.0.1. */
export async function createManagement(options: ManagementOptions): Promise<ManagementService> {
  const { clock, wire, port = 0, devices = DEVICES, rateLimits: strict = false, mount } = options;
  const size = { devices, events: options.events };
  // Listens first: a port in use fails at once, and no request is read before the seed exists.
  const served = await wire.serve({
    service: 'management',
    port,
    fetch: (request) => door(request),
    ...(mount === undefined ? {} : { mount }),
  });
  let moving = createRunningWorld(clock, size);
  const profile = profileOf(options.profile);
  const app = createManagementApp({ clock, profile, world: () => moving });
  const openDoor = () =>
    withResponseHeaders({
      clock,
      limits: createManagementRateLimits(clock),
      strict,
      profile,
      fetch: (request) => app.fetch(request),
    });
  let door = openDoor();
  return {
    baseUrl: `${served.url}${mount?.root ?? ''}`,
    apiKey: KEYS.full,
    readOnlyKey: KEYS.readOnly,
    expiredKey: KEYS.expired,
    organizationId: moving.state.organizationId,
    world: (request) => moving.perform(request),
    searchDevices: (part, most) => searchDevicesByName(moving.state.devices, part, most),
    isLive: () => moving.isLive(),
    reset() {
      moving.end();
      moving = createRunningWorld(clock, size);
      door = openDoor();
    },
    async stop() {
      moving.end();
      await served.stop();
    },
  };
}

/** Headers of every response: its time, the request's id and the rate limit counters. */

type Fetch = (request: Request) => Response | Promise<Response>;

type ResponseHeaderOptions = {
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
function withResponseHeaders({ clock, limits, strict, profile, fetch }: ResponseHeaderOptions): Fetch {
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

/** The service's rate limits, counted on the clock. */

/** "Under 30 requests a minute" for the list of devices, and 429 for a minute after that (in practice 2.3). */
const LISTS_PER_MINUTE = 29;
/** `x-ratelimit-limit` of every recorded answer. */
const WINDOW_REQUESTS = 100;
/**
 * Assumption (§8): a window opens with its first request and lasts a second; in the recordings `x-ratelimit-reset` is
 * one or two seconds after `date`, and the count restarts there.
 */
const WINDOW_MS = SECOND;

type RateLimitStatus = {
  readonly refused: boolean;
  /** The short window that counts every request. */
  readonly window: { readonly limit: number; readonly remaining: number; readonly resetsAt: Instant };
};

type ManagementRateLimits = {
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
