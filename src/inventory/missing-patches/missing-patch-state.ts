/** The packages that devices lack. Each package is stored once, however many devices lack it. */

import { packageState } from '../../fleet/model/package-state.ts';
import type { Package } from '../../fleet/model/resources.ts';
import type { Instant } from '../../lib/clock.ts';
import type { DeviceId } from '../../lib/ids.ts';
import { createSeenPackages, type SeenPackages } from './seen-packages.ts';

/** A package that is not installed, with the fields that questions about many devices need. */
export type MissingPatchFacts = Pick<
  Package,
  'name' | 'displayName' | 'version' | 'severity' | 'cves' | 'exploitedCves'
>;
export type MissingPatchesEntry = { readonly asOf: Instant; readonly packages: readonly MissingPatchFacts[] };

export type MissingPatchState = {
  /** Stores those of the packages that the device lacks. */
  readonly put: (id: DeviceId, packages: readonly Package[], asOf: Instant) => MissingPatchesEntry;
  /** Takes an entry saved before a restart; ignored when the device was read since. */
  readonly restore: (id: DeviceId, entry: MissingPatchesEntry) => void;
  /** Takes an entry that another process read; ignored when ours is as new. */
  readonly applyReplicaEntry: (id: DeviceId, entry: MissingPatchesEntry) => void;
  /** The service no longer knows the device. */
  readonly markGone: (id: DeviceId, asOf: Instant) => void;
  readonly isGone: (id: DeviceId) => boolean;
  /** When the device was read; null when it was not. */
  readonly asOf: (id: DeviceId) => Instant | null;
  readonly of: (ids: readonly DeviceId[]) => ReadonlyMap<DeviceId, MissingPatchesEntry>;
  /** Earlier reads of this device are no longer valid. */
  readonly forget: (id: DeviceId) => void;
  readonly seen: SeenPackages;
  /** Whether `seen` has every package of these devices: an entry saved before a restart has only the missing ones. */
  readonly isSeenComplete: (ids: Iterable<DeviceId>) => boolean;
};

/** Maximum devices, the most recently read ones; a few hundred bytes each. */
const MAX_DEVICES = 50_000;
/** Maximum shared packages: beyond this, sharing starts again. */
const MAX_INTERNED_PACKAGES = 20_000;

type StateEntry = MissingPatchesEntry & { readonly isGone: boolean; readonly isRestored: boolean };

/** An empty state. */
export function createMissingPatchState(): MissingPatchState {
  const entries = new Map<DeviceId, StateEntry>();
  const seen = createSeenPackages();
  const interned = new Map<string, MissingPatchFacts>();

  const intern = (item: MissingPatchFacts): MissingPatchFacts => {
    const { name, displayName, version, severity, cves, exploitedCves } = item;
    const key = [name, displayName, version, severity, ...cves, '', ...exploitedCves].join('\n');
    if (interned.size > MAX_INTERNED_PACKAGES) interned.clear();
    const first = interned.get(key) ?? { name, displayName, version, severity, cves, exploitedCves };
    interned.set(key, first);
    return first;
  };
  const setEntry = (id: DeviceId, entry: StateEntry): void => {
    entries.delete(id);
    entries.set(id, entry);
    const [oldest] = entries.keys();
    if (entries.size > MAX_DEVICES && oldest !== undefined) entries.delete(oldest);
  };

  return {
    put(id, packages, asOf) {
      const missing = packages.filter((item) => packageState(item, asOf) === 'missing').map(intern);
      const entry = { asOf, packages: missing, isGone: false, isRestored: false };
      seen.add(packages);
      setEntry(id, entry);
      return entry;
    },
    restore(id, { asOf, packages }) {
      if (entries.has(id)) return;
      seen.add(packages);
      setEntry(id, { asOf, packages: packages.map(intern), isGone: false, isRestored: true });
    },
    applyReplicaEntry(id, { asOf, packages }) {
      if ((entries.get(id)?.asOf ?? Number.NEGATIVE_INFINITY) >= asOf) return;
      seen.add(packages);
      // As for entries saved before a restart, only the missing packages are known.
      setEntry(id, { asOf, packages: packages.map(intern), isGone: false, isRestored: true });
    },
    markGone: (id, asOf) => setEntry(id, { asOf, packages: [], isGone: true, isRestored: false }),
    isGone: (id) => entries.get(id)?.isGone === true,
    asOf: (id) => entries.get(id)?.asOf ?? null,
    of(ids) {
      const known = new Map<DeviceId, MissingPatchesEntry>();
      for (const id of ids) {
        const entry = entries.get(id);
        if (entry !== undefined) known.set(id, { asOf: entry.asOf, packages: entry.packages });
      }
      return known;
    },
    forget: (id) => {
      entries.delete(id);
    },
    seen,
    isSeenComplete: (ids) =>
      seen.isComplete() && [...ids].every((id) => entries.get(id)?.isRestored === false),
  };
}
