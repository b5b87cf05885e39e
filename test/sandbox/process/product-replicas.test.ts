import { describe, expect, test } from 'vitest';
import type { ProductProcess } from '../../../src/sandbox/process/product-process.ts';
import { createProductReplicas } from '../../../src/sandbox/process/product-setup.ts';

/** Fake processes that record whether they run and what was done to each. */
function fakeProcesses({ canRest = true } = {}) {
  const done: string[] = [];
  let started = 0;
  const make = async (place: number): Promise<ProductProcess> => {
    let running = false;
    let paused = false;
    const set = (what: string, next: boolean) => async () => {
      done.push(`${what} ${place}`);
      running = next;
    };
    const still = (what: string, next: boolean) => () => {
      done.push(`${what} ${place}`);
      paused = next;
    };
    return {
      start: async (skewMs) => set(skewMs === undefined ? 'start' : `start ${skewMs} off`, true)(),
      pause: still('pause', true),
      resume: still('resume', false),
      paused: () => paused,
      stop: set('stop', false),
      rest: async () => {
        done.push(`rest ${place}`);
        return canRest;
      },
      kill: set('kill', false),
      hangup: still('hangup', false),
      running: () => running,
      waitForClock: set('catch up', running),
      reload: async () => (running ? ['line 1, column 1: a fault of all', `a fault of ${place}`] : []),
    };
  };
  const bots = createProductReplicas(make, () => {
    started += 1;
  });
  return { bots, done, started: () => started };
}

describe('several processes of the product', () => {
  test('one is started by default', async () => {
    const { bots, started } = fakeProcesses();
    await bots.start();
    expect(bots.running()).toEqual([0]);
    expect(started()).toBe(1);
  });

  test('are started until so many run', async () => {
    const { bots } = fakeProcesses();
    await bots.start();
    await bots.start({ count: 3 });
    await bots.start({ count: 2 });
    expect(bots.running()).toEqual([0, 1, 2]);
  });

  test('stop all, or the newest', async () => {
    const { bots, done } = fakeProcesses();
    await bots.start({ count: 3 });
    await bots.kill({ count: 1 });
    expect(bots.running()).toEqual([0, 1]);
    await bots.stop();
    expect(bots.running()).toEqual([]);
    expect(done.slice(3)).toEqual(['kill 2', 'stop 1', 'stop 0']);
  });

  test('are paused and resumed all together, or one of them', async () => {
    const { bots, done } = fakeProcesses();
    await bots.start({ count: 3 });
    await bots.pause({ index: 1 });
    expect(bots.paused()).toEqual([1]);
    expect(bots.running()).toEqual([0, 1, 2]);
    await bots.pause();
    expect(done.slice(3)).toEqual(['pause 1', 'pause 2', 'pause 0']);
    await bots.resume({ count: 2 });
    expect(bots.paused()).toEqual([0]);
    await bots.resume();
    expect(bots.paused()).toEqual([]);
  });

  test('are ended and started by their place', async () => {
    const { bots } = fakeProcesses();
    await bots.start({ count: 3 });
    await bots.kill({ index: 0 });
    await bots.stop({ index: 1 });
    await bots.stop({ index: 7 });
    expect(bots.running()).toEqual([2]);
    await bots.start({ index: 1 });
    await bots.start({ index: 1 });
    expect(bots.running()).toEqual([1, 2]);
  });

  test('see a wall clock that is apart only where they were started with one', async () => {
    const { bots, done } = fakeProcesses();
    await bots.start();
    await bots.start({ count: 2, skewMs: 500 });
    expect(done).toEqual(['start 0', 'start 0', 'start 500 off 1']);
  });

  test('rest where they can, the first alone, and start again as one', async () => {
    const { bots, done } = fakeProcesses();
    await bots.start({ count: 2 });
    await bots.rest();
    await bots.start();
    expect(done.slice(2).toSorted()).toEqual(['rest 0', 'start 0', 'stop 1']);
    const tireless = fakeProcesses({ canRest: false });
    await tireless.bots.start();
    await tireless.bots.rest();
    expect(tireless.done.slice(1)).toEqual(['rest 0', 'stop 0']);
  });

  test('read their configuration file, and a fault of several is said once', async () => {
    const { bots } = fakeProcesses();
    expect(await bots.reload()).toEqual([]);
    await bots.start({ count: 3 });
    await bots.stop({ index: 1 });
    expect(await bots.reload()).toEqual(['line 1, column 1: a fault of all', 'a fault of 0', 'a fault of 2']);
  });

  test('take their old places again', async () => {
    const { bots } = fakeProcesses();
    await bots.start({ count: 2 });
    await bots.kill();
    await bots.start({ count: 2 });
    expect(bots.running()).toEqual([0, 1]);
  });
});
