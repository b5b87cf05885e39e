/** The filters of `events`: how they are read and written, and the events that they ask about. */
import { z } from 'zod';
import { byIdDescending, type FleetEventQuery } from '../../fleet/fleet.ts';
import {
  eventKindOf,
  isEventKind,
  LOG_EVENT_NAMES,
  logNamesOfKind,
  POLICY_ACTION,
  parseEventKind,
} from '../../fleet/model/event-kinds.ts';
import type { FleetEvent } from '../../fleet/model/resources.ts';
import { DAY, type Instant, instant, later } from '../../lib/clock.ts';
import { fold } from '../../lib/text.ts';
import type { ReadPorts, TypedInput } from '../core/command.ts';
import type { FilterToken } from '../parser/tokenizer.ts';
import { filterFault, usageFault } from '../parser/usage-errors.ts';
import { filterText } from '../targets/device-query.ts';
import { nameOrId } from '../targets/name-lookup.ts';
import { PERSON_PRIORITY } from '../targets/resolve-device.ts';

/** Maximum number of days: all events of them are read to find the newest. */
export const MAX_EVENT_DAYS = 30;
/** Default number of days for all devices. */
export const EVENT_DAYS_RANGE = 7;

export const eventFilters = z.object({
  policy: nameOrId.nullable(),
  user: z.int().positive().nullable(),
  name: z.string().min(1).nullable(),
  days: z.int().min(1).max(MAX_EVENT_DAYS),
  /** The last day (UTC), as the service takes days; null: today. */
  until: z.iso.date().nullable().default(null),
});
export type EventFilters = z.infer<typeof eventFilters>;

export function defaultEventFilters(days: number): EventFilters {
  return { policy: null, user: null, name: null, days, until: null };
}

function endOfDay(day: string): Instant {
  return instant(Date.parse(day) + DAY);
}

const KEYS = ['policy', 'user', 'name', 'days', 'until'] as const;

/** Parses the typed filters, each at most once. `days`: the default. */
export function readEventFilters(filters: readonly FilterToken[], days: number): TypedInput<EventFilters> {
  const wrong = filterFault(filters, { once: KEYS, empty: KEYS });
  if (wrong !== null) return usageFault(wrong);
  let read = defaultEventFilters(days);
  for (const { key, value, text } of filters) {
    if (value === '')
      return usageFault({
        kind: 'missing',
        what: `Add a value right after “${key}:”.`,
        prefill: { filters: read },
      });
    const checked = eventFilters.safeParse({ ...read, [key]: parseEventFilter(key, value) });
    if (!checked.success) {
      return usageFault({ kind: 'bad-value', word: text, expected: EXPECTED[key] ?? 'another value' });
    }
    read = checked.data;
  }
  return { kind: 'input', input: read };
}

const EXPECTED: Readonly<Record<string, string>> = {
  days: `1 to ${MAX_EVENT_DAYS} days`,
  user: 'a user number',
  until: 'a date such as 2026-11-20',
};

function parseEventFilter(key: string, value: string): string | number {
  switch (key) {
    case 'name':
      return eventName(value);
    case 'user':
    case 'days':
      return /^#?\d{1,15}$/.test(value) ? Number(value.replace('#', '')) : Number.NaN;
    default:
      return value;
  }
}

/** The standard name of an event, whatever synonym was typed. An unknown log name is kept. */
export function eventName(typed: string): string {
  return parseEventKind(typed) ?? LOG_EVENT_NAMES.find((known) => known === fold(typed)) ?? typed;
}

export function eventQueryText({ policy, user, name, days, until }: EventFilters): string {
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
export function eventPeriod({ days, until }: EventFilters, asOf: Instant) {
  const end = until === null ? null : endOfDay(until);
  const isPast = end !== null && end < asOf;
  return { since: later(isPast ? end : asOf, -days * DAY), until: isPast ? end : null };
}

/** Whether it happened before the end. An event without a time was selected by the service alone. */
export function isBefore({ createTime }: FleetEvent, until: Instant | null): boolean {
  return until === null || createTime === null || createTime < until;
}

type EventsSince = FleetEventQuery & { readonly after: Instant };

/**
 * The events of one name; null: all. A kind may have several names in the log, or share one with another kind. `since`:
 * from when on these are all; the newest of very many, where `counted` says how many there are.
 */
export async function readNamedEvents(name: string | null, query: EventsSince, fleet: ReadPorts['fleet']) {
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

/** Each once. */
export function newestFirst(rows: readonly FleetEvent[]): readonly FleetEvent[] {
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
