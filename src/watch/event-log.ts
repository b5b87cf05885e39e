/**
 * Reads the event log, newest first, down to events that were processed a while ago. A reading that ends before known
 * events leaves a gap. It is kept with the cursor, and the log is read down to its other side again, until that succeeds
 * or a day has passed.
 */
import { FleetFailure, type FleetPage, type FleetReader } from '../fleet/fleet.ts';
import type { FleetEvent } from '../fleet/model/resources.ts';
import { DAY, type Instant, instant, later, MINUTE } from '../lib/clock.ts';
import { type EventId, eventId } from '../lib/ids.ts';
import type { EventCursor, EventGap } from '../store/port/records.ts';

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

/**
 * The newest page, as the baseline of a first start. `lowest`: its lowest id, null where the order of the rows proves
 * nothing. Throws {@link FleetFailure}.
 */
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

/** Collects the rows of one walk through the pages of the event log and checks their order. */
type EventLogReader = {
  readonly take: (page: FleetPage<FleetEvent>) => void;
  readonly rows: () => EventLogRows;
  /** The event with the lowest id; null where nothing was read, or where the rows are not newest first and it proves nothing. */
  readonly lowest: () => FleetEvent | null;
  readonly lowestId: () => EventId | null;
};

/** A reader for one walk: pages go in with `take`, in the order in which they were read. */
function createEventLogReader(): EventLogReader {
  const events = new Map<EventId, FleetEvent>();
  let [unreadable, foreignRows] = [0, 0];
  let newestFirst = true;
  let last: FleetEvent | null = null;
  const lowest = () => (newestFirst ? last : null);
  return {
    take(page) {
      unreadable += page.unreadable;
      foreignRows += page.foreignRows ?? 0;
      // New events push earlier rows onto the next page, so repeated rows say nothing about the order.
      for (const event of page.rows.filter(({ id }) => !events.has(id))) {
        newestFirst &&= last === null || event.id < last.id;
        last = event;
        events.set(event.id, event);
      }
    },
    rows: () => ({ events: [...events.values()], unreadable, foreignRows }),
    lowest,
    lowestId: () => lowest()?.id ?? null,
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

/** Whether the log is to be read for a gap. */
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
