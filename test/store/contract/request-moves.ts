import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { actionOn, type FleetAction } from '../../../src/fleet/model/actions.ts';
import { instant } from '../../../src/lib/clock.ts';
import { type DeviceId, groupId, personId, policyId, queueEntryId, requestId } from '../../../src/lib/ids.ts';
import {
  type RequestTarget,
  TARGET_STATES,
  type TargetState,
} from '../../../src/store/port/request-records.ts';
import { property } from '../../harness/property.ts';
import { fresh, START, someFacts } from '../builders.ts';
import {
  aRequest,
  aRequestTarget,
  countsOf,
  FAILED,
  freshDevice,
  moveTo,
  type NewRequest,
  storeRequest,
  targetsIn,
} from '../request-builders.ts';
import { countOf, type StoreSetup } from '../store-setup.ts';

const GROUP = { name: 'Web', parentId: groupId(1), refreshIntervalMinutes: 1440 } as const;

export function requestMovesContract(world: () => StoreSetup): void {
  const store = (states: readonly TargetState[]) => storeRequest(world().store, {}, states);
  /** Stores a request about one thing. */
  const put = async (deviceId: DeviceId | null, state: TargetState, action: FleetAction) => {
    const request = aRequest({ action });
    const target = aRequestTarget(request.id, { deviceId, state });
    await world().store.requests.insert(request, [target]);
    return target;
  };
  const read = async (id: RequestTarget['requestId']) => ({
    request: await world().store.requests.get(id),
    targets: await world().store.targets.of(id),
  });

  describe('moving targets', () => {
    it('writes everything about them, with the counts and the version of their request', async () => {
      const { request, targets } = await store(['ready', 'ready', 'issuing']);
      const [first, second, third] = targets;
      if (first === undefined || second === undefined || third === undefined) throw new Error('three');
      const whole: RequestTarget = {
        ...first,
        displayName: 'other name',
        facts: someFacts({ hostname: 'other' }),
        state: 'answered',
        before: { ...first.before, uptime: 0.5, missing: ['curl'] },
        queueEntryId: queueEntryId(8),
        issuedAt: instant(START + 1),
        acceptedAt: instant(START + 2),
        queuedAt: instant(START + 3),
        missedAt: instant(START + 4),
        answeredAt: instant(START + 5),
        endedAt: instant(START + 6),
        nextAt: instant(START + 7),
        response: 'a "response"',
        evidence: [{ kind: 'installed', packages: ["evidence's"] }],
        deadlineAt: instant(START + 8),
      };
      const bare = { ...third, state: 'accepted', queueEntryId: null } as const;
      const { targets: table } = world().store;
      const moves = [
        { from: third.state, next: bare },
        { from: first.state, next: whole },
      ];
      expect(await table.move(request.id, moves)).toEqual([bare, whole]);
      expect(await read(request.id)).toEqual({
        request: { ...request, version: 2, counts: { ready: 1, accepted: 1, answered: 1, open: 2 } },
        targets: [whole, second, bare],
      });
    });

    it('counts what ended, and what failed by its evidence', async () => {
      const { request, targets } = await store(['queued', 'queued', 'queued']);
      const ended = { endedAt: START } as const;
      const [first, second] = targets.map((target, at) =>
        moveTo(target, 'not_verified', { ...ended, evidence: at === 0 ? FAILED : [] }),
      );
      if (first === undefined || second === undefined) throw new Error('two');
      await world().store.targets.move(request.id, [first, second]);
      const counts = { queued: 1, not_verified: 2, open: 1, failed: 1 };
      expect((await read(request.id)).request).toEqual({ ...request, version: 2, counts });
    });

    it('writes those that still are where they were, and leaves the others', async () => {
      const { request, targets } = await store(['ready', 'issuing', 'queued']);
      const moves = targets.map((target) => ({ ...moveTo(target, 'verified'), from: 'queued' as const }));
      expect(await world().store.targets.move(request.id, moves)).toEqual([moves[2]?.next]);
      expect(await read(request.id)).toEqual({
        request: { ...request, version: 2, counts: { ready: 1, issuing: 1, verified: 1, open: 3 } },
        targets: [...targets.slice(0, 2), moves[2]?.next],
      });
    });

    it('changes nothing where none is where it was', async () => {
      const { request, targets } = await store(['ready']);
      const stray = aRequestTarget(request.id, { position: 7 });
      const { move } = world().store.targets;
      const wrong = targets.map((target) => ({ ...moveTo(target, 'verified'), from: 'queued' as const }));
      expect(await move(request.id, [...wrong, moveTo(stray, 'issuing')])).toEqual([]);
      const elsewhere = targets.map((target) => moveTo(target, 'issuing', { position: 1 }));
      expect(await move(request.id, elsewhere)).toEqual([]);
      expect(await move(request.id, [])).toEqual([]);
      expect(await read(request.id)).toEqual({ request, targets });
    });

    it('moves a claim only where it is the same one, by its time', async () => {
      const { request, targets } = await store(['issuing', 'accepted']);
      const [claim, sent] = targets;
      if (claim === undefined || sent === undefined) throw new Error('no targets');
      const { move, of } = world().store.targets;
      const earlier = { issuedAt: instant(START - 1) };
      expect(await move(request.id, [moveTo(claim, 'ready', earlier)])).toEqual([]);
      expect(await of(request.id)).toEqual(targets);
      const both = [moveTo(claim, 'ready'), moveTo(sent, 'queued', earlier)];
      expect(await move(request.id, both)).toEqual(both.map(({ next }) => next));
    });

    it('leaves one that has ended as it is', async () => {
      const request = aRequest();
      const target = aRequestTarget(request.id, { state: 'unknown', endedAt: START });
      await world().store.requests.insert(request, [target]);
      expect(await world().store.targets.move(request.id, [moveTo(target, 'verified')])).toEqual([]);
      expect(await read(request.id)).toMatchObject({
        request: { counts: { unknown: 1 } },
        targets: [target],
      });
    });

    it('counts a change that leaves the state as it is', async () => {
      const { request, targets } = await store(['queued']);
      const looked = targets.map((target) => moveTo(target, 'queued', { nextAt: START }));
      await world().store.targets.move(request.id, looked);
      expect(await read(request.id)).toEqual({
        request: { ...request, version: 2 },
        targets: looked.map(({ next }) => next),
      });
    });

    it('refuses targets of another request, one target twice, and a request that is not there', async () => {
      const { request, targets } = await store(['ready']);
      const { move } = world().store.targets;
      const [claim] = targets.map((target) => moveTo(target, 'issuing'));
      if (claim === undefined) throw new Error('one');
      await expect(move(request.id, [claim, claim])).rejects.toThrow('twice');
      await expect(move(requestId('r_other'), [claim])).rejects.toThrow('another request');
      const none = requestId('r_none');
      await expect(move(none, [{ from: 'ready', next: aRequestTarget(none) }])).rejects.toThrow('not stored');
      expect(await read(request.id)).toEqual({ request, targets });
    });

    it('moves more than one statement can carry, as one change', async () => {
      const { request, targets } = await store(Array(1_200).fill('ready'));
      const moves = targets.toReversed().map((target) => moveTo(target, 'not_sent', { endedAt: START }));
      expect(await world().store.targets.move(request.id, moves)).toHaveLength(1_200);
      expect(await world().store.requests.get(request.id)).toEqual({
        ...request,
        version: 2,
        counts: { not_sent: 1_200 },
      });
    });

    it('makes a decision on what was before it fail', async () => {
      const { request, targets } = await store(['ready']);
      await world().store.targets.move(
        request.id,
        targets.map((target) => moveTo(target, 'issuing')),
      );
      const late = { ...request, version: 2, state: 'withdrawn' } as const;
      expect(await world().store.requests.replace(late)).toBe(false);
    });

    it('is undone with its transaction', async () => {
      const { request, targets } = await store(['ready']);
      const failed = world().store.transaction(async (tables) => {
        const moves = targets.map((target) => moveTo(target, 'issuing'));
        expect(await tables.targets.move(request.id, moves)).toHaveLength(1);
        expect((await tables.requests.get(request.id))?.counts).toEqual({ issuing: 1, open: 1 });
        throw new Error('no');
      });
      await expect(failed).rejects.toThrow('no');
      expect(await read(request.id)).toEqual({ request, targets });
    });

    const state = fc.constantFrom(...TARGET_STATES);
    const end = fc.constantFrom<Pick<RequestTarget, 'endedAt' | 'evidence'>>(
      { endedAt: null, evidence: [] },
      { endedAt: START, evidence: [] },
      { endedAt: START, evidence: FAILED },
    );
    const move = fc.record({ at: fc.nat(5), from: state, to: state, end });
    property(
      [
        fc.array(state, { minLength: 6, maxLength: 6 }),
        fc.array(fc.uniqueArray(move, { selector: ({ at }) => at }), { maxLength: 6 }),
      ],
      { numRuns: 40 },
    )('keeps counts that are those of the targets, whatever is moved', async (states, rounds) => {
      const { request } = await store(states);
      for (const round of rounds) {
        const now = await world().store.targets.of(request.id);
        const moves = round.flatMap(({ at, from, to, end: how }) => {
          const target = now[at];
          // Half of the moves fit.
          return target === undefined
            ? []
            : [{ ...moveTo(target, to, how), ...(at % 2 === 0 ? { from } : {}) }];
        });
        const before = now.map((target) => (target.endedAt === null ? target.state : null));
        const moved = await world().store.targets.move(request.id, moves);
        expect(moved).toEqual(
          moves.flatMap(({ from, next }) => (before[next.position] === from ? [next] : [])),
        );
        const after = await read(request.id);
        expect(after.request?.counts).toEqual(countsOf(after.targets));
      }
    });
  });

  describe('a target that was sent and is not in the queue yet', () => {
    it('is the only one of its device and command', async () => {
      const on = freshDevice();
      const reboot = { kind: 'reboot' } as const;
      const first = await put(on, 'issuing', reboot);
      const second = await put(on, 'ready', reboot);
      await put(on, 'queued', reboot);
      await put(on, 'issuing', { kind: 'scan' });
      await expect(put(on, 'accepted', reboot)).rejects.toThrow(/unique/i);
      await expect(put(on, 'unknown', reboot)).rejects.toThrow(/unique/i);
      const { move } = world().store.targets;
      const claim = moveTo(second, 'issuing');
      await expect(move(second.requestId, [claim])).rejects.toThrow(/unique/i);
      expect(await read(second.requestId)).toMatchObject({ request: { version: 1 }, targets: [second] });
      await move(first.requestId, [moveTo(first, 'unknown', { endedAt: START })]);
      expect(await move(second.requestId, [claim])).toEqual([claim.next]);
    });

    it.each<readonly [string, FleetAction, FleetAction, FleetAction]>([
      [
        'device',
        { kind: 'device-edit', change: { customName: 'a' } },
        { kind: 'device-edit', change: { retag: { add: ['b'], remove: [] } } },
        { kind: 'scan' },
      ],
      [
        'group',
        { kind: 'group-edit', groupId: groupId(81), change: { notes: 'a' } },
        { kind: 'group-edit', groupId: groupId(81), change: { name: 'b' } },
        { kind: 'group-edit', groupId: groupId(82), change: { name: 'b' } },
      ],
      [
        'new group',
        { kind: 'group-create', group: { ...GROUP, notes: 'a' } },
        { kind: 'group-create', group: { ...GROUP, name: ' web ' } },
        { kind: 'group-create', group: { ...GROUP, parentId: groupId(2) } },
      ],
      [
        'policy',
        { kind: 'policy-edit', policyId: policyId(91), change: { notes: 'a' } },
        { kind: 'policy-edit', policyId: policyId(91), change: { settings: { autoReboot: true } } },
        { kind: 'policy-edit', policyId: policyId(92), change: { notes: 'a' } },
      ],
      [
        'new policy',
        { kind: 'policy-create', policy: { name: 'Nightly', severities: [] } },
        { kind: 'policy-create', policy: { name: ' nightly ', severities: ['high'], days: 2 } },
        { kind: 'policy-create', policy: { name: 'Weekly', severities: [] } },
      ],
    ])('is the only edit of its %s, whatever that changes', async (what, first, second, other) => {
      const on = what === 'device' ? freshDevice() : null;
      await put(on, 'issuing', first);
      await expect(put(on, 'issuing', second)).rejects.toThrow(/unique/i);
      await put(on, 'issuing', other);
      expect(await world().store.targets.open(on, actionOn(second, []))).toHaveLength(1);
    });
  });
}

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
