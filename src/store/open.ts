/** Opens the database, creates its tables where it is empty, and returns one organization's {@link Store}. */
import { sql } from 'kysely';
import type { Database } from '../config/config.ts';
import { monotonicNow } from '../lib/clock.ts';
import type { OrganizationId } from '../lib/ids.ts';
import { type Log, type Secret, silentLog } from '../lib/log.ts';
import { NotStored } from '../lib/not-stored.ts';
import { createSchema } from './create-schema.ts';
import { DatabaseFailure, databaseName, ForeignDatabase } from './engines/database-files.ts';
import type { Engine, WriteObserver } from './engines/engine.ts';
import { type Deadlines, openPostgres } from './engines/postgres.ts';
import { DatabaseInUse, openSqlite, openSqliteReadOnly } from './engines/sqlite.ts';
import type { Store, StoreTables } from './port/store.ts';
import { createSession, leaseNow, type Session } from './session.ts';
import { createDeliveryTable, createMemberTable } from './tables/alert-members.ts';
import { createAlertTable, createSilenceTable, createSubscriptionTable } from './tables/alerts.ts';
import { createAuditTable } from './tables/audit.ts';
import { createCardCallTable, createCardTable } from './tables/cards.ts';
import { createEventTable } from './tables/events.ts';
import { createHealthTables } from './tables/health.ts';
import { createInventoryTable } from './tables/inventory.ts';
import { createReplicaTables } from './tables/replicas.ts';
import { createTargetTable } from './tables/request-targets.ts';
import { createDecisionWindowTable, createRequestTable } from './tables/requests.ts';
import { createNamedLineTable, createPauseTable, createPeopleTable } from './tables/settings.ts';
import { createWorkTable } from './tables/work.ts';

export type StoreOptions = {
  readonly database: Database;
  readonly organizationId: OrganizationId;
  readonly log?: Log;
  readonly watch?: WriteObserver;
  /** Maximum size of an SQLite file in pages; for tests that fill it. */
  readonly mostPages?: number;
  /** The time for leases on SQLite, in milliseconds; for tests that let them expire. */
  readonly leaseTime?: () => number;
  readonly deadlines?: Deadlines;
};

/**
 * Opens the store and creates its tables. On SQLite this process owns the file: a second process gets
 * `DatabaseInUse`, and leases left by a dead process are freed. Every other problem is a `DatabaseFailure`.
 */
export async function openStore(options: StoreOptions): Promise<Store> {
  const { organizationId, log = silentLog, leaseTime = monotonicNow } = options;
  const engine = await openEngine({ ...options, log, leaseTime });
  const session = createSession({ engine, organizationId, log, leaseTime });
  return {
    ...createTables(session),
    transaction: (job) => session.inTransaction((inner) => job(createTables(inner))),
    ping: engine.ping,
    close: () => engine.close(),
  };
}

async function openEngine(
  options: StoreOptions & Required<Pick<StoreOptions, 'log' | 'leaseTime'>>,
): Promise<Engine> {
  const { database, log, deadlines, leaseTime, watch } = options;
  let engine: Engine | undefined;
  try {
    if (database.kind === 'postgres') await createPostgresSchema(database.url, log);
    engine =
      database.kind === 'sqlite'
        ? openSqlite(database.path, options)
        : openPostgres({ url: database.url, log, watch, ...(deadlines === undefined ? {} : { deadlines }) });
    if (engine.kind === 'sqlite') {
      await createSchema(engine);
      await freeLeasesOfDeadProcess(engine, leaseTime);
    }
    return engine;
  } catch (error) {
    await engine?.close();
    const inWords = [DatabaseInUse, ForeignDatabase, NotStored];
    if (inWords.some((kind) => error instanceof kind)) throw error;
    throw new DatabaseFailure(databaseName(database), error);
  }
}

/** Without deadlines: waiting for the replica that creates the tables may take long. */
async function createPostgresSchema(url: Secret, log: Log): Promise<void> {
  const engine = openPostgres({ url, log, deadlines: null });
  try {
    await createSchema(engine);
  } finally {
    await engine.close();
  }
}

function createTables(session: Session): StoreTables {
  return {
    requests: createRequestTable(session),
    targets: createTargetTable(session),
    events: createEventTable(session),
    alerts: createAlertTable(session),
    members: createMemberTable(session),
    deliveries: createDeliveryTable(session),
    subscriptions: createSubscriptionTable(session),
    silences: createSilenceTable(session),
    inventory: createInventoryTable(session),
    cards: createCardTable(session),
    cardCalls: createCardCallTable(session),
    work: createWorkTable(session),
    audit: createAuditTable(session),
    namedLines: createNamedLineTable(session),
    people: createPeopleTable(session),
    pause: createPauseTable(session),
    decisionWindows: createDecisionWindowTable(session),
    health: createHealthTables(session),
    replicas: createReplicaTables(session),
  };
}

/**
 * Frees the leases of a process that ended: the instance lock proves that nobody else has the file. Its last calls
 * may still take effect, so each gets its full time from now on: this process's time can't tell when they were made.
 */
async function freeLeasesOfDeadProcess({ db, kind }: Engine, leaseTime: () => number): Promise<void> {
  await db.updateTable('work').set({ leaseToken: null, leaseUntil: null }).execute();
  const now = leaseNow({ engine: kind, leaseTime });
  await db
    .updateTable('cardCalls')
    .set({ settlesAt: sql<number>`${now} + settle_ms` })
    .where('settledAt', 'is', null)
    .execute();
}

/**
 * Opens the database for reading only, beside a running bot: without its lock, and without any change. Throws when
 * the file is missing or is not SQLite's; a server is contacted by the first statement.
 */
export function openReadOnly(database: Database): Engine {
  return database.kind === 'sqlite'
    ? openSqliteReadOnly(database.path)
    : openPostgres({ url: database.url, log: silentLog, readOnly: true });
}
