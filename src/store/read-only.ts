/** The database for whoever only looks: beside a running bot, without its lock, and without a change of any kind. */
import type { Database } from '../config.ts';
import { silentLog } from '../log.ts';
import type { Engine } from './engine.ts';
import { openPostgres } from './postgres.ts';
import { openSqliteReadOnly } from './sqlite.ts';

/** Throws where there is no such file, or it is none of SQLite's; a server is first asked by the first statement. */
export function openReadOnly(database: Database): Engine {
  return database.kind === 'sqlite'
    ? openSqliteReadOnly(database.path)
    : openPostgres({ url: database.url, log: silentLog, readOnly: true });
}
