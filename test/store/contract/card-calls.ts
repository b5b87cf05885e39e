import { beforeEach, describe, expect, it } from 'vitest';
import { instant } from '../../../src/lib/clock.ts';
import { channelId } from '../../../src/lib/ids.ts';
import type { CardKey, ClaimedWork } from '../../../src/store/port/records.ts';
import { anEnqueuedCard, fresh, START } from '../builders.ts';
import type { StoreSetup } from '../store-setup.ts';

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
