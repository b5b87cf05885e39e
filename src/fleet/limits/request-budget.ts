/** The request budget of a key that several processes share, as the client of the service uses it. */
import type { Lane } from '../fleet.ts';

export type RequestBudget = {
  /** The part of the limits that this process may use, between 0 and 1. */
  readonly share: () => number;
  /**
   * Takes one request for the list of devices from the count that all processes share. Null: taken; otherwise the
   * milliseconds (clock) until one may be free. Never throws.
   */
  readonly takeList: (limit: ListLimit) => Promise<number | null>;
  /** Tells all processes that the service wants no calls for this long, in milliseconds. */
  readonly pauseEverybody: (ms: number) => void;
  /** Registers what to do when another process reports such a pause, in milliseconds. */
  readonly onPause: (pause: (ms: number) => void) => void;
};

export type ListLimit = { readonly capacity: number; readonly windowMs: number; readonly lane: Lane };
