/** Those who want to know that something has changed. */
export type Listeners = {
  /** Returns how to stop listening. */
  readonly add: (listener: () => void) => () => void;
  readonly tell: () => void;
};

export function createListeners(): Listeners {
  const listeners = new Set<() => void>();
  return {
    add(listener) {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
    tell() {
      for (const listener of listeners) listener();
    },
  };
}
