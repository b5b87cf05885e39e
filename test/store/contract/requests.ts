import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createManualClock, HOUR, instant, later, MINUTE } from '../../../src/lib/clock.ts';
import {
  channelId,
  type DeviceId,
  deviceId,
  messageTs,
  newWindowId,
  personId,
  requestId,
} from '../../../src/lib/ids.ts';
import { DEFAULT_ROLLOUT_LIMITS } from '../../../src/lib/rollout-limits.ts';
import { createRecordRequest } from '../../../src/requests/decide/record-request.ts';
import { planRollout } from '../../../src/rollout/plan.ts';
import { startRollout } from '../../../src/rollout/progress.ts';
import { toStorableText } from '../../../src/store/engines/engine.ts';
import type { DecisionWindow } from '../../../src/store/port/decision-windows.ts';
import type { RequestRecord, RequestState, RequestTarget } from '../../../src/store/port/request-records.ts';
import type { Store } from '../../../src/store/port/store.ts';
import { requestsWithTargets } from '../../../src/store/requests-with-targets.ts';
import { property } from '../../harness/property.ts';
import { fresh, ORGANIZATION, OTHER_ORGANIZATION, START, someFacts } from '../builders.ts';
import {
  aRequest,
  aRequestTarget,
  FAILED,
  freshDevice,
  moveTo,
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
      const given = { reason: '', note, ...CHANGED };
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

    const anyText = fc.string({ unit: 'binary', maxLength: 200 });
    property([anyText, anyText], { numRuns: 50 })(
      'gives back whatever people and devices say, but for what no database can hold',
      async (reason, hostname) => {
        const { requests, targets } = world().store;
        const request = aRequest({ reason });
        const target = aRequestTarget(request.id, { facts: someFacts({ hostname }), response: reason });
        await requests.insert(request, [target]);
        const kept = toStorableText(reason);
        expect(await requests.get(request.id)).toMatchObject({ reason: kept });
        expect(await targets.of(request.id)).toEqual([{ ...target, response: kept }]);
      },
    );

    it('is counted by the rules that let it run, from a time on, and not while somebody has to agree', async () => {
      const runsBy = (rule: string, devices: number) => ({ ...aRequest().rules, runs: [{ rule, devices }] });
      const free = { seal: null, fingerprint: null, expiresAt: null, state: 'approved' } as const;
      const [name, at] = ['lab "runs":[]', later(START, 60_000)];
      await insert({ ...free, createdAt: START, rules: runsBy(name, 9) });
      await insert({ ...free, createdAt: at, rules: runsBy(name, 2) });
      await insert({ ...free, createdAt: at, rules: runsBy(name, 3) });
      await insert({ ...free, createdAt: at });
      await insert({ createdAt: at, rules: runsBy(name, 5) });
      expect((await world().store.requests.ranByRule(START)).get(name)).toBe(5);
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

export function requestedDevicesContract(world: () => StoreSetup): void {
  describe('the requests of a device', () => {
    it('are listed with its target alone, the newest first', async () => {
      const device = freshDevice();
      const { store } = world();
      const put = async (at: number, on: readonly DeviceId[]) => {
        const request = aRequest({ createdAt: instant(START + at) });
        const targets = on.map((one, position) => aRequestTarget(request.id, { deviceId: one, position }));
        await store.requests.insert(request, targets);
        return request.id;
      };
      const older = await put(1, [freshDevice(), device]);
      await put(2, [freshDevice()]);
      const newer = await put(3, [device]);
      const found = await requestsWithTargets(store, { device }, 9);
      expect(found.map(({ id }) => id)).toEqual([newer, older]);
      expect(found.map(({ targets }) => targets.map(({ position }) => position))).toEqual([[0], [1]]);
    });
  });

  const someone = () => personId(`UASK${fresh()}`);

  describe('the devices that a person requested changes of', () => {
    it('are those that were sent or still may be, since a time', async () => {
      const { store } = world();
      const requesterId = someone();
      const put = (given: Partial<NewRequest>, states: Parameters<typeof storeRequest>[2] = ['ready']) =>
        storeRequest(store, { requesterId, askedLastHour: 1, ...given }, states);
      await put({ state: 'running' }, ['verified', 'not_sent', 'ready', 'refused', 'unknown']);
      await put({});
      await put({ createdAt: instant(START - 1) });
      for (const state of ['denied', 'expired', 'withdrawn'] as const) await put({ state });
      await put({ askedLastHour: null });
      await put({ requesterId: someone() });
      await put({ reach: 30 });
      expect(await store.requests.requestedSince(requesterId, instant(START - 1))).toBe(35);
      expect(await store.requests.requestedSince(someone(), instant(0))).toBe(0);
    });

    it('are counted over more requests than a list has', async () => {
      const { store } = world();
      const requesterId = someone();
      await store.transaction(async (tables) => {
        for (let at = 0; at < 501; at += 1) {
          const request = aRequest({ requesterId, askedLastHour: 1 });
          await tables.requests.insert(request, [aRequestTarget(request.id, { deviceId: freshDevice() })]);
        }
      });
      expect(await store.requests.requestedSince(requesterId, instant(0))).toBe(501);
    });

    it('are never more than the limit, however many processes record at once', async () => {
      const requester = someone();
      const clock = createManualClock(START);
      const limits = { ...DEFAULT_ROLLOUT_LIMITS, maxDevicesPerDay: 5 };
      const recordBy = (store: Store) =>
        createRecordRequest({
          ...{ store, clock, limits: () => limits, organizationId: ORGANIZATION },
          channels: { approvals: channelId('C_APPROVALS') },
          wakeWorker: () => {},
        });
      const records = (await world().replicas(4)).map(recordBy);
      const asks = Array.from({ length: 20 }, (_, at) => {
        const proposal = {
          command: { kind: 'reboot' },
          targets: [someFacts({ deviceId: freshDevice() })],
          reason: null,
        } as const;
        return records[at % 4]?.({
          proposal,
          requester,
          channel: channelId('C_OPS'),
          requestKey: `${requester} ${at}`,
        });
      });
      const kinds = (await Promise.all(asks)).map((result) => result?.kind);
      expect(kinds.filter((kind) => kind === 'recorded')).toHaveLength(5);
      expect(kinds.filter((kind) => kind === 'limited')).toHaveLength(15);
      clock.stop();
    });
  });
}

const WAVES = [
  { kind: 'devices', devices: 1 },
  { kind: 'devices', devices: 3 },
] as const;
const stopped = [{ kind: 'stopped', at: START }] as const;

export function rolloutsContract(world: () => StoreSetup): void {
  describe('a rollout', () => {
    const put = async () => {
      const rollout = startRollout(planRollout(5, { waves: WAVES }), START);
      const request = aRequest({ rollout, state: 'approved', decidedAt: START });
      const targets = [0, 1, 2, 3, 4].map((position) => aRequestTarget(request.id, { position }));
      await world().store.requests.insert(request, targets);
      return { request, targets };
    };

    it('is stored with its plan, and counts its targets in waves', async () => {
      const { request } = await put();
      expect(await world().store.requests.get(request.id)).toMatchObject({ rollout: request.rollout });
      expect(await world().store.requests.waveCounts(request.id)).toEqual([
        { ready: 1, open: 1 },
        { ready: 2, open: 2 },
        { ready: 2, open: 2 },
      ]);
      expect(await world().store.requests.list({ inWaves: true, states: ['approved'] }, 9)).toMatchObject([
        { id: request.id },
      ]);
    });

    it('gives its targets from any place in their order', async () => {
      const { request } = await put();
      const { targets } = world().store;
      const positions = async (options: Parameters<typeof targets.of>[1]) =>
        (await targets.of(request.id, options)).map(({ position }) => position);
      expect(await positions({ states: ['ready'], limit: 2, skip: 2 })).toEqual([2, 3]);
      expect(await positions({ states: ['ready', 'issuing'], limit: 9, skip: 4 })).toEqual([4]);
      expect(await positions({ states: ['ready'], limit: 2, skip: 5 })).toEqual([]);
    });

    it('moves its counts with its targets', async () => {
      const { request, targets } = await put();
      const { store } = world();
      const [first, second, , last] = targets;
      if (first === undefined || second === undefined || last === undefined) throw new Error('no targets');
      await store.targets.move(request.id, [moveTo(first, 'issuing'), moveTo(last, 'issuing')]);
      await store.targets.move(request.id, [
        moveTo({ ...first, state: 'issuing' }, 'refused', { endedAt: START }),
      ]);
      expect(await store.requests.waveCounts(request.id)).toEqual([
        { refused: 1 },
        { ready: 2, open: 2 },
        { ready: 1, issuing: 1, open: 2 },
      ]);
    });

    it('gives the targets of a wave to be claimed, and those of no other', async () => {
      const { request } = await put();
      const found = await world().store.targets.claimable(request.id, START, 9, { from: 1, to: 3 });
      expect(found.map(({ position }) => position)).toEqual([1, 2]);
      const some = await world().store.targets.of(request.id, { after: 0, before: 3 });
      expect(some.map(({ position }) => position)).toEqual([1, 2]);
    });

    it('ends all that was not sent at once, in all waves', async () => {
      const { request, targets } = await put();
      const { store } = world();
      const [first] = targets;
      if (first === undefined) throw new Error('no targets');
      await store.targets.move(request.id, [moveTo(first, 'issuing', { issuedAt: later(START, MINUTE) })]);
      expect(await store.targets.endReady(request.id, stopped, later(START, MINUTE))).toBe(4);
      expect(await store.targets.endReady(request.id, stopped, later(START, MINUTE))).toBe(0);
      expect(await store.requests.waveCounts(request.id)).toEqual([
        { issuing: 1, open: 1 },
        { not_sent: 2 },
        { not_sent: 2 },
      ]);
      expect(await store.requests.get(request.id)).toMatchObject({
        version: 3,
        counts: { issuing: 1, open: 1, not_sent: 4 },
      });
      const [, ended] = await store.targets.of(request.id);
      expect(ended).toMatchObject({ state: 'not_sent', endedAt: later(START, MINUTE), evidence: stopped });
      expect(await store.targets.lastClaimAt(request.id)).toBe(later(START, MINUTE));
    });
  });

  it('a request without waves has no counts of any', async () => {
    const request = aRequest();
    await world().store.requests.insert(request, [aRequestTarget(request.id)]);
    expect(await world().store.requests.waveCounts(request.id)).toEqual([]);
  });
}

const aWindow = (given: Partial<DecisionWindow> = {}): DecisionWindow => ({
  id: newWindowId(),
  decides: { kind: 'approve', requestId: requestId('r_1'), seal: '"seal" 💥' },
  devices: 40,
  view: { id: 'V1', hash: '156772938.1827394' },
  channel: channelId('C0APPROVALS'),
  thread: messageTs('1.000001'),
  personId: personId(`U${fresh()}`),
  usedBy: null,
  endsAt: later(START, 15 * MINUTE),
  ...given,
});

export function decisionWindowsContract(world: () => StoreSetup): void {
  describe('windows that decide something', () => {
    it('are returned as stored, to their own organization, until an hour after their end', async () => {
      const { store, reopen } = world();
      const approval = aWindow();
      const about = { requestId: requestId('r_1') };
      const decides = { kind: 'continue-without', ...about, hold: null, wave: 2 } as const;
      const resumed = aWindow({ ...{ decides, devices: null, thread: null }, endsAt: later(START, -HOUR) });
      for (const one of [approval, resumed]) await store.decisionWindows.insert(one, START);
      expect(await store.decisionWindows.get(approval.id)).toEqual(approval);
      expect(await store.decisionWindows.get(resumed.id)).toEqual(resumed);
      await store.decisionWindows.insert(aWindow(), later(START, 1));
      expect(await store.decisionWindows.get(approval.id)).toEqual(approval);
      expect(await store.decisionWindows.get(resumed.id)).toBeNull();
      const others = await reopen(OTHER_ORGANIZATION);
      expect(await others.decisionWindows.get(approval.id)).toBeNull();
      expect(await others.decisionWindows.use(approval.id, 's1')).toBe(false);
      await reopen();
    });

    it('are used once, however many submit them at once', async () => {
      const { decisionWindows } = world().store;
      const { id } = aWindow();
      await decisionWindows.insert(aWindow({ id }), START);
      const used = await Promise.all(['s1', 's2', 's3'].map((by) => decisionWindows.use(id, by)));
      expect(used.filter(Boolean)).toHaveLength(1);
      expect(await decisionWindows.get(id)).toMatchObject({ usedBy: ['s1', 's2', 's3'][used.indexOf(true)] });
    });
  });
}
