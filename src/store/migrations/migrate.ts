/**
 * The migrations that bring a database to the current schema, in the order of their names. A released migration is
 * never changed: add `NNNN-what.ts` and a line here.
 */
import { type Migration, Migrator } from 'kysely/migration';
import type { Engine } from '../engines/engine.ts';
import type { EngineKind } from '../schema.ts';
import { foundationMigration } from './0001-foundation.ts';
import { oneCommandUnderWayMigration } from './0002-one-under-way.ts';
import { historyBoundaryMigration } from './0003-history.ts';
import { inventoryMigration } from './0004-inventory.ts';
import { recentListsMigration } from './0005-lately.ts';
import { alertsMigration } from './0006-alerts.ts';
import { settingsMigration } from './0007-settings.ts';
import { missingPatchesMigration } from './0008-misses.ts';
import { alertsByAgeMigration } from './0009-alerts-by-age.ts';
import { cardCallsMigration } from './0010-card-calls.ts';
import { replicasMigration } from './0011-replicas.ts';
import { healthMigration } from './0013-health.ts';
import { returnedRequestsMigration } from './0014-returned.ts';
import { endCauseMigration } from './0015-end-cause.ts';
import { requestsMigration } from './0016-requests.ts';
import { copyRequestsMigration } from './0017-copy-requests.ts';
import { rolloutsMigration } from './0018-rollouts.ts';
import { decisionWindowsMigration } from './0019-decision-windows.ts';
import { askedDevicesMigration } from './0021-asked-devices.ts';
import { doorsMigration } from './0023-doors.ts';
import { eventGapsMigration } from './0024-event-gaps.ts';

export const migrations: Readonly<Record<string, (engine: EngineKind) => Migration>> = {
  '0001-foundation': foundationMigration,
  '0002-one-under-way': oneCommandUnderWayMigration,
  '0003-history': historyBoundaryMigration,
  '0004-inventory': inventoryMigration,
  '0005-lately': recentListsMigration,
  '0006-alerts': alertsMigration,
  '0007-settings': settingsMigration,
  '0008-misses': missingPatchesMigration,
  '0009-alerts-by-age': alertsByAgeMigration,
  '0010-card-calls': cardCallsMigration,
  '0011-replicas': replicasMigration,
  '0013-health': healthMigration,
  '0014-returned': returnedRequestsMigration,
  '0015-end-cause': endCauseMigration,
  '0016-requests': requestsMigration,
  '0017-copy-requests': copyRequestsMigration,
  '0018-rollouts': rolloutsMigration,
  '0019-decision-windows': decisionWindowsMigration,
  '0021-asked-devices': askedDevicesMigration,
  '0023-doors': doorsMigration,
  '0024-event-gaps': eventGapsMigration,
};

export const MIGRATIONS_TABLE = 'patchbay_migrations';

/** Kysely's default names are left to other programs in the same database. */
export const MIGRATION_TABLES = {
  migrationTableName: MIGRATIONS_TABLE,
  migrationLockTableName: 'patchbay_migration_lock',
};

/**
 * Runs the missing migrations in one transaction. On PostgreSQL, Kysely's Migrator holds an advisory lock meanwhile,
 * so that replicas may start together. A database with migrations that this program does not know is refused.
 */
export async function migrate({ db, kind }: Engine): Promise<void> {
  const steps = Object.entries(migrations).map(([name, migration]) => [name, migration(kind)] as const);
  const provider = { getMigrations: async () => Object.fromEntries(steps) };
  const { error } = await new Migrator({ db, provider, ...MIGRATION_TABLES }).migrateToLatest();
  if (error !== undefined) throw error;
}
