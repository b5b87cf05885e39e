/**
 * Reads again what is known of devices for too long: from the service's list of all devices where that is likely
 * cheaper, and device by device what that list does not name.
 */
import type { Clock, Instant } from '../../lib/clock.ts';
import type { DeviceId } from '../../lib/ids.ts';
import type { FleetWideList } from './fleet-wide-list.ts';
import type { KnownPackages } from './known-packages.ts';
import type { MissingPatchFacts, MissingPatchState } from './missing-patch-state.ts';
import type { PackageReads } from './package-reads.ts';

export type StaleReadsOptions = {
  readonly list: FleetWideList;
  readonly reads: PackageReads;
  readonly state: MissingPatchState;
  readonly packages: Pick<KnownPackages, 'learnFromList'>;
  readonly onNames: (names: Iterable<string>) => void;
  readonly clock: Clock;
  readonly signal: AbortSignal;
};

export const MAX_DEVICES_PER_QUERY = 1_000;

export function createStaleReads(options: StaleReadsOptions) {
  const { list, reads, state, packages, onNames, clock, signal } = options;
  let readingList: Promise<void> | null = null;

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
  const readListThenRest = async (stale: readonly DeviceId[]): Promise<void> => {
    const asOf = clock.now();
    try {
      await learnList(asOf);
    } catch (error) {
      if (signal.aborted) return;
      throw error;
    }
    // The list does not name them, although the service lists them with missing patches.
    await readOneByOne(stale.filter((id) => (state.asOf(id) ?? 0) < asOf));
  };

  return {
    /** Reads these devices, those first that come first. Resolves when all were read or given up; null: nothing to read. */
    read(stale: readonly DeviceId[]): Promise<void> | null {
      if (stale.length === 0 || (readingList === null && !list.isWorth(stale.length)))
        return readOneByOne(stale);
      readingList ??= readListThenRest(stale).finally(() => {
        readingList = null;
      });
      return readingList;
    },
    isReading: (): boolean => readingList !== null || reads.isReading(),
    async stop(): Promise<void> {
      await Promise.all([reads.stop(), readingList]);
    },
  };
}
