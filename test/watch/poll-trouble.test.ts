import { beforeEach, describe, expect, it } from 'vitest';
import { createManualClock, DAY, later, MINUTE } from '../../src/lib/clock.ts';
import { alertsIn, CHANNELS, pollOnce, range, world } from './poll-setup.ts';
import { aFleetEvent } from './simulated-event-log.ts';

describe('a time of day that was set forward by mistake and back again', () => {
  it('hides no event: days are counted from the earlier of both times', async () => {
    world().log.filtersDays = true;
    const start = world().clock.now();
    world().log.addEvent(aFleetEvent(1, { createTime: start }));
    await pollOnce();
    await world().clock.advance(30 * DAY);
    await pollOnce();
    world().clock = createManualClock(later(start, MINUTE));
    world().log.addEvent(aFleetEvent(2, { createTime: world().clock.now() }));
    expect(await pollOnce()).toEqual({ taken: 1, alerts: 1 });
    expect(await pollOnce()).toEqual({ taken: 0, alerts: 0 });
  });

  it('is written down as soon as it is known, though nothing happened', async () => {
    await pollOnce();
    const start = world().clock.now();
    await world().clock.advance(30 * DAY);
    await pollOnce();
    world().clock = createManualClock(later(start, MINUTE));
    await pollOnce();
    expect((await world().store.events.cursor())?.updatedAt).toBe(world().clock.now());
  });
});

describe('a backlog', () => {
  beforeEach(async () => {
    world().log.add(...range(1, 50));
    await pollOnce();
  });

  it('of more than twenty thousand events is posted', async () => {
    world().log.add(...range(51, 20_550));
    expect((await pollOnce()).alerts).toBe(20_500);
    expect(await pollOnce()).toEqual({ taken: 0, alerts: 0 });
    expect(world().odd).toEqual([]);
  });

  it('is taken in parts, and a crash between them loses and doubles nothing', async () => {
    world().log.add(...range(51, 2_050));
    const crash = () => Promise.reject(new Error('killed'));
    let parts = 0;
    const crashing = pollOnce((step) => (step === 'poll.committed' && ++parts === 2 ? crash() : undefined));
    await expect(crashing).rejects.toThrow('killed');
    expect(await world().store.events.cursor()).toMatchObject({ highestId: 1_050 });
    expect(await alertsIn(1_050)).toEqual([CHANNELS.patchAlerts]);
    expect(await alertsIn(1_051)).toEqual([]);
    await world().clock.advance(10 * MINUTE);
    expect((await pollOnce()).alerts).toBe(1_000);
  });

  it('that is interrupted keeps the day from which it is read', async () => {
    const before = await world().store.events.cursor();
    world().log.add(...range(51, 1_000));
    await world().clock.advance(9 * DAY);
    const crash = () => Promise.reject(new Error('killed'));
    await expect(pollOnce((step) => (step === 'poll.committed' ? crash() : undefined))).rejects.toThrow();
    expect((await world().store.events.cursor())?.updatedAt).toBe(before?.updatedAt);
    await pollOnce();
    expect((await world().store.events.cursor())?.updatedAt).toBe(world().clock.now());
  });

  it('beyond the client’s limit is posted as far as it was read, is logged, and does not block later events', async () => {
    world().log.mostPages = 3;
    world().log.add(...range(51, 3_000));
    expect((await pollOnce()).alerts).toBe(1_500);
    expect(world().odd).toEqual([{ kind: 'cut-short', read: 1_600 }]);
    world().log.add(3_001);
    expect((await pollOnce()).alerts).toBe(1);
  });

  it('fails where not even the first page can be read', async () => {
    world().log.mostPages = 0;
    await expect(pollOnce()).rejects.toThrow('too-large');
  });
});

describe('an event log that misbehaves', () => {
  it('lists lower ids beyond the first page later than higher ones', async () => {
    world().log.add(...range(1, 10));
    await pollOnce();
    world().log.add(...range(300, 420));
    expect((await pollOnce()).alerts).toBe(121);
    await world().clock.advance(4 * MINUTE);
    world().log.add(...range(11, 299));
    expect((await pollOnce()).alerts).toBe(289);
  });

  it('lists one absurdly high id, which hides nothing, now or when it is old', async () => {
    world().log.add(...range(1, 100));
    await pollOnce();
    world().log.add(9_000_000);
    expect((await pollOnce()).alerts).toBe(1);
    await world().clock.advance(30 * MINUTE);
    world().log.add(...range(101, 400));
    expect((await pollOnce()).alerts).toBe(300);
    await world().clock.advance(8 * DAY);
    expect(await pollOnce()).toEqual({ taken: 0, alerts: 0 });
    world().log.add(...range(401, 403));
    expect((await pollOnce()).alerts).toBe(3);
    await world().clock.advance(8 * DAY);
    expect(await pollOnce()).toEqual({ taken: 0, alerts: 0 });
    expect(world().odd).toEqual([]);
  });

  it('lists an absurdly high id at the first start, which hides nothing either', async () => {
    world().log.add(...range(1, 150), 9_000_000);
    await pollOnce();
    world().log.add(...range(151, 153));
    expect((await pollOnce()).alerts).toBe(3);
  });

  it('states a total below its rows, which hides none of them', async () => {
    world().log.add(1);
    await pollOnce();
    world().log.add(...range(2, 151));
    world().log.total = 50;
    expect(await pollOnce()).toEqual({ taken: 150, alerts: 150 });
  });

  it('contains unreadable or foreign rows: that is logged, and the others are posted', async () => {
    world().log.add(1);
    await pollOnce();
    world().log.add(2);
    world().log.unreadable = 2;
    world().log.strays = 1;
    expect((await pollOnce()).alerts).toBe(1);
    expect(world().odd).toEqual([
      { kind: 'unreadable', rows: 2 },
      { kind: 'strays', rows: 1 },
    ]);
  });
});
