/** The device index as commands use it: one index state, a refresher that keeps it fresh, and lookups in it. */
import type { Lane } from '../fleet/fleet.ts';
import { groupLabel } from '../fleet/model/derived-fields.ts';
import { displayName, type FleetEvent, type Group } from '../fleet/model/resources.ts';
import type { Clock } from '../lib/clock.ts';
import type { DeviceId, GroupId } from '../lib/ids.ts';
import { oneAtATime, setNewest } from '../lib/lists.ts';
import { type Log, silentLog } from '../lib/log.ts';
import { compareNames, fold } from '../lib/text.ts';
import type { InventoryStore } from '../store/port/store.ts';
import { createIndexState, type IndexState } from './device-index/index-state.ts';
import type { IndexedDevice } from './device-index/indexed-device.ts';
import {
  ancestorNames,
  type DeviceMatch,
  type FindOptions,
  groupNameIn,
  type Inventory,
  type SearchScope,
  type Snapshot,
  type SnapshotOptions,
  type Suggestion,
  type SuggestionKind,
} from './inventory.ts';
import { createIndexPersistence } from './persistence/index-persistence.ts';
import type { FleetListReader } from './refresh/fleet-walk.ts';
import {
  backgroundWalkAfterMs,
  createRefresher,
  INDEX_FRESH_MS,
  isOutage,
  type Refresher,
  SMALL_FLEET,
} from './refresh/refresher.ts';
import { matchDevice, searchDevices, suggestNames } from './search/device-search.ts';
import { normalizeField } from './search/search-text.ts';
import { searchTexts } from './search/text-search.ts';

type InventoryOptions = {
  readonly fleet: FleetListReader;
  readonly clock: Clock;
  readonly store: InventoryStore;
  readonly log?: Log;
  /** Whether this process reads the whole fleet on its own schedule. */
  readonly leads?: () => boolean;
};

/** Maximum package names that are remembered: the most recently seen ones. */
const MAX_PACKAGE_NAMES = 5_000;

export type InventoryService = Readonly<ReturnType<typeof createInventory>>;

/** The inventory of the organization for which `fleet` and `store` were opened. */
export function createInventory({
  fleet,
  clock,
  store,
  log = silentLog,
  leads = () => true,
}: InventoryOptions) {
  const state = createIndexState();
  const persistence = createIndexPersistence({ store, state, clock, log });
  const refresher = createRefresher({ fleet, clock, state, persistence, log, leads });
  const packages = createRecentNames(MAX_PACKAGE_NAMES);
  const parts = { clock, state, refresher, leads };
  const snapshot = createSnapshots(parts);
  const groupName = createGroupNames(parts);

  const find = async (query: string, options: FindOptions = {}): Promise<DeviceMatch> => {
    // A name that is in the index needs no fresh one: whatever is done with the device reads it first.
    const known = state.lastWalk() === null ? null : matchDevice(state.rowStore, query, options);
    if (known !== null) return known;
    await snapshot(options);
    const found = matchDevice(state.rowStore, query, options);
    if (found !== null) return found;
    return { kind: 'none', nearest: options.exact ? [] : suggestNames(state.rowStore, query, options) };
  };

  const port: Inventory = {
    snapshot,
    find,
    groupName: async (id, { lane = 'background' } = {}) => (id === null ? null : groupName(id, lane)),
    suggest: (kind, query, limit, options) =>
      suggestFrom({ state, packages: packages.all() }, kind, query, { limit, ...options }),
    learnDevice: refresher.learn,
    learnGroup(group) {
      // One group alone would be taken for the whole list.
      if (state.groups().size > 0) state.setGroups(new Map(state.groups()).set(group.id, group));
    },
    learnPolicy({ id, name, type, groupIds }) {
      const others = state.policies().filter((one) => one.id !== id);
      if (state.policies().length > 0) state.setPolicies([...others, { id, name, type }]);
      const linked = [...state.groups()].map(([key, group]) => {
        const kept = group.policyIds.filter((one) => one !== id);
        return [key, { ...group, policyIds: groupIds.includes(key) ? [...kept, id] : kept }] as const;
      });
      state.setGroups(new Map(linked));
    },
    forgetDevice: refresher.forget,
    forgetGroup(id) {
      const groups = new Map(state.groups());
      if (!groups.delete(id)) return;
      state.setGroups(groups);
      if (leads()) refresher.walk('background');
    },
    learnPackages: packages.add,
    acceptRemovals: refresher.acceptRemovals,
  };
  return {
    ...port,
    /** Loads the saved index, and keeps it fresh from then on. */
    start: refresher.start,
    stop: refresher.stop,
    /** What people call the device, from memory only; null when the index does not have it. */
    displayName(id: DeviceId): string | null {
      const device = state.rowStore.get(id);
      return device === undefined ? null : displayName(device);
    },
    /** The name of the device's group, from memory only; null when it is unknown. */
    groupOf(id: DeviceId): string | null {
      const device = state.rowStore.get(id);
      return device === undefined ? null : groupNameIn({ groups: state.groups() }, device.groupId);
    },
    /** How many devices the fleet has, from memory only; null when that is not known yet. */
    fleetSize: (): number | null =>
      state.lastWalk() === null ? (refresher.walking()?.total() ?? null) : state.rowStore.size(),
    /** Lists that are not believed, from memory only. */
    doubts: state.doubts,
    /** Loads what other replicas have learned since; never throws. */
    followReplicas: refresher.followReplicas,
    lead: refresher.lead,
    /** Calls the listener, the only one, with each device that is connected again. */
    onReturn: state.onReturn,
    /** Takes events of the log: new ones, and some that were passed before. */
    noteEvents(events: readonly FleetEvent[]): void {
      packages.add(events.flatMap(({ patches }) => patches.map(({ name }) => name)));
      refresher.noteEvents(events);
    },
  };
}

type IndexParts = {
  readonly clock: Clock;
  readonly state: IndexState;
  readonly refresher: Refresher;
  readonly leads: () => boolean;
};

/** The index as it is, or refreshed first where it is too old for the size of the fleet. */
function createSnapshots({ clock, state, refresher, leads }: IndexParts): Inventory['snapshot'] {
  const age = (): number => clock.now() - (state.lastWalk()?.asOf ?? Number.NEGATIVE_INFINITY);
  const isFresh = (): boolean => age() >= 0 && age() <= INDEX_FRESH_MS;

  const view = (overdue = false): Snapshot => {
    const findings = state.lastWalk();
    const walking = refresher.walking();
    return {
      devices: state.rowStore.ordered().rows,
      unlisted: findings?.unlisted ?? 0,
      groups: state.groups(),
      policies: state.policies(),
      asOf: findings?.asOf ?? walking?.startedAt ?? clock.now(),
      partial: findings === null ? { of: walking?.total() ?? null } : null,
      doubts: state.doubts(),
      overdue,
      device: (id) => state.rowStore.get(id) ?? null,
      search: (words, options) => searchDevices(state.rowStore, words, options),
    };
  };

  /** The walk takes no abort signal: one caller who gives up must not end it for the others. */
  const walked = async (lane: Lane, whole: boolean): Promise<Snapshot> => {
    const { done, large } = refresher.walk(lane);
    try {
      await (whole ? done : Promise.race([done, large]));
      return view();
    } catch (error) {
      if (state.lastWalk() === null || !isOutage(error)) throw error;
      return view(true);
    }
  };

  return async ({ lane = 'background', refresh = false }: SnapshotOptions = {}): Promise<Snapshot> => {
    if (refresh) return walked(lane, true);
    if (isFresh()) return view();
    const isLarge = state.lastWalk() !== null && state.rowStore.size() > SMALL_FLEET;
    if (!isLarge) return walked(lane, false);
    const isDue = age() > backgroundWalkAfterMs(state.rowStore.size()) && refresher.walking() === null;
    if (isDue && leads()) refresher.walk('background');
    return view();
  };
}

/** Names of groups, of which the list is read again when it is a minute old. */
function createGroupNames({ clock, state, refresher }: IndexParts) {
  let groupsAsOf: number | null = null;
  const readGroups = oneAtATime(refresher.readGroups);

  const freshGroups = async (lane: Lane): Promise<void> => {
    const asOf = clock.now();
    await readGroups(lane);
    groupsAsOf = asOf;
  };

  return async (id: GroupId, lane: Lane): Promise<string | null> => {
    const readAt = Math.max(groupsAsOf ?? 0, state.lastWalk()?.asOf ?? 0);
    if (clock.now() - readAt > INDEX_FRESH_MS || readAt > clock.now()) {
      try {
        await freshGroups(lane);
      } catch (error) {
        if (!state.groups().has(id) || !isOutage(error)) throw error;
      }
    }
    return groupNameIn({ groups: state.groups() }, id);
  };
}

/** Up to `limit` suggestions, best first; without words, by name. */
function suggestFrom(
  { state, packages }: { readonly state: IndexState; readonly packages: ReadonlyMap<string, string> },
  kind: SuggestionKind,
  query: string,
  { limit, ...options }: { readonly limit: number } & SearchScope,
): readonly Suggestion[] {
  const words = queryWords(query);
  switch (kind) {
    case 'device':
      return searchDevices(state.rowStore, words, { limit, ...options })
        .devices.slice(0, limit)
        .map((device) => ({
          id: device.id,
          label: displayName(device),
          detail: deviceDetail(device, groupNameIn({ groups: state.groups() }, device.groupId)),
        }));
    case 'group':
      return suggestGroups(state.groups(), query, limit);
    case 'policy':
      return matchLabels(
        state.policies().map(({ id, name, type }) => ({ id, label: name, detail: type })),
        query,
        limit,
      );
    case 'package':
      return matchLabels(
        [...packages.keys()].map((label) => ({ id: null, label, detail: null })),
        query,
        limit,
        [...packages.values()],
      );
  }
}

function deviceDetail({ id }: IndexedDevice, groupName: string | null): readonly string[] {
  return groupName === null ? [`#${id}`] : [`#${id}`, groupName];
}

function suggestGroups(
  groups: ReadonlyMap<GroupId, Group>,
  query: string,
  limit: number,
): readonly Suggestion[] {
  const all = [...groups.values()].map((group) => ({ group, label: groupLabel(group) }));
  return matchLabels(all, query, limit).map(({ group, label }) => {
    const above = ancestorNames(group, groups).join(' / ');
    return { id: group.id, label, detail: above === '' ? null : above };
  });
}

function matchLabels<T extends { readonly label: string }>(
  all: readonly T[],
  query: string,
  limit: number,
  texts = all.map(({ label }) => normalizeField(label)),
): readonly T[] {
  const words = queryWords(query);
  // Only matches are sorted, because there may be thousands of entries.
  const { slots } = searchTexts({ texts }, words);
  const found = [...slots].flatMap((slot) => all[slot] ?? []);
  const ordered = words.length === 0 ? found.toSorted((a, b) => compareNames(a.label, b.label)) : found;
  return ordered.slice(0, limit);
}

function queryWords(query: string): readonly string[] {
  return fold(query)
    .split(' ')
    .filter((word) => word !== '');
}

/** At most `most` names; the least recently added are dropped. */
function createRecentNames(most: number) {
  /** With the text that is searched: a sentence looks up each of its words among thousands of names. */
  const names = new Map<string, string>();
  return {
    add(added: Iterable<string>): void {
      for (const name of added) setNewest(names, name, names.get(name) ?? normalizeField(name), most);
    },
    /** The most recent one last. */
    all: (): ReadonlyMap<string, string> => names,
  };
}
