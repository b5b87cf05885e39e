/**
 * The ids that a page walk has seen: an open-addressed table of numbers with 6 to 16 bytes per id, where a `Set`
 * takes 40, so that a million events can be walked. Exact: a repeated row is recognized however far apart the two
 * are.
 */

export type SeenIds = {
  /** Adds the id; false when it was already there. */
  readonly add: (id: number) => boolean;
  readonly size: () => number;
};

const FIRST_SLOTS = 1_024;
/** Maximum load before the table doubles: beyond it, lookups get slow. */
const MAX_LOAD = 0.7;
const MAX_UINT32 = 2 ** 32 - 1;

/** An empty set of ids. Ids are numbers of any kind, 0 included. */
export function createSeenIds(): SeenIds {
  let table: Uint32Array | Float64Array = new Uint32Array(FIRST_SLOTS);
  let size = 0;
  /** 0 marks a free slot, so the id 0 is stored here. */
  let zero = false;
  // Random, so that nobody can choose ids that all fall on one slot and block the process.
  const spread = Math.floor(Math.random() * 2 ** 31) * 2 + 1;

  const insert = (into: Uint32Array | Float64Array, id: number): boolean => {
    const mask = into.length - 1;
    const mixed = Math.imul((id | 0) ^ Math.floor(id / 2 ** 32), spread);
    for (let slot = (mixed ^ (mixed >>> 15)) & mask; ; slot = (slot + 1) & mask) {
      if (into[slot] === id) return false;
      if (into[slot] !== 0) continue;
      into[slot] = id;
      return true;
    }
  };
  const moveTo = (larger: Uint32Array | Float64Array): void => {
    for (const id of table) if (id !== 0) insert(larger, id);
    table = larger;
  };

  return {
    size: () => size + (zero ? 1 : 0),
    add(id) {
      if (id === 0) {
        const fresh = !zero;
        zero = true;
        return fresh;
      }
      const small = Number.isInteger(id) && id > 0 && id <= MAX_UINT32;
      if (!small && table instanceof Uint32Array) moveTo(new Float64Array(table.length));
      if (size >= table.length * MAX_LOAD)
        moveTo(
          table instanceof Uint32Array
            ? new Uint32Array(table.length * 2)
            : new Float64Array(table.length * 2),
        );
      const fresh = insert(table, id);
      if (fresh) size += 1;
      return fresh;
    },
  };
}
