/** Brings a database to the present schema, in one transaction, whoever else is starting at the same time. */
import { Migrator } from 'kysely/migration';
import type { Engine } from './engine.ts';
import { migrations } from './migrations/index.ts';

export const MIGRATIONS_TABLE = 'patchbay_migrations';

/** Kysely's own default names are left to other programs in the same database. */
export const TABLES = {
  migrationTableName: MIGRATIONS_TABLE,
  migrationLockTableName: 'patchbay_migration_lock',
};

/**
 * Runs the steps that are missing. On PostgreSQL Kysely's Migrator holds an advisory lock meanwhile, so that
 * replicas may start together. A database with steps that this program does not know is refused.
 */
export async function migrate({ db, kind }: Engine): Promise<void> {
  const steps = Object.entries(migrations).map(([name, step]) => [name, step(kind)] as const);
  const provider = { getMigrations: async () => Object.fromEntries(steps) };
  const { error } = await new Migrator({ db, provider, ...TABLES }).migrateToLatest();
  if (error !== undefined) throw error;
}
