/**
 * How often the whole fleet is read. The service lists 500 devices on a page and takes fewer than 30 such requests a
 * minute (management API in practice, 2.3), for everything that has the key; there is no search by name on its side.
 *
 * New and removed devices come from the event log, which is read anyway, so a walk only brings what no event tells:
 * names, groups, addresses, states. What that costs, in requests an hour:
 *
 * | devices | pages | no row older than | requests an hour | walks that show a new device as soon |
 * |--------:|------:|------------------:|-----------------:|-------------------------------------:|
 * |     240 |     1 |            15 min |               12 |                                  720 |
 * |  10,000 |    20 |            17 min |               81 |                                5,280 |
 * | 100,000 |   200 |           114 min |              107 |                               48,480 |
 *
 * Each walk reads one page of groups and one of policies besides. A row is at most as old as the interval and the time
 * of the walk itself. The last column is a walk every 15 seconds, as often as the event log is read: for 10,000 devices
 * three times what the service takes.
 */
import { MINUTE, SECOND } from '../../lib/clock.ts';

/** Rows of one page of the list of devices: the most that the service gives (§8). */
export const PAGE_ROWS = 500;

/** A person's list reads so few devices first where the index is not of this minute; more are read behind. */
export const SMALL_FLEET = 4 * PAGE_ROWS;

/** An index of this age needs no new walk. */
export const INDEX_FRESH_MS = MINUTE;

const MIN_INTERVAL_MS = 15 * MINUTE;
const PER_PAGE_MS = 30 * SECOND;
const BACKGROUND_PER_PAGE_MS = 6 * SECOND;

/** Between two pages where nobody waits: at most 15 a minute, half of what the service takes. */
export const PAGE_PAUSE_MS = 4 * SECOND;

/** After a walk that failed. */
export const RETRY_MS = 5 * MINUTE;

/** From the end of one walk to the beginning of the next. */
export function walkIntervalMs(devices: number): number {
  return Math.max(MIN_INTERVAL_MS, pagesOf(devices) * PER_PAGE_MS);
}

/** From what age on somebody's look at the index of a large fleet makes it read anew, behind the answer. */
export function backgroundWalkAfterMs(devices: number): number {
  return Math.max(INDEX_FRESH_MS, pagesOf(devices) * BACKGROUND_PER_PAGE_MS);
}

function pagesOf(devices: number): number {
  return Math.max(Math.ceil(devices / PAGE_ROWS), 1);
}
