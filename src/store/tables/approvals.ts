/** Approvals: one row each, with a version column for compare-and-set. */
import type { ApprovalRecord } from '../port/records.ts';
import type { ApprovalStore } from '../port/store.ts';
import type { Session } from '../session.ts';
import { approvalRow, readRow } from './row-schemas.ts';
import { checkOwned } from './table-helpers.ts';

export function createApprovalTable(session: Session): ApprovalStore {
  return {
    insert: async (approval) => insert(session, toRow(session, approval)),
    get: async (id) => {
      const row = await rows(session).where('id', '=', id).executeTakeFirst();
      return row === undefined ? null : read(row);
    },
    byRequest: async (requestKey) => {
      const row = await rows(session).where('requestKey', '=', requestKey).executeTakeFirst();
      return row === undefined ? null : read(row);
    },
    replace: (next) => session.inTransaction((inner) => replace(inner, toRow(inner, next))),
    list: async ({ state, requesterId }, limit) => {
      let query = rows(session);
      if (state !== undefined) query = query.where('state', '=', state);
      if (requesterId !== undefined) query = query.where('requesterId', '=', requesterId);
      const found = await query.orderBy('createdAt', 'desc').orderBy('id').limit(limit).execute();
      return found.map(read);
    },
  };
}

type Row = ReturnType<typeof toRow>;

function toRow(session: Session, approval: ApprovalRecord) {
  const { command, targets } = approval;
  return {
    ...checkOwned(session, approval),
    command: JSON.stringify(command),
    targets: JSON.stringify(targets),
  };
}

const read = (row: Row): ApprovalRecord => readRow(approvalRow, 'approvals', row.id, row);

const rows = (session: Session) =>
  session.db().selectFrom('approvals').selectAll().where('organizationId', '=', session.organizationId);

/** The conflicting waiting approval may be decided before we read it; then ours can be inserted. */
const MAX_TRIES = 3;

async function insert(session: Session, row: Row): ReturnType<ApprovalStore['insert']> {
  for (let tries = 1; tries <= MAX_TRIES; tries++) {
    const { numInsertedOrUpdatedRows } = await session
      .db()
      .insertInto('approvals')
      .values(row)
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirstOrThrow();
    if (numInsertedOrUpdatedRows === 1n) return { kind: 'inserted' };
    const approval = await conflictingApproval(session, row);
    if (approval !== null) return { kind: 'exists', approval };
  }
  throw new Error(`approval ${row.id} could not be stored: its id is taken`);
}

async function conflictingApproval(session: Session, row: Row): Promise<ApprovalRecord | null> {
  const found =
    (await rows(session).where('requestKey', '=', row.requestKey).executeTakeFirst()) ??
    (await rows(session)
      .where('state', '=', 'waiting')
      .where('fingerprint', '=', row.fingerprint)
      .executeTakeFirst());
  return found === undefined ? null : read(found);
}

async function replace(session: Session, next: Row): Promise<boolean> {
  if (next.state === 'waiting' && (await hasWaitingDuplicate(session, next))) return false;
  const { numUpdatedRows } = await session
    .db()
    .updateTable('approvals')
    .set(next)
    .where('organizationId', '=', session.organizationId)
    .where('id', '=', next.id)
    .where('version', '=', next.version - 1)
    .executeTakeFirstOrThrow();
  return numUpdatedRows === 1n;
}

/**
 * Whether another waiting approval has the fingerprint. One that appears after this read violates the unique index,
 * and the session retries.
 */
async function hasWaitingDuplicate(session: Session, next: Row): Promise<boolean> {
  const rival = await rows(session)
    .where('state', '=', 'waiting')
    .where('fingerprint', '=', next.fingerprint)
    .where('id', '!=', next.id)
    .executeTakeFirst();
  return rival !== undefined;
}
