import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { FleetAction } from '../../src/fleet/model/actions.ts';
import { DAY, MINUTE } from '../../src/lib/clock.ts';
import { approvalId, personId, policyId } from '../../src/lib/ids.ts';
import {
  type ActingSetup,
  ALICE,
  APPROVALS,
  BOB,
  createActingSetup,
  OPS,
} from '../operations/acting-setup.ts';

let line: ActingSetup;
const failpoints: string[] = [];
beforeEach(async () => {
  failpoints.length = 0;
  line = await createActingSetup({ onFailpoint: (name) => void failpoints.push(name) });
});
afterEach(() => line.close());

const reboot = { kind: 'reboot' } as const;

describe('requesting', () => {
  it('stores the request with its card in #approvals, its expiry and its audit line', async () => {
    const approval = await line.ask(reboot);
    expect(await line.approvalNow(approval)).toEqual(approval);
    expect(await line.store.cards.get(`approval:${approval.id}`)).toMatchObject({
      channel: APPROVALS,
      wantedRevision: 1,
    });
    expect(await line.actions()).toEqual(['approval.requested']);
    expect(failpoints).toEqual(['approval.recorded']);
  });

  it('names the policy of a command in the audit, whether somebody decides or not', async () => {
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

  it('records the reason in the audit, cut where it is long', async () => {
    const because = async (reason: string, command: FleetAction) => {
      const order = await line.order(command);
      return { ...order, proposal: { ...order.proposal, reason } };
    };
    await line.desk.request(await because('kernel update', reboot));
    await line.desk.request(await because('x'.repeat(5_000), { kind: 'scan' }));
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
    const [first, second] = [await line.desk.request(order), await line.desk.request(order)];
    expect(first).toMatchObject({ kind: 'asked', already: false });
    expect(second).toMatchObject({ ...first, already: true });
    expect(await line.actions()).toEqual(['approval.requested']);
  });

  it('shows the open request to the next person who requests the same', async () => {
    const approval = await line.ask(reboot);
    const second = await line.desk.request({ ...(await line.order(reboot)), requester: BOB });
    expect(second).toEqual({ kind: 'asked', approval, already: true });
  });

  it('updates the card of the open request, which somebody may have deleted', async () => {
    const { id } = await line.ask(reboot);
    await line.settle();
    await line.ask(reboot);
    expect(await line.store.cards.get(`approval:${id}`)).toMatchObject({ wantedRevision: 2 });
    expect(await line.store.work.nextDue()).toBe(line.clock.now());
  });

  it('accepts the same request again once the first is decided', async () => {
    const approval = await line.ask(reboot);
    await line.desk.decide({
      approvalId: approval.id,
      person: ALICE,
      role: 'operator',
      decision: 'withdraw',
      seal: approval.seal,
    });
    expect((await line.ask(reboot)).id).not.toBe(approval.id);
  });

  it('accepts the same request again when the first is overdue and the sweep has not run', async () => {
    const first = await line.ask(reboot);
    await line.clock.advance(30 * MINUTE);
    const second = await line.ask(reboot);
    expect(second.id).not.toBe(first.id);
    expect(await line.approvalNow(first)).toMatchObject({ state: 'expired' });
    expect(await line.actions()).toEqual(['approval.requested', 'approval.expired', 'approval.requested']);
  });

  it('refuses a proposal without devices', async () => {
    const order = await line.order(reboot);
    const empty = { ...order, proposal: { ...order.proposal, targets: [] } };
    await expect(line.desk.request(empty)).rejects.toThrow('about nothing');
  });
});

describe('starting at once', () => {
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
    const [first, second] = [await line.desk.request(order), await line.desk.request(order)];
    expect(second).toEqual({ ...first, already: true });
    await line.settle();
    expect(line.fleet.world.posts).toHaveLength(1);
  });
});

describe('deciding', () => {
  it('of fifty presses at once one approves, the others see who did, and one command is sent', async () => {
    const approval = await line.ask(reboot);
    const people = Array.from({ length: 50 }, (_, index) => personId(`U_${index}`));
    const outcomes = await Promise.all(people.map((person) => line.approve(approval, person)));
    const won = outcomes.findIndex(({ kind }) => kind === 'approved');
    expect(outcomes.filter(({ kind }) => kind === 'approved')).toHaveLength(1);
    const others = outcomes.filter((_, index) => index !== won);
    const told = { kind: 'already', state: 'approved', by: people[won], at: line.clock.now() };
    expect(others).toMatchObject(others.map(() => told));
    await line.pass(MINUTE);
    expect(line.fleet.world.posts).toEqual([reboot]);
    expect((await line.actions()).filter((action) => action === 'operation.issuing')).toHaveLength(1);
  });

  it('a press that is handled twice is answered as the one that counted', async () => {
    const approval = await line.ask(reboot);
    await line.approve(approval, BOB);
    const at = line.clock.now();
    await line.pass(3 * DAY);
    expect(await line.approve(approval, BOB)).toMatchObject({ kind: 'repeated', decision: 'approved', at });
    expect(await line.approve(approval, personId('U_CAROL'))).toMatchObject({ kind: 'already', by: BOB });
  });

  it('of approve, deny and withdraw at once exactly one wins', async () => {
    const approval = await line.ask(reboot);
    const order = { approvalId: approval.id, role: 'approver', seal: approval.seal } as const;
    const outcomes = await Promise.all([
      line.desk.decide({ ...order, person: BOB, decision: 'deny' }),
      line.desk.decide({ ...order, person: personId('U_CAROL'), decision: 'approve' }),
      line.desk.decide({ ...order, person: ALICE, decision: 'withdraw' }),
    ]);
    expect(outcomes.filter(({ kind }) => kind === 'already')).toHaveLength(2);
    const { state } = await line.approvalNow(approval);
    expect(outcomes.find(({ kind }) => kind !== 'already')).toMatchObject({ kind: state });
  });

  it('records who tried what they may not do, and changes nothing', async () => {
    const approval = await line.ask(reboot);
    const own = await line.approve(approval, ALICE);
    const viewer = await line.desk.decide({
      approvalId: approval.id,
      person: BOB,
      role: 'viewer',
      decision: 'deny',
      seal: approval.seal,
    });
    expect([own.kind, viewer.kind]).toEqual(['own-request', 'not-allowed']);
    expect(await line.approvalNow(approval)).toEqual(approval);
    expect(await line.actions()).toEqual(['approval.requested', 'approval.refused', 'approval.refused']);
  });

  it('says absent for an unknown id', async () => {
    const outcome = await line.desk.decide({
      approvalId: approvalId('a_nothing'),
      person: BOB,
      role: 'approver',
      decision: 'approve',
      seal: '',
    });
    expect(outcome).toEqual({ kind: 'absent' });
  });

  it('updates the card and reaches the failpoint after the commit', async () => {
    const approval = await line.ask(reboot);
    const outcome = await line.approve(approval);
    expect(outcome).toEqual({ kind: 'approved', approval: await line.approvalNow(approval) });
    expect(await line.store.cards.get(`approval:${approval.id}`)).toMatchObject({ wantedRevision: 2 });
    expect(failpoints).toEqual(['approval.recorded', 'approval.decided']);
  });

  it('sends nothing for a request that was denied', async () => {
    const approval = await line.ask(reboot);
    await line.desk.decide({
      approvalId: approval.id,
      person: BOB,
      role: 'approver',
      decision: 'deny',
      seal: approval.seal,
    });
    await line.pass(60 * MINUTE);
    expect(await line.approvalNow(approval)).toMatchObject({ state: 'denied', decidedBy: BOB });
    expect(line.fleet.world.posts).toEqual([]);
  });
});

describe('the end of a request nobody decides', () => {
  it('comes after thirty minutes, and then nobody can approve it', async () => {
    const approval = await line.ask(reboot);
    await line.pass(30 * MINUTE - 1);
    expect(await line.approvalNow(approval)).toMatchObject({ state: 'waiting' });
    await line.pass(1);
    expect(await line.approvalNow(approval)).toMatchObject({ state: 'expired', decidedBy: null });
    expect(await line.approve(approval)).toMatchObject({ kind: 'already', state: 'expired' });
    expect(line.fleet.world.posts).toEqual([]);
  });

  it('is postponed when the sweep runs early', async () => {
    const approval = await line.ask(reboot);
    expect(await line.desk.expire(approval.id)).toEqual({ kind: 'again', dueAt: approval.expiresAt });
  });

  it('happens at once, with the reason, when Slack refuses its card', async () => {
    const approval = await line.ask(reboot);
    await line.desk.withdrawUnposted(approval.id, 'Slack refused the card: is_archived');
    expect(await line.approvalNow(approval)).toMatchObject({
      state: 'withdrawn',
      decidedBy: null,
      note: 'Slack refused the card: is_archived',
    });
  });

  it('does not happen to an approved request whose card is refused later', async () => {
    const approval = await line.ask(reboot);
    await line.approve(approval);
    await line.desk.withdrawUnposted(approval.id, 'too late');
    expect(await line.approvalNow(approval)).toMatchObject({ state: 'approved', note: null });
  });
});

describe('a reason given later', () => {
  it('is added by the requester while it waits, under the same seal', async () => {
    const approval = await line.ask(reboot);
    const order = { approvalId: approval.id, person: ALICE, reason: 'kernel update' };
    expect(await line.desk.addReason(order)).toMatchObject({
      kind: 'added',
      approval: { reason: 'kernel update', seal: approval.seal },
    });
    const { detail } = (await line.store.audit.list(0, 10)).at(-1) ?? { detail: {} };
    expect(detail).toMatchObject({ reason: 'kernel update' });
    expect(await line.approve(approval)).toMatchObject({ kind: 'approved' });
    expect(await line.desk.addReason(order)).toMatchObject({ kind: 'refused', outcome: { kind: 'already' } });
  });

  it('is refused where there is one: an approver may have read it', async () => {
    const { id } = await line.ask(reboot);
    const add = (reason: string) => line.desk.addReason({ approvalId: id, person: ALICE, reason });
    await add('agreed with Ann');
    expect(await add('just because')).toEqual({
      kind: 'refused',
      outcome: { kind: 'reason-given', reason: 'agreed with Ann' },
    });
    expect(await line.approvalNow({ id })).toMatchObject({ reason: 'agreed with Ann' });
  });

  it('is refused from anybody else', async () => {
    const { id } = await line.ask(reboot);
    const added = await line.desk.addReason({ approvalId: id, person: BOB, reason: 'because' });
    expect(added).toEqual({ kind: 'refused', outcome: { kind: 'not-requester' } });
  });
});
