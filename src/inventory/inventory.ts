/** Finding devices and naming groups: the port that commands use. */

import type { ReadOptions } from '../fleet/fleet.ts';
import type { Device, FleetEvent, Group } from '../fleet/model/resources.ts';
import type { Instant } from '../lib/clock.ts';
import type { DeviceId, GroupId } from '../lib/ids.ts';
import type { PolicyName } from './device-index/index-state.ts';
import type { IndexedDevice } from './device-index/indexed-device.ts';

export type { PolicyName } from './device-index/index-state.ts';
export type { IndexedDevice } from './device-index/indexed-device.ts';

export type Snapshot = {
  /** By the names that people know. */
  readonly devices: readonly IndexedDevice[];
  /** So many devices at the most are not among them: the service's list was cut short, or held what cannot be read. */
  readonly unlisted: number;
  readonly groups: ReadonlyMap<GroupId, Group>;
  /** Of the organization; empty where the key may not see them. */
  readonly policies: readonly PolicyName[];
  /** When the walk began that read all of this; what came later may be newer. */
  readonly asOf: Instant;
  /** Not null: no walk has come to its end yet, so this is a part; `of` is what the service says there are in all. */
  readonly partial: { readonly of: number | null } | null;
  /** It should be newer, but the service did not give it. */
  readonly overdue: boolean;
  /** The device of this number, as it is by now; null where there is none any more. */
  readonly device: (id: DeviceId) => IndexedDevice | null;
  /** The devices that hold every one of these words: in names, `#id`, addresses, networks, serial number or user. */
  readonly search: (words: readonly SearchTerm[], options?: SearchScope) => SearchResult;
};

/** A word, or several of which one is enough. */
export type SearchTerm = string | readonly string[];

export type SearchResult = {
  /** The best first. */
  readonly devices: readonly IndexedDevice[];
  /** No device has all the words as they were typed: these come near. */
  readonly isApproximate: boolean;
};

export type DeviceMatch =
  | { readonly kind: 'one'; readonly device: IndexedDevice }
  | { readonly kind: 'several'; readonly devices: readonly IndexedDevice[] }
  | { readonly kind: 'none'; readonly nearest: readonly string[] };

export type SuggestionKind = 'device' | 'group' | 'policy' | 'package';
/** Something to choose from a menu; `id` is null where a name is all there is. */
export type Suggestion = {
  readonly id: number | null;
  readonly label: string;
  /** What tells it from others of its name: a device's number and group, the names above a group, a policy's type. */
  readonly detail: string | null;
};

export type SearchScope = {
  /** Devices are found by their names and numbers, and by nothing personal. */
  readonly namesOnly?: true;
};

export type SnapshotOptions = ReadOptions & {
  /** Reads the whole fleet first, whatever the age of the index. */
  readonly refresh?: boolean;
};

export type FindOptions = ReadOptions &
  SearchScope & {
    /** Only whether there is one: what comes near is not looked for, which takes longest where nothing does. */
    readonly exact?: true;
  };

export type Inventory = {
  /**
   * The index with its age. A small fleet is at most a minute old; a large one is given at once and read anew behind,
   * as far as there is budget. Throws FleetFailure where nothing was ever read.
   */
  readonly snapshot: (options?: SnapshotOptions) => Promise<Snapshot>;
  /** By `#id`, or the whole of a name, address, serial number or user; never picks among several. */
  readonly find: (query: string, options?: FindOptions) => Promise<DeviceMatch>;
  readonly groupName: (id: GroupId | null, options?: ReadOptions) => Promise<string | null>;
  /** For menus: from memory alone, the best first. */
  readonly suggest: (
    kind: SuggestionKind,
    query: string,
    limit: number,
    options?: SearchScope,
  ) => readonly Suggestion[];
  /** A device that was just read. */
  readonly learnDevice: (device: Device) => void;
  /** A group that was just made or changed. */
  readonly learnGroup: (group: Group) => void;
  /** Names of packages that were just seen. */
  readonly learnPackages: (names: Iterable<string>) => void;
};

/** The same with its life. */
export type InventoryService = Inventory & {
  /** Takes up what was kept, and keeps it fresh from then on. */
  readonly start: () => Promise<void>;
  /** What people call the device, from memory alone; null where the index does not have it. */
  readonly displayName: (id: DeviceId) => string | null;
  /** The name of its group, from memory alone; null where that is not known. */
  readonly groupOf: (id: DeviceId) => string | null;
  /** Waits for what is under way. */
  readonly stop: () => Promise<void>;
  /** Events of the log, new ones and some that were given before. */
  readonly noteEvents: (events: readonly FleetEvent[]) => void;
  /** Takes up what other replicas learned since; never throws. */
  readonly followReplicas: () => Promise<void>;
  /** This process reads the fleet from now on. */
  readonly lead: () => void;
};
