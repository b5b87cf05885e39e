/** One poll of the event log. New alerts are stored with the cursor and their cards in one transaction. */
import { forgetEndings, recordEvents } from '../alerts/record-events.ts';
import type { FleetReader } from '../fleet/fleet.ts';
import type { FleetEvent } from '../fleet/model/resources.ts';
import { DAY, HOUR, type Instant, instant, later, MINUTE } from '../lib/clock.ts';
import type { OnFailpoint } from '../lib/failpoints.ts';
import { type EventId, eventId } from '../lib/ids.ts';
import type { EventCursor, StoreTables } from '../store/port/store.ts';
import {
  type AlertClassification,
  type ClassifyOptions,
  classifyEvents,
  newEvents,
  unseenEvents,
} from './classify-events.ts';
import {
  anomaliesOf,
  type CountUnknown,
  type EventsSince,
  gapWith,
  type IdRestartSign,
  idRestartSign,
  isGapDue,
  isGapOpen,
  NO_EVENT,
  newestTime,
  type OnAnomaly,
  readEventsSince,
  readNewestEvents,
} from './event-log.ts';

/** While the log is quiet, only the time of the last reading is stored, this often: the day filter starts there. */
const QUIET_WRITE_INTERVAL_MS = HOUR;
/** How long ids are remembered after they are no longer listed. An event listed later than this would be missed. */
const REMEMBER_IDS_MS = 7 * DAY;
/** The service commits events out of order: an id may appear this long after higher ones. */
const SETTLED_MS = 5 * MINUTE;
/** Where times and not ids divide old events from new ones: events that the service lists this late are new. */
const LISTED_LATE_MS = MINUTE;
/** The same where the service does not state its time: its clock may be this far behind ours. */
const UNKNOWN_CLOCK_MS = 5 * MINUTE;
/** Events in one transaction. A backlog is stored in several. */
const EVENTS_PER_TRANSACTION = 500;

export type PollOptions = ClassifyOptions & {
  readonly fleet: FleetReader;
  readonly onAnomaly: OnAnomaly;
  readonly onFailpoint?: OnFailpoint | undefined;
  /** Gets all events that a poll read, known ones included. */
  readonly onFound?: ((events: readonly FleetEvent[]) => void) | undefined;
  /** Gets the sign of each poll whether event ids were restarted. */
  readonly onIds?: ((sign: IdRestartSign) => void) | undefined;
  /** What else the very first poll stores. `newFrom`: since when events are new, where the time and no id tells. */
  readonly onFirst?:
    | ((newFrom: Instant | null) => Promise<(tables: StoreTables, now: Instant) => Promise<void>>)
    | undefined;
};

type PollResult = { readonly taken: number; readonly alerts: number };

/** The very first poll only stores where the log stands. Throws {@link FleetFailure} and what the store throws. */
export async function pollEvents(options: PollOptions): Promise<PollResult> {
  const cursor = await options.store.events.cursor();
  return cursor === null ? storeBaseline(options) : storeNewEvents(options, cursor);
}

async function storeBaseline(options: PollOptions): Promise<PollResult> {
  const { fleet, store, clock, onAnomaly } = options;
  const startedAt = clock.now();
  const { events, unreadable, foreignRows, lowest } = await readNewestEvents(fleet);
  options.onFound?.(events);
  // Unreadable rows may have the highest ids. With a floor below these, old events would be posted as new.
  if (unreadable > 0) throw new Error(`no baseline: ${unreadable} of the newest events could not be parsed`);
  if (foreignRows > 0) onAnomaly({ kind: 'strays', rows: foreignRows });
  const now = clock.now();
  const highestId = highestOf(events, 0);
  // The floor is the lowest id, not the highest: one far too high id would hide all later events.
  const floorId = lowest ?? eventId(0);
  // Without a lowest id, the service's time of day divides old events from new ones.
  const historyBefore = lowest === null ? startOfNew(options, startedAt) : null;
  if (historyBefore !== null) onAnomaly({ kind: 'first-by-time', from: historyBefore });
  const also = await options.onFirst?.(historyBefore);
  await store.transaction(async (tables) => {
    // Another replica may have stored its baseline first: events after that one are new.
    const first = { highestId, floorId, historyBefore, newestAt: newestTime(events, null), gap: null };
    if (!(await tables.events.begin({ ...first, updatedAt: now }))) return;
    // Old events are settled, so the next poll does not read below them.
    await tables.events.markSeen(events, later(now, -SETTLED_MS));
    await also?.(tables, now);
  });
  return { taken: 0, alerts: 0 };
}

/**
 * From when on events count as new, in the service's time. Events from just before the first start count too, because
 * they cannot be told from new ones that were listed late: a failure that is posted twice is better than one that is lost.
 */
function startOfNew({ serviceNow, clock }: PollOptions, startedAt: Instant): Instant {
  const there = serviceNow?.() ?? null;
  if (there === null) return later(startedAt, -UNKNOWN_CLOCK_MS);
  const readMs = clock.now() - startedAt;
  return later(there, -readMs - LISTED_LATE_MS);
}

/** Whether an event of that time, which is the service's, can have been missing in all earlier readings. */
function recentBy(options: PollOptions, { updatedAt, gap }: EventCursor): (at: Instant | null) => boolean {
  const now = options.clock.now();
  const readAt = instant(Math.min(updatedAt, now, isGapOpen(gap, now) ? gap.happenedFrom : now));
  const there = options.serviceNow?.() ?? null;
  const until = there === null ? later(now, UNKNOWN_CLOCK_MS) : later(there, LISTED_LATE_MS);
  const from = later(startOfNew(options, readAt), -SETTLED_MS);
  return (at) => at !== null && at >= from && at <= until;
}

async function storeNewEvents(options: PollOptions, before: EventCursor): Promise<PollResult> {
  const { store, clock, onAnomaly, onFailpoint } = options;
  const { updatedAt } = before;
  const { cursor, found } = await readLog(options, before);
  await onFailpoint?.('poll.fetched');
  for (const anomaly of anomaliesOf(found)) onAnomaly(anomaly);
  options.onIds?.(idRestartSign(found.events, cursor.floorId));
  const seen = await store.events.seen(found.events);
  const fresh = unseenEvents(found.events, seen, cursor.floorId);
  // Before `onFound`, which may remove devices from the index: their names are still needed.
  const happened = newEvents(fresh, seen, recentBy(options, before));
  const rows = fresh.length - happened.length;
  if (rows > 0) onAnomaly({ kind: 'moved', rows });
  const classification = await classifyEvents(options, cursor, happened, seen);
  if (classification.history > 0) onAnomaly({ kind: 'history', rows: classification.history });
  options.onFound?.(found.events);
  const isLately = updatedAt <= clock.now() && clock.now() < later(updatedAt, QUIET_WRITE_INTERVAL_MS);
  if (fresh.length === 0 && isLately && !closesGap(cursor, found)) return { taken: 0, alerts: 0 };
  // Stored with the first events above it: once these are known, no reading looks below them.
  const unread = found.reachesKnown || fresh.length === 0 ? {} : await unreadBelow(options, cursor, found);
  const next = { ...cursor, ...unread };
  // Oldest first: if this stops early, what is missing lies above what was stored, and the next poll finds it.
  let alerts = 0;
  for (let from = 0; from < fresh.length; from += EVENTS_PER_TRANSACTION) {
    const part = fresh.slice(from, from + EVENTS_PER_TRANSACTION);
    alerts += await storeBatch(options, next, part, classification);
  }
  const newestAt = newestTime(found.events, cursor.newestAt);
  await storeCursor(options, { ...next, newestAt, highestId: highestOf(fresh, cursor.highestId) }, found);
  return { taken: fresh.length, alerts };
}

/** Reads down to known events, or to the other side of a gap that is due. Returns the cursor as it is then. */
async function readLog(
  options: PollOptions,
  before: EventCursor,
): Promise<{ readonly cursor: EventCursor; readonly found: EventsSince }> {
  const { fleet, store, clock } = options;
  const now = clock.now();
  const { updatedAt, newestAt, gap } = before;
  const sought = isGapDue(gap, now) ? gap : null;
  const cursor = sought === null ? before : { ...before, gap: { ...sought, readAt: now } };
  // Before the reading, so that one that fails does not hold up new events at every poll.
  if (sought !== null) await store.events.setCursor(cursor);
  // If the clock was set back, a day filter in the future would hide all new events.
  const times = [updatedAt, now, newestAt ?? now, sought?.happenedFrom ?? now];
  const found = await readEventsSince(fleet, {
    since: instant(Math.min(...times)),
    countUnknown: unknownCounter(options, cursor),
    expectsKnown: newestAt !== null,
    downTo: sought?.afterId ?? null,
  });
  const isEmpty = found.events.length + found.unreadable + found.foreignRows === 0;
  // No service deletes its events so soon. Where it did not, all that happens in the meantime is found later.
  if (isEmpty && !found.reachesKnown && newestAt !== null && now < later(newestAt, REMEMBER_IDS_MS))
    throw new Error('the event log is empty, although it had events before');
  return { cursor, found };
}

/** A reading that begins below what is known says nothing of what lies above it. */
function closesGap({ gap, highestId }: EventCursor, { events, readDownTo }: EventsSince): boolean {
  return gap !== null && readDownTo <= gap.afterId && highestOf(events, 0) >= highestId;
}

/** What lies between the lowest event that was read and the highest below it that is settled. */
async function unreadBelow(
  { store, clock }: PollOptions,
  cursor: EventCursor,
  found: EventsSince,
): Promise<Pick<EventCursor, 'gap'>> {
  const { floorId } = cursor;
  const now = clock.now();
  const known =
    found.readDownTo === NO_EVENT
      ? null
      : await store.events.lastSeen(found.readDownTo, later(now, -SETTLED_MS));
  return { gap: gapWith(cursor, found, eventId(Math.max(known ?? 0, floorId)), now) };
}

/** Keeps the time of the last poll, so that the day filter still reaches the batches that are not stored yet. */
async function storeBatch(
  { store, clock, organizationId, onFailpoint }: PollOptions,
  cursor: EventCursor,
  part: readonly FleetEvent[],
  { alerts, endings, routing, labels }: AlertClassification,
): Promise<number> {
  const now = clock.now();
  const found = {
    alerts: part.flatMap(({ id }) => alerts.get(id) ?? []),
    endings: part.flatMap(({ id }) => endings.get(id) ?? []),
  };
  const alertCount = await store.transaction(async (tables) => {
    // First, because its row is the lock: another replica that reads the same events waits here.
    await tables.events.setCursor({ ...cursor, highestId: highestOf(part, cursor.highestId) });
    await tables.events.markSeen(part, now);
    return recordEvents({ tables, organizationId, routing, labels, now }, found);
  });
  await onFailpoint?.('poll.committed');
  return alertCount;
}

/** Forgotten ids become the floor, so they must lie below all listed ids: a too high one would hide later events. */
async function storeCursor({ store, clock }: PollOptions, cursor: EventCursor, found: EventsSince) {
  const now = clock.now();
  await store.transaction(async (tables) => {
    const gap = closesGap(cursor, found) ? null : cursor.gap;
    // What lies in a gap is not older than the ids that would be forgotten.
    const upTo = isGapOpen(gap, now) ? eventId(0) : lowestOf(found.events);
    const forgotten = await tables.events.forgetSeen(later(now, -REMEMBER_IDS_MS), upTo);
    await forgetEndings(tables, now);
    // Nothing refers to ended subscriptions: alerts have their channel, the audit its text, and numbers are never reused.
    await tables.subscriptions.forgetEnded(later(now, -REMEMBER_IDS_MS));
    const floorId = eventId(Math.max(cursor.floorId, forgotten ?? 0));
    await tables.events.setCursor({ ...cursor, gap, floorId, updatedAt: now });
  });
}

function unknownCounter(options: PollOptions, cursor: EventCursor): CountUnknown {
  const { store, clock } = options;
  const until = later(clock.now(), -SETTLED_MS);
  const isRecent = recentBy(options, cursor);
  return async (events, settled) => {
    const seen = await store.events.seen(events, settled && until);
    return newEvents(unseenEvents(events, seen, cursor.floorId), seen, isRecent).length;
  };
}

function highestOf(events: readonly FleetEvent[], atLeast: number) {
  return eventId(events.reduce((highest, event) => Math.max(highest, event.id), atLeast));
}

/** The lowest id; 0 where nothing is listed. */
function lowestOf(events: readonly FleetEvent[]): EventId {
  return eventId(events.reduce((lowest, { id }) => Math.min(lowest, id), events[0]?.id ?? 0));
}
