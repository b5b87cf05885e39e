/** Whether a time that the service names moved since before: pure. */
import type { Instant } from '../clock.ts';
import type { Before } from '../store/records.ts';

/** The time that the service names now, if it is later than before; with none before, later than our look then. */
export function newer({ at }: Before, before: Instant | null, after: Instant | null): Instant | null {
  return after !== null && after > (before ?? at) ? after : null;
}
