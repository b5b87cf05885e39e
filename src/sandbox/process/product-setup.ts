/** Sets up the product in a sandbox: settings, ports, processes, and the database. */
import type { Clock } from '../../lib/clock.ts';
import type { ManagementService, Workspace } from '../contracts/services.ts';
import { listenOnLoopback } from '../wire/listen.ts';
import { createProcessHealthLog, type ProcessHealth } from './process-health.ts';
import { emptyDatabase, prepareDatabase } from './product-database.ts';
import { createProductProcess } from './product-process.ts';
import { createProductReplicas, type ProductReplicas } from './product-replicas.ts';
import { configurationFile, type ProductSettingsOptions, productSettings } from './product-settings.ts';
import type { TemporaryFolder } from './temporary-folder.ts';

export type ProductSetupOptions = {
  readonly clock: Pick<Clock, 'now'>;
  readonly management: ManagementService;
  readonly workspace: Workspace;
  readonly temporaryFolder: TemporaryFolder;
  readonly profile?: ProductSettingsOptions['profile'];
  readonly transport: 'socket' | 'http';
  readonly logLevel: string;
  readonly entry?: string;
  readonly onLine: (line: string) => void;
  /** Called when a process has started or ended. */
  readonly onChange: () => void;
};

export type ProductSetup = ProductReplicas & {
  /** Address of the first running process, or the one it will use. */
  readonly botUrl: () => string | null;
  readonly health: () => ProcessHealth;
  /** Deletes everything that the product has stored; only while none of it runs. */
  readonly emptyDatabase: () => Promise<void>;
};

/** Prepares the product; no process runs yet. */
export async function createProductSetup(options: ProductSetupOptions): Promise<ProductSetup> {
  const { workspace, temporaryFolder, onChange } = options;
  const health = createProcessHealthLog(options.clock);
  const onLine = (line: string): void => {
    health.line(line);
    options.onLine(line);
  };
  const configurationPath = await temporaryFolder.writeConfiguration(configurationFile(workspace));
  await prepareDatabase(temporaryFolder.databaseUrl);
  const urls: string[] = [];
  const botUrl = () => urls[bots.running()[0] ?? 0] ?? null;
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
  const empty = () => emptyDatabase(temporaryFolder.databaseUrl);
  return { ...bots, botUrl, health: health.read, emptyDatabase: empty };
}

/** A free port; each process keeps its own, so that its address stays the same. */
async function freePort(): Promise<number> {
  const { port, stop } = await listenOnLoopback(() => undefined);
  await stop();
  return port;
}
