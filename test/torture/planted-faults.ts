/** One-line faults of the product, each of which the torture has to find. */

export type PlantedFault = {
  /** What breaks. */
  readonly name: string;
  readonly file: string;
  /** Must match exactly once. */
  readonly search: string;
  readonly replace: string;
  /** The opening theme that is played first, where another would take longer. */
  readonly first?: string;
  /** Where it shows: one process on SQLite unless said. */
  readonly replicas?: number;
};

export const PLANTED_FAULTS: readonly PlantedFault[] = [];
