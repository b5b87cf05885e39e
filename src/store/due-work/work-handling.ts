/** Handles one piece of claimed work: runs its handler, renews its lease meanwhile, and settles its row. */
import { type Clock, type Instant, later, MINUTE, SECOND } from '../../lib/clock.ts';
import type { Log } from '../../lib/log.ts';
import type { ClaimedWork, WorkKind } from '../port/records.ts';
import type { Store, WorkStore } from '../port/store.ts';

export type WorkResult =
  | { readonly kind: 'done' }
  /** The row stays and is due again at `dueAt`. */
  | { readonly kind: 'again'; readonly dueAt: Instant };

export type WorkHandler = (work: ClaimedWork) => Promise<WorkResult>;
export type WorkHandlers = Readonly<Partial<Record<WorkKind, WorkHandler>>>;

export type WorkHandlingOptions = {
  readonly store: Pick<Store, 'work'>;
  readonly clock: Clock;
  readonly handlers: WorkHandlers;
  readonly log: Log;
  readonly leaseMs: number;
  readonly onError: (error: unknown, work: ClaimedWork) => void;
};

export type WorkHandling = {
  /** Runs the handler and settles the row. Never rejects. */
  readonly handle: (work: ClaimedWork) => Promise<void>;
  /** Frees the row for later. Never rejects: if this fails too, the lease expires. */
  readonly postpone: (work: ClaimedWork, ms: number) => Promise<void>;
};

const MAX_PAUSE = 5 * MINUTE;

/** Milliseconds to wait before a handler that failed `failures` times in a row runs again. */
export function retryPauseAfter(failures: number): number {
  return Math.min(SECOND * 2 ** Math.min(failures - 1, 20), MAX_PAUSE);
}

/** Handles work with the handler of its kind. */
export function createWorkHandling(options: WorkHandlingOptions): WorkHandling {
  const { store, clock, handlers, log, leaseMs, onError } = options;
  /** Failures in a row. `attempts` would also count how often a handler asked to run again. */
  const failures = new Map<string, number>();

  const settle = (work: ClaimedWork, result: WorkResult): Promise<boolean> =>
    result.kind === 'done' ? store.work.finish(work) : store.work.postpone(work, result.dueAt);

  const postpone = async (work: ClaimedWork, ms: number): Promise<void> => {
    try {
      await store.work.postpone(work, later(clock.now(), ms));
    } catch (error) {
      onError(error, work);
    }
  };

  const handle = async (work: ClaimedWork): Promise<void> => {
    const name = workName(work);
    const stopRenewing = renewLease({ work: store.work, leaseMs, log }, work);
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
export function workName({ kind, key }: ClaimedWork): string {
  return `${kind} ${key}`;
}

export type LeaseOptions = {
  readonly work: Pick<WorkStore, 'renew'>;
  readonly leaseMs: number;
  readonly log: Log;
};

/**
 * Keeps the lease of claimed work while its handler runs: renews at a third of it, so that one failed attempt does no
 * harm. Returns a function that stops renewing.
 */
function renewLease({ work, leaseMs, log }: LeaseOptions, claimed: ClaimedWork): () => void {
  const about = { kind: claimed.kind, key: claimed.key };
  const renew = async () => {
    try {
      if (await work.renew(claimed, leaseMs)) return;
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
