/** Which events are worth telling a channel, and the facts of the notice: pure. */
import type { Instant } from '../clock.ts';
import { DEVICE_ADDED, PATCH_FAILED } from '../fleet/event-names.ts';
import type { FleetEvent } from '../fleet/model.ts';
import { patchFailure } from '../fleet/patch-event.ts';
import { type EventId, noticeId, type OrganizationId } from '../ids.ts';
import type { NoticeKind, NoticeRecord } from '../store/records.ts';

/** The notice for this event, or null when nobody needs to be told. */
export function selectNotice(
  event: FleetEvent,
  organizationId: OrganizationId,
  now: Instant,
): NoticeRecord | null {
  const kind = noticeKind(event.name);
  if (kind === null) return null;
  return {
    organizationId,
    id: noticeId(`${kind}-${event.id}`),
    kind,
    eventId: event.id,
    deviceId: event.deviceId,
    deviceName: event.deviceName,
    ...(kind === 'patch-failed' ? failedPackages(event) : { packages: [], reason: null }),
    operatingSystem: event.operatingSystem,
    happenedAt: event.createTime,
    createdAt: now,
  };
}

function noticeKind(name: string): NoticeKind | null {
  switch (name) {
    case PATCH_FAILED:
      return 'patch-failed';
    case DEVICE_ADDED:
      return 'device-added';
    default:
      return null;
  }
}

function failedPackages(event: FleetEvent): Pick<NoticeRecord, 'packages' | 'reason'> {
  const { patches, words } = patchFailure(event);
  return { packages: patches, reason: words };
}

/** Events that were not taken in before, oldest first; every id counts once. */
export function unseen(
  events: readonly FleetEvent[],
  seen: ReadonlySet<EventId>,
  floor: EventId,
): readonly FleetEvent[] {
  const fresh = new Map<EventId, FleetEvent>();
  for (const event of events) {
    if (event.id > floor && !seen.has(event.id)) fresh.set(event.id, event);
  }
  return [...fresh.values()].sort((a, b) => a.id - b.id);
}
