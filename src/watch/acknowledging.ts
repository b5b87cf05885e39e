/** Notes who looks after an alert and all that stands with it on its cards. */
import { cardKey, type DeviceId, type EventId, type PersonId } from '../ids.ts';
import type { Acknowledged, AlertChanges } from '../store/alert-changes.ts';
import type { TakenCards } from '../store/alert-records.ts';
import type { AlertRecord } from '../store/records.ts';
import type { Tables } from '../store/store.ts';
import type { Changing } from './changing.ts';

export function createAcknowledging({ clock, change, audit }: Changing): Pick<AlertChanges, 'acknowledge'> {
  const take = async (tables: Tables, alert: AlertRecord, by: PersonId): Promise<TakenCards> => {
    const deliveries = await tables.deliveries.of(alert.id);
    const cards = [...new Set(deliveries.flatMap(({ card }) => card ?? []))];
    if (cards.length > 0) return tables.deliveries.take(cards, by, clock.now());
    // A silence keeps it, so it stands on no card.
    const isFirst = await tables.alerts.acknowledge(alert.id, by, clock.now());
    const takenOn = alert.deviceId === null ? [] : [alert.deviceId];
    return { alerts: 1, devices: takenOn.length, taken: isFirst ? 1 : 0, takenOn, shownOn: [] };
  };

  const acknowledge = async (tables: Tables, event: EventId, by: PersonId): Promise<Acknowledged> => {
    const alert = await tables.alerts.ofEvent(event);
    if (alert === null) return { kind: 'absent' };
    const { shownOn, takenOn, ...counts } = await take(tables, alert, by);
    const now = (await tables.alerts.get(alert.id)) ?? alert;
    if (counts.taken === 0) return { kind: 'already', alert: now, ...counts };
    const keys = shownOn.flatMap(({ card, channel }) => [
      cardKey('alert', card),
      cardKey('alert', card, channel),
    ]);
    for (const key of new Set(keys)) await tables.cards.refresh(key, clock.now());
    await audit(tables, { actor: by, ...line(alert, counts.taken, takenOn) });
    return { kind: 'acknowledged', alert: now, ...counts };
  };

  return { acknowledge: (event, by) => change((tables) => acknowledge(tables, event, by)) };
}

/** One line however many there are. By the numbers of the devices the audit of each of them finds it. */
function line({ eventId, kind, deviceId }: AlertRecord, taken: number, on: readonly DeviceId[]) {
  const subject = `alert ${eventId}`;
  return taken === 1
    ? { action: 'alerts.acknowledged', subject, detail: { device: on[0] ?? deviceId, kind } }
    : {
        action: 'alerts.storm-acknowledged',
        subject,
        detail: { alerts: taken, devices: on.toSorted((a, b) => a - b).join(' '), kind },
      };
}
