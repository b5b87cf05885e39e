import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  createManualClock,
  DAY,
  instant,
  later,
  MINUTE,
  type MovableClock,
  SECOND,
} from '../../src/clock.ts';
import { alertId, channelId, organizationId } from '../../src/ids.ts';
import type { OnStep } from '../../src/steps.ts';
import { openStore } from '../../src/store/open.ts';
import type { Store } from '../../src/store/store.ts';
import type { Oddity } from '../../src/watch/oddities.ts';
import { poll } from '../../src/watch/poll.ts';
import { aFleetReader } from '../harness/fleet-reader.ts';
import { aFleetEvent, createEventLog, type EventLog } from './event-log.ts';

const ORGANIZATION = organizationId(1);
const CHANNELS = { patchAlerts: channelId('C0ALERTS'), newDevices: channelId('C0NEW') };

let store: Store;
let log: EventLog;
let clock: MovableClock;
let odd: Oddity[];

beforeEach(async () => {
  store = await openStore({ database: { kind: 'sqlite', path: ':memory:' }, organizationId: ORGANIZATION });
  log = createEventLog();
  odd = [];
  clock = createManualClock(instant(1_700_000_000_000));
});
afterEach(() => store.close());

const pollOnce = (onStep?: OnStep, events: EventLog['events'] = log.events) =>
  poll({
    fleet: aFleetReader({ events }),
    store,
    clock,
    organizationId: ORGANIZATION,
    channels: CHANNELS,
    traits: async () => new Map(),
    mayRead: async () => true,
    onOddity: (oddity) => odd.push(oddity),
    onStep,
  });
const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, n) => from + n);
const requestsOf = async (job: () => Promise<unknown>) => {
  const before = log.requests().length;
  await job();
  return log.requests().slice(before);
};
const cardOf = (id: number) => store.cards.get(`notice:patch-failed-${id}`);
/** The channels to which the failure of this event went. */
const toldIn = async (id: number) => {
  const deliveries = await store.deliveries.of(alertId(`patch-failed-${id}`));
  return deliveries.map(({ channel }) => channel);
};

describe('the first poll', () => {
  it('tells nobody about history', async () => {
    log.add(1, 2, 3);
    expect(await pollOnce()).toEqual({ taken: 0, alerts: 0 });
    expect(await pollOnce()).toEqual({ taken: 0, alerts: 0 });
    expect(await cardOf(3)).toBeNull();
  });

  it('notes an empty log, so that the very first event is told', async () => {
    await pollOnce();
    log.addEvent(aFleetEvent(1, { createTime: clock.now() }));
    expect(await pollOnce()).toEqual({ taken: 1, alerts: 1 });
  });

  it('takes no baseline from rows that it cannot read', async () => {
    log.add(1, 2);
    log.unreadable = 1;
    await expect(pollOnce()).rejects.toThrow('no baseline: 1 of the newest events cannot be read');
    expect(await store.events.cursor()).toBeNull();
    log.unreadable = 0;
    await pollOnce();
    expect(await store.events.cursor()).toMatchObject({ highestId: 2, floorId: 1 });
  });

  it('takes one beside rows of another organization', async () => {
    log.add(1);
    log.strays = 1;
    await pollOnce();
    expect(await store.events.cursor()).toMatchObject({ highestId: 1 });
    expect(odd).toEqual([{ kind: 'strays', rows: 1 }]);
  });

  it('does not trust the order: of a log that is oldest first it tells nothing but what is new', async () => {
    log.order = 'oldest-first';
    log.add(...range(1, 450));
    await pollOnce();
    log.addEvent(aFleetEvent(451, { createTime: clock.now() }));
    expect(await pollOnce()).toEqual({ taken: 351, alerts: 1 });
    expect(await toldIn(450)).toEqual([]);
    expect(await toldIn(451)).toEqual([CHANNELS.patchAlerts]);
  });

  it('of a second replica, made beside the first one’s, makes no history of what came in between', async () => {
    log.add(1, 2);
    let isBetween = false;
    const events: typeof log.events = async function* (...asked) {
      if (!isBetween) {
        isBetween = true;
        await pollOnce();
        log.add(3);
      }
      yield* log.events(...asked);
    };
    expect(await pollOnce(undefined, events)).toEqual({ taken: 0, alerts: 0 });
    expect(await pollOnce()).toEqual({ taken: 1, alerts: 1 });
    expect(await toldIn(3)).toEqual([CHANNELS.patchAlerts]);
  });

  it('that found the log empty by mistake does not make news of its history', async () => {
    await pollOnce();
    const now = clock.now();
    for (const id of range(1_000, 1_300))
      log.addEvent(aFleetEvent(id, { createTime: later(now, -2 * MINUTE) }));
    log.addEvent(aFleetEvent(1_301, { createTime: null }));
    log.addEvent(aFleetEvent(1_302, { createTime: now }));
    expect(await pollOnce()).toEqual({ taken: 303, alerts: 2 });
    expect(await toldIn(1_300)).toEqual([]);
    expect(await toldIn(1_301)).toEqual([CHANNELS.patchAlerts]);
    expect(await toldIn(1_302)).toEqual([CHANNELS.patchAlerts]);
  });
});

describe('a later poll', () => {
  beforeEach(async () => {
    log.add(10, 11, 12);
    await pollOnce();
  });

  it('tells each new failure once, in its channel', async () => {
    log.add(13, 14);
    expect(await pollOnce()).toEqual({ taken: 2, alerts: 2 });
    expect(await pollOnce()).toEqual({ taken: 0, alerts: 0 });
    expect(await cardOf(13)).toMatchObject({ channel: CHANNELS.patchAlerts, ts: null });
    expect(await store.alerts.get(alertId('patch-failed-14'))).toMatchObject({
      deviceName: 'web-01',
      packages: [{ name: 'openssl' }],
      reason: 'exit code 100',
    });
  });

  it('tells a new device in the other channel, and nobody about the rest', async () => {
    log.addEvent(aFleetEvent(13, { name: 'system.add', patches: [], failure: null }));
    log.addEvent(aFleetEvent(14, { name: 'user.login' }));
    expect(await pollOnce()).toEqual({ taken: 2, alerts: 1 });
    expect(await store.cards.get('notice:device-added-13')).toMatchObject({ channel: CHANNELS.newDevices });
  });

  it('is one request right after the first, though the day filter hides the oldest rows of that', async () => {
    log.remove(10);
    expect(await requestsOf(pollOnce)).toEqual([100]);
  });

  it('is one request when nothing happened', async () => {
    expect(await requestsOf(pollOnce)).toEqual([100]);
    log.add(...range(13, 40));
    expect(await requestsOf(pollOnce)).toEqual([100]);
    await clock.advance(30 * DAY);
    expect(await requestsOf(pollOnce)).toEqual([100]);
    expect(await requestsOf(pollOnce)).toEqual([100]);
  });

  it('walks as many pages as a storm fills', async () => {
    log.add(...range(101, 2_350));
    const asked = await requestsOf(async () => expect((await pollOnce()).alerts).toBe(2_250));
    expect(asked).toEqual([100, 500, 500, 500, 500, 500]);
  });

  it('is one request again once a storm has settled', async () => {
    log.add(...range(101, 750));
    await pollOnce();
    expect(await requestsOf(pollOnce)).toEqual([100, 500]);
    await clock.advance(5 * MINUTE);
    expect(await requestsOf(pollOnce)).toEqual([100]);
  });

  it('neither loses nor doubles events that arrive while it walks', async () => {
    log.add(...range(101, 1_800));
    log.beforePage = (page, pageSize) => {
      if (pageSize === 500 && page < 3) log.add(10_000 + page);
    };
    const first = await pollOnce();
    log.beforePage = () => undefined;
    const second = await pollOnce();
    expect(first.alerts + second.alerts).toBe(1_703);
  });

  it('tells an event that the service lists late, below the highest it has seen', async () => {
    log.add(20);
    await pollOnce();
    log.add(15);
    expect((await pollOnce()).alerts).toBe(1);
  });

  it('does not trust the order: a log that is oldest first is read whole', async () => {
    log.order = 'oldest-first';
    log.add(...Array.from({ length: 150 }, (_, n) => 100 + n));
    expect((await pollOnce()).alerts).toBe(150);
  });

  it('never tells an id below the floor, even after it was forgotten', async () => {
    log.add(13);
    await pollOnce();
    await clock.advance(8 * DAY);
    log.add(20);
    await pollOnce();
    await clock.advance(8 * DAY);
    log.add(21);
    expect((await pollOnce()).alerts).toBe(1);
    log.add(5);
    expect((await pollOnce()).alerts).toBe(0);
  });

  it('stores nothing of a poll that failed half-way, and takes it all the next time', async () => {
    log.add(...range(101, 1_150));
    log.beforePage = (page) => {
      if (page === 1) throw new Error('the service went away');
    };
    await expect(pollOnce()).rejects.toThrow('went away');
    log.beforePage = () => undefined;
    await clock.advance(30 * SECOND);
    expect((await pollOnce()).alerts).toBe(1_050);
  });
});

describe('a time of day that was set forward by mistake and back again', () => {
  it('hides no event: days are counted from the earlier of both times', async () => {
    log.filtersDays = true;
    const start = clock.now();
    log.addEvent(aFleetEvent(1, { createTime: start }));
    await pollOnce();
    await clock.advance(30 * DAY);
    await pollOnce();
    clock = createManualClock(later(start, MINUTE));
    log.addEvent(aFleetEvent(2, { createTime: clock.now() }));
    expect(await pollOnce()).toEqual({ taken: 1, alerts: 1 });
    expect(await pollOnce()).toEqual({ taken: 0, alerts: 0 });
  });

  it('is written down as soon as it is known, though nothing happened', async () => {
    await pollOnce();
    const start = clock.now();
    await clock.advance(30 * DAY);
    await pollOnce();
    clock = createManualClock(later(start, MINUTE));
    await pollOnce();
    expect((await store.events.cursor())?.updatedAt).toBe(clock.now());
  });
});

describe('a backlog', () => {
  beforeEach(async () => {
    log.add(...range(1, 50));
    await pollOnce();
  });

  it('of more than twenty thousand events is told', async () => {
    log.add(...range(51, 20_550));
    expect((await pollOnce()).alerts).toBe(20_500);
    expect(await pollOnce()).toEqual({ taken: 0, alerts: 0 });
    expect(odd).toEqual([]);
  });

  it('is taken in parts, and a crash between them loses and doubles nothing', async () => {
    log.add(...range(51, 2_050));
    const crash = () => Promise.reject(new Error('killed'));
    let parts = 0;
    const crashing = pollOnce((step) => (step === 'poll.committed' && ++parts === 2 ? crash() : undefined));
    await expect(crashing).rejects.toThrow('killed');
    expect(await store.events.cursor()).toMatchObject({ highestId: 1_050 });
    expect(await toldIn(1_050)).toEqual([CHANNELS.patchAlerts]);
    expect(await toldIn(1_051)).toEqual([]);
    await clock.advance(10 * MINUTE);
    expect((await pollOnce()).alerts).toBe(1_000);
  });

  it('that is interrupted keeps the day from which it is read', async () => {
    const before = await store.events.cursor();
    log.add(...range(51, 1_000));
    await clock.advance(9 * DAY);
    const crash = () => Promise.reject(new Error('killed'));
    await expect(pollOnce((step) => (step === 'poll.committed' ? crash() : undefined))).rejects.toThrow();
    expect((await store.events.cursor())?.updatedAt).toBe(before?.updatedAt);
    await pollOnce();
    expect((await store.events.cursor())?.updatedAt).toBe(clock.now());
  });

  it('beyond what the client reads is told as far as it was read, is said, and does not stop what follows', async () => {
    log.mostPages = 3;
    log.add(...range(51, 3_000));
    expect((await pollOnce()).alerts).toBe(1_500);
    expect(odd).toEqual([{ kind: 'cut-short', read: 1_600 }]);
    log.add(3_001);
    expect((await pollOnce()).alerts).toBe(1);
  });

  it('fails where not even the first page can be read', async () => {
    log.mostPages = 0;
    await expect(pollOnce()).rejects.toThrow('too-large');
  });
});

describe('an event log that misbehaves', () => {
  it('lists lower ids beyond the first page later than higher ones', async () => {
    log.add(...range(1, 10));
    await pollOnce();
    log.add(...range(300, 420));
    expect((await pollOnce()).alerts).toBe(121);
    await clock.advance(4 * MINUTE);
    log.add(...range(11, 299));
    expect((await pollOnce()).alerts).toBe(289);
  });

  it('lists one absurdly high id, which hides nothing, now or when it is old', async () => {
    log.add(...range(1, 100));
    await pollOnce();
    log.add(9_000_000);
    expect((await pollOnce()).alerts).toBe(1);
    await clock.advance(30 * MINUTE);
    log.add(...range(101, 400));
    expect((await pollOnce()).alerts).toBe(300);
    await clock.advance(8 * DAY);
    expect(await pollOnce()).toEqual({ taken: 0, alerts: 0 });
    log.add(...range(401, 403));
    expect((await pollOnce()).alerts).toBe(3);
    await clock.advance(8 * DAY);
    expect(await pollOnce()).toEqual({ taken: 0, alerts: 0 });
    expect(odd).toEqual([]);
  });

  it('lists an absurdly high id at the first start, which hides nothing either', async () => {
    log.add(...range(1, 150), 9_000_000);
    await pollOnce();
    log.add(...range(151, 153));
    expect((await pollOnce()).alerts).toBe(3);
  });

  it('starts again with lower ids: that is said', async () => {
    log.add(5_000);
    await pollOnce();
    log.remove(5_000);
    log.add(1, 2);
    await pollOnce();
    expect(odd).toEqual([{ kind: 'fell-back', newestId: 2, highestId: 5_000 }]);
  });

  it('holds rows that cannot be read or are not ours: that is said, and the others are told', async () => {
    log.add(1);
    await pollOnce();
    log.add(2);
    log.unreadable = 2;
    log.strays = 1;
    expect((await pollOnce()).alerts).toBe(1);
    expect(odd).toEqual([
      { kind: 'unreadable', rows: 2 },
      { kind: 'strays', rows: 1 },
    ]);
  });
});
