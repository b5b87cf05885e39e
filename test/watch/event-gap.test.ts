import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { DAY, HOUR, type Instant, instant, later, MINUTE, SECOND } from '../../src/lib/clock.ts';
import { eventId } from '../../src/lib/ids.ts';
import type { EventGap } from '../../src/store/port/records.ts';
import { gapWith, isGapDue } from '../../src/watch/event-log.ts';
import { alertsIn, CHANNELS, pollOnce, range, world } from './poll-setup.ts';
import { aFleetEvent } from './simulated-event-log.ts';

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
    await expect(pollOnce((step) => (step === 'poll.committed' ? crash() : undefined))).rejects.toThrow(
      'killed',
    );
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
