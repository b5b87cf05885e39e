/** What is known about the packages of devices: in memory, saved, and valid until a package of the device changes. */
import { PATCH_APPLIED, PATCH_FAILED, PATCH_UNINSTALLED } from '../../fleet/model/event-kinds.ts';
import type { FleetEvent, Package } from '../../fleet/model/resources.ts';
import { type Clock, HOUR, type Instant, instant, later, MINUTE } from '../../lib/clock.ts';
import type { DeviceId, EventId } from '../../lib/ids.ts';
import { tryParseJson } from '../../lib/json.ts';
import type { Log } from '../../lib/log.ts';
import { dropOldest, setNewest } from '../../lib/newest.ts';
import type { InventoryStore } from '../../store/port/store.ts';
import { createReplicaChanges, createWriteBehind, storedRows } from '../persistence/write-behind.ts';
import type { MissingPatchesEntry, MissingPatchFacts, MissingPatchState } from './missing-patch-state.ts';

type KnownPackagesOptions = {
  readonly state: MissingPatchState;
  readonly persistence: MissingPatchPersistence;
  readonly clock: Clock;
  readonly onNames: (names: Iterable<string>) => void;
  readonly changesSince: (since: Instant) => Promise<readonly PackageChange[]>;
};

export type KnownPackages = Readonly<ReturnType<typeof createKnownPackages>>;

export function createKnownPackages(options: KnownPackagesOptions) {
  const { state, persistence, clock, onNames, changesSince } = options;
  const changes = createPackageChangeLog();

  const packagesChanged = (change: PackageChange): void => {
    const { deviceId } = change;
    changes.note(change);
    const asOf = state.asOf(deviceId);
    if (asOf === null || !changes.isOlder(deviceId, asOf)) return;
    state.forget(deviceId);
    persistence.drop(deviceId);
  };

  return {
    /** False when the packages changed during the read, so that nobody knows which state it saw. */
    learn(id: DeviceId, packages: readonly Package[], asOf: Instant): boolean {
      if (changes.isOlder(id, asOf)) return false;
      persistence.put(id, state.put(id, packages, asOf));
      onNames(packages.filter(({ installed }) => !installed).map(({ name }) => name));
      return true;
    },
    /** The same for what the service's list of all devices says of one. */
    learnFromList(id: DeviceId, missing: readonly MissingPatchFacts[], asOf: Instant): boolean {
      if (changes.isOlder(id, asOf)) return false;
      persistence.put(id, state.putFromList(id, missing, asOf));
      return true;
    },
    markGone(id: DeviceId): void {
      state.markGone(id, clock.now());
      persistence.drop(id);
    },
    packagesChanged,
    noteEvents(events: readonly FleetEvent[]): void {
      for (const change of changes.changesIn(events, clock.now())) packagesChanged(change);
    },
    /** Applies changes that another replica made or verified: they are only in the store. */
    async applyStoredChanges(ids: readonly DeviceId[]): Promise<void> {
      const times = ids.flatMap((id) => state.asOf(id) ?? []);
      if (times.length === 0) return;
      const since = times.reduce((oldest, asOf) => (asOf < oldest ? asOf : oldest));
      for (const change of await changesSince(since)) packagesChanged(change);
    },
    async load(): Promise<void> {
      for (const { id, entry } of await persistence.load()) {
        if (changes.isOlder(id, entry.asOf)) continue;
        state.restore(id, entry);
        onNames(entry.packages.map(({ name }) => name));
      }
    },
    followReplicas: (): Promise<void> =>
      persistence.followReplicas((id, entry) => {
        if (entry === null) state.forget(id);
        // Read before the change, by a replica that does not know of the change yet.
        else if (changes.isOlder(id, entry.asOf)) persistence.drop(id);
        else state.applyReplicaEntry(id, entry);
      }),
  };
}

export type PackageChange = { readonly deviceId: DeviceId; readonly at: Instant };

/** How far the service's clock may be behind ours. */
const CLOCK_SKEW_MS = MINUTE;
/** Maximum events that are remembered, so that an event that is listed again is not counted again. */
const MAX_NOTED_EVENTS = 5_000;
/** Maximum devices whose last change is remembered. */
const MAX_DEVICES = 50_000;

const CHANGING_EVENTS: readonly string[] = [PATCH_APPLIED, PATCH_FAILED, PATCH_UNINSTALLED];

/** When the packages of devices last changed, as far as is known: earlier reads are no longer valid. */
function createPackageChangeLog() {
  const changes = new Map<DeviceId, Instant>();
  const noted = new Set<EventId>();
  return {
    note({ deviceId, at }: PackageChange): void {
      const before = changes.get(deviceId);
      if (before !== undefined && before >= at) return;
      setNewest(changes, deviceId, at, MAX_DEVICES);
    },
    isOlder(id: DeviceId, asOf: Instant): boolean {
      const at = changes.get(id);
      return at !== undefined && asOf < at;
    },
    /** The changes that new events report. */
    changesIn(events: readonly FleetEvent[], now: Instant): readonly PackageChange[] {
      const found = events.flatMap(({ id, name, deviceId, createTime }): readonly PackageChange[] => {
        if (deviceId === null || !CHANGING_EVENTS.includes(name) || noted.has(id)) return [];
        noted.add(id);
        const at = createTime === null ? now : later(createTime, CLOCK_SKEW_MS);
        return [{ deviceId, at: at < now ? at : now }];
      });
      dropOldest(noted, MAX_NOTED_EVENTS);
      return found;
    },
  };
}

type MissingPatchPersistence = Readonly<ReturnType<typeof createMissingPatchPersistence>>;
type StoredMissingPatches = { readonly id: DeviceId; readonly entry: MissingPatchesEntry };

type MissingPatchPersistenceOptions = {
  readonly store: Pick<InventoryStore, 'missingPatches' | 'revisions'>;
  readonly clock: Clock;
  readonly log: Log;
};

/** Older entries are not loaded at a start: too much may have been installed since. */
export const MISSING_PATCHES_KEPT_MS = 24 * HOUR;
/** Maximum packages that are saved, of the most recently read devices; some 150 bytes each. */
export const MAX_STORED_PACKAGES = 200_000;

/** Saves the missing patches of devices in the store, so that a restart need not read them all again. */
export function createMissingPatchPersistence({ store, clock, log }: MissingPatchPersistenceOptions) {
  const table = store.missingPatches;
  const revision = async () => (await store.revisions()).missingPatches;
  const writeBehind = createWriteBehind({ table, serialize: serializeMissingPatches, clock, log });
  /** Number of saved packages per device, least recently read first. */
  const sizes = new Map<DeviceId, number>();
  let total = 0;

  const forget = (id: DeviceId): void => {
    total -= sizes.get(id) ?? 0;
    sizes.delete(id);
  };
  /** Counts the entry, and returns the devices that no longer have room. */
  const countAndEvict = (id: DeviceId, { packages }: MissingPatchesEntry): readonly DeviceId[] => {
    forget(id);
    // A device that lacks nothing still takes a row.
    const size = packages.length + 1;
    sizes.set(id, size);
    total += size;
    const out: DeviceId[] = [];
    for (const [oldest] of sizes) {
      if (total <= MAX_STORED_PACKAGES) break;
      out.push(oldest);
      forget(oldest);
    }
    return out;
  };
  const replicaChanges = createReplicaChanges(table);
  const load = async (): Promise<readonly StoredMissingPatches[]> => {
    const now = clock.now();
    replicaChanges.startAt(await revision());
    const good: StoredMissingPatches[] = [];
    const bad: DeviceId[] = [];
    for await (const rows of storedRows(table))
      for (const { deviceId, body } of rows) {
        const entry = deserializeMissingPatches(body);
        // A read in the future was dated by another clock.
        const isRecent = entry !== null && entry.asOf <= now && now - entry.asOf <= MISSING_PATCHES_KEPT_MS;
        if (isRecent) good.push({ id: deviceId, entry });
        else bad.push(deviceId);
      }
    // Devices that were read again in the meantime keep their new entry.
    const current = good.filter(({ id }) => !sizes.has(id));
    const obsolete = bad.filter((id) => !sizes.has(id));
    const inOrder = current.toSorted((a, b) => a.entry.asOf - b.entry.asOf);
    const evicted = new Set(inOrder.flatMap(({ id, entry }) => countAndEvict(id, entry)));
    writeBehind.drop([...obsolete, ...evicted]);
    return inOrder.filter(({ id }) => !evicted.has(id));
  };
  return {
    put(id: DeviceId, entry: MissingPatchesEntry): void {
      writeBehind.put(id, entry);
      writeBehind.drop(countAndEvict(id, entry));
    },
    drop(id: DeviceId): void {
      forget(id);
      writeBehind.drop([id]);
    },
    /** What was saved and is still recent, oldest first. Never throws: unreadable entries count as absent. */
    load: (): Promise<readonly StoredMissingPatches[]> =>
      load().catch((error: unknown) => {
        log.warn(
          { event: 'inventory.unkept', err: error },
          'could not load missing patches from the database',
        );
        return [];
      }),
    /** What other replicas have read or dropped (null) since. */
    async followReplicas(take: (id: DeviceId, entry: MissingPatchesEntry | null) => void): Promise<void> {
      await replicaChanges.readNew(await revision(), ({ deviceId: id, body }) => {
        if (writeBehind.isWaiting(id)) return;
        const entry = body === null ? null : deserializeMissingPatches(body);
        if (body === null || entry !== null) take(id, entry);
      });
    },
    flush: writeBehind.flush,
  };
}

function serializeMissingPatches({ asOf, packages, from }: MissingPatchesEntry): string {
  const way = from === undefined ? [] : [from];
  return JSON.stringify([asOf, packages.map(packageFields), ...way]);
}

const packageFields = (item: MissingPatchFacts) => [
  item.name,
  item.displayName,
  item.version,
  item.severity,
  item.cves,
  item.exploitedCves,
  item.requiresReboot,
];
const FIELDS = 7;

/** The entry, or null when the text or one of its packages does not fit; the device is then read again when needed. */
function deserializeMissingPatches(body: string): MissingPatchesEntry | null {
  const list = tryParseJson(body);
  if (!Array.isArray(list)) return null;
  const [asOf, rows, from]: readonly unknown[] = list;
  if (!isWhole(asOf) || !Array.isArray(rows)) return null;
  const packages: MissingPatchFacts[] = [];
  for (const row of rows) {
    const item = readMissingPatch(row);
    if (item === null) return null;
    packages.push(item);
  }
  return { asOf: instant(asOf), packages, ...(from === 'list' ? { from } : {}) };
}

/** Without a schema library, as for rows of devices: a start reads some hundred thousand of these. */
function readMissingPatch(row: unknown): MissingPatchFacts | null {
  if (!Array.isArray(row) || row.length !== FIELDS) return null;
  const [name, displayName, version, severity, cves, exploitedCves, requiresReboot]: readonly unknown[] = row;
  if (typeof name !== 'string' || typeof displayName !== 'string') return null;
  if (!isText(version) || !isText(severity) || !isWords(cves) || !isWords(exploitedCves)) return null;
  if (typeof requiresReboot !== 'boolean') return null;
  return { name, displayName, version, severity, cves, exploitedCves, requiresReboot };
}

const isWhole = (value: unknown): value is number => Number.isSafeInteger(value);
const isText = (value: unknown): value is string | null => value === null || typeof value === 'string';
const isWords = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((word) => typeof word === 'string');
