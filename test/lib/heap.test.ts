import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createHeap } from '../../src/lib/clock.ts';

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

  it('matches a sorted list at every step (property)', () => {
    const step = fc.oneof(
      { weight: 3, arbitrary: fc.record({ add: fc.integer({ min: 0, max: 20 }) }) },
      fc.record({ remove: fc.nat() }),
      fc.constant({ take: true } as const),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
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
      }),
    );
  });
});
