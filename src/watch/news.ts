/** What is news among new events: the alerts that they make, and what decides where these go. */
import type { Clock, Instant } from '../clock.ts';
import type { FleetEvent } from '../fleet/model.ts';
import type { DeviceId, EventId, OrganizationId, PersonId } from '../ids.ts';
import type { SubscriptionRecord } from '../store/alert-records.ts';
import type { AlertRecord, EventCursor } from '../store/records.ts';
import type { Store } from '../store/store.ts';
import { type AlertChannels, devicesAsked, type Rules, type Traits } from './routing.ts';
import { selectAlert } from './select.ts';

export type NewsOptions = {
  readonly store: Store;
  readonly clock: Clock;
  readonly organizationId: OrganizationId;
  readonly channels: AlertChannels;
  /** What is known of these devices, for alerts of some groups, tags or systems only. Never rejects. */
  readonly traits: (devices: ReadonlySet<DeviceId>) => Promise<Traits>;
  /** The device's present name, from memory alone: the log has the one that its agent reported. Null: not known. */
  readonly displayName: (device: DeviceId) => string | null;
  /** False where a person may not look any more: what they had sent to themselves is passed over. Never rejects. */
  readonly mayRead: (person: PersonId) => Promise<boolean>;
};

/** What may be told of the new events, and what decides where. */
export type News = {
  readonly alerts: ReadonlyMap<EventId, AlertRecord>;
  readonly rules: Rules;
  readonly traits: Traits;
};

export async function readNews(
  { store, clock, organizationId, channels, traits, displayName, mayRead }: NewsOptions,
  cursor: EventCursor,
  fresh: readonly FleetEvent[],
): Promise<News> {
  const now = clock.now();
  const alerts = fresh
    .filter(({ createTime }) => !isHistory(createTime, cursor))
    .flatMap((event) => selectAlert(event, organizationId, now) ?? [])
    .map((alert) => ({ ...alert, deviceName: nameNow(alert, displayName) }));
  if (alerts.length === 0)
    return {
      alerts: new Map(),
      rules: { channels, subscriptions: [], silences: [] },
      traits: new Map(),
    };
  const [open, silences] = await Promise.all([store.subscriptions.open(), store.silences.open()]);
  const subscriptions = await ofReaders(open, mayRead);
  const rules = { channels, subscriptions, silences };
  const asked = devicesAsked(alerts, rules);
  return {
    alerts: new Map(alerts.map((alert) => [alert.eventId, alert])),
    rules,
    traits: asked.size === 0 ? new Map() : await traits(asked),
  };
}

/** As every other card names it. */
function nameNow(
  { deviceId, deviceName }: AlertRecord,
  displayName: NewsOptions['displayName'],
): string | null {
  const known = deviceId === null ? null : displayName(deviceId);
  return known === null || known === '' ? deviceName : known;
}

async function ofReaders(
  open: readonly SubscriptionRecord[],
  mayRead: NewsOptions['mayRead'],
): Promise<readonly SubscriptionRecord[]> {
  const lost = new Set<PersonId>();
  for (const person of new Set(open.flatMap(({ person }) => person ?? [])))
    if (!(await mayRead(person))) lost.add(person);
  return open.filter(({ person }) => person === null || !lost.has(person));
}

function isHistory(createTime: Instant | null, { historyBefore }: EventCursor): boolean {
  return historyBefore !== null && createTime !== null && createTime < historyBefore;
}
