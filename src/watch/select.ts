/** What an event tells, as the facts of an alert: pure. */
import type { Instant } from '../clock.ts';
import { happeningOf } from '../fleet/happenings.ts';
import type { FleetEvent } from '../fleet/model.ts';
import { patchFailure } from '../fleet/patch-event.ts';
import { shownWords } from '../fleet/script-output.ts';
import { alertId, type EventId, type OrganizationId } from '../ids.ts';
import type { AlertRecord } from '../store/records.ts';

/** Characters of the service's words that are kept, for good; no view shows more than 600. */
const MOST_WORDS = 1_000;

/** The alert of this event; null for a name that is newer than we know. Whether anybody wants it is another question. */
export function selectAlert(
  event: FleetEvent,
  organizationId: OrganizationId,
  now: Instant,
): AlertRecord | null {
  const kind = happeningOf(event);
  if (kind === null) return null;
  return {
    organizationId,
    id: alertId(`${kind}-${event.id}`),
    kind,
    eventId: event.id,
    deviceId: event.deviceId,
    deviceName: event.deviceName,
    ...(kind === 'patch-failed' ? failedPackages(event) : told(event)),
    operatingSystem: event.operatingSystem,
    policyId: event.policyId,
    policyName: event.policyName,
    exitCode: event.exitCode,
    userId: event.userId,
    happenedAt: event.createTime,
    createdAt: now,
    acknowledgedBy: null,
    acknowledgedAt: null,
  };
}

type Told = Pick<AlertRecord, 'packages' | 'reason'>;

function failedPackages(event: FleetEvent): Told {
  const { patches, words } = patchFailure(event);
  return { packages: patches, reason: kept(words) };
}

function told(event: FleetEvent): Told {
  const { patches, notificationResponse } = event;
  const { failure, text } = shownWords(event);
  const packages = patches.map(({ name, displayName }) => ({ name, displayName }));
  return { packages, reason: kept(failure ?? notificationResponse ?? text) };
}

function kept(words: string | null): string | null {
  return words === null || words.length <= MOST_WORDS
    ? words
    : `${words.slice(0, MOST_WORDS - 1).toWellFormed()}…`;
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
