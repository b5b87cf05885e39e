/** What is known about the packages of devices: in memory, saved, and valid until a package of the device changes. */
import type { FleetEvent, Package } from '../../fleet/model/resources.ts';
import type { Clock, Instant } from '../../lib/clock.ts';
import type { DeviceId } from '../../lib/ids.ts';
import type { MissingPatchPersistence } from './missing-patch-persistence.ts';
import type { MissingPatchFacts, MissingPatchState } from './missing-patch-state.ts';
import { createPackageChangeLog, type PackageChange } from './package-changes.ts';

export type KnownPackagesOptions = {
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
