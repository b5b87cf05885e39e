/** Reads the event log, newest first, down to events that were processed a while ago. */

import { FleetFailure, type FleetPage, type FleetReader } from '../fleet/fleet.ts';
import type { FleetEvent } from '../fleet/model/resources.ts';
import { DAY, type Instant, later } from '../lib/clock.ts';
import type { EventId } from '../lib/ids.ts';

/** Rows of the first request, which is the only one while the log is quiet. */
const FIRST_PAGE = 100;
/** Rows of each further request: the most that the service allows (§8). */
const NEXT_PAGES = 500;

/** What the store knows about event ids. */
export type KnownIds = {
  /** Whether the event was processed so long ago that no lower id can still appear, or is history. */
  readonly isSettled: (id: EventId) => Promise<boolean>;
  /** Whether all of these were processed before. */
  readonly areAllKnown: (ids: readonly EventId[]) => Promise<boolean>;
};

/** `cutShort`: more events were listed than can be read, so those between these and the known ones are lost. */
export type EventsSince = EventLogRows & { readonly cutShort: boolean };

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
  if (first.isComplete(FIRST_PAGE) || (await reachesSettled(first, known)))
    return { ...first.rows(), cutShort: false };
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
 * Assumption (§4.9): newest first. The order is not documented, so it is checked: a list in another order is read to its
 * end, or as far as the client reads.
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
    // Failing here would fail every later poll too, since the list only grows.
    if (error instanceof FleetFailure && error.error.kind === 'too-large') return 'too-much';
    throw error;
  }
}

async function reachesSettled(reader: EventLogReader, known: KnownIds): Promise<boolean> {
  const lowest = reader.lowestId();
  return lowest !== null && known.isSettled(lowest);
}

export type EventLogRows = {
  readonly events: readonly FleetEvent[];
  /** Rows that could not be parsed. */
  readonly unreadable: number;
  /** Rows of another organization. */
  readonly foreignRows: number;
};

/** Collects the rows of one walk through the pages of the event log and checks their order. */
export type EventLogReader = {
  readonly take: (page: FleetPage<FleetEvent>) => void;
  readonly rows: () => EventLogRows;
  /** Whether the one page that was read is not full, and has as many rows as the list's total says. */
  readonly isComplete: (pageSize: number) => boolean;
  /** The lowest id; null where nothing was read, or where the rows are not newest first and it proves nothing. */
  readonly lowestId: () => EventId | null;
};

/** A reader for one walk: pages go in with `take`, in the order in which they were read. */
function createEventLogReader(): EventLogReader {
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
      // New events push earlier rows onto the next page, so repeated rows say nothing about the order.
      for (const event of page.rows.filter(({ id }) => !events.has(id))) {
        newestFirst &&= last === null || event.id < last;
        last = event.id;
        events.set(event.id, event);
      }
    },
    rows: () => ({ events: [...events.values()], unreadable, foreignRows }),
    isComplete(pageSize) {
      const read = events.size + unreadable + foreignRows;
      return total !== null && read === total && read < pageSize;
    },
    lowestId: () => (newestFirst ? last : null),
  };
}
