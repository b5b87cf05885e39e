/**
 * The outbox: which cards should be shown, which are, and calls to Slack for them whose outcome is unknown. A card update
 * and its work are written together.
 */
import { type ExpressionBuilder, sql } from 'kysely';
import type { Instant } from '../../lib/clock.ts';
import type { CardKey } from '../../lib/ids.ts';
import { chunksOf } from '../../lib/lists.ts';
import { wholeNumber } from '../../lib/record-fields.ts';
import {
  type CardCall,
  type CardCallStore,
  type CardStore,
  type ChannelOpenPayload,
  cardCall,
  cardRecord,
  type NewCardCall,
} from '../port/card-records.ts';
import type { NewWork } from '../port/work-records.ts';
import type { Schema } from '../schema.ts';
import { leaseEnd, leaseNow, type Session } from '../session.ts';
import { deleteOwn, insertOwn, ownRows, recordsOf, updateOwn, updatesOne } from './rows.ts';
import { createWorkTable } from './work.ts';

const cards = recordsOf(cardRecord, 'cards', ({ key }: { readonly key: string }) => key);

export function createCardTable(session: Session): CardStore {
  return {
    enqueue: ({ dueAt, ...card }, keeps = {}) =>
      session.inTransaction(async (inner) => {
        const nothingYet = { postedChannel: null, ts: null, failure: null, shownRevision: 0 };
        // An existing card keeps its place: it gets a newer revision, even if it was just abandoned.
        const { wantedAt } = await insertOwn(inner, 'cards', {
          ...{ ...card, ...nothingYet },
          ...{ wantedRevision: 1, wantedAt: dueAt },
        })
          .onConflict((conflict) =>
            conflict.columns(['organizationId', 'key']).doUpdateSet((expression) => ({
              wantedRevision: expression('cards.wantedRevision', '+', 1),
              wantedAt: outdatedSince(expression, dueAt),
              failure: null,
            })),
          )
          .returning('wantedAt')
          .executeTakeFirstOrThrow();
        await schedule(inner, { key: card.key, dueAt, wantedAt }, keeps);
      }),
    enqueueUpdate: (key, dueAt, keeps = {}) =>
      session.inTransaction(async (inner) => {
        const updated = await change(inner, key)
          .set((expression) => ({
            wantedRevision: expression('wantedRevision', '+', 1),
            wantedAt: outdatedSince(expression, dueAt),
          }))
          .returning('wantedAt')
          .executeTakeFirst();
        if (updated !== undefined) await schedule(inner, { key, dueAt, wantedAt: updated.wantedAt }, keeps);
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
    resumeUnposted: async (channel, at) => {
      await updateOwn(session, 'work')
        .set((expression) => ({
          dueAt: at,
          attempts: 0,
          payload: JSON.stringify('channel-open' satisfies ChannelOpenPayload),
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
    },
  };
}

type Keeps = Pick<NewWork, 'keepsDue' | 'keepsEarlier'>;

async function schedule(
  session: Session,
  {
    key,
    dueAt,
    wantedAt,
  }: { readonly key: CardKey; readonly dueAt: Instant; readonly wantedAt: Instant | null },
  keeps: Keeps,
): Promise<void> {
  // A call that is being made for an earlier update may fail, and is then due before this one.
  const isWaiting = keeps.keepsEarlier === true && wantedAt !== null && wantedAt < dueAt;
  const due = isWaiting ? wantedAt : dueAt;
  await createWorkTable(session).put({ kind: 'card', key, dueAt: due, ...keeps });
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

const IDS_PER_STATEMENT = 1_000;

const rowSchema = cardCall.extend({ watched: wholeNumber.transform((flag) => flag === 1) });

const cardCalls = recordsOf(rowSchema, 'card_calls', ({ id }: { readonly id: string }) => id);

export function createCardCallTable(session: Session): CardCallStore {
  return {
    begin: (call, work) =>
      session.inTransaction(async (inner) => {
        if (!(await createWorkTable(inner).holds(work))) return false;
        await insert(inner, call, null);
        return true;
      }),
    recordSuspected: ({ watched = false, ...call }) =>
      insert(session, { ...call, kind: 'post', settleMs: 0 }, call.attemptedAt, watched),
    extend: async (id, ms) => {
      await updateOwn(session, 'cardCalls')
        .set({ settlesAt: leaseEnd(session, ms) })
        .where('id', '=', id)
        .execute();
    },
    watch: async (ids, ms) => {
      for (const part of chunksOf(ids, IDS_PER_STATEMENT))
        await updateOwn(session, 'cardCalls')
          .set({ watched: 1, settledAt: null, settleMs: ms, settlesAt: leaseEnd(session, ms) })
          .where('id', 'in', part)
          .execute();
    },
    end: async (ids) => {
      for (const part of chunksOf(ids, IDS_PER_STATEMENT))
        await deleteOwn(session, 'cardCalls').where('id', 'in', part).execute();
    },
    callsOfCard: (card, now) => calls(session, now, (expression) => expression('card', '=', card)),
    postsIn: (channel, now) =>
      calls(session, now, (expression) =>
        expression.and([expression('channel', '=', channel), expression('kind', '=', 'post')]),
      ),
  };
}

type Which = (expression: ExpressionBuilder<Schema, 'cardCalls'>) => ReturnType<typeof expression.and>;

async function insert(session: Session, call: NewCardCall, settledAt: Instant | null, watched = false) {
  const { id, card, kind, channel, attemptedAt, settleMs } = call;
  await insertOwn(session, 'cardCalls', {
    ...{ id, card, kind, channel, attemptedAt, settleMs, settledAt },
    settlesAt: leaseEnd(session, settleMs),
    watched: watched ? 1 : 0,
  })
    .onConflict((conflict) => conflict.columns(['organizationId', 'id']).doNothing())
    .execute();
}

const owned = (session: Session, which: Which) => (expression: ExpressionBuilder<Schema, 'cardCalls'>) =>
  expression.and([expression('organizationId', '=', session.organizationId), which(expression)]);

/** Reads the calls; when one has just settled, records that first and reads again. */
async function calls(session: Session, now: Instant, which: Which): Promise<readonly CardCall[]> {
  const found = await read(session, which);
  if (!found.some(({ settledAt, settlesInMs }) => settledAt === null && settlesInMs === 0)) return found;
  await session
    .db()
    .updateTable('cardCalls')
    .set({ settledAt: now })
    .where(owned(session, which))
    .where('settledAt', 'is', null)
    .where('settlesAt', '<=', leaseNow(session))
    .execute();
  return read(session, which);
}

async function read(session: Session, which: Which): Promise<readonly CardCall[]> {
  const left = sql<number>`settles_at - ${leaseNow(session)}`;
  const rows = session
    .db()
    .selectFrom('cardCalls')
    .select(['id', 'card', 'kind', 'channel', 'attemptedAt', 'settledAt', 'watched'])
    .select(
      sql<number>`case when settled_at is not null or ${left} <= 0 then 0 else ${left} end`.as('settlesInMs'),
    )
    .where(owned(session, which))
    .orderBy('attemptedAt')
    .orderBy('id');
  return cardCalls.all(rows);
}
