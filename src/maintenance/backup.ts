/** `npm run backup -- FILE`: a checked copy of the database, beside a running bot. */
import { type Database, readDatabaseSetting } from '../config.ts';
import type { Secret } from '../secret.ts';
import { type BackupResult, backUp } from '../store/backup.ts';
import { ForeignDatabase } from '../store/failure.ts';
import { refuseForeign } from '../store/inspect.ts';
import { chainText } from './chain-text.ts';
import { fail, reasonOf } from './ending.ts';

/** Exit code 0: made and sound; 1: not made, or something in it is broken; 2: there is nothing that it could copy. */
export async function backup([file, ...rest]: readonly string[]): Promise<void> {
  if (file === undefined || file.startsWith('-') || rest.length > 0)
    return fail(2, 'Usage: npm run backup -- FILE');
  const read = readDatabaseSetting();
  if (read.kind === 'fault') return fail(2, read.fault);
  const { database } = read;
  if (database.kind === 'postgres') return fail(2, postgresText(database.url, file));
  try {
    await refuseForeign(database);
    report(database, file, await backUp(database.path, file));
  } catch (error) {
    if (error instanceof ForeignDatabase) return fail(2, error.found);
    fail(1, `The database ${database.path} was not backed up to ${file}: ${reasonOf(error)}`);
  }
}

function report({ path }: Extract<Database, { kind: 'sqlite' }>, file: string, result: BackupResult): void {
  switch (result.kind) {
    case 'exists':
      fail(1, `${file} already exists. Choose another file name.`);
      break;
    case 'begun':
      fail(
        1,
        `${result.partial} already exists: another backup is running, or one was interrupted. If none is running, delete this file and try again.`,
      );
      break;
    case 'damaged':
      fail(1, `The copy is damaged and was removed: ${result.faults.slice(0, 3).join('; ')}`);
      break;
    case 'made': {
      const kept = result.rows.filter(({ count }) => count > 0);
      const lines = [
        `Copied ${path} to ${file} (${result.bytes.toLocaleString('en')} bytes).`,
        'Integrity check: ok.',
        `Rows: ${kept.map(({ table, count }) => `${table} ${count.toLocaleString('en')}`).join(', ')}.`,
        ...result.chains.map(chainText),
      ];
      process.stdout.write(`${lines.join('\n')}\n`);
      if (result.chains.some(({ kind }) => kind === 'broken')) process.exitCode = 1;
    }
  }
}

/** Its own tool does it better; the password stays out of the command, which shells keep. */
function postgresText(url: Secret, file: string): string {
  return `DATABASE_URL is a PostgreSQL database. Back it up with pg_dump:\n  pg_dump --format=custom --file=${quoted(file)} ${quoted(withoutPassword(url))}\nIt asks for the password, or reads it from ~/.pgpass.`;
}

function withoutPassword(url: Secret): string {
  if (!URL.canParse(url.reveal())) return 'postgres://…';
  const address = new URL(url.reveal());
  address.password = '';
  for (const name of [...address.searchParams.keys()])
    if (/password/i.test(name)) address.searchParams.delete(name);
  return address.href;
}

/** As one word of a POSIX shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
