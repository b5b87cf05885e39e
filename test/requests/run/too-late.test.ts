/** What became due too long ago is not sent, whatever kept it: a process that was down, a service that was away. */
import { describe, expect, it } from 'vitest';
import { DAY, HOUR, later, MINUTE, SECOND } from '../../../src/lib/clock.ts';
import type { FailpointName } from '../../../src/lib/failpoints.ts';
import { tooLate } from '../../../src/requests/run/send-check.ts';
import type { RequestRecord } from '../../../src/store/port/request-records.ts';
import { BOB, createRequestsSetup, type RequestsSetup, START } from '../requests-setup.ts';

const LIMIT = 15 * MINUTE;
const scan = { kind: 'scan' } as const;
const reboot = { kind: 'reboot' } as const;
const rename = { kind: 'device-edit', change: { customName: 'front' } } as const;
const late = (how: 'requested' | 'approved', since = START, maxAgeMs = LIMIT) => [
  { kind: 'too-late', since, how, maxAgeMs },
];

let line: RequestsSetup;

async function approved(): Promise<RequestRecord> {
  const request = await line.ask(reboot);
  await line.approve(request);
  return request;
}

describe('a command that needs no approval', () => {
  it.each([
    ['14 min 59 s', 'accepted', 1, LIMIT - SECOND],
    ['15 min', 'not_sent', 0, LIMIT],
    ['72 h', 'not_sent', 0, 72 * HOUR],
  ] as const)('that nobody took up for %s: the state is %s', async (_what, state, posts, ms) => {
    line = await createRequestsSetup();
    const id = await line.start(scan);
    await line.clock.advance(ms);
    await line.settle();
    expect(await line.targetOf(id)).toMatchObject({ state });
    expect(line.fleet.world.posts).toHaveLength(posts);
    await line.pass(DAY);
    expect(line.fleet.world.posts).toHaveLength(posts);
  });

  it('says that it was too late, in the audit too, and tells the one who asked', async () => {
    line = await createRequestsSetup();
    const id = await line.start(scan);
    line.fleet.world.reads = [];
    await line.clock.advance(72 * HOUR);
    await line.settle();
    expect(await line.targetOf(id)).toMatchObject({
      state: 'not_sent',
      evidence: late('requested'),
      endedAt: later(START, 72 * HOUR),
      acceptedAt: null,
    });
    expect(await line.actions()).toEqual(['operation.requested', 'operation.not_sent']);
    expect(await line.store.cards.get(`told:operation:${id}`)).toMatchObject({ channel: 'U_ALICE' });
    expect(line.fleet.world.reads).toEqual([]);
  });

  it('that a dead process had not sent yet is not sent by its successor', async () => {
    line = await createRequestsSetup();
    const id = await line.start(rename);
    line.fleet.change({ customName: 'a newer name' });
    await line.clock.advance(3 * DAY);
    await line.settle();
    expect(await line.targetOf(id)).toMatchObject({ state: 'not_sent' });
    expect(line.fleet.world.edits).toEqual([]);
    expect(line.fleet.world.device).toMatchObject({ customName: 'a newer name' });
  });

  it('is too late where reading the device takes it over the limit', async () => {
    line = await createRequestsSetup();
    const id = await line.start(scan);
    await line.clock.advance(LIMIT - SECOND);
    line.fleet.world.holdRead = () => line.clock.advance(SECOND);
    await line.settle();
    expect(await line.targetOf(id)).toMatchObject({ state: 'not_sent', evidence: late('requested') });
    expect(line.fleet.world.posts).toEqual([]);
  });

  it('is limited by what the configuration says', async () => {
    line = await createRequestsSetup({ maxAgeMs: HOUR });
    const first = await line.start(scan);
    await line.clock.advance(HOUR - SECOND);
    await line.settle();
    expect(await line.targetOf(first)).toMatchObject({ state: 'accepted' });
    const second = await line.start(rename);
    await line.clock.advance(HOUR);
    await line.settle();
    expect((await line.targetOf(second)).evidence).toEqual(
      late('requested', later(START, HOUR - SECOND), HOUR),
    );
  });
});

describe('what was approved', () => {
  it.each([
    ['14 min 59 s', 'accepted', 1, LIMIT - SECOND],
    ['16 min', 'not_sent', 0, 16 * MINUTE],
    ['3 days', 'not_sent', 0, 3 * DAY],
  ] as const)('and was not taken up for %s: the state is %s', async (_what, state, posts, ms) => {
    line = await createRequestsSetup();
    const request = await approved();
    await line.clock.advance(ms);
    await line.settle();
    expect(await line.requestNow(request)).toMatchObject({
      state: state === 'accepted' ? 'running' : 'ended',
      decidedBy: BOB,
    });
    expect(await line.targetFor(request)).toMatchObject({ state });
    expect(line.fleet.world.posts).toHaveLength(posts);
  });

  it('counts from the decision, and is not requested again when it is too late', async () => {
    line = await createRequestsSetup();
    const request = await line.ask(reboot);
    await line.pass(20 * MINUTE);
    const decidedAt = line.clock.now();
    expect(await line.approve(request)).toMatchObject({ kind: 'decided' });
    await line.clock.advance(LIMIT);
    line.fleet.change({ connected: false });
    await line.settle();
    expect(await line.targetFor(request)).toMatchObject({
      state: 'not_sent',
      evidence: late('approved', decidedAt),
    });
    expect(await line.actions()).toEqual(['approval.requested', 'approval.approved', 'operation.not_sent']);
    expect(await line.store.cards.get(`told:approval:${request.id}`)).not.toBeNull();
    await line.pass(DAY);
    expect(line.fleet.world.posts).toEqual([]);
  });

  it('is too late where reading the device takes it over the limit', async () => {
    line = await createRequestsSetup();
    const request = await approved();
    await line.clock.advance(LIMIT - SECOND);
    line.fleet.world.holdRead = () => line.clock.advance(SECOND);
    await line.settle();
    expect(await line.targetFor(request)).toMatchObject({ state: 'not_sent' });
    expect(line.fleet.world.posts).toEqual([]);
  });

  it('goes back to the approver where the device changed within the limit', async () => {
    line = await createRequestsSetup();
    const request = await approved();
    line.fleet.change({ connected: false });
    await line.clock.advance(LIMIT - SECOND);
    await line.settle();
    expect(await line.requestNow(request)).toMatchObject({ state: 'waiting', startedAt: null });
  });
});

describe('what was claimed', () => {
  const heldUpAfterClaim = async (ms: number) => {
    line = await createRequestsSetup({
      onFailpoint: async (name) => {
        if (name === 'target.claimed') await line.clock.advance(ms);
      },
    });
  };

  it.each([
    ['requested', scan],
    ['requested', rename],
    ['approved', reboot],
  ] as const)('and was %s too long ago by the time that it would be sent is not sent', async (how, order) => {
    await heldUpAfterClaim(2 * MINUTE);
    const id = how === 'approved' ? (await approved()).id : await line.start(order);
    await line.clock.advance(14 * MINUTE);
    await line.settle();
    const target = await line.targetOf(id);
    expect(target).toMatchObject({ state: 'not_sent', evidence: late(how) });
    expect([line.fleet.world.posts, line.fleet.world.edits]).toEqual([[], []]);
  });
});

describe('a request that waited', () => {
  it('counts approvals and denials while it lives, and then says that it expired', async () => {
    line = await createRequestsSetup();
    const first = await line.ask(reboot);
    await line.clock.advance(29 * MINUTE);
    expect(await line.decide(first, 'approve')).toMatchObject({ kind: 'decided' });
    await line.settle();
    expect(line.fleet.world.posts).toEqual([reboot]);
    const second = await line.ask({ kind: 'patch-all' });
    await line.clock.advance(3 * DAY);
    expect(await line.decide(second, 'deny')).toMatchObject({
      refusal: { kind: 'already', state: 'expired' },
    });
  });
});

describe('what was being sent when the process ended', () => {
  class Killed extends Error {}
  const dies = async (point: FailpointName): Promise<void> => {
    let isDead = false;
    line = await createRequestsSetup({
      onFailpoint: (name) => {
        if (name !== point || isDead) return;
        isDead = true;
        throw new Killed(point);
      },
    });
  };

  it.each([
    ['target.sent', 1, 'not_verified', 'still-queued'],
    ['target.claimed', 0, 'unknown', 'stays-unknown'],
  ] as const)('at %s is looked for three days later, and never sent again', async (...ended) => {
    const [point, posts, state, kind] = ended;
    await dies(point);
    const request = await approved();
    await expect(line.settle()).rejects.toThrow(Killed);
    await line.clock.advance(3 * DAY);
    await line.settle();
    expect(await line.targetFor(request)).toMatchObject({
      state,
      endedAt: line.clock.now(),
      evidence: [{ kind }],
    });
    await line.pass(HOUR);
    expect(line.fleet.world.posts).toHaveLength(posts);
  });
});

describe('a clock that was set', () => {
  it('back counts what is due in the future as due now', () => {
    expect(tooLate({ since: later(START, 3 * DAY), how: 'requested' }, LIMIT, START)).toBeNull();
    expect(tooLate({ since: START, how: 'requested' }, LIMIT, START)).toBeNull();
  });

  it('forward sends nothing that is too old by it', () => {
    expect(tooLate({ since: START, how: 'requested' }, LIMIT, later(START, LIMIT - 1))).toBeNull();
    expect(tooLate({ since: START, how: 'requested' }, LIMIT, later(START, LIMIT))).not.toBeNull();
  });
});
