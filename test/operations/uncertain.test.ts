/** Lost answers and dying processes: at most one POST, and texts that say what is not known. */
import { afterEach, describe, expect, it } from 'vitest';
import { HOUR, MINUTE, SECOND } from '../../src/lib/clock.ts';
import type { FailpointName } from '../../src/lib/failpoints.ts';
import type { ApprovalRecord } from '../../src/store/port/records.ts';
import { type ActingSetup, createActingSetup } from './acting-setup.ts';
import { ORGANIZATION } from './simulated-fleet.ts';

const reboot = { kind: 'reboot' } as const;

let line: ActingSetup;
afterEach(() => line.close());

class Killed extends Error {}

/** A setup whose process dies once at `point`; a successor continues. */
async function setupThatDiesAt(point: FailpointName): Promise<void> {
  let died = false;
  line = await createActingSetup({
    onFailpoint: (name) => {
      if (name !== point || died) return;
      died = true;
      throw new Killed(point);
    },
  });
}

async function approvedAndSettled(): Promise<ApprovalRecord> {
  const approval = await line.ask(reboot);
  await line.approve(approval);
  await line.settle();
  return approval;
}

async function approvedAndKilled(): Promise<ApprovalRecord> {
  const approval = await line.ask(reboot);
  await line.approve(approval);
  await expect(line.settle()).rejects.toThrow(Killed);
  return approval;
}

describe('a lost answer', () => {
  it('is unknown, is found in the queue, and is followed to the proof', async () => {
    line = await createActingSetup();
    line.fleet.world.fate = 'lost-after';
    const approval = await approvedAndSettled();
    expect(await line.targetFor(approval)).toMatchObject({
      state: 'unknown',
      evidence:
        'Patchbay got no clear answer: the management service did not answer in time. The command may or may not have arrived. Patchbay is looking for the command in the device’s queue and won’t send it again.',
    });
    await line.pass(5 * SECOND);
    expect(await line.targetFor(approval)).toMatchObject({ state: 'queued', acceptedAt: null });
    line.fleet.clearQueue();
    line.fleet.change({ lastDisconnectTime: line.clock.now() });
    await line.pass(MINUTE);
    expect(await line.targetFor(approval)).toMatchObject({ state: 'verified' });
    expect(line.fleet.world.posts).toEqual([reboot]);
  });

  it('of a command that never arrived stays unknown, and nothing is sent again', async () => {
    line = await createActingSetup();
    line.fleet.world.fate = 'lost-before';
    const approval = await approvedAndSettled();
    await line.pass(29 * MINUTE);
    expect(await line.targetFor(approval)).toMatchObject({ state: 'unknown', endedAt: null });
    await line.pass(2 * MINUTE);
    const target = await line.targetFor(approval);
    expect(target).toMatchObject({ state: 'unknown' });
    expect(target.endedAt).not.toBeNull();
    expect(target.evidence).toContain('It was not sent again.');
    await line.pass(HOUR);
    expect(line.fleet.world.posts).toEqual([reboot]);
  });

  it('with two new entries in the queue says that they cannot be told apart', async () => {
    line = await createActingSetup();
    line.fleet.world.fate = 'lost-after';
    const approval = await approvedAndSettled();
    line.fleet.enqueue(reboot);
    await line.pass(5 * SECOND);
    expect(await line.targetFor(approval)).toMatchObject({
      state: 'unknown',
      queueEntryId: null,
      evidence:
        'Patchbay got no clear answer, and the device’s queue has 2 new entries like this command. It’s unclear which one belongs to it. Patchbay won’t send it again.',
    });
    expect(line.fleet.world.posts).toEqual([reboot]);
  });
});

describe('a dying process', () => {
  it('between claim and POST: nothing was sent, and its successor sends nothing', async () => {
    await setupThatDiesAt('operation.claimed');
    const approval = await approvedAndKilled();
    expect(await line.targetFor(approval)).toMatchObject({ state: 'issuing' });
    await line.settle();
    expect(await line.targetFor(approval)).toMatchObject({
      state: 'unknown',
      evidence:
        'Patchbay stopped while sending the command. The management service may or may not have accepted it. Patchbay is looking for the command in the device’s queue and won’t send it again.',
    });
    await line.pass(HOUR);
    expect(await line.targetFor(approval)).toMatchObject({ state: 'unknown' });
    expect(line.fleet.world.posts).toEqual([]);
  });

  it('between POST and record: its successor finds the command in the queue and follows it', async () => {
    await setupThatDiesAt('operation.sent');
    const approval = await approvedAndKilled();
    expect(await line.targetFor(approval)).toMatchObject({ state: 'issuing' });
    await line.settle();
    expect(await line.targetFor(approval)).toMatchObject({ state: 'queued', acceptedAt: null });
    await line.pass(HOUR);
    expect(line.fleet.world.posts).toEqual([reboot]);
  });

  it('after the record: its successor follows what is recorded', async () => {
    await setupThatDiesAt('operation.accepted');
    const approval = await approvedAndKilled();
    await line.pass(5 * SECOND);
    expect(await line.targetFor(approval)).toMatchObject({
      state: 'queued',
      acceptedAt: line.clock.now() - 5000,
    });
    expect(line.fleet.world.posts).toEqual([reboot]);
  });

  it('after the decision: its successor acts', async () => {
    await setupThatDiesAt('approval.decided');
    const approval = await line.ask(reboot);
    await expect(line.approve(approval)).rejects.toThrow(Killed);
    await line.settle();
    expect(await line.targetFor(approval)).toMatchObject({ state: 'accepted' });
    expect(line.fleet.world.posts).toEqual([reboot]);
  });

  it('after recording the request: the repeated delivery finds it, and it can be approved', async () => {
    await setupThatDiesAt('approval.recorded');
    const order = await line.order(reboot);
    await expect(line.desk.request(order)).rejects.toThrow(Killed);
    const again = await line.desk.request(order);
    expect(again).toMatchObject({ kind: 'asked', already: true });
    if (again.kind !== 'asked') throw new Error(again.kind);
    expect(await line.approve(again.approval)).toMatchObject({ kind: 'approved' });
    await line.settle();
    expect(line.fleet.world.posts).toEqual([reboot]);
  });

  it('after the proof: nothing is done twice', async () => {
    await setupThatDiesAt('operation.verified');
    const approval = await approvedAndSettled();
    line.fleet.clearQueue();
    line.fleet.change({ lastDisconnectTime: line.clock.now() });
    await expect(line.pass(MINUTE)).rejects.toThrow(Killed);
    await line.pass(HOUR);
    expect(await line.targetFor(approval)).toMatchObject({ state: 'verified' });
    expect((await line.actions()).filter((action) => action === 'operation.verified')).toHaveLength(1);
    expect(line.fleet.world.posts).toEqual([reboot]);
  });

  it.each([
    ['operation.claimed', 0, 'unknown'],
    ['operation.sent', 1, 'queued'],
    ['operation.accepted', 1, 'queued'],
  ] as const)('in a scan at %s: sent %i times, then %s', async (point, posts, state) => {
    await setupThatDiesAt(point);
    const id = await line.start({ kind: 'scan' });
    await expect(line.settle()).rejects.toThrow(Killed);
    await line.pass(10 * SECOND);
    expect(await line.targetOf(id)).toMatchObject({ state });
    expect(line.fleet.world.posts).toHaveLength(posts);
  });
});

describe('a sender that outlives its lease', () => {
  it('still records the answer that it got, after a successor had called it unknown', async () => {
    line = await createActingSetup();
    const approval = await line.ask(reboot);
    await line.approve(approval);
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
    const { operationId } = await line.approvalNow(approval);
    if (operationId === null) throw new Error('nothing was claimed');
    await line.operations.execute(operationId, 1);
    expect(await line.targetFor(approval)).toMatchObject({ state: 'unknown' });
    release();
    await sending;
    expect(await line.targetFor(approval)).toMatchObject({ acceptedAt: line.clock.now() });
    expect(line.fleet.world.posts).toEqual([reboot]);
  });
});

describe('two replicas with the same work', () => {
  it('send a scan once', async () => {
    line = await createActingSetup();
    const id = await line.start({ kind: 'scan' });
    await Promise.all([line.operations.execute(id, 0), line.operations.execute(id, 0)]);
    expect(line.fleet.world.posts).toEqual([{ kind: 'scan' }]);
  });

  it('send an approved command once', async () => {
    line = await createActingSetup();
    const approval = await line.ask(reboot);
    await line.approve(approval);
    const now = line.clock.now();
    const work = {
      organizationId: ORGANIZATION,
      kind: 'act',
      key: `approval:${approval.id}`,
      dueAt: now,
    } as const;
    const claimed = { ...work, payload: null, attempts: 0, token: 'token' };
    await Promise.all([line.handle(claimed), line.handle(claimed)]);
    expect(line.fleet.world.posts).toEqual([reboot]);
    expect(await line.targetFor(approval)).toMatchObject({ acceptedAt: now });
  });

  it('follow on what one of them would have ended and the other had moved', async () => {
    line = await createActingSetup();
    const approval = await approvedAndSettled();
    line.fleet.clearQueue();
    line.fleet.change({ lastDisconnectTime: line.clock.now() });
    line.fleet.world.holdRead = async () => {
      line.fleet.world.holdRead = async () => {};
      const target = await line.targetFor(approval);
      const queued = { ...target, state: 'queued', queuedAt: line.clock.now() } as const;
      await line.store.operations.replaceTarget('accepted', queued);
    };
    await line.pass(5 * SECOND);
    expect(await line.targetFor(approval)).toMatchObject({ state: 'queued' });
    await line.pass(MINUTE);
    expect(await line.targetFor(approval)).toMatchObject({ state: 'verified' });
  });
});
