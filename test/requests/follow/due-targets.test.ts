/** Only due targets are read. */
import { describe, expect, it } from 'vitest';
import { later, MINUTE, SECOND } from '../../../src/lib/clock.ts';
import { madePerTest } from '../../harness/use-started.ts';
import { createRequestsSetup } from '../requests-setup.ts';

const scan = { kind: 'scan' } as const;
/** What no list shows. */
const edit = { kind: 'device-edit', change: { exception: true } } as const;

const line = madePerTest(createRequestsSetup);

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
    line.fleet.world.readDevices = [];
    line.fleet.world.reads = [];
    await line.pass(5 * SECOND);
    expect(line.fleet.world.readDevices).toEqual([devices[7]]);
    expect(line.fleet.world.reads).toEqual(['device', 'queue']);
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
    line.fleet.world.reads = [];
    await line.pass(60 * MINUTE);
    expect(line.fleet.world.reads).toEqual([]);
  });
});
