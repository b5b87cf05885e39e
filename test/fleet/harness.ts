/** A client against a scripted server, and the outcome of a call. */
import { onTestFinished } from 'vitest';
import { createFleetClient, type FleetClient, type FleetClientOptions } from '../../src/fleet/client.ts';
import { type FleetError, FleetFailure, type FleetPage } from '../../src/fleet/fleet.ts';
import { type Clock, createManualClock, instant, later } from '../../src/lib/clock.ts';
import { deviceId, organizationId } from '../../src/lib/ids.ts';
import { secret } from '../../src/lib/log.ts';
import { type Reply, type Script, type Seen, scriptedServer } from './scripted-server.ts';

export const KEY = 'the-key-of-the-bot';
export const ORGANIZATION = organizationId(7);
export const DEVICE = deviceId(42);

/** Jitter is off: a retry follows at once. */
export function fleetAt(baseUrl: string, options: Partial<FleetClientOptions> = {}): FleetClient {
  const fleet = createFleetClient({
    baseUrl,
    apiKey: secret(KEY),
    organizationId: ORGANIZATION,
    random: () => 0,
    ...options,
  });
  onTestFinished(fleet.close);
  return fleet;
}

export async function scriptedFleet(script: Script, options: Partial<FleetClientOptions> = {}) {
  const service = await scriptedServer(script);
  return { ...fleetAt(service.url, options), service };
}

export async function errorOf(read: Promise<unknown>): Promise<FleetError> {
  try {
    await read;
  } catch (error) {
    if (error instanceof FleetFailure) return error.error;
    throw error;
  }
  throw new Error('the read did not fail');
}

export async function pagesOf<T>(walked: AsyncIterable<FleetPage<T>>): Promise<readonly FleetPage<T>[]> {
  const pages: FleetPage<T>[] = [];
  for await (const page of walked) pages.push(page);
  return pages;
}

export async function rowsOf<T>(walked: AsyncIterable<FleetPage<T>>): Promise<readonly T[]> {
  return (await pagesOf(walked)).flatMap(({ rows }) => rows);
}

/** A clock whose time of day can be set back. */
export function backwards() {
  const manual = createManualClock(instant(Date.UTC(2026, 0, 1)));
  let back = 0;
  const clock: Clock = { now: () => later(manual.now(), -back), at: manual.at, elapsed: manual.elapsed };
  return {
    clock,
    moveBack(ms: number) {
      back += ms;
    },
  };
}

/** Waits, turn by turn of the event loop, until `condition` holds. */
export async function until(condition: () => boolean): Promise<void> {
  for (let turns = 0; !condition(); turns += 1) {
    if (turns > 1_000_000) throw new Error('it never came');
    await new Promise(setImmediate);
  }
}

/** Rows by page, as the service cuts them. */
export function paged(rows: readonly unknown[]): (seen: Seen) => Reply {
  return ({ query }) => {
    const [page, limit] = [Number(query['page']), Number(query['limit'])];
    return { body: rows.slice(page * limit, (page + 1) * limit) };
  };
}

/** A request's parameters, without its paging. */
export const queryOf = (requests: readonly Seen[]) =>
  requests.map(({ method, path, query }) => ({ method, path, query }));
