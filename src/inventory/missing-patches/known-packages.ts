/** What is known about the packages of devices: in memory, saved, and valid until a package of the device changes. */

import { packageState } from '../../fleet/model/derived-fields.ts';
import { PATCH_APPLIED, PATCH_FAILED, PATCH_UNINSTALLED } from '../../fleet/model/event-kinds.ts';
import type { FleetEvent, Package } from '../../fleet/model/resources.ts';
import { type Clock, HOUR, type Instant, instant, later, MINUTE } from '../../lib/clock.ts';
import type { DeviceId, EventId } from '../../lib/ids.ts';
import { tryParseJson } from '../../lib/json.ts';
import { dropOldest, setNewest } from '../../lib/lists.ts';
import type { Log } from '../../lib/log.ts';
import { fold } from '../../lib/text.ts';
import type { InventoryStore } from '../../store/port/store.ts';
import { createReplicaChanges, createWriteBehind, storedRows } from '../persistence/write-behind.ts';

type KnownPackagesOptions = {
  readonly state: MissingPatchState;
  readonly persistence: Readonly<ReturnType<typeof createMissingPatchPersistence>>;
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
const MAX_CHANGED_DEVICES = 50_000;

const CHANGING_EVENTS: readonly string[] = [PATCH_APPLIED, PATCH_FAILED, PATCH_UNINSTALLED];

/** When the packages of devices last changed, as far as is known: earlier reads are no longer valid. */
function createPackageChangeLog() {
  const changes = new Map<DeviceId, Instant>();
  const noted = new Set<EventId>();
  return {
    note({ deviceId, at }: PackageChange): void {
      const before = changes.get(deviceId);
      if (before !== undefined && before >= at) return;
      setNewest(changes, deviceId, at, MAX_CHANGED_DEVICES);
    },
    isOlder(id: DeviceId, asOf: Instant): boolean {
      const at = changes.get(id);
      return at !== undefined && asOf < at;
    },
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

/** A package that is not installed, with the fields that questions about many devices need. */
export type MissingPatchFacts = Pick<
  Package,
  'name' | 'displayName' | 'version' | 'severity' | 'cves' | 'exploitedCves' | 'requiresReboot'
>;
export type MissingPatchesEntry = {
  readonly asOf: Instant;
  readonly packages: readonly MissingPatchFacts[];
  /** Read from the service's list of all devices; absent: from the device's own list. */
  readonly from?: 'list' | undefined;
};

export type MissingPatchState = Readonly<ReturnType<typeof createMissingPatchState>>;

/** Maximum devices, the most recently read ones; a few hundred bytes each. */
const MAX_KNOWN_DEVICES = 50_000;
/** Maximum shared packages: beyond this, sharing starts again. */
const MAX_INTERNED_PACKAGES = 20_000;

/** `isPartial`: only the missing packages are known. */
type StateEntry = MissingPatchesEntry & { readonly isGone: boolean; readonly isPartial: boolean };

/** The packages that devices lack. Each package is stored once, however many devices lack it. */
export function createMissingPatchState() {
  const entries = new Map<DeviceId, StateEntry>();
  const seen = createSeenPackages();
  const interned = new Map<string, MissingPatchFacts>();

  const intern = (item: MissingPatchFacts): MissingPatchFacts => {
    const { name, displayName, version, severity, cves, exploitedCves, requiresReboot } = item;
    const parts = [name, displayName, version, severity, requiresReboot, ...cves, '', ...exploitedCves];
    const key = parts.join('\n');
    if (interned.size > MAX_INTERNED_PACKAGES) interned.clear();
    const same = interned.get(key);
    const first = same ?? { name, displayName, version, severity, cves, exploitedCves, requiresReboot };
    interned.set(key, first);
    return first;
  };
  /** Those of the packages that a device lacks; all of them count as seen. */
  const missingAmong = (packages: readonly Package[], asOf: Instant): readonly MissingPatchFacts[] => {
    seen.add(packages);
    return packages.filter((item) => packageState(item, asOf) === 'missing').map(intern);
  };
  const setEntry = (id: DeviceId, entry: StateEntry): StateEntry => {
    setNewest(entries, id, entry, MAX_KNOWN_DEVICES);
    return entry;
  };
  const setStored = (id: DeviceId, { asOf, packages, from }: MissingPatchesEntry): void => {
    seen.add(packages);
    setEntry(id, { asOf, packages: packages.map(intern), from, isGone: false, isPartial: true });
  };

  return {
    missingAmong,
    /** Stores those of the packages that the device lacks. */
    put: (id: DeviceId, packages: readonly Package[], asOf: Instant): MissingPatchesEntry =>
      setEntry(id, { asOf, packages: missingAmong(packages, asOf), isGone: false, isPartial: false }),
    putFromList: (id: DeviceId, packages: readonly MissingPatchFacts[], asOf: Instant): MissingPatchesEntry =>
      setEntry(id, { asOf, packages, from: 'list', isGone: false, isPartial: true }),
    /** Takes an entry saved before a restart; ignored when the device was read since. */
    restore(id: DeviceId, entry: MissingPatchesEntry): void {
      if (!entries.has(id)) setStored(id, entry);
    },
    /** Takes an entry that another process read; ignored when ours is as new. */
    applyReplicaEntry(id: DeviceId, entry: MissingPatchesEntry): void {
      if ((entries.get(id)?.asOf ?? Number.NEGATIVE_INFINITY) < entry.asOf) setStored(id, entry);
    },
    /** The service no longer knows the device. */
    markGone: (id: DeviceId, asOf: Instant): void =>
      void setEntry(id, { asOf, packages: [], isGone: true, isPartial: false }),
    isGone: (id: DeviceId): boolean => entries.get(id)?.isGone === true,
    asOf: (id: DeviceId): Instant | null => entries.get(id)?.asOf ?? null,
    of(ids: readonly DeviceId[]): ReadonlyMap<DeviceId, MissingPatchesEntry> {
      const known = new Map<DeviceId, MissingPatchesEntry>();
      for (const id of ids) {
        const entry = entries.get(id);
        if (entry === undefined) continue;
        const { asOf, packages, from } = entry;
        known.set(id, { asOf, packages, ...(from === undefined ? {} : { from }) });
      }
      return known;
    },
    forget: (id: DeviceId): void => {
      entries.delete(id);
    },
    seen,
    /** Whether `seen` has every package of these devices: entries from a list or a restart have only the missing ones. */
    isSeenComplete: (ids: Iterable<DeviceId>): boolean =>
      seen.isComplete() && [...ids].every((id) => entries.get(id)?.isPartial === false),
  };
}

export type SeenPackages = Pick<ReturnType<typeof createSeenPackages>, 'hasName' | 'hasCve' | 'names'>;

/** A large mixed fleet has some ten thousand different packages, at about 100 bytes each. */
const MAX_NAMES = 100_000;
const MAX_CVES = 100_000;

/** Installed ones too: it tells packages that no device has from packages that no device lacks. */
function createSeenPackages() {
  const names = new Map<string, string>();
  const cves = new Set<string>();
  /** Names as they were sent: folding every name of every device again would block others. */
  const seenNames = new Set<string>();
  let complete = true;

  const addName = (name: string): void => {
    if (name === '' || seenNames.has(name)) return;
    if (seenNames.size >= MAX_NAMES) {
      complete = false;
      return;
    }
    seenNames.add(name);
    names.set(fold(name), name);
  };
  const addCve = (cve: string): void => {
    if (cves.size < MAX_CVES) cves.add(cve.toUpperCase());
    else complete &&= cves.has(cve.toUpperCase());
  };
  return {
    add(packages: readonly Pick<Package, 'name' | 'displayName' | 'cves' | 'exploitedCves'>[]): void {
      for (const item of packages) {
        addName(item.name);
        addName(item.displayName);
        for (const cve of item.cves) addCve(cve);
        for (const cve of item.exploitedCves) addCve(cve);
      }
    },
    /** Whether all of them fitted. */
    isComplete: (): boolean => complete,
    /** By either name, in any capitalization. */
    hasName: (name: string): boolean => names.has(fold(name)),
    hasCve: (cve: string): boolean => cves.has(cve.toUpperCase()),
    names: (): Iterable<string> => names.values(),
  };
}
