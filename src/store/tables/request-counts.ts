/** What is kept of a request beside its targets, so that nobody counts them: its version, and a count for each state. */
import { type ExpressionBuilder, sql } from 'kysely';
import type { RequestId } from '../../lib/ids.ts';
import { chunksOf } from '../../lib/lists.ts';
import { type RolloutPlan, waveOf } from '../../rollout/plan.ts';
import { type CountKey, endCounts, type RequestTarget, type TargetCounts } from '../port/request-records.ts';
import type { Schema } from '../schema.ts';
import type { Session } from '../session.ts';
import { ownRows, readRow, rolloutColumn, updateOwn } from './rows.ts';

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
 * this, so that two of them wait for each other instead of locking each other out. Gives the plan of a rollout.
 */
export async function lockAndCountChange(session: Session, request: RequestId): Promise<WavePlan | null> {
  const plan = await addToVersion(session, request, 1);
  if (plan === undefined) throw new Error(`request ${request} is not stored`);
  return plan;
}

/** For a transaction that changed nothing after all; it still holds the row. */
export async function takeBackChange(session: Session, request: RequestId): Promise<void> {
  await addToVersion(session, request, -1);
}

/** The plan of the request, by which its targets are counted in waves; undefined: there is no such request. */
async function addToVersion(
  session: Session,
  request: RequestId,
  change: 1 | -1,
): Promise<WavePlan | null | undefined> {
  const row = await updateOwn(session, 'requests')
    .set((expression) => ({ version: expression('version', '+', change) }))
    .where('id', '=', request)
    .returning('rollout')
    .executeTakeFirst();
  if (row === undefined) return undefined;
  return row.rollout === null ? null : readRow(rolloutColumn, 'requests', request, row.rollout).plan;
}

/** The part of a plan that says which target is in which wave. */
export type WavePlan = Pick<RolloutPlan, 'waves'>;

/** Adds to the counts of a request whose row is held; negative numbers take away. */
export async function adjustCounts(
  session: Session,
  requestId: RequestId,
  changes: CountChanges,
): Promise<void> {
  const { organizationId } = session;
  const rows = changed(changes).map(([state, targets]) => ({ organizationId, requestId, state, targets }));
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

/** The same for the waves of a rollout. */
export async function adjustWaveCounts(
  session: Session,
  requestId: RequestId,
  byWave: ReadonlyMap<number, CountChanges>,
): Promise<void> {
  const { organizationId } = session;
  const rows = [...byWave].flatMap(([wave, changes]) =>
    changed(changes).map(([state, targets]) => ({ organizationId, requestId, wave, state, targets })),
  );
  for (const part of chunksOf(rows, ROWS_PER_STATEMENT))
    await session
      .db()
      .insertInto('waveCounts')
      .values(part)
      .onConflict((conflict) =>
        conflict.columns(['organizationId', 'requestId', 'wave', 'state']).doUpdateSet((expression) => ({
          targets: expression('waveCounts.targets', '+', expression.ref('excluded.targets')),
        })),
      )
      .execute();
}

/** Rows of five columns each. */
const ROWS_PER_STATEMENT = 1000;

const changed = (changes: CountChanges) => [...changes].filter(([, change]) => change !== 0);

/** What is counted in each wave of the plan, of things at these positions. */
export function byWave<T>(
  plan: WavePlan,
  things: readonly T[],
  of: { readonly position: (thing: T) => number; readonly count: (things: readonly T[]) => CountChanges },
): ReadonlyMap<number, CountChanges> {
  const groups = Map.groupBy(things, (thing) => waveOf(plan, of.position(thing)));
  return new Map([...groups].map(([wave, some]) => [wave, of.count(some)]));
}

export async function readWaveCounts(session: Session, request: RequestId): Promise<readonly TargetCounts[]> {
  const rows = await ownRows(session, 'waveCounts')
    .select(['wave', 'state', 'targets'])
    .where('requestId', '=', request)
    .execute();
  const counts: Partial<Record<CountKey, number>>[] = [];
  for (const { wave, state, targets } of rows) {
    while (counts.length <= wave) counts.push({});
    const ofWave = counts[wave];
    if (ofWave !== undefined && targets > 0) ofWave[state] = targets;
  }
  return counts;
}

/** Changes of the number of targets in each state, and of those that are not ended. */
export type CountChanges = ReadonlyMap<CountKey, number>;

export function sumChanges(changes: readonly (readonly [CountKey, number])[]): CountChanges {
  const sums = new Map<CountKey, number>();
  for (const [key, change] of changes) sums.set(key, (sums.get(key) ?? 0) + change);
  return sums;
}

export function countTargets(
  targets: readonly Pick<RequestTarget, 'state' | 'endedAt' | 'answeredAt' | 'evidence'>[],
): CountChanges {
  return sumChanges(
    targets.flatMap((target) => [
      [target.state, 1] as const,
      ['open', target.endedAt === null ? 1 : 0] as const,
      ...endCounts(target),
    ]),
  );
}
