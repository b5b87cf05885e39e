/** Reads the packages of devices one by one in the background, a few at a time. */

import { FleetFailure, type FleetPage, type FleetReader } from '../../fleet/fleet.ts';
import type { Package } from '../../fleet/model/resources.ts';
import type { Clock, Instant } from '../../lib/clock.ts';
import type { DeviceId } from '../../lib/ids.ts';

export type PackageReads = {
  /** Reads these too, after those that wait already. */
  readonly add: (ids: Iterable<DeviceId>) => void;
  /** It was read in another way. */
  readonly drop: (id: DeviceId) => void;
  /** Resolves when none waits any more. */
  readonly run: () => Promise<void>;
  /** The running reads; null when there are none. */
  readonly running: () => Promise<void> | null;
  readonly areWaiting: () => boolean;
  readonly couldNotRead: (id: DeviceId) => boolean;
  /** Somebody asks again: earlier failures no longer count. */
  readonly forgetFailures: () => void;
  readonly clear: () => void;
};

export type PackageReadsOptions = {
  readonly fleet: Pick<FleetReader, 'packages'>;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Gets what was read from `asOf` on; true: it is out of date already, so the device is read again. */
  readonly onRead: (id: DeviceId, packages: readonly Package[], asOf: Instant) => boolean;
  /** The service no longer knows the device. */
  readonly onGone: (id: DeviceId) => void;
};

/** Maximum concurrent calls of background work (see the scheduler). */
const CONCURRENT_READS = 3;
/** After this many failures in a row, the rest waits for the next question. */
const MAX_FAILURES = 5;

export function createPackageReads(options: PackageReadsOptions): PackageReads {
  const { fleet, clock, signal, onRead, onGone } = options;
  const waiting = new Set<DeviceId>();
  const unread = new Set<DeviceId>();
  let running: Promise<void> | null = null;
  let failures = 0;
  const isLast = createLastPageCheck();

  const readOne = async (id: DeviceId): Promise<void> => {
    const asOf = clock.now();
    try {
      const rows: Package[] = [];
      for await (const page of fleet.packages(id, { lane: 'background', signal })) {
        rows.push(...page.rows);
        if (isLast(page)) break;
      }
      if (onRead(id, rows, asOf)) waiting.add(id);
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
  const work = async (): Promise<void> => {
    for (let [id] = waiting; id !== undefined && !signal.aborted; [id] = waiting) {
      waiting.delete(id);
      await readOne(id);
    }
  };

  return {
    add(ids) {
      for (const id of ids) {
        unread.delete(id);
        waiting.add(id);
      }
    },
    drop(id) {
      unread.delete(id);
      waiting.delete(id);
    },
    run() {
      running ??= Promise.all(Array.from({ length: CONCURRENT_READS }, work))
        .then(() => {})
        .finally(() => {
          running = null;
        });
      return running;
    },
    running: () => running,
    areWaiting: () => waiting.size > 0,
    couldNotRead: (id) => unread.has(id),
    forgetFailures() {
      failures = 0;
    },
    clear: () => waiting.clear(),
  };
}

/**
 * Whether a page is the last one. The list states no total, so a walk would request one more page to see that it is
 * empty. A page that is shorter than another one of the service was not cut by the service's limit, so it is the last;
 * this saves every second request.
 */
function createLastPageCheck(): (page: FleetPage<Package>) => boolean {
  let longest = 0;
  return ({ rows, unreadable }) => {
    const size = rows.length + unreadable;
    const isShorter = size < longest;
    longest = Math.max(longest, size);
    return isShorter;
  };
}
