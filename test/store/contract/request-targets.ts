import { describe, expect, it } from 'vitest';
import type { FleetAction } from '../../../src/fleet/model/actions.ts';
import { instant, later } from '../../../src/lib/clock.ts';
import { type DeviceId, groupId, requestId } from '../../../src/lib/ids.ts';
import {
  MAX_CLAIM_WAIT_MS,
  type RequestTarget,
  type TargetState,
  type TargetStore,
} from '../../../src/store/port/request-records.ts';
import { fresh, START } from '../builders.ts';
import { aRequest, aRequestTarget, freshDevice, storeRequest } from '../request-builders.ts';
import type { StoreSetup } from '../store-setup.ts';

export function requestTargetsContract(world: () => StoreSetup): void {
  /** Stores a request about these. */
  const insert = async (
    given: readonly Partial<RequestTarget>[],
    action: FleetAction = { kind: 'reboot' },
  ) => {
    const request = aRequest({ action });
    const targets = given.map((one, position) => aRequestTarget(request.id, { position, ...one }));
    await world().store.requests.insert(request, targets);
    return { id: request.id, targets };
  };
  const ALL = { from: 0, to: 9 };
  const positions = (targets: readonly RequestTarget[]) => targets.map(({ position }) => position);

  describe('targets of a request', () => {
    it('come back in their order: all, those of some states, a part, and those after a place', async () => {
      const states: TargetState[] = ['queued', 'ready', 'verified', 'ready', 'queued', 'ready'];
      const { request, targets } = await storeRequest(world().store, {}, states);
      const of = async (options?: Parameters<TargetStore['of']>[1]) =>
        positions(await world().store.targets.of(request.id, options));
      expect(await world().store.targets.of(request.id)).toEqual(targets);
      expect(await of({ states: ['ready'] })).toEqual([1, 3, 5]);
      expect(await of({ states: ['verified', 'ready', 'verified'] })).toEqual([1, 2, 3, 5]);
      expect(await of({ states: [] })).toEqual([]);
      expect(await of({ limit: 2 })).toEqual([0, 1]);
      expect(await of({ limit: 2, after: 1 })).toEqual([2, 3]);
      expect(await of({ states: ['queued', 'ready'], limit: 3, after: 0 })).toEqual([1, 3, 4]);
      expect(await of({ after: 5 })).toEqual([]);
      expect(await world().store.targets.of(requestId('r_none'))).toEqual([]);
    });

    it('come back for several requests at once, the first of each', async () => {
      const [one, two] = [await insert([{}, {}, {}]), await insert([{}])];
      const none = requestId('r_none');
      expect(await world().store.targets.ofEach([two.id, none, one.id], 2)).toEqual(
        new Map([
          [one.id, one.targets.slice(0, 2)],
          [two.id, two.targets],
          [none, []],
        ]),
      );
      expect((await world().store.targets.ofEach([], 2)).size).toBe(0);
    });

    it('are counted for several requests at once, by their states and deadlines', async () => {
      const [week, soon] = [instant(START + 2), instant(START + 1)];
      const one = await insert([
        { state: 'queued', deadlineAt: week },
        { state: 'accepted', deadlineAt: week },
        { state: 'queued', deadlineAt: soon },
        { state: 'verified', deadlineAt: week, endedAt: START },
      ]);
      const two = await insert([{ state: 'queued', deadlineAt: soon }]);
      const { countDueAfter } = world().store.targets;
      const states = ['accepted', 'queued'] as const;
      expect(await countDueAfter([one.id, two.id], states, soon)).toEqual(new Map([[one.id, 2]]));
      expect((await countDueAfter([], states, soon)).size).toBe(0);
    });

    it('may be claimed when they are ready and their time has come, in their order', async () => {
      const { id, targets } = await insert([
        { nextAt: instant(START + 1) },
        { state: 'issuing' },
        { nextAt: START },
        { state: 'not_sent', endedAt: START },
        {},
        {},
      ]);
      const { claimable } = world().store.targets;
      expect(await claimable(id, START, 9, ALL)).toEqual([targets[2], targets[4], targets[5]]);
      expect(positions(await claimable(id, instant(START + 1), 2, ALL))).toEqual([0, 2]);
      expect(await claimable(requestId('r_none'), START, 9, ALL)).toEqual([]);
    });

    it('are still claimed while they are issuing since the same time', async () => {
      const { id, targets } = await insert([
        { state: 'issuing' },
        { state: 'unknown' },
        { state: 'issuing' },
      ]);
      const claims = targets.map((target, at) => (at === 2 ? { ...target, issuedAt: instant(1) } : target));
      const { stillClaimed } = world().store.targets;
      expect(await stillClaimed(claims)).toEqual([claims[0]]);
      expect(await stillClaimed(claims.slice(1))).toEqual([]);
      expect(await stillClaimed([])).toEqual([]);
      expect(await stillClaimed(claims.map((one) => ({ ...one, requestId: requestId('r_none') })))).toEqual(
        [],
      );
      expect(await world().store.targets.of(id)).toEqual(targets);
    });

    it('may be claimed where their time is further ahead than any pause, because the clock was set back', async () => {
      const ahead = (ms: number) => ({ nextAt: instant(START + MAX_CLAIM_WAIT_MS + ms) });
      const { id } = await insert([ahead(0), ahead(1), ahead(90 * MAX_CLAIM_WAIT_MS)]);
      expect(positions(await world().store.targets.claimable(id, START, 9, ALL))).toEqual([1, 2]);
    });

    it('are looked at when they are followed and their time has come, the longest due first', async () => {
      const at = (ms: number) => ({ nextAt: instant(START + ms) });
      const { id } = await insert([
        { state: 'ready', ...at(0) },
        { state: 'issuing', ...at(0) },
        { state: 'accepted', ...at(3) },
        { state: 'queued', ...at(1) },
        { state: 'answered', ...at(2) },
        { state: 'unknown', ...at(2) },
        { state: 'queued', ...at(9) },
        { state: 'queued' },
        { state: 'unknown', endedAt: START, ...at(0) },
        { state: 'verified', endedAt: START, ...at(0) },
      ]);
      const { due } = world().store.targets;
      expect(positions(await due(id, instant(START + 3), 9))).toEqual([3, 4, 5, 2]);
      expect(positions(await due(id, instant(START + 3), 2))).toEqual([3, 4]);
      expect(await due(id, START, 9)).toEqual([]);
    });

    it('are found by their devices while they are followed, whatever request they are of', async () => {
      const on = freshDevice();
      const one = await insert([{ deviceId: on, state: 'queued' }], { kind: 'scan' });
      const two = await insert([{ deviceId: on, state: 'accepted' }]);
      const elsewhere = await insert([{ state: 'queued' }]);
      await insert([{ deviceId: on, state: 'verified', endedAt: START }]);
      const { followedOn } = world().store.targets;
      const found = (await followedOn([on])).map((target) => target.requestId);
      expect(found.toSorted()).toEqual([one.id, two.id].toSorted());
      expect(await followedOn([])).toEqual([]);
      expect(found).not.toContain(elsewhere.id);
    });

    it('are found by the time until which they are followed', async () => {
      const until = (ms: number) => ({ nextAt: START, deadlineAt: instant(START + ms) });
      const { id } = await insert([
        { state: 'queued', ...until(9) },
        { state: 'accepted', ...until(5) },
        { state: 'ready', ...until(5) },
        { state: 'verified', endedAt: START, ...until(5) },
        { state: 'queued', ...until(4) },
      ]);
      const { followedUntil } = world().store.targets;
      expect(positions(await followedUntil(id, instant(START + 5), 9)).toSorted()).toEqual([1, 4]);
      expect(await followedUntil(id, instant(START + 5), 1)).toHaveLength(1);
    });

    it('are due at once where their devices show signs of life, and only those that are followed', async () => {
      const [on, other] = [freshDevice(), freshDevice()];
      const at = (ms: number) => ({ nextAt: instant(START + ms) });
      const { id } = await insert([
        { deviceId: on, state: 'queued', ...at(9) },
        { deviceId: other, state: 'queued', ...at(9) },
      ]);
      const ready = await insert([{ deviceId: on, ...at(9) }], { kind: 'scan' });
      const { hasten, of } = world().store.targets;
      expect(await hasten([on], START)).toEqual([id]);
      expect((await of(id)).map(({ nextAt }) => nextAt)).toEqual([START, START + 9]);
      expect((await of(ready.id)).map(({ nextAt }) => nextAt)).toEqual([START + 9]);
      expect(await hasten([on], START)).toEqual([]);
    });

    it('say when the next of them is due, of some states and while they are open', async () => {
      const at = (ms: number) => ({ nextAt: instant(START + ms) });
      const { id } = await insert([
        { state: 'queued', ...at(5) },
        { state: 'accepted', ...at(7) },
        { state: 'ready', ...at(3) },
        { state: 'queued' },
        { state: 'verified', endedAt: START, ...at(1) },
      ]);
      const { nextAt } = world().store.targets;
      expect(await nextAt(id, ['queued', 'accepted', 'verified'])).toBe(START + 5);
      expect(await nextAt(id, ['ready', 'queued'])).toBe(START + 3);
      expect(await nextAt(id, ['answered'])).toBeNull();
      expect(await nextAt((await insert([{ state: 'queued' }])).id, ['queued'])).toBeNull();
    });

    it('stand in the way of the same command on the device once they are claimed, until they end', async () => {
      const on = freshDevice();
      const patch = { kind: 'patch', packages: ['curl', 'openssl'] } as const;
      const put = async (given: Partial<RequestTarget>, action: FleetAction = patch) =>
        (await insert([{ deviceId: on, state: 'queued', ...given }], action)).targets[0];
      const younger = await put({ issuedAt: instant(START + 1) });
      const older = await put({});
      await put({ endedAt: START });
      await put({ state: 'ready' });
      await put({}, { kind: 'scan' });
      const { open } = world().store.targets;
      expect(await open(on, { ...patch, packages: ['openssl', 'curl', 'curl'] })).toEqual([older, younger]);
      expect(await open(on, { ...patch, packages: ['curl'] })).toEqual([]);
      expect(await open(freshDevice(), patch)).toEqual([]);
    });

    it('stand in the way of any edit of the same group', async () => {
      const edit = { kind: 'group-edit', groupId: groupId(Number(fresh())), change: { notes: '' } } as const;
      const { id, targets } = await insert([{ deviceId: null, state: 'issuing' }], edit);
      const { open, of } = world().store.targets;
      expect(await of(id)).toEqual(targets);
      expect(await open(null, { ...edit, change: { name: 'b' } })).toEqual(targets);
      expect(await open(null, { ...edit, groupId: groupId(9_999_999) })).toEqual([]);
      expect(await open(freshDevice(), edit)).toEqual([]);
    });

    it('tell on which devices actions of some kinds ended since a time', async () => {
      const since = instant(START + 3_000_000_000);
      const [patched, scanned, waiting] = [freshDevice(), freshDevice(), freshDevice()];
      const end = (deviceId: DeviceId | null, endedAt: number | null, action: FleetAction) =>
        insert(
          [{ deviceId, state: 'verified', endedAt: endedAt === null ? null : instant(endedAt) }],
          action,
        );
      await end(patched, since + 5, { kind: 'patch-all' });
      await end(patched, since, { kind: 'patch', packages: ['a'] });
      await end(scanned, since + 5, { kind: 'scan' });
      await end(waiting, null, { kind: 'patch', packages: ['b'] });
      await end(null, since + 5, { kind: 'group-edit', groupId: groupId(5), change: { name: 'c' } });
      const { endedSince } = world().store.targets;
      expect(await endedSince(since, ['patch', 'patch-all'])).toEqual([{ deviceId: patched, at: since + 5 }]);
      expect(await endedSince(since, ['scan', 'group-edit'])).toEqual([{ deviceId: scanned, at: since + 5 }]);
      expect(await endedSince(since, [])).toEqual([]);
    });

    it('are written as new while they are ready, and their request is told from before', async () => {
      const { request, targets: stored } = await storeRequest(world().store, {}, ['ready', 'ready']);
      const { requests, targets } = world().store;
      const [first, second] = stored;
      if (first === undefined || second === undefined) throw new Error('there are two');
      const unsent = { ...first, nextAt: later(START, 5), evidence: [{ kind: 'delayed' } as const] };
      await targets.move(request.id, [{ from: 'ready', next: unsent }]);
      const renewed = { ...first, displayName: 'new', facts: { ...first.facts, displayName: 'new' } };
      await targets.reset(renewed);
      expect(await targets.of(request.id)).toEqual([renewed, second]);
      const now = { ...request, version: request.version + 2 };
      expect(await requests.get(request.id)).toEqual(now);
      await targets.move(request.id, [{ from: 'ready', next: { ...renewed, state: 'issuing' } }]);
      await expect(targets.reset(renewed)).rejects.toThrow('is not ready');
      await expect(targets.reset({ ...second, requestId: requestId('r_none') })).rejects.toThrow(
        'not stored',
      );
    });

    it('are frozen again while they are ready, and no longer', async () => {
      const { request, targets: stored } = await storeRequest(world().store, {}, [
        'ready',
        'ready',
        'queued',
      ]);
      const { requests, targets } = world().store;
      const [, second, third] = stored;
      if (second === undefined || third === undefined) throw new Error('there are three');
      const renewed = { ...second, displayName: 'new', facts: { ...second.facts, displayName: 'new' } };
      await targets.refreeze(request.id, [renewed]);
      expect((await targets.of(request.id))[1]).toEqual(renewed);
      expect((await requests.get(request.id))?.version).toBe(request.version + 1);
      await expect(targets.refreeze(request.id, [third])).rejects.toThrow('is not ready');
    });

    it('that were written as new collide as those before did', async () => {
      const on = freshDevice();
      const { id, targets: stored } = await insert([{ deviceId: on }], { kind: 'scan' });
      const [claim] = stored;
      if (claim === undefined) throw new Error('there is one');
      const { targets } = world().store;
      await targets.reset(claim);
      await targets.move(id, [{ from: 'ready', next: { ...claim, state: 'issuing' } }]);
      expect(await targets.open(on, { kind: 'scan' })).toHaveLength(1);
    });

    it('name table and id of a row that cannot be trusted', async () => {
      const { id, targets } = await insert([{}]);
      const spoil = (change: string) =>
        world().raw(`update request_targets set ${change} where request_id = '${id}'`);
      const { of } = world().store.targets;
      const named = `table request_targets, id ${id}/${targets[0]?.deviceId}: `;
      await spoil(`state = 'maybe'`);
      await expect(of(id)).rejects.toThrow(`${named}state`);
      await spoil(`state = 'ready', facts = '{"hostname":1}'`);
      await expect(of(id)).rejects.toThrow(`${named}facts`);
      await spoil(`facts = '{'`);
      await expect(of(id)).rejects.toThrow(`${named}facts: not JSON`);
    });
  });
}
