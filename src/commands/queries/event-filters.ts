/** The filters of `events`: how they are read and written, and the events that they ask about. */
import { z } from 'zod';
import { byIdDescending, type FleetEventQuery } from '../../fleet/fleet.ts';
import {
  EVENT_KIND_NAMES,
  EVENT_KINDS,
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
import { type Argument, argumentsOf, days, named, number } from '../core/arguments.ts';
import type { ReadPorts } from '../core/command.ts';
import { selectedValue, textField } from '../core/field-values.ts';

import { filterText } from '../targets/device-query.ts';
import { PERSON_PRIORITY } from '../targets/resolve-device.ts';

/** Maximum number of days: all events of them are read to find the newest. */
export const MAX_EVENT_DAYS = 30;
/** Default number of days for all devices. */
export const EVENT_DAYS_RANGE = 7;

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

export const eventFilters = EVENT_ARGUMENTS.input.required().extend({ until: until.schema.default(null) });
export type EventFilters = z.infer<typeof eventFilters>;

export function defaultEventFilters(days: number): EventFilters {
  return { policy: null, user: null, name: null, days, until: null };
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
  const end = until === null ? null : instant(Date.parse(until) + DAY);
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
