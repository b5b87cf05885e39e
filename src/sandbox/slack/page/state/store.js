/** The page's state: one frozen value, replaced as a whole; subscribers are called after each change. */
/** @import { State } from '../types.d.ts' */

/** @typedef {(state: State, before: State) => void} StoreListener */

/** @param {State} initial */
export function createPageStore(initial) {
  let state = initial;
  /** @type {StoreListener[]} */
  const listeners = [];
  return {
    get: () => state,
    /** @param {Partial<State>} change */
    set(change) {
      const before = state;
      state = { ...state, ...change };
      for (const listener of listeners) listener(state, before);
    },
    /** @param {StoreListener} listener */
    subscribe(listener) {
      listeners.push(listener);
    },
  };
}

/** @typedef {ReturnType<typeof createPageStore>} PageStore */
