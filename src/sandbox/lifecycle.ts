/** Cleanup steps for the end, or for a start that fails half-way; the newest runs first. */
export type CleanupStack = {
  readonly add: (step: () => Promise<unknown>) => void;
  /** Runs every step, even if one fails, then throws the first failure; a second call does nothing. */
  readonly all: () => Promise<void>;
};

export function createCleanupStack(): CleanupStack {
  const steps: (() => Promise<unknown>)[] = [];
  return {
    add: (step) => steps.push(step),
    async all() {
      const failures: unknown[] = [];
      for (let step = steps.pop(); step; step = steps.pop()) {
        await step().catch((error: unknown) => failures.push(error));
      }
      if (failures.length > 0) throw failures[0];
    },
  };
}

/** Runs actions one after the other, in the order of the calls. */
export type RunInTurn = <T>(act: () => Promise<T>) => Promise<T>;

/** An empty queue. A failed action does not stop the next one. */
export function createRunInTurn(): RunInTurn {
  let last: Promise<unknown> = Promise.resolve();
  return (act) => {
    const turn = last.then(act);
    last = turn.catch(() => undefined);
    return turn;
  };
}
