/** A sandbox whose product kills itself where a test says so (`killable-product.ts`). */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync, type SQLOutputValue } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import type { FailpointName } from '../../../src/lib/failpoints.ts';
import { until } from '../../harness/until.ts';
import { type SandboxPeople, startSandboxPeople } from '../harness/sandbox-people.ts';

export const KILLABLE_PRODUCT = fileURLToPath(new URL('killable-product.ts', import.meta.url));

/** A failpoint, or the nth time that a process passes it. */
export type KillOrder = FailpointName | `${FailpointName} ${number}`;

export type KillableSandbox = SandboxPeople & {
  /** The product dies when it next reaches this failpoint, and each later start of it at the next one. */
  readonly killAt: (...steps: readonly KillOrder[]) => void;
  /** Those of them at which it did not die yet. */
  readonly killsLeft: () => string;
  /** The rows of a query on its database. */
  readonly query: (sql: string) => readonly Readonly<Record<string, SQLOutputValue>>[];
  /** Added to its configuration file from its next start on. */
  readonly configure: (yaml: string) => void;
};

export async function startKillableSandbox(): Promise<KillableSandbox> {
  const folder = mkdtempSync(join(tmpdir(), 'patchbay-kill-'));
  const order = join(folder, 'kill-at');
  const more = join(folder, 'more.yml');
  const database = join(folder, 'patchbay.sqlite');
  const people = await startSandboxPeople({
    entry: KILLABLE_PRODUCT,
    databaseUrl: `sqlite:${database}`,
  });
  return {
    ...people,
    killAt: (...steps) => writeFileSync(order, steps.join('\n')),
    killsLeft: () => (existsSync(order) ? readFileSync(order, 'utf8') : ''),
    query: (sql) => queryOf(database, sql),
    configure: (yaml) => writeFileSync(more, yaml),
    reset: async () => {
      for (const path of [order, more]) rmSync(path, { force: true });
      const answer = await people.reset();
      // The card about a new database passes failpoints too: it is posted first, so that a later one is not its own.
      await people.greeted();
      await until(() => isRecorded(database), { what: 'its record' });
      return answer;
    },
    stop: async () => {
      await people.stop();
      rmSync(folder, { recursive: true });
    },
  };
}

/** A message is visible before its post was recorded. */
function isRecorded(path: string): boolean {
  return queryOf(path, 'select 1 from cards where ts is null').length === 0;
}

function queryOf(path: string, sql: string) {
  const database = new DatabaseSync(path, { readOnly: true, timeout: 5_000 });
  try {
    return database.prepare(sql).all();
  } finally {
    database.close();
  }
}
