/** The page's state: one frozen value, replaced as a whole; parts are told after each change. */
/** @import { State } from './types.d.ts' */

/** @typedef {(state: State, before: State) => void} Listener */

/** @param {State} initial */
export function createStore(initial) {
  let state = initial;
  /** @type {Listener[]} */
  const listeners = [];
  return {
    get: () => state,
    /** @param {Partial<State>} change */
    set(change) {
      const before = state;
      state = { ...state, ...change };
      for (const listener of listeners) listener(state, before);
    },
    /** @param {Listener} listener */
    subscribe(listener) {
      listeners.push(listener);
    },
  };
}

/** @typedef {ReturnType<typeof createStore>} Store */
