/**
 * Approvals and operations become requests. An approval and the operation that carries it out become one record under the
 * approval's id; an operation that nobody had to approve keeps its own. Replicas of before are stopped meanwhile.
 */
import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { EngineKind } from '../schema.ts';
import { copyFacts } from './0017-copy-facts.ts';

type Database = Kysely<unknown>;

export function copyRequestsMigration(engine: EngineKind): Migration {
  return {
    up: async (db: Database) => {
      await copyApprovals(db, engine);
      await copyOperations(db);
      await copyTargets(db, engine);
      await copyFacts(db);
      await countTargets(db);
      await moveWork(db);
      await dropRepeatedForms(db);
      for (const table of ['operation_targets', 'operations', 'approvals'])
        await db.schema.dropTable(table).execute();
    },
  };
}

const COLUMNS = sql.raw(
  `organization_id, id, version, state, action, seal, fingerprint, requester_id, request_key, reason, created_at,
   expires_at, decided_by, decided_at, approved_by, approved_at, note, started_at, ended_at, operation_id`,
);

/** Of each operation: what is open, what was taken up, and when. What was not sent was never claimed, as far as is known. */
const PROGRESS = sql.raw(
  `select organization_id, operation_id,
     sum(case when ended_at is null then 1 else 0 end) as open,
     sum(case when state <> 'ready' then 1 else 0 end) as taken_up,
     min(case when state not in ('ready', 'not_sent') then issued_at end) as started_at,
     max(ended_at) as last_ended_at
   from operation_targets group by organization_id, operation_id`,
);
const STATE_OF_OPERATION = sql.raw(
  `case when coalesce(p.open, 0) = 0 then 'ended' when p.taken_up = 0 then 'approved' else 'running' end`,
);
const ENDED_AT = sql.raw(`case when p.open = 0 then p.last_ended_at end`);

/** A sentence of before as a fact of the kind `text`, in JSON. */
function textOf(engine: EngineKind, column: 'a.note' | 't.evidence', cause = '') {
  const pairs = `'kind', 'text', 'text', ${column}${cause}`;
  return sql.raw(engine === 'postgres' ? `json_build_object(${pairs})::text` : `json_object(${pairs})`);
}

/** One whose operation is missing was claimed for it: what became of that is not known, and it never runs again. */
async function copyApprovals(db: Database, engine: EngineKind): Promise<void> {
  await sql`
    insert into requests (${COLUMNS})
    select a.organization_id, a.id, a.version,
      case
        when o.id is not null then ${STATE_OF_OPERATION}
        when a.state <> 'approved' then a.state
        when a.operation_id is not null then 'ended'
        else 'approved'
      end,
      a.command, a.seal, a.fingerprint, a.requester_id, a.request_key, a.reason, a.created_at, a.expires_at,
      a.decided_by, a.decided_at, a.approved_by, a.approved_at,
      case when a.note is not null then ${textOf(engine, 'a.note')} end, p.started_at,
      case when o.id is null and a.operation_id is not null then coalesce(a.decided_at, a.created_at) else ${ENDED_AT} end,
      coalesce(o.id, a.operation_id)
    from approvals a
    left join operations o on o.organization_id = a.organization_id and o.approval_id = a.id
    left join (${PROGRESS}) p on p.organization_id = o.organization_id and p.operation_id = o.id
  `.execute(db);
}

/** Those that nobody had to approve. Where an approval was asked for by the same delivery, that one is found by it. */
async function copyOperations(db: Database): Promise<void> {
  await sql`
    insert into requests (${COLUMNS})
    select o.organization_id, o.id, o.version, ${STATE_OF_OPERATION}, o.command, null, null, o.requester_id,
      case
        when exists (
          select 1 from approvals s where s.organization_id = o.organization_id and s.request_key = o.request_key
        ) then o.request_key || ' ' || o.id
        else o.request_key
      end,
      o.reason, o.created_at, null, null, null, null, null, null, p.started_at, ${ENDED_AT}, o.id
    from operations o
    left join approvals a on a.organization_id = o.organization_id and a.id = o.approval_id
    left join (${PROGRESS}) p on p.organization_id = o.organization_id and p.operation_id = o.id
    where a.id is null
  `.execute(db);
}

/** Without their facts. Those that are followed are looked at when their operation was to be looked at. */
async function copyTargets(db: Database, engine: EngineKind): Promise<void> {
  await sql`
    insert into request_targets (
      organization_id, request_id, device_id, position, display_name, facts, state, "before", queue_entry_id, issued_at,
      accepted_at, queued_at, missed_at, answered_at, ended_at, next_at, response, evidence, deadline_at, command_key
    )
    select t.organization_id, r.id, t.device_id,
      row_number() over (partition by t.organization_id, t.operation_id order by t.position, t.device_id) - 1,
      t.display_name, null, t.state, t."before", t.queue_entry_id, t.issued_at, t.accepted_at, t.queued_at, t.missed_at,
      t.answered_at, t.ended_at,
      case when t.ended_at is null and t.state not in ('ready', 'issuing') then coalesce(w.due_at, 0) end,
      t.response,
      case
        when t.evidence is null then '[]'
        when t.end_cause is null then '[' || ${textOf(engine, 't.evidence')} || ']'
        else '[' || ${textOf(engine, 't.evidence', ", 'cause', t.end_cause")} || ']'
      end,
      t.deadline_at, t.command_key
    from operation_targets t
    join requests r on r.organization_id = t.organization_id and r.operation_id = t.operation_id
    left join work w on w.organization_id = t.organization_id and w.kind = 'follow' and w.key = t.operation_id
  `.execute(db);
}

async function countTargets(db: Database): Promise<void> {
  await sql`
    insert into request_counts (organization_id, request_id, state, targets)
    select organization_id, request_id, state, count(*) from request_targets
    group by organization_id, request_id, state
    union all
    select organization_id, request_id, 'open', count(*) from request_targets where ended_at is null
    group by organization_id, request_id
    union all
    select r.organization_id, r.id, 'failed', count(*) from requests r
    join operation_targets t on t.organization_id = r.organization_id and t.operation_id = r.operation_id
    where t.state = 'not_verified' and t.end_cause = 'failed'
    group by r.organization_id, r.id
  `.execute(db);
}

type WorkRow = {
  readonly organizationId: number;
  readonly kind: string;
  readonly key: string;
  readonly dueAt: number;
};

/** What was to be carried out or looked at is so still, under the request's id. */
async function moveWork(db: Database): Promise<void> {
  const { rows } = await sql<WorkRow>`
    select organization_id, kind, key, due_at from work where kind in ('act', 'follow')
    order by organization_id, kind, key
  `.execute(db);
  for (const row of rows) {
    const id = row.kind === 'act' ? row.key.slice(row.key.indexOf(':') + 1) : row.key;
    const kind = row.kind === 'act' ? 'run' : row.kind;
    await moveRow(db, row, { kind, key: await requestOf(db, row.organizationId, id) });
  }
}

/** Windows that were sent a second time: the first submission counts, and its row shows the result. */
async function dropRepeatedForms(db: Database): Promise<void> {
  await sql`delete from work where kind = 'form' and key like 'form:%:again:%'`.execute(db);
}

async function requestOf(db: Database, organization: number, id: string): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    select id from requests where organization_id = ${organization} and operation_id = ${id}
  `.execute(db);
  return rows[0]?.id ?? id;
}

/** Where two rows meet, one stays, for the earlier time. */
async function moveRow(db: Database, from: WorkRow, to: Pick<WorkRow, 'kind' | 'key'>): Promise<void> {
  const { organizationId, dueAt } = from;
  if (from.kind === to.kind && from.key === to.key) return;
  const here = sql`organization_id = ${organizationId} and kind = ${from.kind} and key = ${from.key}`;
  const there = sql`organization_id = ${organizationId} and kind = ${to.kind} and key = ${to.key}`;
  const met = await sql`
    update work set
      due_at = case when due_at < cast(${dueAt} as bigint) then due_at else cast(${dueAt} as bigint) end,
      generation = generation + 1
    where ${there} returning key
  `.execute(db);
  if (met.rows.length > 0) await sql`delete from work where ${here}`.execute(db);
  else await sql`update work set kind = ${to.kind}, key = ${to.key} where ${here}`.execute(db);
}
