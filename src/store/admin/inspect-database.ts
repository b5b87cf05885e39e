/** The state of a database: which schema it has, and whether it has tables that are not ours. */
import { type Kysely, sql } from 'kysely';
import type { Database } from '../../config/config.ts';
import { type ChannelId, channelId } from '../../lib/ids.ts';
import { readSchemaStatus } from '../create-schema.ts';
import { ForeignDatabase, isNotADatabase } from '../engines/database-files.ts';
import type { Engine } from '../engines/engine.ts';
import { openReadOnly } from '../open.ts';
import type { Schema } from '../schema.ts';

export type DatabaseStatus = Readonly<Awaited<ReturnType<typeof inspectDatabase>>>;

/** Only reads. Throws when the database can't be read. */
export async function inspectDatabase(database: Database) {
  const engine = openReadOnly(database);
  try {
    return {
      schema: await readSchemaStatus(engine),
      /** Version of the database program, such as `18.4`. */
      version: await serverVersion(engine),
      /** Whether this user may create tables in the current schema; null on SQLite, where file permissions decide. */
      mayCreate: engine.kind === 'postgres' ? (await singleValue(engine.db, MAY_CREATE)) === 'true' : null,
      /** SQLite's journal mode, such as `wal`; null on PostgreSQL. */
      journal: engine.kind === 'sqlite' ? await singleValue(engine.db, 'pragma journal_mode') : null,
    };
  } finally {
    await engine.close();
  }
}

/** For programs that read a database that must already be ours. Throws `ForeignDatabase` when it is not. */
export async function refuseForeignDatabase(database: Database): Promise<void> {
  const name = database.kind === 'sqlite' ? database.path : 'at DATABASE_URL';
  try {
    const { schema } = await inspectDatabase(database);
    if (schema.kind === 'foreign') throw new ForeignDatabase(name, 'other-tables');
    if (schema.kind === 'empty') throw new ForeignDatabase(name, 'no-tables');
  } catch (error) {
    throw isNotADatabase(error) ? new ForeignDatabase(name, 'no-database') : error;
  }
}

/** Channels with active subscriptions. Throws when the database can't be read or lacks the table. */
export async function subscribedChannels(database: Database): Promise<readonly ChannelId[]> {
  const { db, close } = openReadOnly(database);
  try {
    const active = db.selectFrom('subscriptions').select('channel').distinct().where('endedAt', 'is', null);
    return (await active.orderBy('channel').execute()).map(({ channel }) => channelId(channel));
  } finally {
    await close();
  }
}

const MAY_CREATE = `select coalesce(has_schema_privilege(current_schema(), 'create'), false)`;

async function serverVersion({ db, kind }: Engine): Promise<string> {
  const text = await singleValue(db, kind === 'sqlite' ? 'select sqlite_version()' : 'show server_version');
  // Distributions append text of their own: `18.4 (Debian …)`.
  return text.split(' ')[0] ?? text;
}

async function singleValue(db: Kysely<Schema>, statement: string): Promise<string> {
  const { rows } = await sql.raw<Record<string, unknown>>(statement).execute(db.withoutPlugins());
  return String(Object.values(rows[0] ?? {})[0] ?? '');
}
