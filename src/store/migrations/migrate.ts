/**
 * The migrations that bring a database to the current schema, in the order of their names. From the first release on, one
 * is never changed: add `NNNN-what.ts` and a line here.
 */
import { type Migration, Migrator } from 'kysely/migration';
import type { Engine } from '../engines/engine.ts';
import type { EngineKind } from '../schema.ts';
import { schemaMigration } from './0001-schema.ts';

export const migrations: Readonly<Record<string, (engine: EngineKind) => Migration>> = {
  '0001-schema': schemaMigration,
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
