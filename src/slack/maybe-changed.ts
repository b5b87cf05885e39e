/** Telling failures that certainly changed nothing from those where something may have been changed already. */

/** What was thrown where something may have been changed; its cause is what happened. */
export class MaybeChanged extends Error {
  constructor(cause: unknown) {
    super('failed where something may have been changed', { cause });
    this.name = 'MaybeChanged';
  }
}

/** Marks what `job` throws: reading and planning before it change nothing. */
export async function maybeChanging<T>(job: () => Promise<T>): Promise<T> {
  try {
    return await job();
  } catch (error) {
    throw new MaybeChanged(error);
  }
}
