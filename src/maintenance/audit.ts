/** `npm run audit -- verify [--file BACKUP]`: whether the audit trail is as it was written, beside a running bot. */
import { readDatabaseSetting } from '../config.ts';
import { ForeignDatabase, nameOfDatabase } from '../store/failure.ts';
import { refuseForeign } from '../store/inspect.ts';
import { openReadOnly } from '../store/read-only.ts';
import { verifyAudit } from '../store/verify-audit.ts';
import { chainText } from './chain-text.ts';
import { fail, reasonOf } from './ending.ts';

const USAGE = 'Usage: npm run audit -- verify [--file BACKUP]';

/** Exit code 0: intact; 1: broken; 2: it cannot be read. */
export async function audit(words: readonly string[]): Promise<void> {
  const database = databaseIn(words);
  if (typeof database === 'string') return fail(2, database);
  try {
    await refuseForeign(database);
    const engine = openReadOnly(database);
    try {
      const verdicts = await verifyAudit(engine);
      process.stdout.write(`${verdicts.map(chainText).join('\n') || 'The audit trail has no entries.'}\n`);
      process.exitCode = verdicts.every(({ kind }) => kind === 'intact') ? 0 : 1;
    } finally {
      await engine.close();
    }
  } catch (error) {
    if (error instanceof ForeignDatabase) return fail(2, error.found);
    fail(2, `${nameOfDatabase(database)} cannot be read: ${reasonOf(error)}`);
  }
}

/** Which one to read, or what is wrong with the words or the setting. */
function databaseIn([verb, option, file, ...rest]: readonly string[]) {
  if (verb !== 'verify' || rest.length > 0) return USAGE;
  if (option === undefined) {
    const read = readDatabaseSetting();
    return read.kind === 'fault' ? read.fault : read.database;
  }
  return option === '--file' && file !== undefined ? ({ kind: 'sqlite', path: file } as const) : USAGE;
}
