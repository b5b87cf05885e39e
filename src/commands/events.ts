/** `events`: the event log of a device, or of the whole organization, newest first. */

import { z } from 'zod';
import { EVENT_KIND_NAMES, eventKindOf, isEventKind, LOG_EVENT_NAMES } from '../fleet/model/event-kinds.ts';
import { collectRows } from '../fleet/reads/read-helpers.ts';
import { nearestNames } from '../inventory/nearest-names.ts';
import { type DeviceId, policyId, serviceUserId } from '../lib/ids.ts';
import { ROOT_COMMAND } from '../lib/slash-commands.ts';
import type { EventsView } from '../views/device/event-list.ts';
import type { FieldValues, FormField, FormOption } from '../views/models/form-model.ts';
import type { Offer } from '../views/models/problem-model.ts';
import type { Problem, View } from '../views/types.ts';
import type { FormPorts, FormValues, OpenedForm, ReadPorts, TypedInput } from './core/command.ts';
import { defineReadCommand } from './core/define-command.ts';
import { idValue } from './core/field-values.ts';
import { DEVICE_FIELD, deviceField, deviceOption, devicePrefillSchema } from './forms/subject-forms.ts';
import { cachedOrRead, listInput, viewPage, wholePaging } from './lists/paging.ts';
import { defineResultList, inRows, rowWeight } from './lists/result-cache.ts';
import type { FilterToken, LineWords } from './parser/tokenizer.ts';
import { problemView, usageFault, usageProblem } from './parser/usage-errors.ts';
import {
  defaultEventFilters,
  EVENT_ARGUMENTS,
  EVENT_DAYS_RANGE,
  type EventFilters,
  eventFilters,
  eventName,
  eventPeriod,
  eventQueryText,
  isBefore,
  MAX_EVENT_DAYS,
  newestFirst,
  readNamedEvents,
} from './queries/event-filters.ts';
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
  const all = newestFirst(read.filter((event) => isBefore(event, until)));
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
