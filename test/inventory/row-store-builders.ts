/** Devices in a row store, for searches. */
import type { Device } from '../../src/fleet/model/resources.ts';
import { createInterner, toIndexedDevice } from '../../src/inventory/device-index/indexed-device.ts';
import { createRowStore } from '../../src/inventory/device-index/row-store.ts';
import { deviceId } from '../../src/lib/ids.ts';
import { aDevice } from '../harness/builders.ts';

const blank = { addresses: [], privateAddresses: [], serialNumber: null, lastLoggedInUser: null };
export const device = (id: number, name: string, over: Partial<Device> = {}): Device =>
  aDevice({ id: deviceId(id), name, ...blank, ...over });

export function rowStoreOf(devices: readonly Device[]) {
  const rowStore = createRowStore();
  const shared = createInterner();
  for (const one of devices) rowStore.put(toIndexedDevice(one, shared));
  return rowStore;
}

/** A small fleet in which each device is found by something else. */
export const fleet = [
  device(1, 'web-01', { addresses: ['203.0.113.10'], privateAddresses: ['10.1.2.3', 'FE80:0::1'] }),
  device(2, 'web-02', { privateAddresses: ['10.1.200.4'], serialNumber: 'Default string' }),
  device(3, 'old-web-01', { serialNumber: 'C02ABC99', lastLoggedInUser: 'CORP\\jane.smith' }),
  device(4, 'cobweb', { serialNumber: 'To be filled by O.E.M.' }),
  device(5, 'LAPTOP-5', { customName: 'Jane’s MacBook  Pro', serialNumber: '00000000' }),
  device(6, 'Zürich-Empfang', { addresses: ['2001:db8::5'] }),
  device(7, '<!channel> & *bold*', { privateAddresses: ['10.16.0.9'] }),
  device(100, 'web-03', { lastLoggedInUser: 'web' }),
  device(1001, 'kiosk-berlin', { lastLoggedInUser: 'ahmed' }),
];
