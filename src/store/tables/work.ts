/**
 * Work due at a time, claimed by lease. Due times use the clock, leases the time of `leaseNow`.
 *
 * A put during a lease is a new request: it raises the row's generation, and the holder, which claimed an older one,
 * can neither remove the row nor move it from its new time.
 */
import { randomUUID } from 'node:crypto';
import type { ExpressionBuilder, UpdateObject } from 'kysely';
import { DAY, HOUR, type Instant, later, MINUTE } from '../../lib/clock.ts';
import {
  type ClaimedWork,
  type NewWork,
  WORK_KINDS,
  type WorkKind,
  type WorkStore,
} from '../port/work-records.ts';
import type { Schema } from '../schema.ts';
import { leaseEnd, leaseNow, type Session } from '../session.ts';
import { InvalidRecord, insertOwn, insertsOne, readRow, updatesOne, workRow } from './rows.ts';

export function createWorkTable(session: Session): WorkStore {
  return {
    put: async (work) => {
      const first = newRow(work);
      await insertOwn(session, 'work', first)
        .onConflict((conflict) =>
          conflict.columns(['organizationId', 'kind', 'key']).doUpdateSet((expression) => ({
            dueAt: keptDue(expression, work),
            payload: first.payload,
            generation: expression('work.generation', '+', 1),
          })),
        )
        .execute();
    },
    insert: async (work) => {
      const insertion = insertOwn(session, 'work', newRow(work));
      const isNew = insertion.onConflict((conflict) =>
        conflict.columns(['organizationId', 'kind', 'key']).doNothing(),
      );
      return (await insertsOne(isNew)) ? 'inserted' : 'exists';
    },
    hasten: async (kind, key, dueAt) => {
      await session
        .db()
        .updateTable('work')
        .set({ dueAt })
        .where(row(session, kind, key))
        .where('leaseToken', 'is', null)
        .where('attempts', '=', 0)
        .where('dueAt', '>', dueAt)
        .execute();
    },
    claim: (options) => claim(session, options),
    renew: (work, leaseMs) =>
      updatesOne(
        session
          .db()
          .updateTable('work')
          .set({ leaseUntil: leaseEnd(session, leaseMs) })
          .where(held(session, work)),
      ),
    holds: async (work) => {
      const row = session.db().selectFrom('work').select('key').where(held(session, work));
      const found = await (session.engine === 'postgres' ? row.forUpdate() : row).executeTakeFirst();
      return found !== undefined;
    },
    finish: async (work) => {
      const { numDeletedRows } = await session
        .db()
        .deleteFrom('work')
        .where(held(session, work))
        .whereRef('generation', '=', 'claimedGeneration')
        .executeTakeFirstOrThrow();
      return numDeletedRows === 1n || release(session, work, () => ({}));
    },
    postpone: (work, dueAt) =>
      release(session, work, ({ eb, ref }) => ({
        dueAt: eb
          .case()
          .when('generation', '=', ref('claimedGeneration'))
          .then(eb.val(dueAt))
          .else(ref('dueAt'))
          .end(),
      })),
    drop: async (kind, key) => {
      await session
        .db()
        .deleteFrom('work')
        .where(row(session, kind, key))
        .execute();
    },
    nextDue: async (kinds) => {
      const first = await session
        .db()
        .selectFrom('work')
        .select('dueAt')
        .where(free(session, kinds))
        .orderBy('dueAt')
        .limit(1)
        .executeTakeFirst();
      return first?.dueAt ?? null;
    },
  };
}

const row =
  ({ organizationId }: Session, kind: WorkKind, key: string) =>
  (expression: ExpressionBuilder<Schema, 'work'>) =>
    expression.and({ organizationId, kind, key });

/** The row while this claim holds it: after the lease was lost, it matches nothing. */
const held =
  ({ organizationId }: Session, { kind, key, token }: Pick<ClaimedWork, 'kind' | 'key' | 'token'>) =>
  (expression: ExpressionBuilder<Schema, 'work'>) =>
    expression.and({ organizationId, kind, key, leaseToken: token });

/** Not leased, and of a kind that this program can handle. */
const free =
  (session: Session, kinds: readonly WorkKind[] = WORK_KINDS) =>
  (expression: ExpressionBuilder<Schema, 'work'>) =>
    expression.and([
      expression('work.organizationId', '=', session.organizationId),
      expression('work.kind', 'in', kinds),
      expression.or([
        expression('work.leaseUntil', 'is', null),
        expression('work.leaseUntil', '<=', leaseNow(session)),
      ]),
    ]);

/** Work that a person waits for, and how far ahead it is never due: the inbox remembers a form for a day. */
const PROMPT_KINDS: readonly WorkKind[] = ['inbox', 'run'];
const FAR_AHEAD = [
  { kind: 'inbox', ms: DAY + HOUR },
  { kind: 'run', ms: HOUR },
] as const;

/** The first attempt is due at once, or a few seconds later: more than correct clocks differ by, and less than the age at which a change is too late to send. */
const MAX_CLOCK_DIFFERENCE_MS = 5 * MINUTE;

/**
 * Work for a person that is due far ahead was scheduled by a clock that ran ahead, so it counts as due now. Otherwise
 * it would run unexpectedly when its time comes, and look as if it had just been requested.
 */
const isDue = (now: Instant) => (expression: ExpressionBuilder<Schema, 'work'>) =>
  expression.or([
    expression('dueAt', '<=', now),
    ...FAR_AHEAD.map(({ kind, ms }) =>
      expression.and([expression('kind', '=', kind), expression('dueAt', '>', later(now, ms))]),
    ),
    expression.and([
      expression('kind', 'in', PROMPT_KINDS),
      expression('work.attempts', '=', 0),
      expression('dueAt', '>', later(now, MAX_CLOCK_DIFFERENCE_MS)),
    ]),
  ]);

function newRow({ kind, key, dueAt, payload }: NewWork) {
  return {
    kind,
    key,
    dueAt,
    payload: payload === undefined ? null : JSON.stringify(payload),
    attempts: 0,
    generation: 1,
    claimedGeneration: null,
    leaseToken: null,
    leaseUntil: null,
  };
}

/**
 * Its own time while nobody holds it. Who holds it has begun before, so the new time counts after that. It is a parameter:
 * written into the statement it would make each one another.
 */
function keptDue(
  expression: ExpressionBuilder<Schema, 'work'>,
  { dueAt, keepsDue = false, keepsEarlier = false }: NewWork,
) {
  if (!keepsDue && !keepsEarlier) return expression.val(dueAt);
  const isFree = expression('work.leaseToken', 'is', null);
  const keeps = keepsDue ? isFree : expression.and([isFree, expression('work.dueAt', '<', dueAt)]);
  return expression.case().when(keeps).then(expression.ref('work.dueAt')).else(expression.val(dueAt)).end();
}

async function claim(
  session: Session,
  { now, leaseMs, limit, kinds }: Parameters<WorkStore['claim']>[0],
): Promise<readonly ClaimedWork[]> {
  const rows = await session
    .db()
    .with(
      // Materialized, because otherwise PostgreSQL may run the inner query again and lock more rows than `limit`.
      (name) => name('due').materialized(),
      (inner) => {
        const due = inner
          .selectFrom('work')
          .select(['kind', 'key'])
          .where(free(session, kinds))
          .where(isDue(now))
          .orderBy('dueAt')
          .limit(limit);
        return session.engine === 'postgres' ? due.forUpdate().skipLocked() : due;
      },
    )
    .updateTable('work')
    .from('due')
    .set(({ eb, ref }) => ({
      leaseToken: randomUUID(),
      leaseUntil: leaseEnd(session, leaseMs),
      claimedGeneration: ref('work.generation'),
      attempts: eb('work.attempts', '+', 1),
    }))
    .where('work.organizationId', '=', session.organizationId)
    .whereRef('work.kind', '=', 'due.kind')
    .whereRef('work.key', '=', 'due.key')
    .returning([
      'work.organizationId',
      'work.kind',
      'work.key',
      'work.dueAt',
      'work.payload',
      'work.attempts',
      'work.leaseToken',
    ])
    .execute();
  return rows.flatMap((found) => read(session, found)).toSorted((a, b) => a.dueAt - b.dueAt);
}

/** An unreadable row stays leased and is found again later; throwing would stop all other work. */
function read(session: Session, found: Pick<ClaimedWork, 'kind' | 'key'>): readonly ClaimedWork[] {
  try {
    const { leaseToken, attempts, ...work } = readRow(workRow, 'work', `${found.kind}/${found.key}`, found);
    return [{ ...work, payload: work.payload, attempts: attempts - 1, token: leaseToken }];
  } catch (error) {
    if (!(error instanceof InvalidRecord)) throw error;
    session.log.error({ event: 'store.bad-record', reason: error.message }, 'skipped unreadable work');
    return [];
  }
}

/** Frees the row; if it was scheduled again, it keeps the new time. */
function release(
  session: Session,
  work: ClaimedWork,
  move: (expression: ExpressionBuilder<Schema, 'work'>) => UpdateObject<Schema, 'work'>,
): Promise<boolean> {
  return updatesOne(
    session
      .db()
      .updateTable('work')
      .set((expression) => ({ leaseToken: null, leaseUntil: null, ...move(expression) }))
      .where(held(session, work)),
  );
}
