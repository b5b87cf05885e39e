/** Reads the events that filters ask about, newest first. */
import { byIdDescending, type FleetEventQuery } from '../../fleet/fleet.ts';
import { eventKindOf, isEventKind, logNamesOfKind, POLICY_ACTION } from '../../fleet/model/event-kinds.ts';
import type { FleetEvent } from '../../fleet/model/resources.ts';
import { DAY, type Instant, later } from '../../lib/clock.ts';
import type { ReadPorts } from '../core/command.ts';
import { PERSON_PRIORITY } from '../targets/resolve-device.ts';
import { type EventFilters, endOfDay } from './event-filters.ts';

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
