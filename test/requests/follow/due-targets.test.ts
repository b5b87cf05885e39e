/** Only due targets are read. */
import { describe, expect, it } from 'vitest';
import { later, MINUTE, SECOND } from '../../../src/lib/clock.ts';
import { madePerTest } from '../../harness/use-started.ts';
import { createRequestsSetup } from '../requests-setup.ts';

const scan = { kind: 'scan' } as const;

const line = madePerTest(createRequestsSetup);

describe('a request for many devices', () => {
  it('reads one device when one target is due', async () => {
    const devices = line.fleet.addDevices(29);
    const id = await line.start(scan, devices);
    await line.settle();
    const nextAt = later(line.clock.now(), 10 * MINUTE);
    const moves = (await line.targetsOf(id))
      .filter(({ deviceId }) => deviceId !== devices[7])
      .map((target) => ({ from: 'accepted' as const, next: { ...target, nextAt } }));
    await line.store.targets.move(id, moves);
    line.fleet.world.readDevices = [];
    line.fleet.world.reads = [];
    await line.pass(5 * SECOND);
    expect(line.fleet.world.readDevices).toEqual([devices[7]]);
    expect(line.fleet.world.reads).toEqual(['device', 'queue']);
  });

  it('reads all devices when more are due than one run reads', async () => {
    const devices = line.fleet.addDevices(44);
    const id = await line.start(scan, devices);
    await line.settle();
    line.fleet.world.readDevices = [];
    await line.pass(5 * SECOND);
    expect(line.fleet.world.readDevices.toSorted((a, b) => a - b)).toEqual(devices);
    expect(await line.requestNow({ id })).toMatchObject({ counts: { queued: 45 } });
  });

  it('reads nothing between two looks or after the end', async () => {
    const [first] = line.fleet.addDevices(2);
    const id = await line.start(scan);
    await line.pass(5 * SECOND);
    line.fleet.answer(0);
    line.fleet.change({ lastRefreshTime: line.clock.now() }, first);
    await line.pass(5 * SECOND);
    expect(await line.targetOf(id)).toMatchObject({ state: 'verified', nextAt: null });
    line.fleet.world.reads = [];
    await line.pass(60 * MINUTE);
    expect(line.fleet.world.reads).toEqual([]);
  });
});
