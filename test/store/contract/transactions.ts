import { describe, expect, it } from 'vitest';
import { actionOn } from '../../../src/fleet/model/actions.ts';
import { instant } from '../../../src/lib/clock.ts';
import { eventId } from '../../../src/lib/ids.ts';
import type { StoreTables } from '../../../src/store/port/store.ts';
import { said } from '../../harness/builders.ts';
import { anAlert, anEnqueuedCard, anEntry, ORGANIZATION, OTHER_ORGANIZATION, START } from '../builders.ts';
import { aRequest, aRequestTarget, storeRequest } from '../request-builders.ts';
import type { StoreSetup } from '../store-setup.ts';

export function transactionsContract(world: () => StoreSetup): void {
  describe('a transaction', () => {
    it('keeps all of it', async () => {
      const [request, alert] = [aRequest(), anAlert()];
      const target = aRequestTarget(request.id);
      const answer = await world().store.transaction(async (tables) => {
        await tables.requests.insert(request, [target]);
        await tables.alerts.insert(alert);
        await tables.cards.enqueue(anEnqueuedCard(`approval:${request.id}`));
        await tables.audit.append(anEntry());
        expect(await tables.requests.get(request.id)).toMatchObject(request);
        return 'kept';
      });
      expect(answer).toBe('kept');
      const counts = { ready: 1, open: 1 };
      expect(await world().store.requests.get(request.id)).toEqual({ ...request, counts });
      expect(await world().store.targets.of(request.id)).toEqual([target]);
      expect(await world().store.alerts.get(alert.id)).toEqual(alert);
      expect(await world().store.cards.get(`approval:${request.id}`)).not.toBeNull();
    });

    it('keeps nothing when it throws', async () => {
      const [request, alert] = [aRequest(), anAlert()];
      const failed = world().store.transaction(async (tables) => {
        await tables.requests.insert(request, [aRequestTarget(request.id)]);
        await tables.alerts.insert(alert);
        await tables.events.markSeen([said(77)], START);
        await tables.work.put({ kind: 'expire', key: request.id, dueAt: START });
        throw new Error('no');
      });
      await expect(failed).rejects.toThrow('no');
      expect(await world().store.requests.get(request.id)).toBeNull();
      expect(await world().store.targets.of(request.id)).toEqual([]);
      expect(await world().store.alerts.get(alert.id)).toBeNull();
      expect((await world().store.events.seen([said(77)])).size).toBe(0);
      await expect(world().store.ping()).resolves.toBeUndefined();
    });

    it('is not nested', async () => {
      const { store } = world();
      const nested = store.transaction(() => store.transaction(async () => 'inner'));
      await expect(nested).rejects.toThrow('inside a transaction');
    });

    it('refuses the plain tables inside, instead of waiting for itself', async () => {
      const { store } = world();
      const request = aRequest();
      const mixed = store.transaction(async (tables) => {
        await tables.requests.insert(request, []);
        await store.requests.get(request.id);
      });
      await expect(mixed).rejects.toThrow('inside a transaction');
      expect(await store.requests.get(request.id)).toBeNull();
    });

    it('cannot be used after its end', async () => {
      const held: StoreTables[] = [];
      await world().store.transaction(async (tables) => {
        held.push(tables);
      });
      await expect(held[0]?.audit.append(anEntry())).rejects.toThrow('has ended');
      await expect(held[0]?.events.cursor()).rejects.toThrow('has ended');
    });

    it('lets code that it left running use the plain tables after its end', async () => {
      const { store } = world();
      const { promise: ended, resolve: end } = Promise.withResolvers<void>();
      const left: Promise<unknown>[] = [];
      await store.transaction(async () => {
        left.push(ended.then(() => store.events.cursor()));
      });
      end();
      await expect(Promise.all(left)).resolves.toHaveLength(1);
    });

    it('and plain calls made meanwhile all finish', async () => {
      const { store } = world();
      const both = Array.from({ length: 40 }, (_, at) =>
        at % 2 === 0
          ? store.transaction(async (tables) => {
              await tables.audit.append(anEntry({ subject: `t${at}` }));
              await tables.work.put({ kind: 'run', key: `t${at}`, dueAt: instant(at) });
            })
          : store.audit.append(anEntry({ subject: `p${at}` })),
      );
      await Promise.all(both);
      expect((await store.audit.list(0, 1_000)).filter(({ subject }) => /^[tp]\d/.test(subject)).length).toBe(
        40,
      );
    });

    it('that deadlocks with another finishes all the same', async () => {
      const [first, second] = await world().replicas(2);
      const [one, two] = [aRequest(), aRequest()];
      for (const request of [one, two]) await world().store.requests.insert(request, []);
      const meet = Promise.withResolvers<void>();
      const both = [
        first?.transaction(async (tables) => {
          await tables.requests.replace({ ...one, version: 2 });
          if (first !== second) await meet.promise;
          await tables.requests.replace({ ...two, version: 2 });
        }),
        second?.transaction(async (tables) => {
          await tables.requests.replace({ ...two, version: 2, reason: 'second' });
          meet.resolve();
          await tables.requests.replace({ ...one, version: 2, reason: 'second' });
        }),
      ];
      await Promise.all(both);
      const reasons = [one, two].map(async ({ id }) => (await world().store.requests.get(id))?.reason);
      const [reasonOfOne, reasonOfTwo] = await Promise.all(reasons);
      expect(reasonOfOne).toBe(reasonOfTwo);
    });
  });

  describe('a store', () => {
    it('answers a ping until it is closed, and can be closed twice', async () => {
      const store = await world().reopen();
      await store.ping();
      await store.close();
      await store.close();
      await expect(store.ping()).rejects.toThrow();
      await world().reopen();
    });

    it('has everything again when it is reopened', async () => {
      const { request, targets } = await storeRequest(world().store);
      await world().store.work.put({ kind: 'run', key: 'again', dueAt: START, payload: [0] });
      const store = await world().reopen();
      expect(await store.requests.get(request.id)).toEqual(request);
      expect(await store.targets.of(request.id)).toEqual(targets);
      expect(await store.work.nextDue()).not.toBeNull();
    });

    it('of another organization sees and touches nothing of ours', async () => {
      const alert = anAlert();
      const ours = world().store;
      const { request, targets } = await storeRequest(ours, {}, ['issuing']);
      await ours.alerts.insert(alert);
      await ours.cards.enqueue(anEnqueuedCard('notice:ours'));
      await ours.events.markSeen([said(9)], START);
      await ours.events.setCursor({
        highestId: eventId(9),
        floorId: eventId(1),
        historyBefore: null,
        newestAt: null,
        gap: null,
        updatedAt: START,
      });
      const { sequence } = await ours.audit.append(anEntry());

      const theirs = await world().reopen(OTHER_ORGANIZATION);
      expect(await theirs.requests.get(request.id)).toBeNull();
      expect(await theirs.requests.list({}, 9)).toEqual([]);
      expect(await theirs.targets.of(request.id)).toEqual([]);
      for (const { deviceId } of targets)
        expect(await theirs.targets.open(deviceId, actionOn(request.action, []))).toEqual([]);
      expect(await theirs.alerts.get(alert.id)).toBeNull();
      expect(await theirs.cards.get('notice:ours')).toBeNull();
      expect((await theirs.events.seen([said(9)])).size).toBe(0);
      expect(await theirs.events.cursor()).toBeNull();
      expect(await theirs.events.forgetSeen(instant(START + 1), eventId(9))).toBeNull();
      expect(await theirs.work.claim({ now: instant(START * 2), leaseMs: 1, limit: 9 })).toEqual([]);
      expect(await theirs.audit.list(0, 10)).toEqual([]);
      const duplicate = { ...request, organizationId: OTHER_ORGANIZATION };
      expect(await theirs.requests.insert(duplicate, targets)).toEqual({ kind: 'inserted' });
      expect((await theirs.audit.append(anEntry())).sequence).toBe(1);

      const again = await world().reopen(ORGANIZATION);
      expect(await again.requests.get(request.id)).toEqual(request);
      expect(await again.targets.of(request.id)).toEqual(targets);
      expect((await again.events.seen([said(9)])).size).toBe(1);
      expect((await again.audit.append(anEntry())).sequence).toBe(sequence + 1);
    });
  });
}
