/** `events`: the event log of a device, or of the whole organization, newest first. */

import { z } from 'zod';
import { byIdDescending, type FleetEventQuery } from '../fleet/fleet.ts';
import { EVENT_KIND_NAMES, eventKindOf, isEventKind, logNamesOfKind } from '../fleet/model/event-kinds.ts';
import { LOG_EVENT_NAMES, POLICY_ACTION } from '../fleet/model/event-names.ts';
import type { FleetEvent } from '../fleet/model/resources.ts';
import { collectRows } from '../fleet/reads/read-helpers.ts';
import { nearestNames } from '../inventory/nearest-names.ts';
import { DAY, type Instant, later } from '../lib/clock.ts';
import { type DeviceId, policyId, serviceUserId } from '../lib/ids.ts';
import { ROOT_COMMAND } from '../lib/slash-commands.ts';
import type { EventsView } from '../views/device/event-list.ts';
import type { Problem, View } from '../views/model.ts';
import type { Offer } from '../views/models/offer-model.ts';
import type { ReadPorts } from './core/command.ts';
import { defineReadCommand, type TypedInput } from './core/define-command.ts';
import { eventsForm } from './forms/events-form.ts';
import { cachedOrRead, listInput, repeatLine, SINGLE_PAGE, viewPage } from './lists/paging.ts';
import { defineResultList, inRows, rowWeight } from './lists/result-cache.ts';
import type { LineWords } from './parser/tokenizer.ts';
import { problemView, unexpectedWord, usageProblem } from './parser/usage-errors.ts';
import {
  EVENT_DAYS_RANGE,
  type EventFilters,
  eventFilters,
  eventName,
  eventQueryText,
  MAX_EVENT_DAYS,
  readEventFilters,
} from './queries/event-filters.ts';
import { filterText } from './targets/device-filters.ts';
import { deviceRef, PERSON_PRIORITY, parseDevice, viewForDevice } from './targets/resolve-device.ts';
import { type ResolvedPolicy, resolvePolicy, uniquePolicyName } from './targets/resolve-policy.ts';

const deviceEventsInput = listInput.extend({ device: deviceRef });
const allEventsInput = listInput.extend({ filters: eventFilters });
const input = z.union([deviceEventsInput, allEventsInput]);
type Input = z.infer<typeof input>;

const eventPages = defineResultList<EventsView>(10, ({ rows }) =>
  rowWeight(rows, ({ patches }) => inRows(patches)),
);
/** Of a whole organization; the count says how many there are. */
const MAX_EVENTS = 2_000;
const HEAD = {
  name: 'events',
  usage: 'events [NAME|#ID] | [policy:NAME|#ID] [user:#ID] [name:EVENT] [days:N]',
};

export const eventsCommand = defineReadCommand<Input>({
  ...HEAD,
  summary:
    'Show the events of a device from the last 30 days, or of all devices from the last 7, newest first.',
  examples: ['events web-01', 'events name:patch-failed days:2', 'events policy:"Apply All Patches"'],
  input,
  form: eventsForm,
  parse,
  run: (input, page, ports) =>
    'device' in input
      ? viewForDevice(
          { device: input.device, again: (id) => ({ command: 'events', input: { device: id } }) },
          ports,
          (id) => cachedList(input, page, ports, () => deviceEvents(id, ports)),
        )
      : allEvents(input, page, ports),
  findUnknownName,
});

function parse(words: LineWords): TypedInput<Input> {
  const [first, ...others] = words.free;
  // One that is no device's name: `events patch-failed` asks for these events.
  if (first !== undefined && others.length === 0 && isEventKind(first.toLowerCase())) {
    const text = filterText('name', first.toLowerCase());
    const named = { key: 'name', value: first.toLowerCase(), negated: false, text };
    return parse({ ...words, free: [], filters: [named, ...words.filters] });
  }
  if (first !== undefined) return parseDevice(words);
  const extra = unexpectedWord(words, { filters: true });
  if (extra !== null) return { kind: 'fault', fault: extra };
  const read = readEventFilters(words.filters);
  return read.kind === 'fault' ? read : { kind: 'input', input: { filters: read.input } };
}

/** A page of what was read before, or of what `read` gives. */
async function cachedList(
  { result }: Pick<Input, 'result'>,
  page: number,
  ports: ReadPorts,
  read: () => Promise<EventsView>,
): Promise<EventsView> {
  return viewPage(await cachedOrRead(eventPages, { result }, ports, read), page);
}

async function deviceEvents(id: DeviceId, { fleet, clock }: ReadPorts): Promise<EventsView> {
  const asOf = clock.now();
  /** The order of the service's pages is no promise, so all of a bounded time is read to know the newest. */
  const since = later(asOf, -MAX_EVENT_DAYS * DAY);
  const [device, rows] = await Promise.all([
    fleet.device(id, PERSON_PRIORITY),
    collectRows(fleet.events({ deviceId: id, after: since }, PERSON_PRIORITY)),
  ]);
  const sorted = newestFirst(rows);
  const total = sorted.length;
  const paging = { command: 'events', input: { device: id }, ...SINGLE_PAGE, total, asOf };
  return { kind: 'events', device, question: '', rows: sorted, since, counted: null, paging };
}

async function allEvents(
  { filters, result }: z.infer<typeof allEventsInput>,
  page: number,
  ports: ReadPorts,
): Promise<View> {
  const policy = await policyOfFilters(filters, ports);
  if (policy?.kind === 'view') return policy.view;
  // Buttons of before may hold the name of the log.
  const name = filters.name === null ? null : eventName(filters.name);
  const resolvedFilters = { ...filters, name, policy: policy?.id ?? null };
  const view = await cachedList({ result }, page, ports, () => readMatchingEvents(resolvedFilters, ports));
  return (view.rows.length === 0 ? filterWithUnknownName(resolvedFilters) : null) ?? view;
}

async function policyOfFilters(filters: EventFilters, ports: ReadPorts): Promise<ResolvedPolicy | null> {
  const again = (policy: number) => ({ command: 'events', input: { filters: { ...filters, policy } } });
  return filters.policy === null ? null : resolvePolicy(filters.policy, again, ports);
}

async function findUnknownName(query: Input, ports: ReadPorts): Promise<Problem | null> {
  const policy = 'device' in query ? null : await policyOfFilters(query.filters, ports);
  return policy?.kind === 'view' && policy.view.kind === 'problem' ? policy.view.problem : null;
}

async function readMatchingEvents(
  filters: EventFilters & { readonly policy: number | null },
  { fleet, inventory, clock }: ReadPorts,
): Promise<EventsView> {
  const asOf = clock.now();
  const query = {
    after: later(asOf, -filters.days * DAY),
    ...(filters.policy === null ? {} : { policyId: policyId(filters.policy) }),
    ...(filters.user === null ? {} : { userId: serviceUserId(filters.user) }),
  };
  const { counted, rows, since } = await readNamed(filters.name, query, fleet);
  const sorted = newestFirst(rows);
  const total = sorted.length;
  const { policies } = await inventory.snapshot(PERSON_PRIORITY);
  const named =
    filters.policy === null ? null : (uniquePolicyName(filters.policy, policies) ?? filters.policy);
  const question = eventQueryText({ ...filters, policy: named });
  const isAll =
    filters.policy === null &&
    filters.user === null &&
    filters.name === null &&
    filters.days === EVENT_DAYS_RANGE;
  const line = isAll ? {} : repeatLine('events', question);
  const paging = { command: 'events', input: { filters: filters }, ...line, ...SINGLE_PAGE, total, asOf };
  return {
    kind: 'events',
    device: null,
    question,
    rows: sorted,
    since,
    counted,
    paging,
  };
}

type EventsSince = FleetEventQuery & { readonly after: Instant };

/**
 * The events of one name; null: all. A kind may have several names in the log, or share one with another kind. `since`:
 * from when on these are all; the newest of very many, where `counted` says how many there are.
 */
async function readNamed(name: string | null, query: EventsSince, fleet: ReadPorts['fleet']) {
  const kind = name !== null && isEventKind(name) ? name : null;
  const named = kind === null ? [name] : logNamesOfKind(kind);
  const parts = await Promise.all(
    named.map(async (one) => {
      const namedQuery = one === null ? query : { ...query, name: one };
      const [counted, rows] = await Promise.all([
        fleet.countEvents(namedQuery, PERSON_PRIORITY),
        collectEvents(MAX_EVENTS, fleet.events(namedQuery, PERSON_PRIORITY)),
      ]);
      return { counted, rows };
    }),
  );
  const read = parts.flatMap(({ rows }) => rows);
  const rows = kind === null ? read : read.filter((event) => eventKindOf(event) === kind);
  const isCut = parts.some((one) => one.counted > one.rows.length);
  const isCounted = rows.length === read.length && !(isCut && named.includes(POLICY_ACTION));
  if (isCounted)
    return { counted: parts.reduce((sum, one) => sum + one.counted, 0), rows, since: query.after };
  // The service counts by its own names, so what is listed is counted: as far back as was read, and no further.
  return { counted: null, rows, since: isCut ? oldestOf(read, query.after) : query.after };
}

/** The time of the oldest, as far as they state one. */
function oldestOf(events: readonly FleetEvent[], from: Instant): Instant {
  const times = events.flatMap(({ createTime }) => createTime ?? []);
  return times.length === 0 ? from : times.reduce((oldest, at) => (at < oldest ? at : oldest));
}

/** A name that is not known and that nothing has. A newer name is asked for all the same: the service may send it. */
function filterWithUnknownName(filters: EventFilters): View | null {
  const { name } = filters;
  if (name === null || isEventKind(name) || LOG_EVENT_NAMES.includes(name)) return null;
  const near = [...new Set(nearestNames(name, [...EVENT_KIND_NAMES, ...LOG_EVENT_NAMES]).map(eventName))];
  const words = (near.length === 0 ? EVENT_KIND_NAMES : near).map((known) => filterText('name', known));
  const fault = { kind: 'unknown-word', word: filterText('name', name), nearest: words } as const;
  const offers = near.map((known): Offer => {
    const right = { ...filters, name: known };
    const choice = { command: 'events', input: { filters: right } };
    return { kind: 'line', does: 'run', line: `${ROOT_COMMAND} events ${eventQueryText(right)}`, choice };
  });
  const problem = usageProblem(HEAD, fault);
  return problemView(offers.length === 0 ? problem : { ...problem, offers });
}

function newestFirst(rows: readonly FleetEvent[]): readonly FleetEvent[] {
  return [...new Map(rows.map((row) => [row.id, row])).values()].toSorted(byIdDescending);
}

async function collectEvents<T>(
  most: number,
  pages: AsyncIterable<{ readonly rows: readonly T[] }>,
): Promise<readonly T[]> {
  const rows: T[] = [];
  for await (const page of pages) {
    rows.push(...page.rows);
    if (rows.length >= most) break;
  }
  return rows.slice(0, most);
}
