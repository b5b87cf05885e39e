/** A press decides nothing: only the one submission of the window that was opened for this person and this seal does. */
import { beforeEach, describe, expect, it } from 'vitest';
import { later, MINUTE } from '../../../src/lib/clock.ts';
import { newPauseId, newWindowId, personId } from '../../../src/lib/ids.ts';
import type { SubmitWindowInput, WantedDecision } from '../../../src/requests/decide/decision-windows.ts';
import { planRollout } from '../../../src/rollout/plan.ts';
import type { DecisionWindow } from '../../../src/store/port/decision-windows.ts';
import type { RequestRecord } from '../../../src/store/port/request-records.ts';
import { openedWindow, submission } from '../../harness/through-window.ts';
import { ALICE, BOB, createRequestsSetup, type RequestsSetup } from '../requests-setup.ts';

const CAROL = personId('U_CAROL');
const reboot = { kind: 'reboot' } as const;

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
    expect(await submit(window, { comment: 'After lunch.' })).toMatchObject({ result: { kind: 'decided' } });
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
  ])('is refused and recorded by the submission of %s, and stays for its own', async (_what, why, forged) => {
    const request = await line.ask(reboot);
    const window = await opened(request);
    const given = forged(window);
    expect(await submit(window, given)).toEqual({ kind: 'window-refused', why });
    expect(await stateOf(request)).toBe('waiting');
    expect(await lastAudit()).toMatchObject({
      action: 'window.refused',
      actor: given.person ?? BOB,
      detail: { why },
    });
    expect(await submit(window)).toMatchObject({ result: { kind: 'decided' } });
  });

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
    expect(await submit(window, { role: 'operator' })).toMatchObject({
      result: { refusal: { kind: 'not-allowed' } },
    });
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
    expect(await line.requestNow(request)).toMatchObject({
      state: 'denied',
      decidedBy: BOB,
      comment: 'Not now.',
    });
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
    expect(await submit(window, { devices: undefined })).toMatchObject({
      result: { refusal: { kind: 'count-not-typed' } },
    });
    expect(await submit(await opened(request))).toMatchObject({ result: { kind: 'decided' } });
  });
});

describe('a window to resume a rollout', () => {
  const pause = ({ id: requestId }: RequestRecord) =>
    line.requests.control({ requestId, person: CAROL, role: 'approver', control: 'pause' });
  const ask = async () => {
    const devices = line.fleet.addDevices(5);
    const request = await line.record(reboot, devices, { plan: planRollout(devices.length, { waves: [] }) });
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
