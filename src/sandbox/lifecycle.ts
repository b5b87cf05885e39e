export type CleanupStack = ReturnType<typeof createCleanupStack>;

/** Cleanup steps for the end, or for a start that fails half-way; the newest runs first. */
export function createCleanupStack() {
  const steps: (() => Promise<unknown>)[] = [];
  return {
    add(step: () => Promise<unknown>): void {
      steps.push(step);
    },
    /** Runs every step, even if one fails, then throws the first failure; a second call does nothing. */
    async all(): Promise<void> {
      const failures: unknown[] = [];
      for (let step = steps.pop(); step; step = steps.pop()) {
        await step().catch((error: unknown) => failures.push(error));
      }
      if (failures.length > 0) throw failures[0];
    },
  };
}

/** Runs actions one after the other, in the order of the calls; a failed one does not stop the next. */
export function createRunInTurn(): <T>(act: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (act) => {
    const turn = last.then(act);
    last = turn.catch(() => undefined);
    return turn;
  };
}
