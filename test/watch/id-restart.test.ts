import { describe, expect, it } from 'vitest';
import type { FleetEvent } from '../../src/fleet/model/resources.ts';
import { createManualClock, instant, later, MINUTE, SECOND } from '../../src/lib/clock.ts';
import { deviceId, eventId } from '../../src/lib/ids.ts';
import { createIdRestartDetector, idRestartSign } from '../../src/watch/event-log.ts';
import { alertsIn, pollOnce, range, world } from './poll-setup.ts';
import { aFleetEvent } from './simulated-event-log.ts';

const T0 = instant(1_700_000_000_000);
const event = (id: number, minutes: number | null) =>
  aFleetEvent(id, { createTime: minutes === null ? null : later(T0, minutes * MINUTE) });

describe('the ids of a read', () => {
  const FLOOR = eventId(1_000);
  it.each([
    ['nothing where nothing is listed', [], 'unknown'],
    ['nothing where no event has a time', [event(3, null)], 'unknown'],
    ['that all is well where the newest are above', [event(1_001, 5), event(999, 4), event(3, 1)], 'fine'],
    ['that all is well where a lower id came a little late', [event(1_001, 5), event(999, 9)], 'fine'],
    ['that they began anew where newer events have lower ids', [event(1_001, 5), event(3, 11)], 'restarted'],
    ['the same where nothing else is listed', [event(3, 11), event(4, 12)], 'restarted'],
  ] as const)('%s', (_, events, kind) => {
    expect(idRestartSign(events, FLOOR).kind).toBe(kind);
  });

  it('is the newest of those that were given again', () => {
    expect(idRestartSign([event(1_001, 5), event(3, 11), event(4, 12), event(998, 1)], FLOOR)).toEqual({
      kind: 'restarted',
      newestId: 4,
      floorId: 1_000,
    });
  });
});

describe('ids that restarted', () => {
  const restarted = { kind: 'restarted', newestId: eventId(4), floorId: eventId(1_000) } as const;

  it('are trusted after several reads in a row, until a read says otherwise', () => {
    const watch = createIdRestartDetector(createManualClock(T0));
    watch.note(restarted);
    watch.note({ kind: 'fine' });
    watch.note(restarted);
    watch.note({ kind: 'unknown' });
    watch.note(restarted);
    expect(watch.restart()).toBeNull();
    watch.note(restarted);
    expect(watch.restart()).toEqual({ newestId: 4, floorId: 1_000, since: T0 });
    watch.note({ kind: 'fine' });
    expect(watch.restart()).toBeNull();
  });

  it('are no longer trusted by a process that does not read', async () => {
    const clock = createManualClock(T0);
    const watch = createIdRestartDetector(clock);
    for (let looks = 0; looks < 3; looks += 1) watch.note(restarted);
    await clock.advance(10 * MINUTE);
    expect(watch.restart()).not.toBeNull();
    await clock.advance(1);
    expect(watch.restart()).toBeNull();
  });

  it('raise the alarm while their events are dropped', async () => {
    const start = world().clock.now();
    for (const id of range(5_001, 5_090)) world().log.addEvent(aFleetEvent(id, { createTime: start }));
    const watch = createIdRestartDetector(world().clock);
    const look = () => pollOnce(undefined, undefined, watch.note);
    await look();
    await world().clock.advance(20 * MINUTE);
    await look();
    expect(watch.restart()).toBeNull();
    for (const id of [1, 2]) world().log.addEvent(aFleetEvent(id, { createTime: world().clock.now() }));
    for (let looks = 0; looks < 3; looks += 1) {
      await world().clock.advance(15 * SECOND);
      expect(await look()).toMatchObject({ alerts: 0 });
    }
    expect(await alertsIn(1)).toEqual([]);
    expect(watch.restart()).toMatchObject({ newestId: 2 });
  });

  const list = async (events: readonly FleetEvent[]) => {
    for (const { id } of events) world().log.remove(id);
    for (const one of events) world().log.addEvent(one);
    return (await pollOnce()).alerts;
  };

  it('post what comes under ids that were seen before, also late, and nothing twice', async () => {
    await list(range(1, 60).map((id) => event(id, -id)));
    for (const [ids, minutes] of [[range(2, 60), 5] as const, [[9], 10] as const, [[8], 11] as const]) {
      await world().clock.advance(5 * MINUTE);
      expect(await list(ids.map((id) => event(id, minutes)))).toBe(ids.length);
      expect(await pollOnce()).toMatchObject({ alerts: 0 });
    }
  });

  it.each<[string, (id: number) => FleetEvent]>([
    ['without times', (id) => event(id, null)],
    ['with times an hour later', (id) => event(id, id + 60)],
    ['with times an hour earlier', (id) => event(id, id - 60)],
    ['with times cut to minutes', (id) => event(id, id - 0.3)],
    ['under other names', (id) => ({ ...event(id, id), name: 'system.add' })],
    ['of other devices', (id) => ({ ...event(id, id), deviceId: deviceId(8) })],
  ])('post nothing again that is listed %s, once or for good', async (_how, other) => {
    await world().clock.advance(61 * MINUTE);
    const first = (id: number) => event(id, id);
    for (const reading of [first, other, first, ...range(1, 6).map(() => other)]) {
      expect(await list(range(1, 60).map(reading))).toBe(0);
      await world().clock.advance(11 * MINUTE);
    }
  });
});
