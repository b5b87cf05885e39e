import { describe, expect, it } from 'vitest';
import { createManualClock, instant, later, MINUTE, SECOND } from '../../src/lib/clock.ts';
import { eventId } from '../../src/lib/ids.ts';
import { createIdRestartDetector, idRestartSign } from '../../src/watch/anomalies.ts';
import { alertsIn, CHANNELS, pollOnce, range, world } from './poll-setup.ts';
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
    const at = (minutes: number) => ({ createTime: later(world().clock.now(), minutes * MINUTE) });
    world().log.add(...range(1, 5));
    await pollOnce();
    world().log.addEvent(aFleetEvent(6, at(1)));
    world().log.addEvent(aFleetEvent(7, { ...at(1), name: 'user.login' }));
    expect(await pollOnce()).toMatchObject({ alerts: 1 });
    for (const id of [6, 7]) world().log.remove(id);
    expect(await pollOnce()).toMatchObject({ alerts: 0 });
    world().log.addEvent(aFleetEvent(6, at(2)));
    world().log.addEvent(aFleetEvent(7, at(1)));
    expect(await pollOnce()).toEqual({ taken: 2, alerts: 2 });
    world().log.remove(6);
    // Listed again as it was at first, when its device is gone.
    world().log.addEvent(aFleetEvent(6, { ...at(1), deviceId: null }));
    expect(await pollOnce()).toEqual({ taken: 0, alerts: 0 });
    expect(await alertsIn(6)).toEqual([CHANNELS.patchAlerts]);
  });
});
