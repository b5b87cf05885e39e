/** Alerts, at most one per event and kind: the ids of events may come again with other events. */
import type { AlertRecord } from '../port/records.ts';
import type { AlertStore } from '../port/store.ts';
import type { Session } from '../session.ts';
import { ownRows, updateOwn, updatesOne } from './own-rows.ts';
import { alerts } from './row-schemas.ts';
import { checkOwned } from './table-helpers.ts';

export function createAlertTable(session: Session): AlertStore {
  return {
    insert: async (alert) => insert(session, alert),
    get: async (id) => alerts.first(rows(session).selectAll().where('id', '=', id)),
    ofEvent: async (event) =>
      alerts.first(rows(session).selectAll().where('eventId', '=', event).orderBy('createdAt', 'desc')),
    acknowledge: (id, by, at) =>
      updatesOne(
        updateOwn(session, 'notices')
          .set({ acknowledgedBy: by, acknowledgedAt: at })
          .where('id', '=', id)
          .where('acknowledgedBy', 'is', null),
      ),
  };
}

const rows = (session: Session) => ownRows(session, 'notices');

async function insert(session: Session, alert: AlertRecord): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await session
    .db()
    .insertInto('notices')
    .values({ ...checkOwned(session, alert), packages: JSON.stringify(alert.packages) })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow();
  if (numInsertedOrUpdatedRows === 1n) return true;
  const duplicate = await rows(session)
    .select('id')
    .where('eventId', '=', alert.eventId)
    .where('kind', '=', alert.kind)
    .where('happenedAt', 'is not distinct from', alert.happenedAt)
    .executeTakeFirst();
  // Otherwise an id that belongs to another event would lose this alert silently.
  if (duplicate === undefined) throw new Error(`alert ${alert.id} could not be stored: its id is taken`);
  return false;
}
