import { describe, expect, it } from 'vitest';
import { recordEvents } from '../../../src/alerts/record-events.ts';
import { DAY, HOUR, later, MINUTE } from '../../../src/lib/clock.ts';
import {
  alertId,
  type ChannelId,
  channelId,
  deviceId,
  eventId,
  groupId,
  personId,
  policyId,
} from '../../../src/lib/ids.ts';
import type {
  AlertEvent,
  AlertMember,
  AlertRecord,
  SilenceScope,
} from '../../../src/store/port/alert-records.ts';
import type { Store } from '../../../src/store/port/store.ts';
import { anAlertEvent } from '../../harness/records.ts';
import { aMember, anAlert, fresh, ORGANIZATION, OTHER_ORGANIZATION, START } from '../builders.ts';
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
}

const HERE = channelId('C0HERE');
const THERE = channelId('C0THERE');
const SHOWN = { silence: null, onCard: true };
const PAGE = { limit: 50, skip: 0 };
/** Later than what other tests leave in the same database. */
const LATE = later(START, 10_000 * DAY);

export function alertLivesContract(world: () => StoreSetup): void {
  const taken = (given: Partial<AlertEvent> = {}) => {
    const number = Number(fresh());
    return anAlertEvent({ id: alertId(`patch-failed-${number}`), eventId: eventId(number), ...given });
  };
  /** An alert with members, each in these channels. */
  const stored = async (
    members: readonly Partial<AlertMember>[],
    { channels = [HERE], silence = null, ...given }: Partial<AlertRecord> & StoredIn = {},
  ) => {
    const alert = anAlert(given);
    const made = members.map((member) => aMember({ alert: alert.id, ...member }));
    await world().store.transaction(async (tables) => {
      await tables.alerts.put([alert]);
      await tables.members.put(made);
      const places = made.flatMap(({ id }) => channels.map((channel) => ({ member: id, channel })));
      const onCard = silence === null;
      await tables.deliveries.put(places.map((place) => ({ ...place, alert: alert.id, silence, onCard })));
    });
    return { alert, members: made };
  };
  type StoredIn = { readonly channels?: readonly ChannelId[]; readonly silence?: number | null };

  describe('events that were taken in', () => {
    it('are known by what happened, since an id may come again with another event', async () => {
      const { alerts } = world().store;
      const [event, other] = [taken(), taken()];
      await alerts.addEvents([{ ...event, alert: event.id }]);
      expect([...(await alerts.known([event, other]))]).toEqual([event.id]);
      const reused = { ...event, happenedAt: LATE, id: alertId(`${event.id}-again`) };
      expect([...(await alerts.known([reused]))]).toEqual([]);
      await alerts.addEvents([{ ...reused, alert: reused.id }]);
    });

    it('are refused under an id that another event has, rather than lost', async () => {
      const { alerts } = world().store;
      const event = taken();
      await alerts.addEvents([{ ...event, alert: event.id }]);
      await expect(alerts.addEvents([{ ...taken(), id: event.id, alert: event.id }])).rejects.toThrow();
    });

    it('lead to their alert, the latest where a number came again', async () => {
      const { alerts } = world().store;
      const event = taken();
      const [old, newer] = [anAlert(), anAlert({ openedAt: later(START, DAY) })];
      await alerts.put([old, newer]);
      await alerts.addEvents([{ ...event, alert: old.id }]);
      expect(await alerts.ofEvent(event.eventId)).toEqual(old);
      await alerts.addEvents([{ ...event, id: alertId(`${event.id}-x`), happenedAt: LATE, alert: newer.id }]);
      expect(await alerts.ofEvent(event.eventId)).toEqual(newer);
      expect(await alerts.ofEvent(eventId(999_999_999))).toBeNull();
    });
  });

  describe('alerts', () => {
    it('are found by their key, the latest of each', async () => {
      const { alerts } = world().store;
      const key = `key ${fresh()}`;
      const [old, newer] = [anAlert({ key }), anAlert({ key, openedAt: later(START, 1) })];
      await alerts.put([newer, old]);
      expect(await alerts.byKeys([key, 'none'])).toEqual([newer]);
      expect(await alerts.byKeys([])).toEqual([]);
      expect(await alerts.get([old.id])).toEqual([old]);
    });

    it('are acknowledged by the first person, only while they are open, and keep that when they change', async () => {
      const { alerts } = world().store;
      const alert = anAlert();
      await alerts.put([alert]);
      expect(await alerts.acknowledge(alert.id, BY, START)).toBe(true);
      expect(await alerts.acknowledge(alert.id, OTHER, START)).toBe(false);
      await alerts.put([{ ...alert, changedAt: LATE }]);
      expect(await alerts.get([alert.id])).toMatchObject([{ acknowledgedBy: BY, changedAt: LATE }]);
      await alerts.put([{ ...alert, state: 'fixed', endedAt: LATE }]);
      expect(await alerts.get([alert.id])).toMatchObject([{ acknowledgedBy: BY, lastOwner: null }]);
      expect(await alerts.acknowledge(alert.id, OTHER, START)).toBe(false);
      await alerts.put([{ ...alert, lastEndedAt: LATE }]);
      expect(await alerts.get([alert.id])).toMatchObject([{ acknowledgedBy: null, lastOwner: BY }]);
    });

    it('are acknowledged by one of two replicas', async () => {
      const stores = await world().replicas(2);
      const alert = anAlert();
      await world().store.alerts.put([alert]);
      const people = [BY, OTHER];
      const won = await Promise.all(
        stores.map((store, at) => store.alerts.acknowledge(alert.id, people[at] ?? BY, START)),
      );
      expect(won.toSorted()).toEqual([false, true]);
    });

    it('have one card in each channel, of its latest generation', async () => {
      const { alerts } = world().store;
      const { id: alert } = anAlert();
      const card = { alert, channel: HERE, generation: 0, startedAt: START, open: 1, drawnOpen: 1 } as const;
      const drawn = { drawnAt: START, dueAt: START };
      await alerts.putCards([
        { ...card, ...drawn },
        { ...card, ...drawn, channel: THERE },
      ]);
      const next = { ...card, ...drawn, generation: 1, open: 7, dueAt: LATE };
      await alerts.putCards([next]);
      const found = await alerts.cards([alert]);
      expect(found.toSorted((a, b) => (a.channel < b.channel ? -1 : 1))).toEqual([
        next,
        { ...card, ...drawn, channel: THERE },
      ]);
    });

    it('are listed with the open ones first, then by their last change, as far as a list goes', async () => {
      const { alerts } = world().store;
      const since = later(LATE, DAY);
      const at = (hours: number) => later(since, hours * HOUR);
      const changed = (hours: number, given: Partial<AlertRecord> = {}) =>
        stored([{}], { openedAt: at(0), changedAt: at(hours), ...given });
      const fixed = await changed(3, { state: 'fixed', endedAt: at(3) });
      const [first, second] = [await changed(1), await changed(2)];
      const after = await changed(4, { openedAt: at(4) });
      const ids = async (query: object, page = PAGE) =>
        (await alerts.list({ since, ...query }, page)).rows.map(({ id }) => id);
      const own = [second, first, fixed].map(({ alert }) => alert.id);
      expect(await ids({ until: at(3) })).toEqual(own);
      expect(await ids({ until: at(3) }, { limit: 1, skip: 1 })).toEqual([first.alert.id]);
      expect(await ids({ state: 'fixed' })).toEqual([fixed.alert.id]);
      expect(await ids({ kind: 'device-added' })).toEqual([]);
      expect(await alerts.list({ since }, { limit: 1, skip: 0 })).toMatchObject({
        total: 4,
        rows: [{ id: after.alert.id }],
      });
    });
  });

  describe('an alert as it is shown', () => {
    it('counts members and devices by state, and names the open ones first', async () => {
      const fixed = { state: 'fixed', fixedAt: later(START, 5), fixedEvent: eventId(5) } as const;
      const on = (device: number, given: Partial<AlertMember> = {}) => ({
        deviceId: deviceId(device),
        ...given,
      });
      const { alert, members } = await stored([
        on(1, fixed),
        on(2),
        on(2, { ...fixed, fixedAt: later(START, 9) }),
        on(3, { state: 'closed', closedAt: later(START, 7), closedEvent: eventId(7) }),
        on(4, { failures: 5, firstAt: later(START, -5) }),
      ]);
      expect(await world().store.alerts.shown(alert.id)).toMatchObject({
        ...{ id: alert.id, members: 5, open: 2, closed: 1 },
        ...{ devices: 4, openDevices: 2, fixedDevices: 1, failures: 5 },
        ...{ firstAt: later(START, -5), lastEnd: later(START, 9), heldBy: null, card: null },
        shown: [1, 4, 0, 2, 3].map((at) => ({ id: members[at]?.id })),
      });
    });

    it('has the most frequent reasons, and each package once, without versions that differ', async () => {
      const packages = (name: string, version: string) => [{ name, displayName: null, version }];
      const because = (reason: string, version = '1', name = 'openssl') => ({
        reason,
        packages: packages(name, version),
      });
      const { alert } = await stored([
        because('disk full'),
        because('no network', '2'),
        because('no network'),
        because('a', '1', 'curl'),
        because('b', '1', 'curl'),
      ]);
      const shown = await world().store.alerts.shown(alert.id);
      expect(shown?.reasons).toEqual([
        { reason: 'no network', exitCode: null, members: 2 },
        { reason: 'disk full', exitCode: null, members: 1 },
        { reason: 'a', exitCode: null, members: 1 },
      ]);
      expect(shown?.packages.toSorted((a, b) => (a.name < b.name ? -1 : 1))).toEqual([
        { name: 'curl', displayName: null, version: '1' },
        { name: 'openssl', displayName: null },
      ]);
    });

    it('has in a channel only what is on its card there', async () => {
      const { store } = world();
      const { alert, members } = await stored([{ deviceId: deviceId(1) }, { deviceId: deviceId(2) }]);
      const [first, second] = members;
      if (first === undefined || second === undefined) throw new Error('no members');
      const there = { alert: alert.id, channel: THERE };
      await store.deliveries.put([
        { ...there, member: first.id, silence: null, onCard: true },
        { ...there, member: second.id, silence: 4, onCard: false },
      ]);
      expect(await store.alerts.shown(alert.id, THERE)).toMatchObject({ members: 1, shown: [first] });
      expect(await store.alerts.shown(alert.id, HERE)).toMatchObject({ members: 2 });
      expect(await store.alerts.shown(alert.id, channelId('C0NOWHERE'))).toBeNull();
      expect(await store.alerts.shown(alertId('none'))).toBeNull();
    });

    it('names the silence that holds all of it', async () => {
      const { alerts } = world().store;
      const held = await stored([{}, {}], { silence: 3, channels: [HERE, THERE] });
      const half = await stored([{}], { silence: 3 });
      await world().store.deliveries.put([
        { alert: half.alert.id, member: half.members[0]?.id ?? '', channel: THERE, ...SHOWN },
      ]);
      expect(await alerts.shown(held.alert.id)).toMatchObject({ heldBy: 3 });
      expect(await alerts.shown(half.alert.id)).toMatchObject({ heldBy: null });
    });
  });

  describe('members', () => {
    it('are read back unchanged, the latest of each id', async () => {
      const { members } = world().store;
      const old = aMember({
        alert: alertId('a'),
        packages: [{ name: 'ü', displayName: null, version: '1' }],
      });
      const again = { ...old, alert: alertId('b'), failedAt: later(START, 1) };
      await members.put([old]);
      expect(await members.latest([old.id, 'none'])).toEqual([old]);
      await members.put([{ ...old, failures: 2 }, again]);
      expect(await members.latest([old.id])).toEqual([again]);
    });

    it('that are open are found by their device', async () => {
      const { members } = world().store;
      const device = { deviceId: deviceId(Number(fresh()) + 500_000) };
      const [open, fixed] = [aMember(device), aMember({ ...device, state: 'fixed' })];
      await members.put([open, fixed]);
      expect(await members.openOf([device.deviceId])).toEqual([open]);
      expect(await members.openOf([])).toEqual([]);
    });

    it('are counted by state, and for each channel without what a silence holds', async () => {
      const { alert, members } = await stored([{}, { state: 'fixed' }]);
      const there = { alert: alert.id, channel: THERE };
      const [open, fixed] = members.map(({ id }) => id);
      await world().store.deliveries.put([
        { ...there, member: open ?? '', silence: 2, onCard: false },
        { ...there, member: fixed ?? '', ...SHOWN },
      ]);
      const counts = await world().store.members.counts([alert.id]);
      const lines = counts.map(({ channel, state, members: some }) => `${channel} ${state} ${some}`);
      expect(lines.toSorted()).toEqual([
        'C0HERE fixed 1',
        'C0HERE open 1',
        'C0THERE fixed 1',
        'null fixed 1',
        'null open 1',
      ]);
    });

    it('are listed with the open ones first, of an alert or a silence, and of one channel', async () => {
      const { members, deliveries } = world().store;
      const { alert, members: own } = await stored([{ state: 'fixed' }, {}, {}]);
      const ids = async (...given: Parameters<typeof members.list>) =>
        (await members.list(...given)).rows.map(({ id }) => id);
      const [fixed, second, third] = own.map(({ id }) => id);
      const query = { of: 'alert', alert: alert.id, channel: null } as const;
      expect(await ids(query, PAGE)).toEqual([third, second, fixed]);
      expect(await members.list(query, { limit: 1, skip: 2 })).toMatchObject({ total: 3, rows: [own[0]] });
      expect(await ids({ ...query, openOnly: true }, PAGE)).toEqual([third, second]);
      expect(await ids({ ...query, channel: THERE }, PAGE)).toEqual([]);
      const silence = 700_000 + Number(fresh());
      await deliveries.put([
        { alert: alert.id, member: second ?? '', channel: THERE, silence, onCard: false },
      ]);
      expect(await ids({ of: 'silence', silence, channel: null }, PAGE)).toEqual([second]);
      expect(await ids({ of: 'silence', silence, channel: HERE }, PAGE)).toEqual([]);
      expect(await ids({ ...query, channel: THERE }, PAGE)).toEqual([]);
    });

    it('end by the latest of what ends them, whatever the order, for a while', async () => {
      const { members } = world().store;
      const of = `member ${fresh()}`;
      const [early, late] = [
        { of, at: START, event: eventId(1) },
        { of, at: later(START, 1), event: eventId(2) },
      ];
      await members.putEndings([late]);
      await members.putEndings([early]);
      expect(await members.endings([of, 'none'])).toEqual([late]);
      await members.forgetEndings(late.at);
      expect(await members.endings([of])).toEqual([late]);
      await members.forgetEndings(later(late.at, 1));
      expect(await members.endings([of])).toEqual([]);
    });
  });

  describe('replicas that record at the same time', () => {
    const home = channelId(`C0HOME${fresh()}`);
    /** As a poll does it: the cursor is written first, and holds up whoever else records. */
    const record = (store: Store, found: Parameters<typeof recordEvents>[1]) =>
      store.transaction(async (tables) => {
        const ids = { highestId: eventId(1), floorId: eventId(1), historyBefore: null, newestAt: null };
        await tables.events.setCursor({ ...ids, gap: null, updatedAt: START });
        const routing = {
          channels: { patchAlerts: home, newDevices: home },
          subscriptions: [],
          silences: [],
        };
        const of = { organizationId: ORGANIZATION, routing, labels: new Map(), now: START };
        return recordEvents({ tables, ...of }, found);
      });
    const failures = (patch: string) =>
      Array.from({ length: 20 }, (_, at) =>
        taken({ deviceId: deviceId(at + 1), packages: [{ name: patch, displayName: null }] }),
      );

    it('store each event once, on one alert', async () => {
      const stores = await world().replicas(2);
      const alerts = failures(`once-${fresh()}`);
      const counts = await Promise.all(stores.map((store) => record(store, { alerts, endings: [] })));
      expect(counts.toSorted((a, b) => a - b)).toEqual([0, 20]);
      const found = await world().store.alerts.ofEvent(alerts[0]?.eventId ?? eventId(1));
      expect(await world().store.alerts.shown(found?.id ?? alertId(''))).toMatchObject({
        ...{ members: 20, devices: 20, failures: 1, state: 'open' },
      });
    });

    it('come to the same state whoever is first: what is proven later is fixed', async () => {
      const [one = world().store, other = one] = await world().replicas(2);
      const patch = `proven-${fresh()}`;
      const alerts = failures(patch);
      const endings = alerts.map(({ deviceId: device, at, eventId: event }) => {
        return { of: `patch-failed:${device}:${patch}`, at: later(at, 1), event: eventId(event + 1_000) };
      });
      await Promise.all([record(one, { alerts, endings: [] }), record(other, { alerts: [], endings })]);
      const found = await one.alerts.ofEvent(alerts[0]?.eventId ?? eventId(1));
      expect(found).toMatchObject({ state: 'fixed' });
    });
  });

  describe('deliveries', () => {
    it('are one for each member and channel, and leave a silence for a card', async () => {
      const { deliveries } = world().store;
      const { alert, members } = await stored([{}], { silence: 3, channels: [HERE, THERE] });
      const delivery = { alert: alert.id, member: members[0]?.id ?? '', channel: HERE, ...SHOWN };
      await deliveries.put([delivery]);
      const found = await deliveries.of([delivery, { alert: alert.id, member: 'none' }]);
      expect(found.toSorted((a, b) => (a.channel < b.channel ? -1 : 1))).toEqual([
        delivery,
        { ...delivery, channel: THERE, silence: 3, onCard: false },
      ]);
    });

    it('of a silence are counted by kind in each channel', async () => {
      const { deliveries } = world().store;
      const silence = 800_000 + Number(fresh());
      await stored([{}, {}], { silence, channels: [HERE, THERE] });
      await stored([{ kind: 'device-added', state: 'noted' }], {
        silence,
        kind: 'device-added',
        state: 'noted',
      });
      expect(await deliveries.silencedChannels(silence)).toEqual([HERE, THERE]);
      expect(await deliveries.silencedCounts(silence, HERE)).toEqual([
        { kind: 'patch-failed', alerts: 2 },
        { kind: 'device-added', alerts: 1 },
      ]);
    });
  });
}
