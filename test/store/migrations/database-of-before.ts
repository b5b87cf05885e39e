/** A database as the version before left it: approvals with their targets in one column, and operations. */

import { type Kysely, sql } from 'kysely';
import { Migrator } from 'kysely/migration';
import type { Database as DatabaseSetting } from '../../../src/config/config.ts';
import type { OrganizationId } from '../../../src/lib/ids.ts';
import { silentLog } from '../../../src/lib/log.ts';
import type { Engine } from '../../../src/store/engines/engine.ts';
import { openPostgres } from '../../../src/store/engines/postgres.ts';
import { openSqlite } from '../../../src/store/engines/sqlite.ts';
import { MIGRATION_TABLES, migrate, migrations } from '../../../src/store/migrations/migrate.ts';
import { openStore } from '../../../src/store/open.ts';
import type { RequestTarget } from '../../../src/store/port/request-records.ts';
import type { Store } from '../../../src/store/port/store.ts';
import type { Schema } from '../../../src/store/schema.ts';
import { commandKeyOf } from '../../../src/store/tables/command-key.ts';
import { ORGANIZATION } from '../builders.ts';
import type { NewRequest } from '../request-builders.ts';

const LAST_STEP = '0016-requests';

async function migrateToBefore({ db, kind }: Engine): Promise<void> {
  const steps = Object.entries(migrations).filter(([name]) => name <= LAST_STEP);
  const provider = {
    getMigrations: async () => Object.fromEntries(steps.map(([name, step]) => [name, step(kind)])),
  };
  const { error } = await new Migrator({ db, provider, ...MIGRATION_TABLES }).migrateToLatest();
  if (error !== undefined) throw error;
}

/** At that version, and at the present one as soon as it was copied or opened. */
export type DatabaseOfBefore = {
  readonly db: Database;
  readonly copy: () => Promise<void>;
  /** Opens it as the program does; its other users end. */
  readonly open: (organization?: OrganizationId) => Promise<Store>;
  readonly close: () => Promise<void>;
};

export async function createDatabaseOfBefore(database: DatabaseSetting): Promise<DatabaseOfBefore> {
  const engine =
    database.kind === 'sqlite'
      ? openSqlite(database.path)
      : openPostgres({ url: database.url, log: silentLog, deadlines: null });
  const opened: Pick<Engine, 'close'>[] = [engine];
  const close = async () => {
    for (const one of opened.splice(0)) await one.close();
  };
  await migrateToBefore(engine);
  const { db } = engine;
  return {
    db,
    copy: () => migrate(engine),
    open: async (organizationId = ORGANIZATION) => {
      await close();
      const store = await openStore({ database, organizationId });
      opened.push(store);
      return store;
    },
    close,
  };
}

type Row = Readonly<Record<string, string | number | null>>;
type Database = Kysely<Schema>;

async function insertRow(db: Database, table: string, row: Row): Promise<void> {
  const columns = sql.join(Object.keys(row).map((name) => sql.ref(name)));
  await sql`insert into ${sql.table(table)} (${columns}) values (${sql.join(Object.values(row))})`.execute(
    db,
  );
}

/** What becomes this request, as the approval that it was; `columns` say otherwise. */
export async function insertApproval(
  db: Database,
  {
    action,
    startedAt: _started,
    endedAt: _ended,
    rollout: _rollout,
    askedLastHour: _asked,
    typedCount: _typed,
    state,
    note,
    ...request
  }: NewRequest,
  targets: readonly RequestTarget[],
  columns: Row = {},
): Promise<void> {
  await insertRow(db, 'approvals', {
    ...request,
    state: ['running', 'ended'].includes(state) ? 'approved' : state,
    note: note?.kind === 'text' ? note.text : null,
    command: JSON.stringify(action),
    targets: JSON.stringify(targets.flatMap(({ facts }) => facts ?? [])),
    ...columns,
  });
}

/** What becomes this request, as the operation that it was; `columns` say otherwise. */
export async function insertOperation(
  db: Database,
  request: NewRequest,
  targets: readonly RequestTarget[],
  columns: Row = {},
): Promise<void> {
  const { organizationId, operationId, version, action, requesterId, requestKey, reason, createdAt } =
    request;
  const approvalId = operationId === String(request.id) ? null : request.id;
  const head = { organizationId, id: operationId, version, approvalId, command: JSON.stringify(action) };
  await insertRow(db, 'operations', { ...head, requesterId, requestKey, reason, createdAt, ...columns });
  for (const {
    requestId: _of,
    facts: _facts,
    nextAt: _next,
    before,
    deviceId,
    evidence,
    ...target
  } of targets) {
    const said = evidence[0]?.kind === 'text' ? evidence[0] : null;
    await insertRow(db, 'operationTargets', {
      ...target,
      organizationId,
      operationId,
      deviceId: deviceId ?? 0,
      before: JSON.stringify(before),
      evidence: said?.text ?? null,
      endCause: said?.cause ?? null,
      commandKey: commandKeyOf(action, []),
    });
  }
}

export async function insertWork(db: Database, kind: string, key: string, dueAt: number): Promise<void> {
  const row = { organizationId: ORGANIZATION, kind, key, dueAt, payload: null, attempts: 0, generation: 1 };
  await insertRow(db, 'work', row);
}

/** `kind key dueAt` of each. */
export async function workOf(db: Database): Promise<readonly string[]> {
  const { rows } = await sql<{ kind: string; key: string; dueAt: number }>`
    select kind, key, due_at from work
  `.execute(db);
  return rows.map(({ kind, key, dueAt }) => `${kind} ${key} ${dueAt}`).toSorted();
}
