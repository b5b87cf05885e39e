/** Reads the newest events down to what has been known for a while. */

import { FleetFailure, type FleetPage, type FleetReader } from '../fleet/fleet.ts';
import type { FleetEvent } from '../fleet/model/resources.ts';
import { DAY, type Instant, later } from '../lib/clock.ts';
import type { EventId } from '../lib/ids.ts';

/** Rows of the first request: a quiet poll is this one alone. */
const FIRST_PAGE = 100;
/** Rows of each request once the first showed that we are behind: the most that the service gives (§8). */
const NEXT_PAGES = 500;

/** What the store knows about ids. */
export type KnownIds = {
  /** Taken in so long ago that all that will be listed below it was listed by now; or history. */
  readonly isSettled: (id: EventId) => Promise<boolean>;
  /** Whether every one of these was taken in before. */
  readonly areAllKnown: (ids: readonly EventId[]) => Promise<boolean>;
};

/** `cutShort`: more was listed than can be read; what lies between these events and the known ones is lost. */
export type EventsSince = EventLogRows & { readonly cutShort: boolean };

/** The newest page and its lowest id where that proves something: the baseline of a first start. */
export async function readNewestEvents(
  fleet: FleetReader,
): Promise<EventLogRows & { readonly lowest: EventId | null }> {
  const reader = await readFirstPage(fleet.events({ pageSize: FIRST_PAGE }, { lane: 'background' }));
  return { ...reader.rows(), lowest: reader.lowestId() };
}

/**
 * One request where its rows reach what is settled. Otherwise a second walk, in the largest pages, goes on until
 * it reaches that or a whole page is known: so an event that the service lists late is found for minutes after its
 * neighbours, while fewer than a page of newer ones was taken in before it.
 *
 * The day filter takes whole days, and whether it is inclusive is not documented: hence two days.
 */
export async function readEventsSince(
  fleet: FleetReader,
  lastPoll: Instant,
  known: KnownIds,
): Promise<EventsSince> {
  const after = later(lastPoll, -2 * DAY);
  const pages = (pageSize: number) => fleet.events({ pageSize, after }, { lane: 'background' });
  const first = await readFirstPage(pages(FIRST_PAGE));
  if (first.isComplete() || (await reachesSettled(first, known))) return { ...first.rows(), cutShort: false };
  const reader = createEventLogReader();
  const cutShort = (await readUntilKnown(pages(NEXT_PAGES), reader, known)) === 'too-much';
  const found = reader.rows();
  return { ...found, events: [...first.rows().events, ...found.events], cutShort };
}

async function readFirstPage(pages: AsyncIterable<FleetPage<FleetEvent>>): Promise<EventLogReader> {
  const reader = createEventLogReader();
  for await (const page of pages) {
    reader.take(page);
    break;
  }
  return reader;
}

/**
 * Assumption (§4.9): newest first. The order is not documented, so it is checked: a list that is not in order is
 * read to its end, or as far as the client reads.
 */
async function readUntilKnown(
  pages: AsyncIterable<FleetPage<FleetEvent>>,
  reader: EventLogReader,
  known: KnownIds,
): Promise<'down' | 'too-much'> {
  try {
    for await (const page of pages) {
      reader.take(page);
      if (await reachesSettled(reader, known)) break;
      if (reader.lowestId() !== null && (await known.areAllKnown(page.rows.map(({ id }) => id)))) break;
    }
    return 'down';
  } catch (error) {
    // To fail here would be to fail for ever, since the list only grows.
    if (error instanceof FleetFailure && error.error.kind === 'too-large') return 'too-much';
    throw error;
  }
}

async function reachesSettled(reader: EventLogReader, known: KnownIds): Promise<boolean> {
  const lowest = reader.lowestId();
  return lowest !== null && known.isSettled(lowest);
}

/** What was read of the event log in one walk down its pages, and whether they keep their order. */

export type EventLogRows = {
  readonly events: readonly FleetEvent[];
  /** Rows that could not be read. */
  readonly unreadable: number;
  /** Rows of another organization. */
  readonly foreignRows: number;
};

export type EventLogReader = {
  readonly take: (page: FleetPage<FleetEvent>) => void;
  readonly rows: () => EventLogRows;
  /** Everything that the list promises was taken. */
  readonly isComplete: () => boolean;
  /** The lowest id; null where nothing was read, or where the rows are not newest first, so that it proves nothing. */
  readonly lowestId: () => EventId | null;
};

export function createEventLogReader(): EventLogReader {
  const events = new Map<EventId, FleetEvent>();
  let [unreadable, foreignRows] = [0, 0];
  let total: number | null = null;
  let newestFirst = true;
  let last: EventId | null = null;
  return {
    take(page) {
      unreadable += page.unreadable;
      foreignRows += page.foreignRows ?? 0;
      total = page.total;
      // New events push known ones onto the next page: a repeated row says nothing about the order.
      for (const event of page.rows.filter(({ id }) => !events.has(id))) {
        newestFirst &&= last === null || event.id < last;
        last = event.id;
        events.set(event.id, event);
      }
    },
    rows: () => ({ events: [...events.values()], unreadable, foreignRows }),
    isComplete: () => total !== null && events.size + unreadable + foreignRows >= total,
    lowestId: () => (newestFirst ? last : null),
  };
}
