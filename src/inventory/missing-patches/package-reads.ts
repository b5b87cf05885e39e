/** Reads the packages of devices in the background, a few devices at a time. */

import { FleetFailure, type FleetPage, type FleetReader } from '../../fleet/fleet.ts';
import type { DevicePackage, ListedDevice, Package } from '../../fleet/model/resources.ts';
import { incompleteList } from '../../fleet/reads/read-helpers.ts';
import { type Clock, HOUR, type Instant, later, MINUTE } from '../../lib/clock.ts';
import type { DeviceId, GroupId } from '../../lib/ids.ts';
import { oneAtATime } from '../../lib/lists.ts';
import type { Log } from '../../lib/log.ts';
import { createInterner, type IndexedDevice, toIndexedDevice } from '../device-index/indexed-device.ts';
import type { KnownPackages, MissingPatchFacts, MissingPatchState } from './known-packages.ts';

type PackageReadsOptions = {
  readonly fleet: Pick<FleetReader, 'packages' | 'device'>;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Takes the packages of a device. False: they changed during the read, so they are read again. */
  readonly learn: (id: DeviceId, packages: readonly Package[], asOf: Instant) => boolean;
  /** The service no longer knows the device. */
  readonly onGone: (id: DeviceId) => void;
};

/** Maximum concurrent calls of background work (see the scheduler). */
const CONCURRENT_READS = 3;
/** After this many failures in a row, the rest waits for the next question. */
const MAX_FAILURES = 5;

export function createPackageReads({ fleet, clock, signal, learn, onGone }: PackageReadsOptions) {
  const waiting = new Set<DeviceId>();
  const unread = new Set<DeviceId>();
  const isLast = createLastPageCheck();
  const read = { lane: 'background', signal } as const;
  let failures = 0;

  const done = (id: DeviceId): void => {
    unread.delete(id);
    waiting.delete(id);
  };
  const readOne = async (id: DeviceId): Promise<void> => {
    const asOf = clock.now();
    try {
      const rows: Package[] = [];
      for await (const page of fleet.packages(id, read)) {
        rows.push(...page.rows);
        if (isLast(page)) break;
      }
      // Assumption (§2.2, §4.7): what the device counts as missing stands in its list. One that has none is no answer then.
      if (rows.every(({ installed }) => installed) && (await fleet.device(id, read)).patches)
        throw incompleteList(`the packages of device ${id} lack those that it is missing`);
      if (learn(id, rows, asOf)) done(id);
      else waiting.add(id);
      failures = 0;
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof FleetFailure)) throw error;
      if (error.error.kind === 'missing') return onGone(id);
      unread.add(id);
      failures += 1;
      if (failures >= MAX_FAILURES) waiting.clear();
    }
  };
  const readWaiting = async (): Promise<void> => {
    for (let [id] = waiting; id !== undefined && !signal.aborted; [id] = waiting) {
      waiting.delete(id);
      await readOne(id);
    }
  };
  const readAllWaiting = oneAtATime(async (): Promise<void> => {
    await Promise.all(Array.from({ length: CONCURRENT_READS }, readWaiting));
  });

  return {
    done,
    /** Adds devices to those that are read. Resolves when all were read or given up; null when none waits. */
    read(ids: readonly DeviceId[]): Promise<void> | null {
      failures = 0;
      for (const id of ids) {
        unread.delete(id);
        waiting.add(id);
      }
      if (waiting.size === 0) return null;
      return readAllWaiting();
    },
    isUnread: (id: DeviceId): boolean => unread.has(id),
    isReading: (): boolean => readAllWaiting.running() !== null,
    /** Starts no further read, and waits for the running ones. */
    async stop(): Promise<void> {
      waiting.clear();
      await readAllWaiting.running();
    },
  };
}

/**
 * Whether this is the last page. The list states no total, so a walk would request one more page to see that it is
 * empty. A page that is shorter than another one of the service was not cut by the service's limit, so it is the
 * last; this saves every second request.
 */
function createLastPageCheck() {
  let longestPage = 0;
  return ({ rows, unreadable }: FleetPage<Package>): boolean => {
    const size = rows.length + unreadable;
    const shorter = size < longestPage;
    longestPage = Math.max(longestPage, size);
    return shorter;
  };
}

type StaleReadsOptions = {
  readonly list: ReturnType<typeof createFleetWideList>;
  readonly reads: Readonly<ReturnType<typeof createPackageReads>>;
  readonly state: MissingPatchState;
  readonly packages: Pick<KnownPackages, 'learnFromList'>;
  readonly onNames: (names: Iterable<string>) => void;
  readonly clock: Clock;
  readonly signal: AbortSignal;
};

export const MAX_DEVICES_PER_QUERY = 1_000;

/** From the service's list of all devices where that is likely cheaper, and what it does not name one by one. */
export function createStaleReads(options: StaleReadsOptions) {
  const { list, reads, state, packages, onNames, clock, signal } = options;

  const learnList = async (asOf: Instant): Promise<void> => {
    const found = new Map<DeviceId, MissingPatchFacts[]>();
    const isWhole = await list.read((rows) => {
      for (const { deviceId, item } of rows) {
        const ofDevice = found.get(deviceId) ?? [];
        found.set(deviceId, ofDevice);
        ofDevice.push(...state.missingAmong([item], asOf));
      }
      onNames(rows.map(({ item }) => item.name));
    });
    if (!isWhole) return;
    for (const [id, missing] of found) if (packages.learnFromList(id, missing, asOf)) reads.done(id);
  };
  const readOneByOne = (ids: readonly DeviceId[]) => reads.read(ids.slice(0, MAX_DEVICES_PER_QUERY));
  const readListThenRest = oneAtATime(async (stale: readonly DeviceId[]): Promise<void> => {
    const asOf = clock.now();
    try {
      await learnList(asOf);
    } catch (error) {
      if (signal.aborted) return;
      throw error;
    }
    // The list does not name them, although the service lists them with missing patches.
    await readOneByOne(stale.filter((id) => (state.asOf(id) ?? 0) < asOf));
  });

  return {
    /** Reads these devices, those first that come first. Resolves when all were read or given up; null: nothing to read. */
    read(stale: readonly DeviceId[]): Promise<void> | null {
      if (stale.length === 0 || (readListThenRest.running() === null && !list.isWorth(stale.length)))
        return readOneByOne(stale);
      return readListThenRest(stale);
    },
    isReading: (): boolean => readListThenRest.running() !== null || reads.isReading(),
    async stop(): Promise<void> {
      await Promise.all([reads.stop(), readListThenRest.running()]);
    },
  };
}

type FleetWideListOptions = {
  readonly fleet: Pick<FleetReader, 'missingPackages'>;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly log: Log;
};

/** Fewer devices are read one by one. The first reading of the list shows how many pages it has. */
const FEW_DEVICES = 20;
/** Until it is tried again after the service said that it does not have it, or after it failed. */
const ABSENT_FOR_MS = HOUR;
const FAILED_FOR_MS = 10 * MINUTE;

/**
 * The service's list of missing packages across all devices, where it has one: some requests for the whole fleet
 * instead of one per device. The list states no total, and rows move between its pages while patches are installed,
 * so a device that it does not name is read by itself.
 */
export function createFleetWideList({ fleet, clock, signal, log }: FleetWideListOptions) {
  let pages = FEW_DEVICES;
  let notBefore: Instant | null = null;

  const giveUp = (error: unknown, ms: number): false => {
    notBefore = later(clock.now(), ms);
    log.info(
      { event: 'inventory.no-fleet-wide-packages', err: error },
      'no fleet-wide list of packages: devices are read one by one',
    );
    return false;
  };

  return {
    /** Whether reading it is likely cheaper than reading this many devices one by one. */
    isWorth: (devices: number): boolean =>
      devices > pages && (notBefore === null || clock.now() >= notBefore),
    /** False: the service does not have all of it, and what `take` got is no answer. Throws only an abort's reason. */
    async read(take: (rows: readonly DevicePackage[]) => void): Promise<boolean> {
      let read = 0;
      try {
        for await (const { rows, unreadable, shortfall = 0 } of fleet.missingPackages({
          lane: 'background',
          signal,
        })) {
          if (unreadable > 0 || shortfall > 0) return giveUp(null, ABSENT_FOR_MS);
          read += 1;
          take(rows);
        }
      } catch (error) {
        if (signal.aborted || !(error instanceof FleetFailure)) throw error;
        const isAbsent = ['missing', 'forbidden', 'invalid', 'unreadable', 'too-large'].includes(
          error.error.kind,
        );
        return giveUp(error, isAbsent ? ABSENT_FOR_MS : FAILED_FOR_MS);
      }
      pages = Math.max(FEW_DEVICES, read);
      return true;
    },
  };
}

export type PatchCandidate = ListedDevice;

/** A list of this age is good enough for another page of an answer, or for the same question again. */
const LIST_FRESH_MS = 5 * MINUTE;
/** Each group is one request against a tight limit, so more groups than this are read as one list of all devices. */
const MAX_GROUP_LISTS = 4;

type CachedList = { readonly asOf: Instant; readonly rows: readonly PatchCandidate[] };

/**
 * The devices that the service lists with missing patches (`patchStatus=missing`, §4.5). Assumption (§4.5): these are
 * all devices that lack a package; ignored and deferred packages may be among those that they lack.
 */
export function createPatchCandidates({
  fleet,
  clock,
  signal,
  deviceRows = async () => [],
}: {
  readonly fleet: Pick<FleetReader, 'devices'>;
  readonly clock: Clock;
  /** All devices that are known. A list that lacks one with missing patches says nothing of it: it is a candidate, too. */
  readonly deviceRows?: (() => Promise<readonly IndexedDevice[]>) | undefined;
  readonly signal: AbortSignal;
}) {
  const interner = createInterner();
  const cache = new Map<string, CachedList>();
  const reading = new Map<string, Promise<CachedList>>();

  /** A person waits for this short list; the packages are then read in the background. */
  const list = async (groupId: GroupId | null): Promise<CachedList> => {
    const asOf = clock.now();
    const rows: PatchCandidate[] = [];
    const query = {
      missingPatches: true,
      withoutPolicyStatus: true,
      ...(groupId === null ? {} : { groupId }),
    } as const;
    for await (const page of fleet.devices(query, { lane: 'person', signal })) {
      for (const device of page.rows) rows.push(toIndexedDevice(device, interner));
      if (page.shortfall !== undefined)
        throw incompleteList(`${page.shortfall} devices are missing in the list`);
    }
    return { asOf, rows };
  };
  /** Two callers at the same time share one list. */
  const listOf = async (groupId: GroupId | null, refresh: boolean): Promise<readonly PatchCandidate[]> => {
    const key = String(groupId);
    const old = cache.get(key);
    if (!refresh && old !== undefined && clock.now() < later(old.asOf, LIST_FRESH_MS)) return old.rows;
    const read = reading.get(key) ?? list(groupId).finally(() => reading.delete(key));
    reading.set(key, read);
    const fresh = await read;
    const now = clock.now();
    for (const [other, { asOf }] of cache) if (now >= later(asOf, LIST_FRESH_MS)) cache.delete(other);
    cache.set(key, fresh);
    return fresh.rows;
  };

  /** Devices directly in these groups; null: all devices. `refresh`: read again, whatever is known. Throws FleetFailure. */
  return async (
    groups: ReadonlySet<GroupId> | null,
    refresh: boolean,
  ): Promise<readonly PatchCandidate[]> => {
    const requestedGroups = groups === null || groups.size > MAX_GROUP_LISTS ? [null] : [...groups];
    const lists = await Promise.all(requestedGroups.map((group) => listOf(group, refresh)));
    const known = (await deviceRows()).filter(({ missesPatches }) => missesPatches !== false);
    // A service may ignore a filter that it does not know, and a device may move from one list to another.
    const isIn = ({ groupId }: PatchCandidate) =>
      groups === null || (groupId !== null && groups.has(groupId));
    const rows = new Map([...known, ...lists.flat()].filter(isIn).map((device) => [device.id, device]));
    return [...rows.values()];
  };
}
