/** Sets up the product in a sandbox: settings, ports, processes, and the database. */

import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Client } from 'pg';
import { stringify } from 'yaml';
import type { Clock } from '../../lib/clock.ts';
import type { ManagementOptions, ManagementService, Workspace } from '../contracts/services.ts';
import { listenOnLoopback } from '../wire/listen.ts';
import { createProcessHealthLog, createProductProcess, type ProductProcess } from './product-process.ts';

type ProductSetupOptions = {
  readonly clock: Pick<Clock, 'now'>;
  readonly management: ManagementService;
  readonly workspace: Workspace;
  readonly temporaryFolder: Awaited<ReturnType<typeof createTemporaryFolder>>;
  /** The service's profile; absent: live, which the product expects. */
  readonly profile?: ManagementOptions['profile'];
  readonly transport: 'socket' | 'http';
  readonly logLevel: string;
  readonly entry?: string;
  readonly onLine: (line: string) => void;
  /** Called when a process has started or ended. */
  readonly onChange: () => void;
};

export type ProductSetup = Awaited<ReturnType<typeof createProductSetup>>;

/** Prepares the product; no process runs yet. */
export async function createProductSetup(options: ProductSetupOptions) {
  const { workspace, temporaryFolder, onChange } = options;
  const health = createProcessHealthLog(options.clock);
  const onLine = (line: string): void => {
    health.line(line);
    options.onLine(line);
  };
  const firstConfiguration = configurationFile(workspace);
  const configurationPath = await temporaryFolder.writeConfiguration(firstConfiguration);
  await prepareDatabase(temporaryFolder.databaseUrl);
  const urls: string[] = [];
  /** Address of the first running process, or the one it will use. */
  const botUrl = (): string | null => urls[bots.running()[0] ?? 0] ?? null;
  const changed = (): void => {
    if (options.transport === 'http') workspace.setBotUrl(botUrl());
    onChange();
  };
  const bots = createProductReplicas(async (index) => {
    const port = await freePort();
    urls[index] = `http://127.0.0.1:${port}`;
    return createProductProcess({
      env: productSettings({ ...options, databaseUrl: temporaryFolder.databaseUrl, configurationPath, port }),
      clock: options.clock,
      ...(options.entry === undefined ? {} : { entry: options.entry }),
      onLine,
      onExit: ({ how, wanted }) => {
        health.exit({ how, wanted });
        if (!wanted) onLine(`sandbox: the bot exited unexpectedly (${how})`);
        changed();
      },
    });
  }, changed);
  return {
    ...bots,
    botUrl,
    health: health.read,
    configuration: {
      read: () => readFile(configurationPath, 'utf8'),
      /** Resolves with the faults for which a running process refused the file. */
      async write(text: string): Promise<readonly string[]> {
        await temporaryFolder.writeConfiguration(text);
        return bots.reload();
      },
    },
    /** Deletes everything that the product has stored, and puts its first configuration file back; only while none of it runs. */
    async restore(): Promise<void> {
      await emptyDatabase(temporaryFolder.databaseUrl);
      await temporaryFolder.writeConfiguration(firstConfiguration);
    },
  };
}

/** A free port; each process keeps its own, so that its address stays the same. */
async function freePort(): Promise<number> {
  const { port, stop } = await listenOnLoopback(() => undefined);
  await stop();
  return port;
}

/** The configuration file of this workspace: roles by user id, by several user ids, and by user group. */
export function configurationFile(workspace: Pick<Workspace, 'users' | 'channels' | 'userGroups'>): string {
  const user = (name: string) => idOf(workspace.users(), name);
  const channel = (name: string) => idOf(workspace.channels(), name);
  const groups = workspace.userGroups().map(({ id, handle }) => ({ id, name: handle.replace(/^@/, '') }));
  return stringify({
    roles: {
      viewer: [user('viewer')],
      operator: [user('operator'), user('operator2')],
      approver: [idOf(groups, 'fleet-approvers'), idOf(groups, 'production-approvers')],
      admin: [user('admin')],
    },
    channels: {
      approvals: channel('approvals'),
      patchAlerts: channel('patch-alerts'),
      newDevices: channel('new-devices'),
    },
  });
}

type ProductSettingsOptions = Pick<
  ProductSetupOptions,
  'management' | 'workspace' | 'profile' | 'transport' | 'logLevel'
> & {
  readonly databaseUrl: string;
  readonly configurationPath: string;
  readonly port: number;
};

/** The product's environment variables; none is taken from this machine. */
export function productSettings(options: ProductSettingsOptions): Readonly<Record<string, string>> {
  const { management, workspace, profile, transport } = options;
  return {
    FLEET_BASE_URL: management.baseUrl,
    FLEET_API_KEY: management.apiKey,
    FLEET_ORGANIZATION: String(management.organizationId),
    // No console runs there: the address only makes links to devices testable.
    FLEET_CONSOLE_URL: 'https://console.example.com/device/{id}',
    ...(profile === undefined ? {} : { FLEET_DIALECT: profile }),
    SLACK_BOT_TOKEN: workspace.botToken,
    ...(transport === 'socket'
      ? { SLACK_APP_TOKEN: workspace.appToken }
      : { SLACK_SIGNING_SECRET: workspace.signingSecret }),
    SLACK_API_URL: workspace.apiUrl,
    DATABASE_URL: options.databaseUrl,
    PORT: String(options.port),
    LOG_LEVEL: options.logLevel,
    PATCHBAY_CONFIG: options.configurationPath,
  };
}

function idOf(known: readonly { readonly id: string; readonly name: string }[], name: string): string {
  const found = known.find((one) => one.name === name);
  if (!found) throw new Error(`the workspace has no ${name}`);
  return found.id;
}

/** SQLite's files and the lock files of the store's instance lock. */
const SQLITE_FILES = ['', '-wal', '-shm', '-journal', '.lock.db', '.lock.db-journal'];

/** Makes the folder of a SQLite database; PostgreSQL needs none. */
export async function prepareDatabase(url: string): Promise<void> {
  if (url.startsWith('sqlite:')) await mkdir(dirname(sqlitePath(url)), { recursive: true });
}

/** Empties the database: removes the SQLite files, or drops and recreates PostgreSQL's schema `public`. */
export async function emptyDatabase(url: string): Promise<void> {
  if (url.startsWith('sqlite:')) {
    const path = sqlitePath(url);
    await Promise.all(SQLITE_FILES.map((suffix) => rm(`${path}${suffix}`, { force: true })));
    return;
  }
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query('DROP SCHEMA IF EXISTS public CASCADE; CREATE SCHEMA public');
  } finally {
    await client.end();
  }
}

function sqlitePath(url: string): string {
  return url.slice('sqlite:'.length);
}

/** A folder for a sandbox's state, removed when it stops; with the database in it unless another one is given. */
export async function createTemporaryFolder(databaseUrl?: string) {
  const folder = await mkdtemp(join(tmpdir(), 'patchbay-sandbox-'));
  return {
    databaseUrl: databaseUrl ?? `sqlite:${join(folder, 'state', 'patchbay.sqlite')}`,
    /** A reader sees the file before or the whole new one. */
    async writeConfiguration(text: string): Promise<string> {
      const path = join(folder, 'patchbay.yml');
      await writeFile(`${path}.new`, text);
      await rename(`${path}.new`, path);
      return path;
    },
    remove: () => rm(folder, { recursive: true, force: true, maxRetries: 3 }),
  };
}

/** Selects the newest `count` processes, or the one with this index; without options, all. */
type ReplicaSelection = { readonly count?: number; readonly index?: number };
export type ReplicaStartOptions = ReplicaSelection & {
  /** Offset of the wall clock that newly started processes see. */
  readonly skewMs?: number;
};

export type ProductReplicas = ReturnType<typeof createProductReplicas>;

/**
 * The product's processes: usually one, several to test how replicas share one database. Made on demand: `make(place)` creates the one with this index and its own settings. `onStart` is called
 * when processes have started, before they are ready.
 */
export function createProductReplicas(
  make: (place: number) => Promise<ProductProcess>,
  onStart: () => void = () => undefined,
) {
  const bots: ProductProcess[] = [];
  const placesOf = (is: (bot: ProductProcess) => boolean) =>
    bots.flatMap((bot, place) => (is(bot) ? [place] : []));
  const at = async (place: number): Promise<ProductProcess> => {
    for (let next = bots.length; next <= place; next += 1) bots.push(await make(next));
    const bot = bots[place];
    if (!bot) throw new RangeError(`no place ${place}`);
    return bot;
  };
  const idle = (): Promise<ProductProcess> => {
    const free = bots.findIndex((bot) => !bot.running());
    return at(free === -1 ? bots.length : free);
  };
  const toEach =
    (how: 'stop' | 'kill' | 'pause' | 'resume' | 'hangup', suits: (bot: ProductProcess) => boolean) =>
    async ({ count, index }: ReplicaSelection = {}): Promise<void> => {
      const fit = bots.filter((bot, place) => suits(bot) && (index === undefined || place === index));
      await Promise.all(
        fit
          .toReversed()
          .slice(0, count)
          .map((bot) => bot[how]()),
      );
    };
  const runs = (bot: ProductProcess) => bot.running();
  return {
    /** Starts processes until `count` run, or the one with this index, and waits until all are ready. */
    async start({ count = 1, index, skewMs }: ReplicaStartOptions = {}): Promise<void> {
      const starting = index === undefined ? bots.filter(runs).map((bot) => bot.start()) : [];
      if (index !== undefined) starting.push((await at(index)).start(skewMs));
      while (index === undefined && starting.length < count) {
        const bot = await idle();
        starting.push(bot.start(skewMs));
      }
      onStart();
      await Promise.all(starting);
    },
    stop: toEach('stop', runs),
    /** Stops all; the first one rests, if it can, so that the next start is faster. */
    async rest(): Promise<void> {
      const [first, ...others] = bots;
      const isResting = first?.rest() ?? Promise.resolve(false);
      await Promise.all([...others.map((bot) => bot.stop()), isResting]);
      if (!(await isResting)) await first?.stop();
    },
    kill: toEach('kill', runs),
    hangup: toEach('hangup', runs),
    pause: toEach('pause', (bot) => bot.running() && !bot.paused()),
    resume: toEach('resume', (bot) => bot.paused()),
    /** Indexes of the running processes; paused ones count as running. */
    running: (): readonly number[] => placesOf(runs),
    paused: (): readonly number[] => placesOf((bot) => bot.paused()),
    /** Moves every running process to the sandbox's time. */
    catchUp: async (): Promise<void> => {
      await Promise.all(bots.map((bot) => bot.waitForClock()));
    },
    /** Every running process reads its configuration file; resolves with the faults of any. */
    reload: async (): Promise<readonly string[]> => {
      const faults = await Promise.all(bots.map((bot) => bot.reload()));
      return [...new Set(faults.flat())];
    },
  };
}
