import { beforeEach, describe, expect, it } from 'vitest';
import { DAY, HOUR, later, MINUTE, SECOND } from '../../../src/lib/clock.ts';
import type { RequestId } from '../../../src/lib/ids.ts';
import type { RequestRecord } from '../../../src/store/port/request-records.ts';
import { relativeDate } from '../../../src/views/kit/timestamps.ts';
import { renderView } from '../../../src/views/views.ts';
import { aStartedRequest } from '../../harness/records.ts';
import { madePerTest } from '../../harness/use-started.ts';
import { renderedText } from '../../views/rendered-text.ts';
import { anError, DEVICE } from '../fleet-builders.ts';
import { createRequestsSetup, type RequestsSetup, reboot, scan } from '../requests-setup.ts';

describe('following a request', () => {
  let line: RequestsSetup;
  const failpoints: string[] = [];
  beforeEach(async () => {
    failpoints.length = 0;
    line = await createRequestsSetup({ onFailpoint: (name) => void failpoints.push(name) });
  });

  const stateOf = async (request: RequestRecord) => (await line.targetFor(request)).state;
  const revisionOf = async ({ id }: RequestRecord) =>
    (await line.store.cards.get(`approval:${id}`))?.wantedRevision ?? 0;
  const nothingDue = async () => (await line.store.work.nextDue()) === null;
  /** One look is like the next: those of the days between are left out, as if nothing had run meanwhile. */
  const leaveOut = (ms: number) => line.clock.advance(ms);

  describe('a reboot', () => {
    it('moves from accepted to verified, each on its evidence, and is then left alone', async () => {
      const request = await line.approved(reboot);
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
      expect(line.world.posts).toEqual([reboot]);
      expect(await nothingDue()).toBe(true);
    });

    it('updates its card at every step and records each in the audit', async () => {
      const request = await line.approved(reboot);
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
      await line.approved(reboot);
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
      const request = await line.approved(reboot);
      line.fleet.clearQueue();
      await line.pass(31 * MINUTE);
      const target = await line.targetFor(request);
      expect(target).toMatchObject({ state: 'not_verified' });
      expect(target.evidence).toContainEqual({ kind: 'unconfirmed' });
      expect(await nothingDue()).toBe(true);
    });

    it('that is not listed once is only looked at again, and is queued on', async () => {
      const request = await line.approved(reboot);
      await line.pass(5 * SECOND);
      const { queue } = line.world;
      line.fleet.clearQueue();
      line.fleet.change({ lastDisconnectTime: line.clock.now() });
      await line.pass(6 * SECOND);
      expect(await line.targetFor(request)).toMatchObject({ state: 'queued', missedAt: expect.any(Number) });
      line.world.queue = queue;
      await line.pass(MINUTE);
      expect(await line.targetFor(request)).toMatchObject({ state: 'queued', missedAt: null });
      line.fleet.clearQueue();
      await line.pass(2 * MINUTE);
      expect(await line.targetFor(request)).toMatchObject({ state: 'answered', response: null });
    });

    it('moves the baseline of the proof while it waits, without updating the card', async () => {
      const request = await line.approved(reboot);
      await line.pass(5 * SECOND);
      const card = await line.store.cards.get(`approval:${request.id}`);
      line.fleet.change({ lastDisconnectTime: line.clock.now() });
      await line.pass(10 * SECOND);
      const lastDisconnectTime = later(line.clock.now(), -10 * SECOND);
      const before = { lastDisconnectTime };
      expect(await line.targetFor(request)).toMatchObject({ state: 'queued', before });
      expect(await line.store.cards.get(`approval:${request.id}`)).toEqual(card);
      line.fleet.answer(0);
      await line.pass(MINUTE);
      expect(await stateOf(request)).toBe('answered');
    });

    it('updates its card when the time until which it is followed moves', async () => {
      const request = await line.approved(reboot);
      line.fleet.clearQueue();
      await line.pass(2 * MINUTE);
      const [drawn, { state, evidence, issuedAt }] = [
        await revisionOf(request),
        await line.targetFor(request),
      ];
      line.fleet.change({ connected: false });
      await line.pass(2 * MINUTE);
      const deadlineAt = later(issuedAt, 7 * DAY);
      expect(await line.targetFor(request)).toMatchObject({ state, evidence, deadlineAt });
      expect(await revisionOf(request)).toBe(drawn + 1);
    });

    it('of a device that goes offline waits for it, and is verified days later', async () => {
      line.fleet.change({ connected: false });
      const request = await line.approved(reboot);
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
      const request = await line.approved(reboot);
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
      line.world.fate = 'refuse';
      const request = await line.approved(reboot);
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
      const request = await line.approved(patch);
      line.fleet.clearQueue();
      line.fleet.install('curl');
      await line.pass(MINUTE);
      const expected = { kind: 'not-installed', packages: ['openssl'], nameless: null };
      expect((await line.targetFor(request)).evidence).toContainEqual(expected);
      line.fleet.install('openssl');
      await line.pass(MINUTE);
      const evidence = [{ kind: 'installed', packages: ['curl', 'openssl'] }];
      expect(await line.targetFor(request)).toMatchObject({ state: 'verified', evidence });
    });

    it('that failed says so in the agent’s words', async () => {
      const request = await line.approved(patch);
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
      await line.approved(patch);
      line.world.reads = [];
      await line.pass(5 * SECOND);
      expect(line.world.reads).toEqual(['device', 'queue']);
      line.fleet.answer(0);
      await line.pass(5 * SECOND);
      expect(line.world.reads.slice(2)).toEqual(['device', 'queue entry', 'packages', 'events']);
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
      expect(line.world.posts).toEqual([{ kind: 'scan' }]);
    });

    it('waits for a service that cannot be read until it is too late, then says that nothing was sent', async () => {
      const id = await line.start({ kind: 'scan' });
      line.world.readError = anError('unreachable', null);
      await line.pass(15 * MINUTE - 2 * SECOND);
      expect(await line.targetOf(id)).toMatchObject({ state: 'ready' });
      await line.pass(SECOND);
      const evidence = [{ kind: 'unread', error: { kind: 'unreachable' } }];
      expect(await line.targetOf(id)).toMatchObject({ state: 'not_sent', evidence });
      line.world.readError = null;
      await line.pass(HOUR);
      expect(line.world.posts).toEqual([]);
    });

    it('is not sent to a device that is gone, nor beside one that waits already', async () => {
      const first = await line.start({ kind: 'scan' });
      const { device } = line.world;
      line.world.device = null;
      await line.settle();
      expect((await line.targetOf(first)).evidence).toEqual([{ kind: 'gone', thing: 'device' }]);
      line.world.device = device;
      line.fleet.enqueue({ kind: 'scan' });
      const second = await scanNow();
      expect((await line.targetOf(second)).evidence).toMatchObject([{ kind: 'already-queued' }]);
      expect(line.world.posts).toEqual([]);
    });
  });
});

const patch = { kind: 'patch', packages: ['openssl'] } as const;

const line = madePerTest(createRequestsSetup);

describe('a command', () => {
  it('is read alone once its entry is known, and tells its answer after it left the list', async () => {
    const request = await line.approved(reboot);
    await line.pass(5 * SECOND);
    line.world.reads = [];
    line.fleet.answer(3);
    line.fleet.leaveList();
    await line.pass(15 * SECOND);
    expect(new Set(line.world.reads)).toEqual(new Set(['device', 'queue entry']));
    const target = await line.targetFor(request);
    expect(target).toMatchObject({ state: 'answered', response: 'exit code 3' });
    expect(target.evidence[0]).toEqual({ kind: 'answered', exitCode: 3 });
    expect(JSON.stringify(target)).not.toContain('hunter2');
  });

  it('notifies the packages cache of the change, when it ended', async () => {
    await line.approved(patch);
    await line.pass(5 * SECOND);
    expect(line.learned).toEqual([]);
    line.fleet.answer(0);
    line.fleet.install(...patch.packages);
    await line.pass(MINUTE);
    const [device, packages] = line.learned;
    expect(device).toBe('device 42');
    expect(packages).toMatch(/^packages of 42 at \d+$/);
  });
});

/** What no list shows. */
const edit = { kind: 'device-edit', change: { exception: true } } as const;

describe('a request for many devices', () => {
  it('reads one device when one target is due', async () => {
    const devices = line.fleet.addDevices(9);
    const id = await line.start(scan, devices);
    await line.settle();
    const nextAt = later(line.clock.now(), 10 * MINUTE);
    const moves = (await line.targetsOf(id))
      .filter(({ deviceId }) => deviceId !== devices[7])
      .map((target) => ({ from: 'accepted' as const, next: { ...target, nextAt } }));
    await line.store.targets.move(id, moves);
    line.world.readDevices = [];
    line.world.reads = [];
    await line.pass(5 * SECOND);
    expect(line.world.readDevices).toEqual([devices[7]]);
    expect(line.world.reads).toEqual(['device', 'queue']);
  });

  it('reads all devices when more are due than one run reads', async () => {
    const devices = line.fleet.addDevices(44);
    const request = await line.ask(edit, devices);
    await line.approve(request);
    const { id } = request;
    const nextAt = line.clock.now();
    const sent = (await line.targetsOf(id)).map((target) => ({
      ...target,
      state: 'unknown' as const,
      nextAt,
    }));
    await line.store.targets.move(
      id,
      sent.map((next) => ({ from: 'ready', next })),
    );
    await line.store.work.put({ kind: 'follow', key: id, dueAt: nextAt });
    await line.settle();
    const looked = (await line.targetsOf(id)).filter((target) => target.nextAt !== nextAt);
    expect(looked).toHaveLength(devices.length);
  });

  it('reads nothing between two looks or after the end', async () => {
    const [first] = line.fleet.addDevices(2);
    const id = await line.start(scan);
    await line.pass(5 * SECOND);
    line.fleet.answer(0);
    line.fleet.change({ lastRefreshTime: line.clock.now() }, first);
    await line.pass(5 * SECOND);
    expect(await line.targetOf(id)).toMatchObject({ state: 'verified', nextAt: null });
    line.world.reads = [];
    await line.pass(60 * MINUTE);
    expect(line.world.reads).toEqual([]);
  });
});

async function aReboot(): Promise<RequestRecord> {
  const request = await line.approved({ kind: 'reboot' });
  return request;
}

describe('a service that goes down while a command is followed', () => {
  it('is asked less and less, and the command keeps its state until it returns', async () => {
    const request = await aReboot();
    await line.pass(5 * SECOND);
    line.world.readError = anError('unreachable', null);
    line.world.reads = [];
    await line.pass(HOUR);
    expect((await line.targetFor(request)).state).toBe('queued');
    expect(line.world.reads.length).toBeLessThan(25);
    line.world.readError = null;
    line.fleet.clearQueue();
    line.fleet.change({ lastDisconnectTime: line.clock.now() });
    await line.pass(6 * MINUTE);
    expect((await line.targetFor(request)).state).toBe('verified');
  });

  it('pauses by the failures in a row, however often it was looked at before', async () => {
    await aReboot();
    await line.pass(10 * MINUTE);
    for (let round = 1; round <= 2; round += 1) {
      line.world.readError = anError('unreachable', null);
      line.world.reads = [];
      await line.pass(90 * SECOND);
      const failed = line.world.reads.length;
      expect(failed).toBeGreaterThan(2);
      line.world.readError = null;
      await line.pass(2 * MINUTE);
    }
  });

  it('past its deadline says on the card that the check is late, and no longer until when', async () => {
    const request = await aReboot();
    await line.pass(5 * SECOND);
    line.world.readError = anError('unreachable', null);
    await line.pass(31 * MINUTE);
    const { deadlineAt, evidence } = await line.targetFor(request);
    expect(evidence).toMatchObject([
      { kind: 'queued' },
      { kind: 'check-late', error: { kind: 'unreachable' } },
    ]);
    const targets = [await line.targetFor(request)];
    const view = { kind: 'request', request: aStartedRequest({ targets }) } as const;
    const shown = renderedText(renderView(view));
    expect(shown).toContain('The check is late, because');
    expect(shown).not.toContain(relativeDate(deadlineAt));
    line.world.readError = null;
    await line.pass(6 * MINUTE);
    expect((await line.targetFor(request)).evidence).toMatchObject([{ kind: 'still-queued' }]);
  });

  it('for more than a week ends the following, and says why', async () => {
    const request = await aReboot();
    line.world.readError = anError('unreachable', null);
    await line.pass(HOUR);
    // One try is like the next: those of the days between are left out, as if nothing had run meanwhile.
    await line.clock.advance(7 * DAY - 2 * HOUR);
    await line.pass(HOUR - MINUTE);
    expect(await line.targetFor(request)).toMatchObject({ state: 'accepted', endedAt: null });
    await line.pass(6 * MINUTE);
    const target = await line.targetFor(request);
    expect(target).toMatchObject({ state: 'not_verified' });
    expect(target.evidence).toMatchObject([{ kind: 'unread-to-the-end', error: { kind: 'unreachable' } }]);
    expect(await line.store.work.nextDue()).toBeNull();
  });
});
