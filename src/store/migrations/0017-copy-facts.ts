/** The facts that approvals kept in one column become one row for each thing, a part of the approvals at a time. */
import { type Kysely, sql } from 'kysely';
import { z } from 'zod';
import { chunksOf } from '../../lib/chunks.ts';
import { MINUTE } from '../../lib/clock.ts';
import { actionSchema } from '../port/action-schemas.ts';
import { commandKeyOf } from '../tables/command-key.ts';
import { NO_DEVICE } from '../tables/request-row-schemas.ts';

type Database = Kysely<unknown>;

/** Each with all of its targets: a few megabytes at the most. */
const APPROVALS_AT_ONCE = 50;
const ROWS_PER_STATEMENT = 500;
/** How long a new target is followed before more is known of its device. */
const FIRST_DEADLINE_MS = 30 * MINUTE;

type Approval = {
  readonly organizationId: number;
  readonly id: string;
  readonly command: string;
  readonly targets: string;
  readonly createdAt: number;
  readonly decidedAt: number | null;
  /** Null: it was not carried out. */
  readonly operationId: string | null;
  /** 1: that operation is there, and has the targets. */
  readonly hasOperation: number;
};

/** One thing that an approval is about; `facts` as they were written. */
type Thing = { readonly device: number; readonly name: string; readonly facts: string };

export async function copyFacts(db: Database): Promise<void> {
  let last = { organizationId: 0, id: '' };
  for (;;) {
    const part = await readPart(db, last);
    const end = part.at(-1);
    if (end === undefined) return;
    await copyPart(db, part);
    last = end;
  }
}

async function readPart(
  db: Database,
  after: Pick<Approval, 'organizationId' | 'id'>,
): Promise<readonly Approval[]> {
  const { rows } = await sql<Approval>`
    select a.organization_id, a.id, a.command, a.targets, a.created_at, a.decided_at,
      coalesce(o.id, a.operation_id) as operation_id, case when o.id is null then 0 else 1 end as has_operation
    from approvals a
    left join operations o on o.organization_id = a.organization_id and o.approval_id = a.id
    where (a.organization_id, a.id) > (cast(${after.organizationId} as bigint), cast(${after.id} as text))
    order by a.organization_id, a.id
    limit ${APPROVALS_AT_ONCE}
  `.execute(db);
  return rows;
}

async function copyPart(db: Database, part: readonly Approval[]): Promise<void> {
  const read = part.map((approval) => ({ approval, things: thingsOf(approval.targets) }));
  for (const { approval, things } of read)
    if (things === null && approval.operationId === null) await withdrawUnreadable(db, approval);
  const known = read.flatMap(({ approval, things }) => (things === null ? [] : [{ approval, things }]));
  const [carriedOut, others] = [
    known.filter(({ approval }) => approval.hasOperation === 1),
    known.filter(({ approval }) => approval.hasOperation !== 1),
  ];
  const facts = carriedOut.flatMap(({ approval, things }) =>
    things.map((thing) => factsRow(approval, thing)),
  );
  for (const rows of chunksOf(facts, ROWS_PER_STATEMENT)) await setFacts(db, rows);
  const targets = others.flatMap(({ approval, things }) =>
    things.map((thing, position) => targetRow(approval, thing, position)),
  );
  for (const rows of chunksOf(targets, ROWS_PER_STATEMENT)) await insertTargets(db, rows);
}

const thingsSchema = z.array(z.unknown());
const thingSchema = z.object({ deviceId: z.int().nullable(), displayName: z.string() });

/** Each thing once. Null: what is stored cannot be read. */
function thingsOf(targets: string): readonly Thing[] | null {
  const all = thingsSchema.safeParse(jsonOrNull(targets));
  if (!all.success) return null;
  const things = new Map<number, Thing>();
  for (const facts of all.data) {
    const thing = thingSchema.safeParse(facts);
    if (!thing.success) return null;
    const { deviceId, displayName: name } = thing.data;
    const device = deviceId ?? NO_DEVICE;
    if (!things.has(device)) things.set(device, { device, name, facts: JSON.stringify(facts) });
  }
  return [...things.values()];
}

function jsonOrNull(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Nobody can say any more what it was about, so nobody can agree to it, and it must not run. */
async function withdrawUnreadable(db: Database, { organizationId, id }: Approval): Promise<void> {
  await sql`
    update requests set state = 'withdrawn', note = ${JSON.stringify(textOf('Its stored targets could not be read.'))}
    where organization_id = ${organizationId} and id = ${id} and state in ('waiting', 'approved')
  `.execute(db);
}

const factsRow = ({ organizationId, id }: Approval, { device, facts }: Thing) =>
  sql`(cast(${organizationId} as bigint), cast(${id} as text), cast(${device} as bigint), cast(${facts} as text))`;

async function setFacts(db: Database, rows: readonly ReturnType<typeof factsRow>[]): Promise<void> {
  await sql`
    with sealed (organization_id, request_id, device_id, facts) as (values ${sql.join(rows)})
    update request_targets set facts = sealed.facts
    from sealed
    where request_targets.organization_id = sealed.organization_id
      and request_targets.request_id = sealed.request_id
      and request_targets.device_id = sealed.device_id
  `.execute(db);
}

/** As a new one is stored, with nothing read and nothing sent; one whose operation is missing may have been sent. */
function targetRow(approval: Approval, { device, name, facts }: Thing, position: number) {
  const { organizationId, id, createdAt, decidedAt } = approval;
  const lost = approval.operationId !== null;
  return sql`(${sql.join([
    organizationId,
    id,
    device,
    position,
    name,
    facts,
    lost ? 'unknown' : 'ready',
    JSON.stringify({ ...NOTHING_READ, at: createdAt }),
    createdAt,
    lost ? (decidedAt ?? createdAt) : null,
    JSON.stringify(lost ? [textOf('It is not known what became of it: its operation is missing.')] : []),
    createdAt + FIRST_DEADLINE_MS,
    commandKeyOfText(approval.command),
  ])})`;
}

const textOf = (text: string) => ({ kind: 'text', text });

const NOTHING_READ = {
  connected: null,
  lastRefreshTime: null,
  lastDisconnectTime: null,
  uptime: null,
  needsReboot: null,
  queueIds: [],
  missing: [],
  policy: null,
};

async function insertTargets(db: Database, rows: readonly ReturnType<typeof targetRow>[]): Promise<void> {
  await sql`
    insert into request_targets (
      organization_id, request_id, device_id, position, display_name, facts, state, "before", issued_at, ended_at,
      evidence, deadline_at, command_key
    ) values ${sql.join(rows)}
  `.execute(db);
}

/** Null where the action cannot be read: nothing of it will be sent. */
function commandKeyOfText(command: string): string | null {
  const action = actionSchema.safeParse(jsonOrNull(command));
  return action.success ? commandKeyOf(action.data, []) : null;
}
