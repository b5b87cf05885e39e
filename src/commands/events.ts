/** `events`: the event log of a device, or of the whole organization, newest first. */
import { z } from 'zod';
import { byIdDescending, type FleetEventQuery } from '../fleet/fleet.ts';
import {
  EVENT_KIND_NAMES,
  EVENT_KINDS,
  eventKindOf,
  isEventKind,
  LOG_EVENT_NAMES,
  logNamesOfKind,
  POLICY_ACTION,
  parseEventKind,
} from '../fleet/model/event-kinds.ts';
import type { FleetEvent } from '../fleet/model/resources.ts';
import { collectRows } from '../fleet/reads/read-helpers.ts';
import { nearestNames } from '../inventory/nearest-names.ts';
import { DAY, type Instant, instant, later } from '../lib/clock.ts';
import { type DeviceId, policyId, serviceUserId } from '../lib/ids.ts';
import { ROOT_COMMAND } from '../lib/slash-commands.ts';
import { fold } from '../lib/text.ts';
import type { EventsView } from '../views/device/event-list.ts';
import type { FieldValues, FormField, FormOption } from '../views/models/form-model.ts';
import type { Offer } from '../views/models/problem-model.ts';
import type { Problem, View } from '../views/views.ts';
import { type Argument, argumentsOf, days, named, number } from './core/arguments.ts';
import type { FormPorts, FormValues, OpenedForm, ReadPorts, TypedInput } from './core/command.ts';
import { defineReadCommand } from './core/define-command.ts';
import { idValue, selectedValue, textField } from './core/field-values.ts';
import { DEVICE_FIELD, deviceField, deviceOption, devicePrefillSchema } from './forms/subject-forms.ts';
import { cachedOrRead, listInput, viewPage, wholePaging } from './lists/paging.ts';
import { defineResultList, inRows, rowWeight } from './lists/result-cache.ts';
import type { FilterToken, LineWords } from './parser/tokenizer.ts';
import { problemView, usageFault, usageProblem } from './parser/usage-errors.ts';
import { filterText } from './targets/device-query.ts';
import { matchName, type NameOrId } from './targets/name-lookup.ts';
import {
  type DeviceRef,
  deviceRef,
  PERSON_PRIORITY,
  parseDevice,
  viewForDevice,
} from './targets/resolve-device.ts';
import { resolvePolicy, uniquePolicyName } from './targets/resolve-group-or-policy.ts';

/** Maximum number of days: all events of them are read to find the newest. */
const MAX_EVENT_DAYS = 30;
/** Default number of days for all devices. */
const EVENT_DAYS_RANGE = 7;

const SPANS = [1, 2, EVENT_DAYS_RANGE, 14, MAX_EVENT_DAYS];
const EVENT_OPTIONS = EVENT_KIND_NAMES.map((kind) => ({ value: kind, label: EVENT_KINDS[kind].title }));

const event: Argument<string | null, string | null> = {
  key: 'name',
  takes: 'EVENT',
  schema: z.string().min(1).nullable(),
  read: eventName,
  draw(id, now) {
    const name = now === null ? null : eventName(now);
    const isOther = name !== null && !isEventKind(name);
    const options = isOther ? [{ value: name, label: name }, ...EVENT_OPTIONS] : EVENT_OPTIONS;
    return [{ kind: 'choice', id, label: 'Only this event', optional: true, options, initial: name }];
  },
  enter: (values, id) => selectedValue(values, id) ?? undefined,
};

/** The last day (UTC), as the service takes days; null: today. */
const until: Argument<string | null, string | null> = {
  key: 'until',
  takes: 'DATE',
  schema: z.iso.date().nullable(),
  expected: 'a date such as 2026-11-20',
  draw: (id, now) => [
    textField(id, 'Until (date in UTC)', now ?? '', 10, {
      hint: 'Such as 2026-11-20. Leave empty for today.',
      optional: true,
    }),
  ],
};

export const EVENT_ARGUMENTS = argumentsOf({
  policy: named('policy', 'Only this policy', 'NAME|#ID'),
  user: { ...number('user', '#ID', 'a user number'), schema: z.int().positive().nullable() },
  name: event,
  days: days({
    label: 'Period',
    most: MAX_EVENT_DAYS,
    spans: SPANS,
    labelOf: (span) => (span === 1 ? '1 day' : `${span} days`),
  }),
  until,
});

const eventFilters = EVENT_ARGUMENTS.input.required().extend({ until: until.schema.default(null) });
type EventFilters = z.infer<typeof eventFilters>;

function defaultEventFilters(days: number): EventFilters {
  return { policy: null, user: null, name: null, days, until: null };
}

/** The standard name of an event, whatever synonym was typed. An unknown log name is kept. */
function eventName(typed: string): string {
  return parseEventKind(typed) ?? LOG_EVENT_NAMES.find((known) => known === fold(typed)) ?? typed;
}

function eventQueryText({ policy, user, name, days, until }: EventFilters): string {
  const parts = [
    policy === null ? null : filterText('policy', typeof policy === 'number' ? `#${policy}` : policy),
    user === null ? null : filterText('user', `#${user}`),
    name === null ? null : filterText('name', name),
    filterText('days', String(days)),
    until === null ? null : filterText('until', until),
  ];
  return parts.filter((part) => part !== null).join(' ');
}

/** Of a whole organization; the count says how many there are. */
const MAX_EVENTS = 2_000;
/** The time that filters ask about. `until`: null where it goes on to now. */
function eventPeriod({ days, until }: EventFilters, asOf: Instant) {
  const end = until === null ? null : instant(Date.parse(until) + DAY);
  const isPast = end !== null && end < asOf;
  return { since: later(isPast ? end : asOf, -days * DAY), until: isPast ? end : null };
}

/** Whether it happened before the end. An event without a time was selected by the service alone. */
function isBefore({ createTime }: FleetEvent, until: Instant | null): boolean {
  return until === null || createTime === null || createTime < until;
}

/** The service takes days, so it selects the whole first one. */
const isSince = ({ createTime }: FleetEvent, since: Instant): boolean =>
  createTime === null || createTime >= since;

type EventsSince = FleetEventQuery & { readonly after: Instant };

/**
 * The events of one name; null: all. A kind may have several names in the log, or share one with another kind. `since`:
 * from when on these are all; the newest of very many, where `counted` says how many there are.
 */
async function readNamedEvents(name: string | null, query: EventsSince, fleet: ReadPorts['fleet']) {
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
  const rows = read.filter(
    (event) => isSince(event, query.after) && (kind === null || eventKindOf(event) === kind),
  );
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

/** Each once. */
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

const input = listInput
  .extend({ device: deviceRef.optional(), filters: eventFilters.optional() })
  .refine(({ device, filters }) => device !== undefined || filters !== undefined);
type Input = z.infer<typeof input>;

const eventPages = defineResultList<EventsView>(10, ({ rows }) =>
  rowWeight(rows, ({ patches }) => inRows(patches)),
);
const HEAD = {
  name: 'events',
  usage: `events [NAME|#ID] ${EVENT_ARGUMENTS.usage}`,
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
  form: { open: openForm, read: readForm },
  parse,
  run: ({ device, filters, result }, page, ports) => {
    const list = (id: DeviceId | null, days: number) =>
      listEvents(id, filters ?? defaultEventFilters(days), { result }, page, ports);
    if (device === undefined) return list(null, EVENT_DAYS_RANGE);
    const again = (id: DeviceRef) => ({ command: 'events', input: { device: id, filters } });
    return viewForDevice({ device, again }, ports, (id) => list(id, MAX_EVENT_DAYS));
  },
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
  const isEmpty = ({ key, value }: FilterToken) => value === '' && key in EVENT_ARGUMENTS.input.shape;
  const filters = words.filters.filter((one) => !isEmpty(one));
  const read = EVENT_ARGUMENTS.parse({ ...words, filters }, { free: true });
  if (read.kind === 'fault') return read;
  const device = named === null ? {} : { device: named.input.device };
  if (named !== null && words.filters.length === 0) return { kind: 'input', input: device };
  const usual = defaultEventFilters(named === null ? EVENT_DAYS_RANGE : MAX_EVENT_DAYS);
  const input = { ...device, filters: { ...usual, ...read.input } };
  const empty = words.filters.find(isEmpty);
  if (empty === undefined) return { kind: 'input', input };
  return usageFault({ kind: 'missing', what: `Add a value right after “${empty.key}:”.`, prefill: input });
}

/** `device` null: all of them. */
async function listEvents(
  device: DeviceId | null,
  filters: EventFilters,
  { result }: Pick<Input, 'result'>,
  page: number,
  ports: ReadPorts,
): Promise<View> {
  const about = device === null ? {} : { device };
  const policy = await policyOfFilters(about, filters, ports);
  if (policy?.kind === 'view') return policy.view;
  // A button may hold the name of the log.
  const name = filters.name === null ? null : eventName(filters.name);
  const resolved = { ...filters, name, policy: policy?.id ?? null };
  const read = () => (device === null ? allEvents(resolved, ports) : deviceEvents(device, resolved, ports));
  const view = viewPage(await cachedOrRead(eventPages, { result }, ports, read), page);
  return (view.rows.length === 0 ? filterWithUnknownName(about, resolved) : null) ?? view;
}

type AboutDevice = Pick<Input, 'device'>;

async function policyOfFilters(about: AboutDevice, filters: EventFilters, ports: ReadPorts) {
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
  const all = newestFirst(read.filter((event) => isSince(event, since) && isBefore(event, until)));
  const rows = all.filter(
    (event) =>
      (policy === null || event.policyId === policy) &&
      (user === null || event.userId === user) &&
      (name === null || (isEventKind(name) ? eventKindOf(event) === name : event.name === name)),
  );
  const isFiltered = policy !== null || user !== null || name !== null;
  const isUsual = !isFiltered && filters.days === MAX_EVENT_DAYS && filters.until === null;
  const question = isUsual ? '' : await questionOf(filters, ports);
  const input = question === '' ? { device: id } : { device: id, filters };
  const typed = question === '' ? '' : `#${id} ${question}`;
  const paging = wholePaging('events', input, typed, { total: rows.length, asOf });
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
  const { counted, rows, since } = await readNamedEvents(filters.name, query, fleet);
  const sorted = newestFirst(rows);
  const question = await questionOf(filters, ports);
  const isAll = question === eventQueryText(defaultEventFilters(EVENT_DAYS_RANGE));
  const paging = wholePaging('events', { filters }, isAll ? '' : question, { total: sorted.length, asOf });
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

const prefillSchema = z.object({ filters: eventFilters.optional() }).catch({});
/** Filters without a field, passed on unchanged. */
const carriedContext = z.object({ user: eventFilters.shape.user }).catch({ user: null });

async function openForm(typed: unknown, ports: FormPorts): Promise<OpenedForm> {
  const { device } = devicePrefillSchema.parse(typed);
  const usual = defaultEventFilters(device === undefined ? EVENT_DAYS_RANGE : MAX_EVENT_DAYS);
  const { policy: asked, user, name, days, until } = prefillSchema.parse(typed).filters ?? usual;
  const subject = deviceField(await deviceOption(device, ports));
  const policy = asked === null ? null : await policyOption(asked, ports);
  const fields: readonly FormField[] = [
    { ...subject, hint: 'Leave empty for all devices.', optional: true },
    ...EVENT_ARGUMENTS.draw({ days, until, name, policy }, ports.dialect),
  ];
  return {
    kind: 'form',
    form: { command: 'events', title: 'Events', submit: 'Show', context: { user }, fields },
  };
}

async function policyOption(given: NameOrId, { fleet }: FormPorts): Promise<FormOption | null> {
  const all = await collectRows(fleet.policies(PERSON_PRIORITY));
  const found = matchName(given, all, ({ name }) => name);
  const policy = found.kind === 'one' ? all.find(({ id }) => id === found.id) : undefined;
  return policy === undefined
    ? null
    : { value: String(policy.id), label: policy.name, detail: `#${policy.id}` };
}

function readForm(values: FieldValues, context: unknown): FormValues {
  const device = idValue(values, DEVICE_FIELD);
  const read = EVENT_ARGUMENTS.enter(values);
  if (read.kind === 'errors') return read;
  const usual = { ...defaultEventFilters(EVENT_DAYS_RANGE), ...carriedContext.parse(context) };
  const filters = { ...usual, ...read.input };
  return { kind: 'input', input: { ...(device === null ? {} : { device }), filters } };
}
