/**
 * The ids that a walk has met: an open-addressed table of numbers, 6 to 16 bytes an id where a `Set` takes 40, so that
 * a million events can be walked. Exact: a row that comes twice is known however far apart.
 */

export type SeenIds = {
  /** Remembers it; false where it was known. */
  readonly add: (id: number) => boolean;
  readonly size: () => number;
};

const FIRST_SLOTS = 1_024;
/** Slots filled before the table doubles: beyond this, looking takes long. */
const MAX_LOAD = 0.7;
const MAX_UINT32 = 2 ** 32 - 1;

export function createSeenIds(): SeenIds {
  let table: Uint32Array | Float64Array = new Uint32Array(FIRST_SLOTS);
  let size = 0;
  /** 0 marks a free slot, so that it cannot stand in one. */
  let zero = false;
  // Not to be foreseen: a list of ids that all fall on one slot would stop the process.
  const spread = Math.floor(Math.random() * 2 ** 31) * 2 + 1;

  const place = (into: Uint32Array | Float64Array, id: number): boolean => {
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
    for (const id of table) if (id !== 0) place(larger, id);
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
      const fresh = place(table, id);
      if (fresh) size += 1;
      return fresh;
    },
  };
}
