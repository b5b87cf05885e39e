import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DAY, HOUR, later, MINUTE, SECOND } from '../../../src/lib/clock.ts';
import type { OperationId } from '../../../src/lib/ids.ts';
import type { ApprovalRecord } from '../../../src/store/port/records.ts';
import { type ActingSetup, createActingSetup } from '../acting-setup.ts';
import { anError } from '../simulated-fleet.ts';

let line: ActingSetup;
const failpoints: string[] = [];
beforeEach(async () => {
  failpoints.length = 0;
  line = await createActingSetup({ onFailpoint: (name) => void failpoints.push(name) });
});
afterEach(() => line.close());

const reboot = { kind: 'reboot' } as const;

async function approved(command: Parameters<ActingSetup['ask']>[0]): Promise<ApprovalRecord> {
  const approval = await line.ask(command);
  await line.approve(approval);
  await line.settle();
  return approval;
}
const stateOf = async (approval: ApprovalRecord) => (await line.targetFor(approval)).state;
const nothingDue = async () => (await line.store.work.nextDue()) === null;

describe('a reboot', () => {
  it('moves from accepted to verified, each on its evidence, and is then left alone', async () => {
    const approval = await approved(reboot);
    const states = [await stateOf(approval)];
    await line.pass(5 * SECOND);
    states.push(await stateOf(approval));
    line.fleet.answer(0);
    line.fleet.change({ connected: false, lastDisconnectTime: line.clock.now() });
    await line.pass(15 * SECOND);
    states.push(await stateOf(approval));
    line.fleet.clearQueue();
    line.fleet.change({ connected: true, uptime: 1, needsReboot: false });
    await line.pass(MINUTE);
    states.push(await stateOf(approval));
    expect(states).toEqual(['accepted', 'queued', 'answered', 'verified']);
    expect(line.fleet.world.posts).toEqual([reboot]);
    expect(await nothingDue()).toBe(true);
  });

  it('updates its card at every step and records each in the audit', async () => {
    const approval = await approved(reboot);
    const revision = async () => (await line.store.cards.get(`approval:${approval.id}`))?.wantedRevision ?? 0;
    const sent = await revision();
    await line.pass(5 * SECOND);
    expect(await revision()).toBe(sent + 1);
    await line.pass(10 * SECOND);
    expect(await revision()).toBe(sent + 1);
    expect(await line.actions()).toEqual([
      'approval.requested',
      'approval.approved',
      'operation.issuing',
      'approval.claimed',
      'operation.accepted',
      'operation.queued',
    ]);
  });

  it('names its steps in order, each after its commit', async () => {
    await approved(reboot);
    line.fleet.clearQueue();
    line.fleet.change({ lastDisconnectTime: line.clock.now() });
    await line.pass(MINUTE);
    expect(failpoints).toEqual([
      'approval.recorded',
      'approval.decided',
      'operation.claimed',
      'operation.sent',
      'operation.accepted',
      'operation.verified',
    ]);
  });

  it('that nothing proves ends after half an hour in plain words', async () => {
    const approval = await approved(reboot);
    line.fleet.clearQueue();
    await line.pass(31 * MINUTE);
    const target = await line.targetFor(approval);
    expect(target).toMatchObject({ state: 'not_verified' });
    expect(target.evidence).toContain('Couldn’t confirm that it ran.');
    expect(await nothingDue()).toBe(true);
  });

  it('that is not listed once is only looked at again, and is queued on', async () => {
    const approval = await approved(reboot);
    await line.pass(5 * SECOND);
    const { queue } = line.fleet.world;
    line.fleet.clearQueue();
    line.fleet.change({ lastDisconnectTime: line.clock.now() });
    await line.pass(6 * SECOND);
    expect(await line.targetFor(approval)).toMatchObject({ state: 'queued', missedAt: expect.any(Number) });
    line.fleet.world.queue = queue;
    await line.pass(MINUTE);
    expect(await line.targetFor(approval)).toMatchObject({ state: 'queued', missedAt: null });
    line.fleet.clearQueue();
    await line.pass(2 * MINUTE);
    expect(await line.targetFor(approval)).toMatchObject({ state: 'answered', response: null });
  });

  it('moves the baseline of the proof while it waits, without updating the card', async () => {
    const approval = await approved(reboot);
    await line.pass(5 * SECOND);
    const card = await line.store.cards.get(`approval:${approval.id}`);
    line.fleet.change({ lastDisconnectTime: line.clock.now() });
    await line.pass(10 * SECOND);
    const lastDisconnectTime = later(line.clock.now(), -10 * SECOND);
    expect(await line.targetFor(approval)).toMatchObject({ state: 'queued', before: { lastDisconnectTime } });
    expect(await line.store.cards.get(`approval:${approval.id}`)).toEqual(card);
    line.fleet.answer(0);
    await line.pass(MINUTE);
    expect(await stateOf(approval)).toBe('answered');
  });

  it('of a device that goes offline waits for it, and is verified days later', async () => {
    line.fleet.change({ connected: false });
    const approval = await approved(reboot);
    await line.pass(2 * DAY);
    const waiting = await line.targetFor(approval);
    expect(waiting).toMatchObject({ state: 'queued' });
    expect(waiting.evidence).toContain('runs the command as soon as it’s back online');
    line.fleet.change({ connected: true });
    line.fleet.clearQueue();
    await line.pass(6 * MINUTE);
    expect(await stateOf(approval)).toBe('answered');
    line.fleet.change({ lastDisconnectTime: line.clock.now() });
    await line.pass(2 * MINUTE);
    expect(await stateOf(approval)).toBe('verified');
  });

  it('of a device that never returns ends after a week', async () => {
    line.fleet.change({ connected: false });
    const approval = await approved(reboot);
    await line.pass(7 * DAY + HOUR);
    const target = await line.targetFor(approval);
    expect(target).toMatchObject({ state: 'not_verified' });
    expect(target.evidence).toContain('it may still run');
  });

  it('that the service refuses ends at once, certain not to have been carried out', async () => {
    line.fleet.world.fate = 'refuse';
    const approval = await approved(reboot);
    expect(await line.targetFor(approval)).toMatchObject({
      state: 'refused',
      endedAt: line.clock.now(),
      evidence:
        'The management service did not accept the command. Nothing was changed. Cause: the management service does not allow this, or the target no longer exists (HTTP 403).',
    });
    expect(await nothingDue()).toBe(true);
  });
});

describe('a patch', () => {
  const patch = { kind: 'patch', packages: ['curl', 'openssl'] } as const;

  it('is verified when every package is installed', async () => {
    const approval = await approved(patch);
    line.fleet.clearQueue();
    line.fleet.install('curl');
    await line.pass(MINUTE);
    expect((await line.targetFor(approval)).evidence).toContain('Not installed yet: openssl.');
    line.fleet.install('openssl');
    await line.pass(MINUTE);
    expect(await line.targetFor(approval)).toMatchObject({
      state: 'verified',
      evidence: 'All 2 packages are installed.',
    });
  });

  it('that failed says so in the agent’s words', async () => {
    const approval = await approved(patch);
    line.fleet.clearQueue();
    line.fleet.happen({
      patches: [{ name: 'openssl', version: null, displayName: null }],
      failure: 'dpkg: no space left',
    });
    await line.pass(MINUTE);
    const target = await line.targetFor(approval);
    expect(target).toMatchObject({ state: 'not_verified' });
    expect(target.evidence).toContain('“dpkg: no space left”');
  });

  it('reads packages and events only when it no longer waits in the queue', async () => {
    await approved(patch);
    line.fleet.world.reads = [];
    await line.pass(5 * SECOND);
    expect(line.fleet.world.reads).toEqual(['device', 'queue']);
    line.fleet.answer(0);
    await line.pass(5 * SECOND);
    expect(line.fleet.world.reads.slice(2)).toEqual(['device', 'queue entry', 'packages', 'events']);
  });
});

describe('a scan', () => {
  const scanNow = async (): Promise<OperationId> => {
    const id = await line.start({ kind: 'scan' });
    await line.settle();
    return id;
  };

  it('runs at once and is verified by the refresh time', async () => {
    const id = await scanNow();
    expect(await line.targetOf(id)).toMatchObject({ state: 'accepted' });
    line.fleet.answer(0);
    line.fleet.change({ lastRefreshTime: line.clock.now() });
    await line.pass(5 * SECOND);
    expect(await line.targetOf(id)).toMatchObject({ state: 'verified', before: { connected: true } });
    expect(await line.store.cards.get(`operation:${id}`)).toMatchObject({ wantedRevision: 4 });
    expect(line.fleet.world.posts).toEqual([{ kind: 'scan' }]);
  });

  it('waits for a service that cannot be read until it is too late, then says that nothing was sent', async () => {
    const id = await line.start({ kind: 'scan' });
    line.fleet.world.readError = anError('unreachable', null);
    await line.pass(15 * MINUTE - 2 * SECOND);
    expect(await line.targetOf(id)).toMatchObject({ state: 'ready' });
    await line.pass(SECOND);
    expect(await line.targetOf(id)).toMatchObject({
      state: 'not_sent',
      evidence:
        'Not sent: too late. It could not be checked in time, because the management service could not be reached.',
    });
    line.fleet.world.readError = null;
    await line.pass(HOUR);
    expect(line.fleet.world.posts).toEqual([]);
  });

  it('is not sent to a device that is gone, nor beside one that waits already', async () => {
    const first = await line.start({ kind: 'scan' });
    const { device } = line.fleet.world;
    line.fleet.world.device = null;
    await line.settle();
    expect(await line.targetOf(first)).toMatchObject({
      evidence: expect.stringContaining('no longer exists in the management service'),
      endCause: 'gone',
    });
    line.fleet.world.device = device;
    line.fleet.enqueue({ kind: 'scan' });
    const second = await scanNow();
    expect((await line.targetOf(second)).evidence).toContain('already in the device’s queue');
    expect(line.fleet.world.posts).toEqual([]);
  });
});

describe('a service that goes down while a command is followed', () => {
  it('is asked less and less, and the command keeps its state until it returns', async () => {
    const approval = await approved(reboot);
    await line.pass(5 * SECOND);
    line.fleet.world.readError = anError('unreachable', null);
    line.fleet.world.reads = [];
    await line.pass(HOUR);
    expect(await stateOf(approval)).toBe('queued');
    expect(line.fleet.world.reads.length).toBeLessThan(25);
    line.fleet.world.readError = null;
    line.fleet.clearQueue();
    line.fleet.change({ lastDisconnectTime: line.clock.now() });
    await line.pass(6 * MINUTE);
    expect(await stateOf(approval)).toBe('verified');
  });

  it('pauses by the failures in a row, however often it was looked at before', async () => {
    await approved(reboot);
    await line.pass(10 * MINUTE);
    for (let round = 1; round <= 2; round += 1) {
      line.fleet.world.readError = anError('unreachable', null);
      line.fleet.world.reads = [];
      await line.pass(90 * SECOND);
      const failed = line.fleet.world.reads.length;
      expect(failed).toBeGreaterThan(2);
      line.fleet.world.readError = null;
      await line.pass(2 * MINUTE);
    }
  });

  it('for more than a week ends the following in plain words', async () => {
    const approval = await approved(reboot);
    line.fleet.world.readError = anError('unreachable', null);
    await line.pass(7 * DAY + HOUR);
    const target = await line.targetFor(approval);
    expect(target).toMatchObject({ state: 'not_verified' });
    expect(target.evidence).toContain('The outcome is unknown');
    expect(await nothingDue()).toBe(true);
  });
});
