/** `device`: one device, read fresh, a page for each side of it. `queue`: the commands that wait for it, and those it answered. */
import { z } from 'zod';
import { byIdDescending } from '../fleet/fleet.ts';
import type { FleetEvent } from '../fleet/model/resources.ts';
import { collectRows } from '../fleet/reads/read-helpers.ts';
import { nearestNames } from '../inventory/nearest-names.ts';
import { DAY, later } from '../lib/clock.ts';
import type { DeviceId } from '../lib/ids.ts';
import type { RequestWithTargets } from '../store/port/request-records.ts';
import type { DevicePage } from '../views/models/list-model.ts';
import type { View } from '../views/views.ts';
import type { ReadPorts, TypedInput } from './core/command.ts';
import { defineReadCommand } from './core/define-command.ts';
import { readOnlyNotice } from './core/reader-rights.ts';
import { deviceForm, deviceSearch } from './forms/subject-forms.ts';
import { linkedRequest, listPage } from './lists/paging.ts';
import type { LineWords } from './parser/tokenizer.ts';
import {
  deviceOffers,
  deviceRef,
  devicesByName,
  PERSON_PRIORITY,
  parseDevice,
  viewForDevice,
} from './targets/resolve-device.ts';

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

const input = z.object({ device: deviceRef, page: z.enum(DEVICE_PAGES).optional() });
type Input = z.infer<typeof input>;

export const deviceCommand = defineReadCommand<Input>({
  name: 'device',
  usage: `device NAME|#ID [${DEVICE_PAGES.join('|')}]`,
  summary: 'Show one device, with its details and actions.',
  examples: ['device web-01', 'device #1042 volumes', 'device "front network" timeline'],
  input,
  form: deviceSearch,
  parse,
  run: showDevice,
});

/** The last of several words is a page where one is so called; quotes keep such a word in a name. */
function parse(words: LineWords): TypedInput<Input> {
  const last = words.free.at(-1)?.toLowerCase();
  const page = words.free.length > 1 ? DEVICE_PAGES.find((name) => name === last) : undefined;
  const read = parseDevice(page === undefined ? words : { ...words, free: words.free.slice(0, -1) });
  if (read.kind === 'fault') return read;
  const { device: named } = read.input;
  return { kind: 'input', input: page === undefined ? { device: named } : { device: named, page } };
}

async function showDevice(
  { device: named, page = 'facts' }: Input,
  at: number,
  ports: ReadPorts,
): Promise<View> {
  const again = (id: Input['device']) => ({ command: 'device', input: { device: id, page } });
  const view = await viewForDevice({ device: named, again }, ports, (id) =>
    readDevicePage(id, page, at, ports),
  );
  return typeof named === 'string' ? withPageButtons(view, named, ports) : view;
}

/** Somebody who slipped in the name of a page is offered the page. */
async function withPageButtons(view: View, named: string, ports: ReadPorts): Promise<View> {
  if (view.kind !== 'problem' || view.problem.kind !== 'no-such-device') return view;
  const [, name = '', word = ''] = /^(.*\S)\s+(\S+)$/.exec(named) ?? [];
  const [nearestPage] = nearestNames(word, DEVICE_PAGES, 1);
  const page = DEVICE_PAGES.find((one) => one === nearestPage);
  if (page === undefined) return view;
  const again = (device: Input['device']) => ({ command: 'device', input: { device, page } });
  const nameOffers = await deviceOffers(await devicesByName([name], ports), again, ports);
  if (nameOffers.length === 0) return view;
  const lines = nameOffers.map((offer) => ({ ...offer, page }));
  const { offers = [] } = view.problem;
  return { kind: 'problem', problem: { ...view.problem, offers: [...lines, ...offers] } };
}

const queueInput = z.object({ device: deviceRef });

export const queueCommand = defineReadCommand<z.infer<typeof queueInput>>({
  name: 'queue',
  usage: 'queue NAME|#ID',
  summary: 'Show the command queue of a device.',
  examples: ['queue web-01'],
  input: queueInput,
  form: deviceForm({ command: 'queue', title: 'Device queue', submit: 'Show' }),
  parse: parseDevice,
  run: ({ device }, _page, ports) =>
    viewForDevice({ device, again: (id) => ({ command: 'queue', input: { device: id } }) }, ports, (id) =>
      queuePage(id, ports),
    ),
});

/** Days of a timeline: all events of them are read, because the service's order is not reliable. */
const TIMELINE_DAYS = 30;
const ROWS = 10;
/** Requests that the card has room for, and that a timeline goes back to. */
const CARD_REQUESTS = 3;
const TIMELINE_REQUESTS = 100;

/** The page, freshly read. `at`: the page number of its list, if it has one. */
async function readDevicePage(id: DeviceId, page: DevicePage, at: number, ports: ReadPorts): Promise<View> {
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

async function readFreshDevice(id: DeviceId, { fleet, inventory }: ReadPorts) {
  const device = await fleet.device(id, PERSON_PRIORITY);
  inventory.learnDevice(device);
  return device;
}

async function overviewPage(id: DeviceId, ports: ReadPorts): Promise<View> {
  const asOf = ports.clock.now();
  const [device, requests] = await Promise.all([
    readFreshDevice(id, ports),
    // Without the database the device is still shown.
    latestRequests(id, ports).catch(() => []),
  ]);
  const groupName = await ports.inventory.groupName(device.groupId, PERSON_PRIORITY);
  return { kind: 'device', device, groupName, requests, asOf, ...(await readOnlyNotice(ports)) };
}

async function latestRequests(id: DeviceId, ports: ReadPorts) {
  const latest = await requestsOf(id, CARD_REQUESTS, ports);
  return Promise.all(latest.map((one) => linkedRequest(one, ports.records)));
}

/** Through Patchbay lately, the newest first. */
async function requestsOf(id: DeviceId, most: number, { records, clock }: ReadPorts) {
  const since = later(clock.now(), -TIMELINE_DAYS * DAY);
  const found = await records.requests({ device: id }, most);
  return found.filter(({ createdAt }) => createdAt >= since);
}

async function queuePage(id: DeviceId, ports: ReadPorts): Promise<View> {
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
  const [device, read, requests] = await Promise.all([
    readFreshDevice(id, ports),
    collectRows(ports.fleet.events({ deviceId: id, after: since }, PERSON_PRIORITY)),
    requestsOf(id, TIMELINE_REQUESTS, ports),
  ]);
  const events = [...new Map(read.map((row) => [row.id, row])).values()].toSorted(byIdDescending);
  const all = [...events, ...requests].toSorted((a, b) => timeOf(b) - timeOf(a));
  const { rows: pageRows, ...place } = listPage(all, at, ROWS);
  const rows = await Promise.all(
    pageRows.map(async (row) => ('requesterId' in row ? linkedRequest(row, ports.records) : row)),
  );
  const input = { device: id, page: 'timeline' };
  const paging = { command: 'device', input, ...place, total: all.length, asOf };
  return { kind: 'timeline', device, rows, since, paging };
}

/** Those without a time come last. */
function timeOf(row: FleetEvent | RequestWithTargets): number {
  return 'requesterId' in row ? row.createdAt : (row.createTime ?? 0);
}
