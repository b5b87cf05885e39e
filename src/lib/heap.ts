/** A collection that gives its least item first: adding and removing cost the logarithm of its size. */

export type Heap<T> = {
  readonly add: (item: T) => void;
  /** False where it is not in there (any more). */
  readonly remove: (item: T) => boolean;
  /** The least item, which stays; undefined where there is none. */
  readonly peek: () => T | undefined;
  readonly size: () => number;
  readonly clear: () => void;
};

/** `isBefore` has to tell every two items apart; the same item is added only once. */
export function createHeap<T extends object>(isBefore: (a: T, b: T) => boolean): Heap<T> {
  /** The least first; what stands at `2n + 1` and `2n + 2` comes after what stands at `n`. */
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
  /** The lesser of the two below `at`, where it is before `item`. */
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
      // The last one takes the place, and may belong above it as well as below.
      siftDown(last, at);
      siftUp(last, indexes.get(last) ?? at);
      return true;
    },
    peek: () => items[0],
    size: () => items.length,
    clear() {
      items.length = 0;
      indexes.clear();
    },
  };
}
