/** How much one person may request: counted where a request is recorded, whatever it was recorded by. */

import { beforeEach, describe, expect, it } from 'vitest';
import type { TargetFacts } from '../../../src/fleet/facts/facts.ts';
import type { FleetAction } from '../../../src/fleet/model/actions.ts';
import { DAY, HOUR, later, MINUTE, SECOND } from '../../../src/lib/clock.ts';
import type { FailpointName } from '../../../src/lib/failpoints.ts';
import {
  cardKey,
  channelId,
  deviceId,
  groupId,
  type PersonId,
  personId,
  policyId,
  requestId,
} from '../../../src/lib/ids.ts';
import type { PauseControl } from '../../../src/requests/decide/pause-switch.ts';
import { transition } from '../../../src/requests/decide/state-machine.ts';
import { type PlanOptions, planRollout } from '../../../src/rollout/plan.ts';
import { startRollout } from '../../../src/rollout/progress.ts';
import type { RequestRecord } from '../../../src/store/port/request-records.ts';
import { someFacts } from '../../harness/records.ts';
import { ASKS_ANEW } from '../../harness/rules.ts';
import { aGroupToEdit, aPolicyToEdit, aRequest, aTarget } from '../builders.ts';
import {
  ALICE,
  APPROVALS,
  BOB,
  createRequestsSetup,
  OPS,
  pauseSwitchOf,
  type RequestsSetup,
  type RequestsSetupOptions,
  reboot,
  START,
  scan,
} from '../requests-setup.ts';

let line: RequestsSetup;

let nextDevice = 0;
/** Devices that no other request is about. */
const fresh = (count: number) => Array.from({ length: count }, () => deviceId(5_000 + ++nextDevice));

type Asked = {
  readonly action?: FleetAction;
  readonly reason?: string | null;
  readonly options?: PlanOptions;
  readonly requester?: PersonId;
  readonly key?: string;
};

function record(devices: number | ReturnType<typeof fresh>, given: Asked = {}) {
  const { action = { kind: 'reboot' }, reason = null, options, requester = ALICE, key } = given;
  const ids = typeof devices === 'number' ? fresh(devices) : devices;
  const plan = ids.length > 1 || options !== undefined ? { plan: planRollout(ids.length, options) } : {};
  const targets = ids.map((id) => someFacts({ deviceId: id }));
  return line.requests.record({
    ...{ requester, channel: OPS, requestKey: key ?? `asked-${nextDevice}-${Math.random()}` },
    proposal: { command: action, targets, reason, ...plan },
  });
}

async function recorded(...given: Parameters<typeof record>): Promise<RequestRecord> {
  const result = await record(...given);
  if (result.kind !== 'recorded') throw new Error(JSON.stringify(result));
  return result.request;
}

/** The request after an approval with this number. */
const approved = (request: RequestRecord, devices?: number) =>
  transition(
    request,
    { kind: 'approve', by: BOB, role: 'approver', seal: request.seal ?? '', devices },
    line.clock.now(),
  );

const begin = async (limits: RequestsSetupOptions['limits'] = {}) => {
  line = await createRequestsSetup({ limits });
};
const tooMany = (devices: number, used: number, most: number) => ({
  kind: 'limited',
  limit: { kind: 'daily-limit', devices, used, most },
});

describe('the devices of 24 hours', () => {
  it('are counted over all changes of a person, single ones too', async () => {
    await begin({ maxDevicesPerDay: 4 });
    expect(await record(5)).toEqual(tooMany(5, 0, 4));
    await recorded(1);
    await recorded(1, { action: { kind: 'patch-all' } });
    await recorded(2);
    expect(await record(1)).toEqual(tooMany(1, 4, 4));
    await recorded(1, { requester: BOB });
    await line.clock.advance(DAY);
    await recorded(1);
  });

  it('are counted without scans and tests, which are not limited', async () => {
    await begin({ maxDevicesPerDay: 2 });
    await recorded(3, { action: { kind: 'scan' } });
    await recorded(2);
    await recorded(3, { action: { kind: 'scan' } });
    expect(await record(1)).toEqual(tooMany(1, 2, 2));
  });

  it('are counted without those of requests that ended with nothing sent', async () => {
    await begin({ maxDevicesPerDay: 3 });
    await line.decide(await recorded(1), 'deny');
    await line.decide(await recorded(1), 'withdraw', ALICE);
    await recorded(1);
    await line.clock.advance(30 * MINUTE);
    await line.settle();
    // No device of the service has this number.
    const gone = await recorded(1);
    await line.approve(gone);
    await line.settle();
    expect(await line.targetFor(gone)).toMatchObject({ state: 'not_sent' });
    await recorded(3);
    expect(await record(1)).toEqual(tooMany(1, 3, 3));
  });

  it('do not keep a repeated delivery from its answer', async () => {
    await begin({ maxDevicesPerDay: 1, maxWaiting: 1 });
    const devices = fresh(1);
    const first = await recorded(devices, { key: 'one' });
    expect(await record(devices, { key: 'one' })).toMatchObject({ already: true, request: { id: first.id } });
    // Somebody asks for the same: nothing new is recorded.
    expect(await record(devices)).toMatchObject({ already: true, request: { id: first.id } });
  });
});

describe('the devices of an hour', () => {
  it('require a reason and the typed number in parts, too', async () => {
    await begin();
    const first = await recorded(24);
    expect(first).toMatchObject({ askedLastHour: 24, typedCount: false });
    const limit = { kind: 'reason-required', devices: 24, lastHour: 48, from: 25 };
    expect(await record(24)).toEqual({ kind: 'limited', limit });
    const second = await recorded(24, { reason: 'kernel' });
    expect(second).toMatchObject({ askedLastHour: 48, typedCount: true });
    expect(approved(second)).toMatchObject({ refusal: { kind: 'count-not-typed' } });
    expect(await line.requestNow(second)).toMatchObject({ askedLastHour: 48, typedCount: true });
    // What stops needs no number.
    expect(await line.decide(second, 'deny')).toMatchObject({ kind: 'decided' });
    await line.clock.advance(HOUR);
    expect(await recorded(24)).toMatchObject({ askedLastHour: 24, typedCount: false });
  });

  it('make an approver type the number of a single device', async () => {
    await begin();
    await recorded(24);
    const single = await recorded(1, { reason: 'kernel' });
    expect(single).toMatchObject({ rollout: null, askedLastHour: 25, typedCount: true });
    expect(approved(single, 25)).toMatchObject({ refusal: { kind: 'count-not-typed' } });
    expect(approved(single, 1)).toMatchObject({ kind: 'next' });
  });

  it('require a reason for a scan of that many, and count it for nothing else', async () => {
    await begin();
    expect(await record(25, { action: { kind: 'scan' } })).toMatchObject({ kind: 'limited' });
    expect(await recorded(24, { action: { kind: 'scan' } })).toMatchObject({ askedLastHour: null });
    expect(await recorded(24)).toMatchObject({ askedLastHour: 24 });
  });
});

describe('an edit of a group or policy', () => {
  const policyEdit = { kind: 'policy-edit', policyId: policyId(3), change: { notes: 'x' } } as const;
  const groupEdit = { kind: 'group-edit', groupId: groupId(5), change: { notes: 'x' } } as const;
  const asked = (action: FleetAction, facts: TargetFacts, reason: string | null = null) =>
    line.requests.record({
      ...{ requester: ALICE, channel: OPS, requestKey: `edit-${Math.random()}` },
      proposal: { command: action, targets: [facts], reason },
    });
  const cases: readonly (readonly [FleetAction, (devices: number | null) => TargetFacts])[] = [
    [policyEdit, (devices) => aPolicyToEdit({ devices })],
    [groupEdit, (deviceCount) => aGroupToEdit({}, { deviceCount })],
  ];

  it.each(cases)('counts as the devices that it reaches: %o', async (action, of) => {
    await begin({ maxDevicesPerDay: 250 });
    const limit = { kind: 'reason-required', devices: 203, lastHour: 203, from: 25 };
    expect(await asked(action, of(203))).toEqual({ kind: 'limited', limit });
    const first = await asked(action, of(203), 'audit');
    if (first.kind !== 'recorded') throw new Error('not recorded');
    const request = await line.requestNow(first.request);
    expect(request).toMatchObject({ askedLastHour: 203, typedCount: true, reach: 203 });
    expect(approved(request, 1)).toMatchObject({ refusal: { kind: 'count-not-typed' } });
    expect(approved(request, 203)).toMatchObject({ kind: 'next' });
    const wanted = { kind: 'approve', seal: request.seal ?? '' } as const;
    const opened = await line.requests.openWindow({ request, person: BOB, role: 'approver', wanted });
    expect(opened).toMatchObject({ kind: 'open', devices: 203 });
    expect(await record(48, { reason: 'kernel' })).toEqual(tooMany(48, 203, 250));
    await recorded(47, { reason: 'kernel' });
  });

  it.each(cases)('of no device, or an unknown number, counts as one: %o', async (action, of) => {
    await begin();
    for (const unknown of [0, null])
      expect(await asked(action, of(unknown))).toMatchObject({ request: { askedLastHour: 1, reach: 1 } });
  });

  it('that reaches more devices by now has their number typed', async () => {
    await begin();
    const first = await asked(policyEdit, aPolicyToEdit({ devices: 4 }));
    if (first.kind !== 'recorded') throw new Error('not recorded');
    const note = { kind: 'rights-lost', who: 'approver' } as const;
    const approvedOne = { ...(await line.requestNow(first.request)), state: 'approved' } as const;
    const returned = transition(
      approvedOne,
      { kind: 'return', seal: 's', note, reach: 30, asks: ASKS_ANEW },
      line.clock.now(),
    );
    expect(returned).toMatchObject({ request: { typedCount: true, reach: 30 } });
  });
});

describe('the requests of a person that wait', () => {
  it('are at most 20, of which a rollout is one', async () => {
    await begin({ reasonFrom: 1_000 });
    const first = await recorded(30);
    for (let more = 1; more < 20; more++) await recorded(1);
    expect(await record(1)).toEqual({ kind: 'limited', limit: { kind: 'too-many-waiting', most: 20 } });
    await recorded(1, { requester: BOB });
    await recorded(1, { action: { kind: 'scan' } });
    await line.decide(first, 'withdraw', ALICE);
    await recorded(1);
  });

  it('are counted without those whose time is over', async () => {
    await begin({ maxWaiting: 1 });
    await recorded(1);
    await line.clock.advance(30 * MINUTE);
    await recorded(1);
  });
});

describe('another request for the same devices', () => {
  it('is the same only with the same plan', async () => {
    await begin({ reasonFrom: 1_000 });
    const devices = fresh(12);
    const first = await recorded(devices, { options: {}, reason: 'kernel' });
    const expected = { kind: 'recorded', already: true, request: { id: first.id, reason: 'kernel' } };
    expect(await record(devices.toReversed(), { reason: 'another', requester: BOB })).toMatchObject(expected);
    const stricter: readonly PlanOptions[] = [
      { waves: [{ kind: 'devices', devices: 1 }] },
      { waitMs: HOUR },
      { brake: { kind: 'devices', devices: 1 } },
      { gate: 'manual' },
      { offline: 'skip' },
    ];
    for (const options of stricter)
      expect(await record(devices, { options })).toMatchObject({
        kind: 'differs',
        request: { id: first.id },
      });
    await line.decide(first, 'withdraw', ALICE);
    await recorded(devices, { options: { gate: 'manual' } });
  });

  it('is another one with other packages', async () => {
    await begin();
    const devices = fresh(1);
    const patch = (...packages: string[]) => recorded(devices, { action: { kind: 'patch', packages } });
    const [one, other, same] = [await patch('curl'), await patch('curl', 'jq'), await patch('jq', 'curl')];
    expect(one.id).not.toBe(other.id);
    expect(same.id).toBe(other.id);
  });

  it('is another one where a single device was to be left out offline', async () => {
    await begin();
    const devices = fresh(1);
    await recorded(devices);
    expect(await record(devices, { options: {} })).toMatchObject({ already: true });
    expect(await record(devices, { options: { offline: 'skip' } })).toMatchObject({ kind: 'differs' });
  });
});

describe('pauses', () => {
  const CAROL = personId('U_CAROL');

  let pause: PauseControl;
  let at: FailpointName | null;
  beforeEach(async () => {
    at = null;
    line = await createRequestsSetup({
      onFailpoint: async (name) => {
        if (name === at) await pause.begin(CAROL, 'storm');
      },
    });
    pause = pauseSwitchOf(line);
  });

  const audited = async () => (await line.store.audit.list(0, 100)).map(({ action }) => action);

  it('a pause holds all rollouts, however many run', { timeout: 120_000 }, async () => {
    const rollouts = Array.from({ length: 501 }, (_, at) => requestId(`r_${at}`));
    await line.store.transaction(async (tables) => {
      for (const id of rollouts) {
        const { counts: _, ...request } = aRequest({
          id,
          state: 'approved',
          requestKey: id,
          fingerprint: id,
        });
        const rollout = startRollout(planRollout(1), START);
        await tables.requests.insert({ ...request, rollout }, [aTarget({ requestId: id, state: 'ready' })]);
      }
    });
    await pause.begin(CAROL, null);
    const held = await Promise.all(rollouts.map((id) => line.store.requests.get(id)));
    expect(held.filter((request) => request?.rollout?.hold?.kind === 'paused')).toHaveLength(501);
  });

  describe('while changes are paused', () => {
    it('a request is refused, and leaves nothing behind', async () => {
      await pause.begin(CAROL, 'storm');
      for (const command of [reboot, scan]) {
        const expected = { kind: 'paused', pause: { by: CAROL, reason: 'storm' } };
        expect(await line.requests.record(await line.order(command))).toMatchObject(expected);
      }
      await line.settle();
      expect(await line.store.requests.list({}, 10)).toEqual([]);
      expect(line.world.posts).toEqual([]);
      expect(await audited()).toEqual(['changes.paused']);
    });

    it('a repeated delivery of what was asked before is answered as it was', async () => {
      const order = await line.order(reboot);
      const first = await line.requests.record(order);
      await pause.begin(CAROL, null);
      expect(await line.requests.record(order)).toMatchObject({ kind: 'recorded', already: true });
      expect(first).toMatchObject({ kind: 'recorded', already: false });
    });

    it('nothing can be approved; denying and withdrawing still work', async () => {
      const request = await line.ask(reboot);
      await pause.begin(CAROL, null);
      expect(await line.approve(request)).toMatchObject({ kind: 'paused', pause: { by: CAROL } });
      expect(await line.requestNow(request)).toEqual(request);
      expect(await line.decide(request, 'deny')).toMatchObject({ kind: 'decided' });
    });

    it('somebody who may not approve gets that answer first', async () => {
      const request = await line.ask(reboot);
      await pause.begin(CAROL, null);
      const refusal = { kind: 'own-request' };
      expect(await line.approve(request, ALICE)).toEqual({ kind: 'refused', refusal });
    });

    it('what was sent before is followed to its proof', async () => {
      const id = await line.start(scan);
      await line.settle();
      expect(line.world.posts).toEqual([scan]);
      await pause.begin(CAROL, null);
      expect(await line.store.work.nextDue()).not.toBeNull();
      await line.pass(MINUTE);
      expect(line.world.posts).toEqual([scan]);
      expect(await line.targetOf(id)).toMatchObject({ state: 'queued', evidence: [{ kind: 'queued' }] });
    });
  });

  describe('what was approved when a pause started', () => {
    it('goes back to the approver, and does not run when the pause is over', async () => {
      at = 'request.decided';
      const request = await line.ask(reboot);
      const since = line.clock.now();
      expect(await line.approve(request)).toMatchObject({ kind: 'decided' });
      await line.settle();
      const back = await line.requestNow(request);
      expect(back).toMatchObject({ state: 'waiting', decidedBy: null, startedAt: null, seal: request.seal });
      expect(back.note).toEqual({ kind: 'paused', since, endedAt: null, reason: 'storm' });
      at = null;
      await pause.end(CAROL);
      await line.pass(MINUTE);
      expect(line.world.posts).toEqual([]);
      expect(await line.approve(back)).toMatchObject({ kind: 'decided' });
      await line.settle();
      expect(line.world.posts).toEqual([reboot]);
    });

    it('ends unsent where it was claimed just before', async () => {
      at = 'target.claimed';
      const request = await line.approved(reboot);
      expect(line.world.posts).toEqual([]);
      const target = await line.targetFor(request);
      expect(target.endedAt).not.toBeNull();
      expect(target.evidence).toMatchObject([{ kind: 'paused', endedAt: null, reason: 'storm' }]);
      expect(await pause.current()).not.toBeNull();
    });

    it('goes back too where the pause was over before anybody looked', async () => {
      const request = await line.ask(reboot);
      await line.approve(request);
      await line.clock.advance(SECOND);
      await pause.begin(CAROL, null);
      await line.clock.advance(SECOND);
      await pause.end(CAROL);
      await line.settle();
      const back = await line.requestNow(request);
      expect(back.state).toBe('waiting');
      expect(back.note).toEqual({
        kind: 'paused',
        since: later(START, SECOND),
        endedAt: later(START, 2 * SECOND),
        reason: null,
      });
      await line.approve(back);
      await line.settle();
      expect(line.world.posts).toEqual([reboot]);
    });
  });

  describe('who is notified that an approved request went back', () => {
    /** How often this person was sent a message about it. */
    const returned = async (id: string, person: string) => {
      const approvals = (await line.store.audit.list(0, 100)).filter(
        ({ action }) => action === 'approval.approved',
      );
      const keys = approvals.map(({ at }) => cardKey('returned', `${id}.${at}`, channelId(person)));
      const cards = await Promise.all(keys.map((key) => line.store.cards.get(key)));
      return cards.filter((card) => card !== null).length;
    };

    it('are the requester and the approver, once each time', async () => {
      const request = await line.ask(reboot);
      await line.approve(request);
      await pause.begin(CAROL, 'storm');
      await line.settle();
      const back = await line.requestNow(request);
      for (const person of [ALICE, BOB]) expect(await returned(back.id, person)).toBe(1);
      await pause.end(CAROL);
      line.fleet.change({ connected: false });
      await line.approve(back);
      await line.settle();
      const again = await line.requestNow(request);
      expect(again.version).toBeGreaterThan(back.version);
      for (const person of [ALICE, BOB]) expect(await returned(again.id, person)).toBe(2);
      expect(await returned(again.id, CAROL)).toBe(0);
    });

    it('read on their messages that it is decided, once it is', async () => {
      const request = await line.ask(reboot);
      await line.approve(request);
      await pause.begin(CAROL, 'storm');
      await line.settle();
      const back = await line.requestNow(request);
      const shown = () =>
        Promise.all(
          [ALICE, BOB].map(async (person) => {
            const key = cardKey('returned', `${back.id}.${back.approvedAt}`, channelId(person));
            return (await line.store.cards.get(key))?.wantedRevision ?? 0;
          }),
        );
      const before = await shown();
      await line.decide(back, 'deny');
      expect(await shown()).toEqual(before.map((revision) => revision + 1));
    });

    it('is the approver, too, where nothing is left to request', async () => {
      const request = await line.ask(reboot);
      Object.assign(line.world, { device: null });
      await line.approve(request);
      await line.settle();
      const ended = await line.requestNow(request);
      expect(ended).toMatchObject({ state: 'ended', decidedBy: BOB });
      expect(await returned(ended.id, BOB)).toBe(1);
      expect(await line.store.cards.get(cardKey('told', cardKey('approval', ended.id)))).not.toBeNull();
    });

    it('is nobody where it was sent', async () => {
      const request = await line.approved(reboot);
      for (const person of [ALICE, BOB]) expect(await returned(request.id, person)).toBe(0);
    });
  });

  describe('a command that needs no approval', () => {
    it.each([
      ['begins', async () => {}, null],
      ['begins and ends', () => pause.end(CAROL), later(START, SECOND)],
    ])('ends unsent where a pause %s before it is claimed', async (_what, then, endedAt) => {
      const id = await line.start(scan);
      await pause.begin(CAROL, null);
      await line.clock.advance(SECOND);
      await then();
      await line.settle();
      expect(await line.targetsOf(id)).toMatchObject([
        { state: 'not_sent', evidence: [{ kind: 'paused', since: START, endedAt, reason: null }] },
      ]);
      await pause.end(CAROL);
      await line.pass(MINUTE);
      expect(line.world.posts).toEqual([]);
    });
  });

  describe('the switch', () => {
    it('takes reasons while it lasts: they are on its card, and in the audit with their authors', async () => {
      await pause.begin(CAROL, null);
      const { pause: first } = await pause.begin(BOB, 'storm');
      expect(first).toMatchObject({ by: CAROL, reason: 'storm' });
      const key = cardKey('pause', first.id);
      expect(await line.store.cards.get(key)).toMatchObject({ wantedRevision: 2 });
      const expected = { kind: 'reason-added', pause: { reason: 'storm; fire' } };
      expect(await pause.begin(ALICE, 'fire')).toMatchObject(expected);
      expect(await pause.begin(BOB, 'storm')).toMatchObject({ kind: 'already' });
      expect(await line.store.pause.get(first.id)).toMatchObject({ by: CAROL, reason: 'storm; fire' });
      const lines = await line.store.audit.list(0, 10);
      expect(lines.map(({ action, actor, detail }) => [action, actor, detail['reason']])).toEqual([
        ['changes.paused', CAROL, null],
        ['changes.pause-reason-added', BOB, 'storm'],
        ['changes.pause-reason-added', ALICE, 'fire'],
      ]);
    });

    it('keeps the newest reason where all of them are too long', async () => {
      await pause.begin(CAROL, 'a'.repeat(500));
      const last = 'b'.repeat(500);
      expect(await pause.begin(BOB, last)).toMatchObject({ pause: { reason: last } });
    });

    it('ends only the pause that is named, or that began by a time', async () => {
      const first = await pause.begin(CAROL, null);
      const begunBy = line.clock.now();
      await line.clock.advance(MINUTE);
      await pause.end(CAROL);
      const second = await pause.begin(CAROL, null);
      expect(await pause.end(BOB, { id: first.pause.id })).toBeNull();
      expect(await pause.end(BOB, { begunBy })).toBeNull();
      expect(await pause.current()).toMatchObject({ id: second.pause.id });
      expect(await pause.end(BOB, { begunBy: line.clock.now() })).toMatchObject({ id: second.pause.id });
    });

    it('switches once, is announced once, and is in the audit', async () => {
      const first = await pause.begin(CAROL, 'storm');
      expect(await pause.begin(BOB, null)).toEqual({ kind: 'already', pause: first.pause });
      const card = await line.store.cards.get(`pause:${first.pause.id}`);
      expect(card).toMatchObject({ channel: APPROVALS, wantedRevision: 1 });
      expect(await pause.end(BOB)).toMatchObject({ endedBy: BOB });
      expect(await pause.end(BOB)).toBeNull();
      expect(await line.store.cards.get(`pause:${first.pause.id}`)).toMatchObject({ wantedRevision: 2 });
      expect(await audited()).toEqual(['changes.paused', 'changes.resumed']);
    });
  });
});
