/** What is kept of a request beside its targets, so that nobody counts them: its version, and a count for each state. */
import { type ExpressionBuilder, sql } from 'kysely';
import type { RequestId } from '../../lib/ids.ts';
import { saysFailed } from '../port/evidence.ts';
import type { CountKey, RequestTarget } from '../port/request-records.ts';
import type { Schema } from '../schema.ts';
import type { Session } from '../session.ts';

/**
 * The counts of the request of the row, as JSON text. Part of the statement that reads the request, so that version and
 * counts are of the same moment.
 */
export function countsColumn(expression: ExpressionBuilder<Schema, 'requests'>) {
  return expression
    .selectFrom('requestCounts')
    .select(
      sql<string>`coalesce('{' || string_agg('"' || request_counts.state || '":' || request_counts.targets, ',') || '}', '{}')`.as(
        'counts',
      ),
    )
    .whereRef('requestCounts.organizationId', '=', 'requests.organizationId')
    .whereRef('requestCounts.requestId', '=', 'requests.id')
    .where('requestCounts.targets', '>', 0)
    .$asScalar()
    .as('counts');
}

/**
 * Counts one change of the request, and holds its row until the transaction ends: whoever changes its targets begins with
 * this, so that two of them wait for each other instead of locking each other out.
 */
export async function lockAndCountChange(session: Session, request: RequestId): Promise<void> {
  if (!(await addToVersion(session, request, 1))) throw new Error(`request ${request} is not stored`);
}

/** For a transaction that changed nothing after all; it still holds the row. */
export async function takeBackChange(session: Session, request: RequestId): Promise<void> {
  await addToVersion(session, request, -1);
}

async function addToVersion(session: Session, request: RequestId, change: 1 | -1): Promise<boolean> {
  const { numUpdatedRows } = await session
    .db()
    .updateTable('requests')
    .set((expression) => ({ version: expression('version', '+', change) }))
    .where('organizationId', '=', session.organizationId)
    .where('id', '=', request)
    .executeTakeFirstOrThrow();
  return numUpdatedRows === 1n;
}

/** Adds to the counts of a request whose row is held; negative numbers take away. */
export async function adjustCounts(
  session: Session,
  requestId: RequestId,
  changes: CountChanges,
): Promise<void> {
  const { organizationId } = session;
  const rows = [...changes]
    .filter(([, change]) => change !== 0)
    .map(([state, change]) => ({ organizationId, requestId, state, targets: change }));
  if (rows.length === 0) return;
  await session
    .db()
    .insertInto('requestCounts')
    .values(rows)
    .onConflict((conflict) =>
      conflict.columns(['organizationId', 'requestId', 'state']).doUpdateSet((expression) => ({
        targets: expression('requestCounts.targets', '+', expression.ref('excluded.targets')),
      })),
    )
    .execute();
}

/** Forgets the counts of a request whose row is held. */
export async function clearCounts(session: Session, request: RequestId): Promise<void> {
  await session
    .db()
    .deleteFrom('requestCounts')
    .where('organizationId', '=', session.organizationId)
    .where('requestId', '=', request)
    .execute();
}

/** Changes of the number of targets in each state, and of those that are not ended. */
export type CountChanges = ReadonlyMap<CountKey, number>;

export function sumChanges(changes: readonly (readonly [CountKey, number])[]): CountChanges {
  const sums = new Map<CountKey, number>();
  for (const [key, change] of changes) sums.set(key, (sums.get(key) ?? 0) + change);
  return sums;
}

/** The counts of these targets. */
export function countTargets(
  targets: readonly Pick<RequestTarget, 'state' | 'endedAt' | 'evidence'>[],
): CountChanges {
  return sumChanges(
    targets.flatMap((target) => [
      [target.state, 1] as const,
      ['open', target.endedAt === null ? 1 : 0] as const,
      ['failed', hasFailed(target) ? 1 : 0] as const,
    ]),
  );
}

export function hasFailed({ state, evidence }: Pick<RequestTarget, 'state' | 'evidence'>): boolean {
  return state === 'not_verified' && saysFailed(evidence);
}
