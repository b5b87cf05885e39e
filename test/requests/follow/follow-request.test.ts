import { beforeEach, describe, expect, it } from 'vitest';
import { DAY, HOUR, later, MINUTE, SECOND } from '../../../src/lib/clock.ts';
import type { RequestId } from '../../../src/lib/ids.ts';
import type { RequestRecord } from '../../../src/store/port/request-records.ts';
import { anError, DEVICE } from '../fleet-builders.ts';
import { createRequestsSetup, type RequestsSetup } from '../requests-setup.ts';

let line: RequestsSetup;
const failpoints: string[] = [];
beforeEach(async () => {
  failpoints.length = 0;
  line = await createRequestsSetup({ onFailpoint: (name) => void failpoints.push(name) });
});

const reboot = { kind: 'reboot' } as const;

async function approved(command: Parameters<RequestsSetup['ask']>[0]): Promise<RequestRecord> {
  const request = await line.approved(command);
  return request;
}
const stateOf = async (request: RequestRecord) => (await line.targetFor(request)).state;
const revisionOf = async ({ id }: RequestRecord) =>
  (await line.store.cards.get(`approval:${id}`))?.wantedRevision ?? 0;
const nothingDue = async () => (await line.store.work.nextDue()) === null;
/** One look is like the next: those of the days between are left out, as if nothing had run meanwhile. */
const leaveOut = (ms: number) => line.clock.advance(ms);

describe('a reboot', () => {
  it('moves from accepted to verified, each on its evidence, and is then left alone', async () => {
    const request = await approved(reboot);
    const states = [await stateOf(request)];
    await line.pass(5 * SECOND);
    states.push(await stateOf(request));
    line.fleet.answer(0);
    line.fleet.change({ connected: false, lastDisconnectTime: line.clock.now() });
    await line.pass(15 * SECOND);
    states.push(await stateOf(request));
    line.fleet.clearQueue();
    line.fleet.change({ connected: true, uptime: 1, needsReboot: false });
    await line.pass(MINUTE);
    states.push(await stateOf(request));
    expect(states).toEqual(['accepted', 'queued', 'answered', 'verified']);
    expect(line.fleet.world.posts).toEqual([reboot]);
    expect(await nothingDue()).toBe(true);
  });

  it('updates its card at every step and records each in the audit', async () => {
    const request = await approved(reboot);
    const sent = await revisionOf(request);
    await line.pass(5 * SECOND);
    expect(await revisionOf(request)).toBe(sent + 1);
    await line.pass(10 * SECOND);
    expect(await revisionOf(request)).toBe(sent + 1);
    expect(await line.actions()).toEqual([
      'approval.requested',
      'approval.approved',
      'operation.issuing',
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
      'request.recorded',
      'request.decided',
      'target.claimed',
      'target.sent',
      'target.recorded',
      'target.verified',
    ]);
  });

  it('that nothing proves ends after half an hour, and says that it is not confirmed', async () => {
    const request = await approved(reboot);
    line.fleet.clearQueue();
    await line.pass(31 * MINUTE);
    const target = await line.targetFor(request);
    expect(target).toMatchObject({ state: 'not_verified' });
    expect(target.evidence).toContainEqual({ kind: 'unconfirmed' });
    expect(await nothingDue()).toBe(true);
  });

  it('that is not listed once is only looked at again, and is queued on', async () => {
    const request = await approved(reboot);
    await line.pass(5 * SECOND);
    const { queue } = line.fleet.world;
    line.fleet.clearQueue();
    line.fleet.change({ lastDisconnectTime: line.clock.now() });
    await line.pass(6 * SECOND);
    expect(await line.targetFor(request)).toMatchObject({ state: 'queued', missedAt: expect.any(Number) });
    line.fleet.world.queue = queue;
    await line.pass(MINUTE);
    expect(await line.targetFor(request)).toMatchObject({ state: 'queued', missedAt: null });
    line.fleet.clearQueue();
    await line.pass(2 * MINUTE);
    expect(await line.targetFor(request)).toMatchObject({ state: 'answered', response: null });
  });

  it('moves the baseline of the proof while it waits, without updating the card', async () => {
    const request = await approved(reboot);
    await line.pass(5 * SECOND);
    const card = await line.store.cards.get(`approval:${request.id}`);
    line.fleet.change({ lastDisconnectTime: line.clock.now() });
    await line.pass(10 * SECOND);
    const lastDisconnectTime = later(line.clock.now(), -10 * SECOND);
    expect(await line.targetFor(request)).toMatchObject({ state: 'queued', before: { lastDisconnectTime } });
    expect(await line.store.cards.get(`approval:${request.id}`)).toEqual(card);
    line.fleet.answer(0);
    await line.pass(MINUTE);
    expect(await stateOf(request)).toBe('answered');
  });

  it('updates its card when the time until which it is followed moves', async () => {
    const request = await approved(reboot);
    line.fleet.clearQueue();
    await line.pass(2 * MINUTE);
    const [drawn, { state, evidence, issuedAt }] = [await revisionOf(request), await line.targetFor(request)];
    line.fleet.change({ connected: false });
    await line.pass(2 * MINUTE);
    const deadlineAt = later(issuedAt, 7 * DAY);
    expect(await line.targetFor(request)).toMatchObject({ state, evidence, deadlineAt });
    expect(await revisionOf(request)).toBe(drawn + 1);
  });

  it('of a device that goes offline waits for it, and is verified days later', async () => {
    line.fleet.change({ connected: false });
    const request = await approved(reboot);
    await line.pass(HOUR);
    await leaveOut(2 * DAY);
    await line.pass(HOUR);
    const waiting = await line.targetFor(request);
    expect(waiting).toMatchObject({ state: 'queued' });
    expect(waiting.evidence).toMatchObject([{ kind: 'queued', offline: { since: expect.any(Number) } }]);
    line.fleet.change({ connected: true });
    line.fleet.clearQueue();
    await line.requests.noteReturn(DEVICE);
    await line.pass(10 * SECOND);
    expect(await stateOf(request)).toBe('answered');
    line.fleet.change({ lastDisconnectTime: line.clock.now() });
    await line.pass(2 * MINUTE);
    expect(await stateOf(request)).toBe('verified');
  });

  it('of a device that never returns ends after a week', async () => {
    line.fleet.change({ connected: false });
    const request = await approved(reboot);
    await line.pass(HOUR);
    await leaveOut(7 * DAY - 2 * HOUR);
    await line.pass(HOUR - MINUTE);
    expect(await line.targetFor(request)).toMatchObject({ state: 'queued', endedAt: null });
    await line.pass(6 * MINUTE);
    const target = await line.targetFor(request);
    expect(target).toMatchObject({ state: 'not_verified' });
    expect(target.evidence).toMatchObject([{ kind: 'still-queued', offline: {} }]);
    expect(await nothingDue()).toBe(true);
  });

  it('that the service refuses ends at once, certain not to have been carried out', async () => {
    line.fleet.world.fate = 'refuse';
    const request = await approved(reboot);
    expect(await line.targetFor(request)).toMatchObject({
      state: 'refused',
      endedAt: line.clock.now(),
      evidence: [{ kind: 'refused', error: { kind: 'forbidden', status: 403, detail: '', held: null } }],
    });
    expect(await nothingDue()).toBe(true);
  });
});

describe('a patch', () => {
  const patch = { kind: 'patch', packages: ['curl', 'openssl'] } as const;

  it('is verified when every package is installed', async () => {
    const request = await approved(patch);
    line.fleet.clearQueue();
    line.fleet.install('curl');
    await line.pass(MINUTE);
    expect((await line.targetFor(request)).evidence).toContainEqual({
      kind: 'not-installed',
      packages: ['openssl'],
      nameless: null,
    });
    line.fleet.install('openssl');
    await line.pass(MINUTE);
    expect(await line.targetFor(request)).toMatchObject({
      state: 'verified',
      evidence: [{ kind: 'installed', packages: ['curl', 'openssl'] }],
    });
  });

  it('that failed says so in the agent’s words', async () => {
    const request = await approved(patch);
    line.fleet.clearQueue();
    line.fleet.happen({
      patches: [{ name: 'openssl', version: null, displayName: null }],
      failure: 'dpkg: no space left',
    });
    await line.pass(MINUTE);
    const target = await line.targetFor(request);
    expect(target).toMatchObject({ state: 'not_verified' });
    expect(target.evidence).toMatchObject([{ kind: 'install-failed', words: 'dpkg: no space left' }]);
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
  const scanNow = async (): Promise<RequestId> => {
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
      evidence: [{ kind: 'unread', error: { kind: 'unreachable' } }],
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
    expect((await line.targetOf(first)).evidence).toEqual([{ kind: 'gone', thing: 'device' }]);
    line.fleet.world.device = device;
    line.fleet.enqueue({ kind: 'scan' });
    const second = await scanNow();
    expect((await line.targetOf(second)).evidence).toMatchObject([{ kind: 'already-queued' }]);
    expect(line.fleet.world.posts).toEqual([]);
  });
});
