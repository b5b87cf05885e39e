/** What was read of the event log in one walk down its pages, and whether they keep their order. */
import type { Page } from '../fleet/fleet.ts';
import type { FleetEvent } from '../fleet/model.ts';
import type { EventId } from '../ids.ts';

export type Found = {
  readonly events: readonly FleetEvent[];
  /** Rows that could not be read. */
  readonly unreadable: number;
  /** Rows of another organization. */
  readonly strays: number;
};

export type Survey = {
  readonly take: (page: Page<FleetEvent>) => void;
  readonly found: () => Found;
  /** Everything that the list promises was taken. */
  readonly complete: () => boolean;
  /** The lowest id; null where nothing was read, or where the rows are not newest first, so that it proves nothing. */
  readonly lowest: () => EventId | null;
};

export function createSurvey(): Survey {
  const events = new Map<EventId, FleetEvent>();
  let [unreadable, strays] = [0, 0];
  let total: number | null = null;
  let newestFirst = true;
  let last: EventId | null = null;
  return {
    take(page) {
      unreadable += page.unreadable;
      strays += page.strays ?? 0;
      total = page.total;
      // New events push known ones onto the next page: a repeated row says nothing about the order.
      for (const event of page.rows.filter(({ id }) => !events.has(id))) {
        newestFirst &&= last === null || event.id < last;
        last = event.id;
        events.set(event.id, event);
      }
    },
    found: () => ({ events: [...events.values()], unreadable, strays }),
    complete: () => total !== null && events.size + unreadable + strays >= total,
    lowest: () => (newestFirst ? last : null),
  };
}
