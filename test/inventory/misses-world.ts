/** A fleet that is asked who misses what. Its answers wait until they are let go. */
import { createManualClock, later, SECOND } from '../../src/clock.ts';
import { type DeviceQuery, type FleetError, FleetFailure, type ReadOptions } from '../../src/fleet/fleet.ts';
import type { Device, Package } from '../../src/fleet/model.ts';
import { type DeviceId, deviceId, type GroupId } from '../../src/ids.ts';
import { createMisses, type MissesOptions } from '../../src/inventory/misses.ts';
import type { KeptDevices } from '../../src/store/store.ts';
import { aDevice, aPackage, START } from '../harness/builders.ts';

export const BROKEN: FleetError = {
  kind: 'broken',
  method: 'GET',
  path: '/servers/{id}/packages',
  status: 500,
  detail: '',
};
export const GONE: FleetError = { ...BROKEN, kind: 'missing', status: 404 };

export type MissesWorldOptions = {
  readonly held?: boolean;
  readonly cap?: number;
  readonly table?: KeptDevices;
  readonly revision?: MissesOptions['revision'];
  readonly changesSince?: MissesOptions['changesSince'];
  /** The clock begins so long after {@link START}. */
  readonly afterMs?: number;
};

export function start(
  devices: readonly Device[],
  { held = false, cap = 500, table, revision, changesSince, afterMs = 0 }: MissesWorldOptions = {},
) {
  const clock = createManualClock(later(START, afterMs));
  const lists: DeviceQuery[] = [];
  const reads: DeviceId[] = [];
  const requests: DeviceId[] = [];
  const lanes = new Set<string | undefined>();
  const names: string[] = [];
  const errors = new Map<DeviceId, FleetError>();
  const packages = new Map<DeviceId, readonly Package[]>();
  let gate = held ? Promise.withResolvers<void>() : null;
  async function* listed(query: DeviceQuery = {}) {
    lists.push(query);
    yield { rows: devices, total: devices.length, unreadable: 0 };
  }
  async function* read(id: DeviceId, { lane, signal }: ReadOptions = {}) {
    reads.push(id);
    lanes.add(lane);
    await gate?.promise;
    signal?.throwIfAborted();
    const error = errors.get(id);
    if (error !== undefined) throw new FleetFailure(error);
    const all = packages.get(id) ?? [aPackage()];
    for (let at = 0; at <= all.length; at += cap) {
      requests.push(id);
      yield { rows: all.slice(at, at + cap), total: null, unreadable: 0 };
    }
  }
  const misses = createMisses({
    fleet: { devices: listed, packages: read },
    clock,
    onNames: (seen) => names.push(...seen),
    ...(table === undefined ? {} : { table }),
    ...(revision === undefined ? {} : { revision }),
    ...(changesSince === undefined ? {} : { changesSince }),
  });
  const look = (groups: readonly GroupId[] | null = null, refresh = false) =>
    misses.look({ groups: groups === null ? null : new Set(groups), waitMs: 8 * SECOND, refresh });
  return {
    ...{ clock, lists, reads, requests, lanes, names, errors, packages, misses, look },
    release: () => {
      gate?.resolve();
      gate = null;
    },
  };
}

export const many = (count: number, over: (at: number) => Partial<Device> = () => ({})): readonly Device[] =>
  Array.from({ length: count }, (_, at) => aDevice({ id: deviceId(at + 1), ...over(at) }));

/** As many turns of the loop as a few reads take. */
export async function turns(): Promise<void> {
  for (let turn = 0; turn < 50; turn += 1) await new Promise(setImmediate);
}
