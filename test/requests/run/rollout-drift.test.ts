/** Devices that changed between two waves: they are left out, and too many of them return the rest to its approvers. */
import { describe, expect, it, vi } from 'vitest';
import type { FleetAction } from '../../../src/fleet/model/actions.ts';
import { later, MINUTE, SECOND } from '../../../src/lib/clock.ts';
import { type DeviceId, groupId, policyId, type RequestId } from '../../../src/lib/ids.ts';
import { type PlanOptions, planRollout } from '../../../src/rollout/plan.ts';
import { aPolicy, START } from '../../harness/builders.ts';
import { denyThroughWindow } from '../../harness/through-window.ts';
import { anError } from '../fleet-builders.ts';
import { ALICE, BOB, createRequestsSetup, type RequestsSetup } from '../requests-setup.ts';

const reboot = { kind: 'reboot' } as const;

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
  line.fleet.world.policies = [aPolicy({ id: policyId(12), name: 'Harden SSH', digest: 'decade' })];
  const devices = line.fleet.addDevices(count - 1);
  const packagesRead = { looked: count, fromList: count, oldest: START };
  const request = await line.record(action, devices, { plan: planRollout(count, options), packagesRead });
  change(devices);
  line.fleet.world.reads = [];
  await line.approve(request);
  await line.settle();
  return { id: request.id, devices, request };
}

const reads = (what: string) => line.fleet.world.reads.filter((read) => read === what).length;
const requestOf = (id: RequestId) => line.requestNow({ id });
const moved = { groupId: groupId(8) };

describe('a device that changed since its rollout was approved', () => {
  it('is left out, and the others are sent', async () => {
    const { id, devices } = await begin(300, { waves: [] }, ([, second, third]) => {
      line.fleet.change(moved, second);
      line.fleet.change({ connected: false, lastLoggedInUser: 'dave' }, third);
    });
    expect(line.fleet.world.postedTo).toHaveLength(299);
    expect(await requestOf(id)).toMatchObject({ counts: { not_sent: 1, accepted: 299 } });
    const [, left] = await line.targetsOf(id);
    expect(left).toMatchObject({
      deviceId: devices[1],
      state: 'not_sent',
      evidence: [{ kind: 'drifted', changes: [{ field: 'groupId' }] }],
    });
    // One page instead of one read for each device, and what each claim is compared with.
    expect([reads('devices'), reads('queue')]).toEqual([1, 299]);
  });

  it('and is gone is left out after it was looked for by itself', async () => {
    const { id } = await begin(300, { waves: [] }, () => {
      line.fleet.world.device = null;
    });
    const [left] = await line.targetsOf(id);
    expect(left).toMatchObject({ state: 'not_sent', evidence: [{ changes: [{ kind: 'gone' }] }] });
    expect(line.fleet.world.postedTo).toHaveLength(299);
  });

  it.each([3, 300])(
    'returns the rollout with too many others to its approvers: %d devices',
    async (count) => {
      const drifted = Math.ceil(count / 3);
      const { id, devices, request } = await begin(count, { waves: [] }, (all) => {
        for (const device of all.slice(0, drifted)) line.fleet.change(moved, device);
      });
      expect(line.fleet.world.postedTo).toEqual([]);
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
      expect(line.fleet.world.postedTo.toSorted()).toEqual(devices.toSorted());
      expect(await requestOf(id)).toMatchObject({ counts: { accepted: count } });
    },
  );

  it.each([3, 300])('says once what changed of the policy of all: %d devices', async (count) => {
    const change = () => {
      line.fleet.world.policies = line.fleet.world.policies.map((one) => ({ ...one, digest: 'c0ffee' }));
    };
    const action = { kind: 'policy-remediate', policyId: policyId(12) } as const;
    const { id } = await begin(count, { waves: [] }, change, action);
    expect((await requestOf(id)).note).toMatchObject({
      changes: [{ field: 'policy.digest', name: 'Harden SSH (#12)' }],
      more: 0,
    });
  });

  it('and is gone is not asked for again', async () => {
    const { id } = await begin(3, { waves: [], brake: { kind: 'devices', devices: 1 } }, ([, second]) => {
      line.fleet.world.device = null;
      line.fleet.change(moved, second);
    });
    expect(await requestOf(id)).toMatchObject({ state: 'waiting', counts: { not_sent: 1, ready: 2 } });
  });

  it('is found before each wave', async () => {
    const waves = [{ kind: 'devices', devices: 1 }] as const;
    const { id, devices } = await begin(60, { waves }, () => {});
    expect(line.fleet.world.postedTo).toEqual(devices.slice(0, 1));
    line.fleet.change(moved, devices[7]);
    line.fleet.change({ lastDisconnectTime: line.clock.now() }, devices[0]);
    line.fleet.clearQueue();
    await line.pass(2 * MINUTE);
    expect(line.fleet.world.postedTo).toHaveLength(59);
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
  expect(await requestOf(request.id)).toMatchObject({
    rollout: { hold: { kind: 'braked', bad: 1, ended: 6, why: 'drifted' } },
    counts: { not_sent: 1, ready: 5 },
  });
  expect(line.fleet.world.postedTo).toEqual([]);
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
    expect(line.fleet.world.postedTo).toHaveLength(1);
    expect(await line.actions()).toContain('approval.sent-back');
  });

  it('goes on with exactly the rest once that is approved', async () => {
    const { id, devices, rest } = await returned();
    await line.approve(rest);
    expect((await requestOf(id)).state).toBe('running');
    await line.settle();
    expect(line.fleet.world.postedTo.toSorted()).toEqual(devices.toSorted());
    expect(await requestOf(id)).toMatchObject({ state: 'running', counts: { verified: 1, accepted: 39 } });
  });

  it.each(['deny', 'withdraw'] as const)('is stopped where somebody presses to %s it', async (decision) => {
    const { id, rest } = await returned();
    const by = decision === 'deny' ? BOB : ALICE;
    expect(await line.decide(rest, decision, by)).toMatchObject({ kind: 'decided' });
    await line.settle();
    expect(line.fleet.world.postedTo).toHaveLength(1);
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
    expect(await requestOf(id)).toMatchObject({
      comment: null,
      rollout: { hold: { kind: 'stopped', by: BOB, comment: 'Too risky.' } },
    });
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
  line.fleet.world.queues = new Map();
  for (const device of devices) line.fleet.change({ lastDisconnectTime: later(now, SECOND) }, device);
  await line.pass(MINUTE);
  expect(await requestOf(id)).toMatchObject({ state: 'waiting', counts: { verified: 60 } });
});

it('a service that cannot be read before a wave is read again, and nothing is sent', async () => {
  const { id } = await begin(60, { waves: [] }, () => {
    line.fleet.world.readError = anError('broken', 500);
  });
  expect(line.fleet.world.postedTo).toEqual([]);
  await line.pass(5 * MINUTE);
  expect(await requestOf(id)).toMatchObject({ state: 'approved', rollout: { hold: null } });
  line.fleet.world.readError = null;
  await line.pass(5 * MINUTE);
  expect(line.fleet.world.postedTo).toHaveLength(60);
});
