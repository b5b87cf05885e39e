/** What is built on reads: whole lists, what is missing, whether a removed thing is gone (the proof of a removal), other readers. */
import { ageOf, type Clock, type Instant, SECOND } from '../../lib/clock.ts';
import type { DeviceId, GroupId } from '../../lib/ids.ts';
import { FleetFailure, type FleetPage, type FleetReader, type ReadOptions } from '../fleet.ts';
import type { Device, DeviceDetail } from '../model/resources.ts';

/** The result of `read`, or null when the service does not know the thing; every other FleetFailure is thrown on. */
export async function nullIfMissing<T>(read: () => Promise<T>): Promise<T | null> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof FleetFailure && error.error.kind === 'missing') return null;
    throw error;
  }
}

/** Throws {@link FleetFailure}, also where there are more rows: a part must not pass for the whole. */
export async function collectRows<Row>(
  pages: AsyncIterable<{ readonly rows: readonly Row[]; readonly shortfall?: number }>,
): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for await (const { rows: more, shortfall = 0 } of pages) {
    rows.push(...more);
    if (shortfall > 0) throw incompleteList(`${shortfall} rows are missing in the list`);
  }
  return rows;
}

export function incompleteList(detail: string): FleetFailure {
  return new FleetFailure({ kind: 'unreadable', method: 'GET', path: 'list', status: 200, detail });
}

/** Throws {@link FleetFailure}. */
export async function isDeviceGone(
  reader: Pick<FleetReader, 'device'>,
  id: DeviceId,
  options: ReadOptions,
): Promise<boolean> {
  return (await nullIfMissing(() => reader.device(id, options))) === null;
}

/** A 403 means deleted, unless the list still has the group: it is not gone yet. Throws {@link FleetFailure}. */
export async function isGroupGone(
  reader: Pick<FleetReader, 'group'>,
  id: GroupId,
  options: ReadOptions,
): Promise<boolean> {
  try {
    return (await nullIfMissing(() => reader.group(id, options))) === null;
  } catch (error) {
    if (error instanceof FleetFailure && error.error.kind === 'forbidden') return false;
    throw error;
  }
}

/** Two readings of a list a minute each; what changed since is not seen for so long. Our own figure. */
const MAX_AGE_MS = 30 * SECOND;

/** What is the same for many devices (groups, policies) is read once, and again only after a while. */
export function createSharedReader(reader: FleetReader, { now }: Pick<Clock, 'now'>): FleetReader {
  const kept = <Key, Value>(read: (key: Key, options?: ReadOptions) => Promise<Value>): typeof read => {
    const values = new Map<Key, { readonly at: Instant; readonly value: Promise<Value> }>();
    return (key, options) => {
      const known = values.get(key);
      if (known !== undefined && ageOf(known.at, now()) <= MAX_AGE_MS) return known.value;
      const entry = { at: now(), value: read(key, options) };
      values.set(key, entry);
      // Whoever asked hears of the failure; the next one reads again.
      entry.value.catch(() => {
        if (values.get(key) === entry) values.delete(key);
      });
      return entry.value;
    };
  };
  const keptList = <Row>(list: (options?: ReadOptions) => AsyncIterable<FleetPage<Row>>): typeof list => {
    const all = kept((_: 'all', options) => collectRows(list(options)));
    return async function* (options) {
      const rows = await all('all', options);
      yield { rows, total: rows.length, unreadable: 0 };
    };
  };
  const { groups, policies, policy } = reader;
  return { ...reader, groups: keptList(groups), policies: keptList(policies), policy: kept(policy) };
}

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

/** Devices without users, serial numbers and addresses. `onRead` gets each device read alone, unchanged. */
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
