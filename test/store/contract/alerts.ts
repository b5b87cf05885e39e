import { describe, expect, it } from 'vitest';
import { DAY, HOUR, later, MINUTE } from '../../../src/lib/clock.ts';
import { alertId, channelId, deviceId, eventId, groupId, personId, policyId } from '../../../src/lib/ids.ts';
import type { SilenceScope } from '../../../src/store/port/alert-records.ts';
import { anAlert, fresh, OTHER_ORGANIZATION, START } from '../builders.ts';
import type { StoreSetup } from '../store-setup.ts';

const BY = personId('UOPERATOR');
const OTHER = personId('UOTHER');

const scope: SilenceScope = {
  kinds: ['patch-failed', 'device-added'],
  group: { id: groupId(3), name: 'Büro "<!channel>" 💥' },
  device: null,
  patch: 'openssl',
};
const subscription = () => ({
  channel: channelId(`C${fresh()}`),
  person: null,
  kinds: ['patch-failed', 'system.device.renamed'] as const,
  filter: { group: null, policy: { id: policyId(5), name: 'Ünïcode' }, tag: 'critical', os: null },
  createdBy: BY,
  createdAt: START,
});
const silence = () => ({
  scope,
  reason: 'maintenance',
  createdBy: BY,
  createdAt: START,
  until: later(START, HOUR),
});

export function alertsContract(world: () => StoreSetup): void {
  describe('subscriptions', () => {
    it('are numbered, read back unchanged, and ended once', async () => {
      const { subscriptions } = world().store;
      const given = subscription();
      const first = await subscriptions.add(given);
      const second = await subscriptions.add(subscription());
      expect(second.number).toBe(first.number + 1);
      expect(first).toMatchObject({ ...given, endedBy: null, endedAt: null });
      expect(await subscriptions.get(first.number)).toEqual(first);
      expect(await subscriptions.end(first.number, OTHER, later(START, MINUTE))).toBe(true);
      expect(await subscriptions.end(first.number, BY, later(START, HOUR))).toBe(false);
      expect(await subscriptions.get(first.number)).toMatchObject({ endedBy: OTHER });
      const open = (await subscriptions.open()).map(({ number }) => number);
      expect(open).toContain(second.number);
      expect(open).not.toContain(first.number);
    });

    it('that ended are forgotten after a time, and active ones are not', async () => {
      const { subscriptions } = world().store;
      const [old, lately, open] = [
        await subscriptions.add(subscription()),
        await subscriptions.add(subscription()),
        await subscriptions.add(subscription()),
      ];
      await subscriptions.end(old.number, BY, START);
      await subscriptions.end(lately.number, BY, later(START, HOUR));
      await subscriptions.forgetEnded(later(START, MINUTE));
      expect(await subscriptions.get(old.number)).toBeNull();
      expect(await subscriptions.get(lately.number)).toMatchObject({ endedBy: BY });
      expect(await subscriptions.get(open.number)).toEqual(open);
      expect((await subscriptions.add(subscription())).number).toBe(open.number + 1);
    });

    it('never reuse a number, not even that of the last ended one', async () => {
      const { subscriptions } = world().store;
      const { number } = await subscriptions.add(subscription());
      await subscriptions.end(number, BY, START);
      expect((await subscriptions.add(subscription())).number).toBe(number + 1);
    });

    it('get different numbers from replicas that add at the same time', async () => {
      const stores = await world().replicas(3);
      const added = await Promise.all(
        Array.from({ length: 9 }, (_, at) => stores[at % stores.length]?.subscriptions.add(subscription())),
      );
      expect(new Set(added.map((one) => one?.number)).size).toBe(9);
    });

    it('of another organization are separate', async () => {
      const { number } = await world().store.subscriptions.add(subscription());
      const other = await world().reopen(OTHER_ORGANIZATION);
      expect(await other.subscriptions.get(number)).toBeNull();
      expect(await other.subscriptions.end(number, BY, START)).toBe(false);
      await world().reopen();
    });
  });

  describe('silences', () => {
    it('hold and count alerts while active, and can be extended', async () => {
      const { silences } = world().store;
      const { number } = await silences.add(silence());
      expect(await silences.get(number)).toMatchObject({ ...silence(), kept: 0, endedAt: null });
      expect([await silences.holdAlert(number), await silences.holdAlert(number)]).toEqual([true, true]);
      expect(await silences.extend(number, later(START, 2 * HOUR))).toBe(true);
      expect(await silences.get(number)).toMatchObject({ kept: 2, until: later(START, 2 * HOUR) });
    });

    it('that ended hold nothing and cannot be extended', async () => {
      const { silences } = world().store;
      const { number } = await silences.add(silence());
      expect(await silences.end(number, BY, START)).toBe(true);
      expect(await silences.end(number, BY, START)).toBe(false);
      expect(await silences.holdAlert(number)).toBe(false);
      expect(await silences.extend(number, later(START, 2 * HOUR))).toBe(false);
      expect((await silences.open()).map((one) => one.number)).not.toContain(number);
    });

    it('are ended by Patchbay itself only when their time is over', async () => {
      const { silences } = world().store;
      const { number } = await silences.add(silence());
      expect(await silences.end(number, 'patchbay', later(START, HOUR - 1))).toBe(false);
      expect(await silences.end(number, 'patchbay', later(START, HOUR))).toBe(true);
      expect(await silences.get(number)).toMatchObject({ endedBy: 'patchbay' });
    });

    it('count every alert that replicas hold until they end, and none after', async () => {
      const stores = await world().replicas(2);
      const [one = world().store, other = one] = stores;
      const { number } = await one.silences.add(silence());
      const keeping = Array.from({ length: 10 }, () =>
        other.transaction(({ silences }) => silences.holdAlert(number)),
      );
      const ending = one.silences.end(number, BY, START);
      const held = (await Promise.all(keeping)).filter(Boolean).length;
      expect(await ending).toBe(true);
      expect(await one.silences.get(number)).toMatchObject({ kept: held });
    });
  });

  describe('deliveries', () => {
    const stored = async (given: Parameters<typeof anAlert>[0] = {}) => {
      const alert = anAlert(given);
      await world().store.alerts.insert(alert);
      return alert;
    };

    it('are one for each alert and channel', async () => {
      const { deliveries } = world().store;
      const { id } = await stored();
      const channel = channelId('C1');
      const delivery = { alertId: id, channel, card: id, silence: null } as const;
      await deliveries.add(delivery);
      await expect(deliveries.add({ ...delivery, card: null, silence: 1 })).rejects.toThrow();
      await deliveries.add({ alertId: id, channel: channelId('C2'), card: null, silence: 4 });
      const found = await deliveries.of(id);
      expect(found.toSorted((a, b) => (a.channel < b.channel ? -1 : 1))).toEqual([
        delivery,
        { alertId: id, channel: 'C2', card: null, silence: 4 },
      ]);
    });

    it('count alerts and devices of a card in its channel, the oldest first', async () => {
      const { deliveries } = world().store;
      const [here, there] = [channelId(`C${fresh()}`), channelId(`C${fresh()}`)];
      const first = await stored({ deviceId: deviceId(1) });
      const second = await stored({ deviceId: deviceId(2) });
      const third = await stored({ deviceId: deviceId(2) });
      for (const { id } of [third, first, second])
        await deliveries.add({ alertId: id, channel: here, card: first.id, silence: null });
      await deliveries.add({ alertId: third.id, channel: there, card: first.id, silence: null });
      expect(await deliveries.onCard(first.id, here, 2)).toEqual({
        alerts: 3,
        devices: 2,
        acknowledgement: null,
        first: [first, second],
      });
      expect(await deliveries.onCard(first.id, there, 2)).toMatchObject({ alerts: 1, devices: 1 });
      const page = { limit: 2, skip: 1 };
      expect(await deliveries.list({ of: 'card', card: first.id, channel: here }, page)).toEqual({
        total: 3,
        rows: [second, first],
      });
    });

    it('list none that came after the time of the list', async () => {
      const { deliveries } = world().store;
      const here = channelId(`C${fresh()}`);
      const [before, after] = [
        await stored({ createdAt: START }),
        await stored({ createdAt: later(START, 1) }),
      ];
      for (const { id } of [before, after])
        await deliveries.add({ alertId: id, channel: here, card: before.id, silence: null });
      const query = { of: 'card', card: before.id, channel: here } as const;
      const page = { limit: 9, skip: 0 };
      expect((await deliveries.list({ ...query, until: START }, page)).rows).toEqual([before]);
      expect((await deliveries.list({ ...query, until: later(START, 1) }, page)).total).toBe(2);
    });

    it('count by kind a channel’s alerts that a silence held', async () => {
      const { deliveries, silences } = world().store;
      const { number } = await silences.add(silence());
      const [here, there] = [channelId(`CA${fresh()}`), channelId(`CB${fresh()}`)];
      const failed = [await stored(), await stored()];
      const added = await stored({ kind: 'device-added' });
      for (const { id } of [...failed, added])
        await deliveries.add({ alertId: id, channel: here, card: null, silence: number });
      await deliveries.add({ alertId: added.id, channel: there, card: null, silence: number });
      expect(await deliveries.silencedChannels(number)).toEqual([here, there]);
      expect(await deliveries.silencedCounts(number, here)).toEqual([
        { kind: 'patch-failed', alerts: 2 },
        { kind: 'device-added', alerts: 1 },
      ]);
      const page = { limit: 10, skip: 0 };
      const all = await deliveries.list({ of: 'silence', silence: number, channel: null }, page);
      expect(all.total).toBe(3);
      const one = await deliveries.list({ of: 'silence', silence: number, channel: there }, page);
      expect(one).toEqual({ total: 1, rows: [added] });
    });
  });

  describe('alert groups', () => {
    const join = (key: string, card: string, minutes = 0, startNew = false) =>
      world().store.deliveries.joinAlertGroup({
        channel: channelId('C1'),
        key,
        card: alertId(card),
        now: later(START, minutes * MINUTE),
        openUntil: later(START, (minutes + 15) * MINUTE),
        startNew,
      });

    it('take alerts while they are open; then the next group begins', async () => {
      const key = fresh();
      expect(await join(key, 'first')).toBe('first');
      expect(await join(key, 'second', 14)).toBe('first');
      expect(await join(key, 'third', 15)).toBe('third');
      expect(await join(key, 'fourth', 16)).toBe('third');
      expect(await join(key, 'fifth', 17, true)).toBe('fifth');
      expect(await join(key, 'sixth', 18)).toBe('fifth');
    });

    it('that began in the future, by a wrong clock, take nothing; a little ahead is tolerated', async () => {
      const key = fresh();
      await join(key, 'ahead', 30 * 24 * 60);
      expect(await join(key, 'now')).toBe('now');
      await join(key, 'of a clock a little ahead', 16);
      expect(await join(key, 'last', 15)).toBe('of a clock a little ahead');
    });

    it('are forgotten once they are over', async () => {
      const key = fresh();
      await join(key, 'first');
      await world().store.deliveries.forgetAlertGroups(later(START, 15 * MINUTE - 1));
      expect(await join(key, 'second', 1)).toBe('first');
      await world().store.deliveries.forgetAlertGroups(later(START, 15 * MINUTE));
      expect(await join(key, 'third', 2)).toBe('third');
    });

    it('are one for replicas that begin them at the same time', async () => {
      const stores = await world().replicas(2);
      const key = fresh();
      const cards = await Promise.all(
        stores.map((store, at) =>
          store.transaction(({ deliveries }) =>
            deliveries.joinAlertGroup({
              channel: channelId('C1'),
              key,
              card: alertId(`card-${at}`),
              now: START,
              openUntil: later(START, MINUTE),
            }),
          ),
        ),
      );
      expect(new Set(cards).size).toBe(1);
    });
  });

  describe('acknowledging an alert', () => {
    it('is for the first person, and stays', async () => {
      const { alerts } = world().store;
      const alert = anAlert({ policyId: policyId(4), policyName: '', exitCode: 0 });
      await alerts.insert(alert);
      expect(await alerts.acknowledge(alert.id, BY, START)).toBe(true);
      expect(await alerts.acknowledge(alert.id, OTHER, START)).toBe(false);
      const taken = { ...alert, acknowledgedBy: BY, acknowledgedAt: START };
      expect(await alerts.ofEvent(alert.eventId)).toEqual(taken);
      expect(await alerts.ofEvent(eventId(999_999_999))).toBeNull();
    });
  });
}

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

/** Later than what other tests leave in the same database. */
const LATE = later(START, 10_000 * DAY);
const [OPS, ANOTHER] = [channelId('C0SHOWN'), channelId('C0OTHER')];

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
            [OPS, ANOTHER].map((channel) =>
              deliveries.add({ alertId, channel, card: card.id, silence: null }),
            ),
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
      ).toEqual({ total: 3, rows: [{ ...head, storm: { ...storm, alerts: 2, devices: 1 } }] });
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
