/** Calls to Slack for a card whose outcome is unknown. */
import { type ExpressionBuilder, sql } from 'kysely';
import type { Instant } from '../../lib/clock.ts';
import { chunksOf } from '../../lib/lists.ts';
import { wholeNumber } from '../../lib/record-fields.ts';
import { leaseEnd, leaseNow } from '../lease-time.ts';
import { type CardCall, type CardCallStore, cardCall, type NewCardCall } from '../port/card-call-records.ts';
import type { Schema } from '../schema.ts';
import type { Session } from '../session.ts';
import { deleteOwn, updateOwn } from './own-rows.ts';
import { recordsOf } from './row-schemas.ts';
import { createWorkTable } from './work.ts';

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

async function insert(
  session: Session,
  call: NewCardCall,
  settledAt: Instant | null,
  watched = false,
): Promise<void> {
  const { id, card, kind, channel, attemptedAt, settleMs } = call;
  await session
    .db()
    .insertInto('cardCalls')
    .values({
      organizationId: session.organizationId,
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
