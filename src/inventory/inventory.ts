/** Finding devices and naming groups: the port that commands use. */
import type { Instant } from '../clock.ts';
import type { ReadOptions } from '../fleet/fleet.ts';
import type { Device, Group } from '../fleet/model.ts';
import type { GroupId } from '../ids.ts';

export type Snapshot = {
  /** As far as finding and listing needs them: hardware, and how they stand with each policy, is left out. */
  readonly devices: readonly Device[];
  /** So many devices at the most are not among them: the service's list was cut short, or held what cannot be read. */
  readonly unlisted: number;
  readonly groups: ReadonlyMap<GroupId, Group>;
  readonly asOf: Instant;
};

export type Found =
  | { readonly kind: 'one'; readonly device: Device }
  | { readonly kind: 'several'; readonly devices: readonly Device[] }
  | { readonly kind: 'none'; readonly nearest: readonly string[] };

export type Inventory = {
  /** All devices and groups, at most a minute old; one walk at a time, shared by all who wait. Throws FleetFailure. */
  readonly snapshot: (options?: ReadOptions) => Promise<Snapshot>;
  /** By `#id`, hostname, custom name (case-insensitive); never picks among several. */
  readonly find: (query: string, options?: ReadOptions) => Promise<Found>;
  readonly groupName: (id: GroupId | null, options?: ReadOptions) => Promise<string | null>;
};
