/** Rollouts: the counts of their waves, and the end of all that was not sent. */
import { describe, expect, it } from 'vitest';
import { later, MINUTE } from '../../../src/lib/clock.ts';
import { planRollout } from '../../../src/rollout/plan.ts';
import { startRollout } from '../../../src/rollout/progress.ts';
import { START } from '../builders.ts';
import { aRequest, aRequestTarget, moveTo } from '../request-builders.ts';
import type { StoreSetup } from '../store-setup.ts';

const WAVES = [
  { kind: 'devices', devices: 1 },
  { kind: 'devices', devices: 3 },
] as const;
const stopped = [{ kind: 'stopped', at: START }] as const;

export function rolloutsContract(world: () => StoreSetup): void {
  describe('a rollout', () => {
    const put = async () => {
      const rollout = startRollout(planRollout(5, { waves: WAVES }), START);
      const request = aRequest({ rollout, state: 'approved', decidedAt: START });
      const targets = [0, 1, 2, 3, 4].map((position) => aRequestTarget(request.id, { position }));
      await world().store.requests.insert(request, targets);
      return { request, targets };
    };

    it('is stored with its plan, and counts its targets in waves', async () => {
      const { request } = await put();
      expect(await world().store.requests.get(request.id)).toMatchObject({ rollout: request.rollout });
      expect(await world().store.requests.waveCounts(request.id)).toEqual([
        { ready: 1, open: 1 },
        { ready: 2, open: 2 },
        { ready: 2, open: 2 },
      ]);
      expect(await world().store.requests.list({ inWaves: true, states: ['approved'] }, 9)).toMatchObject([
        { id: request.id },
      ]);
    });

    it('gives its targets from any place in their order', async () => {
      const { request } = await put();
      const { targets } = world().store;
      const positions = async (options: Parameters<typeof targets.of>[1]) =>
        (await targets.of(request.id, options)).map(({ position }) => position);
      expect(await positions({ states: ['ready'], limit: 2, skip: 2 })).toEqual([2, 3]);
      expect(await positions({ states: ['ready', 'issuing'], limit: 9, skip: 4 })).toEqual([4]);
      expect(await positions({ states: ['ready'], limit: 2, skip: 5 })).toEqual([]);
    });

    it('moves its counts with its targets', async () => {
      const { request, targets } = await put();
      const { store } = world();
      const [first, second, , last] = targets;
      if (first === undefined || second === undefined || last === undefined) throw new Error('no targets');
      await store.targets.move(request.id, [moveTo(first, 'issuing'), moveTo(last, 'issuing')]);
      await store.targets.move(request.id, [
        moveTo({ ...first, state: 'issuing' }, 'refused', { endedAt: START }),
      ]);
      expect(await store.requests.waveCounts(request.id)).toEqual([
        { refused: 1 },
        { ready: 2, open: 2 },
        { ready: 1, issuing: 1, open: 2 },
      ]);
    });

    it('gives the targets of a wave to be claimed, and those of no other', async () => {
      const { request } = await put();
      const found = await world().store.targets.claimable(request.id, START, 9, { from: 1, to: 3 });
      expect(found.map(({ position }) => position)).toEqual([1, 2]);
      const some = await world().store.targets.of(request.id, { after: 0, before: 3 });
      expect(some.map(({ position }) => position)).toEqual([1, 2]);
    });

    it('ends all that was not sent at once, in all waves', async () => {
      const { request, targets } = await put();
      const { store } = world();
      const [first] = targets;
      if (first === undefined) throw new Error('no targets');
      await store.targets.move(request.id, [moveTo(first, 'issuing', { issuedAt: later(START, MINUTE) })]);
      expect(await store.targets.endReady(request.id, stopped, later(START, MINUTE))).toBe(4);
      expect(await store.targets.endReady(request.id, stopped, later(START, MINUTE))).toBe(0);
      expect(await store.requests.waveCounts(request.id)).toEqual([
        { issuing: 1, open: 1 },
        { not_sent: 2 },
        { not_sent: 2 },
      ]);
      expect(await store.requests.get(request.id)).toMatchObject({
        version: 3,
        counts: { issuing: 1, open: 1, not_sent: 4 },
      });
      const [, ended] = await store.targets.of(request.id);
      expect(ended).toMatchObject({ state: 'not_sent', endedAt: later(START, MINUTE), evidence: stopped });
      expect(await store.targets.lastClaimAt(request.id)).toBe(later(START, MINUTE));
    });
  });

  it('a request without waves has no counts of any', async () => {
    const request = aRequest();
    await world().store.requests.insert(request, [aRequestTarget(request.id)]);
    expect(await world().store.requests.waveCounts(request.id)).toEqual([]);
  });
}
