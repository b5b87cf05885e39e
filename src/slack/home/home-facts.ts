/** Reads the facts of a person's Home: from the store, the device index and the process itself. */

import type { SharedPorts } from '../../commands/core/command.ts';
import type { ConfigurationFile } from '../../config/configuration-file.ts';
import { countDevices } from '../../inventory/device-counts.ts';
import type { Snapshot } from '../../inventory/inventory.ts';
import type { ResolvedRole } from '../../lib/access.ts';
import { later } from '../../lib/clock.ts';
import type { PersonId } from '../../lib/ids.ts';
import { withOfflineCounts } from '../../requests/decide/waits-offline.ts';
import type { Store } from '../../store/port/store.ts';
import { requestsWithTargets } from '../../store/requests-with-targets.ts';
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

/** Wall time that a Home waits for the fleet; then it is published without it, and again when the fleet was read. */
const FLEET_WAIT_MS = 1_500;

export type HomeDataOptions = {
  readonly store: Pick<Store, 'requests' | 'targets' | 'alerts' | 'pause'>;
  readonly people: RoleLookup;
  readonly ports: Pick<SharedPorts, 'inventory' | 'health' | 'clock'>;
  readonly configuration: ConfigurationFile;
  readonly root: string;
  /** Called when the fleet was read after the Home was published. */
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
    // People without access cost no further reads.
    if (role === 'none' || role === 'unknown') return { ...known, ...NO_COUNTS };
    const personal = roleSeesPersonal(answered, configuration.personal);
    const [waiting, requests, rollouts, failures, fleet, health, pause] = await Promise.all([
      requestsWithTargets(store, { states: ['waiting'] }, MAX_READ_ROWS),
      requestsWithTargets(store, { requesterId: person }, MAX_READ_ROWS),
      requestsWithTargets(store, { states: ['approved', 'running'], inWaves: true }, MAX_READ_ROWS),
      store.alerts.recent('patch-failed', since, MAX_READ_ROWS),
      readFleet(),
      readHealth(ports.health),
      store.pause.current(),
    ]);
    const counted = await withOfflineCounts(store, [...requests, ...rollouts], asOf);
    const own = { requests: counted.slice(0, requests.length), rollouts: counted.slice(requests.length) };
    return { ...known, ...own, personal, waiting, failures, fleet, health, pause };
  };
}

/** The certain role; unknown when there is none and an unread user group might give one. */
function homeRole({ role, maybe }: ResolvedRole): HomeRole {
  return role ?? (maybe === null ? 'none' : 'unknown');
}

const NO_COUNTS = {
  personal: false,
  waiting: [],
  requests: [],
  rollouts: [],
  failures: [],
  fleet: { kind: 'unread' },
  pause: null,
  health: { slack: true, database: true, readAt: null, failures: 0, troubles: [] },
} as const satisfies Partial<HomeData>;

/** Admins come first, because they run Patchbay. */
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

/** The facts of a snapshot that the Home shows. */
type CountedSnapshot = Pick<Snapshot, 'devices' | 'unlisted' | 'asOf'> & {
  readonly partial?: unknown;
  readonly overdue?: boolean;
  readonly doubts?: Snapshot['doubts'];
};

function fleetGlance({
  devices,
  unlisted,
  asOf,
  partial = null,
  overdue = false,
  doubts = [],
}: CountedSnapshot): FleetGlance {
  return {
    kind: 'counted',
    asOf,
    unlisted,
    partial: partial !== null,
    overdue,
    doubts,
    ...countDevices(devices),
  };
}
