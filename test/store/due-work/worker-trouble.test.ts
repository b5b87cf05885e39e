import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { HOUR, later, MINUTE, SECOND } from '../../../src/lib/clock.ts';
import { retryPauseAfter } from '../../../src/store/due-work/worker.ts';
import { until } from '../../harness/until.ts';
import { DONE, type Handler, useWorkerSetup } from './worker-setup.ts';

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
