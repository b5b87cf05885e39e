/** What is kept of a request beside its targets, so that nobody counts them: its version, and a count for each state. */
import { type ExpressionBuilder, sql } from 'kysely';
import type { RequestId } from '../../lib/ids.ts';
import { chunksOf } from '../../lib/lists.ts';
import { type RolloutPlan, waveOf } from '../../rollout/plan.ts';
import { type CountKey, endCounts, type RequestTarget, type TargetCounts } from '../port/request-records.ts';
import type { Schema } from '../schema.ts';
import type { Session } from '../session.ts';
import { insertOwn, ownRows, readRow, rolloutColumn, updateOwn } from './rows.ts';

/** As JSON text, part of the statement that reads the request: version and counts are of the same moment. */
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
 * this, so that two of them wait for each other instead of locking each other out. -1: the transaction changed nothing
 * after all. Gives the plan by which the targets of a rollout are counted in waves.
 */
export async function lockAndCountChange(
  session: Session,
  request: RequestId,
  change: 1 | -1 = 1,
): Promise<WavePlan | null> {
  const row = await updateOwn(session, 'requests')
    .set((expression) => ({ version: expression('version', '+', change) }))
    .where('id', '=', request)
    .returning('rollout')
    .executeTakeFirst();
  if (row === undefined) throw new Error(`request ${request} is not stored`);
  return row.rollout === null ? null : readRow(rolloutColumn, 'requests', request, row.rollout).plan;
}

/** The part of a plan that says which target is in which wave. */
export type WavePlan = Pick<RolloutPlan, 'waves'>;

/** Adds what is counted of these things to the counts of a request whose row is held, and of its waves where it has a plan. */
export async function adjustCounts<T>(
  session: Session,
  { id, plan }: { readonly id: RequestId; readonly plan: WavePlan | null },
  things: readonly T[],
  of: {
    readonly positionOf: (thing: T) => number;
    readonly countsOf: (things: readonly T[]) => CountChanges;
  },
): Promise<void> {
  await addToRequest(session, id, of.countsOf(things));
  if (plan === null) return;
  const groups = Map.groupBy(things, (thing) => waveOf(plan, of.positionOf(thing)));
  await addToWaves(
    session,
    id,
    [...groups].map(([wave, some]) => [wave, of.countsOf(some)] as const),
  );
}

/** What was ready is not sent: so many targets, in all waves. */
export async function endReadyCounts(session: Session, id: RequestId, targets: number): Promise<void> {
  const unsent = (count: number): CountChanges =>
    new Map([
      ['ready', -count],
      ['open', -count],
      ['not_sent', count],
    ]);
  await addToRequest(session, id, unsent(targets));
  const waves = await readWaveCounts(session, id);
  await addToWaves(
    session,
    id,
    waves.map(({ ready = 0 }, wave) => [wave, unsent(ready)] as const),
  );
}

/** Negative numbers take away. */
async function addToRequest(session: Session, requestId: RequestId, changes: CountChanges): Promise<void> {
  const rows = changed(changes).map(([state, targets]) => ({ requestId, state, targets }));
  if (rows.length === 0) return;
  await insertOwn(session, 'requestCounts', rows)
    .onConflict((conflict) =>
      conflict.columns(['organizationId', 'requestId', 'state']).doUpdateSet((expression) => ({
        targets: expression('requestCounts.targets', '+', expression.ref('excluded.targets')),
      })),
    )
    .execute();
}

async function addToWaves(
  session: Session,
  requestId: RequestId,
  byWave: readonly (readonly [number, CountChanges])[],
): Promise<void> {
  const rows = byWave.flatMap(([wave, changes]) =>
    changed(changes).map(([state, targets]) => ({ requestId, wave, state, targets })),
  );
  for (const part of chunksOf(rows, ROWS_PER_STATEMENT))
    await insertOwn(session, 'waveCounts', part)
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
