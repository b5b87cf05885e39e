/**
 * Subscriptions, in addition to the configuration file's channels, and silences: periods in which alerts are held and not
 * posted. Ended subscriptions are deleted after a while; the audit keeps them.
 */
import {
  type SilenceStore,
  type SubscriptionStore,
  silenceRecord,
  subscriptionRecord,
} from '../port/alert-records.ts';
import type { Session } from '../session.ts';
import {
  deleteOwn,
  insertOwn,
  jsonColumn,
  nextNumber,
  ownRows,
  recordsOf,
  updateOwn,
  updatesOne,
} from './rows.ts';

const { kinds, filter } = subscriptionRecord.shape;
const subscriptionRow = subscriptionRecord.extend({ kinds: jsonColumn(kinds), filter: jsonColumn(filter) });

const subscriptions = recordsOf(
  subscriptionRow,
  'subscriptions',
  (row: { readonly number: number }) => row.number,
);

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
        await insertOwn(inner, 'subscriptions', { ...record, ...texts }).execute();
        return record;
      }),
    get: async (number) => subscriptions.first(subscriptionRows(session).where('number', '=', number)),
    open: async () =>
      subscriptions.all(subscriptionRows(session).where('endedAt', 'is', null).orderBy('number')),
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

const subscriptionRows = (session: Session) => ownRows(session, 'subscriptions').selectAll();

const silenceRow = silenceRecord.extend({ scope: jsonColumn(silenceRecord.shape.scope) });

const silences = recordsOf(silenceRow, 'silences', (row: { readonly number: number }) => row.number);

export function createSilenceTable(session: Session): SilenceStore {
  const { organizationId } = session;
  return {
    add: (silence) =>
      session.inTransaction(async (inner) => {
        const number = await nextNumber(inner, 'silence');
        const record = { ...silence, organizationId, number, endedAt: null, endedBy: null, kept: 0 };
        await insertOwn(inner, 'silences', { ...record, scope: JSON.stringify(silence.scope) }).execute();
        return record;
      }),
    get: async (number) => silences.first(silenceRows(session).where('number', '=', number)),
    open: async () => silences.all(silenceRows(session).where('endedAt', 'is', null).orderBy('number')),
    holdAlert: (number) =>
      updatesOne(change(session, number).set((expression) => ({ kept: expression('kept', '+', 1) }))),
    extend: (number, until) => updatesOne(change(session, number).set({ until })),
    end: (number, endedBy, endedAt) =>
      updatesOne(
        change(session, number)
          .$if(endedBy === 'patchbay', (query) => query.where('until', '<=', endedAt))
          .set({ endedBy, endedAt }),
      ),
  };
}

const silenceRows = (session: Session) => ownRows(session, 'silences').selectAll();

/** Only active silences: a change holds the row, so that the silence can't end meanwhile. */
const change = (session: Session, number: number) =>
  updateOwn(session, 'silences').where('number', '=', number).where('endedAt', 'is', null);
