/** Requests for many devices: claims never run ahead of calls, and nothing is sent twice. */
import { describe, expect, it } from 'vitest';
import { SECOND, yieldToEventLoop } from '../../../src/lib/clock.ts';
import type { RequestId } from '../../../src/lib/ids.ts';
import { createRequestsSetup, type RequestsSetup } from '../requests-setup.ts';

const COUNT = 20;
/** Calls that the client sends at once. */
const IN_FLIGHT = 4;
const scan = { kind: 'scan' } as const;
const reboot = { kind: 'reboot' } as const;

let line: RequestsSetup;

const statesOf = async (id: Parameters<RequestsSetup['targetsOf']>[0]) =>
  (await line.targetsOf(id)).map(({ state }) => state);
const inState = async (id: Parameters<RequestsSetup['targetsOf']>[0], state: string) =>
  (await statesOf(id)).filter((one) => one === state).length;
const postedOnce = () => {
  const { postedTo } = line.fleet.world;
  expect(new Set(postedTo).size).toBe(postedTo.length);
};

describe('a process that is stopping', () => {
  it('claims nothing more, and its successor sends the rest', async () => {
    let isStopping = false;
    line = await createRequestsSetup({ isStopping: () => isStopping });
    line.fleet.hold((send) => (id, command) => {
      isStopping ||= line.fleet.world.posts.length === 6;
      return send(id, command);
    });
    const id = await line.start(scan, line.fleet.addDevices(COUNT - 1));
    await line.settle();
    const sent = line.fleet.world.posts.length;
    expect(sent).toBeGreaterThanOrEqual(7);
    expect(sent).toBeLessThan(7 + IN_FLIGHT);
    expect(await inState(id, 'ready')).toBe(COUNT - sent);
    expect(await inState(id, 'issuing')).toBe(0);
    expect(line.fleet.world.readDevices.length - COUNT).toBeLessThan(7 + IN_FLIGHT);
    isStopping = false;
    await line.pass(SECOND);
    expect(await inState(id, 'ready')).toBe(0);
    postedOnce();
    expect(line.fleet.world.postedTo).toHaveLength(COUNT);
  });
});

describe('two runs of one request at once', () => {
  it.each([
    ['scan', scan],
    ['reboot', reboot],
  ])('send a %s to each device once', async (_what, action) => {
    line = await createRequestsSetup();
    const devices = line.fleet.addDevices(COUNT - 1);
    const id = action === scan ? await line.start(scan, devices) : (await line.ask(reboot, devices)).id;
    if (action === reboot) await line.approve(await line.requestNow({ id }));
    await Promise.all([line.run(id), line.run(id)]);
    await line.settle();
    postedOnce();
    expect(line.fleet.world.postedTo.toSorted((a, b) => a - b)).toEqual(devices);
    expect(new Set(await statesOf(id))).toEqual(new Set(['accepted']));
  });

  it('send nothing twice when the second starts while the first waits for answers', async () => {
    line = await createRequestsSetup();
    const id = await line.start(scan, line.fleet.addDevices(COUNT - 1));
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    const waiting = [Promise.withResolvers<void>(), Promise.withResolvers<void>()] as const;
    line.fleet.hold((send) => async (device, command) => {
      const outcome = await send(device, command);
      const sent = line.fleet.world.posts.length;
      if (sent === IN_FLIGHT) waiting[0].resolve();
      if (sent === 2 * IN_FLIGHT) waiting[1].resolve();
      await held;
      return outcome;
    });
    const first = line.run(id);
    await waiting[0].promise;
    const second = line.run(id, line.replica());
    await waiting[1].promise;
    expect([await inState(id, 'unknown'), await inState(id, 'issuing')]).toEqual([IN_FLIGHT, IN_FLIGHT]);
    release();
    await Promise.all([first, second]);
    postedOnce();
    expect(line.fleet.world.postedTo).toHaveLength(COUNT);
    expect(new Set(await statesOf(id))).toEqual(new Set(['accepted']));
  });
});

describe('several requests at once', () => {
  it('have at most four calls claimed together, and each of them gets its turn', async () => {
    line = await createRequestsSetup();
    const devices = line.fleet.addDevices(COUNT - 1);
    const claimed: number[] = [];
    const ids: RequestId[] = [];
    line.fleet.hold((send) => async (device, command) => {
      // Others have time to claim.
      for (let turns = 0; turns < 50; turns += 1) await yieldToEventLoop();
      const counts = await Promise.all(ids.map((id) => inState(id, 'issuing')));
      claimed.push(counts.reduce((sum, count) => sum + count, 0));
      return send(device, command);
    });
    ids.push(await line.start(scan, devices.slice(0, COUNT - 7)));
    for (const device of devices.slice(COUNT - 7)) ids.push(await line.start(scan, [device]));
    await Promise.all(ids.map((id) => line.run(id)));
    expect(claimed).toHaveLength(COUNT);
    expect(Math.max(...claimed)).toBe(IN_FLIGHT);
    // A small request does not wait for all devices of the large one.
    const last = line.fleet.world.postedTo.slice(-3);
    expect(devices.slice(0, COUNT - 7)).toEqual(expect.arrayContaining([...last]));
  });
});
