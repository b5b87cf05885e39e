/** What is known of the packages that devices miss: only those, each once however many devices miss it. */
import type { Instant } from '../clock.ts';
import type { Package } from '../fleet/model.ts';
import { packageState } from '../fleet/software.ts';
import type { DeviceId } from '../ids.ts';
import { createSeenPackages, type SeenPackages } from './seen-packages.ts';

/** A package that is not installed, as far as questions about many devices need it. */
export type Missed = Pick<
  Package,
  'name' | 'displayName' | 'version' | 'severity' | 'cves' | 'exploitedCves'
>;
export type MissedEntry = { readonly asOf: Instant; readonly packages: readonly Missed[] };

export type MissingBook = {
  /** What of the packages the device misses. */
  readonly put: (id: DeviceId, packages: readonly Package[], asOf: Instant) => MissedEntry;
  /** What was kept over a restart; nothing where the device was read since. */
  readonly restore: (id: DeviceId, entry: MissedEntry) => void;
  /** What another process read; nothing where ours is as new. */
  readonly follow: (id: DeviceId, entry: MissedEntry) => void;
  /** The service does not know the device any more. */
  readonly drop: (id: DeviceId, asOf: Instant) => void;
  readonly isGone: (id: DeviceId) => boolean;
  /** When it was read; null where it was not. */
  readonly asOf: (id: DeviceId) => Instant | null;
  readonly of: (ids: readonly DeviceId[]) => ReadonlyMap<DeviceId, MissedEntry>;
  /** What was read of these devices is not good any more. */
  readonly forget: (id: DeviceId) => void;
  readonly seen: SeenPackages;
  /** Whether `seen` has every package of these devices: of what was kept over a restart only the missing ones are known. */
  readonly isSeenWhole: (ids: Iterable<DeviceId>) => boolean;
};

/** More devices than this are not kept at once; those that were read last are. A few hundred bytes each. */
const MOST_DEVICES = 50_000;
/** More different packages than this are no longer few: then sharing begins anew. */
const MOST_SHARED = 20_000;

type Entry = MissedEntry & { readonly isGone: boolean; readonly isRestored: boolean };

export function createMissingBook(): MissingBook {
  const entries = new Map<DeviceId, Entry>();
  const seen = createSeenPackages();
  const shared = new Map<string, Missed>();

  const share = (item: Missed): Missed => {
    const { name, displayName, version, severity, cves, exploitedCves } = item;
    const key = [name, displayName, version, severity, ...cves, '', ...exploitedCves].join('\n');
    if (shared.size > MOST_SHARED) shared.clear();
    const first = shared.get(key) ?? { name, displayName, version, severity, cves, exploitedCves };
    shared.set(key, first);
    return first;
  };
  const keep = (id: DeviceId, entry: Entry): void => {
    entries.delete(id);
    entries.set(id, entry);
    const [oldest] = entries.keys();
    if (entries.size > MOST_DEVICES && oldest !== undefined) entries.delete(oldest);
  };

  return {
    put(id, packages, asOf) {
      const missed = packages.filter((item) => packageState(item, asOf) === 'missing').map(share);
      const entry = { asOf, packages: missed, isGone: false, isRestored: false };
      seen.add(packages);
      keep(id, entry);
      return entry;
    },
    restore(id, { asOf, packages }) {
      if (entries.has(id)) return;
      seen.add(packages);
      keep(id, { asOf, packages: packages.map(share), isGone: false, isRestored: true });
    },
    follow(id, { asOf, packages }) {
      if ((entries.get(id)?.asOf ?? Number.NEGATIVE_INFINITY) >= asOf) return;
      seen.add(packages);
      // Like what was kept over a restart: the missing ones alone are known.
      keep(id, { asOf, packages: packages.map(share), isGone: false, isRestored: true });
    },
    drop: (id, asOf) => keep(id, { asOf, packages: [], isGone: true, isRestored: false }),
    isGone: (id) => entries.get(id)?.isGone === true,
    asOf: (id) => entries.get(id)?.asOf ?? null,
    of(ids) {
      const known = new Map<DeviceId, MissedEntry>();
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
    isSeenWhole: (ids) => seen.isWhole() && [...ids].every((id) => entries.get(id)?.isRestored === false),
  };
}
