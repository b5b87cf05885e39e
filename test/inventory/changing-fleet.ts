/** A fleet in memory that changes, counts its requests like the service, and can be held or taken down. */
import { setImmediate } from 'node:timers/promises';
import { FleetFailure, type FleetPage, type ReadOptions } from '../../src/fleet/fleet.ts';
import type { Policy } from '../../src/fleet/model/policy.ts';
import type { Device, Group } from '../../src/fleet/model/resources.ts';
import type { FleetListReader } from '../../src/inventory/refresh/fleet-walk.ts';
import type { Clock, Instant } from '../../src/lib/clock.ts';
import type { DeviceId, PolicyId } from '../../src/lib/ids.ts';
import { BROKEN, MISSING } from '../commands/harness/fake-fleet.ts';

const PAGE = 500;

export type Request = { readonly at: Instant; readonly what: string; readonly lane: string };

/** Absent: all. */
export type Listed = {
  readonly devices?: (all: readonly Device[]) => readonly Device[];
  readonly more?: Pick<FleetPage<Device>, 'shortfall' | 'deletedIds'>;
  readonly groups?: number | ((all: readonly Group[]) => readonly Group[]);
  readonly policies?: number;
};

function there<T>(one: T | undefined): T {
  if (one === undefined) throw new FleetFailure(MISSING);
  return one;
}

export function createChangingFleet(clock: Clock, content: readonly Device[], given: readonly Group[] = []) {
  const groups = new Map(given.map((group) => [group.id, group]));
  const policies = new Map<PolicyId, Policy>();
  let listed: Listed = {};
  const devices = new Map(content.map((device) => [device.id, device]));
  const requests: Request[] = [];
  const markedDeleted = new Set<DeviceId>();
  let down = false;
  let gate: Promise<void> = Promise.resolve();

  const ask = async (what: string, { lane = 'background', signal }: ReadOptions = {}): Promise<void> => {
    requests.push({ at: clock.now(), what, lane });
    await gate;
    signal?.throwIfAborted();
    if (down) throw new FleetFailure(BROKEN);
  };
  const fleet: FleetListReader = {
    async *devices(_query, options) {
      const visited = new Set<DeviceId>();
      for (let page = 0; ; page += 1) {
        await ask('devices', options);
        const all = listed.devices?.([...devices.values()]) ?? [...devices.values()];
        const deletedIds = page === 0 ? [...markedDeleted] : [];
        const rows = all.slice(page * PAGE, (page + 1) * PAGE).filter(({ id }) => !visited.has(id));
        for (const { id } of rows) visited.add(id);
        yield { rows, total: all.length, unreadable: 0, deletedIds, ...listed.more };
        if ((page + 1) * PAGE >= all.length) return;
      }
    },
    async device(id, options) {
      await ask('device', options);
      return there(devices.get(id));
    },
    async *groups(options): AsyncIterable<FleetPage<Group>> {
      await ask('groups', options);
      const all = [...groups.values()];
      const rows = typeof listed.groups === 'function' ? listed.groups(all) : all.slice(0, listed.groups);
      yield { rows, total: null, unreadable: 0 };
    },
    async group(id, options) {
      await ask('group', options);
      return there(groups.get(id));
    },
    async *policies(options) {
      await ask('policies', options);
      yield { rows: [...policies.values()].slice(0, listed.policies), total: null, unreadable: 0 };
    },
    async policy(id, options) {
      await ask('policy', options);
      return there(policies.get(id));
    },
  };
  return {
    fleet,
    devices,
    groups,
    policies,
    requests,
    /** What its lists show from now on; what they do not show is there all the same. */
    list: (next: Listed) => {
      listed = next;
    },
    count: (what: string) => requests.filter((request) => request.what === what).length,
    /** The service keeps the record and marks it as deleted. */
    markDeleted: (id: DeviceId) => {
      devices.delete(id);
      markedDeleted.add(id);
    },
    setDown: (is: boolean) => {
      down = is;
    },
    /** Requests from now on get no answer until the returned function is called. */
    hold: () => {
      const { promise, resolve } = Promise.withResolvers<void>();
      gate = promise;
      return resolve;
    },
  };
}

/** Lets everything run that only waits for its turn. */
export async function settlePromises(): Promise<void> {
  for (let turn = 0; turn < 200; turn += 1) await setImmediate();
}
