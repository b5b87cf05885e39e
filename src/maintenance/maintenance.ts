/**
 * `npm run backup -- FILE` makes a checked copy of the database; `npm run audit -- verify [--file BACKUP]` checks that the
 * audit trail is unchanged. Both run beside a running bot.
 */
import { type Database, readDatabaseVariable } from '../config/config.ts';
import type { Instant } from '../lib/clock.ts';
import type { Secret } from '../lib/log.ts';
import { type BackupResult, backUpDatabase } from '../store/admin/backup.ts';
import { refuseForeignDatabase } from '../store/admin/inspect-database.ts';
import { type ChainProblem, type ChainVerdict, verifyAudit } from '../store/admin/verify-audit.ts';
import { databaseName, errorReason, ForeignDatabase } from '../store/engines/database-files.ts';
import { openReadOnly } from '../store/open.ts';

/** Sets the exit code: 0 made and intact; 1 not made, or something in it is broken; 2 there is nothing to copy. */
export async function runBackup([file, ...rest]: readonly string[]): Promise<void> {
  if (file === undefined || file.startsWith('-') || rest.length > 0)
    return failWith(2, 'Usage: npm run backup -- FILE');
  const read = readDatabaseVariable();
  if (read.kind === 'fault') return failWith(2, read.fault);
  const { value: database } = read;
  if (database.kind === 'postgres') return failWith(2, postgresText(database.url, file));
  try {
    await refuseForeignDatabase(database);
    printResult(database, file, await backUpDatabase(database.path, file));
  } catch (error) {
    if (error instanceof ForeignDatabase) return failWith(2, error.finding);
    failWith(1, `The database ${database.path} was not backed up to ${file}: ${errorReason(error)}`);
  }
}

function printResult(
  { path }: Extract<Database, { kind: 'sqlite' }>,
  file: string,
  result: BackupResult,
): void {
  switch (result.kind) {
    case 'exists':
      failWith(1, `${file} already exists. Choose another file name.`);
      break;
    case 'begun':
      failWith(
        1,
        `${result.partial} already exists: another backup is running, or one was interrupted. If none is running, delete this file and try again.`,
      );
      break;
    case 'damaged':
      failWith(1, `The copy is damaged and was removed: ${result.faults.slice(0, 3).join('; ')}`);
      break;
    case 'made': {
      const lines = [
        `Copied ${path} to ${file} (${result.bytes.toLocaleString('en')} bytes).`,
        'Integrity check: ok.',
        contentsText(result.rows),
        ...result.chains.map(chainText),
      ];
      process.stdout.write(`${lines.join('\n')}\n`);
      if (result.chains.some(({ kind }) => kind === 'broken')) process.exitCode = 1;
    }
  }
}

/** What people know of the tables; the others are Patchbay's own bookkeeping. */
const NOUNS: ReadonlyMap<string, readonly [one: string, many: string]> = new Map([
  ['audit', ['audit entry', 'audit entries']],
  ['requests', ['request', 'requests']],
  ['subscriptions', ['subscription', 'subscriptions']],
  ['silences', ['silence', 'silences']],
]);

/** `Contains 13 audit entries, 2 requests, 240 rows of other data.` Tables without rows are left out. */
function contentsText(rows: Extract<BackupResult, { kind: 'made' }>['rows']): string {
  const parts = [...NOUNS].flatMap(([name, [one, many]]) => {
    const count = rows.find(({ table }) => table === name)?.count ?? 0;
    return count === 0 ? [] : [countText(count, one, many)];
  });
  const others = rows.filter(({ table }) => !NOUNS.has(table)).reduce((sum, { count }) => sum + count, 0);
  return `Contains ${[...parts, countText(others, 'row of other data', 'rows of other data')].join(', ')}.`;
}

function countText(count: number, one: string, many: string): string {
  return `${count.toLocaleString('en')} ${count === 1 ? one : many}`;
}

/** PostgreSQL's own tool is better; the password stays out of the command, because shells store commands. */
function postgresText(url: Secret, file: string): string {
  return `DATABASE_URL is a PostgreSQL database. Back it up with pg_dump:\n  pg_dump --format=custom --file=${shellQuoted(file)} ${shellQuoted(withoutPassword(url))}\nIt asks for the password, or reads it from ~/.pgpass.`;
}

function withoutPassword(url: Secret): string {
  if (!URL.canParse(url.reveal())) return 'postgres://…';
  const address = new URL(url.reveal());
  address.password = '';
  for (const name of [...address.searchParams.keys()])
    if (/password/i.test(name)) address.searchParams.delete(name);
  return address.href;
}

/** Quotes the text as one word of a POSIX shell. */
function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

const AUDIT_USAGE = 'Usage: npm run audit -- verify [--file BACKUP]';

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
  if (verb !== 'verify' || rest.length > 0) return AUDIT_USAGE;
  if (option === undefined) {
    const read = readDatabaseVariable();
    return read.kind === 'fault' ? read.fault : read.value;
  }
  return option === '--file' && file !== undefined ? ({ kind: 'sqlite', path: file } as const) : AUDIT_USAGE;
}

function failWith(code: 1 | 2, line: string): void {
  process.stderr.write(`${line}\n`);
  process.exitCode = code;
}

/** The verdict on an audit chain, in one or two lines. */
export function chainText(verdict: ChainVerdict): string {
  const name = `Audit trail of organization ${verdict.organizationId}`;
  if (verdict.kind === 'broken')
    return `${name} is broken at entry ${verdict.sequence}: ${PROBLEM_TEXTS[verdict.problem]}`;
  const { entries, times, head } = verdict;
  if (times === null) return `${name} has no entries.`;
  const count = entries === 1 ? '1 entry' : `${entries.toLocaleString('en')} entries`;
  return `${name} is intact: ${count} from ${isoTime(times.first)} to ${isoTime(times.last)}.\nHash of the last entry: ${head}\nSave the number ${entries} and this hash outside the database. If entry ${entries} later has a hash in the CSV file of /fleet audit that does not start like this one, the trail was rewritten.`;
}

const PROBLEM_TEXTS: Readonly<Record<ChainProblem, string>> = {
  changed: 'this entry, or the one before it, was changed.',
  missing: 'this entry is missing.',
  unreadable: 'this entry cannot be read.',
  cut: 'this entry and those after it are missing.',
  head: 'the recorded end of the chain does not match this entry.',
  unrecorded: 'it and others are missing, because a stored request has no entry.',
};

function isoTime(at: Instant): string {
  return new Date(at).toISOString();
}
