import { describe, expect, it } from 'vitest';
import { createManualClock, instant, later, MINUTE, SECOND } from '../../src/lib/clock.ts';
import { deviceId, eventId } from '../../src/lib/ids.ts';
import { createIdRestartDetector, idRestartSign } from '../../src/watch/anomalies.ts';
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
    [
      'that all is well where the newest are above the floor',
      [event(1_001, 5), event(999, 4), event(3, 1)],
      'fine',
    ],
    ['that all is well where a lower id came a little late', [event(1_001, 5), event(999, 9)], 'fine'],
    [
      'that they are counted anew where newer events have lower ids',
      [event(1_001, 5), event(3, 11)],
      'restarted',
    ],
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

  it('post what comes under ids that were seen before, and nothing twice', async () => {
    const at = later(world().clock.now(), MINUTE);
    const list = async (id: number, changes: Parameters<typeof aFleetEvent>[1]) => {
      world().log.remove(id);
      world().log.addEvent(aFleetEvent(id, { createTime: at, ...changes }));
      return (await pollOnce()).alerts;
    };
    world().log.add(...range(1, 5));
    await pollOnce();
    expect(await list(6, { name: 'user.login' })).toBe(0);
    const others = [{}, { createTime: later(at, MINUTE) }, { deviceId: deviceId(8) }];
    for (const changes of others) expect(await list(6, changes)).toBe(1);
    // Also where the device is gone and stated no more.
    for (const changes of [...others, { deviceId: null }]) expect(await list(6, changes)).toBe(0);
  });
});
