/**
 * Alerts, at most one per event and kind (the ids of events may come again with other events), and for each alert and
 * channel the card it is on, or the silence that held it.
 */

import { sql } from 'kysely';
import { type Instant, later } from '../../lib/clock.ts';
import type { AlertId, PersonId } from '../../lib/ids.ts';
import type {
  AcknowledgedCards,
  AlertPage,
  AlertQuery,
  CardAcknowledgement,
  CardAlerts,
  Delivery,
  DeliveryStore,
} from '../port/alert-records.ts';
import type { AlertRecord } from '../port/records.ts';
import type { AlertStore } from '../port/store.ts';
import type { Session } from '../session.ts';
import { alerts, checkOwned, deleteOwn, ownRows, shownAlertRows, updateOwn, updatesOne } from './rows.ts';

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

export function createDeliveryTable(session: Session): DeliveryStore {
  const { organizationId } = session;
  return {
    add: async ({ alertId, channel, card, silence }) => {
      await session
        .db()
        .insertInto('deliveries')
        .values({ organizationId, noticeId: alertId, channel, card, silence })
        .execute();
    },
    of: async (alert) => {
      const rows = await ownRows(session, 'deliveries')
        .select(['noticeId as alertId', 'channel', 'card', 'silence'])
        .where('noticeId', '=', alert)
        .execute();
      return rows.flatMap(readDelivery);
    },
    joinAlertGroup: ({ startNew = false, ...group }) => joinAlertGroup(session, group, startNew),
    forgetAlertGroups: async (before) => {
      await deleteOwn(session, 'storms').where('openUntil', '<=', before).execute();
    },
    onCard: (card, channel, first) => alertsOnCard(session, { of: 'card', card, channel }, first),
    acknowledgeCards: (cards, by, at) => acknowledgeCards(session, cards, { by, at }),
    acknowledgerOf: (card) => acknowledgerOf(session, card),
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
  const last = await lastAcknowledgement(alertsMatching(session, query));
  return {
    alerts: Number(counted.alerts),
    devices: Number(counted.devices),
    acknowledgement: last && {
      alerts: Number(counted.acknowledged),
      people: Number(counted.people),
      ...last,
    },
    first: await alerts.all(alertsMatching(session, query).selectAll().orderBy('eventId').limit(first)),
  };
}

async function lastAcknowledgement(
  found: ReturnType<typeof alertsMatching>,
): Promise<Pick<CardAcknowledgement, 'by' | 'at'> | null> {
  const row = await found
    .select(['acknowledgedBy as by', 'acknowledgedAt as at'])
    .where('acknowledgedBy', 'is not', null)
    .orderBy('acknowledgedAt', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row === undefined || row.by === null ? null : { by: row.by, at: row.at };
}

type Row = { readonly [K in keyof Delivery]: Delivery[K] };

function readDelivery({ card, silence, ...delivery }: Row): readonly Delivery[] {
  if (card !== null) return [{ ...delivery, card, silence: null }];
  return silence === null ? [] : [{ ...delivery, card: null, silence }];
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
  { channel, key, card, now, openUntil }: Omit<Parameters<DeliveryStore['joinAlertGroup']>[0], 'startNew'>,
  startNew: boolean,
): Promise<AlertId> {
  // An implausibly long one was opened by a wrong clock: nobody would look at its card any more.
  const longest = later(openUntil, openUntil - now);
  const isOpen = sql`storms.open_until > ${now} and storms.open_until <= ${longest}`;
  const row = await session
    .db()
    .insertInto('storms')
    .values({ organizationId: session.organizationId, channel, key, card, openUntil })
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

/** See `DeliveryStore.acknowledgeCards`. Must be called in a transaction. */
async function acknowledgeCards(
  session: Session,
  cards: readonly AlertId[],
  { by, at }: { readonly by: PersonId; readonly at: Instant },
): Promise<AcknowledgedCards> {
  await lockAlertGroups(session, cards);
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
  return {
    alerts: Number(counted.alerts),
    devices: Number(counted.devices),
    acknowledgedCount: newlyAcknowledged.length,
    acknowledgedDevices: [...new Set(newlyAcknowledged.flatMap(({ deviceId }) => deviceId ?? []))],
    shownOn: await cardsShowing(session, cards),
  };
}

async function acknowledgerOf(session: Session, card: AlertId): Promise<PersonId | null> {
  const row = await ownRows(session, 'notices')
    .select('acknowledgedBy')
    .where('id', 'in', alertsOnCards(session, [card]))
    // Unacknowledged alerts come first, on both engines.
    .orderBy(sql`acknowledged_by is not null`)
    .orderBy('acknowledgedAt', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.acknowledgedBy ?? null;
}

/** The lock is a write that changes nothing: adding an alert to a group first writes its row. */
async function lockAlertGroups(session: Session, cards: readonly AlertId[]): Promise<void> {
  await updateOwn(session, 'storms')
    .set((expression) => ({ card: expression.ref('storms.card') }))
    .where('card', 'in', cards)
    .execute();
}

function alertsOnCards(session: Session, cards: readonly AlertId[]) {
  return ownRows(session, 'deliveries').select('noticeId').where('card', 'in', cards);
}

/** An alert may also be on another card in another channel. */
async function cardsShowing(
  session: Session,
  cards: readonly AlertId[],
): Promise<AcknowledgedCards['shownOn']> {
  const rows = await ownRows(session, 'deliveries')
    .select(['card', 'channel'])
    .distinct()
    .where('noticeId', 'in', alertsOnCards(session, cards))
    .execute();
  return rows.flatMap(({ card, channel }) => (card === null ? [] : [{ card, channel }]));
}
