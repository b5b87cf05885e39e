/**
 * How often the whole fleet is read. The service lists 500 devices on a page and allows fewer than 30 such requests a
 * minute (management API in practice, 2.3) for everything that uses the key; it offers no search by name.
 *
 * New and removed devices come from the event log, which is read anyway, so a walk only adds what no event reports:
 * names, groups, addresses, states. The cost, in requests per hour:
 *
 * | devices | pages | no row older than | requests an hour | walks that show a new device as soon |
 * |--------:|------:|------------------:|-----------------:|-------------------------------------:|
 * |     240 |     1 |            15 min |               12 |                                  720 |
 * |  10,000 |    20 |            17 min |               81 |                                5,280 |
 * | 100,000 |   200 |           114 min |              107 |                               48,480 |
 *
 * Each walk also reads one page of groups and one of policies. A row is at most as old as the interval plus the
 * duration of the walk. The last column is a walk every 15 seconds, as often as the event log is read: for 10,000
 * devices that is three times what the service allows.
 */
import { MINUTE, SECOND } from '../../lib/clock.ts';
import { LIST_PAGE, listPages } from '../../lib/list-pages.ts';

/**
 * Up to this size, a person's list reads the fleet first when the index is older than a minute; a larger fleet is
 * read in the background.
 */
export const SMALL_FLEET = 4 * LIST_PAGE;

/** An index up to this age needs no new walk. */
export const INDEX_FRESH_MS = MINUTE;

const MIN_INTERVAL_MS = 15 * MINUTE;
const PER_PAGE_MS = 30 * SECOND;
const BACKGROUND_PER_PAGE_MS = 6 * SECOND;

/** Wait after a failed walk. */
export const RETRY_MS = 5 * MINUTE;

/** Milliseconds from the end of one walk to the start of the next. */
export function walkIntervalMs(devices: number): number {
  return Math.max(MIN_INTERVAL_MS, listPages(devices) * PER_PAGE_MS);
}

/** The age in milliseconds from which a request for the index of a large fleet starts a walk in the background. */
export function backgroundWalkAfterMs(devices: number): number {
  return Math.max(INDEX_FRESH_MS, listPages(devices) * BACKGROUND_PER_PAGE_MS);
}
