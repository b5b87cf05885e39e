import fc from 'fast-check';
import { afterEach, describe, expect, it, test } from 'vitest';
import {
  createClock,
  createHeap,
  createManualClock,
  instant,
  later,
  MINUTE,
  remainingMs,
  SECOND,
  waitOn,
  wallNow,
} from '../../src/lib/clock.ts';
import { property } from '../harness/property.ts';
import { until } from '../harness/until.ts';
import { madePerTest } from '../harness/use-started.ts';

const clock = madePerTest(() => manual());

const START = instant(1_800_000_000_000);
const stops: (() => void)[] = [];
afterEach(() => {
  for (const stop of stops.splice(0)) stop();
});

function manual() {
  const clock = createManualClock(START);
  stops.push(clock.stop);
  return clock;
}

function ticking(onError?: (error: unknown) => void) {
  const clock = createClock(onError === undefined ? {} : { onError });
  stops.push(clock.stop);
  return clock;
}

describe('a manual clock', () => {
  test('stands still until it is advanced', async () => {
    expect(clock.now()).toBe(START);
    await clock.advance(MINUTE);
    expect(clock.now()).toBe(later(START, MINUTE));
  });

  test('never goes back', async () => {
    await clock.advance(-MINUTE);
    expect(clock.now()).toBe(START);
  });

  test('runs due tasks in order of time, not of scheduling, each at its own time', async () => {
    const fired: [string, number][] = [];
    const note = (name: string) => () => {
      fired.push([name, clock.now() - START]);
    };
    clock.at(later(START, 3 * SECOND), note('third'));
    clock.at(later(START, 1 * SECOND), note('first'));
    clock.at(later(START, 2 * SECOND), note('second'));
    clock.at(later(START, 1 * SECOND), note('first, asked later'));
    clock.at(later(START, 9 * SECOND), note('not yet due'));
    await clock.advance(5 * SECOND);
    expect(fired).toEqual([
      ['first', 1_000],
      ['first, asked later', 1_000],
      ['second', 2_000],
      ['third', 3_000],
    ]);
    expect(clock.now()).toBe(later(START, 5 * SECOND));
  });

  test('finishes each task before the next begins, and all before advance resolves', async () => {
    const told: string[] = [];
    for (const name of ['one', 'two']) {
      clock.at(later(START, SECOND), async () => {
        told.push(`${name} begins`);
        await new Promise((resolve) => setImmediate(resolve));
        told.push(`${name} ends`);
      });
    }
    await clock.advance(SECOND);
    expect(told).toEqual(['one begins', 'one ends', 'two begins', 'two ends']);
  });

  test('runs a task that another task scheduled on the way', async () => {
    const fired: number[] = [];
    const again = (): void => {
      fired.push(clock.now() - START);
      clock.at(later(clock.now(), MINUTE), again);
    };
    clock.at(later(START, MINUTE), again);
    await clock.advance(3 * MINUTE);
    expect(fired).toEqual([MINUTE, 2 * MINUTE, 3 * MINUTE]);
  });

  test('runs an overdue task without being advanced, at the present time', async () => {
    let ranAt: number | undefined;
    clock.at(later(START, -MINUTE), () => {
      ranAt = clock.now();
    });
    expect(ranAt).toBeUndefined();
    await until(() => ranAt);
    expect(ranAt).toBe(START);
  });

  test('forgets cancelled tasks', async () => {
    let ran = false;
    const timer = clock.at(later(START, SECOND), () => {
      ran = true;
    });
    timer.cancel();
    await clock.advance(MINUTE);
    expect(ran).toBe(false);
  });

  test('forgets everything when it is stopped', async () => {
    let ran = false;
    clock.at(later(START, SECOND), () => {
      ran = true;
    });
    clock.stop();
    await clock.advance(MINUTE);
    expect(ran).toBe(false);
  });
});

describe('a wait on the clock', () => {
  test('ends when its time is over', async () => {
    const over: string[] = [];
    const wait = waitOn(clock, MINUTE).then(() => over.push('over'));
    await clock.advance(MINUTE - 1);
    expect(over).toEqual([]);
    await clock.advance(1);
    await wait;
  });

  test('ends with what it would end early for, and throws its error', async () => {
    await waitOn(clock, MINUTE, Promise.resolve());
    await expect(waitOn(clock, MINUTE, Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(clock.now()).toBe(START);
  });
});

describe('a running clock', () => {
  test('ticks with wall time and runs tasks', async () => {
    const clock = ticking();
    const due = later(clock.now(), 30);
    let ranAt: number | undefined;
    clock.at(due, () => {
      ranAt = clock.now();
    });
    await until(() => ranAt);
    expect(ranAt).toBeGreaterThanOrEqual(due);
  });

  describe('whose time of day is set back', () => {
    const HOUR = 60 * MINUTE;
    const settable = () => {
      const set = { by: 0 };
      const clock = createClock({ wall: () => later(wallNow(), set.by) });
      stops.push(clock.stop);
      return { clock, set };
    };

    test('still runs soon what was due soon, and later what had long to wait', async () => {
      const { clock, set } = settable();
      const fired: string[] = [];
      clock.at(later(clock.now(), 30), () => void fired.push('soon'));
      clock.at(later(clock.now(), HOUR), () => void fired.push('late'));
      set.by = -2 * HOUR;
      clock.at(later(clock.now(), 60), () => void fired.push('asked since'));
      await until(() => fired.length === 2);
      expect(fired).toEqual(['soon', 'asked since']);
      await clock.advance(HOUR);
      expect(fired).toEqual(['soon', 'asked since', 'late']);
    });

    test('continues from the time that it was set to', async () => {
      const { clock, set } = settable();
      set.by = -HOUR;
      const due = later(clock.now(), 30);
      let ranAt: number | undefined;
      clock.at(due, () => {
        ranAt = clock.now();
      });
      await until(() => ranAt);
      expect(ranAt).toBeGreaterThanOrEqual(due);
      expect(ranAt).toBeLessThan(wallNow() - HOUR + MINUTE);
    });
  });

  test('is ahead of wall time by the time it was advanced', async () => {
    const clock = ticking();
    const before = wallNow();
    await clock.advance(MINUTE);
    expect(clock.now()).toBeGreaterThanOrEqual(later(before, MINUTE));
    expect(clock.now()).toBeLessThanOrEqual(later(wallNow(), MINUTE));
  });

  test('runs a distant task when it is advanced to it', async () => {
    const clock = ticking();
    let ran = false;
    clock.at(later(clock.now(), 60 * MINUTE), () => {
      ran = true;
    });
    await clock.advance(59 * MINUTE);
    expect(ran).toBe(false);
    await clock.advance(2 * MINUTE);
    expect(ran).toBe(true);
  });

  test('continues to tick after it was advanced', async () => {
    const clock = ticking();
    let ran = false;
    clock.at(later(clock.now(), MINUTE + 20), () => {
      ran = true;
    });
    await clock.advance(MINUTE);
    await until(() => ran);
  });

  test('reports a task that failed, and runs the next', async () => {
    const errors: unknown[] = [];
    const clock = ticking((error) => errors.push(error));
    let ran = false;
    clock.at(later(clock.now(), SECOND), () => Promise.reject(new Error('no')));
    clock.at(later(clock.now(), 2 * SECOND), () => {
      ran = true;
    });
    await clock.advance(3 * SECOND);
    expect(errors).toEqual([new Error('no')]);
    expect(ran).toBe(true);
  });
});

test.each([
  ['all of it at its beginning', 0, 5],
  ['less with time', 3, 2],
  ['nothing at its end', 5, 0],
  ['nothing after it', 9, 0],
  ['nothing when the time of day was set back', -1, 0],
])('the rest of a wait is %s', (_what, passed, left) => {
  expect(remainingMs({ until: later(START, 5), ms: 5 }, later(START, passed))).toBe(left);
});

type Item = { readonly due: number; readonly order: number };
const isBefore = (a: Item, b: Item) => a.due < b.due || (a.due === b.due && a.order < b.order);
const inOrder = (a: Item, b: Item) => a.due - b.due || a.order - b.order;

describe('a heap', () => {
  it('has no first item while it is empty', () => {
    const heap = createHeap(isBefore);
    expect(heap.peek()).toBeUndefined();
    heap.add({ due: 1, order: 0 });
    heap.clear();
    expect(heap.peek()).toBeUndefined();
  });

  it('tells whether a removed item was there', () => {
    const heap = createHeap(isBefore);
    const item = { due: 1, order: 0 };
    expect(heap.remove(item)).toBe(false);
    heap.add(item);
    expect(heap.remove(item)).toBe(true);
    expect(heap.remove(item)).toBe(false);
  });

  it('is empty after it was cleared', () => {
    const heap = createHeap(isBefore);
    const item = { due: 1, order: 0 };
    heap.add(item);
    heap.clear();
    expect(heap.remove(item)).toBe(false);
  });

  const step = fc.oneof(
    { weight: 3, arbitrary: fc.record({ add: fc.integer({ min: 0, max: 20 }) }) },
    fc.record({ remove: fc.nat() }),
    fc.constant({ take: true } as const),
  );
  property([fc.array(step, { maxLength: 200 })])('matches a sorted list at every step', (steps) => {
    const heap = createHeap(isBefore);
    let list: Item[] = [];
    for (const [order, one] of steps.entries()) {
      if ('add' in one) {
        const item = { due: one.add, order };
        heap.add(item);
        list = [...list, item].toSorted(inOrder);
      } else {
        const item = list['take' in one ? 0 : one.remove % Math.max(list.length, 1)];
        if (item === undefined) continue;
        expect(heap.remove(item)).toBe(true);
        list = list.filter((other) => other !== item);
      }
      expect(heap.peek()).toBe(list[0]);
    }
    for (const item of list) {
      expect(heap.peek()).toBe(item);
      heap.remove(item);
    }
    expect(heap.peek()).toBeUndefined();
  });
});
