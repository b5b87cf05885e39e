/** Reading for those who may not see what is personal: a device without its users, serial numbers and addresses. */

import type { FleetPage, FleetReader } from './fleet.ts';
import type { DeviceDetail } from './model/device-parts.ts';
import type { PreviewedDevice } from './model/preview-query.ts';
import type { Device, FleetEvent } from './model/resources.ts';

/** The device as anybody may see it. What was taken away reads as what the service does not state. */
export function deviceWithoutPersonalData(device: Device): Device {
  return {
    ...device,
    instanceId: null,
    addresses: [],
    privateAddresses: [],
    serialNumber: null,
    lastLoggedInUser: null,
    detail: device.detail === null ? null : detailWithoutPersonalData(device.detail),
  };
}

function detailWithoutPersonalData(detail: DeviceDetail): DeviceDetail {
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
export function readerWithoutPersonalData(
  reader: FleetReader,
  onRead: (device: Device) => void,
): FleetReader {
  return {
    ...reader,
    async device(id, options) {
      const device = await reader.device(id, options);
      onRead(device);
      return deviceWithoutPersonalData(device);
    },
    devices: (query, options) => mapPages(reader.devices(query, options), deviceWithoutPersonalData),
    events: (query, options) => mapPages(reader.events(query, options), eventWithoutPersonalData),
    preview: (query, options) => mapPages(reader.preview(query, options), previewedDeviceWithoutPersonalData),
  };
}

function eventWithoutPersonalData(event: FleetEvent): FleetEvent {
  return { ...event, address: null, person: null };
}

function previewedDeviceWithoutPersonalData(device: PreviewedDevice): PreviewedDevice {
  return { ...device, addresses: [], privateAddresses: [] };
}

async function* mapPages<T>(
  pages: AsyncIterable<FleetPage<T>>,
  change: (row: T) => T,
): AsyncIterable<FleetPage<T>> {
  for await (const page of pages) yield { ...page, rows: page.rows.map(change) };
}
