/** Opens durable state: the file or the server, brought to the present schema, as one organization's {@link Store}. */
import { sql } from 'kysely';
import { monotonicNow } from '../clock.ts';
import type { Database } from '../config.ts';
import type { OrganizationId } from '../ids.ts';
import { type Log, silentLog } from '../log.ts';
import { NotStored } from '../not-stored.ts';
import type { Secret } from '../secret.ts';
import type { Deadlines } from './deadline.ts';
import type { Engine } from './engine.ts';
import { DatabaseFailure, ForeignDatabase, nameOfDatabase } from './failure.ts';
import { DatabaseInUse } from './instance-lock.ts';
import { leaseNow } from './lease-time.ts';
import { migrate } from './migrate.ts';
import { openPostgres } from './postgres.ts';
import { createSession, type Session } from './session.ts';
import { openSqlite } from './sqlite.ts';
import type { Store, Tables } from './store.ts';
import { createAlerts } from './tables/alerts.ts';
import { createNamedLines } from './tables/aliases.ts';
import { createApprovals } from './tables/approvals.ts';
import { createAudit } from './tables/audit.ts';
import { createCardCalls } from './tables/card-calls.ts';
import { createCards } from './tables/cards.ts';
import { createDeliveries } from './tables/deliveries.ts';
import { createEvents } from './tables/events.ts';
import { createHealthTables } from './tables/health.ts';
import { createInventoryTable } from './tables/inventory.ts';
import { createOperations } from './tables/operations.ts';
import { createPauses } from './tables/pause.ts';
import { createPeopleSettings } from './tables/people.ts';
import { createReplicas } from './tables/replicas.ts';
import { createSilences } from './tables/silences.ts';
import { createSubscriptions } from './tables/subscriptions.ts';
import { createWork } from './tables/work.ts';
import type { WriteWatch } from './writes.ts';

export type StoreOptions = {
  readonly database: Database;
  readonly organizationId: OrganizationId;
  readonly log?: Log;
  /** Told what becomes of writes. */
  readonly watch?: WriteWatch;
  /** How far an SQLite file may grow, in pages; for tests that fill it. */
  readonly mostPages?: number;
  /** The time of leases on SQLite, in milliseconds; for tests that let them run out. */
  readonly leaseTime?: () => number;
  /** For a database that says nothing any more. */
  readonly deadlines?: Deadlines;
};

/**
 * Opens the store and migrates its database. On SQLite the file is this process's alone: a second one gets
 * `DatabaseInUse`, and leases left by a process that died are freed. Whatever else stands in the way is a
 * `DatabaseFailure`.
 */
export async function openStore(options: StoreOptions): Promise<Store> {
  const { organizationId, log = silentLog, leaseTime = monotonicNow } = options;
  const engine = await openEngine({ ...options, log, leaseTime });
  const session = createSession({ engine, organizationId, log, leaseTime });
  return {
    ...createTables(session),
    transaction: (job) => session.atomic((inner) => job(createTables(inner))),
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
    if (database.kind === 'postgres') await migratePostgres(database.url, log);
    engine =
      database.kind === 'sqlite'
        ? openSqlite(database.path, options)
        : openPostgres({ url: database.url, log, watch, ...(deadlines === undefined ? {} : { deadlines }) });
    if (engine.kind === 'sqlite') {
      await migrate(engine);
      await takeOver(engine, leaseTime);
    }
    return engine;
  } catch (error) {
    await engine?.close();
    const inWords = [DatabaseInUse, ForeignDatabase, NotStored];
    if (inWords.some((kind) => error instanceof kind)) throw error;
    throw new DatabaseFailure(nameOfDatabase(database), error);
  }
}

/** Without deadlines: a step over large tables takes its time, and so does waiting for the replica that runs it. */
async function migratePostgres(url: Secret, log: Log): Promise<void> {
  const engine = openPostgres({ url, log, deadlines: null });
  try {
    await migrate(engine);
  } finally {
    await engine.close();
  }
}

function createTables(session: Session): Tables {
  return {
    approvals: createApprovals(session),
    operations: createOperations(session),
    events: createEvents(session),
    alerts: createAlerts(session),
    deliveries: createDeliveries(session),
    subscriptions: createSubscriptions(session),
    silences: createSilences(session),
    inventory: createInventoryTable(session),
    cards: createCards(session),
    cardCalls: createCardCalls(session),
    work: createWork(session),
    audit: createAudit(session),
    namedLines: createNamedLines(session),
    people: createPeopleSettings(session),
    pause: createPauses(session),
    health: createHealthTables(session),
    replicas: createReplicas(session),
  };
}

/**
 * Whoever held a lease is gone: the instance lock says that nobody else has the file. Its last calls may still take
 * effect, for as long from now on as they may at the most: when they were made cannot be told by this process's time.
 */
async function takeOver({ db, kind }: Engine, leaseTime: () => number): Promise<void> {
  await db.updateTable('work').set({ leaseToken: null, leaseUntil: null }).execute();
  const now = leaseNow({ engine: kind, leaseTime });
  await db
    .updateTable('cardCalls')
    .set({ settlesAt: sql<number>`${now} + settle_ms` })
    .where('settledAt', 'is', null)
    .execute();
}
