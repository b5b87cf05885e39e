/** Devices that changed between two waves: they are left out, and too many of them stop the rollout. */
import { afterEach, describe, expect, it } from 'vitest';
import { MINUTE } from '../../../src/lib/clock.ts';
import { type DeviceId, groupId, type RequestId } from '../../../src/lib/ids.ts';
import { type PlanOptions, planRollout } from '../../../src/rollout/plan.ts';
import { BOB, createRequestsSetup, type RequestsSetup } from '../requests-setup.ts';

const reboot = { kind: 'reboot' } as const;

let line: RequestsSetup;
afterEach(() => line.close());

async function begin(count: number, options: PlanOptions, change: (devices: readonly DeviceId[]) => void) {
  line = await createRequestsSetup({ fleetSize: async () => count, typedCountFrom: count + 1 });
  const devices = line.fleet.addDevices(count - 1);
  const order = await line.order(reboot, devices);
  const proposal = { ...order.proposal, plan: planRollout(count, options) };
  const recorded = await line.requests.record({ ...order, proposal });
  if (recorded.kind !== 'recorded') throw new Error('changes are paused');
  change(devices);
  line.fleet.world.reads = [];
  await line.approve(recorded.request);
  await line.settle();
  return { id: recorded.request.id, devices };
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
      evidence: [{ kind: 'drifted', changes: [{ kind: 'group' }] }],
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
    'stops the rollout with too many others, and the rest goes on when resumed: %d devices',
    async (count) => {
      const { id, devices } = await begin(count, { waves: [] }, (all) => {
        for (const device of all.slice(0, Math.ceil(count / 3))) line.fleet.change(moved, device);
      });
      const drifted = Math.ceil(count / 3);
      expect(line.fleet.world.postedTo).toEqual([]);
      expect(await requestOf(id)).toMatchObject({
        rollout: { hold: { kind: 'braked', bad: drifted, ended: count, drifted: true } },
        note: { kind: 'drifted' },
        counts: { not_sent: drifted, ready: count - drifted },
      });
      const role = 'approver';
      await line.requests.control({ requestId: id, person: BOB, role, control: 'resume' });
      await line.settle();
      expect(line.fleet.world.postedTo.toSorted()).toEqual(devices.slice(drifted).toSorted());
    },
  );

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

it('a service that cannot be read before a wave is read again, and nothing is sent', async () => {
  const { id } = await begin(60, { waves: [] }, () => {
    line.fleet.world.readError = {
      kind: 'broken',
      status: 500,
      method: 'GET',
      path: '/servers',
      detail: 'it broke',
    };
  });
  expect(line.fleet.world.postedTo).toEqual([]);
  await line.pass(5 * MINUTE);
  expect(await requestOf(id)).toMatchObject({ state: 'approved', rollout: { hold: null } });
  line.fleet.world.readError = null;
  await line.pass(5 * MINUTE);
  expect(line.fleet.world.postedTo).toHaveLength(60);
});
