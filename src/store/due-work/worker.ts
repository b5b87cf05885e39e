/**
 * Runs work that falls due: sleeps on the clock until something is due, claims it, runs its handlers. Any number of
 * workers may share a database. Work runs at least once, so a handler must tolerate a second run.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Clock, type Instant, instant, later, MINUTE, SECOND, type Timer } from '../../lib/clock.ts';
import type { Log } from '../../lib/log.ts';
import type { Store } from '../port/store.ts';
import { type ClaimedWork, WORK_KINDS, WORK_LEASE_MS, type WorkKind } from '../port/work-records.ts';

export type WorkerOptions = {
  readonly store: Pick<Store, 'work'>;
  readonly clock: Clock;
  /** Only work with a handler here is claimed. */
  readonly handlers: WorkHandlers;
  readonly log: Log;
  readonly concurrency?: number;
  /** How long a dead worker's rows stay leased on PostgreSQL, by the database's time. */
  readonly leaseMs?: number;
  /** The error of a handler (its work is tried again), or of a read of the database, with null work. */
  readonly onError: (error: unknown, work: ClaimedWork | null) => void;
};

export type Worker = Readonly<ReturnType<typeof createWorker>>;

/** Maximum sleep: other replicas schedule work too, and dead ones leave leases that expire. */
const MAX_SLEEP = 30 * SECOND;
/** Sleep when due work can't be claimed, because another replica is claiming it or the database does not answer. */
const SHORT_SLEEP = SECOND;

/** A worker that claims nothing before `start`. */
export function createWorker(options: WorkerOptions) {
  const { store, clock, concurrency = 8, leaseMs = WORK_LEASE_MS, onError } = options;
  const { handle, postpone } = createWorkHandling({ ...options, leaseMs });
  const kinds = WORK_KINDS.filter((kind) => options.handlers[kind] !== undefined);
  const running = new Set<string>();
  /** A wake-up from inside a transaction must not read inside that transaction. */
  const outside = AsyncLocalStorage.snapshot();
  let started = false;
  let timer: Timer | undefined;
  let round: Promise<void> | null = null;
  /** The end of each handler and each wake-up is a reason to look again. */
  const wakeups = createWakeups();

  /** Our own handler may still run after its lease was lost: then the second claim waits for it. */
  const run = (work: ClaimedWork): void => {
    const isRunning = running.has(workName(work));
    const name = isRunning ? `${workName(work)} ${work.token}` : workName(work);
    const task = isRunning ? postpone(work, SHORT_SLEEP) : handle(work);
    running.add(name);
    void task.finally(() => {
      running.delete(name);
      wakeups.wake();
    });
  };

  const sleepUntil = (due: Instant): void => {
    timer?.cancel();
    if (started) timer = clock.at(due, () => outside(look));
  };

  /** Claims work for the free handlers. Where some stay free, all due work was claimed: sleeps until the next. */
  const fill = async (): Promise<void> => {
    const limit = concurrency - running.size;
    if (!started || limit <= 0) return;
    try {
      const now = clock.now();
      const claimed = await store.work.claim({ now, leaseMs, limit, kinds });
      for (const work of claimed) run(work);
      if (claimed.length === limit) return;
      const next = await store.work.nextDue(kinds);
      // Due but not claimed: another worker is claiming it. Looking again at once would only spin.
      const isContended = claimed.length === 0 && next !== null && next <= now;
      const latest = later(clock.now(), MAX_SLEEP);
      const lookAt = isContended ? later(clock.now(), SHORT_SLEEP) : (next ?? latest);
      sleepUntil(instant(Math.min(lookAt, latest)));
    } catch (error) {
      onError(error, null);
      sleepUntil(later(clock.now(), SHORT_SLEEP));
    }
  };

  const work = async (): Promise<void> => {
    for (;;) {
      wakeups.listen();
      await fill();
      if (wakeups.isWoken()) continue;
      if (running.size === 0) break;
      await wakeups.next();
    }
    round = null;
  };

  /** Resolves when no work is due and no handler runs: whoever moves the clock can wait for that. */
  const look = (): Promise<void> => {
    wakeups.wake();
    round ??= work();
    return round;
  };

  /** Looks for work now: called after a commit that scheduled due work. */
  const wakeNow = (): void => {
    wakeups.wake();
    sleepUntil(clock.now());
  };

  return {
    start: (): void => {
      started = true;
      wakeNow();
    },
    /** Stops claiming and waits for running handlers. May be called again. */
    stop: async (): Promise<void> => {
      started = false;
      timer?.cancel();
      wakeups.wake();
      await round;
    },
    wake: wakeNow,
    /** Resolves when no work is due and no handler runs. */
    settled: (): Promise<void> => (started ? outside(look) : Promise.resolve()),
  };
}

/** Wake-ups since `listen`, so that none is missed between a look and the wait for the next. */
function createWakeups() {
  let signal = Promise.withResolvers<void>();
  let woken = false;
  return {
    wake(): void {
      woken = true;
      signal.resolve();
    },
    listen(): void {
      woken = false;
      signal = Promise.withResolvers();
    },
    isWoken: () => woken,
    next: () => signal.promise,
  };
}

export type WorkResult =
  | { readonly kind: 'done' }
  /** The row stays and is due again at `dueAt`. */
  | { readonly kind: 'again'; readonly dueAt: Instant };

export type WorkHandlers = Readonly<Partial<Record<WorkKind, (work: ClaimedWork) => Promise<WorkResult>>>>;

type WorkHandlingOptions = WorkerOptions & Required<Pick<WorkerOptions, 'leaseMs'>>;

const MAX_PAUSE = 5 * MINUTE;

/** Milliseconds to wait before a handler that failed `failures` times in a row runs again. */
export function retryPauseAfter(failures: number): number {
  return Math.min(SECOND * 2 ** Math.min(failures - 1, 20), MAX_PAUSE);
}

/** Handles one piece of claimed work: runs the handler of its kind, renews its lease meanwhile, and settles its row. */
function createWorkHandling(options: WorkHandlingOptions) {
  const { store, clock, handlers, log, onError } = options;
  /** Failures in a row. `attempts` would also count how often a handler asked to run again. */
  const failures = new Map<string, number>();

  const settle = (work: ClaimedWork, result: WorkResult): Promise<boolean> =>
    result.kind === 'done' ? store.work.finish(work) : store.work.postpone(work, result.dueAt);

  /** Frees the row for later. Never rejects: if this fails too, the lease expires. */
  const postpone = async (work: ClaimedWork, ms: number): Promise<void> => {
    try {
      await store.work.postpone(work, later(clock.now(), ms));
    } catch (error) {
      onError(error, work);
    }
  };

  /** Never rejects. */
  const handle = async (work: ClaimedWork): Promise<void> => {
    const name = workName(work);
    const stopRenewing = renewLease(options, work);
    try {
      const handler = handlers[work.kind];
      if (handler === undefined) throw new Error(`no handler for work of kind ${work.kind}`);
      const result = await handler(work);
      const stillHeld = await settle(work, result);
      failures.delete(name);
      if (!stillHeld)
        log.warn(
          { event: 'work.lost', kind: work.kind, key: work.key },
          'work finished after its lease was lost',
        );
    } catch (error) {
      onError(error, work);
      const failed = (failures.get(name) ?? 0) + 1;
      failures.set(name, failed);
      await postpone(work, retryPauseAfter(failed));
    } finally {
      stopRenewing();
    }
  };

  return { handle, postpone };
}

/** Identifies a row of work: no two handlers run for the same row at once. */
function workName({ kind, key }: ClaimedWork): string {
  return `${kind} ${key}`;
}

/** At a third of it, so that one failed attempt does no harm. Returns a function that stops renewing. */
function renewLease({ store, leaseMs, log }: WorkHandlingOptions, claimed: ClaimedWork): () => void {
  const about = { kind: claimed.kind, key: claimed.key };
  const renew = async () => {
    try {
      if (await store.work.renew(claimed, leaseMs)) return;
      clearInterval(timer);
      log.warn({ event: 'work.lease-lost', ...about }, 'work lease lost');
    } catch (error) {
      log.warn({ event: 'work.lease-not-renewed', ...about, err: error }, 'could not renew the work lease');
    }
  };
  const timer = setInterval(() => void renew(), Math.max(leaseMs / 3, 1));
  timer.unref();
  return () => clearInterval(timer);
}

/** How long a shutdown waits (wall time) for the cards of work that just finished. */
const DRAIN_CARDS_MS = 2 * SECOND;

/** Shows the cards that are due, as far as that takes only moments; the others follow after the next start. */
export async function drainCards(cardWorker: Worker): Promise<void> {
  const enough = new AbortController();
  await Promise.race([
    cardWorker.settled(),
    sleep(DRAIN_CARDS_MS, undefined, { signal: enough.signal }).catch(() => undefined),
  ]);
  enough.abort();
  await cardWorker.stop();
}

export function logWorkFailure(log: Log): WorkerOptions['onError'] {
  return (error, work) => {
    log.error({ event: 'work.failed', kind: work?.kind, key: work?.key, err: error }, 'work failed');
  };
}
