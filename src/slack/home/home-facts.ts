/** Reads what a person's Home shows: from the store, the index of the fleet and the process itself. */

import type { SharedPorts } from '../../commands/core/command.ts';
import type { ConfigurationFile } from '../../config/configuration-file.ts';
import { countDevices } from '../../inventory/device-counts.ts';
import type { Snapshot } from '../../inventory/inventory.ts';
import type { ResolvedRole } from '../../lib/access.ts';
import { later } from '../../lib/clock.ts';
import type { PersonId } from '../../lib/ids.ts';
import type { Store } from '../../store/port/store.ts';
import {
  type BotStatus,
  type FleetGlance,
  type HomeData,
  type HomeRole,
  MAX_READ_ROWS,
  RECENT_MS,
  type RoleGranters,
} from '../../views/home/home-model.ts';
import { roleSeesPersonal } from '../access/personal-data.ts';
import type { RoleLookup } from '../access/role-lookup.ts';

/** Wall time that a Home waits for the fleet; then it is published without, and once more when the fleet is there. */
const FLEET_WAIT_MS = 1_500;

export type HomeDataOptions = {
  readonly store: Pick<Store, 'approvals' | 'operations' | 'alerts' | 'pause'>;
  readonly people: RoleLookup;
  readonly ports: Pick<SharedPorts, 'inventory' | 'health' | 'clock'>;
  readonly configuration: ConfigurationFile;
  readonly root: string;
  /** Called when the fleet was read after all. */
  readonly onFleet: () => void;
};

export type ReadHomeData = (person: PersonId) => Promise<HomeData>;

export function createReadHomeData(options: HomeDataOptions): ReadHomeData {
  const { store, people, ports, configuration, root, onFleet } = options;
  const { channels } = configuration;
  const deciders = roleGranters(configuration);

  const readFleet = async (): Promise<FleetGlance> => {
    const reading = ports.inventory.snapshot().then(fleetGlance, (): FleetGlance => ({ kind: 'unread' }));
    const { promise: late, resolve } = Promise.withResolvers<null>();
    const timer = setTimeout(() => resolve(null), FLEET_WAIT_MS);
    const first = await Promise.race([reading, late]);
    clearTimeout(timer);
    if (first !== null) return first;
    void reading.then(onFleet);
    return { kind: 'reading' };
  };

  return async (person) => {
    const asOf = ports.clock.now();
    const since = later(asOf, -RECENT_MS);
    const answered = await people.roleOf(person);
    const role = homeRole(answered);
    const known = { person, role, root, asOf, deciders, channels };
    // Who may see nothing costs nothing.
    if (role === 'none' || role === 'unknown') return { ...known, ...NO_COUNTS };
    const personal = roleSeesPersonal(answered, configuration.personal);
    const [waiting, requests, operations, failures, fleet, health, pause] = await Promise.all([
      store.approvals.list({ state: 'waiting' }, MAX_READ_ROWS),
      store.approvals.list({ requesterId: person }, MAX_READ_ROWS),
      store.operations.recent(MAX_READ_ROWS, person),
      store.alerts.recent('patch-failed', since, MAX_READ_ROWS),
      readFleet(),
      readHealth(ports.health),
      store.pause.current(),
    ]);
    return { ...known, personal, waiting, requests, operations, failures, fleet, health, pause };
  };
}

/** What is certain; unknown where that is nothing and a user group that was not read might give something. */
function homeRole({ role, maybe }: ResolvedRole): HomeRole {
  return role ?? (maybe === null ? 'none' : 'unknown');
}

const NO_COUNTS = {
  personal: false,
  waiting: [],
  requests: [],
  operations: [],
  failures: [],
  fleet: { kind: 'unread' },
  pause: null,
  health: { slack: true, database: true, readAt: null, failures: 0, troubles: [] },
} as const satisfies Partial<HomeData>;

/** Those who run Patchbay come first. */
function roleGranters({ roles: { admin, approver } }: ConfigurationFile): RoleGranters {
  return {
    people: [...new Set([...admin.people, ...approver.people])],
    userGroups: [...new Set([...admin.userGroups, ...approver.userGroups])],
  };
}

async function readHealth(read: SharedPorts['health']): Promise<BotStatus> {
  const { slack, database, events, troubles } = await read();
  return { slack, database, readAt: events.lastSuccess, failures: events.failures, troubles };
}

/** What a snapshot says of itself. */
type CountedSnapshot = Pick<Snapshot, 'devices' | 'unlisted' | 'asOf'> & {
  readonly partial?: unknown;
  readonly overdue?: boolean;
};

function fleetGlance({
  devices,
  unlisted,
  asOf,
  partial = null,
  overdue = false,
}: CountedSnapshot): FleetGlance {
  return { kind: 'counted', asOf, unlisted, partial: partial !== null, overdue, ...countDevices(devices) };
}
