/** Puts the product to work in a sandbox: its settings, its ports, its processes, and the database behind them. */
import type { Clock } from '../clock.ts';
import { createBot } from './bot.ts';
import { type BotHealth, createHealthRecord } from './bot-health.ts';
import { type Bots, createBots } from './bots.ts';
import type { Management, Workspace } from './contracts.ts';
import { emptyDatabase, prepareDatabase } from './database.ts';
import { policyFile, productSettings, type SettingsOptions } from './settings.ts';
import { listen } from './wire/listen.ts';
import type { Workplace } from './workplace.ts';

export type CrewOptions = {
  readonly clock: Pick<Clock, 'now'>;
  readonly management: Management;
  readonly workspace: Workspace;
  readonly workplace: Workplace;
  readonly profile?: SettingsOptions['profile'];
  readonly transport: 'socket' | 'http';
  readonly logLevel: string;
  readonly entry?: string;
  readonly onLine: (line: string) => void;
  /** Called when a process has begun or ended. */
  readonly onChange: () => void;
};

export type Crew = Bots & {
  /** Where the first running process listens, or where it will. */
  readonly botUrl: () => string | null;
  readonly health: () => BotHealth;
  /** Forgets all that the product has stored; only while none of it runs. */
  readonly emptyDatabase: () => Promise<void>;
};

/** A crew of which nobody works yet. */
export async function createCrew(options: CrewOptions): Promise<Crew> {
  const { workspace, workplace, onChange } = options;
  const health = createHealthRecord(options.clock);
  const onLine = (line: string): void => {
    health.line(line);
    options.onLine(line);
  };
  const policyPath = await workplace.writePolicy(policyFile(workspace));
  await prepareDatabase(workplace.databaseUrl);
  const urls: string[] = [];
  const botUrl = () => urls[bots.running()[0] ?? 0] ?? null;
  const changed = (): void => {
    if (options.transport === 'http') workspace.setBotUrl(botUrl());
    onChange();
  };
  const bots = createBots(async (place) => {
    const port = await freePort();
    urls[place] = `http://127.0.0.1:${port}`;
    return createBot({
      env: productSettings({ ...options, databaseUrl: workplace.databaseUrl, policyPath, port }),
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
  const empty = () => emptyDatabase(workplace.databaseUrl);
  return { ...bots, botUrl, health: health.read, emptyDatabase: empty };
}

/** A port that nobody uses now; each process keeps its own, so that its address stays the same. */
async function freePort(): Promise<number> {
  const { port, stop } = await listen(() => undefined);
  await stop();
  return port;
}
