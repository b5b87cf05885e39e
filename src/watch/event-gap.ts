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
