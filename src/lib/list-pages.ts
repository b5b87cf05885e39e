/** Lists of the service come in pages, of which it allows fewer than 30 a minute (management API in practice, 2.3). */
import { SECOND } from './clock.ts';

/** Rows on a page, the service's maximum (§8). */
export const LIST_PAGE = 500;
/** For a page that nobody waits for: at most 15 a minute, half of what the service allows. */
export const PAGE_PAUSE_MS = 4 * SECOND;

/** Pages of a list with so many rows; an empty list is a page, too. */
export function listPages(rows: number): number {
  return Math.max(Math.ceil(rows / LIST_PAGE), 1);
}
