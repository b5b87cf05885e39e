/** `npm start`: settings, then the product, until it is told to stop. */
import { type App, createApp } from './app.ts';
import { createClock } from './clock.ts';
import { type Config, readConfig, secretsOf } from './config.ts';
import { createLog, type Log } from './log.ts';
import { readConnectFailure, StartFailure } from './slack/sign-in.ts';
import { DatabaseFailure } from './store/failure.ts';
import { DatabaseInUse } from './store/instance-lock.ts';

/** How long a stop may take (wall time) before the process ends anyway. */
const STOP_WITHIN_MS = 10_000;

export async function start(): Promise<void> {
  const read = readConfig();
  if (read.kind === 'faults') {
    process.stderr.write(`${read.faults.join('\n')}\n`);
    process.exit(2);
  }
  const log = createLog({ level: read.config.logLevel, secrets: secretsOf(read.config) });
  const clock = createClock({ onError: (error) => log.error({ event: 'clock.task-failed', err: error }) });
  const app = createApp({ config: read.config, clock, log });
  endWhenTold(app.stop, log);
  await startOrEnd(app, read.config);
  log.info({ event: 'app.started' }, 'Patchbay is running');
}

/** Starts, or ends the process: with one line where somebody has to mend something, with the error where we do not know. */
export async function startOrEnd(app: Pick<App, 'start'>, config: Config): Promise<void> {
  try {
    await app.start();
  } catch (error) {
    const reason = startFailureText(error, config);
    if (reason === null) throw error;
    process.stderr.write(`${reason}\n`);
    process.exit(1);
  }
}

/** What stands in the way of a start, in one line; null where it is nothing that we know. */
function startFailureText(error: unknown, { host, port }: Config): string | null {
  const known = [StartFailure, DatabaseInUse, DatabaseFailure];
  if (error instanceof Error && known.some((kind) => error instanceof kind)) return error.message;
  if (error instanceof Error && 'syscall' in error && error.syscall === 'listen')
    return `PORT ${port} on ${host} cannot be had: ${error.message}`;
  return readConnectFailure(error)?.message ?? null;
}

/**
 * Ends the process on a signal, and on what nobody caught: a rejection that no one awaited leaves a state that
 * nobody knows, and the store was made for ends like that. A supervisor starts it again.
 */
function endWhenTold(stop: () => Promise<void>, log: Log): void {
  const end = (code: number) => {
    setTimeout(() => process.exit(code), STOP_WITHIN_MS).unref();
    stop().then(
      // Socket mode 3.1.0 goes on retrying a connection it was fetching when it was stopped (measured).
      () => process.exit(code),
      () => process.exit(1),
    );
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => end(0));
  for (const fault of ['unhandledRejection', 'uncaughtException'] as const) {
    process.once(fault, (error: unknown) => {
      log.fatal({ event: 'app.uncaught', err: error }, 'ending after an error that nobody caught');
      end(1);
    });
  }
}
