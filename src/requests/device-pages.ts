/**
 * Many devices are read by the pages of the fleet's list, where those are fewer requests than reading each of them. The
 * list cannot be asked for certain devices.
 */
import type { FleetReader } from '../fleet/fleet.ts';
import { listPages } from '../lib/list-pages.ts';

/** Where the size of the fleet is not known, more than so many are read by pages. Our own figure. */
const MAX_SINGLE_READS = 20;

export type PagePorts = {
  readonly reader: Pick<FleetReader, 'devices'>;
  /** How many devices the fleet has, from memory; null: not known. */
  readonly fleetSize: () => number | null;
};

/** How many pages the fleet has; where that is not known, so many that a few devices are read alone. */
export function pagesOfFleet({ fleetSize }: Pick<PagePorts, 'fleetSize'>): number {
  const size = fleetSize();
  return size === null ? MAX_SINGLE_READS : listPages(size);
}
