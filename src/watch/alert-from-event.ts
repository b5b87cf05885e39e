/** Turns an event into the facts of an alert. Pure. */

import { anyEventKindOf, isEventKind } from '../fleet/model/event-kinds.ts';
import { namedPatches, patchFailure, shownEventText } from '../fleet/model/event-text.ts';
import type { FleetEvent } from '../fleet/model/resources.ts';
import type { Instant } from '../lib/clock.ts';
import { alertId, type EventId, type OrganizationId } from '../lib/ids.ts';
import type { AlertKind, AlertRecord } from '../store/port/records.ts';

/** Stored characters of the service's text. No view shows more than 600. */
const MAX_WORDS_LENGTH = 1_000;

/** The alert of an event, whether or not any channel wants it. Null for a name that cannot be subscribed to. */
export function alertFromEvent(
  event: FleetEvent,
  organizationId: OrganizationId,
  now: Instant,
): AlertRecord | null {
  const kind = anyEventKindOf(event);
  if (kind === null) return null;
  return {
    organizationId,
    id: alertId(`${kind}-${event.id}`),
    kind,
    eventId: event.id,
    deviceId: event.deviceId,
    deviceName: event.deviceName,
    ...contentOf(kind, event),
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

function contentOf(kind: AlertKind, event: FleetEvent): AlertContent {
  if (kind === 'patch-failed') return failedPatchContent(event);
  // What the text of such an event holds is not known, so no channel gets it.
  return isEventKind(kind) ? alertContent(event) : { packages: namedPatches(event.patches), reason: null };
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

/** The events that were not processed before, oldest first, each id once. */
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
