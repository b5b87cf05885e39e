/** `npm start` as a process of its own beside a sandbox, to see how it ends. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { Client } from './client.ts';
import { ENTRY } from './entry.ts';
import { settingsOf } from './product-settings.ts';
import { until } from './until.ts';

/** What a sandbox runs instead of its bot where products are started beside it: it is ready at once and does nothing. */
export const IDLE_BOT = fileURLToPath(new URL('../sandbox/process/fake-product.ts', import.meta.url));

/** A start loads the whole product, beside others that start: twenty seconds on a busy machine (measured). */
const START = { timeoutMs: 90_000, what: 'a start' };

export type ProductRun = {
  readonly lines: readonly string[];
  readonly signal: (signal: NodeJS.Signals) => void;
  /** Its exit code, or the signal that ended it. */
  readonly ended: Promise<number | NodeJS.Signals | null>;
  readonly isReady: () => Promise<void>;
};

export type ProductRuns = {
  readonly env: Readonly<Record<string, string>>;
  /** Starts one; all share a database. */
  readonly start: (env?: Readonly<Record<string, string>>) => ProductRun;
  /** Kills the running ones. */
  readonly kill: () => Promise<void>;
  readonly stop: () => Promise<void>;
};

/** Products that join the services of this sandbox, whose own bot is stopped. */
export async function runProducts(sandbox: Client): Promise<ProductRuns> {
  await sandbox.bot({ do: 'stop' });
  const folder = mkdtempSync(join(tmpdir(), 'patchbay-product-'));
  const env = { ...(await settingsOf(sandbox, folder)), LOG_LEVEL: 'info' };
  const children: ChildProcess[] = [];
  const kill = async () => {
    const running = children.filter(({ exitCode, signalCode }) => exitCode === null && signalCode === null);
    const ends = running.map((child) => once(child, 'close'));
    for (const child of running) child.kill('SIGKILL');
    await Promise.all(ends);
  };
  return {
    env,
    start(changes = {}) {
      const child = spawn(process.execPath, [ENTRY, 'start'], { env: { ...env, ...changes } });
      children.push(child);
      const lines: string[] = [];
      for (const stream of [child.stdout, child.stderr])
        createInterface({ input: stream }).on('line', (line) => lines.push(line));
      return {
        lines,
        signal: (signal) => child.kill(signal),
        ended: once(child, 'close').then(([code, signal]) => code ?? signal),
        isReady: async () => {
          await until(() => lines.some((line) => line.includes('app.started')), START).catch(
            (cause: unknown) => {
              throw new Error(`no start:\n${lines.join('\n')}`, { cause });
            },
          );
        },
      };
    },
    kill,
    async stop() {
      await kill();
      rmSync(folder, { recursive: true });
    },
  };
}
