/** Patchbay's own health: undelivered cards, the last read of the event log, and reported troubles. */
import { sql } from 'kysely';
import { z } from 'zod';
import type { Instant } from '../../lib/clock.ts';
import { alertId, isCardKey, readAlertCardId, readCardKey, type TroubleId } from '../../lib/ids.ts';
import {
  type AbandonedCard,
  type HealthStore,
  type TroubleRecord,
  troubleRecord,
} from '../port/health-records.ts';
import type { Session } from '../session.ts';
import { insertOwn, insertsOne, jsonColumn, ownRows, recordsOf, updateOwn, updatesOne } from './rows.ts';

const MAX_ABANDONED = 1_000;
const ALERT_KEY_PATTERN = 'notice:%';

const { trouble, ...plainColumns } = troubleRecord.shape;
const troubleRow = z
  .object({ ...plainColumns, body: jsonColumn(trouble) })
  .transform(({ body, ...row }): TroubleRecord => ({ ...row, trouble: body }));

const troubles = recordsOf(troubleRow, 'troubles', ({ id }: { readonly id: string }) => id);

export function createHealthTables(session: Session): HealthStore {
  const rows = () => ownRows(session, 'troubles').selectAll();
  const change = (id: TroubleId) =>
    updateOwn(session, 'troubles').where('id', '=', id).where('endedAt', 'is', null);

  return {
    undelivered: () => undeliveredCards(session),
    abandoned: (since) => abandonedCards(session, since),
    eventsReadAt: async () => {
      const row = await ownRows(session, 'vitals').select('eventsReadAt').executeTakeFirst();
      return row?.eventsReadAt ?? null;
    },
    recordCheck: async (now, eventsReadAt) => {
      await insertOwn(session, 'vitals', { checkedAt: now, eventsReadAt })
        .onConflict((conflict) =>
          conflict.column('organizationId').doUpdateSet((expression) => ({
            checkedAt: now,
            // A replica that does not read the log knows an older time, or none.
            eventsReadAt: expression
              .case()
              .when('vitals.eventsReadAt', 'is', null)
              .then(eventsReadAt)
              .when('vitals.eventsReadAt', '<', eventsReadAt)
              .then(eventsReadAt)
              .else(expression.ref('vitals.eventsReadAt'))
              .end(),
          })),
        )
        .execute();
    },
    open: async () => troubles.all(rows().where('endedAt', 'is', null).orderBy('since').orderBy('id')),
    get: async (id) => troubles.first(rows().where('id', '=', id)),
    begin: ({ trouble: found, ...row }) => {
      const insertion = insertOwn(session, 'troubles', { ...row, body: JSON.stringify(found) });
      return insertsOne(insertion.onConflict((conflict) => conflict.doNothing()));
    },
    markSeen: async (id, found, seenAt) => {
      await change(id)
        .set({ body: JSON.stringify(found), seenAt })
        .execute();
    },
    end: (id, endedAt, unseenSince) =>
      updatesOne(change(id).where('seenAt', '<=', unseenSince).set({ endedAt })),
  };
}

/** Only cards with pending work: a card whose subject is gone has nothing to show. */
async function undeliveredCards(session: Session): ReturnType<HealthStore['undelivered']> {
  const rows = await session
    .db()
    .selectFrom('cards')
    .innerJoin('work', (join) =>
      join
        .onRef('work.organizationId', '=', 'cards.organizationId')
        .onRef('work.key', '=', 'cards.key')
        .on('work.kind', '=', 'card'),
    )
    .where('cards.organizationId', '=', session.organizationId)
    .where('cards.failure', 'is', null)
    .whereRef('cards.wantedRevision', '>', 'cards.shownRevision')
    .select((expression) => [
      'cards.channel',
      expression.fn.countAll<number>().as('cards'),
      expression.fn
        .sum<number>(
          expression.case().when(sql<boolean>`cards.key like ${ALERT_KEY_PATTERN}`).then(1).else(0).end(),
        )
        .as('alerts'),
      expression.fn.min<Instant>(expression.fn.coalesce('cards.wantedAt', 'work.dueAt')).as('oldestAt'),
    ])
    .groupBy('cards.channel')
    .execute();
  return rows
    .map(({ channel, cards, alerts, oldestAt }) => ({
      channel,
      cards: Number(cards),
      alerts: Number(alerts),
      oldestAt,
    }))
    .toSorted((a, b) => a.oldestAt - b.oldestAt);
}

async function abandonedCards(session: Session, since: Instant): Promise<readonly AbandonedCard[]> {
  const rows = await ownRows(session, 'cards')
    .select(['key', 'failure', 'wantedAt'])
    .where('failure', 'is not', null)
    .where('ts', 'is', null)
    .where('wantedAt', '>=', since)
    .orderBy('wantedAt', 'desc')
    .limit(MAX_ABANDONED)
    .execute();
  const ids = rows.flatMap(({ key }) => alertIdOfKey(key) ?? []).map(alertId);
  const settledIds = new Set<string>();
  if (ids.length > 0) {
    const settled = ownRows(session, 'alertGroups')
      .select('id')
      .where('id', 'in', ids)
      .where(({ or, eb }) => or([eb('acknowledgedBy', 'is not', null), eb('endedAt', 'is not', null)]));
    for (const { id } of await settled.execute()) settledIds.add(id);
  }
  return rows.map(({ key, failure, wantedAt }) => {
    const alert = alertIdOfKey(key);
    return {
      key,
      error: failure ?? '',
      wantedAt,
      alert: alert === null || settledIds.has(alert) ? null : alertId(alert),
    };
  });
}

function alertIdOfKey(key: string): string | null {
  if (!isCardKey(key)) return null;
  const { kind, id } = readCardKey(key);
  return kind === 'alert' ? readAlertCardId(id).alert : null;
}
