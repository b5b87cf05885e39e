/** Acknowledges all alerts of a card at once, and finds out who did. */
import { sql } from 'kysely';
import type { Instant } from '../../lib/clock.ts';
import type { AlertId, PersonId } from '../../lib/ids.ts';
import type { AcknowledgedCards } from '../port/alert-records.ts';
import type { Session } from '../session.ts';
import { ownRows, updateOwn } from './own-rows.ts';

/** See `DeliveryStore.acknowledgeCards`. Must be called in a transaction. */
export async function acknowledgeCards(
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

export async function acknowledgerOf(session: Session, card: AlertId): Promise<PersonId | null> {
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
