import { describe, expect, it } from 'vitest';
import { instant } from '../../../src/lib/clock.ts';
import { alertId, deviceId, type EventId, eventId } from '../../../src/lib/ids.ts';
import { said } from '../../harness/builders.ts';
import { anAlert, fresh, OTHER_ORGANIZATION, START } from '../builders.ts';
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

  describe('alerts', () => {
    it('returns exactly what was stored', async () => {
      const alert = anAlert({ deviceId: deviceId(1), deviceName: '', reason: '0', happenedAt: instant(0) });
      expect(await world().store.alerts.insert(alert)).toBe(true);
      expect(await world().store.alerts.get(alert.id)).toEqual(alert);
      expect(await world().store.alerts.get(alertId('n_none'))).toBeNull();
    });

    it('stores one for each event and kind', async () => {
      const { alerts } = world().store;
      const event = eventId(Number(fresh()));
      const first = anAlert({ eventId: event });
      expect(await alerts.insert(first)).toBe(true);
      expect(await alerts.insert(first)).toBe(false);
      expect(await alerts.insert(anAlert({ eventId: event }))).toBe(false);
      expect(await alerts.insert(anAlert({ eventId: event, kind: 'device-added' }))).toBe(true);
    });

    it('refuses an id that another event has, rather than lose an alert', async () => {
      const { alerts } = world().store;
      const first = anAlert();
      await alerts.insert(first);
      await expect(alerts.insert(anAlert({ id: first.id }))).rejects.toThrow('is taken');
    });

    it('refuses a record of another organization', async () => {
      const stray = anAlert({ organizationId: OTHER_ORGANIZATION });
      await expect(world().store.alerts.insert(stray)).rejects.toThrow('organization 8');
    });

    it('stores one of fifty that several replicas made of one event', async () => {
      const stores = await world().replicas(5);
      const event = eventId(Number(fresh()));
      const attempts = Array.from({ length: 50 }, (_, at) =>
        stores[at % 5]?.alerts.insert(anAlert({ eventId: event })),
      );
      expect(countOf(await Promise.all(attempts), true)).toBe(1);
    });
  });
}
