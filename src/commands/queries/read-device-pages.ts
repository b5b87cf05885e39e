/** Reads each page of `device`: the device itself, and what the page needs besides. */

import { byIdDescending } from '../../fleet/fleet.ts';
import { collectRows } from '../../fleet/reads/read-helpers.ts';
import { DAY, later } from '../../lib/clock.ts';
import type { DeviceId } from '../../lib/ids.ts';
import type { View } from '../../views/model.ts';
import type { DevicePage } from '../../views/models/device-model.ts';
import type { ReadPorts } from '../core/command.ts';
import { readOnlyNotice } from '../core/required-permission.ts';
import { listPage } from '../lists/paging.ts';
import { PERSON_PRIORITY } from '../targets/resolve-device.ts';

export const DEVICE_PAGES = [
  'facts',
  'hardware',
  'volumes',
  'network',
  'updates',
  'policies',
  'timeline',
  'queue',
] as const satisfies readonly DevicePage[];

/** Days of a timeline: all events of them are read, because the service's order is not reliable. */
const TIMELINE_DAYS = 30;
const EVENTS = 10;

/** The page, freshly read. `at`: the page number of its list, if it has one. */
export async function readDevicePage(
  id: DeviceId,
  page: DevicePage,
  at: number,
  ports: ReadPorts,
): Promise<View> {
  switch (page) {
    case 'facts':
      return overviewPage(id, ports);
    case 'timeline':
      return timelinePage(id, at, ports);
    case 'queue':
      return queuePage(id, ports);
    default: {
      const asOf = ports.clock.now();
      const reader = page === 'policies' ? await readOnlyNotice(ports) : {};
      return { kind: 'device-page', page, device: await readFreshDevice(id, ports), asOf, ...reader };
    }
  }
}

/** The device, freshly read from the service; the device index is updated. */
async function readFreshDevice(id: DeviceId, { fleet, inventory }: ReadPorts) {
  const device = await fleet.device(id, PERSON_PRIORITY);
  inventory.learnDevice(device);
  return device;
}

async function overviewPage(id: DeviceId, ports: ReadPorts): Promise<View> {
  const asOf = ports.clock.now();
  const device = await readFreshDevice(id, ports);
  const groupName = await ports.inventory.groupName(device.groupId, PERSON_PRIORITY);
  return { kind: 'device', device, groupName, asOf, ...(await readOnlyNotice(ports)) };
}

/** Also used by `queue`. */
export async function queuePage(id: DeviceId, ports: ReadPorts): Promise<View> {
  const asOf = ports.clock.now();
  const [device, entries] = await Promise.all([
    readFreshDevice(id, ports),
    ports.fleet.queue(id, PERSON_PRIORITY),
  ]);
  const rows = entries.toSorted((a, b) => (a.execTime ?? 0) - (b.execTime ?? 0) || a.id - b.id);
  return { kind: 'queue', device, rows, asOf };
}

async function timelinePage(id: DeviceId, at: number, ports: ReadPorts): Promise<View> {
  const asOf = ports.clock.now();
  const since = later(asOf, -TIMELINE_DAYS * DAY);
  const [device, read] = await Promise.all([
    readFreshDevice(id, ports),
    collectRows(ports.fleet.events({ deviceId: id, after: since }, PERSON_PRIORITY)),
  ]);
  const rows = [...new Map(read.map((row) => [row.id, row])).values()].toSorted(byIdDescending);
  const { rows: pageRows, ...place } = listPage(rows, at, EVENTS);
  const input = { device: id, page: 'timeline' };
  const paging = { command: 'device', input, ...place, total: rows.length, asOf };
  return { kind: 'timeline', device, rows: pageRows, since, paging };
}
