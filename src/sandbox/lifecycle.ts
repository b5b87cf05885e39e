/** What has to be undone at the end, or when a start fails half-way: the newest first. */
export type CleanupStack = {
  readonly add: (step: () => Promise<unknown>) => void;
  /** Takes every step, even where one fails, and then throws the first failure; a second call does nothing. */
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

/** Lets things that must not overlap happen one after the other, in the order of asking. */
export type RunInTurn = <T>(act: () => Promise<T>) => Promise<T>;

/** A queue in which nobody waits yet. One that fails does not stop the next. */
export function createRunInTurn(): RunInTurn {
  let last: Promise<unknown> = Promise.resolve();
  return (act) => {
    const turn = last.then(act);
    last = turn.catch(() => undefined);
    return turn;
  };
}
