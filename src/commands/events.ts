/** `events`: the event log of a device, or of the whole organization, newest first. */

import { z } from 'zod';
import { DAY, type Instant, later } from '../clock.ts';
import { collectRows } from '../fleet/collect-rows.ts';
import { EVENT_NAMES, POLICY_ACTION } from '../fleet/event-names.ts';
import { byIdDescending, type EventQuery } from '../fleet/fleet.ts';
import { HAPPENING_KINDS, happeningOf, isHappening, logNamesOf } from '../fleet/happenings.ts';
import type { FleetEvent } from '../fleet/model.ts';
import { type DeviceId, policyId, serviceUserId } from '../ids.ts';
import { nearest } from '../inventory/nearest.ts';
import type { Problem, View } from '../views/model.ts';
import type { Offer } from '../views/models/offer-model.ts';
import type { ReadPorts } from './command.ts';
import { defineRead, type Typed } from './define.ts';
import {
  DAYS,
  type EventFilters,
  eventFilters,
  eventName,
  eventQuestion,
  MOST_DAYS,
  readEventFilters,
} from './event-filters.ts';
import { eventsForm } from './forms/events-form.ts';
import { extraWord, problemView, usageProblem } from './line/faults.ts';
import type { Words } from './line/grammar.ts';
import { listInput } from './lists/input.ts';
import { FIRST, frozen, lineOf, pageOf } from './lists/paging.ts';
import type { Whole } from './lists/results.ts';
import { ROOT } from './root.ts';
import { filterText } from './targets/device-filters.ts';
import { type PolicyMeant, policyMeant } from './targets/policy-meant.ts';
import { onlyName } from './targets/policy-name.ts';
import { deviceRef, PERSON, parseDevice, viewOfDevice } from './targets/resolve.ts';

const ofDevice = listInput.extend({ device: deviceRef });
const ofAll = listInput.extend({ filters: eventFilters });
const input = z.union([ofDevice, ofAll]);
type Input = z.infer<typeof input>;

const PAGE_SIZE = 10;
/** Of a whole organization; the count says how many there are. */
const MOST_EVENTS = 2_000;
const HEAD = {
  name: 'events',
  usage: 'events [NAME|#ID] | [policy:NAME|#ID] [user:#ID] [name:EVENT] [days:N]',
};

export const events = defineRead<Input>({
  ...HEAD,
  summary:
    'Show the events of a device from the last 30 days, or of all devices from the last 7, newest first.',
  examples: ['events web-01', 'events name:patch-failed days:2', 'events policy:"Apply All Patches"'],
  input,
  form: eventsForm,
  parse,
  run: (asked, page, ports) =>
    'device' in asked
      ? viewOfDevice(
          { device: asked.device, again: (id) => ({ command: 'events', input: { device: id } }) },
          ports,
          (id) => listed(asked, page, ports, () => ofOne(id, ports)),
        )
      : listOfAll(asked, page, ports),
  slip,
});

function parse(words: Words): Typed<Input> {
  const [first, ...others] = words.free;
  // One that is no device's name: `events patch-failed` asks for these events.
  if (first !== undefined && others.length === 0 && isHappening(first.toLowerCase())) {
    const text = filterText('name', first.toLowerCase());
    const named = { key: 'name', value: first.toLowerCase(), negated: false, text };
    return parse({ ...words, free: [], filters: [named, ...words.filters] });
  }
  if (first !== undefined) return parseDevice(words);
  const extra = extraWord(words, { filters: true });
  if (extra !== null) return { kind: 'fault', fault: extra };
  const read = readEventFilters(words.filters);
  return read.kind === 'fault' ? read : { kind: 'input', input: { filters: read.input } };
}

/** A page of what was read before, or of what `read` gives. */
async function listed(
  { result }: Pick<Input, 'result'>,
  page: number,
  ports: ReadPorts,
  read: () => Promise<Whole<'events'>>,
): Promise<Whole<'events'>> {
  const { results, pageSize: size = PAGE_SIZE } = ports;
  return pageOf(await frozen(results.events, size, { result }, ports, read), page, size);
}

async function ofOne(id: DeviceId, { fleet, clock }: ReadPorts): Promise<Whole<'events'>> {
  const asOf = clock.now();
  /** The order of the service's pages is no promise, so all of a bounded time is read to know the newest. */
  const since = later(asOf, -MOST_DAYS * DAY);
  const [device, rows] = await Promise.all([
    fleet.device(id, PERSON),
    collectRows(fleet.events({ deviceId: id, after: since }, PERSON)),
  ]);
  const sorted = newestFirst(rows);
  const total = sorted.length;
  const paging = { command: 'events', input: { device: id }, ...FIRST, total, asOf };
  return { kind: 'events', device, question: '', rows: sorted, since, counted: null, paging };
}

async function listOfAll(
  { filters, result }: z.infer<typeof ofAll>,
  page: number,
  ports: ReadPorts,
): Promise<View> {
  const policy = await policyIn(filters, ports);
  if (policy?.kind === 'view') return policy.view;
  // Buttons of before may hold the name of the log.
  const name = filters.name === null ? null : eventName(filters.name);
  const asked = { ...filters, name, policy: policy?.id ?? null };
  const view = await listed({ result }, page, ports, () => ofAllThat(asked, ports));
  return (view.rows.length === 0 ? slipOf(asked) : null) ?? view;
}

async function policyIn(filters: EventFilters, ports: ReadPorts): Promise<PolicyMeant | null> {
  const again = (policy: number) => ({ command: 'events', input: { filters: { ...filters, policy } } });
  return filters.policy === null ? null : policyMeant(filters.policy, again, ports);
}

async function slip(asked: Input, ports: ReadPorts): Promise<Problem | null> {
  const policy = 'device' in asked ? null : await policyIn(asked.filters, ports);
  return policy?.kind === 'view' && policy.view.kind === 'problem' ? policy.view.problem : null;
}

async function ofAllThat(
  asked: EventFilters & { readonly policy: number | null },
  { fleet, inventory, clock }: ReadPorts,
): Promise<Whole<'events'>> {
  const asOf = clock.now();
  const query = {
    after: later(asOf, -asked.days * DAY),
    ...(asked.policy === null ? {} : { policyId: policyId(asked.policy) }),
    ...(asked.user === null ? {} : { userId: serviceUserId(asked.user) }),
  };
  const { counted, rows, since } = await readNamed(asked.name, query, fleet);
  const sorted = newestFirst(rows);
  const total = sorted.length;
  const { policies } = await inventory.snapshot(PERSON);
  const named = asked.policy === null ? null : (onlyName(asked.policy, policies) ?? asked.policy);
  const question = eventQuestion({ ...asked, policy: named });
  const isAll = asked.policy === null && asked.user === null && asked.name === null && asked.days === DAYS;
  const line = isAll ? {} : lineOf('events', question);
  const paging = { command: 'events', input: { filters: asked }, ...line, ...FIRST, total, asOf };
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

type Since = EventQuery & { readonly after: Instant };

/**
 * The events of one name; null: all. A kind may have several names in the log, or share one with another kind. `since`:
 * from when on these are all; the newest of very many, where `counted` says how many there are.
 */
async function readNamed(name: string | null, query: Since, fleet: ReadPorts['fleet']) {
  const kind = name !== null && isHappening(name) ? name : null;
  const named = kind === null ? [name] : logNamesOf(kind);
  const parts = await Promise.all(
    named.map(async (one) => {
      const asked = one === null ? query : { ...query, name: one };
      const [counted, rows] = await Promise.all([
        fleet.countEvents(asked, PERSON),
        collectUpTo(MOST_EVENTS, fleet.events(asked, PERSON)),
      ]);
      return { counted, rows };
    }),
  );
  const read = parts.flatMap(({ rows }) => rows);
  const rows = kind === null ? read : read.filter((event) => happeningOf(event) === kind);
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
function slipOf(filters: EventFilters): View | null {
  const { name } = filters;
  if (name === null || isHappening(name) || EVENT_NAMES.includes(name)) return null;
  const near = [...new Set(nearest(name, [...HAPPENING_KINDS, ...EVENT_NAMES]).map(eventName))];
  const words = (near.length === 0 ? HAPPENING_KINDS : near).map((known) => filterText('name', known));
  const fault = { kind: 'unknown-word', word: filterText('name', name), nearest: words } as const;
  const offers = near.map((known): Offer => {
    const right = { ...filters, name: known };
    const choice = { command: 'events', input: { filters: right } };
    return { kind: 'line', does: 'run', line: `${ROOT} events ${eventQuestion(right)}`, choice };
  });
  const problem = usageProblem(HEAD, fault);
  return problemView(offers.length === 0 ? problem : { ...problem, offers });
}

function newestFirst(rows: readonly FleetEvent[]): readonly FleetEvent[] {
  return [...new Map(rows.map((row) => [row.id, row])).values()].toSorted(byIdDescending);
}

async function collectUpTo<T>(
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
