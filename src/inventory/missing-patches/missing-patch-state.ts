/** The packages that devices lack. Each package is stored once, however many devices lack it. */
import { packageState } from '../../fleet/model/derived-fields.ts';
import type { Package } from '../../fleet/model/resources.ts';
import type { Instant } from '../../lib/clock.ts';
import type { DeviceId } from '../../lib/ids.ts';
import { setNewest } from '../../lib/newest.ts';
import { fold } from '../../lib/text.ts';

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
const MAX_DEVICES = 50_000;
/** Maximum shared packages: beyond this, sharing starts again. */
const MAX_INTERNED_PACKAGES = 20_000;

/** `isPartial`: only the missing packages are known. */
type StateEntry = MissingPatchesEntry & { readonly isGone: boolean; readonly isPartial: boolean };

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
    setNewest(entries, id, entry, MAX_DEVICES);
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
    /** Stores what the list of all devices says about one. */
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
    /** Earlier reads of this device are no longer valid. */
    forget: (id: DeviceId): void => {
      entries.delete(id);
    },
    seen,
    /** Whether `seen` has every package of these devices: entries from a list or a restart have only the missing ones. */
    isSeenComplete: (ids: Iterable<DeviceId>): boolean =>
      seen.isComplete() && [...ids].every((id) => entries.get(id)?.isPartial === false),
  };
}

export type SeenPackages = {
  /** By either name, in any capitalization. */
  readonly hasName: (name: string) => boolean;
  readonly hasCve: (cve: string) => boolean;
  readonly names: () => Iterable<string>;
};

/** A large mixed fleet has some ten thousand different packages, at about 100 bytes each. */
const MAX_NAMES = 100_000;
const MAX_CVES = 100_000;

/**
 * Names and CVEs of every package that was read, including installed ones: this tells packages that no device has
 * from packages that no device lacks.
 */
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
    hasName: (name: string): boolean => names.has(fold(name)),
    hasCve: (cve: string): boolean => cves.has(cve.toUpperCase()),
    names: (): Iterable<string> => names.values(),
  };
}
