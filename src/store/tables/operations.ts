/** Operations and one row per device. A device's row is the claim: it is written before the one POST. */
import type { FleetAction } from '../../fleet/model/actions.ts';
import { chunksOf } from '../../lib/chunks.ts';
import type { Instant } from '../../lib/clock.ts';
import type { DeviceId, PersonId } from '../../lib/ids.ts';
import type { OperationRecord, RecentOperation, TargetRecord } from '../port/records.ts';
import type { OperationStore } from '../port/store.ts';
import type { Session } from '../session.ts';
import { NO_DEVICE } from './action-schemas.ts';
import { commandKeyOf } from './command-key.ts';
import { endedRow, operationRow, readRow, recentRow, targetRow } from './row-schemas.ts';
import { checkOwned } from './table-helpers.ts';

/** Each row has 20 columns, which are parameters. */
const TARGETS_PER_STATEMENT = 500;
/** The ids are parameters of one statement. */
const MAX_RECENT = 500;

export function createOperationTable(session: Session): OperationStore {
  return {
    insert: (operation) => session.inTransaction((inner) => insert(inner, operation)),
    get: async (id) => {
      const row = await rows(session).where('id', '=', id).executeTakeFirst();
      return row === undefined ? null : withTargets(session, row);
    },
    byRequest: async (requestKey) => {
      const row = await rows(session).where('requestKey', '=', requestKey).executeTakeFirst();
      return row === undefined ? null : withTargets(session, row);
    },
    replaceTarget: (from, next) => session.inTransaction((inner) => replaceTarget(inner, from, next)),
    openTargets: async (device, command) => openTargets(session, device, command),
    endedSince: async (since, kinds) => endedSince(session, since, kinds),
    recent: async (limit, requesterId) => recent(session, limit, requesterId),
  };
}

const rows = (session: Session) =>
  session.db().selectFrom('operations').selectAll().where('organizationId', '=', session.organizationId);

const targets = (session: Session) =>
  session
    .db()
    .selectFrom('operationTargets')
    .selectAll()
    .where('organizationId', '=', session.organizationId);

type Row = Awaited<ReturnType<ReturnType<typeof rows>['executeTakeFirstOrThrow']>>;
type TargetRow = Awaited<ReturnType<ReturnType<typeof targets>['executeTakeFirstOrThrow']>>;

const readTarget = (row: TargetRow): TargetRecord =>
  readRow(targetRow, 'operation_targets', `${row.operationId}/${row.deviceId}`, row);

async function withTargets(session: Session, row: Row): Promise<OperationRecord> {
  const operation = readRow(operationRow, 'operations', row.id, row);
  const found = await targets(session).where('operationId', '=', row.id).orderBy('position').execute();
  return { ...operation, targets: found.map(readTarget) };
}

async function insert(session: Session, operation: OperationRecord): ReturnType<OperationStore['insert']> {
  const { targets: newTargets, ...rest } = checkOwned(session, operation);
  const { numInsertedOrUpdatedRows } = await session
    .db()
    .insertInto('operations')
    .values({ ...rest, command: JSON.stringify(rest.command) })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow();
  if (numInsertedOrUpdatedRows !== 1n)
    return { kind: 'exists', operation: await conflictingOperation(session, operation) };
  const commandKey = commandKeyOf(operation.command);
  const columns = (target: TargetRecord) => ({ ...targetColumns(session, target), commandKey });
  const positioned = newTargets.map((target, position) => ({ ...columns(target), position }));
  for (const part of chunksOf(positioned, TARGETS_PER_STATEMENT))
    await session.db().insertInto('operationTargets').values(part).execute();
  return { kind: 'inserted' };
}

async function conflictingOperation(session: Session, operation: OperationRecord): Promise<OperationRecord> {
  const row =
    (await rows(session).where('requestKey', '=', operation.requestKey).executeTakeFirst()) ??
    (await rows(session).where('approvalId', '=', operation.approvalId).executeTakeFirst());
  if (row === undefined) throw new Error(`operation ${operation.id} could not be stored: its id is taken`);
  return withTargets(session, row);
}

function targetColumns(session: Session, target: TargetRecord) {
  return {
    ...target,
    organizationId: session.organizationId,
    deviceId: target.deviceId ?? NO_DEVICE,
    before: JSON.stringify(target.before),
  };
}

async function replaceTarget(
  session: Session,
  from: TargetRecord['state'],
  next: TargetRecord,
): Promise<boolean> {
  const { numUpdatedRows } = await session
    .db()
    .updateTable('operationTargets')
    .set(targetColumns(session, next))
    .where('organizationId', '=', session.organizationId)
    .where('operationId', '=', next.operationId)
    .where('deviceId', '=', next.deviceId ?? NO_DEVICE)
    .where('state', '=', from)
    .executeTakeFirstOrThrow();
  if (numUpdatedRows !== 1n) return false;
  await session
    .db()
    .updateTable('operations')
    .set((expression) => ({ version: expression('version', '+', 1) }))
    .where('organizationId', '=', session.organizationId)
    .where('id', '=', next.operationId)
    .execute();
  return true;
}

async function openTargets(
  session: Session,
  device: DeviceId | null,
  command: FleetAction,
): Promise<readonly TargetRecord[]> {
  const found = await targets(session)
    .where('deviceId', '=', device ?? NO_DEVICE)
    .where('commandKey', '=', commandKeyOf(command))
    .where('endedAt', 'is', null)
    .orderBy('issuedAt')
    .orderBy('operationId')
    .execute();
  return found.map(readTarget);
}

async function endedSince(
  session: Session,
  since: Instant,
  kinds: readonly FleetAction['kind'][],
): ReturnType<OperationStore['endedSince']> {
  if (kinds.length === 0) return [];
  const found = await session
    .db()
    .selectFrom('operationTargets')
    .innerJoin('operations', (join) =>
      join
        .onRef('operations.organizationId', '=', 'operationTargets.organizationId')
        .onRef('operations.id', '=', 'operationTargets.operationId'),
    )
    .select(['operationTargets.deviceId', 'operationTargets.endedAt'])
    .where('operationTargets.organizationId', '=', session.organizationId)
    .where('operationTargets.endedAt', '>', since)
    .where('operationTargets.deviceId', '!=', NO_DEVICE)
    .where((is) => is.or(kinds.map((kind) => is('operations.command', 'like', `%"kind":"${kind}"%`))))
    .execute();
  return found.map((row) => {
    const { deviceId, endedAt: at } = readRow(endedRow, 'operation_targets', `of ${row.deviceId}`, row);
    return { deviceId, at };
  });
}

async function recent(
  session: Session,
  limit: number,
  requesterId: PersonId | undefined,
): Promise<readonly RecentOperation[]> {
  const query = session
    .db()
    .selectFrom('operations')
    .leftJoin('approvals', (join) =>
      join
        .onRef('approvals.organizationId', '=', 'operations.organizationId')
        .onRef('approvals.id', '=', 'operations.approvalId'),
    )
    .selectAll('operations')
    .select('approvals.createdAt as requestedAt')
    .where('operations.organizationId', '=', session.organizationId);
  const found = await (requesterId === undefined
    ? query
    : query.where('operations.requesterId', '=', requesterId)
  )
    .orderBy('operations.createdAt', 'desc')
    .orderBy('operations.id')
    .limit(Math.min(limit, MAX_RECENT))
    .execute();
  if (found.length === 0) return [];
  const ids = found.map(({ id }) => id);
  const all = await targets(session).where('operationId', 'in', ids).orderBy('position').execute();
  const byOperation = Map.groupBy(all, ({ operationId }) => operationId);
  return found.map((row) => {
    const { requestedAt, ...operation } = readRow(recentRow, 'operations', row.id, row);
    return {
      ...operation,
      requestedAt: requestedAt ?? operation.createdAt,
      targets: (byOperation.get(row.id) ?? []).map(readTarget),
    };
  });
}
