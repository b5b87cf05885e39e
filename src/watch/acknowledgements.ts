/** Acknowledges an alert together with all other alerts on its cards. */
import { cardKey, type DeviceId, type EventId, type PersonId } from '../lib/ids.ts';
import type { AcknowledgeResult, AlertSettingChanges } from '../store/port/alert-changes.ts';
import type { AcknowledgedCards } from '../store/port/alert-records.ts';
import type { AlertRecord } from '../store/port/records.ts';
import type { StoreTables } from '../store/port/store.ts';
import type { AuditedChange } from './audited-change.ts';

/** `acknowledge` stores who handles the alert, updates its cards and writes one audit line, in one transaction. */
export function createAlertAcknowledgement({
  clock,
  inTransaction,
  audit,
}: AuditedChange): Pick<AlertSettingChanges, 'acknowledge'> {
  const acknowledgeAll = async (
    tables: StoreTables,
    alert: AlertRecord,
    by: PersonId,
  ): Promise<AcknowledgedCards> => {
    const deliveries = await tables.deliveries.of(alert.id);
    const cards = [...new Set(deliveries.flatMap(({ card }) => card ?? []))];
    if (cards.length > 0) return tables.deliveries.acknowledgeCards(cards, by, clock.now());
    // A silence holds the alert, so it is on no card.
    const isFirst = await tables.alerts.acknowledge(alert.id, by, clock.now());
    const acknowledgedDevices = alert.deviceId === null ? [] : [alert.deviceId];
    return {
      alerts: 1,
      devices: acknowledgedDevices.length,
      acknowledgedCount: isFirst ? 1 : 0,
      acknowledgedDevices,
      shownOn: [],
    };
  };

  const acknowledge = async (
    tables: StoreTables,
    event: EventId,
    by: PersonId,
  ): Promise<AcknowledgeResult> => {
    const alert = await tables.alerts.ofEvent(event);
    if (alert === null) return { kind: 'absent' };
    const { shownOn, acknowledgedDevices, ...counts } = await acknowledgeAll(tables, alert, by);
    const now = (await tables.alerts.get(alert.id)) ?? alert;
    if (counts.acknowledgedCount === 0) return { kind: 'already', alert: now, ...counts };
    const keys = shownOn.flatMap(({ card, channel }) => [
      cardKey('alert', card),
      cardKey('alert', card, channel),
    ]);
    for (const key of new Set(keys)) await tables.cards.enqueueUpdate(key, clock.now());
    await audit(tables, { actor: by, ...auditLine(alert, counts.acknowledgedCount, acknowledgedDevices) });
    return { kind: 'acknowledged', alert: now, ...counts };
  };

  return { acknowledge: (event, by) => inTransaction((tables) => acknowledge(tables, event, by)) };
}

/** One audit line for all alerts. It lists the device IDs, by which the audit of each device finds it. */
function auditLine({ eventId, kind, deviceId }: AlertRecord, taken: number, on: readonly DeviceId[]) {
  const subject = `alert ${eventId}`;
  return taken === 1
    ? { action: 'alerts.acknowledged', subject, detail: { device: on[0] ?? deviceId, kind } }
    : {
        action: 'alerts.storm-acknowledged',
        subject,
        detail: { alerts: taken, devices: on.toSorted((a, b) => a - b).join(' '), kind },
      };
}
