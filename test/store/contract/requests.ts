import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { instant } from '../../../src/lib/clock.ts';
import { deviceId, personId, requestId } from '../../../src/lib/ids.ts';
import { toStorableText } from '../../../src/store/engines/engine.ts';
import type { RequestRecord, RequestState, RequestTarget } from '../../../src/store/port/request-records.ts';
import { OTHER_ORGANIZATION, START, someFacts } from '../builders.ts';
import {
  aRequest,
  aRequestTarget,
  FAILED,
  type NewRequest,
  storeRequest,
  targetsIn,
} from '../request-builders.ts';
import type { StoreSetup } from '../store-setup.ts';

/** Every column that a request may change. */
const CHANGED: Partial<NewRequest> = {
  state: 'running',
  seal: 'other seal',
  fingerprint: 'other print',
  reason: 'because',
  expiresAt: null,
  decidedBy: personId('U2'),
  decidedAt: instant(START + 1),
  approvedBy: personId('U3'),
  approvedAt: instant(START + 2),
  note: { kind: 'unposted', why: 'a note' },
  startedAt: instant(START + 3),
  endedAt: instant(START + 4),
};

export function requestsContract(world: () => StoreSetup): void {
  const insert = async (...given: [Partial<NewRequest>?, Parameters<typeof storeRequest>[2]?]) =>
    (await storeRequest(world().store, ...given)).request;
  const next = <R extends NewRequest>(request: R, given: Partial<NewRequest> = {}): R => ({
    ...request,
    version: request.version + 1,
    ...given,
  });

  describe('requests', () => {
    it('gives back exactly what was stored, with the counts of its targets', async () => {
      const note = { kind: 'unposted', why: 'a\u0001\n\u{1F4A5}"\\' } as const;
      const given = {
        reason: '',
        note,
        ...CHANGED,
      };
      const stored = await insert(given, ['ready', 'queued', 'ready']);
      expect(await world().store.requests.get(stored.id)).toEqual(stored);
      expect(stored.counts).toEqual({ ready: 2, queued: 1, open: 3 });
    });

    it('keeps text that PostgreSQL would refuse, with a visible mark, and JSON as it is', async () => {
      const request = aRequest({ reason: 'a\u0000b\ud800c' });
      const facts = someFacts({ hostname: '\u0000\ud800', lastDisconnectTime: instant(0) });
      const { requests, targets } = world().store;
      await requests.insert(request, [aRequestTarget(request.id, { facts })]);
      expect((await requests.get(request.id))?.reason).toBe('a\uFFFDb\uFFFDc');
      expect(await targets.of(request.id)).toMatchObject([{ facts }]);
    });

    it('counts targets whose evidence says that they failed, beside their state', async () => {
      const request = aRequest();
      const given: readonly Partial<RequestTarget>[] = [
        { state: 'not_verified', evidence: FAILED },
        { state: 'not_verified', evidence: [{ kind: 'not-installed', packages: ['curl'], nameless: null }] },
        { state: 'verified', evidence: FAILED },
      ];
      const targets = given.map((one, position) =>
        aRequestTarget(request.id, { position, endedAt: START, ...one }),
      );
      const { requests } = world().store;
      await requests.insert(request, targets);
      const counts = { not_verified: 2, verified: 1, failed: 1 };
      expect(await requests.get(request.id)).toEqual({ ...request, counts });
    });

    it('keeps one that nobody has to agree to, with nothing that an approval has', async () => {
      const none = { seal: null, fingerprint: null, expiresAt: null, state: 'approved' } as const;
      for (const request of [await insert(none), await insert(none)])
        expect(await world().store.requests.get(request.id)).toEqual(request);
    });

    it('keeps one without targets', async () => {
      const request = aRequest();
      await world().store.requests.insert(request, []);
      expect(await world().store.requests.get(request.id)).toEqual({ ...request, counts: {} });
    });

    it('gives back whatever people and devices say, but for what no database can hold', async () => {
      const anyText = fc.string({ unit: 'binary', maxLength: 200 });
      const { requests, targets } = world().store;
      await fc.assert(
        fc.asyncProperty(anyText, anyText, async (reason, hostname) => {
          const request = aRequest({ reason });
          const target = aRequestTarget(request.id, { facts: someFacts({ hostname }), response: reason });
          await requests.insert(request, [target]);
          const kept = toStorableText(reason);
          expect(await requests.get(request.id)).toMatchObject({ reason: kept });
          expect(await targets.of(request.id)).toEqual([{ ...target, response: kept }]);
        }),
        { numRuns: 50 },
      );
    });

    it('is found by the delivery that asked for it', async () => {
      const request = await insert();
      expect(await world().store.requests.byRequestKey(request.requestKey)).toEqual(request);
      expect(await world().store.requests.byRequestKey('command:none')).toBeNull();
      expect(await world().store.requests.get(requestId('r_none'))).toBeNull();
    });

    it('stores a repeated delivery once and shows the first', async () => {
      const first = await insert({}, ['ready', 'ready']);
      const again = aRequest({ requestKey: first.requestKey });
      const { requests, targets } = world().store;
      const repeated = await requests.insert(again, [aRequestTarget(again.id)]);
      expect(repeated).toEqual({ kind: 'exists', request: first });
      expect(await requests.get(again.id)).toBeNull();
      expect(await targets.of(again.id)).toEqual([]);
    });

    it('shows the waiting one to whoever asks for the same, until it is decided', async () => {
      const first = await insert();
      const { requests } = world().store;
      const duplicate = aRequest({ fingerprint: first.fingerprint });
      expect(await requests.insert(duplicate, [])).toEqual({ kind: 'exists', request: first });
      expect(await requests.replace(next(first, { state: 'denied' }))).toBe(true);
      expect(await requests.insert(duplicate, [])).toEqual({ kind: 'inserted' });
    });

    it('refuses an id that another request has taken, and a record of another organization', async () => {
      const first = await insert();
      const { requests } = world().store;
      await expect(requests.insert(aRequest({ id: first.id }), [])).rejects.toThrow('is taken');
      const stray = aRequest({ organizationId: OTHER_ORGANIZATION });
      await expect(requests.insert(stray, [])).rejects.toThrow('organization 8');
      await expect(requests.replace(next(stray))).rejects.toThrow('organization 8');
    });

    it('stores nothing of a request whose targets cannot be stored', async () => {
      const { requests } = world().store;
      const store = (place: (id: NewRequest['id']) => Parameters<typeof requests.insert>[1]) => {
        const request = aRequest();
        return requests.insert(request, place(request.id)).then(
          () => 'stored',
          () => requests.get(request.id),
        );
      };
      const on = deviceId(41);
      expect(await store((id) => [1, 2].map((position) => aRequestTarget(id, { position })))).toBeNull();
      expect(await store(() => [aRequestTarget(requestId('r_other'))])).toBeNull();
      expect(
        await store((id) => [0, 1].map((position) => aRequestTarget(id, { position, deviceId: on }))),
      ).toBeNull();
    });

    it('stores ten thousand targets, and reads what a card shows without them', async () => {
      const request = aRequest();
      const targets = targetsIn(request.id, Array(10_000).fill('ready'));
      const { store } = world();
      expect(await store.requests.insert(request, targets)).toEqual({ kind: 'inserted' });
      expect(await store.targets.of(request.id)).toEqual(targets);
      expect((await store.requests.get(request.id))?.counts).toEqual({ ready: 10_000, open: 10_000 });
    });

    it('replaces what may change, and keeps counts and what was asked for', async () => {
      const first = await insert({}, ['ready', 'ready']);
      const { requests } = world().store;
      const changed = next(first, CHANGED);
      const other = { action: { kind: 'scan' }, requesterId: personId('U9'), requestKey: 'other' } as const;
      const stray = { createdAt: instant(0), counts: {} };
      expect(await requests.replace({ ...changed, ...other, ...stray })).toBe(true);
      expect(await requests.get(first.id)).toEqual(changed);
    });

    it('lets a waiting one change while it waits', async () => {
      const first = await insert();
      const reasoned = next(first, { reason: 'because' });
      expect(await world().store.requests.replace(reasoned)).toBe(true);
      expect(await world().store.requests.get(first.id)).toEqual(reasoned);
    });

    it.each([
      ['the same version again', 1],
      ['a version that skips one', 3],
    ])('does not write %s', async (_, version) => {
      const first = await insert();
      expect(await world().store.requests.replace({ ...first, version, state: 'denied' })).toBe(false);
      expect(await world().store.requests.get(first.id)).toEqual(first);
    });

    it('does not write one that was never stored', async () => {
      expect(await world().store.requests.replace(next(aRequest()))).toBe(false);
    });

    it('does not let one go back to waiting beside another that waits for the same', async () => {
      const first = await insert();
      const { store } = world();
      const approved = next(first, { state: 'approved' });
      await store.requests.replace(approved);
      await insert({ fingerprint: first.fingerprint });
      const back = next(approved, { state: 'waiting' });
      expect(await store.requests.replace(back)).toBe(false);
      expect(await store.transaction((tables) => tables.requests.replace(back))).toBe(false);
      expect(await store.requests.get(first.id)).toEqual(approved);
    });

    it('lists those of some states or of a person, the newest first, up to a limit', async () => {
      const requesterId = personId('URLISTED');
      const states = ['waiting', 'denied', 'running', 'waiting', 'ended'] as const;
      const stored: RequestRecord[] = [];
      for (const [at, state] of states.entries()) {
        const times = { createdAt: instant(START + at), decidedAt: instant(START + 10 + at) };
        stored.unshift(await insert({ state, requesterId, ...times }, ['ready']));
      }
      const { list } = world().store.requests;
      const inStates = (...wanted: RequestState[]) => stored.filter(({ state }) => wanted.includes(state));
      const of = (wanted: readonly RequestState[], limit = 9) => list({ requesterId, states: wanted }, limit);
      expect(await list({ requesterId }, 9)).toEqual(stored);
      expect(await list({ requesterId }, 2)).toEqual(stored.slice(0, 2));
      expect(await list({ requesterId, oldestFirst: true }, 2)).toEqual(stored.slice(-2).reverse());
      const decidedFrom = instant(START + 13);
      expect(await list({ requesterId, decidedFrom }, 9)).toEqual(stored.slice(0, 2));
      expect(await of(['waiting'])).toEqual(inStates('waiting'));
      expect(await of(['ended', 'waiting', 'ended'])).toEqual(inStates('ended', 'waiting'));
      expect(await of(['denied', 'waiting', 'ended'], 3)).toEqual(
        inStates('denied', 'waiting', 'ended').slice(0, 3),
      );
      expect(await of([])).toEqual([]);
      expect(await of(['expired'])).toEqual([]);
      expect((await list({ states: ['running'] }, 9)).map(({ id }) => id)).toContain(stored[2]?.id);
    });

    it('lists those that somebody has to agree to, and does not count the others', async () => {
      const requesterId = personId('URAGREED');
      const none = { seal: null, fingerprint: null, expiresAt: null } as const;
      const put = (at: number, given: Partial<NewRequest>) =>
        insert({ requesterId, state: 'running', createdAt: instant(START + at), ...given }, ['queued']);
      const older = await put(1, {});
      const newer = await put(2, {});
      const started = await put(3, none);
      const { list } = world().store.requests;
      expect(await list({ requesterId }, 9)).toEqual([started, newer, older]);
      expect(await list({ requesterId, needsApproval: true }, 9)).toEqual([newer, older]);
      expect(await list({ requesterId, needsApproval: true, states: ['running'] }, 1)).toEqual([newer]);
    });

    it('lists five hundred at the most, and the others after the last of them', async () => {
      const requesterId = personId('URMANY');
      const { store } = world();
      await store.transaction(async (tables) => {
        for (let at = 0; at < 501; at += 1) await tables.requests.insert(aRequest({ requesterId }), []);
      });
      const first = await store.requests.list({ requesterId }, 1_000);
      expect(first).toHaveLength(500);
      const [last = null, ...more] = first.toReversed();
      if (last === null) throw new Error('nothing was listed');
      const rest = await store.requests.list({ requesterId, after: last }, 1_000);
      expect(rest).toHaveLength(1);
      expect([last, ...more].map(({ id }) => id)).not.toContain(rest[0]?.id);
    });

    it('names table and id of a row that cannot be trusted', async () => {
      const broken = await insert({}, ['queued']);
      const { get } = world().store.requests;
      const spoil = (change: string) => world().raw(change.replace('ID', `'${broken.id}'`));
      await spoil(`update request_counts set state = 'maybe' where state = 'queued' and request_id = ID`);
      await expect(get(broken.id)).rejects.toThrow('counts');
      await spoil(`update requests set action = '{"kind":"erase"}' where id = ID`);
      await expect(get(broken.id)).rejects.toThrow(`table requests, id ${broken.id}: action`);
      await spoil(`update requests set action = '{"kind' where id = ID`);
      await expect(get(broken.id)).rejects.toThrow('action: not JSON');
    });
  });
}
