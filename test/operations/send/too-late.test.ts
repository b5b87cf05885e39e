/**
 * Work that became due too long ago is not sent, whatever the delay: a process that was down, or a service that was
 * unreachable.
 */
import { afterEach, describe, expect, it } from 'vitest';
import { DAY, HOUR, later, MINUTE, SECOND } from '../../../src/lib/clock.ts';
import type { FailpointName } from '../../../src/lib/failpoints.ts';
import { timePlaceholder } from '../../../src/operations/evidence-text.ts';
import { tooLateReason } from '../../../src/operations/send/send-check.ts';
import type { ApprovalRecord } from '../../../src/store/port/records.ts';
import { type ActingSetup, BOB, createActingSetup, START } from '../acting-setup.ts';

const LIMIT = 15 * MINUTE;
const scan = { kind: 'scan' } as const;
const reboot = { kind: 'reboot' } as const;
const rename = { kind: 'device-edit', change: { customName: 'front' } } as const;
const late = (how: 'requested' | 'approved', at = START) =>
  `Not sent: too late. It was ${how} ${timePlaceholder(at)}. Changes older than 15 minutes are not sent.`;

let line: ActingSetup;
afterEach(() => line.close());

async function approved(): Promise<ApprovalRecord> {
  const approval = await line.ask(reboot);
  await line.approve(approval);
  return approval;
}

describe('a command that needs no approval', () => {
  it.each([
    ['14 min 59 s', 'accepted', 1, LIMIT - SECOND],
    ['15 min', 'not_sent', 0, LIMIT],
    ['72 h', 'not_sent', 0, 72 * HOUR],
  ] as const)('that nobody took up for %s: the state is %s', async (_what, state, posts, ms) => {
    line = await createActingSetup();
    const id = await line.start(scan);
    await line.clock.advance(ms);
    await line.settle();
    expect(await line.targetOf(id)).toMatchObject({ state });
    expect(line.fleet.world.posts).toHaveLength(posts);
    await line.pass(DAY);
    expect(line.fleet.world.posts).toHaveLength(posts);
  });

  it('says that it was too late, in the audit too, and tells the one who asked', async () => {
    line = await createActingSetup();
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
    line = await createActingSetup();
    const id = await line.start(rename);
    line.fleet.change({ customName: 'a newer name' });
    await line.clock.advance(3 * DAY);
    await line.settle();
    expect(await line.targetOf(id)).toMatchObject({ state: 'not_sent' });
    expect(line.fleet.world.edits).toEqual([]);
    expect(line.fleet.world.device).toMatchObject({ customName: 'a newer name' });
  });

  it('is too late where reading the device takes it over the limit', async () => {
    line = await createActingSetup();
    const id = await line.start(scan);
    await line.clock.advance(LIMIT - SECOND);
    line.fleet.world.holdRead = () => line.clock.advance(SECOND);
    await line.settle();
    expect(await line.targetOf(id)).toMatchObject({ state: 'not_sent', evidence: late('requested') });
    expect(line.fleet.world.posts).toEqual([]);
  });

  it('is limited by what the configuration says', async () => {
    line = await createActingSetup({ maxAgeMs: HOUR });
    const first = await line.start(scan);
    await line.clock.advance(HOUR - SECOND);
    await line.settle();
    expect(await line.targetOf(first)).toMatchObject({ state: 'accepted' });
    const second = await line.start(rename);
    await line.clock.advance(HOUR);
    await line.settle();
    expect((await line.targetOf(second)).evidence).toContain('Changes older than 1 hour are not sent');
  });
});

describe('what was approved', () => {
  it.each([
    ['14 min 59 s', 'accepted', 1, LIMIT - SECOND],
    ['16 min', 'not_sent', 0, 16 * MINUTE],
    ['3 days', 'not_sent', 0, 3 * DAY],
  ] as const)('and was not taken up for %s: the state is %s', async (_what, state, posts, ms) => {
    line = await createActingSetup();
    const approval = await approved();
    await line.clock.advance(ms);
    await line.settle();
    expect(await line.approvalNow(approval)).toMatchObject({ state: 'approved', decidedBy: BOB });
    expect(await line.targetFor(approval)).toMatchObject({ state });
    expect(line.fleet.world.posts).toHaveLength(posts);
  });

  it('counts from the decision, and is not requested again when it is too late', async () => {
    line = await createActingSetup();
    const approval = await line.ask(reboot);
    await line.pass(20 * MINUTE);
    const decidedAt = line.clock.now();
    expect(await line.approve(approval)).toMatchObject({ kind: 'approved' });
    await line.clock.advance(LIMIT);
    line.fleet.change({ connected: false });
    await line.settle();
    expect(await line.targetFor(approval)).toMatchObject({
      state: 'not_sent',
      evidence: late('approved', decidedAt),
    });
    expect(await line.actions()).toEqual([
      'approval.requested',
      'approval.approved',
      'operation.not_sent',
      'approval.ended-unsent',
    ]);
    expect(await line.store.cards.get(`told:approval:${approval.id}`)).not.toBeNull();
    await line.pass(DAY);
    expect(line.fleet.world.posts).toEqual([]);
  });

  it('is too late where reading the device takes it over the limit', async () => {
    line = await createActingSetup();
    const approval = await approved();
    await line.clock.advance(LIMIT - SECOND);
    line.fleet.world.holdRead = () => line.clock.advance(SECOND);
    await line.settle();
    expect(await line.targetFor(approval)).toMatchObject({ state: 'not_sent' });
    expect(line.fleet.world.posts).toEqual([]);
  });

  it('goes back to the approver where the device changed within the limit', async () => {
    line = await createActingSetup();
    const approval = await approved();
    line.fleet.change({ connected: false });
    await line.clock.advance(LIMIT - SECOND);
    await line.settle();
    expect(await line.approvalNow(approval)).toMatchObject({ state: 'waiting', operationId: null });
  });
});

describe('what was claimed', () => {
  const heldUpAfterClaim = async (ms: number) => {
    line = await createActingSetup({
      onFailpoint: async (name) => {
        if (name === 'operation.claimed') await line.clock.advance(ms);
      },
    });
  };

  it.each([
    ['requested', scan],
    ['requested', rename],
    ['approved', reboot],
  ] as const)('and was %s too long ago by the time that it would be sent is not sent', async (how, order) => {
    await heldUpAfterClaim(2 * MINUTE);
    const approval = how === 'approved' ? await approved() : null;
    const id = approval === null ? await line.start(order) : null;
    await line.clock.advance(14 * MINUTE);
    await line.settle();
    const target = approval === null ? await line.targetOf(id) : await line.targetFor(approval);
    expect(target).toMatchObject({ state: 'not_sent', evidence: late(how) });
    expect([line.fleet.world.posts, line.fleet.world.edits]).toEqual([[], []]);
  });
});

describe('a request that waited', () => {
  it('counts approvals and denials while it lives, and then says that it expired', async () => {
    line = await createActingSetup();
    const decide = (approval: ApprovalRecord, decision: 'approve' | 'deny') =>
      line.desk.decide({
        approvalId: approval.id,
        person: BOB,
        role: 'approver',
        decision,
        seal: approval.seal,
      });
    const first = await line.ask(reboot);
    await line.clock.advance(29 * MINUTE);
    expect(await decide(first, 'approve')).toMatchObject({ kind: 'approved' });
    await line.settle();
    expect(line.fleet.world.posts).toEqual([reboot]);
    const second = await line.ask({ kind: 'patch-all' });
    await line.clock.advance(3 * DAY);
    expect(await decide(second, 'deny')).toMatchObject({ kind: 'already', state: 'expired' });
  });
});

describe('what was being sent when the process ended', () => {
  class Killed extends Error {}
  const dies = async (point: FailpointName): Promise<void> => {
    let isDead = false;
    line = await createActingSetup({
      onFailpoint: (name) => {
        if (name !== point || isDead) return;
        isDead = true;
        throw new Killed(point);
      },
    });
  };

  it.each([
    ['operation.sent', 1, 'not_verified', 'Still in the device’s queue when Patchbay stopped checking'],
    ['operation.claimed', 0, 'unknown', 'found no matching entry in the device’s queue'],
  ] as const)('at %s is looked for three days later, and never sent again', async (...ended) => {
    const [point, posts, state, words] = ended;
    await dies(point);
    const approval = await approved();
    await expect(line.settle()).rejects.toThrow(Killed);
    await line.clock.advance(3 * DAY);
    await line.settle();
    expect(await line.targetFor(approval)).toMatchObject({
      state,
      endedAt: line.clock.now(),
      evidence: expect.stringContaining(words),
    });
    await line.pass(HOUR);
    expect(line.fleet.world.posts).toHaveLength(posts);
  });
});

describe('a clock that was set', () => {
  it('back counts what is due in the future as due now', () => {
    expect(tooLateReason({ since: later(START, 3 * DAY), how: 'requested' }, LIMIT, START)).toBeNull();
    expect(tooLateReason({ since: START, how: 'requested' }, LIMIT, START)).toBeNull();
  });

  it('forward sends nothing that is too old by it', () => {
    expect(tooLateReason({ since: START, how: 'requested' }, LIMIT, later(START, LIMIT - 1))).toBeNull();
    expect(tooLateReason({ since: START, how: 'requested' }, LIMIT, later(START, LIMIT))).not.toBeNull();
  });
});
