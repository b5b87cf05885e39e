import { beforeEach, describe, expect, it } from 'vitest';
import { instant } from '../../../src/lib/clock.ts';
import { type CardKey, channelId, messageTs, personId } from '../../../src/lib/ids.ts';
import type { ClaimedWork } from '../../../src/store/port/work-records.ts';
import { anEnqueuedCard, fresh, ORGANIZATION, START } from '../builders.ts';
import type { StoreSetup } from '../store-setup.ts';

export function cardsContract(world: () => StoreSetup): void {
  const newKey = (): CardKey => `notice:${fresh()}`;
  const place = { channel: channelId('D9'), ts: messageTs('1700000000.000100') };

  describe('cards', () => {
    beforeEach(async () => {
      await world().raw('delete from work');
    });

    it('is created with the work that shows it', async () => {
      const key = newKey();
      await world().store.cards.enqueue(anEnqueuedCard(key));
      expect(await world().store.cards.get(key)).toEqual({
        organizationId: ORGANIZATION,
        key,
        channel: channelId('C1'),
        fallbackPerson: personId('U1'),
        postedChannel: null,
        ts: null,
        wantedRevision: 1,
        shownRevision: 0,
        failure: null,
      });
      const [work] = await world().store.work.claim({ now: START, leaseMs: 1_000, limit: 9 });
      expect(work).toMatchObject({ kind: 'card', key, dueAt: START });
    });

    it('gets a newer revision when it is requested again', async () => {
      const key = newKey();
      await world().store.cards.enqueue(anEnqueuedCard(key));
      await world().store.cards.enqueue({
        ...anEnqueuedCard(key),
        channel: channelId('C2'),
        fallbackPerson: null,
      });
      expect(await world().store.cards.get(key)).toMatchObject({ channel: 'C1', wantedRevision: 2 });
    });

    it('is updated when it exists, and only then', async () => {
      const [key, unknown] = [newKey(), newKey()];
      await world().store.cards.enqueue(anEnqueuedCard(key));
      await world().raw('delete from work');
      await world().store.cards.enqueueUpdate(key, instant(START + 5));
      await world().store.cards.enqueueUpdate(unknown, START);
      expect(await world().store.cards.get(key)).toMatchObject({ wantedRevision: 2 });
      expect(await world().store.cards.get(unknown)).toBeNull();
      expect(await world().store.work.nextDue()).toBe(START + 5);
    });

    it('stays where it was posted first; a second message of it is not recorded', async () => {
      const key = newKey();
      const { cards } = world().store;
      await cards.enqueue(anEnqueuedCard(key));
      expect(await cards.recordPosted(key, { ...place, revision: 1 })).toBe(true);
      const second = { channel: place.channel, ts: messageTs('1700000000.000200') };
      expect(await cards.recordPosted(key, { ...second, revision: 2 })).toBe(false);
      expect(await cards.recordPosted(key, { ...place, revision: 1 })).toBe(true);
      expect(await cards.get(key)).toMatchObject({ ts: place.ts, shownRevision: 1 });
      await cards.recordRemoved(key, place);
      expect(await cards.recordPosted(key, { ...second, revision: 2 })).toBe(true);
    });

    it('is removed only from where it was recorded', async () => {
      const key = newKey();
      const { cards } = world().store;
      await cards.enqueue(anEnqueuedCard(key));
      await cards.recordPosted(key, { ...place, revision: 1 });
      await cards.recordRemoved(key, { ts: messageTs('1700000000.000200') });
      expect(await cards.get(key)).toMatchObject({ ts: place.ts });
    });

    it('is not abandoned when a message of it was recorded meanwhile', async () => {
      const key = newKey();
      const { cards } = world().store;
      await cards.enqueue(anEnqueuedCard(key));
      await cards.recordPosted(key, { ...place, revision: 0 });
      expect(await cards.giveUp({ key, ts: null, wantedRevision: 1 }, 'not_in_channel')).toBe(false);
      expect(await cards.giveUp({ key, ts: place.ts, wantedRevision: 1 }, 'message_not_found')).toBe(true);
    });

    it('is due again in a channel that was opened, as if it was never tried', async () => {
      const { cards, work } = world().store;
      const [waiting, posted, elsewhere] = [newKey(), newKey(), newKey()];
      for (const key of [waiting, posted]) await cards.enqueue(anEnqueuedCard(key));
      await cards.enqueue({ ...anEnqueuedCard(elsewhere), channel: channelId('C2') });
      await cards.recordPosted(posted, { ...place, revision: 0 });
      const claim = (now: number) => work.claim({ now: instant(now), leaseMs: 1_000, limit: 9 });
      for (const held of await claim(START)) await work.postpone(held, instant(START + 1_000));
      expect(await claim(START)).toEqual([]);
      await cards.resumeUnposted(channelId('C1'), instant(START + 5));
      expect(await claim(START + 5)).toMatchObject([{ key: waiting, attempts: 0, payload: 'channel-open' }]);
    });

    it('stays due when its channel is opened while it is handled', async () => {
      const { cards, work } = world().store;
      await cards.enqueue(anEnqueuedCard(newKey()));
      const [held] = await work.claim({ now: START, leaseMs: 1_000, limit: 9 });
      if (held === undefined) throw new Error('nothing was due');
      await cards.resumeUnposted(channelId('C1'), START);
      await work.postpone(held, instant(START + 1_000));
      expect(await work.nextDue()).toBe(START);
    });

    it('is recorded by one of two that posted it at the same time', async () => {
      const [first, second] = await world().replicas(2);
      for (let round = 0; round < 20; round += 1) {
        const key = newKey();
        await world().store.cards.enqueue(anEnqueuedCard(key));
        const won = await Promise.all(
          [first, second].map((store, at) =>
            store?.cards.recordPosted(key, { ...place, ts: messageTs(`17.00000${at}`), revision: 1 }),
          ),
        );
        expect(won.filter(Boolean)).toHaveLength(1);
      }
    });

    it('shows its last edit; a late edit with an older revision changes nothing', async () => {
      const key = newKey();
      await world().store.cards.enqueue(anEnqueuedCard(key));
      await world().store.cards.recordPosted(key, { ...place, revision: 1 });
      await world().store.cards.recordEdited(key, 3);
      await world().store.cards.recordEdited(key, 2);
      expect(await world().store.cards.get(key)).toMatchObject({
        postedChannel: place.channel,
        ts: place.ts,
        shownRevision: 3,
      });
    });

    it('is abandoned with a reason, until it is shown after all', async () => {
      const key = newKey();
      await world().store.cards.enqueue(anEnqueuedCard(key));
      expect(await world().store.cards.giveUp({ key, ts: null, wantedRevision: 1 }, 'is_archived')).toBe(
        true,
      );
      expect((await world().store.cards.get(key))?.failure).toBe('is_archived');
      await world().store.cards.recordPosted(key, { ...place, revision: 1 });
      expect((await world().store.cards.get(key))?.failure).toBeNull();
    });

    it('is not abandoned when a newer revision was requested meanwhile, and can be requested again afterwards', async () => {
      const key = newKey();
      const { cards } = world().store;
      await cards.enqueue(anEnqueuedCard(key));
      await cards.enqueueUpdate(key, START);
      expect(await cards.giveUp({ key, ts: null, wantedRevision: 1 }, 'message_not_found')).toBe(false);
      expect((await cards.get(key))?.failure).toBeNull();
      expect(await cards.giveUp({ key, ts: null, wantedRevision: 2 }, 'message_not_found')).toBe(true);
      await cards.enqueue(anEnqueuedCard(key));
      expect(await cards.get(key)).toMatchObject({ failure: null, wantedRevision: 3 });
    });

    it('counts each of fifty simultaneous updates', async () => {
      const stores = await world().replicas(5);
      const key = newKey();
      await Promise.all(
        Array.from({ length: 50 }, (_, at) => {
          const { cards } = stores[at % 5] ?? world().store;
          return at % 2 === 0
            ? cards.enqueue(anEnqueuedCard(key))
            : cards.enqueue(anEnqueuedCard(key, instant(START + at)));
        }),
      );
      expect((await world().store.cards.get(key))?.wantedRevision).toBe(50);
    });
  });
}

const LONG = 3_600_000;
const CHANNEL = channelId('C1');

export function cardCallsContract(world: () => StoreSetup): void {
  const calls = () => world().store.cardCalls;
  const claimed = async (key: CardKey, leaseMs = LONG): Promise<ClaimedWork> => {
    await world().store.cards.enqueue(anEnqueuedCard(key));
    const [work] = await world().store.work.claim({ now: START, leaseMs, limit: 1 });
    if (work === undefined) throw new Error('nothing to claim');
    return work;
  };
  const aCall = (card: CardKey, over = {}) => ({
    ...({ id: fresh(), card, kind: 'post', channel: CHANNEL, attemptedAt: START, settleMs: LONG } as const),
    ...over,
  });
  const newKey = (): CardKey => `notice:${fresh()}`;

  describe('calls for cards', () => {
    beforeEach(async () => {
      await world().raw('delete from work');
      await world().raw('delete from card_calls');
    });

    it('are recorded from before they are made until their outcome is known', async () => {
      const key = newKey();
      const call = aCall(key);
      expect(await calls().begin(call, await claimed(key))).toBe(true);
      const [found, ...others] = await calls().callsOfCard(key, START);
      expect(others).toEqual([]);
      expect(found).toMatchObject({ id: call.id, kind: 'post', channel: CHANNEL, attemptedAt: START });
      expect(found?.settledAt).toBeNull();
      expect(found?.settlesInMs).toBeGreaterThan(LONG / 2);
      await calls().end([call.id]);
      expect(await calls().callsOfCard(key, START)).toEqual([]);
    });

    it('are not begun after the lease of their work was lost', async () => {
      const key = newKey();
      const lost = await claimed(key, 0);
      const [holder] = await world().store.work.claim({ now: START, leaseMs: LONG, limit: 1 });
      expect(await calls().begin(aCall(key), lost)).toBe(false);
      expect(await calls().callsOfCard(key, START)).toEqual([]);
      if (holder === undefined) throw new Error('nobody holds the work');
      expect(await calls().begin(aCall(key), holder)).toBe(true);
    });

    it('settle when their time is over, and record when that was first seen', async () => {
      const key = newKey();
      const work = await claimed(key);
      await calls().begin(aCall(key, { settleMs: 0 }), work);
      await calls().begin(aCall(key, { kind: 'edit' }), work);
      const later = instant(START + 9);
      expect(await calls().callsOfCard(key, later)).toMatchObject([
        { kind: 'post', settledAt: later, settlesInMs: 0 },
        { kind: 'edit', settledAt: null },
      ]);
      expect(await calls().callsOfCard(key, instant(START + 99))).toMatchObject([{ settledAt: later }, {}]);
    });

    it('settle sooner when that is known', async () => {
      const key = newKey();
      const call = aCall(key);
      await calls().begin(call, await claimed(key));
      await calls().extend(call.id, 0);
      expect(await calls().callsOfCard(key, START)).toMatchObject([{ settledAt: START, settlesInMs: 0 }]);
    });

    it('are watched for a while after they settled', async () => {
      const key = newKey();
      const call = aCall(key, { settleMs: 0 });
      await calls().begin(call, await claimed(key));
      expect(await calls().callsOfCard(key, START)).toMatchObject([{ settledAt: START, watched: false }]);
      await calls().watch([call.id], LONG);
      expect(await calls().callsOfCard(key, START)).toMatchObject([{ settledAt: null, watched: true }]);
    });

    it('are listed by channel if they are posts', async () => {
      const key = newKey();
      const work = await claimed(key);
      await calls().begin(aCall(key), work);
      await calls().begin(aCall(key, { kind: 'edit' }), work);
      await calls().begin(aCall(key, { channel: channelId('C2') }), work);
      expect(await calls().postsIn(CHANNEL, START)).toMatchObject([{ card: key, kind: 'post' }]);
    });

    it('that are suspected are settled posts, each once', async () => {
      const key = newKey();
      const suspected = { id: 'press C1 1.1', card: key, channel: CHANNEL, attemptedAt: START };
      await calls().recordSuspected(suspected);
      await calls().recordSuspected(suspected);
      expect(await calls().callsOfCard(key, START)).toMatchObject([{ kind: 'post', settledAt: START }]);
    });

    it('of a process that ended are in flight for their full time again when its file is opened', async () => {
      const key = newKey();
      await calls().begin(aCall(key, { settleMs: 60_000 }), await claimed(key));
      const opened = await world().reopen();
      const [call] = await opened.cardCalls.callsOfCard(key, START);
      expect(call?.settledAt).toBeNull();
      expect(call?.settlesInMs).toBeGreaterThan(30_000);
    });
  });
}
