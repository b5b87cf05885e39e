/**
 * Runs work that falls due: sleeps on the clock until something is due, claims it, runs its handlers. Any number of
 * workers may share a database. Work runs at least once, so a handler must tolerate a second run.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { type Clock, type Instant, instant, later, SECOND, type Timer } from '../../lib/clock.ts';
import type { Log } from '../../lib/log.ts';
import { type ClaimedWork, WORK_LEASE_MS, type WorkKind } from '../port/records.ts';
import type { Store } from '../port/store.ts';
import { WORK_KINDS } from '../tables/row-schemas.ts';
import { createWorkHandling, type WorkHandlers, workName } from './work-handling.ts';

export type { WorkHandler, WorkHandlers, WorkResult } from './work-handling.ts';

export type WorkerOptions = {
  readonly store: Pick<Store, 'work'>;
  readonly clock: Clock;
  /** Only work with a handler here is claimed. */
  readonly handlers: WorkHandlers;
  readonly log: Log;
  /** How many handlers run at once. */
  readonly concurrency?: number;
  /** How long a dead worker's rows stay leased on PostgreSQL, by the database's time. */
  readonly leaseMs?: number;
  /**
   * Called with the error of a handler (its work is tried again), or with null work when reading the database failed.
   */
  readonly onError: (error: unknown, work: ClaimedWork | null) => void;
};

export type Worker = {
  readonly start: () => void;
  /** Stops claiming and waits for running handlers. May be called again. */
  readonly stop: () => Promise<void>;
  /** Looks for work now: called after a commit that scheduled due work. */
  readonly wake: () => void;
  /** Resolves when no work is due and no handler runs. */
  readonly settled: () => Promise<void>;
};

/** Maximum sleep: other replicas schedule work too, and dead ones leave leases that expire. */
const MAX_SLEEP = 30 * SECOND;
/** Sleep when due work can't be claimed, because another replica is claiming it or the database does not answer. */
const SHORT_SLEEP = SECOND;

/** A worker that claims nothing before `start`. */
export function createWorker(options: WorkerOptions): Worker {
  const { store, clock, concurrency = 8, leaseMs = WORK_LEASE_MS, onError } = options;
  const { handle, postpone } = createWorkHandling({ ...options, leaseMs });
  const kinds = WORK_KINDS.filter((kind: WorkKind) => options.handlers[kind] !== undefined);
  const running = new Set<string>();
  /** A wake-up from inside a transaction must not read inside that transaction. */
  const outside = AsyncLocalStorage.snapshot();
  let started = false;
  let timer: Timer | undefined;
  let round: Promise<void> | null = null;
  let wakes = 0;
  let wakeSignal = Promise.withResolvers<void>();

  /** The end of each handler and each wake-up is a reason to look again. */
  const wake = (): void => {
    wakes += 1;
    wakeSignal.resolve();
  };

  /** Our own handler may still run after its lease was lost: then the second claim waits for it. */
  const run = (work: ClaimedWork): void => {
    const isRunning = running.has(workName(work));
    const name = isRunning ? `${workName(work)} ${work.token}` : workName(work);
    const task = isRunning ? postpone(work, SHORT_SLEEP) : handle(work);
    running.add(name);
    void task.finally(() => {
      running.delete(name);
      wake();
    });
  };

  const sleepUntil = (due: Instant): void => {
    timer?.cancel();
    if (started) timer = clock.at(due, () => outside(look));
  };

  const sleep = async (claimedAt: Instant, found: number): Promise<void> => {
    const next = await store.work.nextDue(kinds);
    const latest = later(clock.now(), MAX_SLEEP);
    // Due but not claimed: another worker is claiming it. Looking again at once would only spin.
    const contended = found === 0 && next !== null && next <= claimedAt;
    const wanted = contended ? later(clock.now(), SHORT_SLEEP) : (next ?? latest);
    sleepUntil(instant(Math.min(wanted, latest)));
  };

  /**
   * Claims work for the free handlers. If some stay free, all due work was claimed, so this sets the timer for the
   * next.
   */
  const fill = async (): Promise<void> => {
    const limit = concurrency - running.size;
    if (!started || limit <= 0) return;
    try {
      const now = clock.now();
      const claimed = await store.work.claim({ now, leaseMs, limit, kinds });
      for (const work of claimed) run(work);
      if (claimed.length < limit) await sleep(now, claimed.length);
    } catch (error) {
      onError(error, null);
      sleepUntil(later(clock.now(), SHORT_SLEEP));
    }
  };

  const work = async (): Promise<void> => {
    for (;;) {
      const seen = wakes;
      wakeSignal = Promise.withResolvers();
      await fill();
      if (wakes !== seen) continue;
      if (running.size === 0) break;
      await wakeSignal.promise;
    }
    round = null;
  };

  /**
   * Resolves when no work is due and no handler runs: whoever moves the clock can wait for everything that fell due.
   */
  const look = (): Promise<void> => {
    wake();
    round ??= work();
    return round;
  };

  const wakeNow = (): void => {
    wake();
    sleepUntil(clock.now());
  };

  return {
    start: () => {
      started = true;
      wakeNow();
    },
    stop: async () => {
      started = false;
      timer?.cancel();
      wake();
      await round;
    },
    wake: wakeNow,
    settled: () => (started ? outside(look) : Promise.resolve()),
  };
}
