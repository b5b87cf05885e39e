/**
 * Alerts, at most one per event and kind (the ids of events may come again with other events), and for each alert and
 * channel the card it is on, or the silence that held it. Subscriptions, beside the configuration file's channels, and silences,
 * which hold alerts for a time. Ended subscriptions are deleted after a while; the audit keeps them.
 */
import { sql } from 'kysely';
import { type Instant, later } from '../../lib/clock.ts';
import type { AlertId } from '../../lib/ids.ts';
import {
  type AlertPage,
  type AlertQuery,
  type AlertRecord,
  type AlertStore,
  type CardAlerts,
  type Delivery,
  type DeliveryStore,
  type SilenceStore,
  type SubscriptionStore,
  silenceRecord,
  subscriptionRecord,
} from '../port/alert-records.ts';
import type { Session } from '../session.ts';
import {
  alerts,
  checkOwned,
  deleteOwn,
  insertOwn,
  insertsOne,
  jsonColumn,
  nextNumber,
  ownRows,
  recordsOf,
  shownAlertRows,
  updateOwn,
  updatesOne,
} from './rows.ts';

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
  const row = { ...checkOwned(session, alert), packages: JSON.stringify(alert.packages) };
  const insertion = insertOwn(session, 'notices', row).onConflict((conflict) => conflict.doNothing());
  if (await insertsOne(insertion)) return true;
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

export function createDeliveryTable(session: Session): DeliveryStore {
  return {
    add: async ({ alertId, channel, card, silence }) => {
      await insertOwn(session, 'deliveries', { noticeId: alertId, channel, card, silence }).execute();
    },
    of: async (alert) => {
      const rows = await ownRows(session, 'deliveries')
        .select(['noticeId as alertId', 'channel', 'card', 'silence'])
        .where('noticeId', '=', alert)
        .execute();
      return rows.flatMap(({ card, silence, ...delivery }): readonly Delivery[] => {
        if (card !== null) return [{ ...delivery, card, silence: null }];
        return silence === null ? [] : [{ ...delivery, card: null, silence }];
      });
    },
    joinAlertGroup: (group) => joinAlertGroup(session, group),
    forgetAlertGroups: async (before) => {
      await deleteOwn(session, 'storms').where('openUntil', '<=', before).execute();
    },
    onCard: (card, channel, first) => alertsOnCard(session, { of: 'card', card, channel }, first),
    acknowledgeCards: (...given) => acknowledgeCards(session, ...given),
    acknowledgerOf: async (card) => {
      const row = await ownRows(session, 'notices')
        .select('acknowledgedBy')
        .where('id', 'in', alertsOnCards(session, [card]))
        // Unacknowledged alerts come first, on both engines.
        .orderBy(sql`acknowledged_by is not null`)
        .orderBy('acknowledgedAt', 'desc')
        .limit(1)
        .executeTakeFirst();
      return row?.acknowledgedBy ?? null;
    },
    silencedChannels: async (silence) => {
      const rows = await ownRows(session, 'deliveries')
        .select('channel')
        .distinct()
        .where('silence', '=', silence)
        .execute();
      return rows.map(({ channel }) => channel).toSorted();
    },
    silencedCounts: async (silence, channel) => {
      const rows = await alertsMatching(session, { of: 'silence', silence, channel })
        .select(({ fn }) => ['kind', fn.countAll().as('alerts')])
        .groupBy('kind')
        .execute();
      const counted = rows.map(({ kind, alerts }) => ({ kind, alerts: Number(alerts) }));
      return counted.toSorted((a, b) => b.alerts - a.alerts || (a.kind < b.kind ? -1 : 1));
    },
    list: async (query, { limit, skip }) => {
      const { total } = await alertsMatching(session, query)
        .select(({ fn }) => fn.countAll().as('total'))
        .executeTakeFirstOrThrow();
      const page = alertsMatching(session, query)
        .selectAll()
        .orderBy('createdAt', 'desc')
        .orderBy('eventId', 'desc')
        .limit(limit)
        .offset(skip);
      return { total: Number(total), rows: await alerts.all(page) };
    },
    shown: (query, page) => shownAlerts(session, query, page),
  };
}

/** The first alert of a card stands for all on it, also where it is older than the list; what a silence held is together by kind. */
async function shownAlerts(
  session: Session,
  query: AlertQuery,
  { limit, skip }: AlertPage,
): ReturnType<DeliveryStore['shown']> {
  const placed = alertsMatching(session, query)
    .selectAll()
    .select((eb) => {
      const all = eb.selectFrom('deliveries').whereRef('noticeId', '=', 'found.id');
      const own = all.where('deliveries.organizationId', '=', session.organizationId);
      return [
        own.select(({ fn }) => fn.min('card').as('card')).as('card'),
        own.select(({ fn }) => fn.max('silence').as('silence')).as('silence'),
      ];
    });
  const together = sql`coalesce(card, kind || ' ' || silence, id)`;
  const cards = session.db().selectFrom(placed.as('placed'));
  const { total } = await cards
    .select(sql<number>`count(distinct ${together})`.as('total'))
    .executeTakeFirstOrThrow();
  const counted = cards
    .select(({ fn }) => [
      fn.coalesce(fn.max('card'), fn.min('id')).as('onCard'),
      sql<number | null>`case when max(card) is null then max(silence) end`.as('heldBy'),
      fn.max('createdAt').as('newestAt'),
      fn.countAll().as('alerts'),
      fn.count('deviceId').distinct().as('devices'),
      fn.count('acknowledgedBy').as('acknowledged'),
    ])
    .groupBy(together);
  const rows = await shownAlertRows.all(
    ownRows(session, 'notices')
      .innerJoin(counted.as('counted'), 'counted.onCard', 'notices.id')
      .selectAll()
      .orderBy('newestAt', 'desc')
      .orderBy('eventId', 'desc')
      .limit(limit)
      .offset(skip),
  );
  return {
    total: Number(total),
    rows: rows.map(({ alerts: all, devices, acknowledged, heldBy, ...alert }) => ({
      ...alert,
      ...(all === 1 ? {} : { storm: { alerts: all, devices, acknowledged } }),
      ...(heldBy === null ? {} : { heldBy }),
    })),
  };
}

/** A card's alerts: how many, how many of them acknowledged, and the `first` ones of the log. */
async function alertsOnCard(
  session: Session,
  query: Extract<AlertQuery, { readonly of: 'card' }>,
  first: number,
): Promise<CardAlerts> {
  const counted = await alertsMatching(session, query)
    .select(({ fn }) => [
      fn.countAll().as('alerts'),
      fn.count('deviceId').distinct().as('devices'),
      fn.count('acknowledgedBy').as('acknowledged'),
      fn.count('acknowledgedBy').distinct().as('people'),
    ])
    .executeTakeFirstOrThrow();
  const last = await alertsMatching(session, query)
    .select(['acknowledgedBy as by', 'acknowledgedAt as at'])
    .where('acknowledgedBy', 'is not', null)
    .orderBy('acknowledgedAt', 'desc')
    .limit(1)
    .executeTakeFirst();
  const [acknowledged, people] = [Number(counted.acknowledged), Number(counted.people)];
  return {
    alerts: Number(counted.alerts),
    devices: Number(counted.devices),
    acknowledgement:
      last && last.by !== null ? { alerts: acknowledged, people, by: last.by, at: last.at } : null,
    first: await alerts.all(alertsMatching(session, query).selectAll().orderBy('eventId').limit(first)),
  };
}

/** Alerts that match the query, each once. */
function alertsMatching(session: Session, query: AlertQuery) {
  return session
    .db()
    .with(
      // Otherwise SQLite sorts and groups them by an index of all alerts there ever were, instead of looking up the
      // few that match: 0.2 ms against 70 ms among 400,000 (measured).
      (name) => (query.of === 'all' ? name('found') : name('found').materialized()),
      (inner) => {
        const all = inner
          .selectFrom('notices')
          .selectAll()
          .where('organizationId', '=', session.organizationId);
        const alerts = query.until === undefined ? all : all.where('createdAt', '<=', query.until);
        if (query.of === 'all') {
          const recent = alerts.where('createdAt', '>=', query.since);
          return query.kind === undefined ? recent : recent.where('kind', '=', query.kind);
        }
        return alerts.where('id', 'in', delivered(session, query));
      },
    )
    .selectFrom('found');
}

function delivered(session: Session, query: Exclude<AlertQuery, { readonly of: 'all' }>) {
  const all = ownRows(session, 'deliveries').select('noticeId');
  if (query.of === 'card') return all.where('card', '=', query.card).where('channel', '=', query.channel);
  const held = all.where('silence', '=', query.silence);
  return query.channel === null ? held : held.where('channel', '=', query.channel);
}

async function joinAlertGroup(
  session: Session,
  { channel, key, card, now, openUntil, startNew = false }: Parameters<DeliveryStore['joinAlertGroup']>[0],
): Promise<AlertId> {
  // An implausibly long one was opened by a wrong clock: nobody would look at its card any more.
  const longest = later(openUntil, openUntil - now);
  const isOpen = sql`storms.open_until > ${now} and storms.open_until <= ${longest}`;
  const row = await insertOwn(session, 'storms', { channel, key, card, openUntil })
    .onConflict((conflict) =>
      conflict.columns(['organizationId', 'channel', 'key']).doUpdateSet({
        card: startNew
          ? sql<AlertId>`excluded.card`
          : sql<AlertId>`case when ${isOpen} then storms.card else excluded.card end`,
        openUntil: startNew
          ? sql<Instant>`excluded.open_until`
          : sql<Instant>`case when ${isOpen} then storms.open_until else excluded.open_until end`,
      }),
    )
    .returning('card')
    .executeTakeFirstOrThrow();
  return row.card;
}

/** Must be called in a transaction. */
async function acknowledgeCards(
  session: Session,
  ...[cards, by, at]: Parameters<DeliveryStore['acknowledgeCards']>
): ReturnType<DeliveryStore['acknowledgeCards']> {
  // The lock is a write that changes nothing: adding an alert to a group first writes its row.
  await updateOwn(session, 'storms')
    .set((expression) => ({ card: expression.ref('storms.card') }))
    .where('card', 'in', cards)
    .execute();
  const newlyAcknowledged = await updateOwn(session, 'notices')
    .set({ acknowledgedBy: by, acknowledgedAt: at })
    .where('acknowledgedBy', 'is', null)
    .where('id', 'in', alertsOnCards(session, cards))
    .returning('deviceId')
    .execute();
  const counted = await ownRows(session, 'notices')
    .select(({ fn }) => [fn.countAll().as('alerts'), fn.count('deviceId').distinct().as('devices')])
    .where('id', 'in', alertsOnCards(session, cards))
    .executeTakeFirstOrThrow();
  // An alert may also be on another card in another channel.
  const places = await ownRows(session, 'deliveries')
    .select(['card', 'channel'])
    .distinct()
    .where('noticeId', 'in', alertsOnCards(session, cards))
    .execute();
  return {
    alerts: Number(counted.alerts),
    devices: Number(counted.devices),
    acknowledgedCount: newlyAcknowledged.length,
    acknowledgedDevices: [...new Set(newlyAcknowledged.flatMap(({ deviceId }) => deviceId ?? []))],
    shownOn: places.flatMap(({ card, channel }) => (card === null ? [] : [{ card, channel }])),
  };
}

function alertsOnCards(session: Session, cards: readonly AlertId[]) {
  return ownRows(session, 'deliveries').select('noticeId').where('card', 'in', cards);
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
