/** One look at the event log: what is new is stored together with the cursor and the wish for its cards. */
import { type Clock, DAY, HOUR, type Instant, later } from '../clock.ts';
import type { FleetReader } from '../fleet/fleet.ts';
import type { FleetEvent } from '../fleet/model.ts';
import { type ChannelId, eventId, type OrganizationId } from '../ids.ts';
import type { Policy } from '../policy.ts';
import type { OnStep } from '../steps.ts';
import type { EventCursor, NoticeKind, NoticeRecord } from '../store/records.ts';
import type { Store, Tables } from '../store/store.ts';
import { fetchNewest, fetchSince } from './fetch.ts';
import { selectNotice, unseen } from './select.ts';

/** A quiet log writes nothing but, this often, that it was read: the day filter starts from there. */
const QUIET_WRITE_MS = HOUR;
/** Ids are remembered this long; an event listed later than this after its neighbours would not be seen. */
const REMEMBER_MS = 7 * DAY;

export type PollOptions = {
  readonly fleet: FleetReader;
  readonly store: Store;
  readonly clock: Clock;
  readonly organizationId: OrganizationId;
  readonly channels: Pick<Policy['channels'], 'patchAlerts' | 'newDevices'>;
  readonly onStep?: OnStep | undefined;
};

export type Polled = { readonly taken: number; readonly notices: number };

/** Polls once. The first poll ever only notes where the log stands: nobody is told about history. */
export async function poll(options: PollOptions): Promise<Polled> {
  const cursor = await options.store.events.cursor();
  return cursor === null ? takeBaseline(options) : takeNew(options, cursor);
}

async function takeBaseline({ fleet, store, clock }: PollOptions): Promise<Polled> {
  const events = await fetchNewest(fleet);
  const now = clock.now();
  const highestId = highestOf(events, 0);
  await store.transaction(async (tables) => {
    await tables.events.markSeen(ids(events), now);
    await tables.events.setCursor({ highestId, floorId: highestId, updatedAt: now });
  });
  return { taken: 0, notices: 0 };
}

async function takeNew(options: PollOptions, cursor: EventCursor): Promise<Polled> {
  const { fleet, store, clock, organizationId, onStep } = options;
  const fetched = await fetchSince(fleet, cursor.highestId, cursor.updatedAt);
  await onStep?.('poll.fetched');
  const now = clock.now();
  const fresh = unseen(fetched, await store.events.seen(ids(fetched)), cursor.floorId);
  if (fresh.length === 0 && now < later(cursor.updatedAt, QUIET_WRITE_MS)) return { taken: 0, notices: 0 };
  const notices = fresh.flatMap((event) => selectNotice(event, organizationId, now) ?? []);
  await store.transaction(async (tables) => {
    await tables.events.markSeen(ids(fresh), now);
    for (const notice of notices) await tell(tables, notice, options, now);
    const forgotten = await tables.events.forgetSeen(later(now, -REMEMBER_MS));
    await tables.events.setCursor({
      highestId: highestOf(fresh, cursor.highestId),
      floorId: eventId(Math.max(cursor.floorId, forgotten ?? 0)),
      updatedAt: now,
    });
  });
  if (fresh.length > 0) await onStep?.('poll.committed');
  return { taken: fresh.length, notices: notices.length };
}

async function tell(
  tables: Tables,
  notice: NoticeRecord,
  { channels }: PollOptions,
  dueAt: Instant,
): Promise<void> {
  const isNew = await tables.notices.insert(notice);
  if (!isNew) return;
  const channel = channelOf(notice.kind, channels);
  await tables.cards.want({ key: `notice:${notice.id}`, channel, fallbackPerson: null, dueAt });
}

function channelOf(kind: NoticeKind, channels: PollOptions['channels']): ChannelId {
  switch (kind) {
    case 'patch-failed':
      return channels.patchAlerts;
    case 'device-added':
      return channels.newDevices;
  }
}

function ids(events: readonly FleetEvent[]) {
  return events.map((event) => event.id);
}

function highestOf(events: readonly FleetEvent[], atLeast: number) {
  return eventId(events.reduce((highest, event) => Math.max(highest, event.id), atLeast));
}
