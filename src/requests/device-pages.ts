/**
 * Reading many devices by the pages of the fleet's list, where that takes fewer requests than reading each of them. The
 * list cannot be asked for certain devices.
 */
import type { FleetReader, ReadOptions } from '../fleet/fleet.ts';
import type { Device } from '../fleet/model/resources.ts';

/** Devices on a page (§4.5). */
const PAGE_SIZE = 500;
/** Where the size of the fleet is not known, more than so many are read by pages. Our own figure. */
const MAX_SINGLE_READS = 20;

/** How many devices the fleet has; null: not known. */
export type FleetSize = () => Promise<number | null>;

export type PagePorts = {
  readonly reader: Pick<FleetReader, 'devices'>;
  /** Absent: not known. */
  readonly fleetSize?: FleetSize | undefined;
};

/** How many pages the fleet has; where that is not known, so many that a few devices are read alone. */
export async function pagesOfFleet({
  fleetSize = async () => null,
}: Pick<PagePorts, 'fleetSize'>): Promise<number> {
  const size = await fleetSize();
  return size === null ? MAX_SINGLE_READS : Math.max(Math.ceil(size / PAGE_SIZE), 1);
}

/** Whether the pages of the fleet are fewer than `devices`. */
export async function arePagesFewer(ports: PagePorts, devices: number): Promise<boolean> {
  return devices > (await pagesOfFleet(ports));
}

export type PageOptions = Required<Pick<ReadOptions, 'lane'>> &
  Pick<ReadOptions, 'signal'> & {
    /** With how the devices stand with their policies. */
    readonly withPolicies: boolean;
  };

/** The devices page by page. Throws {@link FleetFailure}. */
export async function* devicePages(
  { reader }: PagePorts,
  { withPolicies, ...options }: PageOptions,
): AsyncGenerator<readonly Device[]> {
  for await (const { rows } of reader.devices({ withoutPolicyStatus: !withPolicies }, options)) yield rows;
}
