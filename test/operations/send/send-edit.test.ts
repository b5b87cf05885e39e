/** How many calls an edit of several devices makes, and which devices the index learns. */
import { expect, it } from 'vitest';
import type { DeviceChange } from '../../../src/fleet/model/edits.ts';
import { createManualClock, MINUTE } from '../../../src/lib/clock.ts';
import { deviceId } from '../../../src/lib/ids.ts';
import { createSendCheck } from '../../../src/operations/send/send-check.ts';
import { sendEdit } from '../../../src/operations/send/send-edit.ts';
import type { TargetRecord } from '../../../src/store/port/records.ts';
import { aFleetEditor } from '../../harness/fleet-editor.ts';
import { aPause, aTarget, SENT } from '../builders.ts';
import { aDevice, anError } from '../simulated-fleet.ts';

const ids = [deviceId(42), deviceId(43)];
const claimed = ids.map((id) => aTarget({ deviceId: id, state: 'issuing', acceptedAt: null }));
const fine = { notApplied: [], unconfirmed: [], alsoChanged: [] };

const PAUSE = { ...aPause(), since: SENT };

/** `pausedAfter`: a pause starts after this many calls. */
async function sent(change: DeviceChange, pausedAfter = Number.POSITIVE_INFINITY) {
  const calls: string[] = [];
  const ends: TargetRecord[] = [];
  const learned: number[] = [];
  const editor = aFleetEditor({
    tagDevices: async (devices) => {
      calls.push(`tagDevices ${devices.join(' ')}`);
      return [
        { deviceId: deviceId(42), outcome: { kind: 'done', result: { ...fine, after: aDevice() } } },
        { deviceId: deviceId(43), outcome: { kind: 'unknown', error: anError('timeout', null) } },
      ];
    },
    updateDevice: async (id) => {
      calls.push(`updateDevice ${id}`);
      return { kind: 'done', result: { ...fine, after: aDevice({ id }) } };
    },
  });
  const changeListener = {
    learnDevice: ({ id }: { readonly id: number }) => learned.push(id),
    learnGroup: () => {},
    packagesChanged: () => {},
  };
  const clock = createManualClock(SENT);
  const pause = { currentOrEndedSince: async () => (calls.length >= pausedAfter ? PAUSE : null) };
  const due = { since: SENT, how: 'approved' } as const;
  const sendCheck = createSendCheck({ store: { pause }, clock, maxAgeMs: 15 * MINUTE }, due);
  await sendEdit(
    { editor, changeListener, clock, sendCheck },
    { edit: { kind: 'device-edit', change }, claimed },
    async (next) => {
      ends.push(next);
    },
  );
  clock.stop();
  const words = ends.flatMap(({ evidence }) => (evidence?.startsWith('Not sent') ? [evidence] : []));
  return { calls, states: ends.map(({ state }) => state), learned, words };
}

it('the tags of several devices are one call, each device with an end of its own', async () => {
  expect(await sent({ retag: { add: ['dmz'], remove: [] } })).toEqual({
    calls: ['tagDevices 42 43'],
    states: ['verified', 'unknown'],
    learned: [42],
    words: [],
  });
});

it('other fields are one call for each device', async () => {
  expect(await sent({ exception: true, retag: { add: ['dmz'], remove: [] } })).toEqual({
    calls: ['updateDevice 42', 'updateDevice 43'],
    states: ['verified', 'verified'],
    learned: [42, 43],
    words: [],
  });
});

it('a pause between two devices ends the second without a call', async () => {
  const { calls, states, words } = await sent({ exception: true }, 1);
  expect(calls).toEqual(['updateDevice 42']);
  expect(states[0]).toBe('verified');
  expect(words).toEqual([expect.stringContaining('all changes have been paused since')]);
});

it('a pause before the one call ends all devices without it', async () => {
  const { calls, words } = await sent({ retag: { add: ['dmz'], remove: [] } }, 0);
  expect(calls).toEqual([]);
  expect(words).toHaveLength(2);
});
