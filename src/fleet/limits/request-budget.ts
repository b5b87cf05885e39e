/** The request budget of a key that several processes share, as the client of the service needs it. */
import type { Lane } from '../fleet.ts';

export type RequestBudget = {
  /** What this process may use of the limits, between 0 and 1. */
  readonly share: () => number;
  /**
   * A place among the requests for the list of devices, which all processes count together: null where there is one,
   * else how long until there may be one (clock). Never throws.
   */
  readonly takeList: (limit: ListLimit) => Promise<number | null>;
  /** The service wants nobody to call for so long. */
  readonly pauseEverybody: (ms: number) => void;
  /** Told how long nobody may call, as another process said. */
  readonly onPause: (pause: (ms: number) => void) => void;
};

export type ListLimit = { readonly capacity: number; readonly windowMs: number; readonly lane: Lane };
