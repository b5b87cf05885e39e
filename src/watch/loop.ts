/** Polls at an interval on the clock, one turn at a time; after a failure the pause doubles up to a ceiling. */
import { type Clock, type Instant, later, MINUTE, SECOND, type Timer } from '../clock.ts';
import { FleetFailure } from '../fleet/fleet.ts';
import type { Log } from '../log.ts';
import type { IdsRestart } from './restart.ts';

export const POLL_INTERVAL_MS = 15 * SECOND;
const LONGEST_PAUSE_MS = 5 * MINUTE;

export type Watch = {
  readonly start: () => void;
  /** Waits for the running turn. */
  readonly stop: () => Promise<void>;
  /** Resolves after the first turn that succeeded: from then on every new event is told. */
  readonly ready: Promise<void>;
  readonly health: () => WatchHealth;
};
export type WatchHealth = {
  readonly lastSuccess: Instant | null;
  readonly failures: number;
  /** Not null: the service counts its event ids anew. */
  readonly restarted?: IdsRestart | null;
};

export type WatchOptions = {
  readonly clock: Clock;
  readonly log: Log;
  readonly turn: () => Promise<{ readonly taken: number; readonly alerts: number }>;
  /** Whether the service counts its event ids anew. */
  readonly restarted?: () => IdsRestart | null;
  /** Called after a turn that made alerts. */
  readonly kick: () => void;
};

export function createWatch({ clock, log, turn, kick, restarted }: WatchOptions): Watch {
  const { promise: ready, resolve: becomeReady } = Promise.withResolvers<void>();
  let timer: Timer | undefined;
  let running: Promise<void> = Promise.resolve();
  let stopped = true;
  let failures = 0;
  let lastSuccess: Instant | null = null;

  const once = async (): Promise<number> => {
    try {
      const { taken, alerts } = await turn();
      if (taken > 0) log.info({ event: 'watch.taken', taken, alerts }, 'new events');
      if (alerts > 0) kick();
      failures = 0;
      lastSuccess = clock.now();
      becomeReady();
      return POLL_INTERVAL_MS;
    } catch (error) {
      failures += 1;
      log.warn({ event: 'watch.failed', failures, err: error }, 'events not read');
      return pauseAfter(error, failures);
    }
  };
  const run = async (): Promise<void> => {
    const pause = await once();
    if (!stopped) timer = clock.at(later(clock.now(), pause), tick);
  };
  const tick = (): Promise<void> => {
    running = run();
    return running;
  };

  return {
    ready,
    start() {
      if (!stopped) return;
      stopped = false;
      timer = clock.at(clock.now(), tick);
    },
    async stop() {
      stopped = true;
      timer?.cancel();
      await running;
    },
    health: () => ({ lastSuccess, failures, restarted: restarted?.() ?? null }),
  };
}

/** How long to wait after a failure: what the service asked for, or twice as long as the last time. */
function pauseAfter(error: unknown, failures: number): number {
  const doubled = Math.min(POLL_INTERVAL_MS * 2 ** Math.min(failures - 1, 10), LONGEST_PAUSE_MS);
  const asked =
    error instanceof FleetFailure && error.error.kind === 'throttled' ? error.error.retryAfterMs : 0;
  return Math.max(doubled, asked);
}
