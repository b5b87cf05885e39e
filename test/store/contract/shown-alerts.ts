import { describe, expect, it } from 'vitest';
import { DAY, later, MINUTE } from '../../../src/lib/clock.ts';
import { channelId, deviceId, eventId, personId } from '../../../src/lib/ids.ts';
import { anAlert, START } from '../builders.ts';
import type { StoreSetup } from '../store-setup.ts';

/** Later than what other tests leave in the same database. */
const LATE = later(START, 10_000 * DAY);
const [OPS, OTHER] = [channelId('C0SHOWN'), channelId('C0OTHER')];

export function shownAlertsContract(world: () => StoreSetup): void {
  describe('alerts as channels show them', () => {
    it('are one for each card, the one with the newest alert first, however many channels show it', async () => {
      const { alerts, deliveries } = world().store;
      const at = (minutes: number, over: object = {}) =>
        anAlert({ createdAt: later(LATE, minutes * MINUTE), eventId: eventId(900_000 + minutes), ...over });
      const old = at(-1, { deviceId: deviceId(1) });
      const [head, alone, held] = [at(0, { deviceId: deviceId(2) }), at(1), at(3)];
      const by = { acknowledgedBy: personId('U1'), acknowledgedAt: LATE };
      const [second, third] = [at(2, { deviceId: deviceId(2), ...by }), at(5, { deviceId: deviceId(3) })];
      const other = at(6, { kind: 'device-added' });
      // On a card that was made before the list begins.
      const [late, latest] = [at(7, { deviceId: deviceId(4) }), at(8, { deviceId: deviceId(5) })];
      for (const alert of [third, alone, other, old, head, held, latest, late, second])
        await alerts.insert(alert);
      const post = (card: typeof head, ...on: readonly (typeof head)[]) =>
        Promise.all(
          on.flatMap(({ id: alertId }) =>
            [OPS, OTHER].map((channel) => deliveries.add({ alertId, channel, card: card.id, silence: null })),
          ),
        );
      await post(head, head, second, third);
      await post(alone, alone);
      await post(old, old, late, latest);
      await deliveries.add({ alertId: held.id, channel: OPS, card: null, silence: 1 });
      const query = { of: 'all', kind: 'patch-failed', since: LATE } as const;
      const shown = (limit: number, skip = 0) => deliveries.shown(query, { limit, skip });
      const [{ rows }, storm] = [await shown(10), { alerts: 3, devices: 2, acknowledged: 1 }];
      const earlier = { ...old, storm: { alerts: 2, devices: 2, acknowledged: 0 } };
      const kept = { ...held, heldBy: 1 };
      expect(rows).toEqual([earlier, { ...head, storm }, kept, alone]);
      expect(await shown(2, 1)).toEqual({ total: 4, rows: [{ ...head, storm }, kept] });
      expect(
        await deliveries.shown({ ...query, until: later(LATE, 4 * MINUTE) }, { limit: 1, skip: 1 }),
      ).toEqual({
        total: 3,
        rows: [{ ...head, storm: { ...storm, alerts: 2, devices: 1 } }],
      });
      const none = { ...query, since: later(LATE, DAY) };
      expect(await deliveries.shown(none, { limit: 9, skip: 0 })).toEqual({ total: 0, rows: [] });
      expect((await deliveries.shown({ of: 'all', since: LATE }, { limit: 1, skip: 1 })).rows).toEqual([
        other,
      ]);
    });

    it('are one for all of a kind that a silence held, which is named', async () => {
      const { alerts, deliveries } = world().store;
      const since = later(LATE, 2 * DAY);
      for (const at of [1, 2]) {
        const held = anAlert({ createdAt: since, eventId: eventId(910_000 + at), deviceId: deviceId(at) });
        await alerts.insert(held);
        await deliveries.add({ alertId: held.id, channel: OPS, card: null, silence: 7 });
      }
      const { total, rows } = await deliveries.shown({ of: 'all', since }, { limit: 5, skip: 0 });
      expect({ total, rows }).toMatchObject({ total: 1, rows: [{ heldBy: 7, storm: { alerts: 2 } }] });
    });
  });
}
