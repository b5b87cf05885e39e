import { describe, expect, it } from 'vitest';
import { DEVICE_SORTS, type DeviceSort, sortDevices } from '../../../src/commands/targets/device-query.ts';
import type { IndexedDevice } from '../../../src/inventory/inventory.ts';
import { deviceId, groupId } from '../../../src/lib/ids.ts';
import { aDevice, aGroup } from '../../harness/builders.ts';
import { testPorts } from '../harness/ports.ts';

const SYSTEMS = ['Ubuntu', 'Debian', null];
const DEVICES = 30;

async function aSnapshot() {
  const { ports } = testPorts({
    devices: Array.from({ length: DEVICES }, (_, at) =>
      aDevice({
        id: deviceId(at + 1),
        name: `web-${at}`,
        groupId: groupId(20 + (at % 2)),
        osFamily: null,
        osName: SYSTEMS[at % 3] ?? null,
        osVersion: null,
        pendingPatches: at % 4,
      }),
    ),
    groups: [aGroup({ id: groupId(20), name: 'b' }), aGroup({ id: groupId(21), name: 'a' })],
  });
  return ports.inventory.snapshot();
}

/** The same device, reporting each read of its facts. */
function counted(device: IndexedDevice, read: (fact: PropertyKey) => void): IndexedDevice {
  return new Proxy(device, {
    get(target, fact) {
      read(fact);
      return Reflect.get(target, fact);
    },
  });
}

describe('devices in order', () => {
  it.each(
    DEVICE_SORTS.flatMap(
      (by) =>
        [
          { by, reversed: false },
          { by, reversed: true },
        ] as const,
    ),
  )('are each looked at once: $by, reversed $reversed', async (sort: DeviceSort) => {
    const snapshot = await aSnapshot();
    const reads = new Map<PropertyKey, number>();
    const read = (fact: PropertyKey) => reads.set(fact, (reads.get(fact) ?? 0) + 1);
    const devices = snapshot.devices.map((device) => counted(device, read));
    const found = sortDevices(devices, sort, { ...snapshot, devices });
    expect(new Set(found)).toEqual(new Set(devices));
    expect(Math.max(0, ...reads.values())).toBeLessThanOrEqual(DEVICES);
  });

  it('are sorted by name where equal, and come last where the value is missing', async () => {
    const snapshot = await aSnapshot();
    const order = (reversed: boolean) =>
      sortDevices(snapshot.devices.slice(0, 6), { by: 'os', reversed }, snapshot).map(({ name }) => name);
    expect(order(false)).toEqual(['web-1', 'web-4', 'web-0', 'web-3', 'web-2', 'web-5']);
    expect(order(true)).toEqual(['web-0', 'web-3', 'web-1', 'web-4', 'web-2', 'web-5']);
  });
});
