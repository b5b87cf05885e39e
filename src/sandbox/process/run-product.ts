/**
 * Runs the product in the sandbox: the same environment variables, the same `createApp`, and a clock that the sandbox
 * moves.
 */
import { flushCompileCache } from 'node:module';
import { type App, type AppOptions, createApp } from '../../app.ts';
import { type Config, readConfig, secretsOf } from '../../config/config.ts';
import type { MovableClock } from '../../lib/clock.ts';
import { createLog } from '../../lib/log.ts';
import { exitWithReason, startOrExit } from '../../start.ts';
import { connectToParent } from './parent-link.ts';

/** `onFailpoint` is called at the product's failpoints; a test's own entry file ends the process there. */
type ProductOptions = Pick<AppOptions, 'onFailpoint' | 'callTimeoutMs'> & {
  /** Whether a reset may start it again in this process; default true. */
  readonly canRest?: boolean;
};

/** Runs the product in this process, which the sandbox forked, until it is told to end. */
export async function runProduct({ canRest = true, ...options }: ProductOptions = {}): Promise<void> {
  const first = readConfigOrExit();
  const log = createLog({ level: first.logLevel, secrets: secretsOf(first) });
  let app: App | null = null;
  const parent = connectToParent({
    onClockError: (error) => log.error({ err: error }, 'a timed task failed'),
    reload: async () => [...((await app?.reload()) ?? [])],
  });
  const stop = async () => app?.stop();
  const onHangup = () => void app?.reload().catch(() => undefined);
  const onFatal = exitWithReason(parent.endWith({ stop, onHangup, log }), log);
  const start = async (clock: MovableClock): Promise<void> => {
    // Read at each start: a reset has put another configuration file there.
    const config = readConfigOrExit();
    app = createApp({ config, clock, log, onFatal, ...options });
    if (!(await startOrExit(app, config))) return;
    await app.ready();
    // Now, because a process that is killed keeps nothing at its end.
    flushCompileCache();
    parent.reportReady(canRest ? { stop, start } : undefined);
  };
  await start(await parent.clock);
}

function readConfigOrExit(): Config {
  const read = readConfig();
  if (read.kind === 'config') return read.config;
  process.stderr.write(`${read.faults.join('\n')}\n`);
  process.exit(2);
}
