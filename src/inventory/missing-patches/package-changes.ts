/** When the packages of devices last changed, as far as is known: earlier reads are no longer valid. */

import { PATCH_APPLIED, PATCH_FAILED, PATCH_UNINSTALLED } from '../../fleet/model/event-names.ts';
import type { FleetEvent } from '../../fleet/model/resources.ts';
import { type Instant, later, MINUTE } from '../../lib/clock.ts';
import type { DeviceId, EventId } from '../../lib/ids.ts';
import { dropOldest, setNewest } from '../../lib/newest.ts';

export type PackageChange = { readonly deviceId: DeviceId; readonly at: Instant };

/** How far the service's clock may be behind ours. */
const CLOCK_SKEW_MS = MINUTE;
/** Maximum events that are remembered, so that an event that is listed again is not counted again. */
const MAX_NOTED_EVENTS = 5_000;
/** Maximum devices whose last change is remembered. */
const MAX_DEVICES = 50_000;

const CHANGING_EVENTS: readonly string[] = [PATCH_APPLIED, PATCH_FAILED, PATCH_UNINSTALLED];

export function createPackageChangeLog() {
  const changes = new Map<DeviceId, Instant>();
  const noted = new Set<EventId>();
  return {
    note({ deviceId, at }: PackageChange): void {
      const before = changes.get(deviceId);
      if (before !== undefined && before >= at) return;
      setNewest(changes, deviceId, at, MAX_DEVICES);
    },
    isOlder(id: DeviceId, asOf: Instant): boolean {
      const at = changes.get(id);
      return at !== undefined && asOf < at;
    },
    /** The changes that new events report. */
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
