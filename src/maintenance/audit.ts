/** `npm run audit -- verify [--file BACKUP]`: checks that the audit trail is unchanged, beside a running bot. */
import { readDatabaseVariable } from '../config/config.ts';
import { refuseForeignDatabase } from '../store/admin/inspect-database.ts';
import { verifyAudit } from '../store/admin/verify-audit.ts';
import { errorReason } from '../store/engines/database-files.ts';
import { databaseName, ForeignDatabase } from '../store/engines/failures.ts';
import { openReadOnly } from '../store/open.ts';
import { chainText, failWith } from './report.ts';

const USAGE = 'Usage: npm run audit -- verify [--file BACKUP]';

/** Sets the exit code: 0 intact; 1 broken; 2 it can't be read. */
export async function runAudit(words: readonly string[]): Promise<void> {
  const database = databaseIn(words);
  if (typeof database === 'string') return failWith(2, database);
  try {
    await refuseForeignDatabase(database);
    const engine = openReadOnly(database);
    try {
      const verdicts = await verifyAudit(engine);
      process.stdout.write(`${verdicts.map(chainText).join('\n') || 'The audit trail has no entries.'}\n`);
      process.exitCode = verdicts.every(({ kind }) => kind === 'intact') ? 0 : 1;
    } finally {
      await engine.close();
    }
  } catch (error) {
    if (error instanceof ForeignDatabase) return failWith(2, error.finding);
    failWith(2, `${databaseName(database)} cannot be read: ${errorReason(error)}`);
  }
}

/** The database to read, or what is wrong with the arguments or the setting. */
function databaseIn([verb, option, file, ...rest]: readonly string[]) {
  if (verb !== 'verify' || rest.length > 0) return USAGE;
  if (option === undefined) {
    const read = readDatabaseVariable();
    return read.kind === 'fault' ? read.fault : read.value;
  }
  return option === '--file' && file !== undefined ? ({ kind: 'sqlite', path: file } as const) : USAGE;
}
