/** The places in which claims are written and sent, for all requests of a process together. */

export type SendPlaces = {
  /** Waits for a place in the order of the calls, so that a large request holds up no other; frees it afterwards. */
  readonly take: <T>(job: () => Promise<T>) => Promise<T>;
};

/** As many calls as the client of the service has in flight at once: what a stop may leave unknown. */
export const CALLS_AT_ONCE = 4;

/** One for each process. */
export function createSendPlaces(count: number = CALLS_AT_ONCE): SendPlaces {
  let free = count;
  const waiting: (() => void)[] = [];
  const enter = async (): Promise<void> => {
    if (free > 0) free -= 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
  };
  const leave = (): void => {
    const next = waiting.shift();
    if (next === undefined) free += 1;
    else next();
  };
  return {
    take: async (job) => {
      await enter();
      try {
        return await job();
      } finally {
        leave();
      }
    },
  };
}
