/** The outbox: what should be shown where, and what is. A wish and its work are written together. */
import type { ExpressionBuilder } from 'kysely';
import type { Instant } from '../../clock.ts';
import type { CardKey } from '../records.ts';
import type { Schema } from '../schema.ts';
import type { Session } from '../session.ts';
import type { CardStore } from '../store.ts';
import { cardRow, readRow } from '../stored.ts';
import { createWork } from './work.ts';

export function createCards(session: Session): CardStore {
  return {
    want: ({ dueAt, ...card }) =>
      session.atomic(async (inner) => {
        await addWish(inner, card, dueAt);
        await createWork(inner).put({ kind: 'card', key: card.key, dueAt });
      }),
    refresh: (key, dueAt) =>
      session.atomic(async (inner) => {
        const { numUpdatedRows } = await change(inner, key)
          .set((expression) => ({
            wantedRevision: expression('wantedRevision', '+', 1),
            wantedAt: behindSince(expression, dueAt),
          }))
          .executeTakeFirstOrThrow();
        if (numUpdatedRows === 1n) await createWork(inner).put({ kind: 'card', key, dueAt });
      }),
    get: async (key) => {
      const row = await session
        .db()
        .selectFrom('cards')
        .selectAll()
        .where('organizationId', '=', session.organizationId)
        .where('key', '=', key)
        .executeTakeFirst();
      return row === undefined ? null : readRow(cardRow, 'cards', key, row);
    },
    posted: async (key, { channel, ts, revision }) => {
      const { numUpdatedRows } = await change(session, key)
        .where((expression) =>
          expression.or([
            expression('ts', 'is', null),
            expression.and([expression('ts', '=', ts), expression('postedChannel', '=', channel)]),
          ]),
        )
        .set({ postedChannel: channel, ts, failure: null })
        .set(atLeast(revision))
        .executeTakeFirstOrThrow();
      return numUpdatedRows === 1n;
    },
    edited: async (key, revision) => {
      await change(session, key).set({ failure: null }).set(atLeast(revision)).execute();
    },
    unposted: async (key, { ts }) => {
      await change(session, key).where('ts', '=', ts).set({ postedChannel: null, ts: null }).execute();
    },
    giveUp: async ({ key, ts, wantedRevision }, failure) => {
      const { numUpdatedRows } = await change(session, key)
        .where('wantedRevision', '<=', wantedRevision)
        .where('ts', ts === null ? 'is' : '=', ts)
        .set({ failure })
        .executeTakeFirstOrThrow();
      return numUpdatedRows === 1n;
    },
  };
}

type Wish = Omit<Parameters<CardStore['want']>[0], 'dueAt'>;

/** A card that is there keeps its place: a wish for it asks for a newer form, also where it was given up just now. */
async function addWish(session: Session, { key, channel, fallbackPerson }: Wish, at: Instant): Promise<void> {
  const given = { organizationId: session.organizationId, key, channel, fallbackPerson };
  const nothingYet = { postedChannel: null, ts: null, failure: null };
  await session
    .db()
    .insertInto('cards')
    .values({ ...given, ...nothingYet, wantedRevision: 1, shownRevision: 0, wantedAt: at })
    .onConflict((conflict) =>
      conflict.columns(['organizationId', 'key']).doUpdateSet((expression) => ({
        wantedRevision: expression('cards.wantedRevision', '+', 1),
        wantedAt: behindSince(expression, at),
        failure: null,
      })),
    )
    .execute();
}

/** An older revision that is shown late takes nothing back. */
const atLeast =
  (revision: number) =>
  ({ eb, ref, selectFrom }: ExpressionBuilder<Schema, 'cards'>) => ({
    // What was wanted meanwhile put the work anew, for the time of that wish.
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

/** The time of the first wish that is not shown. */
function behindSince(expression: ExpressionBuilder<Schema, 'cards'>, at: Instant) {
  return expression
    .case()
    .when('cards.shownRevision', '<', expression.ref('cards.wantedRevision'))
    .then(expression.fn.coalesce('cards.wantedAt', expression.val(at)))
    .else(at)
    .end();
}

const change = (session: Session, key: CardKey) =>
  session
    .db()
    .updateTable('cards')
    .where('organizationId', '=', session.organizationId)
    .where('key', '=', key);
