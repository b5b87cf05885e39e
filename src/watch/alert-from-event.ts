/** What an event tells, as the facts of an alert: pure. */

import { eventKindOf } from '../fleet/model/event-kinds.ts';
import { namedPatches, patchFailure, shownEventText } from '../fleet/model/event-text.ts';
import type { FleetEvent } from '../fleet/model/resources.ts';
import type { Instant } from '../lib/clock.ts';
import { alertId, type EventId, type OrganizationId } from '../lib/ids.ts';
import type { AlertRecord } from '../store/port/records.ts';

/** Characters of the service's words that are kept, for good; no view shows more than 600. */
const MAX_WORDS_LENGTH = 1_000;

/** The alert of this event; null for a name that is newer than we know. Whether anybody wants it is another question. */
export function alertFromEvent(
  event: FleetEvent,
  organizationId: OrganizationId,
  now: Instant,
): AlertRecord | null {
  const kind = eventKindOf(event);
  if (kind === null) return null;
  return {
    organizationId,
    id: alertId(`${kind}-${event.id}`),
    kind,
    eventId: event.id,
    deviceId: event.deviceId,
    deviceName: event.deviceName,
    ...(kind === 'patch-failed' ? failedPatchContent(event) : alertContent(event)),
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

type AlertContent = Pick<AlertRecord, 'packages' | 'reason'>;

function failedPatchContent(event: FleetEvent): AlertContent {
  const { patches, agentText } = patchFailure(event);
  return { packages: patches, reason: cutWords(agentText) };
}

function alertContent(event: FleetEvent): AlertContent {
  const { patches, notificationResponse } = event;
  const { failure, text } = shownEventText(event);
  return { packages: namedPatches(patches), reason: cutWords(failure ?? notificationResponse ?? text) };
}

function cutWords(words: string | null): string | null {
  return words === null || words.length <= MAX_WORDS_LENGTH
    ? words
    : `${words.slice(0, MAX_WORDS_LENGTH - 1).toWellFormed()}…`;
}

/** Events that were not taken in before, oldest first; every id counts once. */
export function unseenEvents(
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
