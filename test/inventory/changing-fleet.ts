/** A fleet in memory that changes, counts its requests like the service, and can be held or taken down. */
import { setImmediate } from 'node:timers/promises';
import { FleetFailure, type FleetPage, type ReadOptions } from '../../src/fleet/fleet.ts';
import type { Device, Group } from '../../src/fleet/model/resources.ts';
import type { FleetListReader } from '../../src/inventory/refresh/fleet-walk.ts';
import type { Clock, Instant } from '../../src/lib/clock.ts';
import type { DeviceId } from '../../src/lib/ids.ts';
import { BROKEN, MISSING } from '../commands/harness/fake-fleet.ts';

const PAGE = 500;

export type Request = { readonly at: Instant; readonly what: string; readonly lane: string };

export function createChangingFleet(clock: Clock, content: readonly Device[], groups: readonly Group[] = []) {
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
        const all = [...devices.values()];
        const deletedIds = page === 0 ? [...markedDeleted] : [];
        const rows = all.slice(page * PAGE, (page + 1) * PAGE).filter(({ id }) => !visited.has(id));
        for (const { id } of rows) visited.add(id);
        yield { rows, total: all.length, unreadable: 0, deletedIds };
        if ((page + 1) * PAGE >= all.length) return;
      }
    },
    async device(id, options) {
      await ask('device', options);
      const device = devices.get(id);
      if (device === undefined) throw new FleetFailure(MISSING);
      return device;
    },
    async *groups(options): AsyncIterable<FleetPage<Group>> {
      await ask('groups', options);
      yield { rows: groups, total: groups.length, unreadable: 0 };
    },
    async *policies(options) {
      await ask('policies', options);
      yield { rows: [], total: 0, unreadable: 0 };
    },
  };
  return {
    fleet,
    devices,
    requests,
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
