/** One look at the event log: what is new is stored together with the cursor and the wish for its cards. */
import { DAY, HOUR, type Instant, instant, later, MINUTE } from '../clock.ts';
import type { FleetReader } from '../fleet/fleet.ts';
import type { FleetEvent } from '../fleet/model.ts';
import { type EventId, eventId } from '../ids.ts';
import type { OnStep } from '../steps.ts';
import type { EventCursor } from '../store/records.ts';
import type { Store, Tables } from '../store/store.ts';
import { type FoundSince, fetchNewest, fetchSince, type Known } from './fetch.ts';
import { type News, type NewsOptions, readNews } from './news.ts';
import { type OnOddity, odditiesOf } from './oddities.ts';
import { type IdsSign, idsSign } from './restart.ts';
import { unseen } from './select.ts';
import { createTeller } from './tell.ts';

/** A quiet log writes nothing but, this often, that it was read: the day filter starts from there. */
const QUIET_WRITE_MS = HOUR;
/** Ids that are no longer listed are remembered this long; an event listed later than this would not be told. */
const REMEMBER_MS = 7 * DAY;
/** The service commits its events out of order: an id may be listed this long after higher ones. */
const SETTLED_MS = 5 * MINUTE;
/** How far the service's clock may be behind ours where times, not ids, divide history from news. */
const SKEW_MS = MINUTE;
/** Events in one transaction: a backlog is committed in parts. */
const PART = 500;

export type PollOptions = NewsOptions & {
  readonly fleet: FleetReader;
  readonly onOddity: OnOddity;
  readonly onStep?: OnStep | undefined;
  /** Told of everything that a look at the log found, what was taken in before included. */
  readonly onFound?: ((events: readonly FleetEvent[]) => void) | undefined;
  /** Told what the ids of each look say of the service's counting. */
  readonly onIds?: ((sign: IdsSign) => void) | undefined;
  /** Gives what else the first look of all stores. */
  readonly onFirst?: (() => Promise<(tables: Tables, now: Instant) => Promise<void>>) | undefined;
};

export type Polled = { readonly taken: number; readonly alerts: number };

/** Polls once. The first poll ever only notes where the log stands: nobody is told about history. */
export async function poll(options: PollOptions): Promise<Polled> {
  const cursor = await options.store.events.cursor();
  return cursor === null ? takeBaseline(options) : takeNew(options, cursor);
}

async function takeBaseline(options: PollOptions): Promise<Polled> {
  const { fleet, store, clock, onOddity } = options;
  const { events, unreadable, strays, lowest } = await fetchNewest(fleet);
  options.onFound?.(events);
  // Their ids may be the highest: with a floor below them, history would be told as news.
  if (unreadable > 0) throw new Error(`no baseline: ${unreadable} of the newest events could not be parsed`);
  if (strays > 0) onOddity({ kind: 'strays', rows: strays });
  const now = clock.now();
  const highestId = highestOf(events, 0);
  // The page's ids are known one by one: were the highest the floor, an absurd one would hide all that follows.
  const floorId = lowest ?? eventId(0);
  // Where the page does not show what lies below it, a time has to divide.
  const historyBefore = lowest === null ? later(now, -SKEW_MS) : null;
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

async function takeNew(options: PollOptions, cursor: EventCursor): Promise<Polled> {
  const { fleet, store, clock, onOddity, onStep } = options;
  const { updatedAt } = cursor;
  // The time of day may have been set back since: days that are still to come would hide all that happens.
  const lastPoll = instant(Math.min(updatedAt, clock.now()));
  const found = await fetchSince(fleet, lastPoll, knownTo(store, cursor, clock.now()));
  await onStep?.('poll.fetched');
  for (const oddity of odditiesOf(found, cursor.highestId)) onOddity(oddity);
  options.onIds?.(idsSign(found.events, cursor.floorId));
  const fresh = unseen(found.events, await store.events.seen(ids(found.events)), cursor.floorId);
  // A device that is gone by these events is known until they are passed on.
  const news = await readNews(options, cursor, fresh);
  options.onFound?.(found.events);
  const isLately = updatedAt <= clock.now() && clock.now() < later(updatedAt, QUIET_WRITE_MS);
  if (fresh.length === 0 && isLately) return { taken: 0, alerts: 0 };
  // Oldest first: wherever this ends, all that is missing lies above what was taken, and is found again.
  let alerts = 0;
  for (let from = 0; from < fresh.length; from += PART)
    alerts += await takePart(options, cursor, fresh.slice(from, from + PART), news);
  await finish(options, { ...cursor, highestId: highestOf(fresh, cursor.highestId) }, found);
  return { taken: fresh.length, alerts };
}

/** The time of the last poll stays: the day filter must still reach the parts that are missing. */
async function takePart(
  { store, clock, onStep }: PollOptions,
  cursor: EventCursor,
  part: readonly FleetEvent[],
  { alerts, rules, traits }: News,
): Promise<number> {
  const now = clock.now();
  const told = await store.transaction(async (tables) => {
    const teller = createTeller({ tables, rules, traits, now });
    await tables.events.markSeen(ids(part), now);
    let count = 0;
    for (const { id } of part) {
      const alert = alerts.get(id);
      if (alert !== undefined && (await teller.tell(alert))) count += 1;
    }
    await teller.finish();
    await tables.events.setCursor({ ...cursor, highestId: highestOf(part, cursor.highestId) });
    return count;
  });
  await onStep?.('poll.committed');
  return told;
}

/**
 * Everything listed was taken in. What is forgotten becomes history, so it must lie below all that is listed: an
 * absurdly high id would otherwise make history of what comes after it.
 */
async function finish(
  { store, clock }: PollOptions,
  cursor: EventCursor,
  { events }: FoundSince,
): Promise<void> {
  const now = clock.now();
  await store.transaction(async (tables) => {
    const forgotten = await tables.events.forgetSeen(later(now, -REMEMBER_MS), lowestOf(events));
    await tables.deliveries.forgetStorms(later(now, -HOUR));
    // Nothing points at an ended one: alerts keep their channel, the audit its words, and numbers have a count of their own.
    await tables.subscriptions.forgetEnded(later(now, -REMEMBER_MS));
    const floorId = eventId(Math.max(cursor.floorId, forgotten ?? 0));
    await tables.events.setCursor({ ...cursor, floorId, updatedAt: now });
  });
}

function knownTo(store: Store, { floorId }: EventCursor, now: Instant): Known {
  const settledAt = later(now, -SETTLED_MS);
  return {
    settled: async (id) => id <= floorId || (await store.events.seen([id], settledAt)).has(id),
    all: async (listed) => {
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
