import { beforeEach, describe, expect, it } from 'vitest';
import type { FleetAction } from '../../../src/fleet/model/actions.ts';
import { DAY, MINUTE } from '../../../src/lib/clock.ts';
import { personId, policyId, requestId } from '../../../src/lib/ids.ts';
import { denyThroughWindow } from '../../harness/through-window.ts';
import { ALICE, APPROVALS, BOB, createRequestsSetup, OPS, type RequestsSetup } from '../requests-setup.ts';

let line: RequestsSetup;
const failpoints: string[] = [];
beforeEach(async () => {
  failpoints.length = 0;
  line = await createRequestsSetup({ onFailpoint: (name) => void failpoints.push(name) });
});

const reboot = { kind: 'reboot' } as const;

describe('requesting', () => {
  it('stores the request with its card in #approvals, its expiry and its audit line', async () => {
    const request = await line.ask(reboot);
    expect(await line.requestNow(request)).toEqual(request);
    expect(await line.store.cards.get(`approval:${request.id}`)).toMatchObject({
      channel: APPROVALS,
      wantedRevision: 1,
    });
    expect(await line.actions()).toEqual(['approval.requested']);
    expect(failpoints).toEqual(['request.recorded']);
  });

  it('names the rules of a command in the audit, whether somebody decides or not', async () => {
    const policy = policyId(12);
    await line.ask({ kind: 'policy-remediate', policyId: policy });
    await line.start({ kind: 'policy-test', policyId: policy });
    await line.ask(reboot);
    const details = (await line.store.audit.list(0, 10)).map(({ detail }) => detail);
    expect(details).toMatchObject([
      { command: 'policy-remediate', policy: 12, devices: '42' },
      { command: 'policy-test', policy: 12, devices: '42' },
      { command: 'reboot', devices: '42' },
    ]);
    expect(details[2]).not.toHaveProperty('policy');
  });

  it('lists at most a hundred devices in the audit, and counts the others', async () => {
    await line.ask(reboot, line.fleet.addDevices(129));
    const [entry] = await line.store.audit.list(0, 10);
    expect(entry?.detail['devices']).toMatch(/^42 1001 .* 1099 and 30 more$/);
  });

  it('records the reason in the audit, cut where it is long', async () => {
    const because = async (reason: string, command: FleetAction) => {
      const order = await line.order(command);
      return { ...order, proposal: { ...order.proposal, reason } };
    };
    await line.requests.record(await because('kernel update', reboot));
    await line.requests.record(await because('x'.repeat(5_000), { kind: 'scan' }));
    const [asked, started] = (await line.store.audit.list(0, 10)).map(({ detail }) => detail['reason']);
    expect(asked).toBe('kernel update');
    expect(started).toBe(`${'x'.repeat(299)}…`);
  });

  it('sends nothing and reads nothing on its own', async () => {
    await line.ask(reboot);
    const reads = line.fleet.world.reads.length;
    await line.pass(10 * MINUTE);
    expect(line.fleet.world).toMatchObject({ posts: [] });
    expect(line.fleet.world.reads).toHaveLength(reads);
  });

  it('requests once for a delivery that Slack repeats', async () => {
    const order = await line.order(reboot);
    const [first, second] = [await line.requests.record(order), await line.requests.record(order)];
    expect(first).toMatchObject({ kind: 'recorded', already: false });
    expect(second).toMatchObject({ ...first, already: true });
    expect(await line.actions()).toEqual(['approval.requested']);
  });

  it('shows the open request to the next person who requests the same', async () => {
    const request = await line.ask(reboot);
    const second = await line.requests.record({ ...(await line.order(reboot)), requester: BOB });
    expect(second).toEqual({ kind: 'recorded', request, already: true });
  });

  it('updates the card of the open request, which somebody may have deleted', async () => {
    const { id } = await line.ask(reboot);
    await line.settle();
    await line.ask(reboot);
    expect(await line.store.cards.get(`approval:${id}`)).toMatchObject({ wantedRevision: 2 });
    expect(await line.store.work.nextDue()).toBe(line.clock.now());
  });

  it('accepts the same request again once the first is decided', async () => {
    const request = await line.ask(reboot);
    await line.decide(request, 'withdraw', ALICE);
    expect((await line.ask(reboot)).id).not.toBe(request.id);
  });

  it('accepts the same request again when the first is overdue and the sweep has not run', async () => {
    const first = await line.ask(reboot);
    await line.clock.advance(30 * MINUTE);
    const second = await line.ask(reboot);
    expect(second.id).not.toBe(first.id);
    expect(await line.requestNow(first)).toMatchObject({ state: 'expired' });
    expect(await line.actions()).toEqual(['approval.requested', 'approval.expired', 'approval.requested']);
  });

  it('refuses a proposal without devices', async () => {
    const order = await line.order(reboot);
    const empty = { ...order, proposal: { ...order.proposal, targets: [] } };
    await expect(line.requests.record(empty)).rejects.toThrow('about nothing');
  });

  it('refuses several devices that no plan goes over', async () => {
    const order = await line.order(reboot, line.fleet.addDevices(1));
    const { plan: _, ...proposal } = order.proposal;
    await expect(line.requests.record({ ...order, proposal })).rejects.toThrow('without a plan');
    expect(await line.actions()).toEqual([]);
  });
});

describe('requests that need no approval', () => {
  it('stores a scan with its card where it was asked, or in a direct message', async () => {
    const id = await line.start({ kind: 'scan' });
    expect(await line.targetOf(id)).toMatchObject({ state: 'ready' });
    expect(await line.store.cards.get(`operation:${id}`)).toMatchObject({
      channel: OPS,
      fallbackPerson: ALICE,
    });
    expect(line.fleet.world.posts).toEqual([]);
  });

  it('starts once for a delivery that Slack repeats', async () => {
    const order = await line.order({ kind: 'scan' });
    const [first, second] = [await line.requests.record(order), await line.requests.record(order)];
    expect(second).toEqual({ ...first, already: true });
    await line.settle();
    expect(line.fleet.world.posts).toHaveLength(1);
  });
});

describe('deciding', () => {
  it('of fifty presses at once one approves, the others see who did, and one command is sent', async () => {
    const request = await line.ask(reboot);
    const people = Array.from({ length: 50 }, (_, index) => personId(`U_${index}`));
    const outcomes = await Promise.all(people.map((person) => line.approve(request, person)));
    const won = outcomes.findIndex(({ kind }) => kind === 'decided');
    expect(outcomes.filter(({ kind }) => kind === 'decided')).toHaveLength(1);
    const others = outcomes.filter((_, index) => index !== won);
    const told = { kind: 'already', state: 'approved', by: people[won], at: line.clock.now() };
    expect(others).toEqual(others.map(() => ({ kind: 'refused', refusal: told })));
    await line.pass(MINUTE);
    expect(line.fleet.world.posts).toEqual([reboot]);
    expect((await line.actions()).filter((action) => action === 'operation.issuing')).toHaveLength(1);
  });

  it('a press that is handled twice is answered as the one that counted', async () => {
    const request = await line.ask(reboot);
    await line.decide(request, 'withdraw', ALICE);
    const at = line.clock.now();
    await line.pass(3 * DAY);
    expect(await line.decide(request, 'withdraw', ALICE)).toMatchObject({
      kind: 'repeated',
      request: { decidedBy: ALICE, decidedAt: at },
    });
    expect(await line.decide(request, 'deny', BOB)).toMatchObject({
      kind: 'refused',
      refusal: { kind: 'already', state: 'withdrawn', by: ALICE },
    });
  });

  it('of approve, deny and withdraw at once exactly one wins', async () => {
    const request = await line.ask(reboot);
    const outcomes = await Promise.all([
      line.decide(request, 'deny', BOB),
      line.decide(request, 'approve', personId('U_CAROL')),
      line.decide(request, 'withdraw', ALICE),
    ]);
    expect(outcomes.filter(({ kind }) => kind === 'refused')).toHaveLength(2);
    const { state } = await line.requestNow(request);
    expect(outcomes.find(({ kind }) => kind !== 'refused')).toMatchObject({
      kind: 'decided',
      request: { state },
    });
  });

  it('records who tried what they may not do, and changes nothing', async () => {
    const request = await line.ask(reboot);
    const own = await line.approve(request, ALICE);
    const press = { requestId: request.id, person: BOB, role: 'viewer', seal: request.seal ?? '' } as const;
    const viewer = await denyThroughWindow(line, press);
    expect([own, viewer]).toMatchObject([
      { kind: 'refused', refusal: { kind: 'own-request' } },
      { kind: 'refused', refusal: { kind: 'not-allowed' } },
    ]);
    expect(await line.requestNow(request)).toEqual(request);
    expect(await line.actions()).toEqual(['approval.requested', 'approval.refused', 'approval.refused']);
  });

  it('says absent for an unknown id', async () => {
    const outcome = await line.requests.withdraw({ requestId: requestId('r_nothing'), person: BOB });
    expect(outcome).toEqual({ kind: 'absent' });
  });

  it('updates the card and reaches the failpoint after the commit', async () => {
    const request = await line.ask(reboot);
    const outcome = await line.approve(request);
    expect(outcome).toEqual({ kind: 'decided', request: await line.requestNow(request) });
    expect(await line.store.cards.get(`approval:${request.id}`)).toMatchObject({ wantedRevision: 2 });
    expect(failpoints).toEqual(['request.recorded', 'request.decided']);
  });

  it('sends nothing for a request that was denied', async () => {
    const request = await line.ask(reboot);
    await line.decide(request, 'deny');
    await line.pass(60 * MINUTE);
    expect(await line.requestNow(request)).toMatchObject({ state: 'denied', decidedBy: BOB });
    expect(line.fleet.world.posts).toEqual([]);
  });
});

describe('the end of a request nobody decides', () => {
  it('comes after thirty minutes, and then nobody can approve it', async () => {
    const request = await line.ask(reboot);
    await line.pass(30 * MINUTE - 1);
    expect(await line.requestNow(request)).toMatchObject({ state: 'waiting' });
    await line.pass(1);
    expect(await line.requestNow(request)).toMatchObject({ state: 'expired', decidedBy: null });
    expect(await line.approve(request)).toMatchObject({ refusal: { kind: 'already', state: 'expired' } });
    expect(line.fleet.world.posts).toEqual([]);
  });

  it('is postponed when the sweep runs early', async () => {
    const request = await line.ask(reboot);
    expect(await line.requests.expire(request.id)).toEqual({ kind: 'again', dueAt: request.expiresAt });
  });

  it('happens at once, with the reason, when Slack refuses its card', async () => {
    const request = await line.ask(reboot);
    await line.requests.withdrawUnposted(request.id, { kind: 'unposted', why: 'is_archived' });
    expect(await line.requestNow(request)).toMatchObject({
      state: 'withdrawn',
      decidedBy: null,
      note: { kind: 'unposted', why: 'is_archived' },
    });
  });

  it('does not happen to an approved request whose card is refused later', async () => {
    const request = await line.ask(reboot);
    await line.approve(request);
    await line.requests.withdrawUnposted(request.id, { kind: 'unposted', why: 'too late' });
    expect(await line.requestNow(request)).toMatchObject({ state: 'approved', note: null });
  });
});

describe('a reason given later', () => {
  it('is added by the requester while it waits, under the same seal', async () => {
    const request = await line.ask(reboot);
    const order = { requestId: request.id, person: ALICE, reason: 'kernel update' };
    expect(await line.requests.addReason(order)).toMatchObject({
      kind: 'added',
      request: { reason: 'kernel update', seal: request.seal },
    });
    const { detail } = (await line.store.audit.list(0, 10)).at(-1) ?? { detail: {} };
    expect(detail).toMatchObject({ reason: 'kernel update' });
    expect(await line.approve(request)).toMatchObject({ kind: 'decided' });
    expect(await line.requests.addReason(order)).toMatchObject({
      kind: 'refused',
      refusal: { kind: 'already' },
    });
  });

  it('is refused where there is one: an approver may have read it', async () => {
    const { id } = await line.ask(reboot);
    const add = (reason: string) => line.requests.addReason({ requestId: id, person: ALICE, reason });
    await add('agreed with Ann');
    expect(await add('just because')).toEqual({
      kind: 'refused',
      refusal: { kind: 'reason-given', reason: 'agreed with Ann' },
    });
    expect(await line.requestNow({ id })).toMatchObject({ reason: 'agreed with Ann' });
  });

  it('is refused from anybody else', async () => {
    const { id } = await line.ask(reboot);
    const added = await line.requests.addReason({ requestId: id, person: BOB, reason: 'because' });
    expect(added).toEqual({ kind: 'refused', refusal: { kind: 'not-requester' } });
  });
});
