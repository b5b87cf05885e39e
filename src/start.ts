/** `npm start`: reads the settings and runs the product until it is told to stop. */
import { type App, createApp } from './app.ts';
import { compileRules } from './commands/rules/compile-rules.ts';
import {
  type Config,
  mistypedVariableText,
  readConfig,
  readMistypedVariables,
  secretsOf,
  settingsFaultText,
} from './config/config.ts';
import { createClock } from './lib/clock.ts';
import { createLog, type Log } from './lib/log.ts';
import { NotStored } from './lib/not-stored.ts';
import { type ExitWith, exitOnSignals, StartAborted } from './lib/shutdown.ts';
import { StartupError, startupErrorOf } from './slack/web-api/slack-web.ts';
import { DatabaseFailure, ForeignDatabase } from './store/engines/database-files.ts';
import { DatabaseInUse } from './store/engines/sqlite.ts';

/** Exits with code 2 for invalid settings, naming all of them. */
export async function start(): Promise<void> {
  const read = readConfig();
  const mistyped = readMistypedVariables();
  if (read.kind === 'faults') {
    process.stderr.write(settingsFaultText(read.faults, mistyped));
    process.exit(2);
  }
  const ruleFaults = faultsOfRules(read.config);
  if (ruleFaults.length > 0) {
    process.stderr.write(settingsFaultText(ruleFaults, mistyped));
    process.exit(2);
  }
  const log = createLog({ level: read.config.logLevel, secrets: secretsOf(read.config) });
  for (const one of mistyped) log.warn({ event: 'settings.mistyped', ...one }, mistypedVariableText(one));
  const clock = createClock({
    onError: (error) => log.error({ event: 'clock.task-failed', err: error }, 'timed task failed'),
  });
  const app = createApp({ config: read.config, clock, log, onFatal: (reason) => exitFor(reason) });
  // Its outcome is logged.
  const onHangup = () => void app.reload().catch(() => undefined);
  const exitWith = exitOnSignals({ stop: app.stop, log, signals: ['SIGINT', 'SIGTERM'], onHangup });
  const exitFor = exitWithReason(exitWith, log);
  exitOnUncaught(exitWith, log);
  if (await startOrExit(app, read.config)) log.info({ event: 'app.started' }, 'Patchbay is running');
}

/** Which devices a rule means is read by the language of commands, so after the settings. */
function faultsOfRules({ configuration }: Config): readonly string[] {
  const compiled = compileRules(configuration);
  return compiled.kind === 'rules' ? [] : compiled.faults.map((fault) => `PATCHBAY_CONFIG: ${fault}`);
}

/** Exits with code 1 for a problem that a person must fix. A supervisor that restarts it gets the same line. */
export function exitWithReason(exitWith: ExitWith, log: Log): (reason: string) => void {
  return (reason) => {
    log.fatal({ event: 'app.fatal', reason }, reason);
    exitWith(1);
  };
}

/** One line for a problem that a person has to fix, else the error. False: a stop overtook the start, and exits. */
export async function startOrExit(app: Pick<App, 'start'>, config: Config): Promise<boolean> {
  try {
    await app.start();
    return true;
  } catch (error) {
    if (error instanceof StartAborted) return false;
    const reason = startFailureText(error, config);
    if (reason === null) throw error;
    process.stderr.write(`${reason}\n`);
    process.exit(error instanceof ForeignDatabase ? 2 : 1);
  }
}

/** What prevents a start, in one line; null when the error is unknown. */
function startFailureText(error: unknown, { host, port }: Config): string | null {
  const known = [StartupError, DatabaseInUse, DatabaseFailure, ForeignDatabase, NotStored];
  if (error instanceof Error && known.some((kind) => error instanceof kind)) return error.message;
  if (error instanceof Error && 'syscall' in error && error.syscall === 'listen')
    return `PORT ${port} on ${host} is not available: ${error.message}`;
  return startupErrorOf(error)?.message ?? null;
}

/** A rejection that nobody awaited leaves an unknown state, and the store survives such exits. */
function exitOnUncaught(exitWith: ExitWith, log: Log): void {
  for (const fault of ['unhandledRejection', 'uncaughtException'] as const) {
    process.once(fault, (error: unknown) => {
      log.fatal({ event: 'app.uncaught', err: error }, 'exiting after an uncaught error');
      exitWith(1);
    });
  }
}
