/** When the packages of devices changed, as far as is known: what was read before that is not good any more. */
import { type Instant, later, MINUTE } from '../clock.ts';
import { PATCH_APPLIED, PATCH_FAILED, PATCH_UNINSTALLED } from '../fleet/event-names.ts';
import type { FleetEvent } from '../fleet/model.ts';
import type { DeviceId, EventId } from '../ids.ts';
import { forgetOldest } from './recent.ts';

export type PackageChange = { readonly deviceId: DeviceId; readonly at: Instant };

/** How far the service's clock may be behind ours. */
const SKEW_MS = MINUTE;
/** Events that were noted, so that one that is listed again is not noted again. */
const MOST_NOTED = 5_000;
/** Devices whose last change is remembered. */
const MOST_DEVICES = 50_000;

const CHANGING: readonly string[] = [PATCH_APPLIED, PATCH_FAILED, PATCH_UNINSTALLED];

export type ChangedPackages = {
  readonly note: (change: PackageChange) => void;
  /** Whether what was read then is from before the last change. */
  readonly isOlder: (id: DeviceId, asOf: Instant) => boolean;
  /** The changes that new events tell of. */
  readonly of: (events: readonly FleetEvent[], now: Instant) => readonly PackageChange[];
};

export function createChangedPackages(): ChangedPackages {
  const changes = new Map<DeviceId, Instant>();
  const noted = new Set<EventId>();
  return {
    note({ deviceId, at }) {
      const before = changes.get(deviceId);
      if (before !== undefined && before >= at) return;
      changes.delete(deviceId);
      changes.set(deviceId, at);
      forgetOldest(changes, MOST_DEVICES);
    },
    isOlder(id, asOf) {
      const at = changes.get(id);
      return at !== undefined && asOf < at;
    },
    of(events, now) {
      const found = events.flatMap(({ id, name, deviceId, createTime }): readonly PackageChange[] => {
        if (deviceId === null || !CHANGING.includes(name) || noted.has(id)) return [];
        noted.add(id);
        const at = createTime === null ? now : later(createTime, SKEW_MS);
        return [{ deviceId, at: at < now ? at : now }];
      });
      forgetOldest(noted, MOST_NOTED);
      return found;
    },
  };
}
