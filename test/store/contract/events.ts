import { beforeEach, describe, expect, it } from 'vitest';
import { instant, later, MINUTE } from '../../../src/lib/clock.ts';
import {
  type CardKey,
  channelId,
  type DeviceId,
  deviceId,
  type EventId,
  eventId,
  type MessageTs,
  messageTs,
  newTroubleId,
  personId,
} from '../../../src/lib/ids.ts';
import { said } from '../../harness/builders.ts';
import { anAlert, anEnqueuedCard, fresh, ORGANIZATION, OTHER_ORGANIZATION, START } from '../builders.ts';
import { countOf, type StoreSetup } from '../store-setup.ts';

const known = (...ids: readonly EventId[]) => new Map(ids.map((id) => [id, said(id).createTime]));

export function eventsContract(world: () => StoreSetup): void {
  describe('events', () => {
    it('has no cursor before the first start, which one of several replicas sets', async () => {
      const stores = await world().replicas(5);
      const cursor = (at: number) => {
        const ids = { highestId: eventId(100 + at), floorId: eventId(100) };
        return { ...ids, historyBefore: null, newestAt: null, gap: null, updatedAt: START };
      };
      expect(await world().store.events.cursor()).toBeNull();
      const starts = Array.from({ length: 10 }, (_, at) => stores[at % 5]?.events.begin(cursor(at)));
      const begun = await Promise.all(starts);
      expect(countOf(begun, true)).toBe(1);
      expect(await world().store.events.cursor()).toEqual(cursor(begun.indexOf(true)));
    });

    it('has the cursor that was set last', async () => {
      const { events } = world().store;
      const times = { happenedFrom: START, happenedUntil: START, readAt: START, endsAt: START };
      const gap = { afterId: eventId(5), ...times };
      for (const highest of [5, 3_000_000_000]) {
        const historyBefore = highest === 5 ? START : null;
        const cursor = {
          highestId: eventId(highest),
          floorId: eventId(4),
          historyBefore,
          newestAt: historyBefore,
          gap: highest === 5 ? gap : null,
          updatedAt: START,
        };
        await events.setCursor(cursor);
        expect(await events.cursor()).toEqual(cursor);
      }
    });

    it('knows which events were processed before, in any number', async () => {
      const { events } = world().store;
      const ids = Array.from({ length: 2_500 }, (_, at) => eventId(10_000 + at));
      await events.markSeen(ids.map(said), START);
      await events.markSeen(ids.slice(0, 3).map(said), START);
      const asked = [...ids, eventId(1), eventId(2)];
      expect(await events.seen(asked.map(said))).toEqual(known(...ids));
    });

    it('knows which events were processed by a time', async () => {
      const { events } = world().store;
      const [first, second] = [eventId(40_001), eventId(40_002)];
      await events.markSeen([first].map(said), instant(1_000));
      await events.markSeen([first, second].map(said), instant(2_000));
      expect(await events.seen([first, second].map(said), instant(999))).toEqual(known());
      expect(await events.seen([first, second].map(said), instant(1_999))).toEqual(known(first));
      expect(await events.seen([first, second].map(said), instant(2_000))).toEqual(known(first, second));
    });

    it('accepts an empty list', async () => {
      const { events } = world().store;
      await events.markSeen([], START);
      expect(await events.seen([])).toEqual(known());
    });

    it('forgets old ids and returns the highest of them', async () => {
      const { events } = world().store;
      const [first, second, third] = [eventId(20_001), eventId(20_009), eventId(20_005)];
      await events.markSeen([first, second].map(said), instant(1_000));
      await events.markSeen([third].map(said), instant(2_000));
      expect(await events.forgetSeen(instant(2_000), third)).toBe(first);
      expect(await events.seen([first, second, third].map(said))).toEqual(known(second, third));
      expect(await events.forgetSeen(instant(2_000), second)).toBe(second);
      expect(await events.seen([first, second, third].map(said))).toEqual(known(third));
      expect(await events.forgetSeen(instant(2_000), second)).toBeNull();
    });

    it('knows the highest processed id below another one', async () => {
      const { events } = world().store;
      const [first, second, third] = [eventId(50_001), eventId(50_002), eventId(50_003)];
      await events.markSeen([first].map(said), instant(1_000));
      await events.markSeen([second, third].map(said), instant(2_000));
      expect(await events.lastSeen(third, instant(2_000))).toBe(second);
      expect(await events.lastSeen(third, instant(1_999))).toBe(first);
      expect(await events.lastSeen(first, instant(0))).toBeNull();
    });

    it('lets replicas mark the same ids at once, in any order', async () => {
      const stores = await world().replicas(5);
      const ids = Array.from({ length: 200 }, (_, at) => eventId(30_000 + at));
      const marks = stores.flatMap((store, at) => [
        store.events.markSeen((at % 2 === 0 ? ids : ids.toReversed()).map(said), START),
        store.events.markSeen(ids.toReversed().map(said), START),
      ]);
      await Promise.all(marks);
      expect((await world().store.events.seen(ids.map(said))).size).toBe(200);
    });
  });
}

export function healthContract(world: () => StoreSetup): void {
  const at = (minutes: number) => later(START, minutes * MINUTE);
  const place = { channel: channelId('C1'), ts: messageTs('1700000000.000100') };
  const wanted = (key: CardKey, minutes: number, channel = 'C1') =>
    world().store.cards.enqueue({ ...anEnqueuedCard(key), channel: channelId(channel), dueAt: at(minutes) });
  const givenUp = (key: CardKey, error: string, ts: MessageTs | null = null) =>
    world().store.cards.giveUp({ key, ts, wantedRevision: 1 }, error);

  describe('Patchbay’s own troubles', () => {
    beforeEach(async () => {
      for (const table of ['work', 'cards', 'troubles', 'vitals']) await world().raw(`delete from ${table}`);
    });

    it('counts undelivered cards by channel, with the time of the first update', async () => {
      const [alert, other, elsewhere, shown]: readonly CardKey[] = [
        `notice:${fresh()}`,
        `approval:${fresh()}`,
        `notice:${fresh()}`,
        `notice:${fresh()}`,
      ];
      if (!alert || !other || !elsewhere || !shown) throw new Error('no keys');
      await wanted(elsewhere, 1, 'C2');
      await wanted(alert, 2);
      await wanted(other, 3);
      await wanted(alert, 9);
      await wanted(shown, 0);
      await world().store.cards.recordPosted(shown, { ...place, revision: 1 });
      expect(await world().store.health.undelivered()).toEqual([
        { channel: 'C2', cards: 1, alerts: 1, oldestAt: at(1) },
        { channel: 'C1', cards: 2, alerts: 1, oldestAt: at(2) },
      ]);
    });

    it('takes the time of a newer update once the earlier ones are shown, even if it came meanwhile', async () => {
      const [first, second]: readonly CardKey[] = [`notice:${fresh()}`, `notice:${fresh()}`];
      if (!first || !second) throw new Error('no keys');
      await wanted(first, 0);
      await world().store.cards.recordPosted(first, { ...place, revision: 1 });
      await world().store.cards.enqueueUpdate(first, at(5));
      await world().store.cards.enqueueUpdate(first, at(6));
      expect(await world().store.health.undelivered()).toMatchObject([{ oldestAt: at(5) }]);
      await world().store.cards.recordEdited(first, 3);
      await wanted(second, 0);
      await wanted(second, 7);
      await world().store.cards.recordPosted(second, { ...place, revision: 1 });
      expect(await world().store.health.undelivered()).toMatchObject([{ cards: 1, oldestAt: at(7) }]);
    });

    it('leaves out cards that nobody tries to show any more', async () => {
      await wanted(`notice:${fresh()}`, 0);
      await world().raw('delete from work');
      expect(await world().store.health.undelivered()).toEqual([]);
    });

    it('lists abandoned cards that were never posted, without acknowledged alerts', async () => {
      const [open, taken] = [anAlert(), anAlert()];
      for (const alert of [open, taken]) {
        await world().store.alerts.put([alert]);
        await wanted(`notice:${alert.id}`, 1);
        await givenUp(`notice:${alert.id}`, 'no_text');
      }
      const [approval, posted, old]: readonly CardKey[] = [
        `approval:${fresh()}`,
        `notice:${fresh()}`,
        `notice:${fresh()}`,
      ];
      if (!approval || !posted || !old) throw new Error('no keys');
      await wanted(approval, 2);
      await givenUp(approval, 'is_archived');
      await wanted(posted, 2);
      await world().store.cards.recordPosted(posted, { ...place, revision: 1 });
      await givenUp(posted, 'message_not_found', place.ts);
      await wanted(old, 0);
      await givenUp(old, 'no_text');
      await world().store.alerts.acknowledge(taken.id, personId('U1'), START);
      const found = await world().store.health.abandoned(at(1));
      expect(found.map(({ key, error, alert }) => [key, error, alert]).toSorted()).toEqual(
        [
          [approval, 'is_archived', null],
          [`notice:${open.id}`, 'no_text', open.id],
          [`notice:${taken.id}`, 'no_text', null],
        ].toSorted(),
      );
    });

    it('keeps the latest read of the event log, whichever replica reports it', async () => {
      const { health } = world().store;
      expect(await health.eventsReadAt()).toBeNull();
      await health.recordCheck(at(0), null);
      expect(await health.eventsReadAt()).toBeNull();
      await health.recordCheck(at(1), at(1));
      await health.recordCheck(at(2), at(0));
      await health.recordCheck(at(3), null);
      expect(await health.eventsReadAt()).toBe(at(1));
    });

    it('has one trouble of a kind at a time, and a new one once it is over and unseen', async () => {
      const { health } = world().store;
      const trouble = { kind: 'cards-late', cards: 4, alerts: 3 } as const;
      const begin = (id = newTroubleId()) =>
        health.begin({ id, key: 'cards-late', trouble, since: at(0), seenAt: at(1), endedAt: null });
      const id = newTroubleId();
      expect(await begin(id)).toBe(true);
      expect(await begin()).toBe(false);
      await health.markSeen(id, { ...trouble, cards: 9 }, at(5));
      expect(await health.open()).toMatchObject([
        { id, key: 'cards-late', trouble: { cards: 9 }, since: at(0), seenAt: at(5), endedAt: null },
      ]);
      expect(await health.end(id, at(6), at(4))).toBe(false);
      expect(await health.end(id, at(8), at(5))).toBe(true);
      expect(await health.end(id, at(9), at(9))).toBe(false);
      expect(await health.open()).toEqual([]);
      expect(await health.get(id)).toMatchObject({ endedAt: at(8) });
      expect(await health.get(newTroubleId())).toBeNull();
      expect(await begin()).toBe(true);
    });

    it('reads back every kind of trouble, and lets only one of two replicas begin it', async () => {
      const row = { since: instant(1), seenAt: instant(1), endedAt: null } as const;
      const stores = await world().replicas(2);
      const begun = await Promise.all(
        stores.map(({ health }) =>
          health.begin({
            ...row,
            id: newTroubleId(),
            key: 'channel-refuses C1',
            trouble: { kind: 'channel-refuses', channel: channelId('C1'), error: 'is_archived', cards: 2 },
          }),
        ),
      );
      expect(begun.toSorted()).toEqual([false, true]);
    });
  });
}

const row = (id: number, body = `body ${id}`) => ({ deviceId: deviceId(id), body });

export function inventoryContract(world: () => StoreSetup): void {
  const all = () => world().store.inventory.devices.list(null, 10_000);
  const empty = async () => world().store.inventory.devices.drop((await all()).map((one) => one.deviceId));

  describe('inventory', () => {
    it('is empty at first, then has the facts that were set last', async () => {
      const { inventory } = world().store;
      expect(await inventory.facts()).toBeNull();
      for (const body of ['{"a":1}', '💥 "\\ ']) {
        await inventory.setFacts(body);
        expect(await inventory.facts()).toBe(body);
      }
    });

    it('lists devices by id, in parts', async () => {
      const { inventory } = world().store;
      await inventory.devices.put([row(3_000_000_000), row(7), row(5)]);
      expect(await inventory.devices.list(null, 2)).toEqual([row(5), row(7)]);
      expect(await inventory.devices.list(deviceId(7), 2)).toEqual([row(3_000_000_000)]);
      expect(await inventory.devices.list(deviceId(3_000_000_000), 2)).toEqual([]);
      await empty();
    });

    it('keeps the last text of each device, in any number', async () => {
      const { inventory } = world().store;
      const ids = Array.from({ length: 2_500 }, (_, at) => at + 1);
      await inventory.devices.put(ids.map((id) => row(id, 'old')));
      await inventory.devices.put(ids.toReversed().map((id) => row(id, `${id}`)));
      expect(await all()).toEqual(ids.map((id) => row(id, `${id}`)));
      await inventory.devices.drop(ids.slice(1).map(deviceId));
      expect(await all()).toEqual([row(1, '1')]);
      await empty();
    });

    it('accepts empty lists, and dropping unknown devices', async () => {
      const { inventory } = world().store;
      await inventory.devices.put([]);
      await inventory.devices.drop([]);
      await inventory.devices.drop([deviceId(404)]);
      expect(await all()).toEqual([]);
    });

    it('lets replicas write and drop the same devices at once, in any order', async () => {
      const stores = await world().replicas(4);
      const ids: readonly DeviceId[] = Array.from({ length: 200 }, (_, at) => deviceId(at + 1));
      const rows = ids.map((id) => row(id));
      await Promise.all(
        stores.flatMap(({ inventory }, at) => [
          inventory.devices.put(at % 2 === 0 ? rows : rows.toReversed()),
          inventory.devices.drop(at % 2 === 0 ? ids.slice(100) : ids.slice(100).toReversed()),
        ]),
      );
      expect((await all()).slice(0, 100)).toEqual(rows.slice(0, 100));
      await empty();
    });

    it('keeps missing patches separate from devices', async () => {
      const { devices, missingPatches } = world().store.inventory;
      await devices.put([row(1)]);
      await missingPatches.put([row(1, 'misses'), row(2, '💥 "\\ ')]);
      expect(await all()).toEqual([row(1)]);
      expect(await missingPatches.list(null, 10)).toEqual([row(1, 'misses'), row(2, '💥 "\\ ')]);
      await devices.drop([deviceId(1)]);
      expect(await missingPatches.list(deviceId(1), 10)).toEqual([row(2, '💥 "\\ ')]);
      await missingPatches.drop([deviceId(1), deviceId(2)]);
      expect(await missingPatches.list(null, 10)).toEqual([]);
    });

    it('keeps organizations separate', async () => {
      await world().store.inventory.devices.put([row(1)]);
      await world().store.inventory.setFacts('ours');
      const other = await world().reopen(OTHER_ORGANIZATION);
      expect(await other.inventory.facts()).toBeNull();
      await other.inventory.devices.put([row(1, 'theirs'), row(2)]);
      await other.inventory.devices.drop([deviceId(2)]);
      const { inventory } = await world().reopen(ORGANIZATION);
      expect(await inventory.facts()).toBe('ours');
      expect(await all()).toEqual([row(1)]);
    });
  });
}
