/** A fleet in memory that answers like the port: with pages, and failures for unknown ids. */

import {
  type FleetDeviceQuery,
  type FleetError,
  type FleetEventFilter,
  FleetFailure,
  type FleetPage,
  type FleetReader,
  type PreviewQuery,
} from '../../../src/fleet/fleet.ts';
import type {
  Device,
  FleetEvent,
  Group,
  Organization,
  Package,
  Policy,
  PreviewedDevice,
  QueueEntry,
} from '../../../src/fleet/model/resources.ts';
import type { DeviceId } from '../../../src/lib/ids.ts';

export type FakeFleet = FleetReader & {
  /** Names of the reads made, in order. */
  readonly reads: string[];
  /** Every read fails with this from now on; null ends it. */
  readonly failWith: (error: FleetError | null) => void;
  readonly lanes: Set<string>;
  readonly deviceQueries: FleetDeviceQuery[];
  readonly previewQueries: PreviewQuery[];
  /** Queries of the events, including counts. */
  readonly eventQueries: FleetEventFilter[];
};

export type FakeFleetContent = {
  readonly devices?: readonly Device[];
  readonly groups?: readonly Group[];
  readonly packages?: readonly Package[];
  readonly queue?: readonly QueueEntry[];
  readonly events?: readonly FleetEvent[];
  readonly previewed?: readonly PreviewedDevice[];
  readonly policies?: readonly Policy[];
  readonly organizations?: readonly Organization[];
  /** Listed, but gone when read by id. */
  readonly gone?: readonly DeviceId[];
  readonly pageSize?: number;
  /** Devices that exist but are on no page. */
  readonly unlisted?: Pick<FleetPage<Device>, 'unreadable' | 'shortfall'>;
};

export function createFakeFleet(content: FakeFleetContent): FakeFleet {
  const {
    devices = [],
    groups = [],
    packages = [],
    queue = [],
    events = [],
    previewed = [],
    policies = [],
    organizations = [],
    gone = [],
    pageSize = 2,
    unlisted = { unreadable: 0 },
  } = content;
  const reads: string[] = [];
  const lanes = new Set<string>();
  const deviceQueries: FleetDeviceQuery[] = [];
  const previewQueries: PreviewQuery[] = [];
  const eventQueries: FleetEventFilter[] = [];
  let failure: FleetError | null = null;

  const begin = (name: string, lane: string | undefined): void => {
    reads.push(name);
    lanes.add(lane ?? 'none');
    if (failure !== null) throw new FleetFailure(failure);
  };
  const existing = (id: DeviceId): Device => {
    const device = devices.find((one) => one.id === id);
    if (device === undefined || gone.includes(id)) throw new FleetFailure(MISSING);
    return device;
  };
  const found = <T extends { readonly id: number }>(rows: readonly T[], id: T['id']): T => {
    const row = rows.find((one) => one.id === id);
    if (row === undefined) throw new FleetFailure(MISSING);
    return row;
  };
  const eventsOf = (filter: FleetEventFilter = {}): readonly FleetEvent[] => {
    eventQueries.push(filter);
    return events.filter(
      (event) =>
        (filter.deviceId === undefined || event.deviceId === filter.deviceId) &&
        (filter.policyId === undefined || event.policyId === filter.policyId) &&
        (filter.userId === undefined || event.userId === filter.userId) &&
        (filter.name === undefined || event.name === filter.name),
    );
  };
  async function* pages<T>(
    name: string,
    rows: readonly T[],
    lane: string | undefined,
  ): AsyncIterable<FleetPage<T>> {
    begin(name, lane);
    for (let at = 0; at < rows.length; at += pageSize) {
      yield { rows: rows.slice(at, at + pageSize), total: rows.length, unreadable: 0 };
    }
  }

  return {
    reads,
    lanes,
    deviceQueries,
    previewQueries,
    eventQueries,
    failWith: (error) => {
      failure = error;
    },
    async *devices(query = {}, options) {
      deviceQueries.push(query);
      const { groupId } = query;
      const rows = groupId === undefined ? devices : devices.filter((one) => one.groupId === groupId);
      yield* pages('devices', rows, options?.lane);
      yield { rows: [], total: rows.length, ...unlisted };
    },
    // A service without this list, as the interface document describes it.
    async *missingPackages() {
      yield await Promise.reject(new FleetFailure(MISSING));
    },
    groups: (options) => pages('groups', groups, options?.lane),
    preview: (query, options) => {
      previewQueries.push(query);
      return pages('preview', previewed, options?.lane);
    },
    policies: (options) => pages('policies', policies, options?.lane),
    organizations: (options) => pages('organizations', organizations, options?.lane),
    group: async (id, options) => {
      begin('group', options?.lane);
      return found(groups, id);
    },
    policy: async (id, options) => {
      begin('policy', options?.lane);
      return found(policies, id);
    },
    countEvents: async (filter, options) => {
      begin('countEvents', options?.lane);
      return eventsOf(filter).length;
    },
    packages: (_id, options) => pages('packages', packages, options?.lane),
    events: (query, options) => pages('events', eventsOf(query), options?.lane),
    device: async (id, options) => {
      begin('device', options?.lane);
      return existing(id);
    },
    queue: async (id, options) => {
      begin('queue', options?.lane);
      existing(id);
      return queue;
    },
    queueEntry: async (_id, entry, options) => {
      begin('queueEntry', options?.lane);
      return queue.find(({ id }) => id === entry) ?? null;
    },
  };
}

export const MISSING: FleetError = {
  kind: 'missing',
  method: 'GET',
  path: '/servers/{id}',
  status: 404,
  detail: 'Not Found',
};

export const BROKEN: FleetError = {
  kind: 'broken',
  method: 'GET',
  path: '/servers/{id}',
  status: 500,
  detail: 'Internal Server Error',
};
