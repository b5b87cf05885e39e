/** Turns new events into facts of alerts, with everything that routing needs. */
import { endingsOf } from '../alerts/life/facts.ts';
import {
  type AlertChannels,
  type AlertRouting,
  type DeviceLabelMap,
  devicesNeedingLabels,
} from '../alerts/routing.ts';
import {
  anyEventKindOf,
  isEventKind,
  namedPatches,
  POLICY_ACTION,
  patchFailure,
  shownEventText,
} from '../fleet/model/event-kinds.ts';
import type { FleetEvent } from '../fleet/model/resources.ts';
import { type Clock, type Instant, MINUTE } from '../lib/clock.ts';
import { alertId, type DeviceId, type EventId, type OrganizationId, type PersonId } from '../lib/ids.ts';
import type { AlertEnding, AlertEvent, AlertKind, SubscriptionRecord } from '../store/port/alert-records.ts';
import type { EventCursor, SeenEvents, Store } from '../store/port/store.ts';

/** Stored characters of the service's text. No view shows more than 600. */
const MAX_WORDS_LENGTH = 1_000;

/**
 * What channels may be notified of, whether or not any wants it. Null for a name that cannot be subscribed to. `readAt`: when
 * it was first read, by the service's clock.
 */
export function alertFromEvent(event: FleetEvent, readAt: Instant, isIdReused = false): AlertEvent | null {
  const kind = anyEventKindOf(event);
  if (kind === null) return null;
  const { id, deviceId, createTime } = event;
  return {
    id: alertId(isIdReused ? `${kind}-${id}-${createTime}-${deviceId}` : `${kind}-${id}`),
    kind,
    eventId: id,
    deviceId,
    deviceName: event.deviceName,
    ...contentOf(kind, event),
    operatingSystem: event.operatingSystem,
    policyId: event.policyId,
    policyName: event.policyName,
    exitCode: event.exitCode,
    userId: event.userId,
    happenedAt: createTime,
    at: createTime ?? readAt,
  };
}

function contentOf(kind: AlertKind, event: FleetEvent): Pick<AlertEvent, 'packages' | 'reason'> {
  if (kind === 'patch-failed') {
    const { patches, agentText } = patchFailure(event);
    return { packages: patches, reason: cutWords(agentText) };
  }
  const packages = namedPatches(event.patches);
  // What the text of such an event holds is not known, so no channel gets it.
  if (!isEventKind(kind)) return { packages, reason: null };
  const { failure, text } = shownEventText(event);
  return { packages, reason: cutWords(failure ?? event.notificationResponse ?? text) };
}

function cutWords(words: string | null): string | null {
  return words === null || words.length <= MAX_WORDS_LENGTH
    ? words
    : `${words.slice(0, MAX_WORDS_LENGTH - 1).toWellFormed()}…`;
}

/** Oldest first. Only a later time tells an event from another one with its id: names and forms change by version. */
export function unseenEvents(
  events: readonly FleetEvent[],
  seen: SeenEvents,
  floor: EventId,
): readonly FleetEvent[] {
  const fresh = new Map<EventId, FleetEvent>();
  for (const event of events) {
    const known = seen.get(event.id);
    const isOther = known === undefined || (known !== 0 && (event.createTime ?? 0) > known + MINUTE);
    if (event.id > floor && isOther) fresh.set(event.id, event);
  }
  return [...fresh.values()].sort((a, b) => a.id - b.id);
}

/**
 * Without known events whose times were moved: another one of a known id happened since the last reading (`isRecent`). Where
 * many cannot have, the times of this reading tell nothing.
 */
export function newEvents(
  unseen: readonly FleetEvent[],
  seen: SeenEvents,
  isRecent: (at: Instant | null) => boolean,
): readonly FleetEvent[] {
  const moved = unseen.filter(({ id, createTime }) => seen.has(id) && !isRecent(createTime));
  const isDoubtful = moved.length > Math.max(3, seen.size * 0.02);
  return unseen.filter((event) => !seen.has(event.id) || !(isDoubtful || moved.includes(event)));
}

export type ClassifyOptions = {
  readonly store: Store;
  readonly clock: Clock;
  /** The time of the service's own clock; null or absent: unknown. */
  readonly serviceNow?: (() => Instant | null) | undefined;
  readonly organizationId: OrganizationId;
  readonly channels: AlertChannels;
  /** Groups, tags and systems of these devices, for filters of subscriptions and silences. Never rejects. */
  readonly deviceLabels: (devices: ReadonlySet<DeviceId>) => Promise<DeviceLabelMap>;
  /** The device's present name, from memory: events have the name that the agent reported. Null where it is not known. */
  readonly displayName: (device: DeviceId) => string | null;
  /** False where a person lost the right to read: their own subscriptions are then skipped. Never rejects. */
  readonly mayRead: (person: PersonId) => Promise<boolean>;
};

/** The facts of new events, with the rules and labels that route them. */
export type AlertClassification = {
  readonly alerts: ReadonlyMap<EventId, AlertEvent>;
  /** What the events prove or end. */
  readonly endings: ReadonlyMap<EventId, readonly AlertEnding[]>;
  readonly routing: AlertRouting;
  readonly labels: DeviceLabelMap;
  /** How many of the events are from before the first start. */
  readonly history: number;
};

/** History gives no alerts. Throws what the store throws. */
export async function classifyEvents(
  options: ClassifyOptions,
  cursor: EventCursor,
  fresh: readonly FleetEvent[],
  seen: SeenEvents,
): Promise<AlertClassification> {
  const { store, clock, serviceNow, channels, deviceLabels, displayName, mayRead } = options;
  const readAt = serviceNow?.() ?? clock.now();
  const { historyBefore } = cursor;
  const current = fresh.filter(
    ({ createTime }) => historyBefore === null || createTime === null || createTime >= historyBefore,
  );
  const history = fresh.length - current.length;
  const classified = current
    .flatMap((event) => alertFromEvent(event, readAt, seen.has(event.id)) ?? [])
    .map((alert) => ({ ...alert, deviceName: currentDeviceName(alert, displayName) }));
  const nothing = { alerts: new Map(), endings: new Map(), labels: new Map(), history };
  if (classified.length === 0) return { ...nothing, routing: { channels, subscriptions: [], silences: [] } };
  const [open, silences] = await Promise.all([store.subscriptions.open(), store.silences.open()]);
  const isWanted = (kind: AlertKind) => open.some(({ kinds }) => kinds.includes(kind));
  // Events that Patchbay does not know are alerts only where somebody subscribed to their names.
  const alerts = classified.filter(({ kind }) => isEventKind(kind) || isWanted(kind));
  const ending = current.filter(({ name }) => name !== POLICY_ACTION || isWanted('policy-failed'));
  const endings = new Map(ending.map((event) => [event.id, endingsOf(event, readAt)] as const));
  const subscriptions = await subscriptionsOfReaders(open, mayRead);
  const routing = { channels, subscriptions, silences };
  const devicesToRead = devicesNeedingLabels(alerts, routing);
  return {
    alerts: new Map(alerts.map((alert) => [alert.eventId, alert])),
    endings,
    routing,
    labels: devicesToRead.size === 0 ? new Map() : await deviceLabels(devicesToRead),
    history,
  };
}

/** The name that other cards show. */
function currentDeviceName(
  { deviceId, deviceName }: AlertEvent,
  displayName: ClassifyOptions['displayName'],
): string | null {
  const known = deviceId === null ? null : displayName(deviceId);
  return known === null || known === '' ? deviceName : known;
}

async function subscriptionsOfReaders(
  open: readonly SubscriptionRecord[],
  mayRead: ClassifyOptions['mayRead'],
): Promise<readonly SubscriptionRecord[]> {
  const lost = new Set<PersonId>();
  for (const person of new Set(open.flatMap(({ person }) => person ?? [])))
    if (!(await mayRead(person))) lost.add(person);
  return open.filter(({ person }) => person === null || !lost.has(person));
}
