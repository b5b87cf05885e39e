/** Reads for people who may not see personal data: devices without users, serial numbers and addresses. */
import type { FleetPage, FleetReader } from './fleet.ts';
import type { Device, DeviceDetail } from './model/resources.ts';

/** The device without personal data. What is removed reads as if the service did not state it. */
function deviceWithoutPersonalData(device: Device): Device {
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

/** The same reader without personal data. `onRead` receives each device that was read alone, unchanged. */
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
    events: (query, options) =>
      mapPages(reader.events(query, options), (event) => ({ ...event, address: null, person: null })),
    preview: (query, options) =>
      mapPages(reader.preview(query, options), (device) => ({
        ...device,
        addresses: [],
        privateAddresses: [],
      })),
  };
}

async function* mapPages<T>(
  pages: AsyncIterable<FleetPage<T>>,
  change: (row: T) => T,
): AsyncIterable<FleetPage<T>> {
  for await (const page of pages) yield { ...page, rows: page.rows.map(change) };
}
