/** When a request of which something is left runs again. */
import { describe, expect, it } from 'vitest';
import { createManualClock, HOUR, later, MINUTE, SECOND } from '../../../src/lib/clock.ts';
import { createRequestsSetup, type RequestsSetup, START } from '../requests-setup.ts';

const scan = { kind: 'scan' } as const;

let line: RequestsSetup;

describe('a command that never left, after the clock was set back by two hours', () => {
  it('is claimed once, and its request is not due again at once', async () => {
    line = await createRequestsSetup();
    await line.clock.advance(2 * HOUR);
    line.fleet.world.fate = 'unsent';
    const id = await line.start(scan);
    await line.settle();
    line.fleet.world.fate = 'accept';
    const clock = createManualClock(later(START, MINUTE));
    const process = line.replica({ clock });
    const { work } = line.store;
    let runs = 0;
    for (; runs < 5; runs += 1) {
      const [run] = await work.claim({ now: clock.now(), leaseMs: MINUTE, limit: 1, kinds: ['run'] });
      if (run === undefined) break;
      const result = await process.run(run);
      if (result.kind === 'done') await work.finish(run);
      else await work.postpone(run, result.dueAt);
    }
    clock.stop();
    expect(runs).toBe(1);
    expect(line.fleet.world.posts).toEqual([scan]);
    expect(await line.targetOf(id)).toMatchObject({ state: 'accepted' });
  });
});

describe('devices that may be sent to now', () => {
  it('do not wait for the first one, whose limits require it', async () => {
    let isStopping = false;
    line = await createRequestsSetup({ isStopping: () => isStopping });
    const devices = line.fleet.addDevices(19);
    const [first] = devices;
    const { world } = line.fleet;
    line.fleet.hold((send) => async (device, command) => {
      const error = world.unsentError;
      if (device === first) return { kind: 'unsent', error, retryAfterMs: 5 * MINUTE };
      isStopping ||= world.posts.length === 3;
      return send(device, command);
    });
    await line.start(scan, devices);
    await line.settle();
    expect(world.posts.length).toBeLessThan(devices.length - 1);
    isStopping = false;
    await line.pass(SECOND);
    expect(world.postedTo.toSorted((a, b) => a - b)).toEqual(devices.slice(1));
  });
});
