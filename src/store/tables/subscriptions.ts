/**
 * Subscriptions, in addition to the configuration file's channels. Ended ones are deleted after a while; the audit
 * keeps them.
 */
import { type SubscriptionStore, subscriptionRecord } from '../port/alert-records.ts';
import type { Session } from '../session.ts';
import { deleteOwn, ownRows, updateOwn, updatesOne } from './own-rows.ts';
import { jsonColumn, readRow } from './row-schemas.ts';
import { nextNumber } from './table-helpers.ts';

const { kinds, filter } = subscriptionRecord.shape;
const rowSchema = subscriptionRecord.extend({ kinds: jsonColumn(kinds), filter: jsonColumn(filter) });

export function createSubscriptionTable(session: Session): SubscriptionStore {
  const { organizationId } = session;
  return {
    add: (subscription) =>
      session.inTransaction(async (inner) => {
        const number = await nextNumber(inner, 'subscription');
        const record = { ...subscription, organizationId, number, endedBy: null, endedAt: null };
        const texts = {
          kinds: JSON.stringify(subscription.kinds),
          filter: JSON.stringify(subscription.filter),
        };
        await inner
          .db()
          .insertInto('subscriptions')
          .values({ ...record, ...texts })
          .execute();
        return record;
      }),
    get: async (number) => {
      const row = await rows(session).where('number', '=', number).executeTakeFirst();
      return row === undefined ? null : readRow(rowSchema, 'subscriptions', number, row);
    },
    open: async () => {
      const found = await rows(session).where('endedAt', 'is', null).orderBy('number').execute();
      return found.map((row) => readRow(rowSchema, 'subscriptions', row.number, row));
    },
    end: (number, by, endedAt) =>
      updatesOne(
        updateOwn(session, 'subscriptions')
          .set({ endedBy: by, endedAt })
          .where('number', '=', number)
          .where('endedAt', 'is', null),
      ),
    forgetEnded: async (before) => {
      await deleteOwn(session, 'subscriptions').where('endedAt', '<=', before).execute();
    },
  };
}

const rows = (session: Session) => ownRows(session, 'subscriptions').selectAll();
