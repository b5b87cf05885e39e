/** The audit trail: it only grows, and each entry is chained to the one before it by a hash, so that any change shows. */
import { createHash } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { OrganizationId } from '../../lib/ids.ts';
import { chunksOf } from '../../lib/lists.ts';
import { toStorableText } from '../engines/engine.ts';
import type { AuditEntry, AuditRecord, AuditStore } from '../port/store.ts';
import type { Schema } from '../schema.ts';
import type { Session } from '../session.ts';
import { auditRow, insertOwn, ownRows, readRow, updateOwn } from './rows.ts';

export function createAuditTable(session: Session): AuditStore {
  const { organizationId } = session;
  return {
    append: (entry) =>
      session.inTransaction(async (inner) => {
        const record = follow(await lockHead(inner), organizationId, entry);
        await write(inner, [record]);
        return record;
      }),
    appendAll: async (entries) => {
      if (entries.length === 0) return;
      await session.inTransaction(async (inner) => {
        let last: AuditHead = await lockHead(inner);
        const records = entries.map((entry) => {
          const record = follow(last, organizationId, entry);
          last = record;
          return record;
        });
        await write(inner, records);
      });
    },
    list: async (after, limit) => {
      const rows = await entriesAfter(session.db(), organizationId, after, limit);
      return rows.map((row) => readRow(auditRow, 'audit', row.sequence, row));
    },
    latest: async (since, limit) => {
      const rows = await ownRows(session, 'audit')
        .selectAll()
        .orderBy('sequence', 'desc')
        .limit(limit)
        .execute();
      // Time has no index: filtered in the database, a quiet week would read every entry.
      return rows.filter(({ at }) => at >= since).map((row) => readRow(auditRow, 'audit', row.sequence, row));
    },
  };
}

/** Rows of one chain, oldest first. */
export function entriesAfter(db: Kysely<Schema>, organization: OrganizationId, after: number, limit: number) {
  return db
    .selectFrom('audit')
    .selectAll()
    .where('organizationId', '=', organization)
    .where('sequence', '>', after)
    .orderBy('sequence')
    .limit(limit)
    .execute();
}

/** The entry as it follows the last one of the chain, in the form in which it is read back, so that its hash still matches. */
function follow(
  last: AuditHead,
  organization: OrganizationId,
  { at, actor, action, subject, detail }: AuditEntry,
): AuditRecord {
  const entry: AuditEntry & { readonly sequence: number } = {
    ...{ at, actor },
    action: toStorableText(action),
    subject: toStorableText(subject),
    // Reading drops a key that would set an object's prototype.
    detail: Object.fromEntries(Object.entries(detail).filter(([key]) => key !== '__proto__')),
    sequence: last.sequence + 1,
  };
  return { ...entry, hash: chainHash(last.hash, organization, entry) };
}

/** Rows of eight columns each. */
const ROWS_PER_STATEMENT = 500;

/** Writes what follows the end of the chain, which is locked. */
async function write(session: Session, records: readonly AuditRecord[]): Promise<void> {
  for (const part of chunksOf(records, ROWS_PER_STATEMENT)) {
    const rows = part.map((record) => ({ ...record, detail: JSON.stringify(record.detail) }));
    await insertOwn(session, 'audit', rows).execute();
  }
  const last = records.at(-1);
  if (last === undefined) return;
  const { sequence, hash } = last;
  await updateOwn(session, 'auditHeads').set({ sequence, hash }).execute();
}

type AuditHead = Pick<AuditRecord, 'sequence' | 'hash'>;

/** Locked by a write that changes nothing, on both engines: another append waits, and then reads the new end. */
async function lockHead(session: Session): Promise<AuditHead> {
  return insertOwn(session, 'auditHeads', { sequence: 0, hash: CHAIN_START })
    .onConflict((conflict) =>
      conflict.column('organizationId').doUpdateSet((expression) => ({
        sequence: expression.ref('auditHeads.sequence'),
      })),
    )
    .returning(['sequence', 'hash'])
    .executeTakeFirstOrThrow();
}

/** The hash before the first entry. */
export const CHAIN_START = '';

/** SHA-256 over the previous hash and the entry in canonical form. */
function chainHash(
  previous: string,
  organization: OrganizationId,
  entry: AuditEntry & { readonly sequence: number },
): string {
  const detail = Object.entries(entry.detail).toSorted(([a], [b]) => (a < b ? -1 : 1));
  const canonical = [
    previous,
    organization,
    entry.sequence,
    entry.at,
    entry.actor,
    entry.action,
    entry.subject,
    detail,
  ];
  return createHash('sha256').update(JSON.stringify(canonical)).digest('hex');
}

/** The first record that does not follow from the one before it, or null when all do. */
export function firstBrokenRecord(
  records: readonly AuditRecord[],
  organization: OrganizationId,
  after: Pick<AuditRecord, 'sequence' | 'hash'> = { sequence: 0, hash: CHAIN_START },
): AuditRecord | null {
  let previous = after;
  for (const record of records) {
    const follows =
      record.sequence === previous.sequence + 1 &&
      record.hash === chainHash(previous.hash, organization, record);
    if (!follows) return record;
    previous = record;
  }
  return null;
}
