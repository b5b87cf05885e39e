/** Many devices are followed by the pages of the fleet's list; what no list shows is read alone. */

import { describe, expect, it } from 'vitest';
import type { FleetAction } from '../../../src/fleet/model/actions.ts';
import { PATCH_APPLIED } from '../../../src/fleet/model/event-kinds.ts';
import { HOUR, later, MINUTE, SECOND } from '../../../src/lib/clock.ts';
import { type DeviceId, eventId, type RequestId } from '../../../src/lib/ids.ts';
import { planRollout } from '../../../src/rollout/plan.ts';
import { anError } from '../fleet-builders.ts';
import { createRequestsSetup, type RequestsSetup, reboot, scan } from '../requests-setup.ts';

const patch = { kind: 'patch', packages: ['openssl'] } as const;

let line: RequestsSetup;

/** Sends to all of the first `count` devices. */
async function begin(action: FleetAction, devices: readonly DeviceId[]): Promise<RequestId> {
  const brake = { kind: 'devices', devices: devices.length } as const;
  const plan = planRollout(devices.length, { waves: [], brake });
  const request = await line.record(action, devices, { plan });
  if (request.state === 'waiting') await line.approve(request);
  await line.settle();
  line.world.reads = [];
  return request.id;
}

async function fleetOf(size: number, options: { readonly pages?: number } = {}) {
  const { pages = 1 } = options;
  line = await createRequestsSetup({ fleetSize: () => 500 * pages, typedCountFrom: size + 1 });
  return line.fleet.addDevices(size - 1);
}

const reads = (what?: string) =>
  line.world.reads.filter((read) => what === undefined || read === what).length;
const leaveQueues = () => {
  line.fleet.clearQueue();
  line.world.queues = new Map();
};
const restart = (devices: readonly DeviceId[]) => {
  const lastDisconnectTime = later(line.clock.now(), SECOND);
  for (const device of devices) line.fleet.change({ lastDisconnectTime }, device);
};
const requestOf = (id: RequestId) => line.requestNow({ id });

describe('a rollout to many devices', () => {
  it('takes one request a look while nothing happens, and writes nothing', async () => {
    const id = await begin(reboot, await fleetOf(60));
    const { version } = await requestOf(id);
    await line.pass(4 * MINUTE);
    expect([reads('devices'), reads()]).toEqual([16, 16]);
    expect(await requestOf(id)).toMatchObject({ version, counts: { accepted: 60 } });
  });

  it('has the queue read once for each device that its row shows', async () => {
    const devices = await fleetOf(60);
    const id = await begin(reboot, devices);
    leaveQueues();
    restart(devices.slice(0, 40));
    await line.pass(15 * SECOND);
    expect([reads('devices'), reads('queue'), reads()]).toEqual([1, 40, 41]);
    expect(await requestOf(id)).toMatchObject({ counts: { verified: 40, accepted: 20 } });
  });

  it('proves nothing by a row while the command waits in the queue', async () => {
    const devices = await fleetOf(60);
    const id = await begin(reboot, devices);
    restart(devices);
    await line.pass(MINUTE);
    expect(await requestOf(id)).toMatchObject({ counts: { queued: 60 } });
    // The baseline moved with the first look, so that no other look follows until something happens.
    expect(reads('queue')).toBe(60);
    leaveQueues();
    await line.pass(4 * MINUTE);
    expect((await requestOf(id)).counts.verified).toBeUndefined();
  });

  it('reads each device where they are fewer than the pages of the fleet', async () => {
    await begin(reboot, await fleetOf(12, { pages: 20 }));
    await line.pass(15 * SECOND);
    expect([reads('devices'), reads('device'), reads()]).toEqual([0, 12, 12]);
  });

  it('shares its looks with the others that run', async () => {
    const devices = await fleetOf(60);
    await begin(reboot, devices);
    await begin(scan, devices);
    await line.pass(4 * MINUTE);
    expect(reads('devices')).toBe(16);
  });

  it('is looked at alone for what no list shows, and judged by the same rules', async () => {
    const devices = await fleetOf(20);
    const id = await begin(patch, devices);
    await line.pass(5 * MINUTE + 15 * SECOND);
    expect([reads('queue'), reads('packages'), reads('device')]).toEqual([20, 0, 0]);
    expect(await requestOf(id)).toMatchObject({ counts: { queued: 20 } });
    leaveQueues();
    line.fleet.install('openssl');
    for (const device of devices) line.fleet.change({ lastRefreshTime: line.clock.now() }, device);
    line.world.reads = [];
    await line.pass(30 * SECOND);
    expect(await requestOf(id)).toMatchObject({ state: 'ended', counts: { verified: 20 } });
    expect([reads('packages'), reads('events')]).toEqual([20, 0]);
  });

  it('is looked at sooner where an event of the log reports the device', async () => {
    const devices = await fleetOf(20);
    const id = await begin(patch, devices);
    leaveQueues();
    line.fleet.install('openssl');
    const [first = null] = devices;
    const event = { id: eventId(1), name: PATCH_APPLIED, deviceId: first };
    await line.requests.noteEvents([event]);
    await line.pass(15 * SECOND);
    expect(await requestOf(id)).toMatchObject({ counts: { verified: 1, accepted: 19 } });
    line.world.reads = [];
    await line.requests.noteEvents([event]);
    await line.pass(15 * SECOND);
    expect(reads()).toBe(reads('devices'));
  });

  it('waits for offline devices without a look at the fleet, and sees them return', async () => {
    const devices = await fleetOf(60);
    for (const device of devices) line.fleet.change({ connected: false }, device);
    const id = await begin(reboot, devices);
    await line.pass(HOUR);
    expect(await requestOf(id)).toMatchObject({ counts: { queued: 60 } });
    expect(reads('devices')).toBeLessThanOrEqual(12);
    line.world.reads = [];
    leaveQueues();
    for (const device of devices) line.fleet.change({ connected: true }, device);
    restart(devices);
    await Promise.all(devices.map((device) => line.requests.noteReturn(device)));
    await line.pass(30 * SECOND);
    expect(await requestOf(id)).toMatchObject({ state: 'ended', counts: { verified: 60 } });
  });

  it('reads alone what no page shows', async () => {
    const id = await begin(reboot, await fleetOf(20));
    line.world.device = null;
    await line.pass(6 * MINUTE);
    expect(await requestOf(id)).toMatchObject({ counts: { not_verified: 1, queued: 19 } });
  });

  it('is looked at alone where only lists fail', async () => {
    const devices = await fleetOf(20);
    const id = await begin(reboot, devices);
    line.world.listError = anError('broken', 500);
    leaveQueues();
    restart(devices);
    await line.pass(12 * MINUTE);
    expect(await requestOf(id)).toMatchObject({ counts: { verified: 20 } });
  });

  it('is looked at again when the service answers again', async () => {
    const devices = await fleetOf(20);
    const id = await begin(reboot, devices);
    line.world.readError = anError('broken', 500);
    await line.pass(10 * MINUTE);
    expect(await requestOf(id)).toMatchObject({ counts: { accepted: 20 } });
    line.world.readError = null;
    leaveQueues();
    restart(devices);
    await line.pass(5 * MINUTE);
    expect(await requestOf(id)).toMatchObject({ counts: { verified: 20 } });
  });
});
