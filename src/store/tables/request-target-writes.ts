/** Writes to the targets of a request. Each begins with the request's own row and goes by device, so that two never lock each other out. */

import { createHash } from 'node:crypto';
import { type SqlBool, sql } from 'kysely';
import { actionSchema, type FleetAction } from '../../fleet/model/actions.ts';
import type { DeviceId, RequestId } from '../../lib/ids.ts';
import { chunksOf } from '../../lib/lists.ts';
import { byKind } from '../../lib/record-fields.ts';
import {
  endCounts,
  missingOf,
  type RequestRecord,
  type RequestTarget,
  type TargetMove,
  type TargetStore,
} from '../port/request-records.ts';
import type { Session } from '../session.ts';
import {
  adjustCounts,
  type CountChanges,
  countTargets,
  endReadyCounts,
  lockAndCountChange,
  sumChanges,
  type WavePlan,
} from './request-counts.ts';
import { insertOwn, jsonColumn, NO_DEVICE, ownRows, readRow, updateOwn, updatesOne } from './rows.ts';

/** Rows of at most 21 columns each. */
const ROWS_PER_STATEMENT = 500;

/** In the words of the index and without parameters, or it is not used. */
export const IS_READY = sql<SqlBool>`state = 'ready'`;

const rowDevice = (target: Pick<RequestTarget, 'deviceId'>): DeviceId => target.deviceId ?? NO_DEVICE;

/** Of a request that was stored just now, in the same transaction. */
export async function insertTargets(
  session: Session,
  { id, action, plan }: Pick<RequestRecord, 'id' | 'action'> & { readonly plan: WavePlan | null },
  targets: readonly RequestTarget[],
): Promise<void> {
  checkOrder(id, targets);
  for (const part of chunksOf(targets, ROWS_PER_STATEMENT)) {
    const rows = part.map((target) => ({
      requestId: id,
      deviceId: rowDevice(target),
      position: target.position,
      commandKey: commandKeyOf(action, missingOf(target)),
      ...written(target),
    }));
    await insertOwn(session, 'requestTargets', rows).execute();
  }
  await adjustCounts(session, { id, plan }, targets, {
    positionOf: ({ position }) => position,
    countsOf: countTargets,
  });
}

/** Who reads a part of them counts on positions without gaps. */
function checkOrder(id: RequestId, targets: readonly RequestTarget[]): void {
  const stray = targets.find(({ requestId, position }, at) => requestId !== id || position !== at);
  if (stray !== undefined)
    throw new Error(
      `target ${stray.position} of request ${stray.requestId} is out of place in request ${id}`,
    );
}

/** What a move writes: all but which thing of which request it is. */
function written(target: RequestTarget) {
  return {
    displayName: target.displayName,
    facts: JSON.stringify(target.facts),
    state: target.state,
    before: JSON.stringify(target.before),
    queueEntryId: target.queueEntryId,
    issuedAt: target.issuedAt,
    acceptedAt: target.acceptedAt,
    queuedAt: target.queuedAt,
    missedAt: target.missedAt,
    answeredAt: target.answeredAt,
    endedAt: target.endedAt,
    nextAt: target.nextAt,
    response: target.response,
    evidence: JSON.stringify(target.evidence),
    deadlineAt: target.deadlineAt,
  };
}

export function targetWrites({
  inTransaction,
}: Session): Pick<TargetStore, 'move' | 'reset' | 'refreeze' | 'endReady'> {
  return {
    move: (request, moves) => inTransaction((session) => moveTargets(session, request, moves)),
    reset: (target) => inTransaction((session) => writeReady(session, target.requestId, [target], written)),
    refreeze: (request, targets) =>
      inTransaction(async (session) => {
        if (targets.length === 0) return;
        await writeReady(session, request, targets, (target) => {
          const { displayName, facts } = written(target);
          return { displayName, facts };
        });
      }),
    endReady: (request, evidence, now) =>
      inTransaction(async (session) => {
        await lockAndCountChange(session, request);
        const { numUpdatedRows } = await updateOwn(session, 'requestTargets')
          .set({ state: 'not_sent', endedAt: now, nextAt: null, evidence: JSON.stringify(evidence) })
          .where('requestId', '=', request)
          .where(IS_READY)
          .executeTakeFirstOrThrow();
        const ended = Number(numUpdatedRows);
        if (ended === 0) await lockAndCountChange(session, request, -1);
        await endReadyCounts(session, request, ended);
        return ended;
      }),
  };
}

async function writeReady(
  session: Session,
  request: RequestId,
  targets: readonly RequestTarget[],
  columnsOf: (target: RequestTarget) => Partial<ReturnType<typeof written>>,
): Promise<void> {
  await lockAndCountChange(session, request);
  const stored = await ownRows(session, 'requests')
    .select('action')
    .where('id', '=', request)
    .executeTakeFirstOrThrow();
  const action = readRow(jsonColumn(actionSchema), 'requests', request, stored.action);
  for (const target of targets.toSorted((a, b) => rowDevice(a) - rowDevice(b))) {
    const isReady = await updatesOne(
      updateOwn(session, 'requestTargets')
        .set({ ...columnsOf(target), commandKey: commandKeyOf(action, missingOf(target)) })
        .where('requestId', '=', request)
        .where('position', '=', target.position)
        .where(IS_READY),
    );
    if (!isReady)
      throw new Error(`target ${target.position} of request ${request} is not ready: its facts stay`);
  }
}

async function moveTargets(
  session: Session,
  request: RequestId,
  moves: readonly TargetMove[],
): Promise<readonly RequestTarget[]> {
  if (moves.length === 0) return [];
  checkMoves(request, moves);
  const plan = await lockAndCountChange(session, request);
  const moved = new Set<TargetMove>();
  for (const move of moves.toSorted((a, b) => rowDevice(a.next) - rowDevice(b.next)))
    if (await moveRow(session, move)) moved.add(move);
  const done = moves.filter((move) => moved.has(move));
  if (done.length === 0) await lockAndCountChange(session, request, -1);
  const of = { positionOf: ({ next }: TargetMove) => next.position, countsOf: countChanges };
  await adjustCounts(session, { id: request, plan }, done, of);
  return done.map(({ next }) => next);
}

function checkMoves(request: RequestId, moves: readonly TargetMove[]): void {
  if (moves.some(({ next }) => next.requestId !== request))
    throw new Error(`a target of another request cannot be moved with those of request ${request}`);
  if (new Set(moves.map(({ next }) => rowDevice(next))).size < moves.length)
    throw new Error(`a target of request ${request} cannot be moved twice at once`);
}

/** Only open targets move. */
function countChanges(moves: readonly TargetMove[]): CountChanges {
  return sumChanges(
    moves.flatMap(({ from, next }) => [
      [from, -1] as const,
      [next.state, 1] as const,
      ['open', next.endedAt === null ? 0 : -1] as const,
      ...endCounts(next),
    ]),
  );
}

/**
 * Whether it still was where it was. One statement for each: a join of all of them with the table makes PostgreSQL read
 * every target of the request, 8 ms for each device among 10,000 (measured), because it takes requests for small ones.
 */
async function moveRow(session: Session, { from, next }: TargetMove): Promise<boolean> {
  const update = updateOwn(session, 'requestTargets')
    .set(written(next))
    .where('requestId', '=', next.requestId)
    .where('position', '=', next.position)
    .where('deviceId', '=', rowDevice(next))
    .where('state', '=', from)
    .where('endedAt', 'is', null);
  // A claim is known by its time: given back and claimed again, it is another one.
  return updatesOne(from === 'issuing' ? update.where('issuedAt', '=', next.issuedAt) : update);
}

/**
 * Equal for commands that do the same, and for edits of the same thing, which could undo each other; a digest, because
 * an index has no room for a long list of packages. `missing`: the packages that are sealed with the target.
 */
export function commandKeyOf(action: FleetAction, missing: readonly string[]): string {
  const kind = action.kind === 'patch-each' ? 'patch' : action.kind;
  return createHash('sha256')
    .update(JSON.stringify([kind, ...commandKeyParts(action, missing)]))
    .digest('hex');
}

const commandKeyParts = byKind<FleetAction, readonly (string | number)[], [missing: readonly string[]]>({
  scan: [],
  reboot: [],
  'patch-all': [],
  'device-edit': [],
  'device-remove': [],
  patch: ({ packages }) => [...new Set(packages)].toSorted(),
  'patch-each': (_, missing) => [...new Set(missing)].toSorted(),
  'policy-test': ({ policyId }) => [policyId],
  'policy-remediate': ({ policyId }) => [policyId],
  'group-edit': ({ groupId }) => [groupId],
  'group-remove': ({ groupId }) => [groupId],
  'group-create': ({ group }) => [group.parentId, group.name.trim().toLowerCase()],
  'policy-edit': ({ policyId }) => [policyId],
  'policy-create': ({ policy }) => [policy.name.trim().toLowerCase()],
});
