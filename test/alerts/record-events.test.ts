/** The life of alerts in the store, as polls of the event log make it. */
import { beforeEach, describe, expect, it } from 'vitest';
import type { FleetEvent } from '../../src/fleet/model/resources.ts';
import { DAY, HOUR, instant, later, MINUTE, SECOND } from '../../src/lib/clock.ts';
import { type CardKey, channelId, deviceId, eventId, personId, policyId } from '../../src/lib/ids.ts';
import { aFleetEvent } from '../harness/builders.ts';
import { ANY } from '../harness/records.ts';
import { alertOf, CHANNELS, pollOnce, range, world } from '../watch/world.ts';

const KIM = personId('UKIM');
const TEAM = channelId('C0TEAM');

beforeEach(async () => {
  world().log.add(1);
  await pollOnce();
});

const add = (id: number, device: number, over: Partial<FleetEvent> = {}) =>
  world().log.addEvent(
    aFleetEvent(id, {
      ...{ deviceId: deviceId(device), deviceName: `web-${device}`, createTime: world().clock.now() },
      ...over,
    }),
  );
const applied = (id: number, device: number, over: Partial<FleetEvent> = {}) =>
  add(id, device, { name: 'system.patch.applied', failure: null, ...over });
const poll = async (ms = 15_000) => {
  await world().clock.advance(ms);
  return pollOnce();
};
const storedCard = (key: CardKey) => world().store.cards.get(key);
const revisionOf = async (key: CardKey) => (await storedCard(key))?.wantedRevision ?? 0;
/** Shows each card as its work comes, and returns in how many milliseconds this one was due; null: not at all. */
const drawn = async (key: CardKey) => {
  const { store, clock } = world();
  const soon = later(clock.now(), HOUR);
  const work = await store.work.claim({ now: soon, leaseMs: HOUR, limit: 50, kinds: ['card'] });
  for (const one of work) {
    await store.cards.recordEdited(key, (await storedCard(key))?.wantedRevision ?? 0);
    await store.work.finish(one);
  }
  const found = work.find((one) => one.key === key);
  return found === undefined ? null : found.dueAt - clock.now();
};

describe('a proof', () => {
  it('fixes its member, and the alert with its last one', async () => {
    add(2, 2);
    add(3, 3);
    await poll();
    applied(4, 2);
    await poll();
    expect(await alertOf(2)).toMatchObject({ state: 'open', devices: 2, openDevices: 1, fixedDevices: 1 });
    applied(5, 3);
    await poll();
    expect(await alertOf(2)).toMatchObject({ state: 'fixed', open: 0, fixedDevices: 2 });
    expect((await alertOf(2))?.endedAt).toBe(world().clock.now());
    expect(await revisionOf('notice:patch-failed-2')).toBe(3);
  });

  it('of before the failure fixes nothing, also where it is listed after it', async () => {
    const before = world().clock.now();
    await world().clock.advance(MINUTE);
    add(2, 2);
    await poll();
    applied(3, 2, { createTime: before });
    await poll();
    expect(await alertOf(2)).toMatchObject({ state: 'open' });
  });

  it('that is listed before its failure keeps it from being posted', async () => {
    const failedAt = world().clock.now();
    await world().clock.advance(MINUTE);
    applied(3, 2);
    await poll();
    add(2, 2, { createTime: failedAt });
    expect(await poll(10 * MINUTE)).toMatchObject({ alerts: 1 });
    expect(await alertOf(2)).toMatchObject({ state: 'fixed', card: null });
    expect(await storedCard('notice:patch-failed-2')).toBeNull();
  });

  it('without a time counts from its first reading', async () => {
    add(2, 2, { createTime: null });
    await poll();
    expect(await alertOf(2)).toMatchObject({ state: 'open' });
    applied(3, 2, { createTime: null });
    await poll();
    expect(await alertOf(2)).toMatchObject({ state: 'fixed' });
  });

  it('of a policy is a run with exit code 0', async () => {
    await world().desk.subscribe({
      ...{ channel: TEAM, person: null, kinds: ['policy-failed'], filter: ANY, createdBy: KIM },
    });
    const ran = (id: number, exitCode: number | null) =>
      add(id, 2, { name: 'system.policy.action', policyId: policyId(4), exitCode, patches: [] });
    ran(2, 3010);
    await poll();
    ran(3, null);
    await poll();
    expect(await alertOf(2)).toMatchObject({ state: 'open', kind: 'policy-failed' });
    ran(4, 0);
    await poll();
    expect(await alertOf(2)).toMatchObject({ state: 'fixed' });
  });

  it('of one package leaves the others of its event open', async () => {
    const patches = ['openssl', 'curl'].map((name) => ({ name, version: null, displayName: null }));
    add(2, 2, { patches });
    await poll();
    applied(3, 2, { patches: patches.slice(0, 1) });
    await poll();
    expect(await alertOf(2)).toMatchObject({ state: 'open', members: 2, open: 1, fixedDevices: 0 });
  });
});

describe('the removal of a device', () => {
  it('closes what is open on it, and a failure that is listed later', async () => {
    add(2, 2);
    add(3, 3);
    await poll();
    const failedAt = world().clock.now();
    await world().clock.advance(MINUTE);
    add(4, 2, { name: 'system.delete', patches: [] });
    await poll();
    expect(await alertOf(2)).toMatchObject({ state: 'open', open: 1, closed: 1, fixedDevices: 0 });
    add(5, 2, { createTime: failedAt, patches: [{ name: 'curl', version: null, displayName: null }] });
    await poll();
    expect(await alertOf(5)).toMatchObject({ state: 'closed', card: null });
  });
});

describe('a failure every night', () => {
  it('is one card for 30 nights, which says how often', async () => {
    for (const night of range(0, 29)) {
      for (const device of range(2, 4)) add(100 + night * 3 + device, device);
      await poll(DAY);
    }
    const alert = await alertOf(102);
    expect(alert).toMatchObject({ number: 102, devices: 3, failures: 30, state: 'open' });
    expect(await world().store.alerts.list({}, { limit: 9, skip: 0 })).toMatchObject({ total: 1 });
    expect(alert?.card).toEqual({ channel: CHANNELS.patchAlerts, generation: 0 });
  });
});

describe('an alert that ended', () => {
  const end = async () => {
    add(2, 2);
    await poll();
    await world().desk.acknowledge(eventId(2), KIM);
    applied(3, 2);
    await poll();
  };

  it('is acknowledged by no press, and stays as it is', async () => {
    await end();
    expect(await world().desk.acknowledge(eventId(2), personId('ULATE'))).toMatchObject({
      kind: 'ended',
      alert: { state: 'fixed', acknowledgedBy: KIM },
    });
  });

  it('opens again within a day, unowned, and names who had it', async () => {
    await end();
    add(4, 2);
    await poll(HOUR);
    expect(await alertOf(4)).toMatchObject({
      ...{ number: 2, state: 'open', endedAt: null, acknowledgedBy: null, lastOwner: KIM },
      card: { generation: 0 },
    });
  });

  it('opens again as a new card where the old one is older than half a day', async () => {
    await end();
    add(4, 2);
    await poll(13 * HOUR);
    expect(await alertOf(4)).toMatchObject({ number: 2, card: { generation: 1 } });
    expect(await storedCard('notice:patch-failed-2.1')).toMatchObject({ channel: CHANNELS.patchAlerts });
    expect(await revisionOf('notice:patch-failed-2')).toBe(4);
  });

  it('is followed by a new one after a day, and keeps its own devices', async () => {
    await end();
    add(4, 2);
    await poll(25 * HOUR);
    expect(await alertOf(4)).toMatchObject({ number: 4, state: 'open', lastOwner: KIM });
    expect(await alertOf(2)).toMatchObject({ number: 2, state: 'fixed', devices: 1 });
  });
});

describe('a card that is older than half a day', () => {
  it('is posted anew with a new device, but not where a known one fails again', async () => {
    add(2, 2);
    await poll();
    add(3, 2);
    await poll(13 * HOUR);
    expect(await storedCard('notice:patch-failed-2.1')).toBeNull();
    add(4, 3);
    await poll();
    expect(await storedCard('notice:patch-failed-2.1')).not.toBeNull();
    add(5, 4);
    await poll();
    expect(await revisionOf('notice:patch-failed-2.1')).toBe(2);
    expect(await storedCard('notice:patch-failed-2.2')).toBeNull();
  });

  it('of another channel has its own pace and age', async () => {
    add(2, 2);
    await poll();
    await world().clock.advance(11 * HOUR);
    await world().desk.subscribe({
      ...{ channel: TEAM, person: null, kinds: ['patch-failed'], filter: ANY, createdBy: KIM },
    });
    add(3, 3);
    await poll();
    add(4, 4);
    await poll(2 * HOUR);
    expect(await storedCard('notice:patch-failed-2.1')).not.toBeNull();
    expect(await storedCard('notice:patch-failed-2@C0TEAM')).toMatchObject({ wantedRevision: 2 });
    expect(await alertOf(4, TEAM)).toMatchObject({ devices: 2 });
  });
});

describe('edits of a large alert', () => {
  const KEY = 'notice:patch-failed-100';

  const storm = async () => {
    for (const device of range(100, 199)) add(device, device);
    await poll();
    expect(await drawn(KEY)).toBe(0);
  };

  it('wait for a change that people would notice', async () => {
    await storm();
    for (const device of range(100, 103)) applied(300 + device, device);
    await poll();
    expect(await drawn(KEY)).toBe(20 * MINUTE - 15 * SECOND);
  });

  it('are made at once for the last one', async () => {
    await storm();
    for (const device of range(100, 199)) applied(300 + device, device);
    await poll();
    expect(await drawn(KEY)).toBe(0);
    expect(await alertOf(100)).toMatchObject({ state: 'fixed', fixedDevices: 100 });
  });

  it('never put off one that was promised', async () => {
    await storm();
    for (const device of range(100, 110)) applied(300 + device, device);
    await poll();
    applied(500, 111);
    await poll();
    expect(await drawn(KEY)).toBe(-15 * SECOND);
  });
});

it('what an event of the first start fixes or fails is history', async () => {
  add(2, 2, { createTime: instant(0) });
  await poll();
  expect(await alertOf(1)).toBeNull();
});
