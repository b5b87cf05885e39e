/** One look at the event log: what is new is stored together with the cursor and the wish for its cards. */

import type { FleetReader } from '../fleet/fleet.ts';
import type { FleetEvent } from '../fleet/model/resources.ts';
import { DAY, HOUR, type Instant, instant, later, MINUTE } from '../lib/clock.ts';
import type { OnFailpoint } from '../lib/failpoints.ts';
import { type EventId, eventId } from '../lib/ids.ts';
import type { EventCursor } from '../store/port/records.ts';
import type { Store, StoreTables } from '../store/port/store.ts';
import { unseenEvents } from './alert-from-event.ts';
import { anomaliesOf, type OnAnomaly } from './anomalies.ts';
import { type AlertClassification, type ClassifyOptions, classifyEvents } from './classify-events.ts';
import { type EventsSince, type KnownIds, readEventsSince, readNewestEvents } from './event-log.ts';
import { type IdRestartSign, idRestartSign } from './id-restart.ts';
import { createAlertNotifier } from './notifier.ts';

/** A quiet log writes nothing but, this often, that it was read: the day filter starts from there. */
const QUIET_WRITE_INTERVAL_MS = HOUR;
/** Ids that are no longer listed are remembered this long; an event listed later than this would not be told. */
const REMEMBER_IDS_MS = 7 * DAY;
/** The service commits its events out of order: an id may be listed this long after higher ones. */
const SETTLED_MS = 5 * MINUTE;
/** How far the service's clock may be behind ours where times, not ids, divide history from news. */
const CLOCK_SKEW_MS = MINUTE;
/** Events in one transaction: a backlog is committed in parts. */
const EVENTS_PER_TRANSACTION = 500;

export type PollOptions = ClassifyOptions & {
  readonly fleet: FleetReader;
  readonly onAnomaly: OnAnomaly;
  readonly onFailpoint?: OnFailpoint | undefined;
  /** Told of everything that a look at the log found, what was taken in before included. */
  readonly onFound?: ((events: readonly FleetEvent[]) => void) | undefined;
  /** Told what the ids of each look say of the service's counting. */
  readonly onIds?: ((sign: IdRestartSign) => void) | undefined;
  /** Gives what else the first look of all stores. */
  readonly onFirst?: (() => Promise<(tables: StoreTables, now: Instant) => Promise<void>>) | undefined;
};

export type PollResult = { readonly taken: number; readonly alerts: number };

/** Polls once. The first poll ever only notes where the log stands: nobody is told about history. */
export async function pollEvents(options: PollOptions): Promise<PollResult> {
  const cursor = await options.store.events.cursor();
  return cursor === null ? storeBaseline(options) : storeNewEvents(options, cursor);
}

async function storeBaseline(options: PollOptions): Promise<PollResult> {
  const { fleet, store, clock, onAnomaly } = options;
  const { events, unreadable, foreignRows, lowest } = await readNewestEvents(fleet);
  options.onFound?.(events);
  // Their ids may be the highest: with a floor below them, history would be told as news.
  if (unreadable > 0) throw new Error(`no baseline: ${unreadable} of the newest events could not be parsed`);
  if (foreignRows > 0) onAnomaly({ kind: 'strays', rows: foreignRows });
  const now = clock.now();
  const highestId = highestOf(events, 0);
  // The page's ids are known one by one: were the highest the floor, an absurd one would hide all that follows.
  const floorId = lowest ?? eventId(0);
  // Where the page does not show what lies below it, a time has to divide.
  const historyBefore = lowest === null ? later(now, -CLOCK_SKEW_MS) : null;
  const also = await options.onFirst?.();
  await store.transaction(async (tables) => {
    // Another replica may have taken one since we looked: what came after that one is news.
    if (!(await tables.events.begin({ highestId, floorId, historyBefore, updatedAt: now }))) return;
    // History is settled: the next poll need not look below it.
    await tables.events.markSeen(ids(events), later(now, -SETTLED_MS));
    await also?.(tables, now);
  });
  return { taken: 0, alerts: 0 };
}

async function storeNewEvents(options: PollOptions, cursor: EventCursor): Promise<PollResult> {
  const { fleet, store, clock, onAnomaly, onFailpoint } = options;
  const { updatedAt } = cursor;
  // The time of day may have been set back since: days that are still to come would hide all that happens.
  const lastPoll = instant(Math.min(updatedAt, clock.now()));
  const found = await readEventsSince(fleet, lastPoll, knownIdsIn(store, cursor, clock.now()));
  await onFailpoint?.('poll.fetched');
  for (const anomaly of anomaliesOf(found, cursor.highestId)) onAnomaly(anomaly);
  options.onIds?.(idRestartSign(found.events, cursor.floorId));
  const fresh = unseenEvents(found.events, await store.events.seen(ids(found.events)), cursor.floorId);
  // A device that is gone by these events is known until they are passed on.
  const classification = await classifyEvents(options, cursor, fresh);
  options.onFound?.(found.events);
  const isLately = updatedAt <= clock.now() && clock.now() < later(updatedAt, QUIET_WRITE_INTERVAL_MS);
  if (fresh.length === 0 && isLately) return { taken: 0, alerts: 0 };
  // Oldest first: wherever this ends, all that is missing lies above what was taken, and is found again.
  let alerts = 0;
  for (let from = 0; from < fresh.length; from += EVENTS_PER_TRANSACTION)
    alerts += await storeBatch(
      options,
      cursor,
      fresh.slice(from, from + EVENTS_PER_TRANSACTION),
      classification,
    );
  await storeCursor(options, { ...cursor, highestId: highestOf(fresh, cursor.highestId) }, found);
  return { taken: fresh.length, alerts };
}

/** The time of the last poll stays: the day filter must still reach the parts that are missing. */
async function storeBatch(
  { store, clock, onFailpoint }: PollOptions,
  cursor: EventCursor,
  part: readonly FleetEvent[],
  { alerts, routing, labels }: AlertClassification,
): Promise<number> {
  const now = clock.now();
  const alertCount = await store.transaction(async (tables) => {
    const notifier = createAlertNotifier({ tables, routing, labels, now });
    await tables.events.markSeen(ids(part), now);
    let count = 0;
    for (const { id } of part) {
      const alert = alerts.get(id);
      if (alert !== undefined && (await notifier.notify(alert))) count += 1;
    }
    await notifier.enqueueCards();
    await tables.events.setCursor({ ...cursor, highestId: highestOf(part, cursor.highestId) });
    return count;
  });
  await onFailpoint?.('poll.committed');
  return alertCount;
}

/**
 * Everything listed was taken in. What is forgotten becomes history, so it must lie below all that is listed: an
 * absurdly high id would otherwise make history of what comes after it.
 */
async function storeCursor(
  { store, clock }: PollOptions,
  cursor: EventCursor,
  { events }: EventsSince,
): Promise<void> {
  const now = clock.now();
  await store.transaction(async (tables) => {
    const forgotten = await tables.events.forgetSeen(later(now, -REMEMBER_IDS_MS), lowestOf(events));
    await tables.deliveries.forgetAlertGroups(later(now, -HOUR));
    // Nothing points at an ended one: alerts keep their channel, the audit its words, and numbers have a count of their own.
    await tables.subscriptions.forgetEnded(later(now, -REMEMBER_IDS_MS));
    const floorId = eventId(Math.max(cursor.floorId, forgotten ?? 0));
    await tables.events.setCursor({ ...cursor, floorId, updatedAt: now });
  });
}

function knownIdsIn(store: Store, { floorId }: EventCursor, now: Instant): KnownIds {
  const settledAt = later(now, -SETTLED_MS);
  return {
    isSettled: async (id) => id <= floorId || (await store.events.seen([id], settledAt)).has(id),
    areAllKnown: async (listed) => {
      const newer = listed.filter((id) => id > floorId);
      return (await store.events.seen(newer)).size === newer.length;
    },
  };
}

function ids(events: readonly FleetEvent[]) {
  return events.map((event) => event.id);
}

function highestOf(events: readonly FleetEvent[], atLeast: number) {
  return eventId(events.reduce((highest, event) => Math.max(highest, event.id), atLeast));
}

/** 0 where nothing is listed. */
function lowestOf(events: readonly FleetEvent[]): EventId {
  return eventId(events.reduce((lowest, { id }) => Math.min(lowest, id), events[0]?.id ?? 0));
}
