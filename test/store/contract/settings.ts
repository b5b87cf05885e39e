import { describe, expect, it } from 'vitest';
import { later } from '../../../src/lib/clock.ts';
import { newPauseId, personId } from '../../../src/lib/ids.ts';
import type { NamedLine } from '../../../src/store/port/settings-records.ts';
import { fresh, ORGANIZATION, OTHER_ORGANIZATION, START } from '../builders.ts';
import { countOf, type StoreSetup } from '../store-setup.ts';

const somebody = () => personId(`U${fresh()}`);
const aLine = (given: Partial<NamedLine> = {}): NamedLine => {
  const owner = somebody();
  return { name: 'lr', line: 'devices is:online', owner, by: owner, at: START, ...given };
};
const aPause = () => ({ id: newPauseId(), by: somebody(), reason: 'a "reason" 💥', since: START });

export function settingsContract(world: () => StoreSetup): void {
  describe('signatures', () => {
    it('are remembered once by all replicas together, until their time', async () => {
      const stores = await world().replicas(4);
      const [signature, until] = [`v0=${fresh()}`, later(START, 10)];
      const ends = await Promise.all(
        stores.map(({ replicas }) => replicas.rememberSignature(signature, START, until)),
      );
      expect(ends.filter((isFirst) => isFirst)).toHaveLength(1);
      const { replicas } = world().store;
      expect(await replicas.rememberSignature(signature, later(START, 9), until)).toBe(false);
      expect(await replicas.rememberSignature(signature, until, later(until, 10))).toBe(true);
    });
  });

  describe('named lines', () => {
    it('are returned as stored, the last of each name', async () => {
      const { namedLines } = world().store;
      const first = aLine({ line: 'old' });
      const last = { ...first, line: 'devices group:"<!channel> 💥" \\', at: later(START, 1) };
      for (const one of [first, last]) expect(await namedLines.put('alias', one, 5)).toBe('kept');
      expect(await namedLines.list('alias', first.by)).toEqual([last]);
      expect(await namedLines.find('alias', first.by, 'lr')).toEqual(last);
      expect(await namedLines.find('saved', first.by, 'lr')).toBeNull();
    });

    it('are a person’s own before the shared ones, and nobody else’s', async () => {
      const { namedLines } = world().store;
      const mine = aLine({ name: 'both' });
      const shared = aLine({ name: 'both', owner: null, line: 'queue' });
      await namedLines.put('alias', shared, 5);
      await namedLines.put('alias', mine, 5);
      expect(await namedLines.find('alias', mine.by, 'both')).toEqual(mine);
      expect(await namedLines.find('alias', somebody(), 'both')).toEqual(shared);
      expect(await namedLines.list('alias', mine.by)).toEqual([mine, shared]);
      expect(await namedLines.remove('alias', null, 'both')).toBe(true);
      expect(await namedLines.list('alias', mine.by)).toEqual([mine]);
    });

    it('are limited per owner, and one may replace another', async () => {
      const { namedLines } = world().store;
      const owner = somebody();
      const named = (name: string) => namedLines.put('saved', aLine({ owner, name }), 2);
      expect([await named('a'), await named('b'), await named('c'), await named('a')]).toEqual([
        'kept',
        'kept',
        'full',
        'kept',
      ]);
      expect((await namedLines.list('saved', owner)).map(({ name }) => name)).toEqual(['a', 'b']);
      expect(await namedLines.put('alias', aLine({ owner, name: 'c' }), 2)).toBe('kept');
    });

    it('are removed once', async () => {
      const { namedLines } = world().store;
      const one = aLine();
      await namedLines.put('alias', one, 2);
      expect(await namedLines.remove('alias', one.owner, 'lr')).toBe(true);
      expect(await namedLines.remove('alias', one.owner, 'lr')).toBe(false);
    });

    it('belong to one organization', async () => {
      const shared = aLine({ owner: null, name: 'apart' });
      await world().store.namedLines.put('alias', shared, 9);
      const other = await world().reopen(OTHER_ORGANIZATION);
      expect(await other.namedLines.find('alias', shared.by, 'apart')).toBeNull();
      const { namedLines } = await world().reopen(ORGANIZATION);
      expect(await namedLines.find('alias', shared.by, 'apart')).toEqual(shared);
    });
  });

  describe('a person’s time zone', () => {
    it('is null at first, then the last chosen one, and null again', async () => {
      const { people } = world().store;
      const person = somebody();
      expect(await people.timeZone(person)).toBeNull();
      for (const zone of ['Europe/Berlin', 'Asia/Tokyo', null]) {
        await people.setTimeZone(person, zone);
        expect(await people.timeZone(person)).toBe(zone);
      }
      expect(await people.timeZone(somebody())).toBeNull();
    });
  });

  describe('the pause', () => {
    const goOn = () => world().store.pause.end({ by: somebody(), at: START });

    it('is one at a time, with who began it and who ended it', async () => {
      const { pause } = world().store;
      const [first, second] = [aPause(), aPause()];
      expect(await pause.current()).toBeNull();
      expect(await pause.begin(first)).toEqual({ kind: 'begun' });
      const goingOn = { ...first, endedBy: null, endedAt: null };
      expect(await pause.begin(second)).toEqual({ kind: 'already', pause: goingOn });
      expect(await pause.current()).toEqual(goingOn);
      const end = { by: somebody(), at: later(START, 5) };
      const over = { ...first, endedBy: end.by, endedAt: end.at };
      expect(await pause.end(end)).toEqual(over);
      expect(await pause.end(end)).toBeNull();
      expect(await pause.current()).toBeNull();
      expect(await pause.get(first.id)).toEqual(over);
      expect(await pause.get(second.id)).toBeNull();
    });

    it('accepts another reason while it is active', async () => {
      const { pause } = world().store;
      const first = { id: newPauseId(), by: somebody(), reason: null, since: START };
      await pause.begin(first);
      await pause.setReason(first.id, 'storm; "fire"');
      expect(await pause.current()).toMatchObject({ ...first, reason: 'storm; "fire"' });
      await goOn();
    });

    it('ends by its id only, so that a late end leaves a later pause', async () => {
      const { pause } = world().store;
      const [early, late] = [aPause(), aPause()];
      await pause.begin(early);
      await goOn();
      await pause.begin(late);
      expect(await pause.end({ by: somebody(), at: START, id: early.id })).toBeNull();
      expect(await pause.current()).toMatchObject({ id: late.id });
      expect(await pause.end({ by: somebody(), at: START, id: late.id })).toMatchObject({ id: late.id });
    });

    it('stays active after a restart, and belongs to one organization', async () => {
      const begun = aPause();
      await world().store.pause.begin(begun);
      expect(await (await world().reopen(OTHER_ORGANIZATION)).pause.current()).toBeNull();
      expect(await (await world().reopen(ORGANIZATION)).pause.current()).toMatchObject({ id: begun.id });
      await goOn();
    });

    it('that ended since a time is returned too on request', async () => {
      const begun = aPause();
      await world().store.pause.begin(begun);
      await world().store.pause.end({ by: somebody(), at: later(START, 1_000_000) });
      const held = (since?: number) =>
        world().store.transaction((tables) =>
          tables.pause.lockAndRead(since === undefined ? null : later(START, since)),
        );
      expect(await held()).toBeNull();
      expect(await held(999_999)).toMatchObject({ id: begun.id });
      expect(await held(1_000_000)).toBeNull();
      const { pause } = world().store;
      expect(await pause.currentOrEndedSince(later(START, 999_999))).toMatchObject({ id: begun.id });
      expect(await pause.currentOrEndedSince(later(START, 1_000_000))).toBeNull();
      const next = aPause();
      await pause.begin(next);
      expect(await pause.currentOrEndedSince(later(START, 2_000_000))).toMatchObject({ id: next.id });
      await goOn();
    });

    it('begins once, whoever begins it at the same time', async () => {
      const stores = await world().replicas(4);
      const ends = await Promise.all(stores.map(({ pause }) => pause.begin(aPause())));
      expect(
        countOf(
          ends.map(({ kind }) => kind),
          'begun',
        ),
      ).toBe(1);
      await goOn();
    });

    it('waits for a transaction that saw no pause, and is seen by every later one', async () => {
      const [claims, pauses] = await world().replicas(2);
      if (claims === undefined || pauses === undefined) throw new Error('two stores');
      const order: string[] = [];
      const { promise: held, resolve: hold } = Promise.withResolvers<void>();
      const { promise: asked, resolve: ask } = Promise.withResolvers<void>();
      const claim = claims.transaction(async (tables) => {
        expect(await tables.pause.lockAndRead()).toBeNull();
        hold();
        await asked;
        // Long enough for a pause that does not wait to be over.
        for (let turns = 0; turns < 50; turns += 1) await tables.people.setTimeZone(somebody(), 'UTC');
        order.push('claimed');
      });
      await held;
      const paused = pauses.pause.begin(aPause()).then(() => order.push('paused'));
      ask();
      await Promise.all([claim, paused]);
      expect(order).toEqual(['claimed', 'paused']);
      await claims.transaction(async (tables) => expect(await tables.pause.lockAndRead()).not.toBeNull());
      await goOn();
    });

    it('and many simultaneous claims do not deadlock, and nothing is claimed after it', async () => {
      const stores = await world().replicas(4);
      const claimed: string[] = [];
      let isPaused = false;
      const claims = Array.from({ length: 40 }, (_, at) =>
        stores[at % stores.length]?.transaction(async (tables) => {
          if ((await tables.pause.lockAndRead()) !== null) return 'refused';
          await tables.audit.append({
            at: START,
            actor: 'patchbay',
            action: 'x',
            subject: `${at}`,
            detail: {},
          });
          // The pause is told of only when it is committed, which must wait for this.
          if (isPaused) claimed.push(`${at}`);
          return 'claimed';
        }),
      );
      const pause = stores[0]?.pause.begin(aPause()).then(() => {
        isPaused = true;
      });
      const ends = await Promise.all(claims);
      await pause;
      expect(claimed).toEqual([]);
      const after = await stores[1]?.transaction(async (tables) => tables.pause.lockAndRead());
      expect(after).not.toBeNull();
      expect(ends.every((end) => end === 'claimed' || end === 'refused')).toBe(true);
      await goOn();
    });
  });
}
