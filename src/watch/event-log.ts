/**
 * Reads the event log, newest first, down to events that were processed a while ago. A reading that ends before known
 * events leaves a gap. It is kept with the cursor, and the log is read down to its other side again, until that succeeds
 * or a day has passed.
 */
import { FleetFailure, type FleetPage, type FleetReader } from '../fleet/fleet.ts';
import type { FleetEvent } from '../fleet/model/resources.ts';
import { type Clock, DAY, HOUR, type Instant, instant, later, MINUTE } from '../lib/clock.ts';
import { type EventId, eventId } from '../lib/ids.ts';
import type { Log } from '../lib/log.ts';
import type { EventCursor, EventGap } from '../store/port/store.ts';

/** Rows of the first request, which is the only one while the log is quiet. */
const FIRST_PAGE = 100;
/** Rows of each further request: the most that the service allows (§8). */
const NEXT_PAGES = 500;

/** How many of these were not processed before. `settled`: nor so long ago that no lower id can still appear. */
export type CountUnknown = (events: readonly FleetEvent[], settled?: 'settled') => Promise<number>;

export type EventsSince = EventLogRows & {
  /** False: the reading ended before events that were processed earlier, so that some in between may be missing. */
  readonly reachesKnown: boolean;
  /** Every listed event with this id or a higher one was read; {@link NO_EVENT}: that is true of none. */
  readonly readDownTo: EventId;
};

/** Above every id. */
export const NO_EVENT = eventId(Number.MAX_SAFE_INTEGER);

type EventLogQuery = {
  /** The list begins here. The day filter takes whole days, and whether it is inclusive is not documented. */
  readonly since: Instant;
  readonly countUnknown: CountUnknown;
  /** Whether the list has to contain an event that was processed before. */
  readonly expectsKnown: boolean;
  /** Reads on to this id, past what is known; null: down to what is known. */
  readonly downTo: EventId | null;
};

/** `lowest`: its lowest id, null where the order of the rows proves nothing. Throws {@link FleetFailure}. */
export async function readNewestEvents(
  fleet: FleetReader,
): Promise<EventLogRows & { readonly lowest: EventId | null }> {
  const reader = await readFirstPage(fleet.events({ pageSize: FIRST_PAGE }, { lane: 'background' }));
  return { ...reader.rows(), lowest: reader.lowestId() };
}

/**
 * Reads one page if it reaches settled events. Otherwise it starts again with the largest pages and reads until it reaches
 * settled events or a page of known ones. This finds events that the service lists late, for minutes after their
 * neighbors, unless more than a page of newer events was processed before. Throws {@link FleetFailure}.
 */
export async function readEventsSince(fleet: FleetReader, query: EventLogQuery): Promise<EventsSince> {
  const after = later(query.since, -2 * DAY);
  const pages = (pageSize: number) => fleet.events({ pageSize, after }, { lane: 'background' });
  const first = query.downTo === null ? await readFirstPage(pages(FIRST_PAGE)) : createEventLogReader();
  if (query.downTo === null && (await reachesSettled(first, query.countUnknown)))
    return { ...first.rows(), reachesKnown: true, readDownTo: first.lowestId() ?? NO_EVENT };
  const reader = createEventLogReader();
  const reach = await readUntilKnown(pages(NEXT_PAGES), reader, query);
  const found = reader.rows();
  const lowest = first.lowestId();
  // Where this reading begins below the first page, nothing shows what lies between the two.
  const isBelow = lowest !== null && found.events.every(({ id }) => id < lowest);
  const reached = isBelow ? { reachesKnown: false, readDownTo: lowest } : reach;
  return { ...found, events: [...first.rows().events, ...found.events], ...reached };
}

type EventLogReader = ReturnType<typeof createEventLogReader>;

async function readFirstPage(pages: AsyncIterable<FleetPage<FleetEvent>>): Promise<EventLogReader> {
  const reader = createEventLogReader();
  for await (const page of pages) {
    reader.take(page);
    break;
  }
  return reader;
}

type Reach = Pick<EventsSince, 'reachesKnown' | 'readDownTo'>;

/**
 * Assumption (§4.9): newest first. The order is not documented, so it is checked: a list in another order is read to its
 * end, or as far as the client reads. An end proves nothing where the list has to show known events and does not: a page
 * may be empty, repeated or cut by mistake.
 */
async function readUntilKnown(
  pages: AsyncIterable<FleetPage<FleetEvent>>,
  reader: EventLogReader,
  { countUnknown, expectsKnown, downTo }: EventLogQuery,
): Promise<Reach> {
  let reachesKnown = false;
  const reach = (): Reach => ({ reachesKnown, readDownTo: reader.lowestId() ?? NO_EVENT });
  try {
    for await (const page of pages) {
      reader.take(page);
      const lowest = reader.lowestId();
      const isKnown = async () =>
        lowest !== null && page.rows.length > 0 && (await countUnknown(page.rows)) === 0;
      reachesKnown ||= (await reachesSettled(reader, countUnknown)) || (await isKnown());
      if (reachesKnown && (downTo === null || (lowest !== null && lowest <= downTo))) return reach();
    }
  } catch (error) {
    // Failing here would fail every later poll too, since the list only grows.
    if (error instanceof FleetFailure && error.error.kind === 'too-large') return reach();
    throw error;
  }
  const { events } = reader.rows();
  reachesKnown ||= !expectsKnown || (await countUnknown(events)) < events.length;
  // Nothing lies below: the log was empty at the first start, or is in an order of its own.
  const isWhole = !expectsKnown || downTo === 0 || (reachesKnown && reader.lowestId() === null);
  return isWhole ? { reachesKnown, readDownTo: eventId(0) } : reach();
}

async function reachesSettled(reader: EventLogReader, countUnknown: CountUnknown): Promise<boolean> {
  const lowest = reader.lowest();
  return lowest !== null && (await countUnknown([lowest], 'settled')) === 0;
}

type EventLogRows = {
  readonly events: readonly FleetEvent[];
  /** Rows that could not be parsed. */
  readonly unreadable: number;
  /** Rows of another organization. */
  readonly foreignRows: number;
};

/** `take` gets the pages in the order in which they were read; the order of their rows is checked. */
function createEventLogReader() {
  const events = new Map<EventId, FleetEvent>();
  let [unreadable, foreignRows] = [0, 0];
  let newestFirst = true;
  let last: FleetEvent | null = null;
  /** The event with the lowest id; null where nothing was read, or where the rows are not newest first and it proves nothing. */
  const lowest = (): FleetEvent | null => (newestFirst ? last : null);
  return {
    take(page: FleetPage<FleetEvent>): void {
      unreadable += page.unreadable;
      foreignRows += page.foreignRows ?? 0;
      // New events push earlier rows onto the next page, so repeated rows say nothing about the order.
      for (const event of page.rows.filter(({ id }) => !events.has(id))) {
        newestFirst &&= last === null || event.id < last.id;
        last = event;
        events.set(event.id, event);
      }
    },
    rows: (): EventLogRows => ({ events: [...events.values()], unreadable, foreignRows }),
    lowest,
    lowestId: (): EventId | null => lowest()?.id ?? null,
  };
}

/** At most so often, because such a reading may take many pages. */
const READ_INTERVAL_MS = 10 * MINUTE;
/** From when it was found or last grew. */
const LIFE_MS = DAY;

/** False: it is looked for no more. */
export function isGapOpen(gap: EventGap | null, now: Instant): gap is EventGap {
  return gap !== null && now < gap.endsAt;
}

export function isGapDue(gap: EventGap | null, now: Instant): gap is EventGap {
  // A clock that was set back must not hold it up.
  return isGapOpen(gap, now) && (now >= later(gap.readAt, READ_INTERVAL_MS) || now < gap.readAt);
}

/** With what a reading left out that did not reach known events. `afterId`: up to there, all events are known. */
export function gapWith(
  { gap, newestAt, updatedAt }: EventCursor,
  { events, readDownTo }: EventsSince,
  afterId: EventId,
  now: Instant,
): EventGap {
  const until = events.find(({ id }) => id === readDownTo)?.createTime ?? now;
  const from = instant(Math.min(newestAt ?? updatedAt, until));
  const found = {
    afterId,
    happenedFrom: from,
    happenedUntil: until,
    readAt: now,
    endsAt: later(now, LIFE_MS),
  };
  if (!isGapOpen(gap, now)) return found;
  // Several gaps are one: reading down to the other side of the lowest closes all.
  return {
    ...found,
    afterId: eventId(Math.min(gap.afterId, afterId)),
    happenedFrom: instant(Math.min(gap.happenedFrom, from)),
    happenedUntil: instant(Math.max(gap.happenedUntil, until)),
  };
}

/** The latest time of these events and of those before; null: none has a time. */
export function newestTime(events: readonly FleetEvent[], before: Instant | null): Instant | null {
  return events.reduce<Instant | null>(
    (newest, { createTime }) =>
      createTime === null || (newest !== null && newest >= createTime) ? newest : createTime,
    before,
  );
}

/** Signs that the event log is not what it seems: rows that cannot be read or are foreign, and ids that began again. */
export type EventLogAnomaly =
  | { readonly kind: 'unreadable'; readonly rows: number }
  /** Rows of another organization were ignored. */
  | { readonly kind: 'strays'; readonly rows: number }
  /** At the first start, no id divided old events from new ones, so the service's time does. */
  | { readonly kind: 'first-by-time'; readonly from: Instant }
  /** Events from before the first start were listed later. */
  | { readonly kind: 'history'; readonly rows: number }
  /** Known events were listed with later times. */
  | { readonly kind: 'moved'; readonly rows: number }
  /** The reading ended before it reached known events. */
  | { readonly kind: 'cut-short'; readonly read: number };

export type OnAnomaly = (anomaly: EventLogAnomaly) => void;

const ANOMALY_TEXTS = {
  unreadable: 'some events could not be parsed: no alerts are posted for them',
  strays: 'the event log contains events of another organization: they are ignored',
  'first-by-time':
    'the event log was empty or in no order at the first start: events are posted from this time on, and those from shortly before the start cannot be told from new ones',
  history: 'events from before the first start were listed later: no alerts are posted for them',
  moved: 'known events were listed with later times: no alerts are posted for them again',
  'cut-short': 'the event log did not show all new events: it is read again for the rest',
} as const satisfies Record<EventLogAnomaly['kind'], string>;

export function anomaliesOf(found: EventsSince): readonly EventLogAnomaly[] {
  const { events, unreadable, foreignRows, reachesKnown } = found;
  return [
    ...(unreadable > 0 ? [{ kind: 'unreadable', rows: unreadable } as const] : []),
    ...(foreignRows > 0 ? [{ kind: 'strays', rows: foreignRows } as const] : []),
    ...(!reachesKnown ? [{ kind: 'cut-short', read: events.length } as const] : []),
  ];
}

/** Logs each kind of anomaly at most once an hour. */
export function createAnomalyLog({ clock, log }: { readonly clock: Clock; readonly log: Log }): OnAnomaly {
  const loggedAt = new Map<EventLogAnomaly['kind'], Instant>();
  return ({ kind, ...facts }) => {
    const last = loggedAt.get(kind);
    if (last !== undefined && clock.now() < later(last, HOUR)) return;
    loggedAt.set(kind, clock.now());
    const level = kind === 'cut-short' ? 'error' : 'warn';
    log[level]({ event: `watch.${kind}`, ...facts }, ANOMALY_TEXTS[kind]);
  };
}

/** Whether the service restarted its event ids: new events below our floor would be ignored as old ones, without any error. */
export type IdRestartSign =
  | { readonly kind: 'fine' }
  /** No event with a time was listed, so nothing can be said. */
  | { readonly kind: 'unknown' }
  | { readonly kind: 'restarted'; readonly newestId: EventId; readonly floorId: EventId };

export type IdRestart = {
  readonly newestId: EventId;
  readonly floorId: EventId;
  readonly since: Instant;
};

/** The service commits events out of order, so a lower id may be this much newer. */
const REORDERING_MS = 5 * MINUTE;
/** Polls in a row that must agree, because a page that shifts can look like a restart once. */
const CONFIRMING_POLLS = 3;
/** How long a sign counts: a process that no longer reads the log knows nothing about it. */
const SIGN_VALID_MS = 10 * MINUTE;

/** Ids below the floor are old. An event below it that is newer than all events above it has a reused id. */
export function idRestartSign(events: readonly FleetEvent[], floorId: EventId): IdRestartSign {
  const newest = (of: readonly FleetEvent[]): number =>
    of.reduce((latest, { createTime }) => Math.max(latest, createTime ?? 0), 0);
  const below = events.filter(({ id }) => id < floorId);
  const above = events.filter(({ id }) => id >= floorId);
  if (newest(events) === 0) return { kind: 'unknown' };
  const since = newest(above) + REORDERING_MS;
  const again = below.filter(({ createTime }) => createTime !== null && createTime > since);
  if (again.length === 0) return { kind: 'fine' };
  return { kind: 'restarted', newestId: eventId(Math.max(...again.map(({ id }) => id))), floorId };
}

/** Reports a restart once several polls in a row found it. */
export function createIdRestartDetector(clock: Clock) {
  let confirmations = 0;
  let restart: IdRestart | null = null;
  let notedAt = clock.now();
  return {
    note(sign: IdRestartSign): void {
      if (sign.kind === 'unknown') return;
      notedAt = clock.now();
      if (sign.kind === 'fine') {
        confirmations = 0;
        restart = null;
        return;
      }
      confirmations += 1;
      const { newestId, floorId } = sign;
      restart = { newestId, floorId, since: restart?.since ?? clock.now() };
    },
    restart: (): IdRestart | null =>
      confirmations < CONFIRMING_POLLS || clock.now() > later(notedAt, SIGN_VALID_MS) ? null : restart,
  };
}
