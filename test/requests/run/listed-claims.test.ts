/** What the pages before a wave show is not read again for each claim, and proves nothing that it could not have seen. */
import { describe, expect, it } from 'vitest';
import type { FleetAction } from '../../../src/fleet/model/actions.ts';
import { type Instant, later, MINUTE, SECOND } from '../../../src/lib/clock.ts';
import { type DeviceId, groupId, type RequestId } from '../../../src/lib/ids.ts';
import type { RequestsSetupOptions } from '../requests-setup.ts';
import { createRolloutSetup, type RolloutSetup } from './rollout-setup.ts';

const COUNT = 60;
const reboot = { kind: 'reboot' } as const;
const scan = { kind: 'scan' } as const;
const patch = { kind: 'patch', packages: ['openssl'] } as const;
const exclude = { kind: 'device-edit', change: { exception: true } } as const;
const move = { kind: 'device-edit', change: { groupId: groupId(10) } } as const;

let line: RolloutSetup;

async function recorded(action: FleetAction, options: RequestsSetupOptions = {}, count = COUNT) {
  line = await createRolloutSetup({ fleetSize: () => count, typedCountFrom: count + 1, ...options });
  const brake = { kind: 'devices', devices: count } as const;
  const begun = await line.begin(count, { waves: [], brake }, action);
  line.fleet.world.reads = [];
  return begun;
}

/** Something happens before each call leaves. */
const beforeEachCall = (happen: () => Promise<void>): RequestsSetupOptions => ({
  writer: (writer) => ({
    issue: async (...given) => {
      await happen();
      return writer.issue(...given);
    },
  }),
});

/** Reads of the service, by what is read. */
function reads(): Readonly<Record<string, number>> {
  const by = Map.groupBy(line.fleet.world.reads, (read) => read);
  return Object.fromEntries([...by].map(([what, all]) => [what, all.length]));
}
const stateOf = async (id: RequestId) => (await line.requestNow({ id })).counts;

describe('the requests before a wave is sent', () => {
  it.each([
    ['a reboot', reboot, { devices: 1, queue: COUNT }],
    ['a scan', scan, { devices: 1, queue: COUNT }],
    ['a patch', patch, { devices: 1, queue: COUNT, packages: COUNT }],
    ['an edit of devices', exclude, { devices: 1 }],
    ['a move of devices', move, { devices: 1, groups: 1, policies: 1 }],
  ])('of %s are a page, and what no page shows', async (_what, action, expected) => {
    await recorded(action);
    await line.settle();
    expect(reads()).toEqual(expected);
  });

  it('find edits of devices that changed since they were approved', async () => {
    const { id, devices } = await recorded(exclude);
    line.fleet.change({ exception: true }, devices[3]);
    await line.settle();
    expect(await stateOf(id)).toMatchObject({ not_sent: 1 });
  });

  it('read the page again where it is ten minutes old', async () => {
    let sent = 0;
    const { id } = await recorded(
      reboot,
      beforeEachCall(async () => {
        sent += 1;
        if (sent === 20) await line.clock.advance(11 * MINUTE);
      }),
    );
    await line.settle();
    expect(sent).toBe(COUNT);
    expect(await stateOf(id)).toMatchObject({ open: COUNT });
    // Those of the same slice of work are read one by one.
    const { devices = 0, device = 0 } = reads();
    expect(devices).toBeGreaterThanOrEqual(1);
    expect(device).toBeLessThanOrEqual(COUNT - 20);
    expect(device).toBeGreaterThan(0);
  });
});

describe('the devices of a wave whose page became old', () => {
  /** More than one slice of work takes. */
  const MANY = 420;
  const SENDING_MS = 4 * SECOND;

  it('are sent while the page that is read again does not come', async () => {
    let sent = 0;
    const sending = beforeEachCall(async () => {
      sent += 1;
      await line.clock.advance(SENDING_MS);
    });
    const { id } = await recorded(reboot, sending, MANY);
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    line.fleet.world.holdRead = async () => {
      if (line.fleet.world.reads.at(-1) === 'devices' && sent > 0) await held;
    };
    // Looks wait for a page, too: only what sends is run.
    for (let runs = 0; runs < 4; runs += 1) await line.run(id);
    const { devices } = reads();
    release();
    expect(sent).toBe(MANY);
    expect(devices).toBe(2);
  });

  it('are judged by no page that became old in its turn while nothing ran', async () => {
    const sending = beforeEachCall(() => line.clock.advance(SENDING_MS));
    const { id, devices } = await recorded(reboot, sending, MANY);
    const last = devices.at(-1);
    await line.run(id);
    line.fleet.change({ groupId: groupId(8) }, last);
    await line.run(id);
    expect(reads()).toMatchObject({ devices: 2 });
    line.fleet.change({ groupId: groupId(9) }, last);
    await line.clock.advance(11 * MINUTE);
    for (let runs = 0; runs < 4; runs += 1) await line.run(id);
    expect(await stateOf(id)).not.toHaveProperty('not_sent');
    expect(line.fleet.world.postedTo).toHaveLength(MANY);
  });
});

describe('a proof beside a page that is older than the claim', () => {
  /** Sends after the page was read; `since` is how much later the device went away. */
  const restarted = async (sinceClaimMs: number, aheadMs = 0) => {
    let claimedAt: Instant | null = null;
    const { id, devices } = await recorded(reboot, { serviceNow: () => later(line.clock.now(), aheadMs) });
    line.fleet.world.holdRead = async () => {
      // After the page, and before the first queue is read.
      if (line.fleet.world.reads.at(-1) !== 'queue' || claimedAt !== null) return;
      claimedAt = later(line.clock.now(), 5 * MINUTE);
      await line.clock.advance(5 * MINUTE);
    };
    await line.settle();
    const [, second] = devices;
    const { issuedAt } = await claimOf(id, second);
    line.fleet.clearQueue();
    line.fleet.world.queues = new Map();
    line.fleet.change({ lastDisconnectTime: later(issuedAt, sinceClaimMs) }, second);
    await line.pass(MINUTE);
    return (await claimOf(id, second)).state;
  };
  const claimOf = async (id: RequestId, device: DeviceId | undefined) => {
    const target = (await line.targetsOf(id)).find(({ deviceId }) => deviceId === device);
    if (target === undefined) throw new Error('no such device');
    return target;
  };

  it.each([
    ['after the claim is proof', SECOND, 0, 'verified'],
    ['between the page and the claim is none', -MINUTE, 0, 'accepted'],
    ['before the claim is none, by the clock of a service that is ahead', 2 * MINUTE, 3 * MINUTE, 'accepted'],
    [
      'after the claim is proof, by the clock of a service that is behind',
      -2 * MINUTE,
      -3 * MINUTE,
      'verified',
    ],
  ])('what happened %s', async (_what, since, ahead, state) => {
    expect(await restarted(since, ahead)).toBe(state);
  });
});
