/** Listeners for changes. */
export type ChangeListeners = {
  /** Returns a function that removes the listener. */
  readonly add: (listener: () => void) => () => void;
  readonly notify: () => void;
};

export function createChangeListeners(): ChangeListeners {
  const listeners = new Set<() => void>();
  return {
    add(listener) {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
    notify() {
      for (const listener of listeners) listener();
    },
  };
}
