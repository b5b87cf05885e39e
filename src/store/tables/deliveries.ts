/** Which card of a channel each alert stands on, or which silence kept it. */
import { sql } from 'kysely';
import { type Instant, later } from '../../clock.ts';
import type { AlertId } from '../../ids.ts';
import type { AlertQuery, CardTaken, Delivery, DeliveryStore } from '../alert-records.ts';
import type { Session } from '../session.ts';
import { alertRow, readRow } from '../stored.ts';
import { takeCards, takerOf } from './taking.ts';

export function createDeliveries(session: Session): DeliveryStore {
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
      const rows = await session
        .db()
        .selectFrom('deliveries')
        .select(['noticeId as alertId', 'channel', 'card', 'silence'])
        .where('organizationId', '=', organizationId)
        .where('noticeId', '=', alert)
        .execute();
      return rows.flatMap(readDelivery);
    },
    joinStorm: ({ anew = false, ...storm }) => joinStorm(session, storm, anew),
    forgetStorms: async (before) => {
      await session
        .db()
        .deleteFrom('storms')
        .where('organizationId', '=', organizationId)
        .where('openUntil', '<=', before)
        .execute();
    },
    onCard: async (card, channel, first) => {
      const of = { of: 'card', card, channel } as const;
      const counted = await told(session, of)
        .select(({ fn }) => [
          fn.countAll().as('alerts'),
          fn.count('deviceId').distinct().as('devices'),
          fn.count('acknowledgedBy').as('taken'),
          fn.count('acknowledgedBy').distinct().as('people'),
        ])
        .executeTakeFirstOrThrow();
      const last = await lastTaken(told(session, of));
      const rows = await told(session, of).selectAll().orderBy('eventId').limit(first).execute();
      return {
        alerts: Number(counted.alerts),
        devices: Number(counted.devices),
        taken: last && { alerts: Number(counted.taken), people: Number(counted.people), ...last },
        first: rows.map((row) => readRow(alertRow, 'notices', row.id, row)),
      };
    },
    take: (cards, by, at) => takeCards(session, cards, { by, at }),
    taker: (card) => takerOf(session, card),
    silencedIn: async (silence) => {
      const rows = await session
        .db()
        .selectFrom('deliveries')
        .select('channel')
        .distinct()
        .where('organizationId', '=', organizationId)
        .where('silence', '=', silence)
        .execute();
      return rows.map(({ channel }) => channel).toSorted();
    },
    silenced: async (silence, channel) => {
      const rows = await told(session, { of: 'silence', silence, channel })
        .select(({ fn }) => ['kind', fn.countAll().as('alerts')])
        .groupBy('kind')
        .execute();
      const counted = rows.map(({ kind, alerts }) => ({ kind, alerts: Number(alerts) }));
      return counted.toSorted((a, b) => b.alerts - a.alerts || (a.kind < b.kind ? -1 : 1));
    },
    list: async (query, { limit, skip }) => {
      const { total } = await told(session, query)
        .select(({ fn }) => fn.countAll().as('total'))
        .executeTakeFirstOrThrow();
      const rows = await told(session, query)
        .selectAll()
        .orderBy('createdAt', 'desc')
        .orderBy('eventId', 'desc')
        .limit(limit)
        .offset(skip)
        .execute();
      return { total: Number(total), rows: rows.map((row) => readRow(alertRow, 'notices', row.id, row)) };
    },
  };
}

/** Who was the last to acknowledge one of these. */
async function lastTaken(found: ReturnType<typeof told>): Promise<Pick<CardTaken, 'by' | 'at'> | null> {
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

/** Alerts that fit; each once. */
function told(session: Session, query: AlertQuery) {
  return session
    .db()
    .with(
      // Otherwise SQLite orders and groups them by an index of all alerts there ever were, instead of looking up the few
      // that fit: 0.2 ms against 70 among 400,000 (measured).
      (name) => (query.of === 'all' ? name('found') : name('found').materialized()),
      (inner) => {
        const all = inner
          .selectFrom('notices')
          .selectAll()
          .where('organizationId', '=', session.organizationId);
        const alerts = query.until === undefined ? all : all.where('createdAt', '<=', query.until);
        if (query.of === 'all') return alerts.where('createdAt', '>=', query.since);
        return alerts.where('id', 'in', delivered(session, query));
      },
    )
    .selectFrom('found');
}

function delivered(session: Session, query: Exclude<AlertQuery, { readonly of: 'all' }>) {
  const all = session
    .db()
    .selectFrom('deliveries')
    .select('noticeId')
    .where('organizationId', '=', session.organizationId);
  if (query.of === 'card') return all.where('card', '=', query.card).where('channel', '=', query.channel);
  const kept = all.where('silence', '=', query.silence);
  return query.channel === null ? kept : kept.where('channel', '=', query.channel);
}

type Storm = Omit<Parameters<DeliveryStore['joinStorm']>[0], 'anew'>;

async function joinStorm(
  session: Session,
  { channel, key, card, now, openUntil }: Storm,
  anew: boolean,
): Promise<AlertId> {
  // One that lasts longer than any can was begun by a clock that was wrong: nobody would look at its card any more.
  const longest = later(openUntil, openUntil - now);
  const isOpen = sql`storms.open_until > ${now} and storms.open_until <= ${longest}`;
  const row = await session
    .db()
    .insertInto('storms')
    .values({ organizationId: session.organizationId, channel, key, card, openUntil })
    .onConflict((conflict) =>
      conflict.columns(['organizationId', 'channel', 'key']).doUpdateSet({
        card: anew
          ? sql<AlertId>`excluded.card`
          : sql<AlertId>`case when ${isOpen} then storms.card else excluded.card end`,
        openUntil: anew
          ? sql<Instant>`excluded.open_until`
          : sql<Instant>`case when ${isOpen} then storms.open_until else excluded.open_until end`,
      }),
    )
    .returning('card')
    .executeTakeFirstOrThrow();
  return row.card;
}
