import { beforeEach, describe, expect, it } from 'vitest';
import type { FleetAction } from '../../../src/fleet/model/actions.ts';
import type { DeviceChange } from '../../../src/fleet/model/changes.ts';
import { createManualClock, DAY, later, MINUTE, SECOND, yieldToEventLoop } from '../../../src/lib/clock.ts';
import { type DeviceId, personId, type RequestId } from '../../../src/lib/ids.ts';
import { createJudgeChange } from '../../../src/requests/decide/judge-change.ts';
import { createPauseSwitch } from '../../../src/requests/decide/pause-switch.ts';
import { createSendPlaces } from '../../../src/requests/run/claim-and-send.ts';
import { createSendCheck, startClaimAge } from '../../../src/requests/run/send-check.ts';
import { createWaveReadings, type WaveReadings } from '../../../src/requests/run/wave-readings.ts';
import { planRollout } from '../../../src/rollout/plan.ts';
import type { RequestRecord } from '../../../src/store/port/request-records.ts';
import type { Store } from '../../../src/store/port/store.ts';
import { START } from '../../harness/builders.ts';
import { aTarget } from '../builders.ts';
import { anError, DEVICE } from '../fleet-builders.ts';
import {
  APPROVALS,
  createRequestsSetup,
  pauseSwitchOf,
  type RequestsSetup,
  reboot,
  scan,
} from '../requests-setup.ts';

describe('sending an edit', () => {
  const retag = { add: ['dmz'], remove: [] };
  const edit = (change: DeviceChange): FleetAction => ({ kind: 'device-edit', change });

  let line: RequestsSetup;
  beforeEach(async () => {
    line = await createRequestsSetup();
  });

  /** Approves it for `count` devices and runs it. */
  async function sent(action: FleetAction, count: number) {
    const request = await line.ask(action, line.fleet.addDevices(count - 1));
    await line.approve(request);
    await line.settle();
    return request;
  }
  /** The calls that change so many devices one by one. */
  const updates = (count: number) => line.fleet.addDevices(count - 1).map((id) => `updateDevice ${id}`);
  const statesOf = async (request: Awaited<ReturnType<typeof sent>>) =>
    (await line.targetsOf(request.id)).map(({ state }) => state);

  function pauseWith(edits: number): void {
    const pause = pauseSwitchOf(line);
    line.world.holdEdit = async () => {
      if (line.world.edits.length === edits) await pause.begin(personId('U_CAROL'), null);
    };
  }

  it('the tags of several devices are one call, each device with an end of its own', async () => {
    const calls: (readonly DeviceId[])[] = [];
    line = await createRequestsSetup({
      editor: (editor) => ({
        ...editor,
        tagDevices: async (ids, change) => {
          calls.push(ids);
          const tagged = await editor.tagDevices(ids, change);
          const lost = { kind: 'unknown', error: anError('timeout', null) } as const;
          return (tagged ?? []).map((one) => (one.deviceId === DEVICE ? one : { ...one, outcome: lost }));
        },
      }),
    });
    const request = await sent(edit({ retag }), 2);
    expect(calls).toEqual([[DEVICE, 1001]]);
    expect(await statesOf(request)).toEqual(['verified', 'unknown']);
    expect(line.learned).toEqual([`device ${DEVICE}`]);
  });

  it('the tags of two hundred devices are one claim and one call, and of one more are two', async () => {
    let claims = 0;
    line = await createRequestsSetup({
      onFailpoint: (name) => {
        if (name === 'target.claimed') claims += 1;
      },
    });
    const request = await sent(edit({ retag }), 201);
    expect(line.world.edits.toSorted()).toEqual(['tagDevices 200', 'updateDevice 1200']);
    expect(claims).toBe(2);
    expect(await line.requestNow(request)).toMatchObject({ state: 'ended', counts: { verified: 201 } });
  });

  describe('tags of several devices where the service has no call for them', () => {
    /** How many of the devices are claimed at each call. */
    async function claimedAtCalls(given: Parameters<typeof createRequestsSetup>[0]) {
      line = await createRequestsSetup(given);
      const claimed: number[] = [];
      line.world.holdEdit = async () => {
        const [request] = await line.store.requests.list({}, 1);
        claimed.push(request?.counts.issuing ?? 0);
      };
      return claimed;
    }

    it('are claimed and changed one device at a time', async () => {
      const claimed = await claimedAtCalls({ takesTagBatches: false });
      const request = await sent(edit({ retag }), 20);
      expect(line.world.edits.toSorted()).toEqual([...updates(20)].toSorted());
      expect(Math.max(...claimed)).toBeLessThanOrEqual(4);
      expect(await line.requestNow(request)).toMatchObject({ state: 'ended', counts: { verified: 20 } });
    });

    it('are given back when that turns out, and no later request tries it again', async () => {
      let tries = 0;
      const claimed = await claimedAtCalls({
        editor: (editor) => ({
          ...editor,
          tagDevices: async () => {
            tries += 1;
            return null;
          },
        }),
      });
      const request = await sent(edit({ retag }), 20);
      expect(await line.requestNow(request)).toMatchObject({ state: 'approved', counts: { ready: 20 } });
      await line.pass(2 * SECOND);
      expect(await line.requestNow(request)).toMatchObject({ state: 'ended', counts: { verified: 20 } });
      const more = await sent(edit({ retag: { add: [], remove: ['dmz'] } }), 2);
      expect(await statesOf(more)).toEqual(['verified', 'verified']);
      expect(tries).toBe(1);
      expect(line.world.edits.toSorted()).toEqual([...updates(20), ...updates(2)].toSorted());
      expect(Math.max(...claimed)).toBeLessThanOrEqual(4);
    });
  });

  it('a batch counts from its call, however long its devices were read', async () => {
    const calledAt: number[] = [];
    line = await createRequestsSetup({
      editor: (editor) => ({
        ...editor,
        tagDevices: async (ids, change) => {
          if (ids.length > 2) return editor.tagDevices(ids, change);
          calledAt.push(line.clock.now());
          if (calledAt.length > 1) return editor.tagDevices(ids, change);
          const unsent = { kind: 'unsent', error: anError('unreachable', null), retryAfterMs: null } as const;
          return ids.map((deviceId) => ({ deviceId, outcome: unsent }));
        },
      }),
    });
    const request = await sent(edit({ retag }), 202);
    line.world.holdRead = () => line.clock.advance(MINUTE);
    await line.pass(4 * SECOND);
    const last = (await line.targetsOf(request.id)).slice(200);
    expect(last.map(({ state }) => state)).toEqual(['verified', 'verified']);
    expect(last.map(({ issuedAt }) => issuedAt)).toEqual(Array(2).fill(calledAt[1]));
  });

  it('other fields are one call for each device', async () => {
    const request = await sent(edit({ exception: true, retag }), 2);
    expect(line.world.edits).toEqual(['updateDevice 42', 'updateDevice 1001']);
    expect(await statesOf(request)).toEqual(['verified', 'verified']);
    expect(line.learned).toEqual(['device 42', 'device 1001']);
  });

  it('a pause between two devices holds all devices that are not in flight', async () => {
    pauseWith(1);
    const request = await sent(edit({ exception: true }), 20);
    const calls = line.world.edits.length;
    expect(calls).toBeLessThanOrEqual(4);
    const states = await statesOf(request);
    expect(states[0]).toBe('verified');
    expect(states.filter((state) => state === 'ready')).toHaveLength(20 - calls);
  });

  it('a pause between the claim and the one call gives all devices back', async () => {
    let isPaused = false;
    line = await createRequestsSetup({
      onFailpoint: async (name) => {
        if (name !== 'target.claimed' || isPaused) return;
        isPaused = true;
        const { store, clock } = line;
        const control = createPauseSwitch({
          store,
          clock,
          approvalsChannel: APPROVALS,
          wakeWorker: () => {},
        });
        await control.begin(personId('U_CAROL'), null);
      },
    });
    const request = await sent(edit({ retag }), 2);
    expect(line.world.edits).toEqual([]);
    expect(await statesOf(request)).toEqual(['ready', 'ready']);
  });
});

const claimed = aTarget({ state: 'issuing', issuedAt: START, acceptedAt: null });
const other = { ...claimed, position: 1 };
const YOUNG = { isSafe: () => true };
const SEND = { kind: 'send', claims: [claimed] };
const HELD_UP = {
  kind: 'give-back',
  why: { kind: 'unsent', error: { kind: 'timeout', held: { kind: 'delayed' } } },
};
const store = {
  pause: { currentOrEndedSince: async () => null },
  targets: { stillClaimed: async () => [claimed] },
};

/** The claim after its process was suspended for `ms`; `dueMs`: how long before the claim it became due. */
async function heldUp(ms: number, { dueMs = 0, maxAgeMs = 15 * MINUTE } = {}) {
  const clock = createManualClock(START);
  await clock.advance(ms);
  const due = { since: later(START, -dueMs), how: 'approved' } as const;
  return createSendCheck({ store, clock, maxAgeMs }, due)([claimed, other], YOUNG);
}

describe('a claim whose process was held up', () => {
  it('for less than the limit is sent', async () => {
    expect(await heldUp(15 * MINUTE - SECOND)).toEqual(SEND);
  });

  it('for longer is not sent any more', async () => {
    expect((await heldUp(15 * MINUTE)).kind).toBe('end');
  });

  it('goes by the limit of the configuration file', async () => {
    expect((await heldUp(5 * MINUTE, { maxAgeMs: 5 * MINUTE })).kind).toBe('end');
  });

  it('counts from when the change became due, not from the claim', async () => {
    expect(await heldUp(MINUTE, { dueMs: 14 * MINUTE })).toEqual({
      kind: 'end',
      why: { kind: 'too-late', since: later(START, -14 * MINUTE), how: 'approved', maxAgeMs: 15 * MINUTE },
    });
    expect(await heldUp(MINUTE - SECOND, { dueMs: 14 * MINUTE })).toEqual(SEND);
  });

  it('is not sent later where a clock that ran ahead wrote since when it is due', async () => {
    expect(await heldUp(15 * MINUTE, { dueMs: -3 * DAY })).toEqual({ kind: 'end', why: { kind: 'delayed' } });
  });
});

describe('a claim that others may have taken over by now', () => {
  const check = createSendCheck(
    { store, clock: createManualClock(START), maxAgeMs: 15 * MINUTE },
    { since: START, how: 'approved' },
  );

  it.each(['time that nobody sets', 'time of day'])(
    'is given back half a lease after it began: by the %s',
    async (which) => {
      let now = 1_000;
      const passing = () => now;
      const standing = () => 0;
      const age =
        which === 'time of day' ? startClaimAge(standing, passing) : startClaimAge(passing, standing);
      now += 15 * SECOND;
      expect(await check([claimed], age)).toEqual(SEND);
      now += 1;
      expect(await check([claimed], age)).toMatchObject(HELD_UP);
    },
  );

  it('is given back where the database does not say whether changes are paused', async () => {
    const failing = { ...store, targets: { stillClaimed: () => Promise.reject(new Error('gone')) } };
    const options = { store: failing, clock: createManualClock(START), maxAgeMs: MINUTE };
    const due = { since: START, how: 'requested' } as const;
    const why = { kind: 'pause-unread' };
    expect(await createSendCheck(options, due)([claimed], YOUNG)).toEqual({ kind: 'give-back', why });
  });
});

/** Jobs that go on until they are ended, and the names of those that began. */
function jobs() {
  const places = createSendPlaces(2);
  const begun: string[] = [];
  const ends = new Map<string, PromiseWithResolvers<void>>();
  const start = (name: string) => {
    const end = Promise.withResolvers<void>();
    ends.set(name, end);
    return places.take(async () => {
      begun.push(name);
      await end.promise;
      return name;
    });
  };
  return { begun, start, end: (name: string) => ends.get(name) };
}

it('a job waits for one of the places, in its turn', async () => {
  const { begun, start, end } = jobs();
  const [first, second, third, fourth] = ['a', 'b', 'c', 'd'].map(start);
  await yieldToEventLoop();
  expect(begun).toEqual(['a', 'b']);
  end('b')?.resolve();
  expect(await second).toBe('b');
  await yieldToEventLoop();
  expect(begun).toEqual(['a', 'b', 'c']);
  end('a')?.resolve();
  expect(await first).toBe('a');
  end('c')?.resolve();
  end('d')?.resolve();
  expect(await Promise.all([third, fourth])).toEqual(['c', 'd']);
});

it('a job that fails gives its place to the next', async () => {
  const { begun, start, end } = jobs();
  const [first, second, third] = ['a', 'b', 'c'].map(start);
  await yieldToEventLoop();
  end('a')?.reject(new Error('lost'));
  await expect(first).rejects.toThrow('lost');
  end('b')?.resolve();
  end('c')?.resolve();
  expect(await Promise.all([second, third])).toEqual(['b', 'c']);
  expect(begun).toEqual(['a', 'b', 'c']);
});

let line: RequestsSetup;

/** The waves that were read, by their requests. */
const read: RequestId[] = [];

async function startReadings(): Promise<WaveReadings> {
  read.length = 0;
  line = await createRequestsSetup();
  const { store, clock, fleet } = line;
  const waveCounts = (id: RequestId) => {
    read.push(id);
    return store.requests.waveCounts(id);
  };
  return createWaveReadings({
    store: { ...store, requests: { ...store.requests, waveCounts } },
    clock,
    reader: fleet.reader,
    sharedReader: fleet.reader,
    judgeChange: createJudgeChange({ clock }),
    groupName: async () => null,
    fleetSize: () => null,
    recordMoves: async () => [],
    returnRest: async () => {},
  });
}

const recorded = () =>
  line.record({ kind: 'scan' }, line.fleet.addDevices(2), { plan: planRollout(3, { waves: [] }) });

async function readWave(readings: WaveReadings, request: RequestRecord): Promise<void> {
  const { rollout } = request;
  if (rollout === null) throw new Error('it has no rollout');
  await readings.at({ request, rollout, range: { from: 0, to: 3 }, first: 0 });
}

it('is dropped a day after another replica went on with the wave', async () => {
  const readings = await startReadings();
  const [gone, next] = [await recorded(), await recorded()];
  await readWave(readings, gone);
  await readWave(readings, gone);
  expect(read).toEqual([gone.id]);
  await line.clock.advance(DAY + 1);
  await readWave(readings, next);
  await readWave(readings, gone);
  await readWave(readings, next);
  expect(read).toEqual([gone.id, next.id, gone.id]);
});

const FEW = 20;
const MANY = 200;
const tag = { kind: 'device-edit', change: { retag: { add: ['dmz'], remove: [] } } } as const;

/** Calls `onCall` for each call of `target` and its tables, with a cost: one, and one for each row of the result. */
function observed<T extends object>(target: T, onCall: (cost: number) => void): T {
  return new Proxy(target, {
    get: (object, name, receiver) => {
      const value: unknown = Reflect.get(object, name, receiver);
      if (typeof value === 'object' && value !== null) return observed(value, onCall);
      if (typeof value !== 'function') return value;
      return (...given: readonly unknown[]) => {
        const result: unknown = Reflect.apply(value, object, given);
        return Promise.resolve(result).then((rows) => {
          onCall(1 + (Array.isArray(rows) ? rows.length : 0));
          return rows;
        });
      };
    },
  });
}

/**
 * Calls to the store, and the rows that they give, while `count` devices are sent to, and while they are followed; and
 * reads of the service.
 */
async function costOf(action: FleetAction, count: number) {
  let calls = 0;
  const onCall = (cost: number) => {
    calls += cost;
  };
  const around = (store: Store): Store => ({
    ...observed(store, onCall),
    transaction: (job) => store.transaction((tables) => job(observed(tables, onCall))),
  });
  line = await createRequestsSetup({ around });
  const devices = line.fleet.addDevices(count - 1);
  const needsApproval = action !== scan;
  const id = needsApproval ? (await line.ask(action, devices)).id : await line.start(action, devices);
  if (needsApproval) await line.approve(await line.requestNow({ id }));
  calls = 0;
  line.world.reads = [];
  await line.settle();
  const sending = { calls, reads: line.world.reads.length };
  calls = 0;
  line.world.reads = [];
  await line.pass(20 * SECOND);
  const following = { calls, reads: line.world.reads.length };
  const { counts } = await line.requestNow({ id });
  await line.close();
  return { sending, following, counts };
}

describe('the calls to the store and the service, and the rows they return', () => {
  it.each([
    ['scan', scan],
    ['reboot', reboot],
  ])('are per device of a %s no more for 200 devices than for 20', async (_what, action) => {
    const few = await costOf(action, FEW);
    const many = await costOf(action, MANY);
    expect(many.counts).toMatchObject({ accepted: MANY, open: MANY });
    expect(many.sending.reads / MANY).toBeLessThanOrEqual(few.sending.reads / FEW);
    expect(many.following.reads / MANY).toBeLessThanOrEqual(few.following.reads / FEW);
    expect(many.sending.calls / MANY).toBeLessThanOrEqual(few.sending.calls / FEW);
    expect(many.following.calls / MANY).toBeLessThanOrEqual(few.following.calls / FEW);
    // A claim and a result, each in one transaction.
    expect(few.sending.calls / FEW).toBeLessThan(50);
  });

  it('are per device of a batch of tags no more for 200 devices than for 20', async () => {
    const few = await costOf(tag, FEW);
    const many = await costOf(tag, MANY);
    expect(many.counts).toMatchObject({ verified: MANY });
    expect(many.sending.reads / MANY).toBeLessThanOrEqual(few.sending.reads / FEW);
    expect(many.sending.calls / MANY).toBeLessThanOrEqual(few.sending.calls / FEW);
  });
});
