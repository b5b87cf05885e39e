/** How many calls an edit of several devices makes, and which devices the index learns. */
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { FleetAction } from '../../../src/fleet/model/actions.ts';
import type { DeviceChange } from '../../../src/fleet/model/edits.ts';
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
afterEach(() => line.close());

/** Approves it for `count` devices and runs it. */
async function sent(action: FleetAction, count: number) {
  const request = await line.ask(action, line.fleet.addDevices(count - 1));
  await line.approve(request);
  await line.settle();
  return request;
}
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
  await line.close();
  line = await createRequestsSetup({
    editor: (editor) => ({
      ...editor,
      tagDevices: async (ids, change) => {
        calls.push(ids);
        const tagged = await editor.tagDevices(ids, change);
        const lost = { kind: 'unknown', error: anError('timeout', null) } as const;
        return tagged.map((one) => (one.deviceId === DEVICE ? one : { ...one, outcome: lost }));
      },
    }),
  });
  const request = await sent(edit({ retag }), 2);
  expect(calls).toEqual([[DEVICE, 1001]]);
  expect(await statesOf(request)).toEqual(['verified', 'unknown']);
  expect(line.learned).toEqual([`device ${DEVICE}`]);
});

it('the tags of five hundred devices are one claim and one call, and of one more are two', async () => {
  let claims = 0;
  await line.close();
  line = await createRequestsSetup({
    onFailpoint: (name) => {
      if (name === 'target.claimed') claims += 1;
    },
  });
  const request = await sent(edit({ retag }), 501);
  expect(line.fleet.world.edits.toSorted()).toEqual(['tagDevices 500', 'updateDevice 1500']);
  expect(claims).toBe(2);
  expect(await line.requestNow(request)).toMatchObject({ state: 'ended', counts: { verified: 501 } });
});

it('other fields are one call for each device', async () => {
  const request = await sent(edit({ exception: true, retag }), 2);
  expect(line.fleet.world.edits).toEqual(['updateDevice 42', 'updateDevice 1001']);
  expect(await statesOf(request)).toEqual(['verified', 'verified']);
  expect(line.learned).toEqual(['device 42', 'device 1001']);
});

it('a pause between two devices ends all devices that are not in flight without a call', async () => {
  pauseWith(1);
  const request = await sent(edit({ exception: true }), 20);
  const calls = line.fleet.world.edits.length;
  expect(calls).toBeLessThanOrEqual(4);
  const states = await statesOf(request);
  expect(states[0]).toBe('verified');
  expect(states.filter((state) => state === 'not_sent')).toHaveLength(20 - calls);
});

it('a pause between the claim and the one call ends all devices without it', async () => {
  let isPaused = false;
  await line.close();
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
  expect(await statesOf(request)).toEqual(['not_sent', 'not_sent']);
});
