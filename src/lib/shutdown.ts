/** How the process exits: in order when it is asked to, and always in time. */
import { type Clock, createClock, type Instant, later, SECOND } from './clock.ts';
import type { Log } from './log.ts';

/**
 * How long a shutdown may take (wall time). Longer than a write to the service may take (20 s,
 * `fleet/http/calls.ts`), so that the answer to a running command is not lost; shorter than what a supervisor should
 * allow (30 s, `config/README.md`).
 */
export const STOP_WITHIN_MS = 25 * SECOND;
/**
 * One request to stop can arrive several times: a terminal and systemd signal every process of the group, and npm and
 * `runtime.js` pass their copy on.
 */
const SAME_REQUEST_MS = SECOND;

export type ShutdownOptions = {
  readonly stop: () => Promise<void>;
  readonly log: Log;
  readonly signals: readonly ('SIGTERM' | 'SIGINT')[];
  /** Ticks with wall time. */
  readonly clock?: Pick<Clock, 'now' | 'at'>;
  readonly process?: SignalProcess;
};

export type SignalProcess = {
  readonly on: (signal: NodeJS.Signals, heard: () => void) => void;
  readonly exit: (code: 0 | 1) => void;
};
const THIS_PROCESS: SignalProcess = {
  on: (signal, heard) => void process.on(signal, heard),
  exit: (code) => process.exit(code),
};

/** Shuts down and exits with this code, or with 1 where the shutdown fails or takes too long. */
export type ExitWith = (code: 0 | 1) => void;

/** Exits on these signals: with 0 after a shutdown, with 1 when it was cut short. A second signal exits at once. */
export function exitOnSignals({
  stop,
  log,
  signals,
  clock = createClock(),
  process: { on, exit } = THIS_PROCESS,
}: ShutdownOptions): ExitWith {
  let isExiting = false;
  let exitCode: 0 | 1 = 0;
  let signalledAt: Instant | null = null;

  const finish = async (): Promise<void> => {
    try {
      await stop();
      log.info({ event: 'app.stopped', code: exitCode }, 'Patchbay stopped');
    } catch (error) {
      exitCode = 1;
      log.error({ event: 'app.stop-failed', err: error }, 'shutdown failed');
    }
    exit(exitCode);
  };
  const exitAfterStop: ExitWith = (code) => {
    // A failure during the shutdown counts too.
    if (code === 1) exitCode = 1;
    if (isExiting) return;
    isExiting = true;
    // Keeps the process alive, so that a shutdown that hangs with nothing pending is cut short as well.
    clock.at(later(clock.now(), STOP_WITHIN_MS), () => {
      log.error(
        { event: 'app.cut-short', withinMs: STOP_WITHIN_MS },
        'shutdown timed out: exiting before everything finished',
      );
      exit(1);
    });
    void finish();
  };
  for (const signal of signals) {
    on(signal, () => {
      if (signalledAt === null) {
        signalledAt = clock.now();
        log.info(
          { event: 'app.stopping', signal, withinMs: STOP_WITHIN_MS },
          'shutting down: finishing running work first',
        );
        exitAfterStop(0);
      } else if (clock.now() >= later(signalledAt, SAME_REQUEST_MS)) {
        log.warn({ event: 'app.stop-repeated', signal }, 'second stop signal: exiting now');
        exit(1);
      }
    });
  }
  // A closed terminal is no reason to stop; supervisors send SIGTERM.
  on('SIGHUP', () => log.info({ event: 'app.hangup' }, 'SIGHUP ignored: send SIGTERM to stop'));
  return exitAfterStop;
}
