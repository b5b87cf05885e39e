/** Those who want to know that something has changed. */
export type ChangeListeners = {
  /** Returns how to stop listening. */
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
