/** The outbox: which cards should be shown, and which are. A card update and its work are written together. */
import type { ExpressionBuilder } from 'kysely';
import type { Instant } from '../../lib/clock.ts';
import type { ChannelId } from '../../lib/ids.ts';
import { type CardKey, cardRecord } from '../port/records.ts';
import type { CardStore, ChannelOpenPayload } from '../port/store.ts';
import type { Schema } from '../schema.ts';
import type { Session } from '../session.ts';
import { ownRows, updateOwn, updatesOne } from './own-rows.ts';
import { recordsOf } from './row-schemas.ts';
import { createWorkTable } from './work.ts';

const CHANNEL_OPEN: ChannelOpenPayload = 'channel-open';

const cards = recordsOf(cardRecord, 'cards', ({ key }: { readonly key: string }) => key);

export function createCardTable(session: Session): CardStore {
  return {
    enqueue: ({ dueAt, ...card }) =>
      session.inTransaction(async (inner) => {
        await addCardUpdate(inner, card, dueAt);
        await createWorkTable(inner).put({ kind: 'card', key: card.key, dueAt });
      }),
    enqueueUpdate: (key, dueAt, { keepsDue = false } = {}) =>
      session.inTransaction(async (inner) => {
        const { numUpdatedRows } = await change(inner, key)
          .set((expression) => ({
            wantedRevision: expression('wantedRevision', '+', 1),
            wantedAt: outdatedSince(expression, dueAt),
          }))
          .executeTakeFirstOrThrow();
        if (numUpdatedRows === 1n) await createWorkTable(inner).put({ kind: 'card', key, dueAt, keepsDue });
      }),
    get: async (key) => cards.first(ownRows(session, 'cards').selectAll().where('key', '=', key)),
    recordPosted: (key, { channel, ts, revision }) =>
      updatesOne(
        change(session, key)
          .where((expression) =>
            expression.or([
              expression('ts', 'is', null),
              expression.and([expression('ts', '=', ts), expression('postedChannel', '=', channel)]),
            ]),
          )
          .set({ postedChannel: channel, ts, failure: null })
          .set(shownAtLeast(revision)),
      ),
    recordEdited: async (key, revision) => {
      await change(session, key).set({ failure: null }).set(shownAtLeast(revision)).execute();
    },
    recordRemoved: async (key, { ts }) => {
      await change(session, key).where('ts', '=', ts).set({ postedChannel: null, ts: null }).execute();
    },
    giveUp: ({ key, ts, wantedRevision }, failure) =>
      updatesOne(
        change(session, key)
          .where('wantedRevision', '<=', wantedRevision)
          .where('ts', ts === null ? 'is' : '=', ts)
          .set({ failure }),
      ),
    resumeUnposted: (channel, at) => resumeUnposted(session, channel, at),
  };
}

/** An existing card keeps its place: it gets a newer revision, even if it was just abandoned. */
async function addCardUpdate(
  session: Session,
  { key, channel, fallbackPerson }: Omit<Parameters<CardStore['enqueue']>[0], 'dueAt'>,
  at: Instant,
): Promise<void> {
  const identity = { organizationId: session.organizationId, key, channel, fallbackPerson };
  const nothingYet = { postedChannel: null, ts: null, failure: null };
  await session
    .db()
    .insertInto('cards')
    .values({ ...identity, ...nothingYet, wantedRevision: 1, shownRevision: 0, wantedAt: at })
    .onConflict((conflict) =>
      conflict.columns(['organizationId', 'key']).doUpdateSet((expression) => ({
        wantedRevision: expression('cards.wantedRevision', '+', 1),
        wantedAt: outdatedSince(expression, at),
        failure: null,
      })),
    )
    .execute();
}

/** A late edit with an older revision changes nothing. */
const shownAtLeast =
  (revision: number) =>
  ({ eb, ref, selectFrom }: ExpressionBuilder<Schema, 'cards'>) => ({
    // A newer update has rescheduled the work for its own time.
    wantedAt: eb
      .case()
      .when('wantedRevision', '>', revision)
      .then(
        selectFrom('work')
          .select('dueAt')
          .whereRef('work.organizationId', '=', 'cards.organizationId')
          .where('work.kind', '=', 'card')
          .whereRef('work.key', '=', 'cards.key'),
      )
      .else(null)
      .end(),
    shownRevision: eb
      .case()
      .when('shownRevision', '>', revision)
      .then(ref('shownRevision'))
      .else(revision)
      .end(),
  });

async function resumeUnposted(session: Session, channel: ChannelId, at: Instant): Promise<void> {
  await updateOwn(session, 'work')
    .set((expression) => ({
      dueAt: at,
      attempts: 0,
      payload: JSON.stringify(CHANNEL_OPEN),
      // Whoever handles the card just now has asked too early, and may not move it away again.
      generation: expression('generation', '+', 1),
    }))
    .where('kind', '=', 'card')
    .where('key', 'in', (expression) =>
      expression
        .selectFrom('cards')
        .select('cards.key')
        .where('cards.organizationId', '=', session.organizationId)
        .where('cards.channel', '=', channel)
        .where('cards.ts', 'is', null)
        .where('cards.failure', 'is', null),
    )
    .execute();
}

/** The time of the first update that is not shown yet. */
function outdatedSince(expression: ExpressionBuilder<Schema, 'cards'>, at: Instant) {
  return (
    expression
      .case()
      .when('cards.shownRevision', '<', expression.ref('cards.wantedRevision'))
      .then(expression.fn.coalesce('cards.wantedAt', expression.val(at)))
      // A parameter: written into the statement it would make each one another.
      .else(expression.val(at))
      .end()
  );
}

const change = (session: Session, key: CardKey) => updateOwn(session, 'cards').where('key', '=', key);
