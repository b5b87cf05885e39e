/** Reads the newest events down to what is known already. */
import { DAY, type Instant, later } from '../clock.ts';
import type { FleetReader } from '../fleet/fleet.ts';
import type { FleetEvent } from '../fleet/model.ts';
import type { EventId } from '../ids.ts';

/**
 * Rows of one request. A quiet poll is one request of this many rows; an event that the service lists late is
 * still found while fewer than this many newer ones came before it.
 */
const PAGE_SIZE = 100;

/** The newest page: the baseline of a first start. */
export async function fetchNewest(fleet: FleetReader): Promise<readonly FleetEvent[]> {
  for await (const page of fleet.events({ pageSize: PAGE_SIZE }, { lane: 'background' })) return page.rows;
  return [];
}

/**
 * Assumption (§4.9): newest first. The order is not documented, so each page is checked: one that is not in
 * order does not end the walk, which then reads everything since two days before the last poll (the filter
 * takes whole days, and whether it is inclusive is not documented).
 */
export async function fetchSince(
  fleet: FleetReader,
  highest: EventId,
  lastPoll: Instant,
): Promise<readonly FleetEvent[]> {
  const found = new Map<EventId, FleetEvent>();
  const query = { pageSize: PAGE_SIZE, after: later(lastPoll, -2 * DAY) };
  let newestFirst = true;
  let lowest = Number.POSITIVE_INFINITY;
  for await (const page of fleet.events(query, { lane: 'background' })) {
    // New events push known ones onto the next page: a repeated row says nothing about the order.
    for (const event of page.rows.filter(({ id }) => !found.has(id))) {
      newestFirst &&= event.id < lowest;
      lowest = Math.min(lowest, event.id);
      found.set(event.id, event);
    }
    if (newestFirst && lowest <= highest) break;
  }
  return [...found.values()];
}
