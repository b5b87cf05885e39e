/** Which events were processed, by id and time, because the service promises nothing about their order. */
import type { Instant } from '../../lib/clock.ts';
import type { EventId } from '../../lib/ids.ts';
import { chunksOf } from '../../lib/lists.ts';
import { type EventCursor, type EventStore, eventCursor } from '../port/store.ts';
import type { Session } from '../session.ts';
import { deleteOwn, insertOwn, insertsOne, jsonColumn, ownRows, readRow } from './rows.ts';

const cursorRow = eventCursor.extend({ gap: jsonColumn(eventCursor.shape.gap.unwrap()).nullable() });
const IDS_PER_STATEMENT = 1_000;

export function createEventTable(session: Session): EventStore {
  const { organizationId } = session;
  return {
    cursor: async () => {
      const row = await ownRows(session, 'eventCursors').selectAll().executeTakeFirst();
      return row === undefined ? null : readRow(cursorRow, 'event_cursors', organizationId, row);
    },
    begin: (cursor) => {
      const insertion = insertOwn(session, 'eventCursors', columnsOf(cursor));
      return insertsOne(insertion.onConflict((conflict) => conflict.doNothing()));
    },
    setCursor: async (cursor) => {
      await insertOwn(session, 'eventCursors', columnsOf(cursor))
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
      const found = new Map<EventId, Instant | 0>();
      const ids = events.map(({ id }) => id);
      for (const part of chunksOf(ids, IDS_PER_STATEMENT))
        for (const { eventId, happenedAt } of await seenAmong(session, part, until))
          found.set(eventId, happenedAt);
      return found;
    },
    markSeen: (events, at) =>
      session.inTransaction(async (inner) => {
        // Sorted, because two replicas marking the same ids in different orders would deadlock.
        const rows = events
          .toSorted((a, b) => a.id - b.id)
          .map(({ id, createTime }) => ({ eventId: id, happenedAt: createTime ?? (0 as const) }))
          .map((event) => ({ organizationId, ...event, seenAt: at }));
        for (const part of chunksOf(rows, IDS_PER_STATEMENT))
          await insertOwn(inner, 'eventsSeen', part)
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

/** The last event of an id last. */
function seenAmong(session: Session, ids: readonly EventId[], until: Instant | undefined) {
  return ownRows(session, 'eventsSeen')
    .select(['eventId', 'happenedAt'])
    .where('eventId', 'in', ids)
    .$if(until !== undefined, (query) => query.where('seenAt', '<=', until ?? null))
    .orderBy('happenedAt')
    .execute();
}
