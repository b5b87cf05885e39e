/** How many calls an edit of several devices makes, and which devices the index learns. */
import { beforeEach, describe, expect, it } from 'vitest';
import type { FleetAction } from '../../../src/fleet/model/actions.ts';
import type { DeviceChange } from '../../../src/fleet/model/changes.ts';
import { MINUTE, SECOND } from '../../../src/lib/clock.ts';
import { type DeviceId, personId } from '../../../src/lib/ids.ts';
import { createPauseSwitch } from '../../../src/requests/decide/pause-switch.ts';
import { anError, DEVICE } from '../fleet-builders.ts';
import { APPROVALS, createRequestsSetup, type RequestsSetup } from '../requests-setup.ts';

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
  const { store, clock } = line;
  const pause = createPauseSwitch({ store, clock, approvalsChannel: APPROVALS, wakeWorker: () => {} });
  line.fleet.world.holdEdit = async () => {
    if (line.fleet.world.edits.length === edits) await pause.begin(personId('U_CAROL'), null);
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
  expect(line.fleet.world.edits.toSorted()).toEqual(['tagDevices 200', 'updateDevice 1200']);
  expect(claims).toBe(2);
  expect(await line.requestNow(request)).toMatchObject({ state: 'ended', counts: { verified: 201 } });
});

describe('tags of several devices where the service has no call for them', () => {
  /** How many of the devices are claimed at each call. */
  async function claimedAtCalls(given: Parameters<typeof createRequestsSetup>[0]) {
    line = await createRequestsSetup(given);
    const claimed: number[] = [];
    line.fleet.world.holdEdit = async () => {
      const [request] = await line.store.requests.list({}, 1);
      claimed.push(request?.counts.issuing ?? 0);
    };
    return claimed;
  }

  it('are claimed and changed one device at a time', async () => {
    const claimed = await claimedAtCalls({ takesTagBatches: false });
    const request = await sent(edit({ retag }), 20);
    expect(line.fleet.world.edits.toSorted()).toEqual([...updates(20)].toSorted());
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
    expect(line.fleet.world.edits.toSorted()).toEqual([...updates(20), ...updates(2)].toSorted());
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
  line.fleet.world.holdRead = () => line.clock.advance(MINUTE);
  await line.pass(4 * SECOND);
  const last = (await line.targetsOf(request.id)).slice(200);
  expect(last.map(({ state }) => state)).toEqual(['verified', 'verified']);
  expect(last.map(({ issuedAt }) => issuedAt)).toEqual(Array(2).fill(calledAt[1]));
});

it('other fields are one call for each device', async () => {
  const request = await sent(edit({ exception: true, retag }), 2);
  expect(line.fleet.world.edits).toEqual(['updateDevice 42', 'updateDevice 1001']);
  expect(await statesOf(request)).toEqual(['verified', 'verified']);
  expect(line.learned).toEqual(['device 42', 'device 1001']);
});

it('a pause between two devices holds all devices that are not in flight', async () => {
  pauseWith(1);
  const request = await sent(edit({ exception: true }), 20);
  const calls = line.fleet.world.edits.length;
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
      const control = createPauseSwitch({ store, clock, approvalsChannel: APPROVALS, wakeWorker: () => {} });
      await control.begin(personId('U_CAROL'), null);
    },
  });
  const request = await sent(edit({ retag }), 2);
  expect(line.fleet.world.edits).toEqual([]);
  expect(await statesOf(request)).toEqual(['ready', 'ready']);
});
