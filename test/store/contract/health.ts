import { beforeEach, describe, expect, it } from 'vitest';
import { instant, later, MINUTE } from '../../../src/lib/clock.ts';
import { channelId, type MessageTs, messageTs, newTroubleId, personId } from '../../../src/lib/ids.ts';
import type { CardKey } from '../../../src/store/port/records.ts';
import { anAlert, anEnqueuedCard, fresh, START } from '../builders.ts';
import type { StoreSetup } from '../store-setup.ts';

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
        await world().store.alerts.insert(alert);
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
