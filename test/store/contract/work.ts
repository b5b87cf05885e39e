import { beforeEach, describe, expect, it, vi } from 'vitest';
import { type Instant, instant } from '../../../src/lib/clock.ts';
import type { Store } from '../../../src/store/port/store.ts';
import type { ClaimedWork } from '../../../src/store/port/work-records.ts';
import { ORGANIZATION } from '../builders.ts';
import type { StoreSetup } from '../store-setup.ts';

/** A lease that outlasts the test, and one that is over at once: leases run by the store's own time. */
const LONG = 3_600_000;
const OVER = 0;
const at = (ms: number): Instant => instant(1_000_000 + ms);

export function workContract(world: () => StoreSetup): void {
  const work = () => world().store.work;
  const put = (key: string, due: number, payload?: unknown) =>
    work().put({ kind: 'follow', key, dueAt: at(due), ...(payload === undefined ? {} : { payload }) });
  const claim = (now: number, options: { limit?: number; leaseMs?: number; store?: Store } = {}) =>
    (options.store ?? world().store).work.claim({
      now: at(now),
      leaseMs: options.leaseMs ?? LONG,
      limit: options.limit ?? 100,
    });
  const one = async (now: number, leaseMs = LONG): Promise<ClaimedWork> => {
    const [first, ...more] = await claim(now, { leaseMs });
    if (first === undefined || more.length > 0) throw new Error(`${more.length} more than one row, or none`);
    return first;
  };

  describe('work', () => {
    beforeEach(async () => {
      await world().raw('delete from work');
    });

    it('is claimed as it was scheduled', async () => {
      await put('a', 5, { page: 0, name: '' });
      expect(await one(5)).toEqual({
        organizationId: ORGANIZATION,
        kind: 'follow',
        key: 'a',
        dueAt: at(5),
        payload: { page: 0, name: '' },
        attempts: 0,
        token: expect.any(String),
      });
    });

    it('keeps an earlier time where that is asked for, while nobody holds it', async () => {
      const again = (due: number) =>
        work().put({ kind: 'follow', key: 'a', dueAt: at(due), keepsEarlier: true });
      await put('a', 5);
      await again(9);
      expect((await one(5)).dueAt).toBe(at(5));
      // Who holds it has begun before.
      await again(7);
      expect(await work().nextDue()).toBeNull();
      await world().raw('update work set lease_token = null, lease_until = null');
      expect((await one(7)).dueAt).toBe(at(7));
      await world().raw('update work set lease_token = null, lease_until = null');
      await again(3);
      expect((await one(3)).dueAt).toBe(at(3));
    });

    it('is claimed when due, oldest first, up to the limit', async () => {
      for (const [key, due] of [
        ['late', 30],
        ['second', 20],
        ['first', 10],
        ['not yet', 31],
      ] as const)
        await put(key, due);
      expect((await claim(30, { limit: 2 })).map(({ key }) => key)).toEqual(['first', 'second']);
      expect((await claim(30, { limit: 2 })).map(({ key }) => key)).toEqual(['late']);
      expect(await claim(30)).toEqual([]);
    });

    it('of a person is claimed even if a clock that was set back since scheduled it far ahead', async () => {
      const hour = 3_600_000;
      for (const [kind, due] of [
        ['inbox', 72 * hour],
        ['inbox', 24 * hour],
        ['run', hour + 1],
        ['run', hour],
        ['follow', 72 * hour],
      ] as const)
        await work().put({ kind, key: String(due), dueAt: at(0) });
      for (const one of await claim(0)) await work().postpone(one, at(Number(one.key)));
      const claimed = (await claim(0)).map(({ kind, key }) => `${kind} ${key}`);
      expect(claimed).toEqual([`run ${hour + 1}`, `inbox ${72 * hour}`]);
    });

    it('that a person just submitted is claimed even if scheduled by a clock that ran ahead', async () => {
      const fiveMinutes = 5 * 60_000;
      for (const kind of ['inbox', 'run', 'follow', 'expire', 'card'] as const)
        for (const due of [fiveMinutes, fiveMinutes + 1])
          await work().put({ kind, key: String(due), dueAt: at(due) });
      const claimed = (await claim(0)).map(({ kind, key }) => `${kind} ${key}`);
      const ahead = fiveMinutes + 1;
      const submitted = ['inbox', 'run'].map((kind) => `${kind} ${ahead}`);
      expect(claimed.toSorted()).toEqual(submitted);
    });

    it('has one row for each kind and key, moved by a second put', async () => {
      await put('a', 5, 'old');
      await put('a', 50, 'new');
      await work().put({ kind: 'expire', key: 'a', dueAt: at(1) });
      expect(await claim(5)).toMatchObject([{ kind: 'expire', payload: null }]);
      expect(await claim(50)).toMatchObject([{ kind: 'follow', dueAt: at(50), payload: 'new' }]);
    });

    it('is inserted once: an existing row stays', async () => {
      const insert = (due: number, payload: unknown) =>
        work().insert({ kind: 'inbox', key: 'a', dueAt: at(due), payload });
      expect(await insert(5, { name: 'old' })).toBe('inserted');
      expect(await insert(1, { name: 'new' })).toBe('exists');
      expect(await claim(4)).toEqual([]);
      expect(await one(5)).toMatchObject({ payload: { name: 'old' } });
      expect(await insert(1, 'while it is held')).toBe('exists');
    });

    it('is inserted by one of several at once', async () => {
      const all = await Promise.all(
        Array.from({ length: 5 }, () => work().insert({ kind: 'inbox', key: 'a', dueAt: at(0) })),
      );
      expect(all.filter((kind) => kind === 'inserted')).toHaveLength(1);
    });

    it('can be moved earlier, never later, and not once it was claimed', async () => {
      await put('a', 50);
      await work().hasten('follow', 'a', at(60));
      await work().hasten('inbox', 'a', at(0));
      expect(await claim(49)).toEqual([]);
      await work().hasten('follow', 'a', at(10));
      const claimed = await one(10);
      await work().postpone(claimed, at(90));
      await work().hasten('follow', 'a', at(20));
      expect(await claim(89)).toEqual([]);
    });

    it('cannot be claimed while leased, and is free again when the lease expires', async () => {
      await put('a', 0);
      const first = await one(0, OVER);
      const second = await one(0);
      expect(second.token).not.toBe(first.token);
      expect(second.attempts).toBe(1);
      expect(await claim(99_999)).toEqual([]);
    });

    it('stays leased whatever the time of day is set to', async () => {
      await put('a', 0);
      await one(0, 60_000);
      vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 86_400_000 });
      try {
        expect(await claim(99_999)).toEqual([]);
      } finally {
        vi.useRealTimers();
      }
    });

    it('stays leased as long as its lease is renewed', async () => {
      await put('a', 0);
      const claimed = await one(0, OVER);
      expect(await work().renew(claimed, LONG)).toBe(true);
      expect(await claim(0)).toEqual([]);
    });

    it('no longer belongs to its first holder once somebody else has it', async () => {
      await put('a', 0);
      const late = await one(0, OVER);
      const holder = await one(0);
      expect(await work().renew(late, LONG)).toBe(false);
      expect(await work().postpone(late, at(1))).toBe(false);
      expect(await work().finish(late)).toBe(false);
      expect(await work().finish(holder)).toBe(true);
      expect(await work().nextDue()).toBeNull();
    });

    it('is deleted when finished, once', async () => {
      await put('a', 0);
      const claimed = await one(0);
      expect(await work().finish(claimed)).toBe(true);
      expect(await work().finish(claimed)).toBe(false);
      expect(await work().nextDue()).toBeNull();
    });

    it('is due again at the time it was postponed to', async () => {
      await put('a', 0, 'kept');
      expect(await work().postpone(await one(0), at(10))).toBe(true);
      expect(await claim(9)).toEqual([]);
      expect(await claim(10)).toMatchObject([{ attempts: 1, payload: 'kept' }]);
    });

    it('scheduled again while it runs stays with its holder, and is then due at its new time', async () => {
      await put('a', 0, 'old');
      const claimed = await one(0);
      await put('a', 7, 'new');
      expect(await claim(7)).toEqual([]);
      expect(await work().finish(claimed)).toBe(true);
      expect(await claim(6)).toEqual([]);
      const card = await one(7);
      expect(card).toMatchObject({ payload: 'new', dueAt: at(7) });
      expect(await work().finish(card)).toBe(true);
      expect(await work().nextDue()).toBeNull();
    });

    it('scheduled again while it runs keeps its new time when the holder postpones', async () => {
      await put('a', 0);
      const claimed = await one(0);
      await put('a', 7);
      expect(await work().postpone(claimed, at(500))).toBe(true);
      expect(await work().nextDue()).toBe(at(7));
    });

    it('scheduled again before a lost lease was claimed runs once, by the next holder', async () => {
      await put('a', 0);
      const lost = await one(0, OVER);
      await put('a', 3);
      const next = await one(3);
      expect(await work().finish(lost)).toBe(false);
      expect(await work().finish(next)).toBe(true);
      expect(await work().nextDue()).toBeNull();
    });

    it('can be dropped, even while it is held', async () => {
      await put('a', 0);
      const claimed = await one(0);
      await work().drop('follow', 'a');
      await work().drop('follow', 'never put');
      expect(await work().finish(claimed)).toBe(false);
    });

    it('reports when the next free row is due', async () => {
      expect(await work().nextDue()).toBeNull();
      await put('a', 10);
      await put('b', 20);
      expect(await work().nextDue()).toBe(at(10));
      const claimed = await one(10);
      expect(await work().nextDue()).toBe(at(20));
      await work().renew(claimed, OVER);
      expect(await work().nextDue()).toBe(at(10));
    });

    it('of a kind that this program does not know is left to a newer one', async () => {
      await put('a', 5);
      await world().raw(`update work set kind = 'from-the-future', due_at = 1`);
      await put('b', 6);
      expect(await work().nextDue()).toBe(at(6));
      expect((await claim(9)).map(({ key }) => key)).toEqual(['b']);
    });

    it('that cannot be read does not stop the rest', async () => {
      await put('broken', 1, {});
      await put('sound', 2);
      await world().raw(`update work set payload = '{' where key = 'broken'`);
      expect((await claim(9)).map(({ key }) => key)).toEqual(['sound']);
    });

    it('is never claimed by two, however many claim at once', async () => {
      const stores = await world().replicas(5);
      for (let index = 0; index < 120; index++) await put(`row-${index}`, index);
      const rounds = await Promise.all(
        Array.from({ length: 40 }, (_, index) => {
          const store = stores[index % 5];
          return claim(1_000, { limit: 7, ...(store === undefined ? {} : { store }) });
        }),
      );
      const keys = rounds.flat().map(({ key }) => key);
      expect(rounds.every((round) => round.length <= 7)).toBe(true);
      expect(new Set(keys).size).toBe(keys.length);
      const rest = await claim(1_000);
      expect(new Set([...keys, ...rest.map(({ key }) => key)]).size).toBe(120);
    });

    it('loses no new request when it is finished at the same moment', async () => {
      const [first, second] = await world().replicas(2);
      for (let round = 0; round < 30; round++) {
        const key = `race-${round}`;
        await put(key, round);
        const claimed = await one(round);
        await Promise.all([
          first?.work.finish(claimed),
          second?.work.put({ kind: 'follow', key, dueAt: at(round), payload: 'wish' }),
        ]);
        const card = await one(round);
        expect(card).toMatchObject({ key, payload: 'wish' });
        expect(await work().finish(card)).toBe(true);
      }
    });
  });
}
