/** Turns new events into alerts, with everything that routing needs. */

import { isEventKind } from '../fleet/model/event-kinds.ts';
import type { FleetEvent } from '../fleet/model/resources.ts';
import type { Clock, Instant } from '../lib/clock.ts';
import type { DeviceId, EventId, OrganizationId, PersonId } from '../lib/ids.ts';
import type { SubscriptionRecord } from '../store/port/alert-records.ts';
import type { AlertRecord, EventCursor } from '../store/port/records.ts';
import type { Store } from '../store/port/store.ts';
import { alertFromEvent } from './alert-from-event.ts';
import {
  type AlertChannels,
  type AlertRouting,
  type DeviceLabelMap,
  devicesNeedingLabels,
} from './routing.ts';

export type ClassifyOptions = {
  readonly store: Store;
  readonly clock: Clock;
  readonly organizationId: OrganizationId;
  readonly channels: AlertChannels;
  /** Groups, tags and systems of these devices, for filters of subscriptions and silences. Never rejects. */
  readonly deviceLabels: (devices: ReadonlySet<DeviceId>) => Promise<DeviceLabelMap>;
  /** The device's present name, from memory: events have the name that the agent reported. Null where it is not known. */
  readonly displayName: (device: DeviceId) => string | null;
  /** False where a person lost the right to read: their own subscriptions are then skipped. Never rejects. */
  readonly mayRead: (person: PersonId) => Promise<boolean>;
};

/** The alerts of new events, with the rules and labels that route them. */
export type AlertClassification = {
  readonly alerts: ReadonlyMap<EventId, AlertRecord>;
  readonly routing: AlertRouting;
  readonly labels: DeviceLabelMap;
  /** How many of the events are from before the first start. */
  readonly history: number;
};

/** History gives no alerts. Throws what the store throws. */
export async function classifyEvents(
  { store, clock, organizationId, channels, deviceLabels, displayName, mayRead }: ClassifyOptions,
  cursor: EventCursor,
  fresh: readonly FleetEvent[],
): Promise<AlertClassification> {
  const now = clock.now();
  const current = fresh.filter(({ createTime }) => !isHistory(createTime, cursor));
  const history = fresh.length - current.length;
  const classified = current
    .flatMap((event) => alertFromEvent(event, organizationId, now) ?? [])
    .map((alert) => ({ ...alert, deviceName: currentDeviceName(alert, displayName) }));
  const nothing = { alerts: new Map(), labels: new Map(), history };
  if (classified.length === 0) return { ...nothing, routing: { channels, subscriptions: [], silences: [] } };
  const [open, silences] = await Promise.all([store.subscriptions.open(), store.silences.open()]);
  // Events that Patchbay does not know are alerts only where somebody subscribed to their names.
  const alerts = classified.filter(
    ({ kind }) => isEventKind(kind) || open.some(({ kinds }) => kinds.includes(kind)),
  );
  if (alerts.length === 0) return { ...nothing, routing: { channels, subscriptions: open, silences } };
  const subscriptions = await subscriptionsOfReaders(open, mayRead);
  const routing = { channels, subscriptions, silences };
  const devicesToRead = devicesNeedingLabels(alerts, routing);
  return {
    alerts: new Map(alerts.map((alert) => [alert.eventId, alert])),
    routing,
    labels: devicesToRead.size === 0 ? new Map() : await deviceLabels(devicesToRead),
    history,
  };
}

/** The name that other cards show. */
function currentDeviceName(
  { deviceId, deviceName }: AlertRecord,
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

function isHistory(createTime: Instant | null, { historyBefore }: EventCursor): boolean {
  return historyBefore !== null && createTime !== null && createTime < historyBefore;
}
