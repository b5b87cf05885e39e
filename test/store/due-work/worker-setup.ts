/** A worker under test: a store in memory, a clock that stands still until it is moved, and the test's handlers. */
import { createManualClock, HOUR, later, type MovableClock, monotonicNow } from '../../../src/lib/clock.ts';
import { silentLog } from '../../../src/lib/log.ts';
import {
  createWorker,
  type Worker,
  type WorkerOptions,
  type WorkResult,
} from '../../../src/store/due-work/worker.ts';
import type { ClaimedWork } from '../../../src/store/port/records.ts';
import type { Store, WorkStore } from '../../../src/store/port/store.ts';
import { memoryStore } from '../../harness/memory-store.ts';
import { perTest } from '../../harness/per-test.ts';
import { ORGANIZATION, START } from '../builders.ts';

export const DONE: WorkResult = { kind: 'done' };
export type Handler = (work: ClaimedWork) => Promise<WorkResult>;

export type WorkerSetup = {
  readonly store: Store;
  readonly clock: MovableClock;
  /** The errors given to `onError`; the key is null when the database failed. */
  readonly errors: { readonly error: unknown; readonly key: string | null }[];
  /** A worker, not started. */
  readonly create: (handler: Handler, given?: Partial<WorkerOptions>) => Worker;
  /** A worker, started. */
  readonly begin: (handler: Handler, given?: Partial<WorkerOptions>) => Worker;
  /** Puts work due `ms` after the start. */
  readonly put: (key: string, ms: number) => Promise<void>;
  /** Milliseconds since the start, on the clock. */
  readonly since: () => number;
  /** The store with some of its work methods changed. */
  readonly changed: (change: (work: WorkStore) => Partial<WorkStore>) => Pick<WorkerOptions, 'store'>;
  /** Number of rows, whenever they are due and whoever holds them. */
  readonly left: () => Promise<number>;
};

/** A new setup for each test. */
export function useWorkerSetup(): () => WorkerSetup {
  return perTest(createWorkerSetup, ({ end }) => end());
}

async function createWorkerSetup(): Promise<WorkerSetup & { readonly end: () => Promise<void> }> {
  let leasePassed = 0;
  const store = await memoryStore(ORGANIZATION, () => monotonicNow() + leasePassed);
  const clock = createManualClock(START);
  const workers: Worker[] = [];
  const errors: WorkerSetup['errors'] = [];
  const create: WorkerSetup['create'] = (handler, given = {}) => {
    const worker = createWorker({
      store,
      clock,
      handlers: { card: handler, click: handler, run: handler, follow: handler, expire: handler },
      log: silentLog,
      onError: (error, work) => errors.push({ error, key: work?.key ?? null }),
      ...given,
    });
    workers.push(worker);
    return worker;
  };
  return {
    store,
    clock,
    errors,
    create,
    begin: (handler, given) => {
      const worker = create(handler, given);
      worker.start();
      return worker;
    },
    put: (key, ms) => store.work.put({ kind: 'follow', key, dueAt: later(START, ms) }),
    since: () => clock.now() - START,
    changed: (change) => ({ store: { work: { ...store.work, ...change(store.work) } } }),
    left: async () => {
      leasePassed += 9_999 * HOUR;
      return (await store.work.claim({ now: later(START, 9_999 * HOUR), leaseMs: 1, limit: 99 })).length;
    },
    end: async () => {
      clock.stop();
      for (const worker of workers) await worker.stop();
      await store.close();
    },
  };
}
