/** A binary heap with the smallest item first: adding and removing take logarithmic time. */

export type Heap<T> = {
  readonly add: (item: T) => void;
  /** False when the item is not in the heap. */
  readonly remove: (item: T) => boolean;
  /** The smallest item, which stays in the heap; undefined when the heap is empty. */
  readonly peek: () => T | undefined;
  readonly clear: () => void;
};

/** `isBefore` must order every two items. An item may be added only once. */
export function createHeap<T extends object>(isBefore: (a: T, b: T) => boolean): Heap<T> {
  /** Smallest first: the items at `2n + 1` and `2n + 2` come after the item at `n`. */
  const items: T[] = [];
  const indexes = new Map<T, number>();

  const set = (item: T, at: number): void => {
    items[at] = item;
    indexes.set(item, at);
  };
  const siftUp = (item: T, from: number): void => {
    let at = from;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      const other = items[parent];
      if (other === undefined || !isBefore(item, other)) break;
      set(other, at);
      at = parent;
    }
    set(item, at);
  };
  /** The index of the smaller child of `at`, if that child comes before `item`. */
  const smallerChild = (item: T, at: number): number | null => {
    const [left, right] = [items[2 * at + 1], items[2 * at + 2]];
    if (left === undefined) return null;
    const isRight = right !== undefined && isBefore(right, left);
    return isBefore(isRight ? right : left, item) ? 2 * at + (isRight ? 2 : 1) : null;
  };
  const siftDown = (item: T, from: number): void => {
    let at = from;
    for (let child = smallerChild(item, at); child !== null; child = smallerChild(item, at)) {
      const other = items[child];
      if (other === undefined) break;
      set(other, at);
      at = child;
    }
    set(item, at);
  };

  return {
    add: (item) => siftUp(item, items.length),
    remove(item) {
      const at = indexes.get(item);
      if (at === undefined) return false;
      indexes.delete(item);
      const last = items.pop();
      if (last === undefined || last === item) return true;
      // The last item fills the gap, and may belong above or below it.
      siftDown(last, at);
      siftUp(last, indexes.get(last) ?? at);
      return true;
    },
    peek: () => items[0],
    clear() {
      items.length = 0;
      indexes.clear();
    },
  };
}
