/** Devices that changed between two waves: they are left out, and too many of them return the rest to its approvers. */

import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { FleetAction } from '../../../src/fleet/model/actions.ts';
import { DAY, HOUR, type Instant, later, MINUTE, SECOND } from '../../../src/lib/clock.ts';
import {
  cardKey,
  channelId,
  type DeviceId,
  groupId,
  policyId,
  type RequestId,
} from '../../../src/lib/ids.ts';
import { holdAllRollouts } from '../../../src/requests/decide/hold-rollout.ts';
import { type PlanOptions, planRollout } from '../../../src/rollout/plan.ts';
import { aPolicy, START } from '../../harness/builders.ts';
import { denyThroughWindow } from '../../harness/through-window.ts';
import { anError } from '../fleet-builders.ts';
import { ALICE, BOB, createRequestsSetup, type RequestsSetup, reboot } from '../requests-setup.ts';
import { createRolloutSetup, ONE_THEN_REST, type RolloutSetup } from './rollout-setup.ts';

// Hundreds of devices on a machine that does other work.
vi.setConfig({ testTimeout: 120_000 });

let line: RequestsSetup;

async function begin(
  count: number,
  options: PlanOptions,
  change: (devices: readonly DeviceId[]) => void,
  action: FleetAction = reboot,
) {
  line = await createRequestsSetup({ fleetSize: () => count, typedCountFrom: count + 1 });
  line.world.policies = [aPolicy({ id: policyId(12), name: 'Harden SSH', digest: 'decade' })];
  const devices = line.fleet.addDevices(count - 1);
  const packagesRead = { looked: count, fromList: count, oldest: START };
  const request = await line.record(action, devices, { plan: planRollout(count, options), packagesRead });
  change(devices);
  line.world.reads = [];
  await line.approve(request);
  await line.settle();
  return { id: request.id, devices, request };
}

const reads = (what: string) => line.world.reads.filter((read) => read === what).length;
const requestOf = (id: RequestId) => line.requestNow({ id });
const moved = { groupId: groupId(8) };

describe('a device that changed since its rollout was approved', () => {
  it('is left out, and the others are sent', async () => {
    const { id, devices } = await begin(300, { waves: [] }, ([, second, third]) => {
      line.fleet.change(moved, second);
      line.fleet.change({ connected: false, lastLoggedInUser: 'dave' }, third);
    });
    expect(line.world.postedTo).toHaveLength(299);
    expect(await requestOf(id)).toMatchObject({ counts: { not_sent: 1, accepted: 299 } });
    const [, left] = await line.targetsOf(id);
    const evidence = [{ kind: 'drifted', changes: [{ field: 'groupId' }] }];
    expect(left).toMatchObject({ deviceId: devices[1], state: 'not_sent', evidence });
    // One page instead of one read for each device, and what each claim is compared with.
    expect([reads('devices'), reads('queue')]).toEqual([1, 299]);
  });

  it('and is gone is left out after it was looked for by itself', async () => {
    const { id } = await begin(300, { waves: [] }, () => {
      line.world.device = null;
    });
    const [left] = await line.targetsOf(id);
    expect(left).toMatchObject({ state: 'not_sent', evidence: [{ changes: [{ kind: 'gone' }] }] });
    expect(line.world.postedTo).toHaveLength(299);
  });

  it.each([3, 300])(
    'returns the rollout with too many others to its approvers: %d devices',
    async (count) => {
      const drifted = Math.ceil(count / 3);
      const { id, devices, request } = await begin(count, { waves: [] }, (all) => {
        for (const device of all.slice(0, drifted)) line.fleet.change(moved, device);
      });
      expect(line.world.postedTo).toEqual([]);
      const returned = await requestOf(id);
      expect(returned).toMatchObject({
        state: 'waiting',
        note: { kind: 'drifted', more: Math.max(drifted - 12, 0) },
        approvedBy: BOB,
        rollout: { hold: null, summary: { packagesRead: { fromList: count, oldest: START } } },
        counts: { ready: count },
      });
      expect(returned.seal).not.toBe(request.seal);
      // The card of before approves nothing of this.
      expect(await line.approve(request)).toMatchObject({ refusal: { kind: 'stale-card' } });
      await line.approve(returned);
      await line.settle();
      expect(line.world.postedTo.toSorted()).toEqual(devices.toSorted());
      expect(await requestOf(id)).toMatchObject({ counts: { accepted: count } });
    },
  );

  it.each([3, 300])('says once what changed of the policy of all: %d devices', async (count) => {
    const change = () => {
      line.world.policies = line.world.policies.map((one) => ({ ...one, digest: 'c0ffee' }));
    };
    const action = { kind: 'policy-remediate', policyId: policyId(12) } as const;
    const { id } = await begin(count, { waves: [] }, change, action);
    const changes = [{ field: 'policy.digest', name: 'Harden SSH (#12)' }];
    expect((await requestOf(id)).note).toMatchObject({ changes, more: 0 });
  });

  it('and is gone is not asked for again', async () => {
    const { id } = await begin(3, { waves: [], brake: { kind: 'devices', devices: 1 } }, ([, second]) => {
      line.world.device = null;
      line.fleet.change(moved, second);
    });
    expect(await requestOf(id)).toMatchObject({ state: 'waiting', counts: { not_sent: 1, ready: 2 } });
  });

  it('is found before each wave', async () => {
    const waves = [{ kind: 'devices', devices: 1 }] as const;
    const { id, devices } = await begin(60, { waves }, () => {});
    expect(line.world.postedTo).toEqual(devices.slice(0, 1));
    line.fleet.change(moved, devices[7]);
    line.fleet.change({ lastDisconnectTime: line.clock.now() }, devices[0]);
    line.fleet.clearQueue();
    await line.pass(2 * MINUTE);
    expect(line.world.postedTo).toHaveLength(59);
    expect(await requestOf(id)).toMatchObject({ counts: { not_sent: 1 }, rollout: { wave: 1 } });
  });
});

it('too many changed devices brake a rollout where another request waits for the same', async () => {
  line = await createRequestsSetup({ fleetSize: () => 6, typedCountFrom: 99 });
  const devices = line.fleet.addDevices(5);
  const ask = () => line.record(reboot, devices, { plan: planRollout(6, { waves: [] }) });
  const request = await ask();
  await line.approve(request);
  await ask();
  line.fleet.change(moved, devices[1]);
  await line.settle();
  const rollout = { hold: { kind: 'braked', bad: 1, ended: 6, why: 'drifted' } };
  expect(await requestOf(request.id)).toMatchObject({ rollout, counts: { not_sent: 1, ready: 5 } });
  expect(line.world.postedTo).toEqual([]);
});

describe('a rollout that is returned after its first wave', () => {
  /** One of 40 devices was sent; a quarter of the others moved to another group since. */
  async function returned() {
    const waves = [{ kind: 'devices', devices: 1 }] as const;
    const begun = await begin(40, { waves }, () => {});
    line.fleet.clearQueue();
    line.fleet.change({ lastDisconnectTime: later(line.clock.now(), SECOND) });
    for (const device of begun.devices.slice(1, 11)) line.fleet.change(moved, device);
    await line.pass(2 * MINUTE);
    return { ...begun, rest: await requestOf(begun.id) };
  }

  it('keeps what ran, and counts the rest on its card', async () => {
    const { request, rest } = await returned();
    expect(rest).toMatchObject({
      state: 'waiting',
      counts: { verified: 1, ready: 39 },
      rollout: { wave: 1, hold: null },
    });
    expect(rest.seal).not.toBe(request.seal);
    const groups = rest.rollout?.summary.groups.top ?? [];
    expect(groups.reduce((sum, { devices }) => sum + devices, 0)).toBe(39);
    expect(line.world.postedTo).toHaveLength(1);
    expect(await line.actions()).toContain('approval.sent-back');
  });

  it('goes on with exactly the rest once that is approved', async () => {
    const { id, devices, rest } = await returned();
    await line.approve(rest);
    expect((await requestOf(id)).state).toBe('running');
    await line.settle();
    expect(line.world.postedTo.toSorted()).toEqual(devices.toSorted());
    expect(await requestOf(id)).toMatchObject({ state: 'running', counts: { verified: 1, accepted: 39 } });
  });

  it.each(['deny', 'withdraw'] as const)('is stopped where somebody presses to %s it', async (decision) => {
    const { id, rest } = await returned();
    const by = decision === 'deny' ? BOB : ALICE;
    expect(await line.decide(rest, decision, by)).toMatchObject({ kind: 'decided' });
    await line.settle();
    expect(line.world.postedTo).toHaveLength(1);
    expect(await requestOf(id)).toMatchObject({
      state: 'ended',
      decidedBy: BOB,
      counts: { verified: 1, not_sent: 39 },
      rollout: { hold: { kind: 'stopped', by } },
    });
  });

  it('is stopped with what whoever denied it says', async () => {
    const { id, rest } = await returned();
    const press = { requestId: rest.id, person: BOB, role: 'approver', seal: rest.seal ?? '' } as const;
    await denyThroughWindow(line, { ...press, comment: 'Too risky.' });
    const rollout = { hold: { kind: 'stopped', by: BOB, comment: 'Too risky.' } };
    expect(await requestOf(id)).toMatchObject({ comment: null, rollout });
  });

  it('is stopped where nobody approves it in time', async () => {
    const { id } = await returned();
    await line.pass(31 * MINUTE);
    expect(await requestOf(id)).toMatchObject({
      state: 'ended',
      counts: { verified: 1, not_sent: 39 },
      rollout: { hold: { kind: 'stopped', by: null } },
    });
  });
});

it('what was sent is followed while the rest waits for its approvers', async () => {
  const { id, devices } = await begin(60, { waves: [] }, () => {});
  const now = line.clock.now();
  const request = await requestOf(id);
  // As it stands where devices changed in the middle of a wave.
  await line.store.requests.replace({
    ...request,
    state: 'waiting',
    seal: 'new',
    version: request.version + 1,
  });
  line.fleet.clearQueue();
  line.world.queues = new Map();
  for (const device of devices) line.fleet.change({ lastDisconnectTime: later(now, SECOND) }, device);
  await line.pass(MINUTE);
  expect(await requestOf(id)).toMatchObject({ state: 'waiting', counts: { verified: 60 } });
});

it('a service that cannot be read before a wave is read again, and nothing is sent', async () => {
  const { id } = await begin(60, { waves: [] }, () => {
    line.world.readError = anError('broken', 500);
  });
  expect(line.world.postedTo).toEqual([]);
  await line.pass(5 * MINUTE);
  expect(await requestOf(id)).toMatchObject({ state: 'approved', rollout: { hold: null } });
  line.world.readError = null;
  await line.pass(5 * MINUTE);
  expect(line.world.postedTo).toHaveLength(60);
});

describe('the age of rollouts', () => {
  let line: RolloutSetup;
  let isAwake = true;
  /** Called with each command, before it is sent. */
  let onSend: (() => Promise<void>) | null = null;
  beforeEach(async () => {
    isAwake = true;
    onSend = null;
    line = await createRolloutSetup({
      isAwake: () => isAwake,
      onFailpoint: async (name) => {
        if (name === 'target.claimed') await onSend?.();
      },
    });
  });

  const posted = () => line.posted();
  const rolloutOf = (id: RequestId) => line.rolloutOf(id);
  const holdOf = async (id: RequestId) => (await rolloutOf(id))?.hold?.kind ?? null;
  const goesOffline = (...devices: readonly DeviceId[]) => {
    for (const id of devices) line.fleet.change({ connected: false }, id);
  };
  /** Its canary got its command, and went offline. */
  async function withOfflineCanary(count = 12) {
    const { id, devices } = await line.begin(count, {
      ...ONE_THEN_REST,
      brake: { kind: 'devices', devices: 9 },
    });
    await line.settle();
    goesOffline(...devices.slice(0, 1));
    await line.pass(10 * MINUTE);
    expect(posted()).toEqual(devices.slice(0, 1));
    return { id, devices };
  }

  describe('an approval that ended', () => {
    it('sends nothing though its canary comes back after three days, until an approver continues', async () => {
      const { id, devices } = await withOfflineCanary();
      const since = (await line.requestNow({ id })).decidedAt ?? (0 as Instant);
      await line.pass(3 * DAY);
      const hold = { kind: 'expired', at: later(since, DAY) };
      expect(await rolloutOf(id)).toMatchObject({ hold, endsAt: later(since, DAY) });
      line.restart(...devices.slice(0, 1));
      await line.pass(3 * HOUR);
      expect((await line.requestNow({ id })).counts).toMatchObject({ verified: 1, ready: 11 });
      expect(posted()).toHaveLength(1);
      const expected = { refusal: { kind: 'own-request' } };
      expect(await line.control(id, 'continue', ALICE, 'admin')).toMatchObject(expected);
      const now = line.clock.now();
      expect(await line.control(id, 'continue')).toMatchObject({ kind: 'decided' });
      expect((await rolloutOf(id))?.endsAt).toBe(later(now, DAY));
      await line.pass(MINUTE);
      expect(posted()).toHaveLength(4);
      expect(await line.actions()).toEqual(expect.arrayContaining(['rollout.expired', 'rollout.continued']));
    });

    it('reads the devices again before it goes on: who changed meanwhile is left out', async () => {
      const { id, devices } = await withOfflineCanary();
      await line.pass(2 * DAY);
      line.restart(...devices.slice(0, 1));
      for (const device of devices.slice(1, 3)) line.fleet.change({ osName: 'Other' }, device);
      await line.control(id, 'continue');
      await line.pass(2 * HOUR);
      expect(posted().slice(1)).toEqual(devices.slice(3, 4));
    });

    it.each<[string, number, number]>([
      ['a moment before it', DAY - MINUTE, 4],
      ['at it', DAY, 1],
      ['a moment after it', DAY + SECOND, 1],
    ])('is looked at in the claim: %s', async (_what, ms, sent) => {
      const { id, devices } = await line.begin(5, ONE_THEN_REST);
      await line.settle();
      const since = (await line.requestNow({ id })).decidedAt ?? (0 as Instant);
      line.restart(...devices.slice(0, 1));
      const { rollout, version } = await line.requestNow({ id });
      // Its wave began just now, so that nothing else is too old.
      await line.clock.advance(later(since, ms) - line.clock.now());
      const now = line.clock.now();
      if (rollout === null) throw new Error('no rollout');
      const next = { ...(await line.requestNow({ id })), rollout: { ...rollout, wave: 1, waveFrom: now } };
      expect(await line.store.requests.replace({ ...next, version: version + 1 })).toBe(true);
      await line.run(id);
      expect(posted()).toHaveLength(sent);
      expect(await holdOf(id)).toBe(sent === 1 ? 'expired' : null);
    });

    it('is looked at right before the call: what was claimed in time and held up is not sent', async () => {
      const { id } = await line.begin(2, { waves: [] });
      onSend = () => line.clock.advance(DAY);
      await line.run(id);
      expect(posted()).toEqual([]);
      onSend = null;
      await line.pass(HOUR);
      expect(posted()).toEqual([]);
      expect((await line.requestNow({ id })).counts).toMatchObject({ ready: 2 });
      expect(await holdOf(id)).toBe('expired');
    });
  });

  describe('a rollout that is held for seven days', () => {
    it('ends with what was not sent, follows the rest, and tells its people', async () => {
      const { id, devices } = await line.begin(5, { ...ONE_THEN_REST, gate: 'manual' });
      await line.settle();
      line.restart(...devices.slice(0, 1));
      await line.pass(7 * DAY - HOUR);
      expect(await holdOf(id)).toBe('gate');
      await line.pass(2 * HOUR);
      expect(await line.requestNow({ id })).toMatchObject({
        state: 'ended',
        counts: { verified: 1, not_sent: 4 },
        rollout: { hold: { kind: 'stopped', by: null, why: 'unresumed' } },
      });
      const { rollout } = await line.requestNow({ id });
      for (const key of [
        cardKey('told', cardKey('approval', id)),
        cardKey('returned', `${id}.${rollout?.hold?.at}`, channelId(BOB)),
      ])
        expect(await line.store.cards.get(key)).not.toBeNull();
      expect(posted()).toHaveLength(1);
    });

    it('whatever holds it, and also where a device fails meanwhile', async () => {
      const { id } = await withOfflineCanary();
      // Its canary is given up after a week, and the approval had ended after a day.
      await line.pass(7 * DAY + HOUR);
      expect(await holdOf(id)).toBe('braked');
      await line.pass(DAY);
      const counts = { not_verified: 1, not_sent: 11 };
      expect(await line.requestNow({ id })).toMatchObject({ state: 'ended', counts });
    });
  });

  describe('a rollout that waits only for offline devices', () => {
    it.each([
      ['before', 0],
      ['after', 3],
    ])(
      'is continued without them by an approver %s its approval ended, and they are followed',
      async (_when, days) => {
        const { id, devices } = await withOfflineCanary();
        await line.pass(days * DAY);
        const press = (person = BOB) => line.control(id, 'continue-without', person);
        expect(await press(ALICE)).toMatchObject({ refusal: { kind: 'own-request' } });
        expect(await press()).toMatchObject({ kind: 'decided' });
        await line.pass(MINUTE);
        expect(posted()).toHaveLength(4);
        // Now it waits for others, too.
        expect(await press()).toMatchObject({ refusal: { kind: 'rollout-is', standing: 'running' } });
        line.restart(...devices.slice(0, 4));
        await line.pass(2 * HOUR);
        expect(await line.store.requests.waveCounts(id)).toMatchObject([
          { verified: 1 },
          { verified: 3 },
          {},
        ]);
      },
    );

    it('is not continued without devices that may still answer', async () => {
      const { id } = await line.begin(5, ONE_THEN_REST);
      await line.settle();
      for (const control of ['continue-without', 'close'] as const)
        expect(await line.control(id, control)).toMatchObject({ refusal: { kind: 'rollout-is' } });
    });

    it.each([
      ['its requester', ALICE, 'operator'],
      ['an approver', BOB, 'approver'],
    ] as const)(
      'is closed by %s: who has the command is not verified, the others got nothing',
      async (...by) => {
        const [, person, role] = by;
        const { id, devices } = await withOfflineCanary();
        expect(await line.control(id, 'close', person, role)).toMatchObject({ kind: 'decided' });
        const { state, counts, rollout } = await line.requestNow({ id });
        const expected = { state: 'ended', counts: { not_verified: 1, may_run: 1, not_sent: 11 } };
        expect({ state, counts }).toEqual(expected);
        expect(rollout?.hold).toMatchObject({ kind: 'stopped', by: person, why: 'closed' });
        expect(await line.targetOf(id)).toMatchObject({ evidence: [{ kind: 'still-queued' }] });
        line.restart(...devices.slice(0, 1));
        await line.pass(DAY);
        expect(posted()).toHaveLength(1);
      },
    );

    it('is closed when all of it was sent, too', async () => {
      const { id, devices } = await line.begin(2, { waves: [] });
      await line.settle();
      line.restart(...devices.slice(0, 1));
      goesOffline(...devices.slice(1));
      await line.pass(HOUR);
      expect(await line.control(id, 'close')).toMatchObject({ kind: 'decided' });
      const counts = { verified: 1, not_verified: 1 };
      expect(await line.requestNow({ id })).toMatchObject({ state: 'ended', counts });
    });
  });

  describe('Patchbay that was away', () => {
    const away = () => {
      const at = line.clock.now();
      const hold = { kind: 'away', from: later(at, -DAY), at } as const;
      return line.store.transaction((tables) => holdAllRollouts(tables, hold, { now: at }));
    };

    it('holds what would go on, also where the next wave is not due yet', async () => {
      const { id, devices } = await line.begin(5, { ...ONE_THEN_REST, waitMs: HOUR });
      await line.settle();
      line.restart(...devices.slice(0, 1));
      await line.pass(10 * MINUTE);
      await away();
      await line.pass(10 * HOUR);
      expect(posted()).toHaveLength(1);
      expect(await holdOf(id)).toBe('away');
      await line.control(id, 'continue');
      await line.pass(MINUTE);
      expect(posted()).toHaveLength(4);
    });

    it('leaves what waits for somebody anyway, and what was all sent', async () => {
      const gate = await line.begin(5, { ...ONE_THEN_REST, gate: 'manual' });
      await line.settle();
      line.restart(...gate.devices.slice(0, 1));
      await line.pass(10 * MINUTE);
      await away();
      expect(await holdOf(gate.id)).toBe('gate');
    });

    it('claims nothing of a rollout before it knows', async () => {
      const { id } = await line.begin(5, { waves: [] });
      isAwake = false;
      await line.run(id);
      expect(posted()).toEqual([]);
      isAwake = true;
      await line.pass(MINUTE);
      expect(posted()).toHaveLength(5);
    });
  });
});
