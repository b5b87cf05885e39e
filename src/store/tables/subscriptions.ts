/**
 * Subscriptions, in addition to the configuration file's channels. Ended ones are deleted after a while; the audit
 * keeps them.
 */
import { type SubscriptionStore, subscriptionRecord } from '../port/alert-records.ts';
import type { Session } from '../session.ts';
import { deleteOwn, ownRows, updateOwn, updatesOne } from './own-rows.ts';
import { jsonColumn, recordsOf } from './row-schemas.ts';
import { nextNumber } from './table-helpers.ts';

const { kinds, filter } = subscriptionRecord.shape;
const rowSchema = subscriptionRecord.extend({ kinds: jsonColumn(kinds), filter: jsonColumn(filter) });

const subscriptions = recordsOf(rowSchema, 'subscriptions', (row: { readonly number: number }) => row.number);

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
    get: async (number) => subscriptions.first(rows(session).where('number', '=', number)),
    open: async () => subscriptions.all(rows(session).where('endedAt', 'is', null).orderBy('number')),
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
