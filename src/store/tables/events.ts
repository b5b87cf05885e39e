/** Which events were processed, by id and content, because the service promises nothing about order and time. */
import { chunksOf } from '../../lib/chunks.ts';
import { type Instant, SECOND } from '../../lib/clock.ts';
import type { EventId } from '../../lib/ids.ts';
import { type EventCursor, eventCursor } from '../port/records.ts';
import type { EventStore, KnownEvent } from '../port/store.ts';
import type { Session } from '../session.ts';
import { deleteOwn, ownRows } from './own-rows.ts';
import { jsonColumn, readRow } from './row-schemas.ts';

const cursorRow = eventCursor.extend({ gap: jsonColumn(eventCursor.shape.gap.unwrap()).nullable() });
const IDS_PER_STATEMENT = 1_000;

export function createEventTable(session: Session): EventStore {
  const { organizationId } = session;
  return {
    cursor: async () => {
      const row = await ownRows(session, 'eventCursors').selectAll().executeTakeFirst();
      return row === undefined ? null : readRow(cursorRow, 'event_cursors', organizationId, row);
    },
    begin: async (cursor) => {
      const { numInsertedOrUpdatedRows } = await session
        .db()
        .insertInto('eventCursors')
        .values({ organizationId, ...columnsOf(cursor) })
        .onConflict((conflict) => conflict.doNothing())
        .executeTakeFirstOrThrow();
      return numInsertedOrUpdatedRows === 1n;
    },
    setCursor: async (cursor) => {
      await session
        .db()
        .insertInto('eventCursors')
        .values({ organizationId, ...columnsOf(cursor) })
        .onConflict((conflict) => conflict.column('organizationId').doUpdateSet(columnsOf(cursor)))
        .execute();
    },
    lastSeen: async (below, until) => {
      const row = await ownRows(session, 'eventsSeen')
        .select('eventId')
        .where('eventId', '<', below)
        .where('seenAt', '<=', until)
        .orderBy('eventId', 'desc')
        .limit(1)
        .executeTakeFirst();
      return row?.eventId ?? null;
    },
    seen: async (events, until) => {
      const found = new Map<EventId, boolean>();
      for (const part of chunksOf(events, IDS_PER_STATEMENT))
        for (const [id, isSame] of await seenAmong(session, part, until)) found.set(id, isSame);
      return found;
    },
    markSeen: (events, at) =>
      session.inTransaction(async (inner) => {
        // Sorted, because two replicas marking the same ids in different orders would deadlock.
        const rows = events
          .toSorted((a, b) => a.id - b.id)
          .map((event) => ({ organizationId, ...columnsOfEvent(event), seenAt: at }));
        for (const part of chunksOf(rows, IDS_PER_STATEMENT))
          await inner
            .db()
            .insertInto('eventsSeen')
            .values(part)
            .onConflict((conflict) => conflict.doNothing())
            .execute();
      }),
    forgetSeen: async (before, upTo) => {
      const forgotten = await deleteOwn(session, 'eventsSeen')
        .where('seenAt', '<', before)
        .where('eventId', '<=', upTo)
        .returning('eventId')
        .execute();
      return forgotten.reduce<EventId | null>(
        (highest, { eventId }) => (highest === null || eventId > highest ? eventId : highest),
        null,
      );
    },
  };
}

function columnsOf({ gap, ...cursor }: EventCursor) {
  return { ...cursor, gap: gap === null ? null : JSON.stringify(gap) };
}

async function seenAmong(
  session: Session,
  events: readonly KnownEvent[],
  until: Instant | undefined,
): Promise<readonly (readonly [EventId, boolean])[]> {
  const ids = events.map(({ id }) => id);
  const rows = await ownRows(session, 'eventsSeen')
    .select(['eventId', 'mark', 'deviceId'])
    .where('eventId', 'in', ids)
    .$if(until !== undefined, (query) => query.where('seenAt', '<=', until ?? null))
    .execute();
  const before = Map.groupBy(rows, ({ eventId }) => eventId);
  return events.map(columnsOfEvent).flatMap(({ eventId, mark, deviceId }) => {
    // An event may lose its device where that is removed.
    const isSame = before
      .get(eventId)
      ?.some((row) => row.mark === mark && (row.deviceId === deviceId || row.deviceId * deviceId === 0));
    return isSame === undefined ? [] : [[eventId, isSame] as const];
  });
}

/** Whole seconds: forms of times differ in what they state below. Nobody names an event with so many characters. */
function columnsOfEvent({ id, name, createTime, deviceId }: KnownEvent) {
  const mark = `${createTime === null ? '' : Math.floor(createTime / SECOND)} ${name.slice(0, 100)}`;
  return { eventId: id, mark, deviceId: deviceId ?? (0 as const) };
}
