/** What a rollout does by its age: whatever delayed it, nothing old is sent before an approver has continued it. */
import { beforeEach, describe, expect, it } from 'vitest';
import { DAY, HOUR, type Instant, later, MINUTE, SECOND } from '../../../src/lib/clock.ts';
import { cardKey, channelId, type DeviceId, type RequestId } from '../../../src/lib/ids.ts';
import { holdAllRollouts } from '../../../src/requests/decide/hold-rollout.ts';
import { ALICE, BOB } from '../requests-setup.ts';
import { createRolloutSetup, ONE_THEN_REST, type RolloutSetup } from './rollout-setup.ts';

let line: RolloutSetup;
let isAwake = true;
/** Called with each command, before it is sent. */
let onSend: (() => Promise<void>) | null = null;
beforeEach(async () => {
  isAwake = true;
  onSend = null;
  line = await createRolloutSetup({
    isAwake: () => isAwake,
    onFailpoint: async (name) => {
      if (name === 'target.claimed') await onSend?.();
    },
  });
});

const posted = () => line.posted();
const rolloutOf = (id: RequestId) => line.rolloutOf(id);
const holdOf = async (id: RequestId) => (await rolloutOf(id))?.hold?.kind ?? null;
const goesOffline = (...devices: readonly DeviceId[]) => {
  for (const id of devices) line.fleet.change({ connected: false }, id);
};
/** Its canary got its command, and went offline. */
async function withOfflineCanary(count = 12) {
  const { id, devices } = await line.begin(count, {
    ...ONE_THEN_REST,
    brake: { kind: 'devices', devices: 9 },
  });
  await line.settle();
  goesOffline(...devices.slice(0, 1));
  await line.pass(10 * MINUTE);
  expect(posted()).toEqual(devices.slice(0, 1));
  return { id, devices };
}

describe('an approval that ended', () => {
  it('sends nothing though its canary comes back after three days, until an approver continues', async () => {
    const { id, devices } = await withOfflineCanary();
    const since = (await line.requestNow({ id })).decidedAt ?? (0 as Instant);
    await line.pass(3 * DAY);
    expect(await rolloutOf(id)).toMatchObject({
      hold: { kind: 'expired', at: later(since, DAY) },
      endsAt: later(since, DAY),
    });
    line.restart(...devices.slice(0, 1));
    await line.pass(3 * HOUR);
    expect((await line.requestNow({ id })).counts).toMatchObject({ verified: 1, ready: 11 });
    expect(posted()).toHaveLength(1);
    expect(await line.control(id, 'continue', ALICE, 'admin')).toMatchObject({
      refusal: { kind: 'own-request' },
    });
    const now = line.clock.now();
    expect(await line.control(id, 'continue')).toMatchObject({ kind: 'decided' });
    expect((await rolloutOf(id))?.endsAt).toBe(later(now, DAY));
    await line.pass(MINUTE);
    expect(posted()).toHaveLength(4);
    expect(await line.actions()).toEqual(expect.arrayContaining(['rollout.expired', 'rollout.continued']));
  });

  it('reads the devices again before it goes on: who changed meanwhile is left out', async () => {
    const { id, devices } = await withOfflineCanary();
    await line.pass(2 * DAY);
    line.restart(...devices.slice(0, 1));
    for (const device of devices.slice(1, 3)) line.fleet.change({ osName: 'Other' }, device);
    await line.control(id, 'continue');
    await line.pass(2 * HOUR);
    expect(posted().slice(1)).toEqual(devices.slice(3, 4));
  });

  it.each<[string, number, number]>([
    ['a moment before it', DAY - MINUTE, 4],
    ['at it', DAY, 1],
    ['a moment after it', DAY + SECOND, 1],
  ])('is looked at in the claim: %s', async (_what, ms, sent) => {
    const { id, devices } = await line.begin(5, ONE_THEN_REST);
    await line.settle();
    const since = (await line.requestNow({ id })).decidedAt ?? (0 as Instant);
    line.restart(...devices.slice(0, 1));
    const { rollout, version } = await line.requestNow({ id });
    // Its wave began just now, so that nothing else is too old.
    await line.clock.advance(later(since, ms) - line.clock.now());
    const now = line.clock.now();
    if (rollout === null) throw new Error('no rollout');
    const next = { ...(await line.requestNow({ id })), rollout: { ...rollout, wave: 1, waveFrom: now } };
    expect(await line.store.requests.replace({ ...next, version: version + 1 })).toBe(true);
    await line.run(id);
    expect(posted()).toHaveLength(sent);
    expect(await holdOf(id)).toBe(sent === 1 ? 'expired' : null);
  });

  it('is looked at right before the call: what was claimed in time and held up is not sent', async () => {
    const { id } = await line.begin(2, { waves: [] });
    onSend = () => line.clock.advance(DAY);
    await line.run(id);
    expect(posted()).toEqual([]);
    onSend = null;
    await line.pass(HOUR);
    expect(posted()).toEqual([]);
    expect((await line.requestNow({ id })).counts).toMatchObject({ ready: 2 });
    expect(await holdOf(id)).toBe('expired');
  });
});

describe('a rollout that is held for seven days', () => {
  it('ends with what was not sent, follows the rest, and tells its people', async () => {
    const { id, devices } = await line.begin(5, { ...ONE_THEN_REST, gate: 'manual' });
    await line.settle();
    line.restart(...devices.slice(0, 1));
    await line.pass(7 * DAY - HOUR);
    expect(await holdOf(id)).toBe('gate');
    await line.pass(2 * HOUR);
    expect(await line.requestNow({ id })).toMatchObject({
      state: 'ended',
      counts: { verified: 1, not_sent: 4 },
      rollout: { hold: { kind: 'stopped', by: null, why: 'unresumed' } },
    });
    const { rollout } = await line.requestNow({ id });
    for (const key of [
      cardKey('told', cardKey('approval', id)),
      cardKey('returned', `${id}.${rollout?.hold?.at}`, channelId(BOB)),
    ])
      expect(await line.store.cards.get(key)).not.toBeNull();
    expect(posted()).toHaveLength(1);
  });

  it('whatever holds it, and also where a device fails meanwhile', async () => {
    const { id } = await withOfflineCanary();
    // Its canary is given up after a week, and the approval had ended after a day.
    await line.pass(7 * DAY + HOUR);
    expect(await holdOf(id)).toBe('braked');
    await line.pass(DAY);
    expect(await line.requestNow({ id })).toMatchObject({
      state: 'ended',
      counts: { not_verified: 1, not_sent: 11 },
    });
  });
});

describe('a rollout that waits only for offline devices', () => {
  it.each([
    ['before', 0],
    ['after', 3],
  ])(
    'is continued without them by an approver %s its approval ended, and they are followed',
    async (_when, days) => {
      const { id, devices } = await withOfflineCanary();
      await line.pass(days * DAY);
      const press = (person = BOB) => line.control(id, 'continue-without', person);
      expect(await press(ALICE)).toMatchObject({ refusal: { kind: 'own-request' } });
      expect(await press()).toMatchObject({ kind: 'decided' });
      await line.pass(MINUTE);
      expect(posted()).toHaveLength(4);
      // Now it waits for others, too.
      expect(await press()).toMatchObject({ refusal: { kind: 'rollout-is', standing: 'running' } });
      line.restart(...devices.slice(0, 4));
      await line.pass(2 * HOUR);
      expect(await line.store.requests.waveCounts(id)).toMatchObject([{ verified: 1 }, { verified: 3 }, {}]);
    },
  );

  it('is not continued without devices that may still answer', async () => {
    const { id } = await line.begin(5, ONE_THEN_REST);
    await line.settle();
    for (const control of ['continue-without', 'close'] as const)
      expect(await line.control(id, control)).toMatchObject({ refusal: { kind: 'rollout-is' } });
  });

  it.each([
    ['its requester', ALICE, 'operator'],
    ['an approver', BOB, 'approver'],
  ] as const)(
    'is closed by %s: who has the command is not verified, the others got nothing',
    async (...by) => {
      const [, person, role] = by;
      const { id, devices } = await withOfflineCanary();
      expect(await line.control(id, 'close', person, role)).toMatchObject({ kind: 'decided' });
      const { state, counts, rollout } = await line.requestNow({ id });
      expect({ state, counts }).toEqual({
        state: 'ended',
        counts: { not_verified: 1, may_run: 1, not_sent: 11 },
      });
      expect(rollout?.hold).toMatchObject({ kind: 'stopped', by: person, why: 'closed' });
      expect(await line.targetOf(id)).toMatchObject({ evidence: [{ kind: 'still-queued' }] });
      line.restart(...devices.slice(0, 1));
      await line.pass(DAY);
      expect(posted()).toHaveLength(1);
    },
  );

  it('is closed when all of it was sent, too', async () => {
    const { id, devices } = await line.begin(2, { waves: [] });
    await line.settle();
    line.restart(...devices.slice(0, 1));
    goesOffline(...devices.slice(1));
    await line.pass(HOUR);
    expect(await line.control(id, 'close')).toMatchObject({ kind: 'decided' });
    expect(await line.requestNow({ id })).toMatchObject({
      state: 'ended',
      counts: { verified: 1, not_verified: 1 },
    });
  });
});

describe('Patchbay that was away', () => {
  const away = () => {
    const at = line.clock.now();
    const hold = { kind: 'away', from: later(at, -DAY), at } as const;
    return line.store.transaction((tables) => holdAllRollouts(tables, hold, { now: at }));
  };

  it('holds what would go on, also where the next wave is not due yet', async () => {
    const { id, devices } = await line.begin(5, { ...ONE_THEN_REST, waitMs: HOUR });
    await line.settle();
    line.restart(...devices.slice(0, 1));
    await line.pass(10 * MINUTE);
    await away();
    await line.pass(10 * HOUR);
    expect(posted()).toHaveLength(1);
    expect(await holdOf(id)).toBe('away');
    await line.control(id, 'continue');
    await line.pass(MINUTE);
    expect(posted()).toHaveLength(4);
  });

  it('leaves what waits for somebody anyway, and what was all sent', async () => {
    const gate = await line.begin(5, { ...ONE_THEN_REST, gate: 'manual' });
    await line.settle();
    line.restart(...gate.devices.slice(0, 1));
    await line.pass(10 * MINUTE);
    await away();
    expect(await holdOf(gate.id)).toBe('gate');
  });

  it('claims nothing of a rollout before it knows', async () => {
    const { id } = await line.begin(5, { waves: [] });
    isAwake = false;
    await line.run(id);
    expect(posted()).toEqual([]);
    isAwake = true;
    await line.pass(MINUTE);
    expect(posted()).toHaveLength(5);
  });
});
