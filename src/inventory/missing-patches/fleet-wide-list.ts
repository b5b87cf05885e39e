/**
 * The service's list of missing packages across all devices, where it has one: some requests for the whole fleet
 * instead of one per device. The list states no total, and rows move between its pages while patches are installed,
 * so a device that it does not name is read by itself.
 */
import { FleetFailure, type FleetReader } from '../../fleet/fleet.ts';
import type { DevicePackage } from '../../fleet/model/resources.ts';
import { type Clock, HOUR, type Instant, later, MINUTE } from '../../lib/clock.ts';
import type { Log } from '../../lib/log.ts';

export type FleetWideList = {
  /** Whether reading it is likely cheaper than reading this many devices one by one. */
  readonly isWorth: (devices: number) => boolean;
  /**
   * Reads the whole list; `take` gets each page. False where the service does not have it, or did not send all of it:
   * what `take` got is then no answer. Throws only the reason of an abort.
   */
  readonly read: (take: (rows: readonly DevicePackage[]) => void) => Promise<boolean>;
};

export type FleetWideListOptions = {
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

export function createFleetWideList({ fleet, clock, signal, log }: FleetWideListOptions): FleetWideList {
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
    isWorth: (devices) => devices > pages && (notBefore === null || clock.now() >= notBefore),
    async read(take) {
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
