/** What has to be undone at the end, or when a start fails half-way: the newest first. */
export type Undo = {
  readonly add: (step: () => Promise<unknown>) => void;
  /** Takes every step, even where one fails, and then throws the first failure; a second call does nothing. */
  readonly all: () => Promise<void>;
};

export function createUndo(): Undo {
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
