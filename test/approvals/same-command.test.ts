/** One command of a kind per device at a time: one in its queue or in flight ends the second. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { later, MINUTE, SECOND } from '../../src/lib/clock.ts';
import { timePlaceholder } from '../../src/operations/evidence-text.ts';
import { type ActingSetup, createActingSetup } from '../operations/acting-setup.ts';

let line: ActingSetup;

beforeEach(async () => {
  line = await createActingSetup();
});

afterEach(() => line.close());
const reboot = { kind: 'reboot' } as const;
const patch = { kind: 'patch', packages: ['openssl'] } as const;

describe('the same command already in the queue', () => {
  it('ends the request: nothing is sent, and the card says why', async () => {
    const approval = await line.approveAfter(() => line.fleet.enqueue(reboot));
    expect(await line.targetFor(approval)).toMatchObject({
      state: 'not_sent',
      acceptedAt: null,
      endedAt: line.clock.now(),
      evidence: 'Not sent: the same command is already in the device’s queue. A second one would also run.',
    });
    await line.pass(60 * MINUTE);
    expect(line.fleet.world.posts).toEqual([]);
  });

  it('does not stop a command when the one in the queue was answered already', async () => {
    await line.approveAfter(() => line.fleet.enqueue(reboot, { responseTime: later(line.clock.now(), -1) }));
    expect(line.fleet.world.posts).toEqual([reboot]);
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
    const second = await line.ask(reboot);
    await line.approve(second);
    await line.settle();
    expect(await line.targetFor(second)).toMatchObject({
      state: 'not_sent',
      acceptedAt: null,
      endedAt: line.clock.now(),
      evidence: `Not sent: another reboot of this device has been in progress since ${timePlaceholder(line.clock.now())}. A second one would also run.`,
    });
    release();
    await sending;
    await line.pass(60 * MINUTE);
    expect(line.fleet.world.posts).toEqual([reboot]);
  });

  it('also ends a second scan, which needs no approval', async () => {
    const { reached, release } = heldPost();
    await line.start({ kind: 'scan' });
    const sending = line.settle();
    await reached;
    const second = await line.start({ kind: 'scan' });
    await line.settle();
    expect((await line.targetOf(second)).evidence).toContain('another scan of this device');
    release();
    await sending;
    expect(line.fleet.world.posts).toEqual([{ kind: 'scan' }]);
  });

  it('ends one of two that are claimed at the very same time', async () => {
    const approvals = [await line.ask(reboot), await line.ask(patch)];
    const scans = [await line.start({ kind: 'scan' }), await line.start({ kind: 'scan' })];
    for (const approval of approvals) await line.approve(approval);
    await Promise.all(scans.map((id) => line.operations.execute(id, 0)));
    await line.settle();
    const states = await Promise.all(scans.map(async (id) => (await line.targetOf(id)).state));
    expect(states.toSorted()).toEqual(['accepted', 'not_sent']);
    expect(line.fleet.world.posts).toEqual([{ kind: 'scan' }, reboot, patch]);
  });

  it('is one that the device accepted and has not proved yet', async () => {
    const first = await line.approveAfter(() => {});
    await line.pass(5 * SECOND);
    line.fleet.answer(0);
    await line.pass(10 * SECOND);
    expect(await line.targetFor(first)).toMatchObject({ state: 'answered', endedAt: null });
    line.fleet.clearQueue();
    const second = await line.approveAfter(() => {});
    expect((await line.targetFor(second)).evidence).toContain(
      'another reboot of this device has been in progress',
    );
    expect(line.fleet.world.posts).toEqual([reboot]);
    await line.pass(31 * MINUTE);
    await line.approveAfter(() => {});
    expect(line.fleet.world.posts).toEqual([reboot, reboot]);
  });

  it('is not one whose answer was lost and that we stopped looking for', async () => {
    line.fleet.world.fate = 'lost-before';
    await line.approveAfter(() => {});
    await line.pass(10 * MINUTE);
    const early = await line.approveAfter(() => {});
    expect((await line.targetFor(early)).evidence).toContain('in progress since');
    await line.pass(21 * MINUTE);
    const late = await line.approveAfter(() => {});
    expect(await line.targetFor(late)).toMatchObject({ state: 'unknown' });
    expect(line.fleet.world.posts).toEqual([reboot, reboot]);
  });
});
