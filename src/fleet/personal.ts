/** Reading for those who may not see what is personal: a device without its users, serial numbers and addresses. */
import type { DeviceDetail } from './device-parts.ts';
import type { PreviewedDevice } from './filters.ts';
import type { FleetReader, Page } from './fleet.ts';
import type { Device, FleetEvent } from './model.ts';

/** The device as anybody may see it. What was taken away reads as what the service does not state. */
export function withoutPersonal(device: Device): Device {
  return {
    ...device,
    instanceId: null,
    addresses: [],
    privateAddresses: [],
    serialNumber: null,
    lastLoggedInUser: null,
    detail: device.detail === null ? null : detailWithout(device.detail),
  };
}

function detailWithout(detail: DeviceDetail): DeviceDetail {
  return {
    ...detail,
    networkCards: detail.networkCards.map((card) => ({ ...card, mac: null, addresses: [] })),
    addresses: [],
    lastLogon: null,
    serial: null,
    serviceTag: null,
  };
}

/** The same reader, whose devices have nothing personal. `onRead` takes each that was read alone, as it is. */
export function readerWithoutPersonal(reader: FleetReader, onRead: (device: Device) => void): FleetReader {
  return {
    ...reader,
    async device(id, options) {
      const device = await reader.device(id, options);
      onRead(device);
      return withoutPersonal(device);
    },
    devices: (query, options) => mapped(reader.devices(query, options), withoutPersonal),
    events: (query, options) => mapped(reader.events(query, options), eventWithout),
    preview: (query, options) => mapped(reader.preview(query, options), previewedWithout),
  };
}

function eventWithout(event: FleetEvent): FleetEvent {
  return { ...event, address: null, person: null };
}

function previewedWithout(device: PreviewedDevice): PreviewedDevice {
  return { ...device, addresses: [], privateAddresses: [] };
}

async function* mapped<T>(pages: AsyncIterable<Page<T>>, change: (row: T) => T): AsyncIterable<Page<T>> {
  for await (const page of pages) yield { ...page, rows: page.rows.map(change) };
}
