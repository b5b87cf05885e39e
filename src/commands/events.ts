/** `events`: the event log of a device, or of the whole organization, newest first. */

import type { z } from 'zod';
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
  defaultEventFilters,
  EVENT_DAYS_RANGE,
  type EventFilters,
  endOfDay,
  eventFilters,
  eventName,
  eventQueryText,
  MAX_EVENT_DAYS,
  readEventFilters,
} from './queries/event-filters.ts';
import { filterText } from './targets/device-filters.ts';
import { deviceRef, PERSON_PRIORITY, parseDevice, viewForDevice } from './targets/resolve-device.ts';
import { type ResolvedPolicy, resolvePolicy, uniquePolicyName } from './targets/resolve-policy.ts';

const input = listInput.extend({ device: deviceRef.optional(), filters: eventFilters.optional() });
type Input = z.infer<typeof input>;

const eventPages = defineResultList<EventsView>(10, ({ rows }) =>
  rowWeight(rows, ({ patches }) => inRows(patches)),
);
/** Of a whole organization; the count says how many there are. */
const MAX_EVENTS = 2_000;
const HEAD = {
  name: 'events',
  usage: 'events [NAME|#ID] [policy:NAME|#ID] [user:#ID] [name:EVENT] [days:N] [until:DATE]',
};

export const eventsCommand = defineReadCommand<Input>({
  ...HEAD,
  summary:
    'Show the events of a device from the last 30 days, or of all devices from the last 7, newest first.',
  examples: [
    'events web-01',
    'events web-01 name:patch-failed until:2026-11-20',
    'events policy:"Apply All Patches" days:2',
  ],
  input,
  form: eventsForm,
  parse,
  run: ({ device, filters, result }, page, ports) =>
    device === undefined
      ? listEvents(
          { device: null, filters: filters ?? defaultEventFilters(EVENT_DAYS_RANGE), result },
          page,
          ports,
        )
      : viewForDevice(
          { device, again: (id) => ({ command: 'events', input: { device: id, filters } }) },
          ports,
          (id) =>
            listEvents(
              { device: id, filters: filters ?? defaultEventFilters(MAX_EVENT_DAYS), result },
              page,
              ports,
            ),
        ),
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
  const named = first === undefined ? null : parseDevice(words, { filters: true });
  if (named?.kind === 'fault') return named;
  const extra = unexpectedWord(words, { filters: true });
  if (extra !== null) return { kind: 'fault', fault: extra };
  const device = named === null ? {} : { device: named.input.device };
  if (named !== null && words.filters.length === 0) return { kind: 'input', input: device };
  const read = readEventFilters(words.filters, named === null ? EVENT_DAYS_RANGE : MAX_EVENT_DAYS);
  if (read.kind === 'input') return { kind: 'input', input: { ...device, filters: read.input } };
  const { fault } = read;
  if (fault.kind !== 'missing' || fault.prefill === undefined) return read;
  return { kind: 'fault', fault: { ...fault, prefill: { ...device, ...fault.prefill } } };
}

type EventQuestion = Pick<Input, 'result'> & {
  /** Null: all devices. */
  readonly device: DeviceId | null;
  readonly filters: EventFilters;
};

async function listEvents(
  { device, filters, result }: EventQuestion,
  page: number,
  ports: ReadPorts,
): Promise<View> {
  const about = device === null ? {} : { device };
  const policy = await policyOfFilters(about, filters, ports);
  if (policy?.kind === 'view') return policy.view;
  // Buttons of before may hold the name of the log.
  const name = filters.name === null ? null : eventName(filters.name);
  const resolved = { ...filters, name, policy: policy?.id ?? null };
  const read = () => (device === null ? allEvents(resolved, ports) : deviceEvents(device, resolved, ports));
  const view = viewPage(await cachedOrRead(eventPages, { result }, ports, read), page);
  return (view.rows.length === 0 ? filterWithUnknownName(about, resolved) : null) ?? view;
}

type AboutDevice = Pick<Input, 'device'>;

async function policyOfFilters(
  about: AboutDevice,
  filters: EventFilters,
  ports: ReadPorts,
): Promise<ResolvedPolicy | null> {
  const again = (policy: number) => ({
    command: 'events',
    input: { ...about, filters: { ...filters, policy } },
  });
  return filters.policy === null ? null : resolvePolicy(filters.policy, again, ports);
}

async function findUnknownName({ device, filters }: Input, ports: ReadPorts): Promise<Problem | null> {
  if (filters === undefined) return null;
  const policy = await policyOfFilters({ device }, filters, ports);
  return policy?.kind === 'view' && policy.view.kind === 'problem' ? policy.view.problem : null;
}

type ResolvedFilters = EventFilters & { readonly policy: number | null };

/** The time that filters ask about. `until`: null where it goes on to now. */
function eventPeriod({ days, until }: EventFilters, asOf: Instant) {
  const end = until === null ? null : endOfDay(until);
  const isPast = end !== null && end < asOf;
  return { since: later(isPast ? end : asOf, -days * DAY), until: isPast ? end : null };
}

/** Whether it happened before the end. An event without a time was selected by the service alone. */
function isBefore({ createTime }: FleetEvent, until: Instant | null): boolean {
  return until === null || createTime === null || createTime < until;
}

/**
 * The document does not say that the service combines a device with other filters (§4.9), so all events of the device
 * are read and filtered here. Its order is no promise either, so all of a bounded time is read to know the newest.
 */
async function deviceEvents(id: DeviceId, filters: ResolvedFilters, ports: ReadPorts): Promise<EventsView> {
  const { fleet, clock } = ports;
  const asOf = clock.now();
  const { since, until } = eventPeriod(filters, asOf);
  const query = { deviceId: id, after: since, ...(until === null ? {} : { before: until }) };
  const [device, read] = await Promise.all([
    fleet.device(id, PERSON_PRIORITY),
    collectRows(fleet.events(query, PERSON_PRIORITY)),
  ]);
  const { policy, user, name } = filters;
  const all = newestFirst(read.filter((event) => isBefore(event, until)));
  const rows = all.filter(
    (event) =>
      (policy === null || event.policyId === policy) &&
      (user === null || event.userId === user) &&
      (name === null || (isEventKind(name) ? eventKindOf(event) === name : event.name === name)),
  );
  const isFiltered = policy !== null || user !== null || name !== null;
  const question =
    isFiltered || filters.days !== MAX_EVENT_DAYS || filters.until !== null
      ? await questionOf(filters, ports)
      : '';
  const line = repeatLine('events', question === '' ? '' : `#${id} ${question}`);
  const input = question === '' ? { device: id } : { device: id, filters };
  const paging = { command: 'events', input, ...line, ...SINGLE_PAGE, total: rows.length, asOf };
  const checked = isFiltered ? all.length : null;
  return { kind: 'events', device, question, rows, since, until, counted: null, checked, paging };
}

async function questionOf(filters: ResolvedFilters, { inventory }: ReadPorts): Promise<string> {
  const { policies } = await inventory.snapshot(PERSON_PRIORITY);
  const policy =
    filters.policy === null ? null : (uniquePolicyName(filters.policy, policies) ?? filters.policy);
  return eventQueryText({ ...filters, policy });
}

async function allEvents(filters: ResolvedFilters, ports: ReadPorts): Promise<EventsView> {
  const { fleet, clock } = ports;
  const asOf = clock.now();
  const period = eventPeriod(filters, asOf);
  const query = {
    after: period.since,
    ...(period.until === null ? {} : { before: period.until }),
    ...(filters.policy === null ? {} : { policyId: policyId(filters.policy) }),
    ...(filters.user === null ? {} : { userId: serviceUserId(filters.user) }),
  };
  const { counted, rows, since } = await readNamed(filters.name, query, fleet);
  const sorted = newestFirst(rows);
  const question = await questionOf(filters, ports);
  const isAll = question === eventQueryText(defaultEventFilters(EVENT_DAYS_RANGE));
  const line = isAll ? {} : repeatLine('events', question);
  const paging = {
    command: 'events',
    input: { filters },
    ...line,
    ...SINGLE_PAGE,
    total: sorted.length,
    asOf,
  };
  const { until } = period;
  return {
    kind: 'events',
    device: null,
    question,
    rows: sorted,
    since,
    until,
    counted,
    checked: null,
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
        collectEvents(fleet.events(namedQuery, PERSON_PRIORITY), query.before ?? null),
      ]);
      return { counted, rows };
    }),
  );
  const read = parts.flatMap(({ rows }) => rows);
  const rows = kind === null ? read : read.filter((event) => eventKindOf(event) === kind);
  const isCut = parts.some((one) => one.rows.length === MAX_EVENTS && one.counted > MAX_EVENTS);
  // Whether the service counts the last day too is not documented (§4.9).
  const isCounted =
    query.before === undefined && rows.length === read.length && !(isCut && named.includes(POLICY_ACTION));
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
function filterWithUnknownName(about: AboutDevice, filters: EventFilters): View | null {
  const { name } = filters;
  if (name === null || isEventKind(name) || LOG_EVENT_NAMES.includes(name)) return null;
  const near = [...new Set(nearestNames(name, [...EVENT_KIND_NAMES, ...LOG_EVENT_NAMES]).map(eventName))];
  const words = (near.length === 0 ? EVENT_KIND_NAMES : near).map((known) => filterText('name', known));
  const fault = { kind: 'unknown-word', word: filterText('name', name), nearest: words } as const;
  const offers = near.map((known): Offer => {
    const right = { ...filters, name: known };
    const choice = { command: 'events', input: { ...about, filters: right } };
    const words = about.device === undefined ? [] : [`#${about.device}`];
    const line = [ROOT_COMMAND, 'events', ...words, eventQueryText(right)].join(' ');
    return { kind: 'line', does: 'run', line, choice };
  });
  const problem = usageProblem(HEAD, fault);
  return problemView(offers.length === 0 ? problem : { ...problem, offers });
}

function newestFirst(rows: readonly FleetEvent[]): readonly FleetEvent[] {
  return [...new Map(rows.map((row) => [row.id, row])).values()].toSorted(byIdDescending);
}

/** The first {@link MAX_EVENTS} that happened before the end. */
async function collectEvents(
  pages: AsyncIterable<{ readonly rows: readonly FleetEvent[] }>,
  until: Instant | null,
): Promise<readonly FleetEvent[]> {
  const rows: FleetEvent[] = [];
  for await (const page of pages) {
    rows.push(...page.rows.filter((event) => isBefore(event, until)));
    if (rows.length >= MAX_EVENTS) break;
  }
  return rows.slice(0, MAX_EVENTS);
}
