/** What each page of `device` reads: the device itself always, and what else the page is about. */

import { DAY, later } from '../clock.ts';
import { collectRows } from '../fleet/collect-rows.ts';
import { byIdDescending } from '../fleet/fleet.ts';
import type { DeviceId } from '../ids.ts';
import type { View } from '../views/model.ts';
import type { DevicePage } from '../views/models/device-model.ts';
import type { ReadPorts } from './command.ts';
import { slice } from './lists/paging.ts';
import { lookOnly } from './look-only.ts';
import { PERSON } from './targets/resolve.ts';

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

/** Days of a timeline: all of them are read to know the newest. */
const TIMELINE_DAYS = 30;
const EVENTS = 10;

/** The page, read fresh; `at` is the page of its list where it has one. */
export async function devicePage(
  id: DeviceId,
  page: DevicePage,
  at: number,
  ports: ReadPorts,
): Promise<View> {
  switch (page) {
    case 'facts':
      return facts(id, ports);
    case 'timeline':
      return timeline(id, at, ports);
    case 'queue':
      return queueOf(id, ports);
    default: {
      const asOf = ports.clock.now();
      const reader = page === 'policies' ? await lookOnly(ports) : {};
      return { kind: 'device-page', page, device: await fresh(id, ports), asOf, ...reader };
    }
  }
}

/** The device as the service has it now; the index learns it. */
async function fresh(id: DeviceId, { fleet, inventory }: ReadPorts) {
  const device = await fleet.device(id, PERSON);
  inventory.learn(device);
  return device;
}

async function facts(id: DeviceId, ports: ReadPorts): Promise<View> {
  const device = await fresh(id, ports);
  const groupName = await ports.inventory.groupName(device.groupId, PERSON);
  return { kind: 'device', device, groupName, ...(await lookOnly(ports)) };
}

/** Also the answer of `queue`. */
export async function queueOf(id: DeviceId, ports: ReadPorts): Promise<View> {
  const asOf = ports.clock.now();
  const [device, entries] = await Promise.all([fresh(id, ports), ports.fleet.queue(id, PERSON)]);
  const rows = entries.toSorted((a, b) => (a.execTime ?? 0) - (b.execTime ?? 0) || a.id - b.id);
  return { kind: 'queue', device, rows, asOf };
}

async function timeline(id: DeviceId, at: number, ports: ReadPorts): Promise<View> {
  const asOf = ports.clock.now();
  const since = later(asOf, -TIMELINE_DAYS * DAY);
  const [device, read] = await Promise.all([
    fresh(id, ports),
    collectRows(ports.fleet.events({ deviceId: id, after: since }, PERSON)),
  ]);
  const rows = [...new Map(read.map((row) => [row.id, row])).values()].toSorted(byIdDescending);
  const { rows: shown, ...place } = slice(rows, at, EVENTS);
  const input = { device: id, page: 'timeline' };
  const paging = { command: 'device', input, ...place, total: rows.length, asOf };
  return { kind: 'timeline', device, rows: shown, since, paging };
}
