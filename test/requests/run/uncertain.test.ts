/** Lost answers and dying processes: at most one POST, and texts that say what is not known. */

import { beforeEach, describe, expect, it } from 'vitest';
import { HOUR, later, MINUTE, SECOND } from '../../../src/lib/clock.ts';
import type { FailpointName } from '../../../src/lib/failpoints.ts';
import { personId } from '../../../src/lib/ids.ts';
import type { RequestRecord } from '../../../src/store/port/request-records.ts';
import { madePerTest } from '../../harness/use-started.ts';
import { createRequestsSetup, pauseSwitchOf, type RequestsSetup, reboot, START } from '../requests-setup.ts';

let line: RequestsSetup;
beforeEach(async () => {
  line = await createRequestsSetup();
});

class Killed extends Error {}

/** A setup whose process dies once at `point`; a successor continues. */
async function setupThatDiesAt(point: FailpointName): Promise<void> {
  let died = false;
  line = await createRequestsSetup({
    onFailpoint: (name) => {
      if (name !== point || died) return;
      died = true;
      throw new Killed(point);
    },
  });
}

async function approvedAndKilled(): Promise<RequestRecord> {
  const request = await line.ask(reboot);
  await line.approve(request);
  await expect(line.settle()).rejects.toThrow(Killed);
  return request;
}

describe('a lost answer', () => {
  it('is unknown, is found in the queue, and is followed to the proof', async () => {
    line.world.fate = 'lost-after';
    const request = await line.approved(reboot);
    const evidence = [{ kind: 'answer-lost', error: { kind: 'timeout' } }, { kind: 'looking' }];
    expect(await line.targetFor(request)).toMatchObject({ state: 'unknown', evidence });
    await line.pass(5 * SECOND);
    expect(await line.targetFor(request)).toMatchObject({ state: 'queued', acceptedAt: null });
    line.fleet.clearQueue();
    line.fleet.change({ lastDisconnectTime: line.clock.now() });
    await line.pass(MINUTE);
    expect(await line.targetFor(request)).toMatchObject({ state: 'verified' });
    expect(line.world.posts).toEqual([reboot]);
  });

  it('of a command that never arrived stays unknown, and nothing is sent again', async () => {
    line.world.fate = 'lost-before';
    const request = await line.approved(reboot);
    await line.pass(29 * MINUTE);
    expect(await line.targetFor(request)).toMatchObject({ state: 'unknown', endedAt: null });
    await line.pass(2 * MINUTE);
    const target = await line.targetFor(request);
    expect(target).toMatchObject({ state: 'unknown' });
    expect(target.endedAt).not.toBeNull();
    expect(target.evidence).toEqual([{ kind: 'stays-unknown' }]);
    await line.pass(HOUR);
    expect(line.world.posts).toEqual([reboot]);
  });

  it('with two new entries in the queue says that they cannot be told apart', async () => {
    line.world.fate = 'lost-after';
    const request = await line.approved(reboot);
    line.fleet.enqueue(reboot);
    await line.pass(5 * SECOND);
    const evidence = [{ kind: 'ambiguous', entries: 2, answerLost: true }];
    expect(await line.targetFor(request)).toMatchObject({ state: 'unknown', queueEntryId: null, evidence });
    expect(line.world.posts).toEqual([reboot]);
  });
});

describe('a dying process', () => {
  it('between claim and POST: nothing was sent, and its successor sends nothing', async () => {
    await setupThatDiesAt('target.claimed');
    const request = await approvedAndKilled();
    expect(await line.targetFor(request)).toMatchObject({ state: 'issuing' });
    await line.settle();
    const evidence = [{ kind: 'interrupted' }, { kind: 'looking' }];
    expect(await line.targetFor(request)).toMatchObject({ state: 'unknown', evidence });
    await line.pass(HOUR);
    expect(await line.targetFor(request)).toMatchObject({ state: 'unknown' });
    expect(line.world.posts).toEqual([]);
  });

  it('between POST and record: its successor finds the command in the queue and follows it', async () => {
    await setupThatDiesAt('target.sent');
    const request = await approvedAndKilled();
    expect(await line.targetFor(request)).toMatchObject({ state: 'issuing' });
    await line.settle();
    expect(await line.targetFor(request)).toMatchObject({ state: 'queued', acceptedAt: null });
    await line.pass(HOUR);
    expect(line.world.posts).toEqual([reboot]);
  });

  it('after the record: its successor follows what is recorded', async () => {
    await setupThatDiesAt('target.recorded');
    const request = await approvedAndKilled();
    await line.pass(5 * SECOND);
    expect(await line.targetFor(request)).toMatchObject({
      state: 'queued',
      acceptedAt: line.clock.now() - 5000,
    });
    expect(line.world.posts).toEqual([reboot]);
  });

  it('after the decision: its successor acts', async () => {
    await setupThatDiesAt('request.decided');
    const request = await line.ask(reboot);
    await expect(line.approve(request)).rejects.toThrow(Killed);
    await line.settle();
    expect(await line.targetFor(request)).toMatchObject({ state: 'accepted' });
    expect(line.world.posts).toEqual([reboot]);
  });

  it('after recording the request: the repeated delivery finds it, and it can be approved', async () => {
    await setupThatDiesAt('request.recorded');
    const order = await line.order(reboot);
    await expect(line.requests.record(order)).rejects.toThrow(Killed);
    const again = await line.requests.record(order);
    expect(again).toMatchObject({ kind: 'recorded', already: true });
    if (again.kind !== 'recorded') throw new Error(again.kind);
    expect(await line.approve(again.request)).toMatchObject({ kind: 'decided' });
    await line.settle();
    expect(line.world.posts).toEqual([reboot]);
  });

  it('after the proof: nothing is done twice', async () => {
    await setupThatDiesAt('target.verified');
    const request = await line.approved(reboot);
    line.fleet.clearQueue();
    line.fleet.change({ lastDisconnectTime: line.clock.now() });
    await expect(line.pass(MINUTE)).rejects.toThrow(Killed);
    await line.pass(HOUR);
    expect(await line.targetFor(request)).toMatchObject({ state: 'verified' });
    expect((await line.actions()).filter((action) => action === 'operation.verified')).toHaveLength(1);
    expect(line.world.posts).toEqual([reboot]);
  });

  it.each([
    ['target.claimed', 0, 'unknown'],
    ['target.sent', 1, 'queued'],
    ['target.recorded', 1, 'queued'],
  ] as const)('in a scan at %s: sent %i times, then %s', async (point, posts, state) => {
    await setupThatDiesAt(point);
    const id = await line.start({ kind: 'scan' });
    await expect(line.settle()).rejects.toThrow(Killed);
    await line.pass(10 * SECOND);
    expect(await line.targetOf(id)).toMatchObject({ state });
    expect(line.world.posts).toHaveLength(posts);
  });
});

describe('a sender that outlives its lease', () => {
  it('still records the answer that it got, after a successor had called it unknown', async () => {
    const request = await line.ask(reboot);
    await line.approve(request);
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    const { promise: reached, resolve: reach } = Promise.withResolvers<void>();
    line.fleet.hold((send) => async (id, command) => {
      const outcome = await send(id, command);
      reach();
      await held;
      return outcome;
    });
    const sending = line.settle();
    await reached;
    await line.run(request.id);
    expect(await line.targetFor(request)).toMatchObject({ state: 'unknown' });
    release();
    await sending;
    expect(await line.targetFor(request)).toMatchObject({ acceptedAt: line.clock.now() });
    expect(line.world.posts).toEqual([reboot]);
  });
});

describe('two replicas with the same work', () => {
  it('send a scan once', async () => {
    const id = await line.start({ kind: 'scan' });
    await Promise.all([line.run(id), line.run(id)]);
    expect(line.world.posts).toEqual([{ kind: 'scan' }]);
  });

  it('send an approved command once', async () => {
    const request = await line.ask(reboot);
    await line.approve(request);
    await Promise.all([line.run(request.id), line.run(request.id)]);
    expect(line.world.posts).toEqual([reboot]);
    expect(await line.targetFor(request)).toMatchObject({ acceptedAt: line.clock.now() });
  });

  it('leave no claim behind that the other wrote and did not send', async () => {
    const id = await line.start({ kind: 'scan' }, line.fleet.addDevices(1));
    const claimSecond = async () => {
      const [, second] = await line.targetsOf(id);
      if (second === undefined) throw new Error('no second target');
      const next = { ...second, state: 'issuing' } as const;
      await line.store.targets.move(id, [{ from: 'ready', next }]);
    };
    let claimed: Promise<void> | null = null;
    line.world.holdRead = () => {
      claimed ??= claimSecond();
      return claimed;
    };
    await line.settle();
    const states = async () => (await line.targetsOf(id)).map(({ state }) => state);
    expect(await states()).toEqual(['accepted', 'issuing']);
    await line.pass(MINUTE);
    expect(await states()).toEqual(['queued', 'unknown']);
    await line.pass(HOUR);
    expect(line.world.posts).toHaveLength(1);
    expect(await line.requestNow({ id })).toMatchObject({ state: 'ended' });
  });

  it('follow on what one of them would have ended and the other had moved', async () => {
    const request = await line.approved(reboot);
    line.fleet.clearQueue();
    line.fleet.change({ lastDisconnectTime: line.clock.now() });
    line.world.holdRead = async () => {
      line.world.holdRead = async () => {};
      const target = await line.targetFor(request);
      const now = line.clock.now();
      const queued = { ...target, state: 'queued', queuedAt: now, nextAt: later(now, 5 * SECOND) } as const;
      await line.store.targets.move(request.id, [{ from: 'accepted', next: queued }]);
    };
    await line.pass(5 * SECOND);
    expect(await line.targetFor(request)).toMatchObject({ state: 'queued' });
    await line.pass(MINUTE);
    expect(await line.targetFor(request)).toMatchObject({ state: 'verified' });
  });
});

describe('what was decided otherwise', () => {
  const CAROL = personId('U_CAROL');
  const line = madePerTest(createRequestsSetup);

  /** Approves a reboot; during the run, while it reads this, `overtake` happens once. */
  async function overtaken(reads: 'device' | 'queue', overtake: (request: RequestRecord) => Promise<void>) {
    const request = await line.ask(reboot);
    await line.approve(request);
    const { world } = line.fleet;
    world.holdRead = async () => {
      if (world.reads.at(-1) !== reads) return;
      world.holdRead = async () => {};
      await overtake(request);
    };
    return { request, result: await line.run(request.id) };
  }

  /** Another replica reads the device as offline and returns the request. */
  async function returnRequest(request: RequestRecord): Promise<RequestRecord> {
    line.fleet.change({ connected: false });
    await line.run(request.id);
    const returned = await line.requestNow(request);
    expect(returned.state).toBe('waiting');
    return returned;
  }

  describe('a run whose request was returned and denied', () => {
    it('writes nothing, sends nothing and is done', async () => {
      const { request, result } = await overtaken('device', async (asked) => {
        const returned = await returnRequest(asked);
        line.fleet.change({ connected: true });
        await line.decide(returned, 'deny');
      });
      expect(result).toEqual({ kind: 'done' });
      const expected = { state: 'denied', startedAt: null, endedAt: null, counts: { ready: 1, open: 1 } };
      expect(await line.requestNow(request)).toMatchObject(expected);
      expect((await line.targetsOf(request.id)).map(({ state }) => state)).toEqual(['ready']);
      const { version } = await line.requestNow(request);
      await line.settle();
      expect(await line.requestNow(request)).toMatchObject({ version });
      expect(await line.actions()).toEqual([
        'approval.requested',
        'approval.approved',
        'approval.sent-back',
        'approval.denied',
      ]);
      expect(line.world.posts).toEqual([]);
    });
  });

  describe('a run whose request was returned by a pause and denied', () => {
    it('ends nothing of it as unsent', async () => {
      const pause = pauseSwitchOf(line);
      const { request, result } = await overtaken('device', async (asked) => {
        await pause.begin(CAROL, null);
        await line.run(asked.id);
        await pause.end(CAROL);
        const returned = await line.requestNow(asked);
        expect(returned).toMatchObject({ state: 'waiting', seal: asked.seal });
        await line.decide(returned, 'deny');
      });
      expect(result).toEqual({ kind: 'done' });
      const counts = { ready: 1, open: 1 };
      expect(await line.requestNow(request)).toMatchObject({ state: 'denied', counts });
      expect(await line.actions()).not.toContain('operation.not_sent');
    });
  });

  describe('a run whose request was returned and approved with other facts', () => {
    it('claims nothing with the older facts; the next run sends once', async () => {
      const { request } = await overtaken('queue', async (asked) => {
        await line.approve(await returnRequest(asked));
      });
      expect(line.world.posts).toEqual([]);
      const counts = { ready: 1, open: 1 };
      expect(await line.requestNow(request)).toMatchObject({ state: 'approved', counts });
      expect(await line.targetFor(request)).toMatchObject({ facts: { connected: false } });
      await line.settle();
      expect(line.world.postedTo).toEqual([42]);
      expect(await line.targetFor(request)).toMatchObject({ facts: { connected: false } });
    });
  });
});

describe('the same command twice', () => {
  const line = madePerTest(createRequestsSetup);

  const patch = { kind: 'patch', packages: ['openssl'] } as const;

  describe('the same command already in the queue', () => {
    it('ends the request: nothing is sent, and the card says why', async () => {
      const request = await line.approved({ kind: 'reboot' }, () => line.fleet.enqueue(reboot));
      expect(await line.targetFor(request)).toMatchObject({
        state: 'not_sent',
        acceptedAt: null,
        endedAt: line.clock.now(),
        evidence: [{ kind: 'already-queued', entry: 501 }],
      });
      await line.pass(60 * MINUTE);
      expect(line.world.posts).toEqual([]);
    });

    it('does not stop a command when the one in the queue was answered already', async () => {
      await line.approved({ kind: 'reboot' }, () =>
        line.fleet.enqueue(reboot, { responseTime: later(line.clock.now(), -1) }),
      );
      expect(line.world.posts).toEqual([reboot]);
    });
  });

  describe('the same command under way', () => {
    /** Holds the first POST until `release`, and resolves when it was received. */
    function heldPost() {
      const { promise: held, resolve: release } = Promise.withResolvers<void>();
      const { promise: reached, resolve: reach } = Promise.withResolvers<void>();
      line.fleet.hold((send) => async (id, command) => {
        reach();
        await held;
        return send(id, command);
      });
      return { reached, release };
    }

    it('ends the second reboot: nothing is sent, and the card says why', async () => {
      const { reached, release } = heldPost();
      const first = await line.ask(reboot);
      await line.approve(first);
      const sending = line.settle();
      await reached;
      const second = await line.approved(reboot);
      expect(await line.targetFor(second)).toMatchObject({
        state: 'not_sent',
        acceptedAt: null,
        endedAt: line.clock.now(),
        evidence: [{ kind: 'under-way', since: line.clock.now() }],
      });
      release();
      await sending;
      await line.pass(60 * MINUTE);
      expect(line.world.posts).toEqual([reboot]);
    });

    it('also ends a second scan, which needs no approval', async () => {
      const { reached, release } = heldPost();
      await line.start({ kind: 'scan' });
      const sending = line.settle();
      await reached;
      const second = await line.start({ kind: 'scan' });
      await line.settle();
      expect((await line.targetOf(second)).evidence).toEqual([
        { kind: 'under-way', since: line.clock.now() },
      ]);
      release();
      await sending;
      expect(line.world.posts).toEqual([{ kind: 'scan' }]);
    });

    it('ends one of two that are claimed at the very same time', async () => {
      const approvals = [await line.ask(reboot), await line.ask(patch)];
      const scans = [await line.start({ kind: 'scan' }), await line.start({ kind: 'scan' })];
      for (const request of approvals) await line.approve(request);
      await Promise.all(scans.map((id) => line.run(id)));
      await line.settle();
      const states = await Promise.all(scans.map(async (id) => (await line.targetOf(id)).state));
      expect(states.toSorted()).toEqual(['accepted', 'not_sent']);
      expect(line.world.posts).toEqual([{ kind: 'scan' }, reboot, patch]);
    });

    it('is one that the device accepted and has not proved yet', async () => {
      const first = await line.approved({ kind: 'reboot' });
      await line.pass(5 * SECOND);
      line.fleet.answer(0);
      await line.pass(10 * SECOND);
      expect(await line.targetFor(first)).toMatchObject({ state: 'answered', endedAt: null });
      line.fleet.clearQueue();
      const second = await line.approved({ kind: 'reboot' });
      expect((await line.targetFor(second)).evidence).toMatchObject([{ kind: 'under-way', since: START }]);
      expect(line.world.posts).toEqual([reboot]);
      await line.pass(31 * MINUTE);
      await line.approved({ kind: 'reboot' });
      expect(line.world.posts).toEqual([reboot, reboot]);
    });

    it('is not one whose answer was lost and that we stopped looking for', async () => {
      line.world.fate = 'lost-before';
      await line.approved({ kind: 'reboot' });
      await line.pass(10 * MINUTE);
      const early = await line.approved({ kind: 'reboot' });
      expect((await line.targetFor(early)).evidence).toMatchObject([{ kind: 'under-way', since: START }]);
      await line.pass(21 * MINUTE);
      const late = await line.approved({ kind: 'reboot' });
      expect(await line.targetFor(late)).toMatchObject({ state: 'unknown' });
      expect(line.world.posts).toEqual([reboot, reboot]);
    });
  });
});
