/**
 * Subscriptions, in addition to the configuration file's channels. Ended ones are deleted after a while; the audit
 * keeps them.
 */
import { z } from 'zod';
import { channelId, groupId, policyId } from '../../lib/ids.ts';
import type { SubscriptionRecord, SubscriptionStore } from '../port/alert-records.ts';
import type { Session } from '../session.ts';
import { deleteOwn, ownRows, updateOwn, updatesOne } from './own-rows.ts';
import {
  alertKind,
  instantColumn,
  jsonColumn,
  organizationColumn,
  personColumn,
  readRow,
  wholeNumber,
} from './row-schemas.ts';
import { nextNumber } from './table-helpers.ts';

const filter = z.object({
  group: z.object({ id: wholeNumber.transform(groupId), name: z.string() }).nullable(),
  policy: z.object({ id: wholeNumber.transform(policyId), name: z.string() }).nullable(),
  tag: z.string().nullable(),
  os: z.string().nullable(),
});

const rowSchema = z.object({
  organizationId: organizationColumn,
  number: wholeNumber,
  channel: z.string().transform(channelId),
  person: personColumn.nullable(),
  kinds: jsonColumn(z.array(alertKind)),
  filter: jsonColumn(filter),
  createdBy: personColumn,
  createdAt: instantColumn,
  endedBy: personColumn.nullable(),
  endedAt: instantColumn.nullable(),
}) satisfies z.ZodType<SubscriptionRecord>;

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
