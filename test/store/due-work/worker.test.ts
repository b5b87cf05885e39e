/** A worker under test: a store in memory, a clock that stands still until it is moved, and the test's handlers. */
import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import {
  createManualClock,
  HOUR,
  later,
  MINUTE,
  type MovableClock,
  monotonicNow,
  SECOND,
} from '../../../src/lib/clock.ts';
import { silentLog } from '../../../src/lib/log.ts';
import {
  createWorker,
  retryPauseAfter,
  type Worker,
  type WorkerOptions,
  type WorkResult,
} from '../../../src/store/due-work/worker.ts';
import type { Store } from '../../../src/store/port/store.ts';
import type { ClaimedWork, WorkStore } from '../../../src/store/port/work-records.ts';
import { memoryStore } from '../../harness/memory-store.ts';
import { perTest } from '../../harness/per-test.ts';
import { until } from '../../harness/until.ts';
import { ORGANIZATION, START } from '../builders.ts';

const DONE: WorkResult = { kind: 'done' };
type Handler = (work: ClaimedWork) => Promise<WorkResult>;

type WorkerSetup = {
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
function useWorkerSetup(): () => WorkerSetup {
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
      handlers: { card: handler, inbox: handler, run: handler, follow: handler, expire: handler },
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

describe('a worker', () => {
  const world = useWorkerSetup();

  it('runs work when it is due, and not before', async () => {
    const { clock, begin, put, since, left } = world();
    const done: [string, number][] = [];
    begin(async ({ key }) => {
      done.push([key, since()]);
      return DONE;
    });
    for (const seconds of [20, 10, 40]) await put(`${seconds} s`, seconds * SECOND);
    await clock.advance(5 * SECOND);
    expect(done).toEqual([]);
    await clock.advance(25 * SECOND);
    expect(done).toEqual([
      ['10 s', 10 * SECOND],
      ['20 s', 20 * SECOND],
    ]);
    expect(await left()).toBe(1);
  });

  it('lets whoever moves the clock wait until its handlers are done', async () => {
    const { clock, begin, put, left } = world();
    let finished = false;
    await put('slow', SECOND);
    begin(async () => {
      for (let turns = 0; turns < 20; turns++) await turn();
      finished = true;
      return DONE;
    });
    await clock.advance(SECOND);
    expect(finished).toBe(true);
    expect(await left()).toBe(0);
  });

  it('runs work again when its handler asks for it', async () => {
    const { clock, begin, put, since, left } = world();
    const times: number[] = [];
    await put('a', 10);
    begin(async () => {
      times.push(since());
      return times.length < 4 ? { kind: 'again', dueAt: later(clock.now(), MINUTE) } : DONE;
    });
    await clock.advance(HOUR);
    expect(times).toEqual([10, 10 + MINUTE, 10 + 2 * MINUTE, 10 + 3 * MINUTE]);
    expect(await left()).toBe(0);
  });

  it('runs at once what its handlers schedule', async () => {
    const { clock, begin, put, since } = world();
    const done: string[] = [];
    await put('first', SECOND);
    begin(async ({ key }) => {
      done.push(key);
      if (key === 'first') await put('at once', since());
      if (key === 'at once') await put('later', since() + MINUTE);
      return DONE;
    });
    await clock.advance(SECOND);
    expect(done).toEqual(['first', 'at once']);
    await clock.advance(MINUTE);
    expect(done).toEqual(['first', 'at once', 'later']);
  });

  it('runs work that was scheduled again while it ran once more, and never in parallel', async () => {
    const { errors, clock, begin, put, left } = world();
    let runs = 0;
    let inside = 0;
    await put('a', 0);
    begin(async () => {
      inside += 1;
      expect(inside).toBe(1);
      runs += 1;
      if (runs === 1) await put('a', 0);
      await turn();
      inside -= 1;
      return DONE;
    });
    await clock.advance(0);
    expect(runs).toBe(2);
    expect(errors).toEqual([]);
    expect(await left()).toBe(0);
  });

  it('never runs a row in parallel even when its own lease was lost', async () => {
    const { clock, errors, begin, put, changed, left } = world();
    let inside = 0;
    let runs = 0;
    const gate = Promise.withResolvers<void>();
    await put('a', 0);
    await put('b', 10 * SECOND);
    let claims = 0;
    const forgetful = changed((work) => ({
      claim: async (options) => {
        const claimed = await work.claim({ ...options, leaseMs: 0 });
        claims += claimed.filter(({ key }) => key === 'a').length;
        return claimed;
      },
    }));
    const handler: Handler = async ({ key }) => {
      if (key === 'b') return DONE;
      inside += 1;
      expect(inside).toBe(1);
      runs += 1;
      if (runs === 1) await gate.promise;
      inside -= 1;
      return DONE;
    };
    const worker = begin(handler, forgetful);
    await until(() => runs === 1);
    worker.wake();
    await until(() => claims >= 2);
    gate.resolve();
    await until(() => inside === 0);
    await clock.advance(MINUTE);
    expect(await left()).toBe(0);
    expect(errors).toEqual([]);
  });

  it('runs no more handlers at once than it may, and all in the end', async () => {
    const { clock, begin, put } = world();
    let inside = 0;
    let most = 0;
    let done = 0;
    for (let index = 0; index < 20; index++) await put(`row-${index}`, 0);
    const handler: Handler = async () => {
      inside += 1;
      most = Math.max(most, inside);
      await turn();
      inside -= 1;
      done += 1;
      return DONE;
    };
    begin(handler, { concurrency: 3 });
    await clock.advance(0);
    expect(done).toBe(20);
    expect(most).toBe(3);
  });

  it('is not delayed by one slow handler', async () => {
    const { begin, put } = world();
    const gate = Promise.withResolvers<void>();
    const done: string[] = [];
    await put('long', 0);
    const worker = begin(async ({ key }) => {
      if (key === 'long') await gate.promise;
      done.push(key);
      return DONE;
    });
    await turn();
    await put('short', 0);
    worker.wake();
    await until(() => done.includes('short'));
    expect(done).toEqual(['short']);
    gate.resolve();
    await until(() => done.includes('long'));
  });

  it('looks for work at once when it is woken', async () => {
    const { clock, begin, put } = world();
    const done: string[] = [];
    const worker = begin(async ({ key }) => {
      done.push(key);
      return DONE;
    });
    await clock.advance(SECOND);
    await put('now', 0);
    worker.wake();
    await until(() => done.length > 0);
    expect(done).toEqual(['now']);
  });

  it('loses no wake-up that comes while it is about to sleep', async () => {
    const { begin, put, changed } = world();
    const done: string[] = [];
    let looks = 0;
    const interrupted = changed((work) => ({
      nextDue: async (kinds) => {
        const next = await work.nextDue(kinds);
        looks += 1;
        if (looks === 1) {
          await put('late', 0);
          worker.wake();
        }
        return next;
      },
    }));
    const worker = begin(async ({ key }) => {
      done.push(key);
      return DONE;
    }, interrupted);
    await until(() => done.length > 0);
    expect(done).toEqual(['late']);
  });

  it('does not spin on a row that another replica is claiming', async () => {
    const { clock, since, begin, put, changed } = world();
    const times: number[] = [];
    let claims = 0;
    await put('a', 0);
    const beaten = changed((work) => ({
      claim: async (options) => {
        claims += 1;
        return claims <= 3 ? [] : work.claim(options);
      },
    }));
    const handler: Handler = async () => {
      times.push(since());
      return DONE;
    };
    begin(handler, beaten);
    await clock.advance(MINUTE);
    expect(times).toEqual([3 * SECOND]);
  });

  it('may be woken from inside a transaction, and then waits for its end', async () => {
    const { store, errors, clock, begin, changed } = world();
    const done: string[] = [];
    let looks = 0;
    const counting = changed((work) => ({
      claim: (options) => {
        looks += 1;
        return work.claim(options);
      },
    }));
    const handler: Handler = async ({ key }) => {
      done.push(key);
      return DONE;
    };
    const worker = begin(handler, counting);
    await clock.advance(0);
    await store.transaction(async (tables) => {
      await tables.work.put({ kind: 'run', key: 'inside', dueAt: START });
      const before = looks;
      worker.wake();
      await until(() => looks > before);
      expect(done).toEqual([]);
    });
    await until(() => done.length > 0);
    expect(errors).toEqual([]);
  });

  it('finds work of another replica at most half a minute later', async () => {
    const { clock, begin, put, since } = world();
    const times: number[] = [];
    begin(async () => {
      times.push(since());
      return DONE;
    });
    await clock.advance(0);
    await put('from elsewhere', SECOND);
    await clock.advance(MINUTE);
    expect(times).toEqual([30 * SECOND]);
  });

  it('shares rows with another worker, each run by one', async () => {
    const { clock, begin, put } = world();
    const done: string[] = [];
    for (let index = 0; index < 40; index++) await put(`row-${index}`, index);
    const handler: Handler = async ({ key }) => {
      done.push(key);
      await turn();
      return DONE;
    };
    begin(handler, { concurrency: 2 });
    begin(handler, { concurrency: 2 });
    await clock.advance(MINUTE);
    await until(() => done.length >= 40);
    expect(new Set(done).size).toBe(40);
    expect(done.length).toBe(40);
  });
});

describe('a worker in trouble', () => {
  const world = useWorkerSetup();

  describe('when a handler throws', () => {
    it('tries again after a growing pause, reports each time, and starts over after a success', async () => {
      const { clock, errors, begin, put, since, left } = world();
      const times: number[] = [];
      await put('a', 0);
      begin(async () => {
        times.push(since() / SECOND);
        if (times.length === 5) return { kind: 'again', dueAt: later(clock.now(), SECOND) };
        if (times.length === 7) return DONE;
        throw new Error(`failure ${times.length}`);
      });
      await clock.advance(HOUR);
      expect(times).toEqual([0, 1, 3, 7, 15, 16, 17]);
      expect(errors.map(({ key }) => key)).toEqual(Array(5).fill('a'));
      expect(await left()).toBe(0);
    });

    it('continues with the rest', async () => {
      const { clock, begin, put, left } = world();
      const done: string[] = [];
      await put('bad', 0);
      await put('good', 0);
      begin(async ({ key }) => {
        if (key === 'bad') throw new Error('no');
        done.push(key);
        return DONE;
      });
      await clock.advance(0);
      expect(done).toEqual(['good']);
      expect(await left()).toBe(1);
    });

    it.each([
      [1, SECOND],
      [2, 2 * SECOND],
      [9, 256 * SECOND],
      [10, 5 * MINUTE],
      [5_000, 5 * MINUTE],
    ])('pauses after %i failures for %i ms', (failures, pause) => {
      expect(retryPauseAfter(failures)).toBe(pause);
    });
  });

  describe('when the database fails', () => {
    /** Fails the first `times` calls. */
    const failing = <A extends unknown[], T>(times: number, call: (...args: A) => Promise<T>) => {
      let failed = 0;
      return async (...args: A): Promise<T> => {
        if (failed++ < times) throw new Error('database away');
        return call(...args);
      };
    };

    it('at a claim, looks again a second later', async () => {
      const { clock, errors, begin, put, since, changed } = world();
      const times: number[] = [];
      await put('a', 0);
      const handler: Handler = async () => {
        times.push(since());
        return DONE;
      };
      begin(
        handler,
        changed((work) => ({ claim: failing(2, work.claim) })),
      );
      await clock.advance(10 * SECOND);
      expect(times).toEqual([2 * SECOND]);
      expect(errors.map(({ key }) => key)).toEqual([null, null]);
    });

    it('at the end of a handler, runs the work once more', async () => {
      const { clock, errors, begin, put, changed, left } = world();
      let runs = 0;
      await put('a', 0);
      const handler: Handler = async () => {
        runs += 1;
        return DONE;
      };
      begin(
        handler,
        changed((work) => ({ finish: failing(1, work.finish) })),
      );
      await clock.advance(10 * SECOND);
      expect(runs).toBe(2);
      expect(errors.map(({ key }) => key)).toEqual(['a']);
      expect(await left()).toBe(0);
    });

    it('even when postponing, leaves the row until its lease expires', async () => {
      const { clock, errors, begin, put, changed, left } = world();
      await put('a', 0);
      const handler: Handler = async () => {
        throw new Error('no');
      };
      begin(
        handler,
        changed((work) => ({ postpone: failing(1, work.postpone) })),
      );
      await clock.advance(0);
      expect(errors.length).toBe(2);
      expect(await left()).toBe(1);
    });
  });

  it('keeps its lease while a handler runs', async () => {
    const { clock, errors, begin, put, changed, left } = world();
    let renewed = 0;
    await put('a', 0);
    const counting = changed((work) => ({
      renew: async (...args) => {
        const kept = await work.renew(...args);
        renewed += kept ? 1 : 0;
        return kept;
      },
    }));
    const handler: Handler = async () => {
      await until(() => renewed >= 2);
      return DONE;
    };
    begin(handler, { ...counting, leaseMs: 60 });
    await clock.advance(0);
    expect(await left()).toBe(0);
    expect(errors).toEqual([]);
  });

  describe('that is stopped', () => {
    it('waits for running work and starts nothing more', async () => {
      const { clock, begin, put, left } = world();
      const gate = Promise.withResolvers<void>();
      const done: string[] = [];
      await put('running', 0);
      let started = false;
      const worker = begin(
        async ({ key }) => {
          started = true;
          await gate.promise;
          for (let turns = 0; turns < 20; turns++) await turn();
          done.push(key);
          return DONE;
        },
        { concurrency: 1 },
      );
      await until(() => started);
      await put('next', 0);
      const stopped = Promise.all([worker.stop(), worker.stop()]);
      worker.wake();
      gate.resolve();
      await stopped;
      expect(done).toEqual(['running']);
      await clock.advance(HOUR);
      expect(done).toEqual(['running']);
      expect(await left()).toBe(1);
    });

    it('can be started again', async () => {
      const { clock, begin, put } = world();
      let runs = 0;
      const worker = begin(async () => {
        runs += 1;
        return DONE;
      });
      await worker.stop();
      await put('a', 0);
      worker.start();
      worker.start();
      await clock.advance(0);
      expect(runs).toBe(1);
    });

    it('need never have been started', async () => {
      const { clock, create, put, left } = world();
      const worker = create(async () => DONE);
      await put('a', 0);
      worker.wake();
      await worker.stop();
      await clock.advance(HOUR);
      expect(await left()).toBe(1);
    });
  });
});
