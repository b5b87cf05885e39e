/** A fleet with missing patches, whose answers wait until they are released. */

import {
  type FleetDeviceQuery,
  type FleetError,
  FleetFailure,
  type ReadOptions,
} from '../../../src/fleet/fleet.ts';
import type { Device, Package } from '../../../src/fleet/model/resources.ts';
import { createInterner, toIndexedDevice } from '../../../src/inventory/device-index/indexed-device.ts';
import {
  createMissingPatchIndex,
  type MissingPatchOptions,
} from '../../../src/inventory/missing-patches/missing-patch-index.ts';
import { createManualClock, later, SECOND } from '../../../src/lib/clock.ts';
import { type DeviceId, deviceId, type GroupId } from '../../../src/lib/ids.ts';
import type { DeviceTextStore } from '../../../src/store/port/store.ts';
import { aDevice, aPackage, START } from '../../harness/builders.ts';
import { nothingSaved } from '../../harness/nothing-saved.ts';

export const BROKEN: FleetError = {
  kind: 'broken',
  method: 'GET',
  path: '/servers/{id}/packages',
  status: 500,
  detail: '',
};
export const GONE: FleetError = { ...BROKEN, kind: 'missing', status: 404 };

export type MissingPatchSetupOptions = {
  readonly held?: boolean;
  readonly cap?: number;
  /** The service has a list of all devices. */
  readonly hasList?: boolean;
  readonly table?: DeviceTextStore;
  /** Of that table. */
  readonly revision?: () => Promise<number>;
  readonly changesSince?: MissingPatchOptions['changesSince'];
  /** The clock starts this long after {@link START}. */
  readonly afterMs?: number;
};

type FleetWideListScript = {
  /** Devices that the list of all devices does not name. */
  readonly leftOut: Set<DeviceId>;
  error: FleetError | null;
};

export function startMissingPatches(
  devices: readonly Device[],
  {
    held = false,
    cap = 500,
    hasList = false,
    table = nothingSaved.missingPatches,
    revision = async () => 0,
    changesSince = async () => [],
    afterMs = 0,
  }: MissingPatchSetupOptions = {},
) {
  const clock = createManualClock(later(START, afterMs));
  const lists: FleetDeviceQuery[] = [];
  const reads: DeviceId[] = [];
  const requests: DeviceId[] = [];
  const lanes = new Set<string | undefined>();
  const names: string[] = [];
  const errors = new Map<DeviceId, FleetError>();
  /** What the list of all devices has. */
  const stated = new Map<DeviceId, Device>();
  const device = async (id: DeviceId) => stated.get(id) ?? aDevice({ patches: 0 });
  const packages = new Map<DeviceId, readonly Package[]>();
  let gate = held ? Promise.withResolvers<void>() : null;
  async function* listed(query: FleetDeviceQuery = {}) {
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
  const listReads: (string | undefined)[] = [];
  const list: FleetWideListScript = { leftOut: new Set(), error: null };
  async function* fleetWide({ lane, signal }: ReadOptions = {}) {
    listReads.push(lane);
    await gate?.promise;
    signal?.throwIfAborted();
    if (!hasList || list.error !== null) throw new FleetFailure(list.error ?? GONE);
    const rows = devices
      .filter(({ id }) => !list.leftOut.has(id))
      .flatMap(({ id }) => (packages.get(id) ?? [aPackage()]).map((item) => ({ deviceId: id, item })))
      .filter(({ item }) => !item.installed)
      .map((row, at) => ({ id: at + 1, ...row }));
    for (let at = 0; at < rows.length; at += cap)
      yield { rows: rows.slice(at, at + cap), total: null, unreadable: 0 };
  }
  const missingPatches = createMissingPatchIndex({
    fleet: { devices: listed, device, packages: read, missingPackages: fleetWide },
    deviceRows: async () => [...stated.values()].map((device) => toIndexedDevice(device, createInterner())),
    clock,
    onNames: (seen) => names.push(...seen),
    store: {
      missingPatches: table,
      revisions: async () => ({ facts: 0, devices: 0, missingPatches: await revision() }),
    },
    changesSince,
  });
  const look = (groups: readonly GroupId[] | null = null, refresh = false) =>
    missingPatches.query({ groups: groups === null ? null : new Set(groups), waitMs: 8 * SECOND, refresh });
  return {
    ...{ listReads, list },
    ...{ clock, lists, reads, requests, lanes, names, errors, stated, packages, missingPatches, look },
    release: () => {
      gate?.resolve();
      gate = null;
    },
  };
}

export const many = (count: number, over: (at: number) => Partial<Device> = () => ({})): readonly Device[] =>
  Array.from({ length: count }, (_, at) => aDevice({ id: deviceId(at + 1), ...over(at) }));

/** As many turns of the loop as a few reads take. */
export async function yieldTurns(): Promise<void> {
  for (let turn = 0; turn < 50; turn += 1) await new Promise(setImmediate);
}
