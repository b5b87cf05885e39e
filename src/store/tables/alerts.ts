/**
 * Alerts, the events that were taken in (each once: their ids may come again with other events), and their cards. Subscriptions,
 * beside the configuration file's channels, and silences, which hold alerts for a time. Ended subscriptions are deleted after a
 * while; the audit keeps them.
 */
import { sql } from 'kysely';
import { z } from 'zod';
import type { AlertId } from '../../lib/ids.ts';
import { chunksOf } from '../../lib/lists.ts';
import { channelField, instantField, wholeNumber } from '../../lib/record-fields.ts';
import {
  type AlertEvent,
  type AlertStore,
  alertRecord,
  type SilenceStore,
  type SubscriptionStore,
  silenceRecord,
  subscriptionRecord,
} from '../port/alert-records.ts';
import type { Session } from '../session.ts';
import { alertRows, listAlerts, shownAlerts } from './alert-lists.ts';
import {
  deleteOwn,
  insertOwn,
  jsonColumn,
  nextNumber,
  ownRows,
  recordsOf,
  replaced,
  updateOwn,
  updatesOne,
} from './rows.ts';

/** Rows in one statement. */
const PART = 500;

const cardRow = z.object({
  alert: alertRecord.shape.id,
  channel: channelField,
  generation: wholeNumber,
  startedAt: instantField,
  open: wholeNumber,
  drawnOpen: wholeNumber,
  drawnAt: instantField,
  dueAt: instantField,
});
const cardRows = recordsOf(cardRow, 'alert_cards', ({ alert }: { readonly alert: string }) => alert);
const { alert: _, channel: __, ...cardColumns } = cardRow.shape;
const { state, changedAt, endedAt, lastEndedAt } = alertRecord.shape;
const CHANGED = Object.keys({ state, changedAt, endedAt, lastEndedAt });

export function createAlertTable(session: Session): AlertStore {
  const groups = () => ownRows(session, 'alertGroups').selectAll();
  return {
    known: (events) => knownEvents(session, events),
    addEvents: async (events) => {
      const rows = events.map(({ id, kind, eventId, deviceId, happenedAt, alert }) => {
        return { id, kind, eventId, deviceId, happenedAt, alert };
      });
      // An id that belongs to another event fails the transaction: its alert would be lost silently.
      for (const part of chunksOf(rows, PART)) await insertOwn(session, 'alertEvents', part).execute();
    },
    get: (ids) => (ids.length === 0 ? Promise.resolve([]) : alertRows.all(groups().where('id', 'in', ids))),
    ofEvent: async (event) => {
      const taken = ownRows(session, 'alertEvents').select('alert').where('eventId', '=', event);
      return alertRows.first(groups().where('id', 'in', taken).orderBy('openedAt', 'desc').limit(1));
    },
    byKeys: async (keys) => {
      if (keys.length === 0) return [];
      const found = await alertRows.all(
        groups().where('key', 'in', keys).orderBy('openedAt').orderBy('number'),
      );
      return [...new Map(found.map((alert) => [alert.key, alert])).values()];
    },
    put: async (alerts) => {
      for (const part of chunksOf(alerts, PART))
        await insertOwn(session, 'alertGroups', part)
          .onConflict((conflict) =>
            conflict.columns(['organizationId', 'id']).doUpdateSet({ ...replaced(CHANGED), ...OWNER }),
          )
          .execute();
    },
    acknowledge: (id, by, at) =>
      updatesOne(
        updateOwn(session, 'alertGroups')
          .set({ acknowledgedBy: by, acknowledgedAt: at })
          .where('id', '=', id)
          .where('state', '=', 'open')
          .where('acknowledgedBy', 'is', null),
      ),
    cards: (ids) =>
      ids.length === 0
        ? Promise.resolve([])
        : cardRows.all(ownRows(session, 'alertCards').selectAll().where('alert', 'in', ids)),
    putCards: async (cards) => {
      for (const part of chunksOf(cards, PART))
        await insertOwn(session, 'alertCards', part)
          .onConflict((conflict) =>
            conflict
              .columns(['organizationId', 'alert', 'channel'])
              .doUpdateSet(replaced(Object.keys(cardColumns))),
          )
          .execute();
    },
    shown: async (id, channel) => {
      const found = await alertRows.all(groups().where('id', '=', id));
      const [alert] = await shownAlerts(session, found, channel ?? null);
      return alert ?? null;
    },
    list: (query, page) => listAlerts(session, query, page),
  };
}

const ENDED_BEFORE = sql`alert_groups.ended_at is not null and excluded.ended_at is null`;
/** Whoever had an alert that opens again has it no more. Otherwise its owner is changed by people only. */
const OWNER = {
  acknowledgedBy: sql<never>`case when ${ENDED_BEFORE} then null else alert_groups.acknowledged_by end`,
  lastOwner: sql<never>`case when ${ENDED_BEFORE} then alert_groups.acknowledged_by else alert_groups.last_owner end`,
};

/** By what happened, since an id may come again with another event. */
async function knownEvents(session: Session, events: readonly AlertEvent[]): Promise<ReadonlySet<AlertId>> {
  const rows = await ownRows(session, 'alertEvents')
    .select(['eventId', 'kind', 'happenedAt', 'deviceId'])
    .where(
      'eventId',
      'in',
      events.map(({ eventId }) => eventId),
    )
    .execute();
  const nameOf = ({ eventId, kind, happenedAt, deviceId }: (typeof rows)[number]) =>
    JSON.stringify([eventId, kind, happenedAt ?? 0, deviceId ?? 0]);
  const stored = new Set(rows.map(nameOf));
  return new Set(events.filter((event) => stored.has(nameOf(event))).map(({ id }) => id));
}

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
