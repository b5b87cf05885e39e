/** What the pages before a wave show is not read again for each claim, and proves nothing that it could not have seen. */

import { describe, expect, it } from 'vitest';
import type { FleetAction } from '../../../src/fleet/model/actions.ts';
import { DAY, HOUR, type Instant, later, MINUTE, SECOND, yieldToEventLoop } from '../../../src/lib/clock.ts';
import { type DeviceId, groupId, personId, type RequestId } from '../../../src/lib/ids.ts';
import type { RequestState } from '../../../src/store/port/request-records.ts';
import type { Store, StoreTables } from '../../../src/store/port/store.ts';
import { countTargets } from '../../../src/store/tables/request-counts.ts';
import {
  createRequestsSetup,
  pauseSwitchOf,
  type RequestsSetup,
  type RequestsSetupOptions,
  reboot,
  scan,
} from '../requests-setup.ts';
import { createRolloutSetup, type RolloutSetup } from './rollout-setup.ts';

const COUNT = 60;
const patch = { kind: 'patch', packages: ['openssl'] } as const;
const exclude = { kind: 'device-edit', change: { exception: true } } as const;
const move = { kind: 'device-edit', change: { groupId: groupId(10) } } as const;

let line: RolloutSetup;

async function recorded(action: FleetAction, options: RequestsSetupOptions = {}, count = COUNT) {
  line = await createRolloutSetup({ fleetSize: () => count, typedCountFrom: count + 1, ...options });
  const brake = { kind: 'devices', devices: count } as const;
  const begun = await line.begin(count, { waves: [], brake }, action);
  line.world.reads = [];
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
  const by = Map.groupBy(line.world.reads, (read) => read);
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
    line.world.holdRead = async () => {
      if (line.world.reads.at(-1) === 'devices' && sent > 0) await held;
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
    expect(line.world.postedTo).toHaveLength(MANY);
  });
});

describe('a proof beside a page that is older than the claim', () => {
  /** Sends after the page was read; `since` is how much later the device went away. */
  const restarted = async (sinceClaimMs: number, aheadMs = 0) => {
    let claimedAt: Instant | null = null;
    const { id, devices } = await recorded(reboot, { serviceNow: () => later(line.clock.now(), aheadMs) });
    line.world.holdRead = async () => {
      // After the page, and before the first queue is read.
      if (line.world.reads.at(-1) !== 'queue' || claimedAt !== null) return;
      claimedAt = later(line.clock.now(), 5 * MINUTE);
      await line.clock.advance(5 * MINUTE);
    };
    await line.settle();
    const [, second] = devices;
    const { issuedAt } = await claimOf(id, second);
    line.fleet.clearQueue();
    line.world.queues = new Map();
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

describe('old claims', () => {
  const create: FleetAction = {
    kind: 'group-create',
    group: { name: 'Kiosks', parentId: groupId(9), refreshIntervalMinutes: 360 },
  };

  let line: RequestsSetup;

  /** A process that stops at its first claim until `wake`. */
  async function stoppedAtClaim() {
    const { promise: held, resolve: wake } = Promise.withResolvers<void>();
    const { promise: reached, resolve: reach } = Promise.withResolvers<void>();
    let isFirst = true;
    line = await createRequestsSetup({
      onFailpoint: async (name) => {
        if (name !== 'target.claimed' || !isFirst) return;
        isFirst = false;
        reach();
        await held;
      },
    });
    return { reached, wake };
  }

  describe('a claim that another process took over', () => {
    it('makes no second group beside the one that was made since', async () => {
      const { reached, wake } = await stoppedAtClaim();
      const first = await line.ask(create);
      await line.approve(first);
      const stopped = line.run(first.id);
      await reached;
      await line.pass(6 * MINUTE);
      const told = await line.targetFor(first);
      expect(told).toMatchObject({ state: 'unknown', endedAt: expect.any(Number) });
      await line.approve(await line.ask(create));
      await line.settle();
      wake();
      await stopped;
      expect(line.world.edits).toEqual(['createGroup Kiosks']);
      expect(await line.targetFor(first)).toEqual(told);
    });

    it('is not sent, and stays as the other process left it', async () => {
      const { reached, wake } = await stoppedAtClaim();
      const request = await line.ask(reboot);
      await line.approve(request);
      const stopped = line.run(request.id);
      await reached;
      await line.pass(14 * MINUTE);
      const left = await line.targetFor(request);
      expect(left).toMatchObject({ state: 'unknown', endedAt: null });
      wake();
      await stopped;
      expect(line.world.posts).toEqual([]);
      expect(await line.targetFor(request)).toEqual(left);
    });
  });

  describe('a claim that nobody took over yet', () => {
    it('is given back by a process that was stopped for too long, and is sent on a new claim', async () => {
      let now = 0;
      let isFirst = true;
      line = await createRequestsSetup({
        monotonic: () => now,
        onFailpoint: (name) => {
          if (name !== 'target.claimed' || !isFirst) return;
          isFirst = false;
          now += 16 * SECOND;
        },
      });
      const id = await line.start(scan);
      await line.settle();
      expect(line.world.posts).toEqual([]);
      const evidence = [{ kind: 'unsent', error: { held: { kind: 'delayed' } } }];
      expect(await line.targetOf(id)).toMatchObject({ state: 'ready', endedAt: null, evidence });
      await line.pass(2 * SECOND);
      expect(line.world.posts).toEqual([scan]);
    });

    it('counts from before it is written, so that a stop inside its transaction counts, too', async () => {
      let now = 0;
      let isRunning = false;
      line = await createRequestsSetup({
        monotonic: () => now,
        around: (store) => ({
          ...store,
          transaction: async (job) => {
            const result = await store.transaction(job);
            if (isRunning && now === 0) now += 16 * SECOND;
            return result;
          },
        }),
      });
      const id = await line.start(scan);
      isRunning = true;
      await line.settle();
      expect(line.world.posts).toEqual([]);
      expect(await line.targetOf(id)).toMatchObject({ state: 'ready' });
    });

    it('is withheld by the client at the last moment, after its waits and reads', async () => {
      let now = 0;
      line = await createRequestsSetup({
        monotonic: () => now,
        writer: (writer) => ({
          issue: async (id, command, options) => {
            if (now === 0) now += 16 * SECOND;
            return options?.mayStart?.() === false ? { kind: 'withheld' } : writer.issue(id, command);
          },
        }),
      });
      const id = await line.start(scan);
      await line.settle();
      const evidence = [{ kind: 'unsent', error: { held: { kind: 'delayed' } } }];
      expect(await line.targetOf(id)).toMatchObject({ state: 'ready', evidence });
      await line.pass(2 * SECOND);
      expect(line.world.posts).toEqual([scan]);
    });
  });
});

describe('many targets', () => {
  const COUNT = 20;
  /** Calls that the client sends at once. */
  const IN_FLIGHT = 4;
  let line: RequestsSetup;

  const statesOf = async (id: Parameters<RequestsSetup['targetsOf']>[0]) =>
    (await line.targetsOf(id)).map(({ state }) => state);
  const inState = async (id: Parameters<RequestsSetup['targetsOf']>[0], state: string) =>
    (await statesOf(id)).filter((one) => one === state).length;
  const postedOnce = () => {
    const { postedTo } = line.world;
    expect(new Set(postedTo).size).toBe(postedTo.length);
  };

  describe('a process that is stopping', () => {
    it('claims nothing more, and its successor sends the rest', async () => {
      let isStopping = false;
      line = await createRequestsSetup({ isStopping: () => isStopping });
      line.fleet.hold((send) => (id, command) => {
        isStopping ||= line.world.posts.length === 6;
        return send(id, command);
      });
      const id = await line.start(scan, line.fleet.addDevices(COUNT - 1));
      await line.settle();
      const sent = line.world.posts.length;
      expect(sent).toBeGreaterThanOrEqual(7);
      expect(sent).toBeLessThan(7 + IN_FLIGHT);
      expect(await inState(id, 'ready')).toBe(COUNT - sent);
      expect(await inState(id, 'issuing')).toBe(0);
      expect(line.world.readDevices.length - COUNT).toBeLessThan(7 + IN_FLIGHT);
      isStopping = false;
      await line.pass(SECOND);
      expect(await inState(id, 'ready')).toBe(0);
      postedOnce();
      expect(line.world.postedTo).toHaveLength(COUNT);
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
      expect(line.world.postedTo.toSorted((a, b) => a - b)).toEqual(devices);
      expect(new Set(await statesOf(id))).toEqual(new Set(['accepted']));
    });

    it('send nothing twice when the second starts while the first waits for answers', async () => {
      line = await createRequestsSetup();
      const id = await line.start(scan, line.fleet.addDevices(COUNT - 1));
      const { promise: held, resolve: release } = Promise.withResolvers<void>();
      const waiting = [Promise.withResolvers<void>(), Promise.withResolvers<void>()] as const;
      line.fleet.hold((send) => async (device, command) => {
        const outcome = await send(device, command);
        const sent = line.world.posts.length;
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
      expect(line.world.postedTo).toHaveLength(COUNT);
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
      const last = line.world.postedTo.slice(-3);
      expect(devices.slice(0, COUNT - 7)).toEqual(expect.arrayContaining([...last]));
    });
  });
});

describe('counts', () => {
  let line: RequestsSetup;
  /** The states of each request, in order. */
  let walked: Map<RequestId, RequestState[]>;

  async function check(tables: StoreTables): Promise<void> {
    for (const request of await tables.requests.list({}, 10)) {
      const targets = await tables.targets.of(request.id);
      const counted = [...countTargets(targets)].filter(([, count]) => count > 0);
      expect(request.counts).toEqual(Object.fromEntries(counted));
      const isUndecided = request.state === 'waiting' || request.decidedAt === null;
      const isReady = targets.every(({ state }) => state === 'ready');
      const isOpen = targets.some(({ endedAt }) => endedAt === null);
      const running = isReady ? 'approved' : 'running';
      const expected = isOpen ? running : 'ended';
      if (!(isUndecided && request.expiresAt !== null)) expect(request.state).toBe(expected);
      expect(request.endedAt === null).toBe(request.state !== 'ended');
      const states = walked.get(request.id) ?? [];
      if (states.at(-1) !== request.state) walked.set(request.id, [...states, request.state]);
    }
  }

  /** A setup that checks all counts after each transaction. */
  async function createCheckedSetup(options: Parameters<typeof createRequestsSetup>[0] = {}): Promise<void> {
    walked = new Map();
    const around = (store: Store): Store => ({
      ...store,
      transaction: async (job) => {
        const result = await store.transaction(job);
        await store.transaction(check);
        return result;
      },
    });
    line = await createRequestsSetup({ ...options, around });
  }

  const pauseNow = () => {
    const pause = pauseSwitchOf(line);
    return pause.begin(personId('U_CAROL'), null);
  };

  describe('the counts of a request', () => {
    it('match from the first claim to the last proof', async () => {
      await createCheckedSetup();
      const request = await line.ask(reboot, line.fleet.addDevices(9));
      await line.approve(request);
      await line.settle();
      const now = line.clock.now();
      line.fleet.clearQueue();
      line.world.queues = new Map();
      for (const id of line.world.others.map((device) => device.id))
        line.fleet.change({ lastDisconnectTime: now }, id);
      await line.pass(HOUR);
      const counts = { verified: 9, not_verified: 1 };
      expect(await line.requestNow(request)).toMatchObject({ state: 'ended', counts });
      expect(walked.get(request.id)).toEqual(['waiting', 'approved', 'running', 'ended']);
    });

    it('are those of an approved request again while nothing was sent', async () => {
      await createCheckedSetup();
      const request = await line.ask(reboot, line.fleet.addDevices(9));
      await line.approve(request);
      line.world.fate = 'unsent';
      await line.settle();
      line.world.fate = 'accept';
      await line.pass(2 * SECOND);
      const states = walked.get(request.id) ?? [];
      expect(states.slice(0, 4)).toEqual(['waiting', 'approved', 'running', 'approved']);
      expect(states.at(-1)).toBe('running');
    });

    it.each(['lost-before', 'lost-after', 'refuse', 'accept-unlisted'] as const)(
      'match when each answer is %s',
      async (fate) => {
        await createCheckedSetup();
        const id = await line.start(scan, line.fleet.addDevices(3));
        line.world.fate = fate;
        await line.pass(HOUR);
        expect(await line.requestNow({ id })).toMatchObject({ state: 'ended' });
      },
    );

    it('match through a dying process and a pause', async () => {
      let claims = 0;
      await createCheckedSetup({
        onFailpoint: (name) => {
          if (name === 'target.claimed') claims += 1;
          if (claims === 3) throw new Error('killed');
        },
      });
      const id = await line.start(scan, line.fleet.addDevices(19));
      await expect(line.settle()).rejects.toThrow('killed');
      claims = 4;
      line.fleet.hold((send) => async (device, command) => {
        if (line.world.posts.length === 9) await pauseNow();
        return send(device, command);
      });
      await line.pass(MINUTE);
      // What nobody resumes ends after a week.
      await line.pass(8 * DAY);
      const { state, counts } = await line.requestNow({ id });
      expect(state).toBe('ended');
      expect(counts.not_sent).toBeGreaterThan(5);
      expect(counts.unknown).toBeGreaterThan(0);
    });

    it('match when the rest is too late', async () => {
      await createCheckedSetup();
      const id = await line.start(scan, line.fleet.addDevices(9));
      line.fleet.hold((send) => async (device, command) => {
        if (line.world.posts.length === 3) line.world.fate = 'unsent';
        return send(device, command);
      });
      await line.pass(8 * DAY);
      const counts = { not_sent: 7, not_verified: 3 };
      expect(await line.requestNow({ id })).toMatchObject({ state: 'ended', counts });
    });
  });
});
