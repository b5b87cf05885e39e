import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { actionOn } from '../../../src/fleet/model/actions.ts';
import { instant, later } from '../../../src/lib/clock.ts';
import { eventId, newPauseId, personId } from '../../../src/lib/ids.ts';
import type { NamedLine } from '../../../src/store/port/settings-records.ts';
import type { StoreTables } from '../../../src/store/port/store.ts';
import { firstBrokenRecord } from '../../../src/store/tables/audit.ts';
import { said } from '../../harness/builders.ts';
import {
  anAlert,
  anEnqueuedCard,
  anEntry,
  fresh,
  ORGANIZATION,
  OTHER_ORGANIZATION,
  START,
} from '../builders.ts';
import { aRequest, aRequestTarget, storeRequest } from '../request-builders.ts';
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

export function transactionsContract(world: () => StoreSetup): void {
  describe('a transaction', () => {
    it('keeps all of it', async () => {
      const [request, alert] = [aRequest(), anAlert()];
      const target = aRequestTarget(request.id);
      const answer = await world().store.transaction(async (tables) => {
        await tables.requests.insert(request, [target]);
        await tables.alerts.put([alert]);
        await tables.cards.enqueue(anEnqueuedCard(`approval:${request.id}`));
        await tables.audit.append(anEntry());
        expect(await tables.requests.get(request.id)).toMatchObject(request);
        return 'kept';
      });
      expect(answer).toBe('kept');
      const counts = { ready: 1, open: 1 };
      expect(await world().store.requests.get(request.id)).toEqual({ ...request, counts });
      expect(await world().store.targets.of(request.id)).toEqual([target]);
      expect(await world().store.alerts.get([alert.id])).toEqual([alert]);
      expect(await world().store.cards.get(`approval:${request.id}`)).not.toBeNull();
    });

    it('keeps nothing when it throws', async () => {
      const [request, alert] = [aRequest(), anAlert()];
      const failed = world().store.transaction(async (tables) => {
        await tables.requests.insert(request, [aRequestTarget(request.id)]);
        await tables.alerts.put([alert]);
        await tables.events.markSeen([said(77)], START);
        await tables.work.put({ kind: 'expire', key: request.id, dueAt: START });
        throw new Error('no');
      });
      await expect(failed).rejects.toThrow('no');
      expect(await world().store.requests.get(request.id)).toBeNull();
      expect(await world().store.targets.of(request.id)).toEqual([]);
      expect(await world().store.alerts.get([alert.id])).toEqual([]);
      expect((await world().store.events.seen([said(77)])).size).toBe(0);
      await expect(world().store.ping()).resolves.toBeUndefined();
    });

    it('is not nested', async () => {
      const { store } = world();
      const nested = store.transaction(() => store.transaction(async () => 'inner'));
      await expect(nested).rejects.toThrow('inside a transaction');
    });

    it('refuses the plain tables inside, instead of waiting for itself', async () => {
      const { store } = world();
      const request = aRequest();
      const mixed = store.transaction(async (tables) => {
        await tables.requests.insert(request, []);
        await store.requests.get(request.id);
      });
      await expect(mixed).rejects.toThrow('inside a transaction');
      expect(await store.requests.get(request.id)).toBeNull();
    });

    it('cannot be used after its end', async () => {
      const held: StoreTables[] = [];
      await world().store.transaction(async (tables) => {
        held.push(tables);
      });
      await expect(held[0]?.audit.append(anEntry())).rejects.toThrow('has ended');
      await expect(held[0]?.events.cursor()).rejects.toThrow('has ended');
    });

    it('lets code that it left running use the plain tables after its end', async () => {
      const { store } = world();
      const { promise: ended, resolve: end } = Promise.withResolvers<void>();
      const left: Promise<unknown>[] = [];
      await store.transaction(async () => {
        left.push(ended.then(() => store.events.cursor()));
      });
      end();
      await expect(Promise.all(left)).resolves.toHaveLength(1);
    });

    it('and plain calls made meanwhile all finish', async () => {
      const { store } = world();
      const both = Array.from({ length: 40 }, (_, at) =>
        at % 2 === 0
          ? store.transaction(async (tables) => {
              await tables.audit.append(anEntry({ subject: `t${at}` }));
              await tables.work.put({ kind: 'run', key: `t${at}`, dueAt: instant(at) });
            })
          : store.audit.append(anEntry({ subject: `p${at}` })),
      );
      await Promise.all(both);
      expect((await store.audit.list(0, 1_000)).filter(({ subject }) => /^[tp]\d/.test(subject)).length).toBe(
        40,
      );
    });

    it('that deadlocks with another finishes all the same', async () => {
      const [first, second] = await world().replicas(2);
      const [one, two] = [aRequest(), aRequest()];
      for (const request of [one, two]) await world().store.requests.insert(request, []);
      const meet = Promise.withResolvers<void>();
      const both = [
        first?.transaction(async (tables) => {
          await tables.requests.replace({ ...one, version: 2 });
          if (first !== second) await meet.promise;
          await tables.requests.replace({ ...two, version: 2 });
        }),
        second?.transaction(async (tables) => {
          await tables.requests.replace({ ...two, version: 2, reason: 'second' });
          meet.resolve();
          await tables.requests.replace({ ...one, version: 2, reason: 'second' });
        }),
      ];
      await Promise.all(both);
      const reasons = [one, two].map(async ({ id }) => (await world().store.requests.get(id))?.reason);
      const [reasonOfOne, reasonOfTwo] = await Promise.all(reasons);
      expect(reasonOfOne).toBe(reasonOfTwo);
    });
  });

  describe('a store', () => {
    it('answers a ping until it is closed, and can be closed twice', async () => {
      const store = await world().reopen();
      await store.ping();
      await store.close();
      await store.close();
      await expect(store.ping()).rejects.toThrow();
      await world().reopen();
    });

    it('has everything again when it is reopened', async () => {
      const { request, targets } = await storeRequest(world().store);
      await world().store.work.put({ kind: 'run', key: 'again', dueAt: START, payload: [0] });
      const store = await world().reopen();
      expect(await store.requests.get(request.id)).toEqual(request);
      expect(await store.targets.of(request.id)).toEqual(targets);
      expect(await store.work.nextDue()).not.toBeNull();
    });

    it('of another organization sees and touches nothing of ours', async () => {
      const alert = anAlert();
      const ours = world().store;
      const { request, targets } = await storeRequest(ours, {}, ['issuing']);
      await ours.alerts.put([alert]);
      await ours.cards.enqueue(anEnqueuedCard('notice:ours'));
      await ours.events.markSeen([said(9)], START);
      await ours.events.setCursor({
        highestId: eventId(9),
        floorId: eventId(1),
        historyBefore: null,
        newestAt: null,
        gap: null,
        updatedAt: START,
      });
      const { sequence } = await ours.audit.append(anEntry());

      const theirs = await world().reopen(OTHER_ORGANIZATION);
      expect(await theirs.requests.get(request.id)).toBeNull();
      expect(await theirs.requests.list({}, 9)).toEqual([]);
      expect(await theirs.targets.of(request.id)).toEqual([]);
      for (const { deviceId } of targets)
        expect(await theirs.targets.open(deviceId, actionOn(request.action, []))).toEqual([]);
      expect(await theirs.alerts.get([alert.id])).toEqual([]);
      expect(await theirs.cards.get('notice:ours')).toBeNull();
      expect((await theirs.events.seen([said(9)])).size).toBe(0);
      expect(await theirs.events.cursor()).toBeNull();
      expect(await theirs.events.forgetSeen(instant(START + 1), eventId(9))).toBeNull();
      expect(await theirs.work.claim({ now: instant(START * 2), leaseMs: 1, limit: 9 })).toEqual([]);
      expect(await theirs.audit.list(0, 10)).toEqual([]);
      const duplicate = { ...request, organizationId: OTHER_ORGANIZATION };
      expect(await theirs.requests.insert(duplicate, targets)).toEqual({ kind: 'inserted' });
      expect((await theirs.audit.append(anEntry())).sequence).toBe(1);

      const again = await world().reopen(ORGANIZATION);
      expect(await again.requests.get(request.id)).toEqual(request);
      expect(await again.targets.of(request.id)).toEqual(targets);
      expect((await again.events.seen([said(9)])).size).toBe(1);
      expect((await again.audit.append(anEntry())).sequence).toBe(sequence + 1);
    });
  });
}

export function auditContract(world: () => StoreSetup): void {
  const all = () => world().store.audit.list(0, 10_000);

  describe('audit', () => {
    it('returns what was appended, in order, in pages', async () => {
      const first = await world().store.audit.append(anEntry());
      const second = await world().store.audit.append(anEntry({ actor: 'patchbay', detail: {} }));
      expect(first).toEqual({ ...anEntry(), sequence: 1, hash: expect.stringMatching(/^[0-9a-f]{64}$/) });
      expect(await world().store.audit.list(0, 1)).toEqual([first]);
      expect(await world().store.audit.list(1, 5)).toEqual([second]);
      expect(await world().store.audit.list(2, 5)).toEqual([]);
    });

    it('lists the newest first, from a time on, up to a limit', async () => {
      const at = instant(START + 1_000_000_000);
      const older = await world().store.audit.append(anEntry({ at }));
      const newer = await world().store.audit.append(anEntry({ at: instant(at + 1) }));
      const { latest } = world().store.audit;
      expect(await latest(at, 9)).toEqual([newer, older]);
      expect(await latest(at, 1)).toEqual([newer]);
      expect(await latest(instant(at + 1), 9)).toEqual([newer]);
      expect(await latest(instant(at + 2), 9)).toEqual([]);
    });

    it('chains its entries, whatever their text and the order of their details', async () => {
      await world().store.audit.append(
        anEntry({ subject: '\u0000\ud800', action: 'ö', detail: { z: 1, a: 'x\u0000\ud800', m: -0.5 } }),
      );
      expect(firstBrokenRecord(await all(), ORGANIZATION)).toBeNull();
    });

    it('keeps its chain intact whatever the entries contain', async () => {
      const anyText = fc.string({ unit: 'binary', maxLength: 50 });
      const value = fc.oneof(
        anyText,
        fc.integer(),
        fc.double({ noNaN: true, noDefaultInfinity: true }),
        fc.boolean(),
      );
      const entry = fc.record({ action: anyText, subject: anyText, detail: fc.dictionary(anyText, value) });
      await fc.assert(
        fc.asyncProperty(entry, async (given) => {
          await world().store.audit.append(anEntry(given));
        }),
        { numRuns: 50 },
      );
      expect(firstBrokenRecord(await all(), ORGANIZATION)).toBeNull();
    });

    it('keeps its chain intact with a key that would set a prototype', async () => {
      await world().store.audit.append(anEntry({ detail: JSON.parse('{"__proto__": 1, "a": 2}') }));
      expect(firstBrokenRecord(await all(), ORGANIZATION)).toBeNull();
    });

    it('keeps one chain when fifty append at once', async () => {
      const stores = await world().replicas(5);
      const before = (await all()).length;
      const appended = await Promise.all(
        Array.from({ length: 50 }, (_, at) => stores[at % 5]?.audit.append(anEntry({ subject: `s${at}` }))),
      );
      const records = await all();
      expect(records.length).toBe(before + 50);
      expect(firstBrokenRecord(records, ORGANIZATION)).toBeNull();
      for (const record of appended) expect(records).toContainEqual(record);
    });

    it('keeps one chain where several are appended at once', async () => {
      const before = (await all()).length;
      const subjects = Array.from({ length: 501 }, (_, at) => `several ${at}`);
      await world().store.audit.appendAll([]);
      await world().store.audit.appendAll(subjects.map((subject) => anEntry({ subject })));
      await world().store.audit.append(anEntry());
      const records = await all();
      expect(records.slice(before, -1).map(({ subject }) => subject)).toEqual(subjects);
      expect(firstBrokenRecord(records, ORGANIZATION)).toBeNull();
    });

    it('leaves no gap where a transaction was rolled back', async () => {
      const before = (await all()).length;
      const refused = world().store.transaction(async (tables) => {
        await tables.audit.append(anEntry());
        throw new Error('changed my mind');
      });
      await expect(refused).rejects.toThrow('changed my mind');
      const next = await world().store.audit.append(anEntry());
      expect(next.sequence).toBe(before + 1);
      expect(firstBrokenRecord(await all(), ORGANIZATION)).toBeNull();
    });

    it('cannot be changed or shortened through the database', async () => {
      const before = await all();
      await expect(world().raw(`update audit set subject = 'x'`)).rejects.toThrow('only grows');
      await expect(world().raw('delete from audit')).rejects.toThrow('only grows');
      await expect(world().raw(world().replacing)).rejects.toThrow('only grows');
      expect(await all()).toEqual(before);
    });

    it('shows where somebody changed it anyway', async () => {
      for (const subject of ['one', 'two', 'three']) await world().store.audit.append(anEntry({ subject }));
      const records = await all();
      const at = records.length - 2;
      const forged = records.map((record, index) => (index === at ? { ...record, subject: 'x' } : record));
      expect(firstBrokenRecord(forged, ORGANIZATION)).toEqual(forged[at]);
      expect(firstBrokenRecord(records.toSpliced(at, 1), ORGANIZATION)).toEqual(records[at + 1]);
    });
  });
}
