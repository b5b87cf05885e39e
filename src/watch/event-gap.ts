/**
 * What the event log did not show: a reading that ended before known events leaves a gap. It is kept with the cursor, and
 * the log is read down to its other side again, until that succeeds or a day has passed. Pure.
 */

import type { FleetEvent } from '../fleet/model/resources.ts';
import { DAY, type Instant, instant, later, MINUTE } from '../lib/clock.ts';
import { type EventId, eventId } from '../lib/ids.ts';
import type { EventCursor, EventGap } from '../store/port/records.ts';
import type { EventsSince } from './event-log.ts';

/** At most so often, because such a reading may take many pages. */
const READ_INTERVAL_MS = 10 * MINUTE;
const GIVE_UP_AFTER_MS = DAY;

export type GapStep = 'wait' | 'read' | 'give-up';

/** What is due for a gap. */
export function gapStep({ foundAt, readAt, givenUpAt }: EventGap, now: Instant): GapStep {
  if (givenUpAt !== null) return 'wait';
  if (now >= later(foundAt, GIVE_UP_AFTER_MS)) return 'give-up';
  // A clock that was set back must not hold it up.
  return now >= later(readAt, READ_INTERVAL_MS) || now < readAt ? 'read' : 'wait';
}

/** What a reading left out that did not reach known events. `afterId`: up to there, all events are known. */
export function gapBelow(
  { events, readDownTo }: EventsSince,
  afterId: EventId,
  { newestAt, updatedAt }: EventCursor,
  now: Instant,
): EventGap {
  const until = events.find(({ id }) => id === readDownTo)?.createTime ?? now;
  const from = instant(Math.min(newestAt ?? updatedAt, until));
  const times = { happenedFrom: from, happenedUntil: until, foundAt: now, readAt: now };
  return { afterId, beforeId: readDownTo, ...times, givenUpAt: null };
}

/** Several gaps are one: reading down to the other side of the lowest closes all. */
export function mergedGap(gap: EventGap | null, found: EventGap): EventGap {
  if (gap === null || gap.givenUpAt !== null) return found;
  return {
    ...found,
    afterId: eventId(Math.min(gap.afterId, found.afterId)),
    beforeId: eventId(Math.max(gap.beforeId, found.beforeId)),
    happenedFrom: instant(Math.min(gap.happenedFrom, found.happenedFrom)),
    happenedUntil: instant(Math.max(gap.happenedUntil, found.happenedUntil)),
  };
}

/** What is left of a gap once everything that a reading found is stored; the same gap where that is all of it. */
export function gapAfter(gap: EventGap | null, { events, readDownTo }: EventsSince): EventGap | null {
  if (gap === null || gap.givenUpAt !== null || readDownTo >= gap.beforeId) return gap;
  if (readDownTo <= gap.afterId) return null;
  const lowestAt = events.find(({ id }) => id === readDownTo)?.createTime ?? gap.happenedUntil;
  const happenedUntil = instant(Math.max(Math.min(lowestAt, gap.happenedUntil), gap.happenedFrom));
  return { ...gap, beforeId: readDownTo, happenedUntil };
}

/** The latest time of these events and of those before; null: none has a time. */
export function newestTime(events: readonly FleetEvent[], before: Instant | null): Instant | null {
  return events.reduce<Instant | null>(
    (newest, { createTime }) =>
      createTime === null || (newest !== null && newest >= createTime) ? newest : createTime,
    before,
  );
}
