/** How the process ends: in order when it is told to, and in any case in time. */
import { type Clock, createClock, type Instant, later, SECOND } from './clock.ts';
import type { Log } from './log.ts';

/**
 * How long a stop may take (wall time). Longer than a write to the service may take (20 s, `fleet/http/calls.ts`), so that the
 * answer to a command under way is not lost; shorter than what a supervisor should grant (30 s, README).
 */
export const STOP_WITHIN_MS = 25 * SECOND;
/**
 * One request to end can arrive several times: a terminal and systemd signal every process of the group, and npm and
 * `runtime.js` pass their copy on.
 */
const SAME_REQUEST_MS = SECOND;

export type ShutdownOptions = {
  readonly stop: () => Promise<void>;
  readonly log: Log;
  /** Signals that end the process. */
  readonly signals: readonly ('SIGTERM' | 'SIGINT')[];
  /** Ticks with wall time. */
  readonly clock?: Pick<Clock, 'now' | 'at'>;
  readonly process?: SignalProcess;
};

/** What is needed of the process that ends. */
export type SignalProcess = {
  readonly on: (signal: NodeJS.Signals, heard: () => void) => void;
  readonly exit: (code: 0 | 1) => void;
};
const THIS_PROCESS: SignalProcess = {
  on: (signal, heard) => void process.on(signal, heard),
  exit: (code) => process.exit(code),
};

/** Stops and ends the process with this code, or with 1 where the stop fails or takes too long. */
export type ExitWith = (code: 0 | 1) => void;

/** Ends the process on these signals: with 0 after a stop, with 1 where that was cut short. A second one ends it at once. */
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
    // A fault during the stop counts, too.
    if (code === 1) exitCode = 1;
    if (isExiting) return;
    isExiting = true;
    // Keeps the process alive: a stop that waits for nothing any more is cut short as well.
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
  // A terminal that is closed is no reason to stop; supervisors send SIGTERM.
  on('SIGHUP', () => log.info({ event: 'app.hangup' }, 'SIGHUP ignored: send SIGTERM to stop'));
  return exitAfterStop;
}
