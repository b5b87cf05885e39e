/** Reads the packages of devices in the background, a few devices at a time. */
import { FleetFailure, type FleetPage, type FleetReader } from '../../fleet/fleet.ts';
import type { Package } from '../../fleet/model/resources.ts';
import { incompleteList } from '../../fleet/reads/read-helpers.ts';
import type { Clock, Instant } from '../../lib/clock.ts';
import type { DeviceId } from '../../lib/ids.ts';

export type PackageReadsOptions = {
  readonly fleet: Pick<FleetReader, 'packages' | 'device'>;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Takes the packages of a device. False: they changed during the read, so they are read again. */
  readonly learn: (id: DeviceId, packages: readonly Package[], asOf: Instant) => boolean;
  /** The service no longer knows the device. */
  readonly onGone: (id: DeviceId) => void;
};

export type PackageReads = Readonly<ReturnType<typeof createPackageReads>>;

/** Maximum concurrent calls of background work (see the scheduler). */
const CONCURRENT_READS = 3;
/** After this many failures in a row, the rest waits for the next question. */
const MAX_FAILURES = 5;

export function createPackageReads({ fleet, clock, signal, learn, onGone }: PackageReadsOptions) {
  const waiting = new Set<DeviceId>();
  const unread = new Set<DeviceId>();
  const isLast = createLastPageCheck();
  const read = { lane: 'background', signal } as const;
  let reading: Promise<void> | null = null;
  let failures = 0;

  /** The device's packages are known. */
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
      reading ??= Promise.all(Array.from({ length: CONCURRENT_READS }, readWaiting))
        .then(() => {})
        .finally(() => {
          reading = null;
        });
      return reading;
    },
    isUnread: (id: DeviceId): boolean => unread.has(id),
    isReading: (): boolean => reading !== null,
    /** Starts no further read, and waits for the running ones. */
    async stop(): Promise<void> {
      waiting.clear();
      await reading;
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
