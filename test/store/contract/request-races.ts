import { describe, expect, it } from 'vitest';
import { type DeviceId, personId } from '../../../src/lib/ids.ts';
import type { TargetState } from '../../../src/store/port/records.ts';
import type { RequestTarget } from '../../../src/store/port/request-records.ts';
import { fresh } from '../builders.ts';
import {
  aRequest,
  aRequestTarget,
  freshDevice,
  moveTo,
  type NewRequest,
  storeRequest,
  targetsIn,
} from '../request-builders.ts';
import { countOf, type StoreSetup } from '../store-setup.ts';

export function requestRacesContract(world: () => StoreSetup): void {
  const store = (states: readonly TargetState[]) => storeRequest(world().store, {}, states);
  const insertOne = async (given: Partial<NewRequest> = {}) =>
    (await storeRequest(world().store, given)).request;
  const nextOf = <R extends NewRequest>(request: R, given: Partial<NewRequest>): R => ({
    ...request,
    version: request.version + 1,
    ...given,
  });

  describe('requests that several change at once', () => {
    it('lets one of fifty decisions win', async () => {
      const stores = await world().replicas(5);
      const first = await insertOne();
      const clicks = Array.from({ length: 50 }, (_, at) =>
        nextOf(first, { state: at % 2 === 0 ? 'approved' : 'denied', decidedBy: personId(`U${at}`) }),
      );
      const won = await Promise.all(clicks.map((one, at) => stores[at % 5]?.requests.replace(one)));
      expect(countOf(won, true)).toBe(1);
      expect(await world().store.requests.get(first.id)).toEqual(clicks[won.indexOf(true)]);
    });

    it('lets one of two go back to waiting when both try at once', async () => {
      const stores = await world().replicas(4);
      for (let round = 0; round < 5; round++) {
        const approved: NewRequest[] = [];
        for (const _ of stores)
          approved.push(await insertOne({ fingerprint: `back-${round}`, state: 'approved' }));
        const won = await Promise.all(
          approved.map((one, at) => stores[at]?.requests.replace(nextOf(one, { state: 'waiting' }))),
        );
        expect(countOf(won, true)).toBe(1);
      }
    });

    it('stores one of fifty deliveries of one request, and shows it to the others', async () => {
      const stores = await world().replicas(5);
      const twins = Array.from({ length: 50 }, () => aRequest({ requestKey: 'same-delivery-of-a-request' }));
      const outcomes = await Promise.all(
        twins.map((one, at) => stores[at % 5]?.requests.insert(one, [aRequestTarget(one.id)])),
      );
      const winner = twins[outcomes.findIndex((outcome) => outcome?.kind === 'inserted')];
      const others = outcomes.filter((outcome) => outcome?.kind !== 'inserted');
      const request = { ...winner, counts: { ready: 1, open: 1 } };
      expect(others).toEqual(Array(49).fill({ kind: 'exists', request }));
    });
  });

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
