/** The page's state: one frozen value, replaced as a whole; subscribers are called after each change. */
import type { State } from '../types.ts';

type StoreListener = (state: State, before: State) => void;

export function createPageStore(initial: State) {
  let state = initial;
  const listeners: StoreListener[] = [];
  return {
    get: () => state,
    set(change: Partial<State>) {
      const before = state;
      state = { ...state, ...change };
      for (const listener of listeners) listener(state, before);
    },
    subscribe(listener: StoreListener) {
      listeners.push(listener);
    },
  };
}

export type PageStore = ReturnType<typeof createPageStore>;
