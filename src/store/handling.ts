/** One piece of claimed work: its handler, its lease while that runs, and what becomes of its row. */
import { type Clock, type Instant, later, MINUTE, SECOND } from '../clock.ts';
import type { Log } from '../log.ts';
import { keepLease } from './lease.ts';
import type { ClaimedWork, WorkKind } from './records.ts';
import type { Store } from './store.ts';

export type WorkResult =
  | { readonly kind: 'done' }
  /** The row stays and is due again then. */
  | { readonly kind: 'again'; readonly dueAt: Instant };

export type WorkHandler = (work: ClaimedWork) => Promise<WorkResult>;
export type WorkHandlers = Readonly<Partial<Record<WorkKind, WorkHandler>>>;

export type HandlingOptions = {
  readonly store: Pick<Store, 'work'>;
  readonly clock: Clock;
  readonly handlers: WorkHandlers;
  readonly log: Log;
  readonly leaseMs: number;
  readonly onError: (error: unknown, work: ClaimedWork) => void;
};

export type Handling = {
  /** Runs the handler and settles the row. Never rejects. */
  readonly handle: (work: ClaimedWork) => Promise<void>;
  /** Gives the row back for later. Never rejects: where even this fails, the lease runs out. */
  readonly putOff: (work: ClaimedWork, ms: number) => Promise<void>;
};

const LONGEST_PAUSE = 5 * MINUTE;

/** Pause before a handler that failed `failures` times in a row is tried again. */
export function pauseAfter(failures: number): number {
  return Math.min(SECOND * 2 ** Math.min(failures - 1, 20), LONGEST_PAUSE);
}

export function createHandling(options: HandlingOptions): Handling {
  const { store, clock, handlers, log, leaseMs, onError } = options;
  /** Failures in a row. Not `attempts`, which also counts the times that a handler itself asked to come again. */
  const failures = new Map<string, number>();

  const settle = (work: ClaimedWork, result: WorkResult): Promise<boolean> =>
    result.kind === 'done' ? store.work.finish(work) : store.work.postpone(work, result.dueAt);

  const putOff = async (work: ClaimedWork, ms: number): Promise<void> => {
    try {
      await store.work.postpone(work, later(clock.now(), ms));
    } catch (error) {
      onError(error, work);
    }
  };

  const handle = async (work: ClaimedWork): Promise<void> => {
    const name = nameOf(work);
    const letGo = keepLease({ work: store.work, leaseMs, log }, work);
    try {
      const handler = handlers[work.kind];
      if (handler === undefined) throw new Error(`no handler for work of kind ${work.kind}`);
      const result = await handler(work);
      const kept = await settle(work, result);
      failures.delete(name);
      if (!kept)
        log.warn(
          { event: 'work.lost', kind: work.kind, key: work.key },
          'work finished after its lease was lost',
        );
    } catch (error) {
      onError(error, work);
      const failed = (failures.get(name) ?? 0) + 1;
      failures.set(name, failed);
      await putOff(work, pauseAfter(failed));
    } finally {
      letGo();
    }
  };

  return { handle, putOff };
}

/** One row of work: no two handlers run for the same at once. */
export function nameOf({ kind, key }: ClaimedWork): string {
  return `${kind} ${key}`;
}
