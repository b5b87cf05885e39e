/** `events`: what happened to a device, newest first. */
import { z } from 'zod';
import { DAY, later } from '../clock.ts';
import { byIdDescending } from '../fleet/fleet.ts';
import type { DeviceId } from '../ids.ts';
import type { View } from '../views/model.ts';
import type { ReadPorts } from './command.ts';
import { defineRead } from './define.ts';
import { collectRows, slice } from './paging.ts';
import { deviceRef, PERSON, parseDevice, viewOfDevice } from './resolve.ts';

const input = z.object({ device: deviceRef });

const PAGE_SIZE = 10;
/** The order of the service's pages is no promise, so all of a bounded time is read to know the newest. */
const WINDOW_MS = 30 * DAY;

export const events = defineRead<z.infer<typeof input>>({
  name: 'events',
  usage: 'events NAME|#ID',
  summary: 'Show what happened to a device in the last 30 days, newest first.',
  examples: ['events web-01'],
  input,
  parse: parseDevice,
  run: ({ device }, page, ports) =>
    viewOfDevice({ device, again: (id) => ({ command: 'events', input: { device: id } }) }, ports, (id) =>
      list(id, page, ports),
    ),
});

async function list(id: DeviceId, page: number, { fleet, clock }: ReadPorts): Promise<View> {
  const asOf = clock.now();
  const since = later(asOf, -WINDOW_MS);
  const [device, rows] = await Promise.all([
    fleet.device(id, PERSON),
    collectRows(fleet.events({ deviceId: id, after: since }, PERSON)),
  ]);
  const unique = new Map(rows.map((row) => [row.id, row]));
  const shown = slice([...unique.values()].toSorted(byIdDescending), page, PAGE_SIZE);
  return {
    kind: 'events',
    device,
    rows: shown.rows,
    since,
    paging: {
      command: 'events',
      input: { device: id },
      page: shown.page,
      pages: shown.pages,
      total: unique.size,
      asOf,
    },
  };
}
