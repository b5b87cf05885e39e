/** Reads whole audit chains and checks that every entry follows from the one before it, up to the recorded end. */
import { type Kysely, sql } from 'kysely';
import type { Instant } from '../../lib/clock.ts';
import { type OrganizationId, organizationId } from '../../lib/ids.ts';
import type { Engine } from '../engines/engine.ts';
import type { AuditRecord } from '../port/store.ts';
import type { Schema } from '../schema.ts';
import { CHAIN_START, entriesAfter, firstBrokenRecord } from '../tables/audit.ts';
import { auditRow } from '../tables/rows.ts';

export type ChainVerdict = { readonly organizationId: OrganizationId } & (
  | {
      readonly kind: 'intact';
      readonly entries: number;
      /** Times of the first and the last entry; null when there are none. */
      readonly times: { readonly first: Instant; readonly last: Instant } | null;
      /** The hash of the last entry. */
      readonly head: string;
    }
  | { readonly kind: 'broken'; readonly sequence: number; readonly problem: ChainProblem }
);

/**
 * `cut`: entries at the end are missing; `head`: the recorded end is missing or names another entry; `unrecorded`: the
 * entries of a stored request are missing, as where somebody emptied the trail or began it again.
 */
export type ChainProblem = 'changed' | 'missing' | 'unreadable' | 'cut' | 'head' | 'unrecorded';

const ENTRIES_PER_PAGE = 1_000;

/** One verdict per organization with a chain, all from one snapshot; a bot may go on writing in the meantime. */
export async function verifyAudit({ db, kind }: Engine): Promise<readonly ChainVerdict[]> {
  const transaction = db.transaction();
  const moment = kind === 'postgres' ? transaction.setIsolationLevel('repeatable read') : transaction;
  return moment.execute(async (inner) => {
    const verdicts: ChainVerdict[] = [];
    for (const id of await organizationsIn(inner)) verdicts.push(await verifyOne(inner, id));
    return verdicts;
  });
}

async function organizationsIn(db: Kysely<Schema>): Promise<readonly OrganizationId[]> {
  const { rows } = await sql<{ organizationId: number }>`
    select organization_id from audit_heads union select organization_id from audit
    union select organization_id from requests order by 1`.execute(db);
  return rows.map((row) => organizationId(row.organizationId));
}

async function verifyOne(db: Kysely<Schema>, organization: OrganizationId): Promise<ChainVerdict> {
  const broken = (sequence: number, problem: ChainProblem): ChainVerdict => ({
    organizationId: organization,
    kind: 'broken',
    sequence,
    problem,
  });
  let first: Instant | null = null;
  let last: Instant | null = null;
  let end: Pick<AuditRecord, 'sequence' | 'hash'> = { sequence: 0, hash: CHAIN_START };
  for (;;) {
    const { records, unreadable } = await readPageAfter(db, organization, end.sequence);
    const fault = firstBrokenRecord(records, organization, end);
    const valid = fault === null ? records : records.slice(0, records.indexOf(fault));
    first ??= valid[0]?.at ?? null;
    last = valid.at(-1)?.at ?? last;
    end = valid.at(-1) ?? end;
    const next = end.sequence + 1;
    if (fault !== null) return broken(next, fault.sequence === next ? 'changed' : 'missing');
    if (unreadable !== null) return broken(next, unreadable === next ? 'unreadable' : 'missing');
    if (records.length < ENTRIES_PER_PAGE) break;
  }
  const heads = db.selectFrom('auditHeads').select(['sequence', 'hash']);
  const head = await heads.where('organizationId', '=', organization).executeTakeFirst();
  if (head !== undefined && head.sequence > end.sequence) return broken(end.sequence + 1, 'cut');
  const isBegun = head !== undefined || end.sequence > 0;
  if (isBegun && (head?.sequence !== end.sequence || head.hash !== end.hash))
    return broken(end.sequence, 'head');
  if (await hasUnrecordedRequest(db, organization)) return broken(end.sequence + 1, 'unrecorded');
  const times = first === null || last === null ? null : { first, last };
  return { organizationId: organization, kind: 'intact', entries: end.sequence, times, head: end.hash };
}

/** Reads up to the first unreadable entry, and returns its sequence number. */
async function readPageAfter(db: Kysely<Schema>, organization: OrganizationId, after: number) {
  const rows = await entriesAfter(db, organization, after, ENTRIES_PER_PAGE);
  const records: AuditRecord[] = [];
  for (const row of rows) {
    const read = auditRow.safeParse(row);
    if (!read.success) return { records, unreadable: row.sequence };
    records.push(read.data);
  }
  return { records, unreadable: null };
}

/** A request is stored in one transaction with its first entry, and neither is ever deleted. */
async function hasUnrecordedRequest(db: Kysely<Schema>, organization: OrganizationId): Promise<boolean> {
  const { rows } = await sql`
    select id from requests where organization_id = ${organization} and id not in (
      select subject from audit where organization_id = ${organization}) limit 1`.execute(db);
  return rows.length > 0;
}
