/** Reads what a person's Home shows: from the store, the index of the fleet and the process itself. */
import type { Standing } from '../../access.ts';
import { later } from '../../clock.ts';
import type { SharedPorts } from '../../commands/command.ts';
import type { PersonId } from '../../ids.ts';
import { countDevices } from '../../inventory/device-counts.ts';
import type { Snapshot } from '../../inventory/inventory.ts';
import type { Policy } from '../../policy.ts';
import type { Store } from '../../store/store.ts';
import {
  type BotHealth,
  type Deciders,
  type FleetGlance,
  type HomeFacts,
  type HomeRole,
  LATELY_MS,
  READ_ROWS,
} from '../../views/home/home-model.ts';
import type { People } from '../people.ts';
import { seesPersonal } from '../personal.ts';

/** Wall time that a Home waits for the fleet; then it is published without, and once more when the fleet is there. */
const FLEET_WAIT_MS = 1_500;

export type HomeFactsOptions = {
  readonly store: Pick<Store, 'approvals' | 'operations' | 'alerts' | 'pause'>;
  readonly people: People;
  readonly ports: Pick<SharedPorts, 'inventory' | 'health' | 'clock'>;
  readonly policy: Policy;
  readonly root: string;
  /** Called when the fleet was read after all. */
  readonly onFleet: () => void;
};

export type ReadHomeFacts = (person: PersonId) => Promise<HomeFacts>;

export function createHomeFacts(options: HomeFactsOptions): ReadHomeFacts {
  const { store, people, ports, policy, root, onFleet } = options;
  const { channels } = policy;
  const deciders = decidersOf(policy);

  const readFleet = async (): Promise<FleetGlance> => {
    const reading = ports.inventory.snapshot().then(glanceOf, (): FleetGlance => ({ kind: 'unread' }));
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
    const since = later(asOf, -LATELY_MS);
    const answered = await people.roleOf(person);
    const role = homeRole(answered);
    const known = { person, role, root, asOf, deciders, channels };
    // Who may see nothing costs nothing.
    if (role === 'none' || role === 'unknown') return { ...known, ...NOTHING };
    const personal = seesPersonal(answered, policy.personal);
    const [waiting, requests, operations, failures, fleet, health, pause] = await Promise.all([
      store.approvals.list({ state: 'waiting' }, READ_ROWS),
      store.approvals.list({ requesterId: person }, READ_ROWS),
      store.operations.recent(READ_ROWS, person),
      store.alerts.recent('patch-failed', since, READ_ROWS),
      readFleet(),
      readHealth(ports.health),
      store.pause.current(),
    ]);
    return { ...known, personal, waiting, requests, operations, failures, fleet, health, pause };
  };
}

/** What is certain; unknown where that is nothing and a user group that was not read might give something. */
function homeRole({ role, maybe }: Standing): HomeRole {
  return role ?? (maybe === null ? 'none' : 'unknown');
}

const NOTHING = {
  personal: false,
  waiting: [],
  requests: [],
  operations: [],
  failures: [],
  fleet: { kind: 'unread' },
  pause: null,
  health: { slack: true, database: true, readAt: null, failures: 0, troubles: [] },
} as const satisfies Partial<HomeFacts>;

/** Those who run Patchbay come first. */
function decidersOf({ roles: { admin, approver } }: Policy): Deciders {
  return {
    people: [...new Set([...admin.people, ...approver.people])],
    userGroups: [...new Set([...admin.userGroups, ...approver.userGroups])],
  };
}

async function readHealth(read: SharedPorts['health']): Promise<BotHealth> {
  const { slack, database, events, troubles } = await read();
  return { slack, database, readAt: events.lastSuccess, failures: events.failures, troubles };
}

/** What a snapshot says of itself. */
type Counted = Pick<Snapshot, 'devices' | 'unlisted' | 'asOf'> & {
  readonly partial?: unknown;
  readonly overdue?: boolean;
};

function glanceOf({ devices, unlisted, asOf, partial = null, overdue = false }: Counted): FleetGlance {
  return { kind: 'counted', asOf, unlisted, partial: partial !== null, overdue, ...countDevices(devices) };
}
