/** The port through which commands find devices and name groups. */
import type { ReadOptions } from '../fleet/fleet.ts';
import { groupLabel, isDefaultGroup } from '../fleet/model/derived-fields.ts';
import type { Device, Group, Policy } from '../fleet/model/resources.ts';
import type { Instant } from '../lib/clock.ts';
import type { DeviceId, GroupId } from '../lib/ids.ts';
import type { ListDoubt, PolicyName } from './device-index/index-state.ts';
import type { IndexedDevice } from './device-index/indexed-device.ts';
import { withNamesOnly } from './search/search-text.ts';

export type { ListDoubt } from './device-index/index-state.ts';
export type { IndexedDevice } from './device-index/indexed-device.ts';

export type Snapshot = {
  /** In the order of the names that people know. */
  readonly devices: readonly IndexedDevice[];
  /** Maximum number of devices that are missing here: the service's list was cut short or had unreadable rows. */
  readonly unlisted: number;
  readonly groups: ReadonlyMap<GroupId, Group>;
  /** The organization's policies; empty when the key may not see them. */
  readonly policies: readonly PolicyName[];
  /** When the walk began that read all of this. Single changes may be newer. */
  readonly asOf: Instant;
  /** Not null: no walk is complete yet, so this is only a part; `of` is the total that the service states. */
  readonly partial: { readonly of: number | null } | null;
  /** Lists that are not believed, because they lack too much: what they lack is kept here. */
  readonly doubts: readonly ListDoubt[];
  /** It should have been refreshed, but the service did not answer. */
  readonly overdue: boolean;
  readonly device: (id: DeviceId) => IndexedDevice | null;
  /** The devices that contain every one of these words: in names, `#id`, addresses, networks, serial number or user. */
  readonly search: (words: readonly SearchTerm[], options?: SearchScope) => SearchResult;
};

/** A word, or several alternatives. */
export type SearchTerm = string | readonly string[];

export type SearchResult = {
  /** Best match first. */
  readonly devices: readonly IndexedDevice[];
  /** No device contains all words as typed: these are close. */
  readonly isApproximate: boolean;
};

export type DeviceMatch =
  | { readonly kind: 'one'; readonly device: IndexedDevice }
  | { readonly kind: 'several'; readonly devices: readonly IndexedDevice[] }
  | { readonly kind: 'none'; readonly nearest: readonly string[] };

export type SuggestionKind = 'device' | 'group' | 'policy' | 'package';
/** An item of a menu; `id` is null when it only has a name. */
export type Suggestion = {
  readonly id: number | null;
  readonly label: string;
  /** A device's number and group, the groups above a group, a policy's type. */
  readonly detail: string | readonly string[] | null;
};

export type SearchScope = {
  /** Search only names and numbers of devices, no personal data. */
  readonly namesOnly?: true;
};

export type SnapshotOptions = ReadOptions & {
  /** Reads the whole fleet first, whatever the age of the index. */
  readonly refresh?: boolean;
};

export type FindOptions = ReadOptions &
  SearchScope & {
    /** Only exact matches. Searching for similar names takes longest when there are none. */
    readonly exact?: true;
  };

export type Inventory = {
  /**
   * The index with its age. For a small fleet it is at most a minute old; for a large one it is returned at once and
   * refreshed in the background, as the request budget allows. Throws FleetFailure when nothing was ever read.
   */
  readonly snapshot: (options?: SnapshotOptions) => Promise<Snapshot>;
  /** Finds by `#id`, or by a complete name, address, serial number or user; never picks among several. */
  readonly find: (query: string, options?: FindOptions) => Promise<DeviceMatch>;
  readonly groupName: (id: GroupId | null, options?: ReadOptions) => Promise<string | null>;
  /** For menus: from memory only, best match first. */
  readonly suggest: (
    kind: SuggestionKind,
    query: string,
    limit: number,
    options?: SearchScope,
  ) => readonly Suggestion[];
  readonly learnDevice: (device: Device) => void;
  readonly learnGroup: (group: Group) => void;
  /** Adds a policy that was just created or changed, and its links to groups. */
  readonly learnPolicy: (policy: Policy) => void;
  readonly forgetDevice: (id: DeviceId) => void;
  /** Drops a group that was just removed. Its devices are in another one by then. */
  readonly forgetGroup: (id: GroupId) => void;
  readonly learnPackages: (names: Iterable<string>) => void;
  /** Reads the fleet and believes lists that lack up to `most` of what is known. Throws FleetFailure. */
  readonly acceptRemovals: (most: number) => Promise<void>;
};

type CachedResult<Result> = Pick<Snapshot, 'groups' | 'policies'> & { readonly result: Result };

/** Computed once for each state of the index; `compute` may read only devices, groups and policies. */
export function memoizePerSnapshot<Result>(
  compute: (snapshot: Snapshot) => Result,
): (snapshot: Snapshot) => Result {
  const known = new WeakMap<readonly IndexedDevice[], CachedResult<Result>>();
  return (snapshot) => {
    const { devices, groups, policies } = snapshot;
    const before = known.get(devices);
    if (before?.groups === groups && before.policies === policies) return before.result;
    const result = compute(snapshot);
    known.set(devices, { groups, policies, result });
    return result;
  };
}

/** Names of the groups above this one, outermost first, each once; without the default group. */
export function ancestorNames(group: Group, groups: ReadonlyMap<GroupId, Group>): readonly string[] {
  const visited = new Set([group.id]);
  const names: string[] = [];
  let { parentId } = group;
  while (parentId !== null && !visited.has(parentId)) {
    const parent = groups.get(parentId);
    if (parent === undefined || isDefaultGroup(parent)) break;
    names.push(groupLabel(parent));
    visited.add(parent.id);
    ({ parentId } = parent);
  }
  return names.toReversed();
}

/** The group's name in this snapshot; null when it is unknown. */
export function groupNameIn({ groups }: Pick<Snapshot, 'groups'>, id: GroupId | null): string | null {
  const group = id === null ? undefined : groups.get(id);
  return group === undefined ? null : groupLabel(group);
}

/** Cached per original row and list: there may be a hundred thousand, of which few change. */
const rowCache = new WeakMap<IndexedDevice, IndexedDevice>();
const listCache = new WeakMap<readonly IndexedDevice[], readonly IndexedDevice[]>();

function rowWithoutPersonalData(row: IndexedDevice): IndexedDevice {
  const before = rowCache.get(row);
  if (before !== undefined) return before;
  const made = { ...row, searchText: withNamesOnly(row.searchText) };
  rowCache.set(row, made);
  return made;
}

function rowsWithoutPersonalData(devices: readonly IndexedDevice[]): readonly IndexedDevice[] {
  const made = listCache.get(devices) ?? devices.map(rowWithoutPersonalData);
  listCache.set(devices, made);
  return made;
}

function matchWithoutPersonalData(found: DeviceMatch): DeviceMatch {
  switch (found.kind) {
    case 'one':
      return { kind: 'one', device: rowWithoutPersonalData(found.device) };
    case 'several':
      return { kind: 'several', devices: found.devices.map(rowWithoutPersonalData) };
    case 'none':
      return found;
  }
}

/** Its rows have no users, serial numbers and addresses: a search by a person's name would reveal their devices. */
export function inventoryWithoutPersonalData(inventory: Inventory): Inventory {
  return {
    ...inventory,
    find: async (query, options) =>
      matchWithoutPersonalData(await inventory.find(query, { ...options, namesOnly: true })),
    async snapshot(options) {
      const snapshot = await inventory.snapshot(options);
      const { devices } = snapshot;
      return {
        ...snapshot,
        devices: rowsWithoutPersonalData(devices),
        device(id) {
          const row = snapshot.device(id);
          return row === null ? null : rowWithoutPersonalData(row);
        },
        search(words) {
          const found = snapshot.search(words, { namesOnly: true });
          return { ...found, devices: found.devices.map(rowWithoutPersonalData) };
        },
      };
    },
    suggest: (kind, query, limit) => inventory.suggest(kind, query, limit, { namesOnly: true }),
  };
}
