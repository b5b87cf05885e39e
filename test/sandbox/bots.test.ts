import { describe, expect, test } from 'vitest';
import { createBots } from '../../src/sandbox/bots.ts';
import type { Bot } from '../../src/sandbox/contracts.ts';

/** Bots that only remember whether they run, and what was done to each place. */
function crew() {
  const done: string[] = [];
  let started = 0;
  const make = async (place: number): Promise<Bot> => {
    let running = false;
    const set = (what: string, next: boolean) => async () => {
      done.push(`${what} ${place}`);
      running = next;
    };
    return {
      start: set('start', true),
      stop: set('stop', false),
      kill: set('kill', false),
      running: () => running,
      catchUp: set('catch up', running),
    };
  };
  const bots = createBots(make, () => {
    started += 1;
  });
  return { bots, done, started: () => started };
}

describe('several processes of the product', () => {
  test('one is started unless told otherwise', async () => {
    const { bots, started } = crew();
    await bots.start();
    expect(bots.running()).toEqual([0]);
    expect(started()).toBe(1);
  });

  test('are started until so many run', async () => {
    const { bots } = crew();
    await bots.start();
    await bots.start(3);
    await bots.start(2);
    expect(bots.running()).toEqual([0, 1, 2]);
  });

  test('end all, or the newest, as told', async () => {
    const { bots, done } = crew();
    await bots.start(3);
    await bots.kill(1);
    expect(bots.running()).toEqual([0, 1]);
    await bots.stop();
    expect(bots.running()).toEqual([]);
    expect(done.slice(3)).toEqual(['kill 2', 'stop 1', 'stop 0']);
  });

  test('take their old places again', async () => {
    const { bots } = crew();
    await bots.start(2);
    await bots.kill();
    await bots.start(2);
    expect(bots.running()).toEqual([0, 1]);
  });
});
