/** Things worth telling a channel, at most one per event and kind. */
import type { NoticeRecord } from '../records.ts';
import type { Session } from '../session.ts';
import type { NoticeStore } from '../store.ts';
import { noticeRow, readRow } from '../stored.ts';
import { ownedBy } from './owned.ts';

export function createNotices(session: Session): NoticeStore {
  return {
    insert: async (notice) => insert(session, notice),
    get: async (id) => {
      const row = await rows(session).selectAll().where('id', '=', id).executeTakeFirst();
      return row === undefined ? null : readRow(noticeRow, 'notices', id, row);
    },
    recent: async (kind, since, limit) => {
      const found = await rows(session)
        .selectAll()
        .where('kind', '=', kind)
        .where('createdAt', '>=', since)
        .orderBy('createdAt', 'desc')
        .orderBy('eventId', 'desc')
        .limit(limit)
        .execute();
      return found.map((row) => readRow(noticeRow, 'notices', row.id, row));
    },
    ofEvent: async (event) => {
      const row = await rows(session).selectAll().where('eventId', '=', event).executeTakeFirst();
      return row === undefined ? null : readRow(noticeRow, 'notices', row.id, row);
    },
    acknowledge: async (id, by, at) => {
      const { numUpdatedRows } = await session
        .db()
        .updateTable('notices')
        .set({ acknowledgedBy: by, acknowledgedAt: at })
        .where('organizationId', '=', session.organizationId)
        .where('id', '=', id)
        .where('acknowledgedBy', 'is', null)
        .executeTakeFirstOrThrow();
      return numUpdatedRows === 1n;
    },
  };
}

const rows = (session: Session) =>
  session.db().selectFrom('notices').where('organizationId', '=', session.organizationId);

async function insert(session: Session, notice: NoticeRecord): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await session
    .db()
    .insertInto('notices')
    .values({ ...ownedBy(session, notice), packages: JSON.stringify(notice.packages) })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow();
  if (numInsertedOrUpdatedRows === 1n) return true;
  const twin = await rows(session)
    .select('id')
    .where('eventId', '=', notice.eventId)
    .where('kind', '=', notice.kind)
    .executeTakeFirst();
  // An id taken by another event would lose this one without a word.
  if (twin === undefined) throw new Error(`notice ${notice.id} could not be stored: its id is taken`);
  return false;
}
