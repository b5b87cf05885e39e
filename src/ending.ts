/** How the process ends: in order when it is told to, and in any case in time. */
import { SECOND } from './clock.ts';
import type { Log } from './log.ts';

/**
 * How long a stop may take (wall time). Longer than a write to the service may take (20 s, `fleet/calls.ts`), so that the
 * answer to a command under way is not lost; shorter than what a supervisor should grant (30 s, README).
 */
export const STOP_WITHIN_MS = 25 * SECOND;

export type EndingOptions = {
  readonly stop: () => Promise<void>;
  readonly log: Log;
  /** Signals that end the process. */
  readonly signals: readonly ('SIGTERM' | 'SIGINT')[];
  readonly withinMs?: number;
};

/** Stops and ends the process with this code, or with 1 where the stop fails or takes too long. */
export type EndWith = (code: 0 | 1) => void;

/** Ends the process on these signals: with 0 after a stop, with 1 where that was cut short. A second one ends it at once. */
export function endOnSignals({ stop, log, signals, withinMs = STOP_WITHIN_MS }: EndingOptions): EndWith {
  let ending = false;
  const end: EndWith = (code) => {
    if (ending) return;
    ending = true;
    setTimeout(() => {
      log.error(
        { event: 'app.cut-short', withinMs },
        'the stop took too long: ending before all was finished',
      );
      process.exit(1);
    }, withinMs).unref();
    stop().then(
      () => {
        log.info({ event: 'app.stopped', code }, 'Patchbay has stopped');
        process.exit(code);
      },
      (error: unknown) => {
        log.error({ event: 'app.stop-failed', err: error }, 'the stop failed');
        process.exit(1);
      },
    );
  };
  for (const signal of signals) {
    process.on(signal, () => {
      if (ending) {
        log.warn({ event: 'app.stop-repeated', signal }, 'told to end again: ending at once');
        process.exit(1);
      }
      log.info({ event: 'app.stopping', signal, withinMs }, 'stopping: what runs is finished first');
      end(0);
    });
  }
  // A terminal that is closed is no reason to stop; supervisors send SIGTERM.
  process.on('SIGHUP', () => log.info({ event: 'app.hangup' }, 'SIGHUP is ignored; SIGTERM stops'));
  return end;
}
