import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import type { FleetEvent } from '../../src/fleet/model/resources.ts';
import {
  createManualClock,
  DAY,
  HOUR,
  type Instant,
  instant,
  later,
  MINUTE,
  SECOND,
} from '../../src/lib/clock.ts';
import { deviceId, eventId } from '../../src/lib/ids.ts';
import { createLog } from '../../src/lib/log.ts';
import type { EventGap } from '../../src/store/port/store.ts';
import {
  createAnomalyLog,
  createIdRestartDetector,
  gapWith,
  idRestartSign,
  isGapDue,
} from '../../src/watch/event-log.ts';
import { aFleetEvent } from '../harness/builders.ts';
import { alertsIn, CHANNELS, pollOnce, range, world } from './world.ts';

const T0 = instant(1_700_000_000_000);
const aGap = (afterId: number, changes: Partial<EventGap> = {}): EventGap => ({
  afterId: eventId(afterId),
  happenedFrom: T0,
  happenedUntil: later(T0, 5 * MINUTE),
  readAt: T0,
  endsAt: later(T0, DAY),
  ...changes,
});
const happens = (...ids: readonly number[]) => {
  for (const id of ids) world().log.addEvent(aFleetEvent(id, { createTime: world().clock.now() }));
};
const posted = async (ids: readonly number[]) => {
  const channels = await Promise.all(ids.map(alertsIn));
  return channels.filter((one) => one.length === 1 && one[0] === CHANNELS.patchAlerts).length;
};
const gap = async () => (await world().store.events.cursor())?.gap;
const firstPageOnly = () => ({ shown: 0 });

describe('a gap', () => {
  it('is read for after ten minutes, for a day from when it last grew', () => {
    const at = (ms: number) => isGapDue(aGap(1), later(T0, ms));
    expect([at(0), at(10 * MINUTE - 1), at(10 * MINUTE), at(DAY - 1), at(DAY)]).toEqual([
      ...[false, false, true, true, false],
    ]);
    expect(isGapDue(aGap(1, { readAt: later(T0, HOUR) }), T0)).toBe(true);
  });

  it('takes in another one, unless it is looked for no more', () => {
    const merged = (gap: EventGap | null, at: Instant) => {
      const cursor = { highestId: eventId(1), floorId: eventId(1), historyBefore: null, updatedAt: T0 };
      const events = [aFleetEvent(900, { createTime: later(T0, 2 * HOUR) })];
      const found = { events, unreadable: 0, foreignRows: 0, reachesKnown: false, readDownTo: eventId(900) };
      return gapWith({ ...cursor, gap, newestAt: later(T0, HOUR) }, found, eventId(400), at);
    };
    const now = later(T0, 3 * HOUR);
    const alone = { happenedFrom: later(T0, HOUR), happenedUntil: later(T0, 2 * HOUR) };
    expect(merged(null, now)).toEqual(aGap(400, { ...alone, readAt: now, endsAt: later(now, DAY) }));
    expect(merged(aGap(50), now)).toEqual(
      aGap(50, { ...alone, happenedFrom: T0, readAt: now, endsAt: later(now, DAY) }),
    );
    expect(merged(aGap(50), later(T0, DAY))).toMatchObject({ afterId: 400, ...alone });
  });
});

describe('an event log that does not show all of it', () => {
  beforeEach(async () => {
    happens(...range(1, 50));
    await pollOnce();
    await world().clock.advance(6 * MINUTE);
  });

  it('because it ignores the page has a gap, which is read and closed once it shows its pages again', async () => {
    const before = world().clock.now();
    happens(...range(51, 850));
    world().log.answers = firstPageOnly;
    expect((await pollOnce()).alerts).toBe(500);
    expect(await gap()).toMatchObject({ afterId: 50, happenedUntil: before });
    expect(world().odd).toEqual([{ kind: 'cut-short', read: 600 }]);
    await world().clock.advance(9 * MINUTE);
    expect(await pollOnce()).toEqual({ taken: 0, alerts: 0 });
    world().log.answers = () => ({});
    happens(851);
    expect((await pollOnce()).alerts).toBe(1);
    await world().clock.advance(MINUTE);
    expect((await pollOnce()).alerts).toBe(300);
    expect(await gap()).toBeNull();
    expect(await posted(range(51, 851))).toBe(801);
  });

  it('reads capped pages one after the other', async () => {
    happens(...range(51, 850));
    world().log.answers = () => ({ size: 30 });
    world().log.total = 30;
    expect((await pollOnce()).alerts).toBe(800);
    expect(await gap()).toBeNull();
  });

  it('reads on to known events where a long quiet time lies between', async () => {
    world().log.filtersDays = true;
    await world().clock.advance(60 * DAY);
    await pollOnce();
    happens(51, 52);
    expect((await pollOnce()).alerts).toBe(2);
    expect(await gap()).toBeNull();
  });

  it('fails where it shows nothing at all, so that its last reading gets older', async () => {
    world().log.answers = () => ({ shown: null });
    await expect(pollOnce()).rejects.toThrow('the event log is empty, although it had events before');
    happens(51);
    world().log.answers = () => ({});
    expect((await pollOnce()).alerts).toBe(1);
  });

  it('keeps its gap through a crash between two batches', async () => {
    happens(...range(51, 1_850));
    world().log.answers = (page) => ({ shown: page < 3 ? page : 0 });
    const crash = () => Promise.reject(new Error('killed'));
    await expect(
      pollOnce({ onFailpoint: (step) => (step === 'poll.committed' ? crash() : undefined) }),
    ).rejects.toThrow('killed');
    expect(await gap()).toMatchObject({ afterId: 50 });
    world().log.answers = () => ({});
    await world().clock.advance(10 * MINUTE);
    await pollOnce();
    expect(await posted(range(51, 1_850))).toBe(1_800);
    expect(await gap()).toBeNull();
  });

  it('posts what is new while a gap cannot be read, and reads for it every ten minutes', async () => {
    happens(...range(51, 850));
    world().log.answers = firstPageOnly;
    await pollOnce();
    await world().clock.advance(6 * MINUTE);
    const pages: number[] = [];
    world().log.beforePage = (page, size) => {
      if (size === 500) pages.push(page);
      if (page > 0) throw new Error('no answer');
    };
    for (let id = 851; id <= 890; id += 1) {
      happens(id);
      await pollOnce().catch(() => undefined);
      await world().clock.advance(30 * SECOND);
    }
    expect(await posted(range(851, 889))).toBe(39);
    expect(pages.filter((page) => page > 0)).toHaveLength(2);
    expect(await gap()).toMatchObject({ afterId: 50 });
  });

  it('does not forget ids above a gap, below which the floor would rise', async () => {
    happens(...range(51, 850));
    world().log.answers = firstPageOnly;
    await pollOnce();
    const { floorId } = (await world().store.events.cursor()) ?? {};
    for (let days = 0; days < 9; days += 1) {
      await world().clock.advance(20 * HOUR);
      happens(...range(1_000 * (days + 1), 1_000 * (days + 1) + 600));
      await pollOnce();
    }
    expect((await world().store.events.cursor())?.floorId).toBe(floorId);
    world().log.answers = () => ({});
    await world().clock.advance(10 * MINUTE);
    await pollOnce();
    expect(await posted(range(51, 850))).toBe(800);
  });
});

type Answers = ReturnType<typeof world>['log']['answers'];

describe('whatever pages are shown for a while', () => {
  const answersOf: fc.Arbitrary<Answers> = fc.oneof(
    fc.constant(() => ({})),
    fc.nat(2).map((shown) => () => ({ shown })),
    fc.nat(3).map((at) => (page: number) => ({ shown: page === at ? null : page })),
    fc.integer({ min: 5, max: 60 }).map((size) => () => ({ size })),
    fc.integer({ min: 1, max: 60 }).map((size) => () => ({ size, shown: 0 })),
  );
  const step = fc.record({
    burst: fc.nat(700),
    answers: answersOf,
    minutes: fc.integer({ min: 0, max: 12 }),
  });

  it('every event is posted once in the end (property)', async () => {
    happens(...range(1, 50));
    await pollOnce();
    await world().clock.advance(6 * MINUTE);
    let last = 50;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 4 }), async (steps) => {
        const first = last + 1;
        for (const { burst, answers, minutes } of steps) {
          happens(...range(last + 1, last + burst));
          last += burst;
          world().log.answers = answers;
          await pollOnce().catch(() => undefined);
          await world().clock.advance(minutes * MINUTE);
        }
        world().log.answers = () => ({});
        await pollOnce();
        await world().clock.advance(10 * MINUTE);
        await pollOnce();
        expect(await gap()).toBeNull();
        expect(await posted(range(first, last))).toBe(last - first + 1);
      }),
      { numRuns: 15 },
    );
  });
});

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
    const look = () => pollOnce({ onIds: watch.note });
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

function listener() {
  const lines: unknown[] = [];
  const clock = createManualClock(instant(0));
  const log = createLog({
    level: 'info',
    destination: { write: (line) => void lines.push(JSON.parse(line)) },
  });
  return { lines, clock, onOddity: createAnomalyLog({ clock, log }) };
}

describe('anomalies of the event log', () => {
  it('are logged with their facts, losses as errors', () => {
    const { lines, onOddity } = listener();
    onOddity({ kind: 'unreadable', rows: 2 });
    onOddity({ kind: 'cut-short', read: 7 });
    expect(lines).toMatchObject([
      { level: 40, event: 'watch.unreadable', rows: 2 },
      { level: 50, event: 'watch.cut-short', read: 7 },
    ]);
  });

  it('are logged once an hour, each kind separately', async () => {
    const { lines, clock, onOddity } = listener();
    onOddity({ kind: 'unreadable', rows: 2 });
    onOddity({ kind: 'unreadable', rows: 2 });
    onOddity({ kind: 'strays', rows: 2 });
    expect(lines).toHaveLength(2);
    await clock.advance(HOUR);
    onOddity({ kind: 'unreadable', rows: 2 });
    expect(lines).toHaveLength(3);
  });
});
