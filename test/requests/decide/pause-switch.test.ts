import { beforeEach, describe, expect, it } from 'vitest';
import { later, MINUTE, SECOND } from '../../../src/lib/clock.ts';
import type { FailpointName } from '../../../src/lib/failpoints.ts';
import { cardKey, channelId, personId, requestId } from '../../../src/lib/ids.ts';
import { createPauseSwitch, type PauseControl } from '../../../src/requests/decide/pause-switch.ts';
import { planRollout } from '../../../src/rollout/plan.ts';
import { startRollout } from '../../../src/rollout/progress.ts';
import { aRequest, aTarget } from '../builders.ts';
import { ALICE, APPROVALS, BOB, createRequestsSetup, type RequestsSetup, START } from '../requests-setup.ts';

const CAROL = personId('U_CAROL');
const reboot = { kind: 'reboot' } as const;
const scan = { kind: 'scan' } as const;

let line: RequestsSetup;
let pause: PauseControl;
let at: FailpointName | null;
beforeEach(async () => {
  at = null;
  line = await createRequestsSetup({
    onFailpoint: async (name) => {
      if (name === at) await pause.begin(CAROL, 'storm');
    },
  });
  const { store, clock } = line;
  pause = createPauseSwitch({ store, clock, approvalsChannel: APPROVALS, wakeWorker: () => {} });
});

const audited = async () => (await line.store.audit.list(0, 100)).map(({ action }) => action);

it('a pause holds all rollouts, however many run', { timeout: 120_000 }, async () => {
  const rollouts = Array.from({ length: 501 }, (_, at) => requestId(`r_${at}`));
  await line.store.transaction(async (tables) => {
    for (const id of rollouts) {
      const { counts: _, ...request } = aRequest({ id, state: 'approved', requestKey: id, fingerprint: id });
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
      expect(await line.requests.record(await line.order(command))).toMatchObject({
        kind: 'paused',
        pause: { by: CAROL, reason: 'storm' },
      });
    }
    await line.settle();
    expect(await line.store.requests.list({}, 10)).toEqual([]);
    expect(line.fleet.world.posts).toEqual([]);
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
    expect(await line.approve(request, ALICE)).toEqual({ kind: 'refused', refusal: { kind: 'own-request' } });
  });

  it('what was sent before is followed to its proof', async () => {
    const id = await line.start(scan);
    await line.settle();
    expect(line.fleet.world.posts).toEqual([scan]);
    await pause.begin(CAROL, null);
    expect(await line.store.work.nextDue()).not.toBeNull();
    await line.pass(MINUTE);
    expect(line.fleet.world.posts).toEqual([scan]);
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
    expect(line.fleet.world.posts).toEqual([]);
    expect(await line.approve(back)).toMatchObject({ kind: 'decided' });
    await line.settle();
    expect(line.fleet.world.posts).toEqual([reboot]);
  });

  it('ends unsent where it was claimed just before', async () => {
    at = 'target.claimed';
    const request = await line.approved(reboot);
    expect(line.fleet.world.posts).toEqual([]);
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
    expect(line.fleet.world.posts).toEqual([reboot]);
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
    Object.assign(line.fleet.world, { device: null });
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
    expect(line.fleet.world.posts).toEqual([]);
  });
});

describe('the switch', () => {
  it('takes reasons while it lasts: they are on its card, and in the audit with their authors', async () => {
    await pause.begin(CAROL, null);
    const { pause: first } = await pause.begin(BOB, 'storm');
    expect(first).toMatchObject({ by: CAROL, reason: 'storm' });
    const key = cardKey('pause', first.id);
    expect(await line.store.cards.get(key)).toMatchObject({ wantedRevision: 2 });
    expect(await pause.begin(ALICE, 'fire')).toMatchObject({
      kind: 'reason-added',
      pause: { reason: 'storm; fire' },
    });
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
