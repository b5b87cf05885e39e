/** Migrations of plain SQL, which both engines understand. */
import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { EngineKind } from '../schema.ts';

/** Runs the statements in their order. */
export function sqlMigration(
  statementsFor: (engine: EngineKind) => readonly string[],
): (engine: EngineKind) => Migration {
  return (engine) => ({
    up: async (db) => {
      for (const statement of statementsFor(engine)) await sql.raw(statement).execute(db);
    },
  });
}
