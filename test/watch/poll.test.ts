import { beforeEach, describe, expect, it } from 'vitest';
import { createManualClock, DAY, later, MINUTE, SECOND } from '../../src/lib/clock.ts';
import { channelId, personId } from '../../src/lib/ids.ts';
import type { AlertKind } from '../../src/store/port/alert-records.ts';
import { aFleetEvent } from '../harness/builders.ts';
import { alertOf, alertsIn, CHANNELS, pollOnce, range, type SimulatedEventLog, world } from './world.ts';

const requestsOf = async (job: () => Promise<unknown>) => {
  const before = world().log.requests().length;
  await job();
  return world().log.requests().slice(before);
};
const cardOf = (id: number) => world().store.cards.get(`notice:patch-failed-${id}`);

describe('the first poll', () => {
  it('posts no history', async () => {
    world().log.add(1, 2, 3);
    expect(await pollOnce()).toEqual({ taken: 0, alerts: 0 });
    expect(await pollOnce()).toEqual({ taken: 0, alerts: 0 });
    expect(await cardOf(3)).toBeNull();
  });

  it('records an empty log, so that the very first event is posted', async () => {
    await pollOnce();
    world().log.addEvent(aFleetEvent(1, { createTime: world().clock.now() }));
    expect(await pollOnce()).toEqual({ taken: 1, alerts: 1 });
  });

  it('takes no baseline from rows that it cannot read', async () => {
    world().log.add(1, 2);
    world().log.unreadable = 1;
    await expect(pollOnce()).rejects.toThrow('no baseline: 1 of the newest events could not be parsed');
    expect(await world().store.events.cursor()).toBeNull();
    world().log.unreadable = 0;
    await pollOnce();
    expect(await world().store.events.cursor()).toMatchObject({ highestId: 2, floorId: 1 });
  });

  it('takes one beside rows of another organization', async () => {
    world().log.add(1);
    world().log.strays = 1;
    await pollOnce();
    expect(await world().store.events.cursor()).toMatchObject({ highestId: 1 });
    expect(world().odd).toEqual([{ kind: 'strays', rows: 1 }]);
  });

  it('does not trust the order: of a log that is oldest first it tells nothing but what is new', async () => {
    world().log.order = 'oldest-first';
    world().log.add(...range(1, 450));
    await pollOnce();
    world().log.addEvent(aFleetEvent(451, { createTime: world().clock.now() }));
    expect(await pollOnce()).toEqual({ taken: 351, alerts: 1 });
    expect(await alertsIn(450)).toEqual([]);
    expect(await alertsIn(451)).toEqual([CHANNELS.patchAlerts]);
  });

  it('of a second replica, made beside the first one’s, makes no history of what came in between', async () => {
    world().log.add(1, 2);
    let isBetween = false;
    const events: SimulatedEventLog['events'] = async function* (...asked) {
      if (!isBetween) {
        isBetween = true;
        await pollOnce();
        world().log.add(3);
      }
      yield* world().log.events(...asked);
    };
    expect(await pollOnce({ events })).toEqual({ taken: 0, alerts: 0 });
    expect(await pollOnce()).toEqual({ taken: 1, alerts: 1 });
    expect(await alertsIn(3)).toEqual([CHANNELS.patchAlerts]);
  });

  it('that found the log empty by mistake does not post its history', async () => {
    await pollOnce();
    const now = world().clock.now();
    for (const id of range(1_000, 1_300))
      world().log.addEvent(aFleetEvent(id, { createTime: later(now, -2 * MINUTE) }));
    world().log.addEvent(aFleetEvent(1_301, { createTime: null }));
    world().log.addEvent(aFleetEvent(1_302, { createTime: now }));
    expect(await pollOnce()).toEqual({ taken: 303, alerts: 2 });
    expect(await alertsIn(1_300)).toEqual([]);
    expect(await alertsIn(1_301)).toEqual([CHANNELS.patchAlerts]);
    expect(await alertsIn(1_302)).toEqual([CHANNELS.patchAlerts]);
    expect(world().odd).toEqual([
      { kind: 'first-by-time', from: later(now, -MINUTE) },
      { kind: 'history', rows: 301 },
    ]);
  });

  it('of an unordered log takes no failure for history because the service’s clock is two minutes behind', async () => {
    world().serviceAheadMs = -2 * MINUTE;
    world().log.order = 'oldest-first';
    const start = world().clock.now();
    for (const id of range(1, 450))
      world().log.addEvent(aFleetEvent(id, { createTime: later(start, -3 * MINUTE - 1) }));
    await pollOnce();
    world().log.addEvent(aFleetEvent(451, { createTime: later(start, -2 * MINUTE) }));
    expect(await pollOnce()).toEqual({ taken: 351, alerts: 1 });
    expect(await alertsIn(450)).toEqual([]);
    expect(await alertsIn(451)).toEqual([CHANNELS.patchAlerts]);
  });

  it.each([
    ['two minutes behind', -2 * MINUTE, -3 * MINUTE],
    ['two minutes ahead', 2 * MINUTE, MINUTE],
    ['not stated', null, -5 * MINUTE],
  ])('of an empty log divides old from new by the service’s clock, which is %s', async (_, ahead, from) => {
    world().serviceAheadMs = ahead;
    await pollOnce();
    const start = world().clock.now();
    world().log.addEvent(aFleetEvent(1, { createTime: later(start, from - 1) }));
    world().log.addEvent(aFleetEvent(2, { createTime: later(start, from) }));
    expect(await pollOnce()).toEqual({ taken: 2, alerts: 1 });
    expect(await alertsIn(1)).toEqual([]);
    expect(await alertsIn(2)).toEqual([CHANNELS.patchAlerts]);
    expect(world().odd).toEqual([
      { kind: 'first-by-time', from: later(start, from) },
      { kind: 'history', rows: 1 },
    ]);
  });

  it.each([
    ['nothing', [], -MINUTE],
    ['events in order', [1, 2], null],
  ] as const)('of a log with %s says from when on events are new', async (_, ids, from) => {
    const told: unknown[] = [];
    world().log.add(...ids);
    await pollOnce({
      onFirst: async (newFrom) => {
        told.push(newFrom);
        return async () => undefined;
      },
    });
    expect(told).toEqual([from === null ? null : later(world().clock.now(), from)]);
  });

  it('counts what happens during its own reading as new', async () => {
    const slow: SimulatedEventLog['events'] = async function* (...query) {
      await world().clock.advance(2 * MINUTE);
      yield* world().log.events(...query);
    };
    const start = world().clock.now();
    await pollOnce({ events: slow });
    world().log.addEvent(aFleetEvent(1, { createTime: start }));
    expect(await pollOnce()).toEqual({ taken: 1, alerts: 1 });
  });
});

describe('a later poll', () => {
  beforeEach(async () => {
    world().log.add(10, 11, 12);
    await pollOnce();
  });

  it('posts each new failure once, in its channel', async () => {
    world().log.add(13, 14);
    expect(await pollOnce()).toEqual({ taken: 2, alerts: 2 });
    expect(await pollOnce()).toEqual({ taken: 0, alerts: 0 });
    expect(await cardOf(13)).toMatchObject({ channel: CHANNELS.patchAlerts, ts: null });
    expect(await alertOf(14)).toMatchObject({
      packages: [{ name: 'openssl' }],
      shown: [{ deviceName: 'web-01', reason: 'exit code 100', failures: 2 }],
    });
  });

  it('posts a new device in the other channel, and nothing about the rest', async () => {
    world().log.addEvent(aFleetEvent(13, { name: 'system.add', patches: [], failure: null }));
    world().log.addEvent(aFleetEvent(14, { name: 'user.login' }));
    expect(await pollOnce()).toEqual({ taken: 2, alerts: 1 });
    expect(await world().store.cards.get('notice:device-added-13')).toMatchObject({
      channel: CHANNELS.newDevices,
    });
  });

  it('is one request right after the first, though the day filter hides the oldest rows of that', async () => {
    world().log.remove(10);
    expect(await requestsOf(pollOnce)).toEqual([100]);
  });

  it('is one request when nothing happened', async () => {
    expect(await requestsOf(pollOnce)).toEqual([100]);
    world().log.add(...range(13, 40));
    expect(await requestsOf(pollOnce)).toEqual([100]);
    await world().clock.advance(30 * DAY);
    expect(await requestsOf(pollOnce)).toEqual([100]);
    expect(await requestsOf(pollOnce)).toEqual([100]);
  });

  it('reads as many pages as many failures fill', async () => {
    world().log.add(...range(101, 2_350));
    const asked = await requestsOf(async () => expect((await pollOnce()).alerts).toBe(2_250));
    expect(asked).toEqual([100, 500, 500, 500, 500, 500]);
  });

  it('is one request again once the failures stop', async () => {
    world().log.add(...range(101, 750));
    await pollOnce();
    expect(await requestsOf(pollOnce)).toEqual([100, 500]);
    await world().clock.advance(5 * MINUTE);
    expect(await requestsOf(pollOnce)).toEqual([100]);
  });

  it('neither loses nor doubles events that arrive while it walks', async () => {
    world().log.add(...range(101, 1_800));
    world().log.beforePage = (page, pageSize) => {
      if (pageSize === 500 && page < 3) world().log.add(10_000 + page);
    };
    const first = await pollOnce();
    world().log.beforePage = () => undefined;
    const second = await pollOnce();
    expect(first.alerts + second.alerts).toBe(1_703);
  });

  it('posts an event that the service lists late, below the highest it has seen', async () => {
    world().log.add(20);
    await pollOnce();
    world().log.add(15);
    expect((await pollOnce()).alerts).toBe(1);
  });

  it('does not trust the order: a log that is oldest first is read whole', async () => {
    world().log.order = 'oldest-first';
    world().log.add(...Array.from({ length: 150 }, (_, n) => 100 + n));
    expect((await pollOnce()).alerts).toBe(150);
  });

  it('never posts an id below the floor, even after it was forgotten', async () => {
    world().log.add(13);
    await pollOnce();
    await world().clock.advance(8 * DAY);
    world().log.add(20);
    await pollOnce();
    await world().clock.advance(8 * DAY);
    world().log.add(21);
    expect((await pollOnce()).alerts).toBe(1);
    world().log.add(5);
    expect((await pollOnce()).alerts).toBe(0);
  });

  it('stores nothing of a poll that failed half-way, and takes it all the next time', async () => {
    world().log.add(...range(101, 1_150));
    world().log.beforePage = (page) => {
      if (page === 1) throw new Error('the service went away');
    };
    await expect(pollOnce()).rejects.toThrow('went away');
    world().log.beforePage = () => undefined;
    await world().clock.advance(30 * SECOND);
    expect((await pollOnce()).alerts).toBe(1_050);
  });
});

describe('an event that Patchbay does not know', () => {
  const name = 'system.device.renamed';
  const polled = async (kinds: readonly AlertKind[], eventName = name) => {
    const { store, log, clock } = world();
    await pollOnce();
    await store.subscriptions.add({
      channel: channelId('C0OPS'),
      person: null,
      kinds,
      filter: { group: null, policy: null, tag: null, os: null },
      createdBy: personId('UOPERATOR'),
      createdAt: clock.now(),
    });
    log.addEvent(aFleetEvent(1, { name: eventName, createTime: clock.now() }));
    return pollOnce();
  };

  it('is an alert in the channels that subscribed to its name', async () => {
    expect(await polled([name])).toEqual({ taken: 1, alerts: 1 });
    expect(await alertsIn(1)).toEqual(['C0OPS']);
  });

  it.each<readonly [string, readonly AlertKind[], string]>([
    ['nobody subscribed to it', ['patch-failed'], name],
    ['its name is written differently', [name], 'system.device.Renamed'],
    ['only the start of its name is the same', [name], `${name}.again`],
  ])('is no alert where %s', async (_why, kinds, eventName) => {
    expect(await polled(kinds, eventName)).toEqual({ taken: 1, alerts: 0 });
    expect((await world().store.alerts.list({ kind: name }, { limit: 5, skip: 0 })).rows).toEqual([]);
  });
});

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
    const crashing = pollOnce({
      onFailpoint: (step) => (step === 'poll.committed' && ++parts === 2 ? crash() : undefined),
    });
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
    await expect(
      pollOnce({ onFailpoint: (step) => (step === 'poll.committed' ? crash() : undefined) }),
    ).rejects.toThrow();
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
