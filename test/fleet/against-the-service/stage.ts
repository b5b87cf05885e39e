/** The product's client and the local service in one of its profiles, and a plain view of the service's data. */

import { createFleetClient, type FleetClient } from '../../../src/fleet/client.ts';
import type { DialectName } from '../../../src/fleet/dialect.ts';
import type { FleetPage } from '../../../src/fleet/fleet.ts';
import { type Clock, createManualClock, type MovableClock } from '../../../src/lib/clock.ts';
import { organizationId } from '../../../src/lib/ids.ts';
import { secret } from '../../../src/lib/log.ts';
import type { ManagementService } from '../../../src/sandbox/contracts/services.ts';
import { createManagement } from '../../../src/sandbox/management/management.ts';
import { createWire } from '../../../src/sandbox/wire/wire.ts';
import { START } from '../../sandbox/management/harness/service.ts';

export type Json = Readonly<Record<string, unknown>>;

export type Stage = FleetClient & {
  readonly profile: DialectName;
  readonly management: ManagementService;
  readonly clock: MovableClock;
  /** The same with a key that may only read. */
  readonly readOnly: FleetClient;
  /** The service's answer to a plain request, as a list. */
  readonly bare: (
    path: string,
    query?: Readonly<Record<string, string | number>>,
  ) => Promise<readonly Json[]>;
  readonly stop: () => Promise<void>;
};

export async function startStage(profile: DialectName, devices = 60): Promise<Stage> {
  const clock = createManualClock(START);
  const management = await createManagement({ clock, wire: createWire({ clock }), devices, profile });
  const fleetWith = (apiKey: string) =>
    createFleetClient({
      baseUrl: management.baseUrl,
      apiKey: secret(apiKey),
      organizationId: organizationId(management.organizationId),
      dialect: profile,
      limits: 'off',
      random: () => 0,
      clock: waitingMoves(clock),
    });
  const [fleet, readOnly] = [fleetWith(management.apiKey), fleetWith(management.readOnlyKey)];
  return {
    ...fleet,
    profile,
    management,
    clock,
    readOnly,
    bare: (path, query = {}) => bareRows(management, path, query),
    async stop() {
      await fleet.close();
      await readOnly.close();
      await management.stop();
      clock.stop();
    },
  };
}

/** Waiting on this clock moves it, so the time that the client gives the service passes at once. */
function waitingMoves(clock: MovableClock): Clock {
  return {
    now: clock.now,
    elapsed: clock.elapsed,
    at(due, task) {
      const waited = clock.advance(Math.max(due - clock.now(), 0)).then(task);
      waited.catch(() => undefined);
      return { cancel: () => undefined };
    },
  };
}

async function bareRows(
  { baseUrl, apiKey, organizationId: o }: ManagementService,
  path: string,
  query: Readonly<Record<string, string | number>>,
): Promise<readonly Json[]> {
  const search = new URLSearchParams({ o: String(o) });
  for (const [name, value] of Object.entries(query)) search.set(name, String(value));
  const response = await fetch(`${baseUrl}${path}?${search}`, {
    headers: { authorization: `Bearer ${apiKey}` },
  });
  if (!response.ok) return [];
  const body: unknown = await response.json();
  return (Array.isArray(body) ? body : [body]).map((row: unknown) => Object.assign({}, row));
}

export async function rowsOf<T>(pages: AsyncIterable<FleetPage<T>>): Promise<readonly T[]> {
  const rows: T[] = [];
  for await (const page of pages) {
    if (page.unreadable > 0) throw new Error(`${page.unreadable} rows could not be read`);
    rows.push(...page.rows);
  }
  return rows;
}

export function idsOf(rows: readonly { readonly id?: unknown }[]): readonly number[] {
  return rows.map(({ id }) => Number(id));
}
