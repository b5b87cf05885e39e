/**
 * Does the work that falls due: sleeps on the clock until something is due, claims it, runs its handlers. Any
 * number of workers may share a database. Work is done at least once: a handler must bear a second run.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { type Clock, type Instant, instant, later, SECOND, type Timer } from '../../lib/clock.ts';
import type { Log } from '../../lib/log.ts';
import type { ClaimedWork, WorkKind } from '../port/records.ts';
import type { Store } from '../port/store.ts';
import { WORK_KINDS } from '../tables/row-schemas.ts';
import { createWorkHandling, type WorkHandlers, workName } from './work-handling.ts';

export type { WorkHandler, WorkHandlers, WorkResult } from './work-handling.ts';

export type WorkerOptions = {
  readonly store: Pick<Store, 'work'>;
  readonly clock: Clock;
  /** Only work that has a handler here is taken. */
  readonly handlers: WorkHandlers;
  readonly log: Log;
  /** How many handlers run at once. */
  readonly concurrency?: number;
  /** How long a dead worker's rows stay out of reach on PostgreSQL, by the database's time. */
  readonly leaseMs?: number;
  /** Told about a handler that threw (its work is tried again), or with null about a look at the database that failed. */
  readonly onError: (error: unknown, work: ClaimedWork | null) => void;
};

export type Worker = {
  readonly start: () => void;
  /** Claims nothing more and waits for the handlers that run. Idempotent. */
  readonly stop: () => Promise<void>;
  /** Looks now: called after a commit that put due work. */
  readonly wake: () => void;
  /** Resolves when nothing that is due is left and no handler runs. */
  readonly settled: () => Promise<void>;
};

/** At the latest then we look again: other replicas put work too, and their dead leave leases that run out. */
const MAX_SLEEP = 30 * SECOND;
/** Where due work cannot be had, because another replica is just taking it or the database does not answer. */
const SHORT_SLEEP = SECOND;

export function createWorker(options: WorkerOptions): Worker {
  const { store, clock, concurrency = 8, leaseMs = 30 * SECOND, onError } = options;
  const { handle, postpone } = createWorkHandling({ ...options, leaseMs });
  const kinds = WORK_KINDS.filter((kind: WorkKind) => options.handlers[kind] !== undefined);
  const running = new Set<string>();
  /** A kick from inside a transaction must not look inside that transaction. */
  const outside = AsyncLocalStorage.snapshot();
  let started = false;
  let timer: Timer | undefined;
  let round: Promise<void> | null = null;
  let wakes = 0;
  let wakeSignal = Promise.withResolvers<void>();

  /** Each handler's end and each kick is a reason to look again. */
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
    // Due and yet not claimed: somebody else is at it. Looking again at once would only spin.
    const contended = found === 0 && next !== null && next <= claimedAt;
    const wanted = contended ? later(clock.now(), SHORT_SLEEP) : (next ?? latest);
    sleepUntil(instant(Math.min(wanted, latest)));
  };

  /** Claims into the free places. With places left over, all that was due was claimed: then sets the timer for the next. */
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

  /** Settles when nothing due is left and no handler runs: whoever moves the clock waits for all that fell due. */
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
