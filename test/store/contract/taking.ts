import { describe, expect, it } from 'vitest';
import { later, MINUTE } from '../../../src/clock.ts';
import { channelId, deviceId, personId } from '../../../src/ids.ts';
import { anAlert, fresh, START } from '../builders.ts';
import type { World } from '../world.ts';

const BY = personId('UOPERATOR');
const OTHER = personId('UOTHER');

/** Acknowledging all alerts of a card. */
export function takingContract(world: () => World): void {
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

  describe('taking a card', () => {
    it('takes each alert on it that nobody has, and no other card’s', async () => {
      const { alerts, deliveries } = world().store;
      const here = await onCard(3);
      const other = await onCard(1);
      await alerts.acknowledge(here.first.id, OTHER, START);
      expect(await deliveries.taker(here.first.id)).toBeNull();
      const at = later(START, MINUTE);
      const taken = await world().store.transaction((tables) =>
        tables.deliveries.take([here.first.id], BY, at),
      );
      expect({ ...taken, takenOn: taken.takenOn.toSorted() }).toEqual({
        alerts: 3,
        devices: 3,
        taken: 2,
        takenOn: [2, 3],
        shownOn: [{ card: here.first.id, channel: here.channel }],
      });
      expect(await deliveries.taker(here.first.id)).toBe(BY);
      expect((await deliveries.onCard(here.first.id, here.channel, 1)).taken).toEqual({
        alerts: 3,
        people: 2,
        by: BY,
        at,
      });
      expect(await deliveries.taker(other.first.id)).toBeNull();
      expect((await deliveries.onCard(other.first.id, other.channel, 1)).taken).toBeNull();
    });

    it('names every card that shows one of its alerts', async () => {
      const { deliveries } = world().store;
      const { first, made, channel } = await onCard(2);
      const there = channelId(`C${fresh()}`);
      const second = made[1] ?? first;
      await deliveries.add({ alertId: second.id, channel: there, card: second.id, silence: null });
      const taken = await world().store.transaction((tables) =>
        tables.deliveries.take([first.id], BY, START),
      );
      expect(new Set(taken.shownOn.map(({ card, channel: where }) => `${card} ${where}`))).toEqual(
        new Set([`${first.id} ${channel}`, `${second.id} ${there}`]),
      );
    });

    it('and adding to it at the same time never leave one open on a card that is taken', async () => {
      const stores = await world().replicas(2);
      const [one = world().store, other = one] = stores;
      const { first, channel } = await onCard(1);
      const storm = {
        channel,
        key: `key-${fresh()}`,
        card: first.id,
        now: START,
        openUntil: later(START, MINUTE),
      };
      await one.deliveries.joinStorm(storm);
      const late = anAlert();
      const adding = other.transaction(async (tables) => {
        await tables.alerts.insert(late);
        const card = await tables.deliveries.joinStorm({ ...storm, card: late.id });
        const taker = await tables.deliveries.taker(card);
        if (taker !== null) await tables.alerts.acknowledge(late.id, taker, START);
        await tables.deliveries.add({ alertId: late.id, channel, card, silence: null });
      });
      const taking = one.transaction((tables) => tables.deliveries.take([first.id], BY, START));
      await Promise.all([adding, taking]);
      expect(await one.alerts.get(late.id)).toMatchObject({ acknowledgedBy: BY });
    });
  });
}
