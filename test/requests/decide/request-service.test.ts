import { beforeEach, describe, expect, it } from 'vitest';
import type { FleetAction } from '../../../src/fleet/model/actions.ts';
import { DAY, later, MINUTE } from '../../../src/lib/clock.ts';
import { newPauseId, newWindowId, personId, policyId, requestId } from '../../../src/lib/ids.ts';
import type { SubmitWindowInput, WantedDecision } from '../../../src/requests/decide/decision-windows.ts';
import { planRollout } from '../../../src/rollout/plan.ts';
import type { DecisionWindow } from '../../../src/store/port/decision-windows.ts';
import type { RequestRecord } from '../../../src/store/port/request-records.ts';
import { denyThroughWindow, openedWindow, submission } from '../../harness/through-window.ts';
import {
  ALICE,
  APPROVALS,
  BOB,
  createRequestsSetup,
  OPS,
  type RequestsSetup,
  reboot,
} from '../requests-setup.ts';

describe('requests that are made', () => {
  let line: RequestsSetup;
  const failpoints: string[] = [];
  beforeEach(async () => {
    failpoints.length = 0;
    line = await createRequestsSetup({ onFailpoint: (name) => void failpoints.push(name) });
  });

  describe('requesting', () => {
    it('stores the request with its card in #approvals, its expiry and its audit line', async () => {
      const request = await line.ask(reboot);
      expect(await line.requestNow(request)).toEqual(request);
      const expected = { channel: APPROVALS, wantedRevision: 1 };
      expect(await line.store.cards.get(`approval:${request.id}`)).toMatchObject(expected);
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
      const reads = line.world.reads.length;
      await line.pass(10 * MINUTE);
      expect(line.world).toMatchObject({ posts: [] });
      expect(line.world.reads).toHaveLength(reads);
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
      const expected = { channel: OPS, fallbackPerson: ALICE };
      expect(await line.store.cards.get(`operation:${id}`)).toMatchObject(expected);
      expect(line.world.posts).toEqual([]);
    });

    it('starts once for a delivery that Slack repeats', async () => {
      const order = await line.order({ kind: 'scan' });
      const [first, second] = [await line.requests.record(order), await line.requests.record(order)];
      expect(second).toEqual({ ...first, already: true });
      await line.settle();
      expect(line.world.posts).toHaveLength(1);
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
      expect(line.world.posts).toEqual([reboot]);
      expect((await line.actions()).filter((action) => action === 'operation.issuing')).toHaveLength(1);
    });

    it('a press that is handled twice is answered as the one that counted', async () => {
      const request = await line.ask(reboot);
      await line.decide(request, 'withdraw', ALICE);
      const at = line.clock.now();
      await line.pass(3 * DAY);
      const expected = { kind: 'repeated', request: { decidedBy: ALICE, decidedAt: at } };
      expect(await line.decide(request, 'withdraw', ALICE)).toMatchObject(expected);
      const refusal = { kind: 'already', state: 'withdrawn', by: ALICE };
      expect(await line.decide(request, 'deny', BOB)).toMatchObject({ kind: 'refused', refusal });
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
      const expected = { kind: 'decided', request: { state } };
      expect(outcomes.find(({ kind }) => kind !== 'refused')).toMatchObject(expected);
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
      expect(line.world.posts).toEqual([]);
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
      expect(line.world.posts).toEqual([]);
    });

    it('is postponed when the sweep runs early', async () => {
      const request = await line.ask(reboot);
      expect(await line.requests.expire(request.id)).toEqual({ kind: 'again', dueAt: request.expiresAt });
    });

    it('happens at once, with the reason, when Slack refuses its card', async () => {
      const request = await line.ask(reboot);
      await line.requests.withdrawUnposted(request.id, { kind: 'unposted', why: 'is_archived' });
      const note = { kind: 'unposted', why: 'is_archived' };
      expect(await line.requestNow(request)).toMatchObject({ state: 'withdrawn', decidedBy: null, note });
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
      const expected = { kind: 'added', request: { reason: 'kernel update', seal: request.seal } };
      expect(await line.requests.addReason(order)).toMatchObject(expected);
      const { detail } = (await line.store.audit.list(0, 10)).at(-1) ?? { detail: {} };
      expect(detail).toMatchObject({ reason: 'kernel update' });
      expect(await line.approve(request)).toMatchObject({ kind: 'decided' });
      const refusal = { kind: 'already' };
      expect(await line.requests.addReason(order)).toMatchObject({ kind: 'refused', refusal });
    });

    it('is refused where there is one: an approver may have read it', async () => {
      const { id } = await line.ask(reboot);
      const add = (reason: string) => line.requests.addReason({ requestId: id, person: ALICE, reason });
      await add('agreed with Ann');
      const refusal = { kind: 'reason-given', reason: 'agreed with Ann' };
      expect(await add('just because')).toEqual({ kind: 'refused', refusal });
      expect(await line.requestNow({ id })).toMatchObject({ reason: 'agreed with Ann' });
    });

    it('is refused from anybody else', async () => {
      const { id } = await line.ask(reboot);
      const added = await line.requests.addReason({ requestId: id, person: BOB, reason: 'because' });
      expect(added).toEqual({ kind: 'refused', refusal: { kind: 'not-requester' } });
    });
  });
});

describe('windows of decisions', () => {
  const CAROL = personId('U_CAROL');

  let line: RequestsSetup;
  beforeEach(async () => {
    line = await createRequestsSetup();
  });

  async function opened(
    request: RequestRecord,
    wanted: WantedDecision = { kind: 'approve', seal: request.seal ?? '' },
  ): Promise<DecisionWindow> {
    const window = await openedWindow(line, { requestId: request.id, person: BOB, role: 'approver', wanted });
    if ('kind' in window) throw new Error(`no window: ${JSON.stringify(window)}`);
    return window;
  }
  const RESUME = { kind: 'resume' } as const;

  const submit = (window: DecisionWindow, given: Partial<SubmitWindowInput> = {}) =>
    line.requests.submitWindow({ ...submission(window, 'approver', line.clock.now()), ...given });

  const stateOf = async (request: RequestRecord) => (await line.requestNow(request)).state;
  const lastAudit = async () => (await line.store.audit.list(0, 100)).at(-1);

  describe('a window', () => {
    it('decides nothing by being opened, and approves by its submission', async () => {
      const request = await line.ask(reboot);
      const window = await opened(request);
      // The row of one that nobody knows may still be on its way at the first try.
      const unknown = { id: newWindowId(), isFirstTry: true };
      expect(await submit(window, unknown)).toEqual({ kind: 'window-refused', why: 'unknown-window' });
      expect((await line.actions()).at(-1)).toBe('approval.requested');
      expect(await stateOf(request)).toBe('waiting');
      expect(window).toMatchObject({ decides: { kind: 'approve', seal: request.seal }, devices: null });
      const expected = { result: { kind: 'decided' } };
      expect(await submit(window, { comment: 'After lunch.' })).toMatchObject(expected);
      expect(await stateOf(request)).toBe('approved');
      expect(await lastAudit()).toMatchObject({ action: 'approval.approved', actor: BOB });
      expect(await line.requestNow(request)).toMatchObject({ comment: 'After lunch.' });
    });

    it.each<[string, string, (window: DecisionWindow) => Partial<SubmitWindowInput>]>([
      ['another person', 'other-person', () => ({ person: CAROL })],
      ['another view', 'other-view', ({ view }) => ({ view: { ...view, id: 'V2' } })],
      ['an edited view', 'other-view', ({ view }) => ({ view: { ...view, hash: 'hash-2' } })],
      ['an unknown id', 'unknown-window', () => ({ id: newWindowId() })],
      ['its last minute', 'ended-window', ({ endsAt }) => ({ askedAt: endsAt })],
    ])(
      'is refused and recorded by the submission of %s, and stays for its own',
      async (_what, why, forged) => {
        const request = await line.ask(reboot);
        const window = await opened(request);
        const given = forged(window);
        expect(await submit(window, given)).toEqual({ kind: 'window-refused', why });
        expect(await stateOf(request)).toBe('waiting');
        const expected = { action: 'window.refused', actor: given.person ?? BOB, detail: { why } };
        expect(await lastAudit()).toMatchObject(expected);
        expect(await submit(window)).toMatchObject({ result: { kind: 'decided' } });
      },
    );

    it('counts once, whoever replays its submission, and is answered alike after a stop', async () => {
      const request = await line.ask(reboot);
      const window = await opened(request);
      await submit(window, { submission: 's1' });
      const before = await line.requestNow(request);
      expect(await submit(window, { submission: 's1' })).toMatchObject({ result: { kind: 'repeated' } });
      expect(await line.actions()).not.toContain('window.refused');
      expect(await submit(window)).toEqual({ kind: 'window-refused', why: 'used-window' });
      expect(await line.requestNow(request)).toEqual(before);
      expect(await lastAudit()).toMatchObject({ action: 'window.refused', detail: { why: 'used-window' } });
    });

    it('of two submissions at once, on two replicas, one decides', async () => {
      const request = await line.ask(reboot);
      const window = await opened(request);
      const other = line.replica();
      const press = submission(window, 'approver', line.clock.now());
      const outcomes = await Promise.all([
        line.requests.submitWindow({ ...press, submission: 's1' }),
        other.submitWindow({ ...press, submission: 's2' }),
      ]);
      expect(outcomes.filter(({ kind }) => kind === 'submitted')).toHaveLength(1);
      expect(outcomes.filter(({ kind }) => kind === 'window-refused')).toHaveLength(1);
      expect((await line.actions()).filter((action) => action === 'approval.approved')).toHaveLength(1);
    });

    it('approves nothing that was returned meanwhile, and is used up', async () => {
      const request = await line.ask(reboot);
      const window = await opened(request);
      const moved = { ...(await line.requestNow(request)), seal: 'seal-2' };
      await line.store.requests.replace({ ...moved, version: moved.version + 1 });
      expect(await submit(window)).toMatchObject({ result: { refusal: { kind: 'stale-card' } } });
      expect(await stateOf(request)).toBe('waiting');
      expect(await lastAudit()).toMatchObject({ action: 'window.refused', detail: { why: 'stale-card' } });
      await line.store.requests.replace({ ...moved, seal: request.seal, version: moved.version + 2 });
      expect(await submit(window)).toEqual({ kind: 'window-refused', why: 'used-window' });
    });

    it('is judged by the role that its person has when it is submitted', async () => {
      const request = await line.ask(reboot);
      const window = await opened(request);
      const expected = { result: { refusal: { kind: 'not-allowed' } } };
      expect(await submit(window, { role: 'operator' })).toMatchObject(expected);
      expect(await stateOf(request)).toBe('waiting');
    });

    it('ends after a quarter of an hour, or with its request, and is not forgotten at once', async () => {
      const request = await line.ask(reboot);
      const window = await opened(request);
      expect(window.endsAt).toBe(later(line.clock.now(), 15 * MINUTE));
      const askedAt = line.clock.now();
      await line.clock.advance(15 * MINUTE);
      // Submitted in time, and handled much later.
      expect(await submit(window, { askedAt })).toEqual({ kind: 'window-refused', why: 'ended-window' });
      await line.clock.advance(5 * MINUTE);
      expect((await opened(request)).endsAt).toBe(request.expiresAt);
      expect(await line.requests.window(window.id)).toEqual(window);
    });
  });

  describe('a press', () => {
    const press = (
      request: RequestRecord,
      person = BOB,
      role: 'approver' | 'operator' = 'approver',
      seal = request.seal,
    ) => line.requests.openWindow({ request, person, role, wanted: { kind: 'approve', seal: seal ?? '' } });

    it('opens no window for whoever may not decide, or on an older card, and says so early', async () => {
      const request = await line.ask(reboot);
      expect(await press(request, ALICE)).toMatchObject({ refusal: { kind: 'own-request' } });
      expect(await press(request, BOB, 'operator')).toMatchObject({ refusal: { kind: 'not-allowed' } });
      expect(await line.actions()).toEqual(['approval.requested', 'approval.refused', 'approval.refused']);
      const older = await press(request, BOB, 'approver', 'seal-0');
      expect(older).toMatchObject({ refusal: { kind: 'stale-card' } });
    });

    it('opens none while changes are paused, and a window that was open decides nothing then', async () => {
      const request = await line.ask(reboot);
      const window = await opened(request);
      const pause = { id: newPauseId(), by: CAROL, reason: null, since: line.clock.now() };
      await line.store.pause.begin(pause);
      expect(await press(request)).toMatchObject({ kind: 'paused' });
      expect(await submit(window)).toMatchObject({ result: { kind: 'paused' } });
      expect(await stateOf(request)).toBe('waiting');
    });
  });

  describe('a window to deny', () => {
    const denial = (request: RequestRecord) => opened(request, { kind: 'deny', seal: request.seal ?? '' });

    it('denies by its submission alone, with what its person says, also while changes are paused', async () => {
      const request = await line.ask(reboot);
      await line.store.pause.begin({ id: newPauseId(), by: CAROL, reason: null, since: line.clock.now() });
      const window = await denial(request);
      expect(await stateOf(request)).toBe('waiting');
      expect(await submit(window, { comment: 'Not now.' })).toMatchObject({ result: { kind: 'decided' } });
      const expected = { state: 'denied', decidedBy: BOB, comment: 'Not now.' };
      expect(await line.requestNow(request)).toMatchObject(expected);
      expect(await lastAudit()).toMatchObject({ action: 'approval.denied', detail: { comment: 'Not now.' } });
    });

    it('asks for no number, however many devices it is about', async () => {
      const devices = line.fleet.addDevices(29);
      const plan = planRollout(devices.length, { waves: [] });
      const request = await line.record(reboot, devices, { plan });
      const window = await denial(request);
      expect(window.devices).toBeNull();
      expect(await submit(window)).toMatchObject({ result: { request: { state: 'denied', comment: null } } });
    });
  });

  describe('a window of many devices', () => {
    it('asks for their number, as it is stored', async () => {
      const devices = line.fleet.addDevices(29);
      const plan = planRollout(devices.length, { waves: [] });
      const request = await line.record(reboot, devices, { plan });
      const window = await opened(request);
      expect(window.devices).toBe(devices.length);
      const expected = { result: { refusal: { kind: 'count-not-typed' } } };
      expect(await submit(window, { devices: undefined })).toMatchObject(expected);
      expect(await submit(await opened(request))).toMatchObject({ result: { kind: 'decided' } });
    });
  });

  describe('a window to resume a rollout', () => {
    const pause = ({ id: requestId }: RequestRecord) =>
      line.requests.control({ requestId, person: CAROL, role: 'approver', control: 'pause' });
    const ask = async () => {
      const devices = line.fleet.addDevices(5);
      const request = await line.record(reboot, devices, {
        plan: planRollout(devices.length, { waves: [] }),
      });
      await line.approve(request);
      await pause(request);
      return request;
    };
    const holdOf = async (request: RequestRecord) => (await line.requestNow(request)).rollout?.hold;

    it('lets it go on by its submission alone, once', async () => {
      const request = await ask();
      const opens = await opened(request, RESUME);
      expect(opens.decides).toMatchObject({ kind: 'resume', hold: (await holdOf(request))?.at, wave: 0 });
      expect(await holdOf(request)).toMatchObject({ kind: 'paused' });
      expect(await submit(opens)).toMatchObject({ result: { kind: 'decided' } });
      expect(await holdOf(request)).toBeNull();
      await pause(request);
      expect(await submit(opens)).toEqual({ kind: 'window-refused', why: 'used-window' });
      expect(await holdOf(request)).toMatchObject({ kind: 'paused' });
    });

    it('is for the hold that it was opened for', async () => {
      const request = await ask();
      const opens = await opened(request, RESUME);
      await submit(await opened(request, RESUME));
      await line.clock.advance(MINUTE);
      await pause(request);
      expect(await submit(opens)).toMatchObject({ result: { refusal: { kind: 'stale-card' } } });
      expect(await lastAudit()).toMatchObject({ detail: { decision: 'resume', why: 'stale-card' } });
      expect(await holdOf(request)).toMatchObject({ kind: 'paused' });
    });
  });
});
