/**
 * The management service on this machine: a stand-in that speaks the real interface over HTTP, with a fleet that
 * changes with the clock. It shares no code and no schema with the product's client: a fake with the client's own
 * schema cannot reveal the client's mistakes.
 */
import { type Clock, type Instant, later, MINUTE, SECOND } from '../../lib/clock.ts';
import type { ManagementOptions, ManagementService } from '../contracts/services.ts';
import { plainErrorResponse } from './endpoints/requests.ts';
import { createManagementApp, KEYS } from './http-app.ts';
import { profileOf } from './profiles.ts';
import { uuidOf } from './world/random.ts';
import { createRunningWorld } from './world/running-world.ts';
import { searchDevicesByName } from './world/world.ts';

/** Size of the seeded fleet in the design. */
const DEVICES = 240;

/** Starts the service with its seed, on 127.0.0.1. */
export async function createManagement(options: ManagementOptions): Promise<ManagementService> {
  const { clock, wire, port = 0, devices = DEVICES, rateLimits: strict = false, mount } = options;
  // Listens first: a port in use fails at once, and no request is read before the seed exists.
  const served = await wire.serve({
    service: 'management',
    port,
    fetch: (request) => answer(request),
    ...(mount === undefined ? {} : { mount }),
  });
  const start = () => ({
    world: createRunningWorld(clock, { devices, events: options.events }),
    limits: createManagementRateLimits(clock),
    requests: 0,
  });
  let run = start();
  const profile = profileOf(options.profile);
  const app = createManagementApp({ clock, profile, world: () => run.world });

  /**
   * Request ids follow the order of arrival and repeat at every start. Requests are counted whether or not those over
   * the limit are refused, as in all recorded responses.
   * Assumption (§8): a refused request has the same headers as others, and no `Retry-After`; no refused one was recorded.
   */
  const answer = async (request: Request): Promise<Response> => {
    run.requests += 1;
    const id = uuidOf(`request ${run.requests}`).replaceAll('-', '');
    const { refused, window } = run.limits.count(request.method, new URL(request.url).pathname);
    // The limit is checked before the key, because it counts addresses and programs, not keys.
    const response =
      strict && refused ? plainErrorResponse(429, 'Too Many Requests!') : await app.fetch(request);
    response.headers.set('x-request-id', id);
    // The service's own clock, which the clients compare its times with; the server would state wall time.
    response.headers.set('date', new Date(clock.now()).toUTCString());
    if (profile.rateHeaders) {
      response.headers.set('x-ratelimit-limit', String(window.limit));
      response.headers.set('x-ratelimit-remaining', String(window.remaining));
      response.headers.set('x-ratelimit-reset', String(Math.ceil(window.resetsAt / SECOND)));
    }
    return response;
  };

  return {
    baseUrl: `${served.url}${mount?.root ?? ''}`,
    apiKey: KEYS.full,
    readOnlyKey: KEYS.readOnly,
    expiredKey: KEYS.expired,
    organizationId: run.world.state.organizationId,
    world: (request) => run.world.perform(request),
    searchDevices: (part, most) => searchDevicesByName(run.world.state.devices, part, most),
    isLive: () => run.world.isLive(),
    reset() {
      run.world.end();
      run = start();
    },
    async stop() {
      run.world.end();
      await served.stop();
    },
  };
}

/** "Under 30 requests a minute" for the list of devices, and 429 for a minute after that (in practice 2.3). */
const LISTS_PER_MINUTE = 29;
/** `x-ratelimit-limit` of every recorded answer. */
const WINDOW_REQUESTS = 100;
/**
 * Assumption (§8): a window opens with its first request and lasts a second; in the recordings `x-ratelimit-reset` is
 * one or two seconds after `date`, and the count restarts there.
 */
const WINDOW_MS = SECOND;

/** Starts at zero. A refused request counts in the window, but does not extend the refusal of lists. */
export function createManagementRateLimits(clock: Pick<Clock, 'now'>) {
  let used = 0;
  let resetsAt: Instant | null = null;
  const listRefused = createListLimit();
  return {
    /** Counts one request; says whether it exceeds a limit, and the short window that counts every request. */
    count(method: string, path: string) {
      const now = clock.now();
      if (resetsAt === null || now >= resetsAt) {
        used = 0;
        resetsAt = later(now, WINDOW_MS);
      }
      used += 1;
      // Assumption (§8): the minute's limit is on the list of devices alone, not on single devices or their parts.
      const isList = method === 'GET' && /^\/servers\/?$/.test(path);
      const refused = used > WINDOW_REQUESTS || (isList && listRefused(now));
      const remaining = Math.max(0, WINDOW_REQUESTS - used);
      return { refused, window: { limit: WINDOW_REQUESTS, remaining, resetsAt } };
    },
  };
}

function createListLimit(): (now: Instant) => boolean {
  let recent: readonly Instant[] = [];
  let closedUntil: Instant | null = null;
  return (now) => {
    if (closedUntil !== null && now < closedUntil) return true;
    recent = recent.filter((at) => now - at < MINUTE);
    if (recent.length < LISTS_PER_MINUTE) {
      recent = [...recent, now];
      return false;
    }
    closedUntil = later(now, MINUTE);
    return true;
  };
}
