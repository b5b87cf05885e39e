/** Notes who looks after an alert, on every card that it stands on. */
import { cardKey, type EventId, type PersonId } from '../ids.ts';
import type { Acknowledged, AlertChanges } from '../store/alert-changes.ts';
import type { Tables } from '../store/store.ts';
import type { Changing } from './changing.ts';

export function createAcknowledging({ clock, change, audit }: Changing): Pick<AlertChanges, 'acknowledge'> {
  /** The first to take a card has it; one of them is enough to have been first. */
  const acknowledge = async (tables: Tables, event: EventId, by: PersonId): Promise<Acknowledged> => {
    const alert = await tables.alerts.ofEvent(event);
    if (alert === null) return { kind: 'absent' };
    const deliveries = await tables.deliveries.of(alert.id);
    const cards = new Set(deliveries.flatMap(({ card }) => card ?? []));
    if (cards.size === 0) cards.add(alert.id);
    let isFirst = false;
    for (const card of cards) {
      if (!(await tables.alerts.acknowledge(card, by, clock.now()))) continue;
      isFirst = true;
      await tables.cards.refresh(cardKey('alert', card), clock.now());
      for (const { channel } of await tables.deliveries.of(card))
        await tables.cards.refresh(cardKey('alert', card, channel), clock.now());
    }
    const [first = alert.id] = cards;
    const taken = (await tables.alerts.get(first)) ?? alert;
    if (!isFirst) return { kind: 'already', alert: taken };
    await audit(tables, {
      actor: by,
      action: 'alerts.acknowledged',
      subject: `alert ${event}`,
      detail: { device: alert.deviceId, kind: alert.kind },
    });
    return { kind: 'acknowledged', alert: taken };
  };

  return { acknowledge: (event, by) => change((tables) => acknowledge(tables, event, by)) };
}
