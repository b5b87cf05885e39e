import { describe, expect, it } from 'vitest';
import type { DeviceId } from '../../../src/lib/ids.ts';
import type { TargetState } from '../../../src/store/port/records.ts';
import type { RequestTarget } from '../../../src/store/port/request-records.ts';
import { fresh } from '../builders.ts';
import { aRequest, freshDevice, moveTo, storeRequest, targetsIn } from '../request-builders.ts';
import type { StoreSetup } from '../store-setup.ts';

export function requestRacesContract(world: () => StoreSetup): void {
  const store = (states: readonly TargetState[]) => storeRequest(world().store, {}, states);

  describe('moving targets from several places at once', () => {
    it('lets one of fifty claims win', async () => {
      const stores = await world().replicas(5);
      const { request, targets } = await store(['ready']);
      const moves = targets.map((target) => moveTo(target, 'issuing'));
      const claims = Array.from({ length: 50 }, (_, at) => stores[at % 5]?.targets.move(request.id, moves));
      const won = (await Promise.all(claims)).filter((moved) => moved?.length === 1);
      expect(won).toHaveLength(1);
      expect(await world().store.requests.get(request.id)).toMatchObject({
        version: 2,
        counts: { issuing: 1 },
      });
    });

    it('loses no count where many move different targets of one request', async () => {
      const stores = await world().replicas(5);
      const { request, targets } = await store(Array(60).fill('ready'));
      const parts = Array.from({ length: 20 }, (_, at) => targets.slice(at * 3, at * 3 + 3).toReversed());
      await Promise.all(
        parts.map(async (part, at) => {
          const table = stores[at % 5]?.targets;
          await table?.move(
            request.id,
            part.map((target) => moveTo(target, 'issuing')),
          );
          const claimed = part.map((target) => ({ ...target, state: 'issuing' as const }));
          await table?.move(
            request.id,
            claimed.map((target) => moveTo(target, 'queued')),
          );
        }),
      );
      expect(await world().store.requests.get(request.id)).toEqual({
        ...request,
        version: 41,
        counts: { queued: 60, open: 60 },
      });
    });

    it('comes to an end where two go through the same targets in opposite orders', async () => {
      const [first, second] = await world().replicas(2);
      const { request, targets } = await store(Array(40).fill('ready'));
      const claim = (given: readonly RequestTarget[]) => given.map((target) => moveTo(target, 'issuing'));
      const both = await Promise.all([
        first?.targets.move(request.id, claim(targets)),
        second?.targets.move(request.id, claim(targets.toReversed())),
      ]);
      expect(both.map((moved) => moved?.length).toSorted()).toEqual([0, 40]);
    });

    it('lets one of two requests have the same devices, whatever their order', async () => {
      const [first, second] = await world().replicas(2);
      const devices = Array.from({ length: 8 }, freshDevice);
      const about = async (order: readonly DeviceId[]) => {
        const request = aRequest({ requestKey: `race-${fresh()}` });
        const targets = targetsIn(request.id, Array(8).fill('ready')).map((target) => ({
          ...target,
          deviceId: order[target.position] ?? null,
        }));
        await world().store.requests.insert(request, targets);
        return { id: request.id, moves: targets.map((target) => moveTo(target, 'issuing')) };
      };
      const [one, two] = [await about(devices), await about(devices.toReversed())];
      const outcomes = await Promise.allSettled([
        first?.targets.move(one.id, one.moves),
        second?.targets.move(two.id, two.moves),
      ]);
      expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
      const counts = [one, two].map(async ({ id }) => (await world().store.requests.get(id))?.counts);
      expect(await Promise.all(counts)).toEqual(
        outcomes.map(({ status }) =>
          status === 'fulfilled' ? { issuing: 8, open: 8 } : { ready: 8, open: 8 },
        ),
      );
    });
  });
}
