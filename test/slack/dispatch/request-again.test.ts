/** Presses on *Request again* below a request for several devices, of which some were not sent. */
import { afterEach, describe, expect, it } from 'vitest';
import type { FleetAction } from '../../../src/fleet/model/actions.ts';
import { DAY, HOUR, MINUTE, SECOND } from '../../../src/lib/clock.ts';
import { channelId, deviceId, newReference, personId, requestId } from '../../../src/lib/ids.ts';
import type { TargetState } from '../../../src/store/port/records.ts';
import type { RequestTarget, RequestWithTargets } from '../../../src/store/port/request-records.ts';
import type { RetrySet } from '../../../src/views/model.ts';
import { renderView } from '../../../src/views/render.ts';
import { BROKEN } from '../../commands/harness/fake-fleet.ts';
import { aDevice, START } from '../../harness/builders.ts';
import { aStartedRequest, aTarget } from '../../harness/records.ts';
import { denyThroughWindow, openedWindow, submission } from '../../harness/through-window.ts';
import { CALLER, createReplicasHarness, type ReplicasHarness } from '../harness/replicas-harness.ts';

const OTHER = { person: personId('U0BOB'), channel: channelId('C0OPS') };
const OLD = requestId('r_old');
const SCAN = { kind: 'scan' } as const;
const REBOOT = { kind: 'reboot' } as const;

let replicas: ReplicasHarness;
afterEach(() => replicas.close());

const nameOf = (at: number) => `web-${1001 + at}`;

/** Replicas with a request for as many devices as there are states. */
async function requestFor(
  action: FleetAction,
  states: readonly TargetState[],
  there = states.length,
  over: Partial<RequestWithTargets> = {},
) {
  const devices = states.map((_state, at) =>
    aDevice({ id: deviceId(1001 + at), name: nameOf(at), pendingPatches: 77 }),
  );
  replicas = await createReplicasHarness(devices.slice(0, there));
  replicas.trouble.posts = true;
  const targets = states.map((state, at) =>
    aTarget({ deviceId: deviceId(1001 + at), displayName: nameOf(at), state, endedAt: START }),
  );
  const request = aStartedRequest({
    id: OLD,
    action,
    targets,
    reason: 'drill',
    requestKey: 'command:old',
    ...over,
  });
  await replicas.store.requests.insert(request, request.targets);
  return request;
}

/** The window that a press opens, and its submission, which may come again after a crash. */
async function open(caller = CALLER, process = replicas.start(), of: RetrySet | null = null) {
  const wanted = { kind: 'again', of } as const;
  const asked = { requestId: OLD, person: caller.person, role: null, wanted };
  const opened = await openedWindow({ store: replicas.store, requests: process.requests }, asked);
  if ('kind' in opened) throw new Error('no window opened');
  const reference = newReference();
  const submit = (by: typeof process, askedAt = replicas.clock.now()) =>
    by.dispatch.submitWindow({ ...submission(opened, null, askedAt), submission: reference, caller });
  return { opened, submit };
}

async function press(caller = CALLER, process = replicas.start(), of: RetrySet | null = null) {
  return (await open(caller, process, of)).submit(process);
}

const requests = async () => (await replicas.requested()).filter(({ id }) => id !== OLD);
const devicesOf = ({ targets }: RequestWithTargets) => targets.map((target) => target.deviceId);

describe('a press on what was not sent to some of several devices, or not accepted', () => {
  it('requests it for exactly those, where nobody has to agree', async () => {
    await requestFor(SCAN, ['not_sent', 'verified', 'not_sent', 'accepted']);
    expect(await press()).toMatchObject({
      kind: 'started',
      names: [{ displayName: 'web-1001' }, { displayName: 'web-1003' }],
    });
    const [request] = await requests();
    expect(request).toMatchObject({
      state: 'approved',
      action: SCAN,
      reason: 'drill',
      requesterId: CALLER.person,
    });
    expect(request?.targets.map((target) => [target.deviceId, target.state])).toEqual([
      [1001, 'ready'],
      [1003, 'ready'],
    ]);
  });

  it('requests all of it where nobody decided in time', async () => {
    await requestFor(REBOOT, ['ready', 'ready'], 2, { state: 'expired', expiresAt: START });
    expect(await press()).toMatchObject({ kind: 'asked', already: false, mine: true });
    const [request] = await requests();
    expect(request && devicesOf(request)).toEqual([1001, 1002]);
  });

  it('counts all of them, of which only the first are loaded', async () => {
    await requestFor(
      SCAN,
      [...Array(60)].map(() => 'not_sent' as const),
    );
    expect(renderView(await press()).text).toMatch(/^Scan of 60 devices requested\./);
    expect(renderView(await press()).text).toMatch(/^Scan of 60 devices was already requested/);
  });

  it('asks for approval for exactly those, with the facts of now, where somebody has to agree', async () => {
    await requestFor(REBOOT, ['not_sent', 'verified', 'refused']);
    expect(await press()).toMatchObject({ kind: 'asked', already: false, mine: true });
    const [request] = await requests();
    expect(request).toMatchObject({ state: 'waiting', action: REBOOT, reason: 'drill' });
    expect(request?.targets.map(({ deviceId: id }) => id)).toEqual([1001, 1003]);
    expect(request?.targets[0]?.facts).toMatchObject({ pendingPatches: 77 });
  });

  it('says which devices cannot be requested, and why', async () => {
    await requestFor(SCAN, ['not_sent', 'not_sent', 'not_sent'], 2);
    const view = await press();
    expect(view).toMatchObject({
      kind: 'requested-again',
      view: { kind: 'started', names: [{ displayName: 'web-1001' }, { displayName: 'web-1002' }] },
    });
    const shown = JSON.stringify(renderView(view).blocks);
    expect(shown).toContain('Not requested for 1 device:');
    expect(shown).toContain('*web-1003*: #1003 is no longer in the fleet');
  });

  it('requests nothing where none can be, and may be pressed again', async () => {
    await requestFor(SCAN, ['not_sent', 'not_sent'], 0);
    expect(await press()).toMatchObject({ kind: 'requested-again', view: null });
    expect(await requests()).toEqual([]);
  });

  it('requests nothing while the service does not answer, and everything once it does', async () => {
    await requestFor(SCAN, ['not_sent', 'not_sent']);
    replicas.fleet.failWith(BROKEN);
    expect(await press()).toMatchObject({ kind: 'problem' });
    expect(await requests()).toEqual([]);
    replicas.fleet.failWith(null);
    await press();
    expect((await requests()).map(devicesOf)).toEqual([[1001, 1002]]);
  });
});

const REQUESTED = /^(?:Scan of 2 devices requested\.|Approval requested: Reboot 2 devices\n)/;
const ALREADY =
  /^(?:Scan of 2 devices was already requested|Approval was already requested: Reboot 2 devices\n)/;
const BY_ANN = /[Rr]equested by <@U0ANN>/;

describe('one request, however often it is pressed', () => {
  it.each([SCAN, REBOOT])('by two people at once, in two processes: $kind', async (command) => {
    await requestFor(command, ['not_sent', 'not_sent']);
    const [one, two] = [replicas.start(), replicas.start()];
    const views = await Promise.all([press(CALLER, one), press(OTHER, two)]);
    expect(await requests()).toHaveLength(1);
    const words = views.map((view) => renderView(view).text);
    expect(words.filter((text) => REQUESTED.test(text))).toHaveLength(1);
    const [already = '', ...others] = words.filter((text) => ALREADY.test(text));
    expect(already).toMatch(/[Rr]equested by <@U0(?:ANN|BOB)>/);
    expect(others).toEqual([]);
  });

  it.each([SCAN, REBOOT])('twice, also minutes later: $kind', async (command) => {
    await requestFor(command, ['not_sent', 'not_sent']);
    await press();
    await replicas.clock.advance(10 * MINUTE);
    const own = renderView(await press()).text;
    expect(own).toMatch(ALREADY);
    expect(own).not.toMatch(BY_ANN);
    const another = renderView(await press(OTHER)).text;
    expect(another).toMatch(ALREADY);
    expect(another).toMatch(BY_ANN);
    expect(await requests()).toHaveLength(1);
  });

  it('also where its answer was lost in a crash, and the press comes again days later', async () => {
    await requestFor(SCAN, ['not_sent', 'not_sent']);
    const { submit } = await open();
    const askedAt = replicas.clock.now();
    await submit(replicas.start(), askedAt);
    await replicas.clock.advance(3 * DAY);
    expect(await submit(replicas.start(), askedAt)).toMatchObject({ kind: 'started', already: true });
    expect(await requests()).toHaveLength(1);
  });

  it('a press from before a denial is not one after it', async () => {
    await requestFor(REBOOT, ['not_sent', 'not_sent']);
    const [first, askedAt] = [await open(), replicas.clock.now()];
    await first.submit(replicas.start(), askedAt);
    await replicas.clock.advance(MINUTE);
    const [asked] = await requests();
    if (asked === undefined) throw new Error('nothing was asked');
    const { id, seal } = asked;
    const denier = { person: OTHER.person, role: 'admin' } as const;
    await denyThroughWindow(replicas, { requestId: id, seal: seal ?? '', ...denier });
    const repeated = await first.submit(replicas.start(), askedAt);
    expect(repeated).toMatchObject({ kind: 'decided', outcome: { kind: 'already', state: 'denied' } });
    await replicas.clock.advance(SECOND);
    expect(await press()).toMatchObject({ kind: 'asked', already: false });
    expect(renderView(await press(OTHER)).text).toContain('Approval was already requested');
    expect(await requests()).toHaveLength(2);
  });

  it('may be pressed again once the request expired, with current facts', async () => {
    await requestFor(REBOOT, ['not_sent', 'not_sent']);
    await press();
    await replicas.clock.advance(HOUR);
    expect(await press()).toMatchObject({ kind: 'asked', already: false });
    const states = (await requests()).map(({ state }) => state);
    expect(states.toSorted()).toEqual(['expired', 'waiting']);
  });
});

describe('a press on one of the two sets of a rollout that ended', () => {
  const STATES = ['not_verified', 'not_sent', 'verified', 'refused', 'unknown', 'not_sent'] as const;

  it.each([
    ['failed', [1001, 1004]],
    ['not-sent', [1002, 1006]],
  ] as const)('%s: requests it for exactly these', async (of, devices) => {
    await requestFor(REBOOT, STATES);
    expect(await press(CALLER, replicas.start(), of)).toMatchObject({ kind: 'asked', already: false });
    expect(await press(OTHER, replicas.start(), of)).toMatchObject({ kind: 'asked', already: true });
    const [request, ...others] = await requests();
    expect(request).toMatchObject({ state: 'waiting', reason: 'drill' });
    expect(request && devicesOf(request)).toEqual(devices);
    expect(others).toEqual([]);
  });

  it('failed: never a device that may still run the command', async () => {
    const unproven = { kind: 'not-restarted', uptimeDropped: false } as const;
    const error = { kind: 'timeout', status: null, detail: '', held: null } as const;
    const ends: readonly Partial<RequestTarget>[] = [
      { evidence: [{ kind: 'answered', exitCode: 0 }, { kind: 'unconfirmed' }, unproven], answeredAt: START },
      { evidence: [{ kind: 'left-queue' }, { kind: 'unconfirmed' }, unproven], answeredAt: START },
      { evidence: [{ kind: 'install-failed', packages: ['a'], words: null, installed: 0, total: 1 }] },
      { evidence: [{ kind: 'still-queued', offline: null, at: START }] },
      { evidence: [{ kind: 'accepted', inQueue: 'not-seen' }, { kind: 'unconfirmed' }, unproven] },
      { evidence: [{ kind: 'ambiguous', entries: 2, answerLost: false }, { kind: 'unconfirmed' }] },
      { evidence: [{ kind: 'unread-to-the-end', error }] },
    ];
    const targets = ends.map((end, at) =>
      aTarget({
        ...{ deviceId: deviceId(1001 + at), displayName: nameOf(at), position: at },
        ...{ state: 'not_verified', endedAt: START, answeredAt: null, ...end },
      }),
    );
    const states = targets.map(({ state }) => state);
    await requestFor(REBOOT, states, states.length, { targets });
    const counts = { not_verified: 7, failed: 1, may_run: 4 };
    expect(await replicas.store.requests.get(OLD)).toMatchObject({ counts });
    const { opened, submit } = await open(CALLER, replicas.start(), 'failed');
    expect(opened).toMatchObject({ decides: { devices: 3 } });
    await submit(replicas.start());
    expect((await requests()).map(devicesOf)).toEqual([[1001, 1002, 1003]]);
  });
});

describe('a window that is submitted too late', () => {
  it('requests nothing', async () => {
    await requestFor(SCAN, ['not_sent', 'not_sent', 'verified']);
    const { opened, submit } = await open();
    await replicas.clock.advance(15 * MINUTE);
    expect(await submit(replicas.start())).toMatchObject({
      outcome: { kind: 'window-refused', why: 'ended-window' },
    });
    expect(opened).toMatchObject({ decides: { kind: 'again', of: null, devices: 2 }, devices: null });
    expect(await requests()).toEqual([]);
  });
});
