/** Where a schedule is played: a whole sandbox with its bots, and their database. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createSandbox } from '../../../src/sandbox/sandbox.ts';
import { type Client, createClient } from '../../harness/client.ts';
import { query } from '../../store/postgres.ts';
import { type Server, startServer } from '../../store/postgres-server.ts';
import type { TortureSetting } from '../plan/fault-themes.ts';
import type { RuleFile } from '../plan/rule-files.ts';
import { changeConfiguration, type FileChange, sharedFolder } from './configuration-folder.ts';
import { stopOrder } from './stopping-product.ts';

export type TortureStage = TortureSetting & {
  readonly client: Client;
  readonly databaseUrl: string;
  /** Faults of PostgreSQL; nothing on SQLite. */
  readonly trouble: (how: 'cut' | 'restart' | 'expire') => Promise<void>;
  /** Whether the process that claims next stands still right after it. */
  readonly stopAtClaim: (isOrdered: boolean) => Promise<void>;
  /** The file that the bots read. */
  readonly changeConfiguration: (how: FileChange, file: RuleFile) => Promise<void>;
  /** The bots' output. */
  readonly lines: readonly string[];
  readonly stop: () => Promise<void>;
};

export type TortureStages = {
  readonly open: () => Promise<TortureStage>;
  readonly stop: () => Promise<void>;
};

/** Smaller than the sandbox's usual fleet, so that a start is short on a busy machine. */
export const DEVICES = 80;
const ENTRY = fileURLToPath(new URL('stopping-product.ts', import.meta.url));
const CUT =
  'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()';
const EXPIRE = 'update work set lease_until = 0 where lease_until is not null';

/** Fresh stages; they share one PostgreSQL server. */
export async function createTortureStages(setting: TortureSetting): Promise<TortureStages> {
  const folder = await mkdtemp(join(tmpdir(), 'patchbay-torture-'));
  const server = setting.database === 'postgres' ? await startServer() : null;
  let opened = 0;
  return {
    async open() {
      opened += 1;
      const database = await freshDatabase(folder, server, opened);
      return openStage(setting, database);
    },
    async stop() {
      await server?.stop();
      await rm(folder, { recursive: true, force: true, maxRetries: 3 });
    },
  };
}

type FreshDatabase = Pick<TortureStage, 'databaseUrl' | 'trouble'>;

async function freshDatabase(folder: string, server: Server | null, number: number): Promise<FreshDatabase> {
  if (server === null) {
    const databaseUrl = `sqlite:${join(folder, `round-${number}`, 'patchbay.sqlite')}`;
    return { databaseUrl, trouble: async () => undefined };
  }
  await query(server.url, `create database round_${number}`);
  const url = new URL(server.url);
  url.pathname = `round_${number}`;
  return {
    databaseUrl: url.href,
    trouble: async (how) => {
      if (how === 'restart') await server.restart();
      else await query(url.href, how === 'cut' ? CUT : EXPIRE);
    },
  };
}

async function openStage(
  setting: TortureSetting,
  { databaseUrl, trouble }: FreshDatabase,
): Promise<TortureStage> {
  const lines: string[] = [];
  const { address, stop } = await createSandbox({
    port: 0,
    devices: DEVICES,
    databaseUrl,
    entry: ENTRY,
    logLevel: 'info',
    onLine: (line) => lines.push(line),
  });
  const shared = sharedFolder(databaseUrl);
  const stopAll = async () => {
    await stop();
    await rm(shared, { recursive: true, force: true });
  };
  const client = createClient(address);
  try {
    if (setting.replicas > 1) await client.bot({ do: 'start', count: setting.replicas });
  } catch (error) {
    await stopAll();
    throw error;
  }
  const stopAtClaim = (isOrdered: boolean) =>
    isOrdered ? writeFile(stopOrder(databaseUrl), '') : rm(stopOrder(databaseUrl), { force: true });
  return {
    ...{ ...setting, client, databaseUrl, trouble, stopAtClaim, lines },
    changeConfiguration: (how, file) => changeConfiguration(shared, how, file),
    stop: stopAll,
  };
}
