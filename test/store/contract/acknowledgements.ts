import { describe, expect, it } from 'vitest';
import { later, MINUTE } from '../../../src/lib/clock.ts';
import { channelId, deviceId, personId } from '../../../src/lib/ids.ts';
import { anAlert, fresh, START } from '../builders.ts';
import type { StoreSetup } from '../store-setup.ts';

const BY = personId('UOPERATOR');
const OTHER = personId('UOTHER');

/** Acknowledging all alerts of a card. */
export function acknowledgementsContract(world: () => StoreSetup): void {
  const onCard = async (count: number, channel = channelId(`C${fresh()}`)) => {
    const { alerts, deliveries } = world().store;
    const made = Array.from({ length: count }, (_, at) => anAlert({ deviceId: deviceId(at + 1) }));
    const [first] = made;
    if (first === undefined) throw new Error('no alert');
    for (const alert of made) {
      await alerts.insert(alert);
      await deliveries.add({ alertId: alert.id, channel, card: first.id, silence: null });
    }
    return { first, made, channel };
  };

  describe('acknowledging a card', () => {
    it('acknowledges each open alert on it, and none of other cards', async () => {
      const { alerts, deliveries } = world().store;
      const here = await onCard(3);
      const other = await onCard(1);
      await alerts.acknowledge(here.first.id, OTHER, START);
      expect(await deliveries.acknowledgerOf(here.first.id)).toBeNull();
      const at = later(START, MINUTE);
      const taken = await world().store.transaction((tables) =>
        tables.deliveries.acknowledgeCards([here.first.id], BY, at),
      );
      expect({ ...taken, acknowledgedDevices: taken.acknowledgedDevices.toSorted() }).toEqual({
        alerts: 3,
        devices: 3,
        acknowledgedCount: 2,
        acknowledgedDevices: [2, 3],
        shownOn: [{ card: here.first.id, channel: here.channel }],
      });
      expect(await deliveries.acknowledgerOf(here.first.id)).toBe(BY);
      expect((await deliveries.onCard(here.first.id, here.channel, 1)).acknowledgement).toEqual({
        alerts: 3,
        people: 2,
        by: BY,
        at,
      });
      expect(await deliveries.acknowledgerOf(other.first.id)).toBeNull();
      expect((await deliveries.onCard(other.first.id, other.channel, 1)).acknowledgement).toBeNull();
    });

    it('names every card that shows one of its alerts', async () => {
      const { deliveries } = world().store;
      const { first, made, channel } = await onCard(2);
      const there = channelId(`C${fresh()}`);
      const second = made[1] ?? first;
      await deliveries.add({ alertId: second.id, channel: there, card: second.id, silence: null });
      const taken = await world().store.transaction((tables) =>
        tables.deliveries.acknowledgeCards([first.id], BY, START),
      );
      expect(new Set(taken.shownOn.map(({ card, channel: where }) => `${card} ${where}`))).toEqual(
        new Set([`${first.id} ${channel}`, `${second.id} ${there}`]),
      );
    });

    it('and adding to it at the same time never leave an open alert on an acknowledged card', async () => {
      const stores = await world().replicas(2);
      const [one = world().store, other = one] = stores;
      const { first, channel } = await onCard(1);
      const group = {
        channel,
        key: `key-${fresh()}`,
        card: first.id,
        now: START,
        openUntil: later(START, MINUTE),
      };
      await one.deliveries.joinAlertGroup(group);
      const late = anAlert();
      const adding = other.transaction(async (tables) => {
        await tables.alerts.insert(late);
        const card = await tables.deliveries.joinAlertGroup({ ...group, card: late.id });
        const acknowledger = await tables.deliveries.acknowledgerOf(card);
        if (acknowledger !== null) await tables.alerts.acknowledge(late.id, acknowledger, START);
        await tables.deliveries.add({ alertId: late.id, channel, card, silence: null });
      });
      const taking = one.transaction((tables) => tables.deliveries.acknowledgeCards([first.id], BY, START));
      await Promise.all([adding, taking]);
      expect(await one.alerts.get(late.id)).toMatchObject({ acknowledgedBy: BY });
    });
  });
}
