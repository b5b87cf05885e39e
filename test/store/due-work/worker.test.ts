import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { HOUR, later, MINUTE, SECOND } from '../../../src/lib/clock.ts';
import { until } from '../../harness/until.ts';
import { START } from '../builders.ts';
import { DONE, type Handler, useWorkerSetup } from './worker-setup.ts';

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
