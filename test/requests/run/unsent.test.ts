/** Commands that certainly never left: their targets are ready again, and are sent later or end unsent, never refused. */

import { describe, expect, it } from 'vitest';
import type { FleetError } from '../../../src/fleet/fleet.ts';
import { HOUR, later, MINUTE, SECOND } from '../../../src/lib/clock.ts';
import { planRollout } from '../../../src/rollout/plan.ts';
import type { RequestRecord } from '../../../src/store/port/request-records.ts';
import { evidenceText } from '../../../src/views/requests/evidence.ts';
import { renderView } from '../../../src/views/views.ts';
import type { Reply } from '../../fleet/scripted-server.ts';
import { madePerTest } from '../../harness/use-started.ts';
import { renderedButtons } from '../../views/rendered-text.ts';
import { anError } from '../fleet-builders.ts';
import { ALICE, createRequestsSetup, type RequestsSetup, reboot, START, scan } from '../requests-setup.ts';
import { beginAtServer, createRolloutSetup, sentTwice } from './rollout-setup.ts';

const tag = { kind: 'device-edit', change: { retag: { add: ['dmz'], remove: [] } } } as const;
const refused: FleetError = anError('unreachable', null);
const REASONS: readonly (readonly [string, FleetError])[] = [
  ['the connection was refused', refused],
  [
    'the client held it back: the service fails',
    {
      ...anError('unreachable', null),
      kind: 'broken',
      held: { kind: 'breaker', failures: 5, retryInMs: 5_000 },
    },
  ],
  [
    'the client held it back: its own limit',
    { ...anError('timeout', null), kind: 'throttled', retryAfterMs: 5_000, held: { kind: 'limit' } },
  ],
  ['the service throttled it', { ...anError('timeout', 429), kind: 'throttled', retryAfterMs: 5_000 }],
];

const line = madePerTest(createRequestsSetup);

/** From now on nothing is sent. */
function block(error: FleetError = refused, retryAfterMs: number | null = null): void {
  Object.assign(line.world, { fate: 'unsent', unsentError: error, retryAfterMs });
}
const open = () => Object.assign(line.world, { fate: 'accept' });

describe('a command that never left', () => {
  it.each(REASONS)('is ready again when %s, and is sent once later', async (_what, error) => {
    block(error);
    const id = await line.start(scan);
    await line.settle();
    expect(await line.targetOf(id)).toMatchObject({
      state: 'ready',
      endedAt: null,
      acceptedAt: null,
      nextAt: later(START, 2 * SECOND),
      evidence: [
        { kind: 'unsent', error: { kind: error.kind, status: error.status, held: error.held ?? null } },
      ],
    });
    expect(await line.requestNow({ id })).toMatchObject({ state: 'approved', counts: { ready: 1, open: 1 } });
    open();
    await line.pass(2 * SECOND - 1);
    expect(line.world.posts).toEqual([]);
    await line.pass(1);
    expect(line.world.posts).toEqual([scan]);
    expect(await line.targetOf(id)).toMatchObject({ state: 'accepted', nextAt: expect.any(Number) });
    expect(await line.requestNow({ id })).toMatchObject({ state: 'running' });
    expect(await line.actions()).not.toContain('operation.refused');
  });

  it('waits as long as the limits require', async () => {
    block(refused, 40 * SECOND);
    const id = await line.start(scan);
    await line.settle();
    open();
    await line.pass(40 * SECOND - 1);
    expect(await line.targetOf(id)).toMatchObject({ state: 'ready' });
    await line.pass(1);
    expect(await line.targetOf(id)).toMatchObject({ state: 'accepted' });
  });

  it('waits for its own time, not for that of the other devices', async () => {
    const [first] = line.fleet.addDevices(1);
    line.fleet.hold((send) => async (id, command) => {
      const outcome = await send(id, command);
      return outcome.kind === 'unsent' && id === first ? { ...outcome, retryAfterMs: 40 * SECOND } : outcome;
    });
    block();
    const id = await line.start(scan, line.fleet.addDevices(1));
    await line.settle();
    open();
    await line.pass(40 * SECOND - 1);
    expect(line.world.postedTo).toEqual([1001]);
    await line.pass(1);
    expect(line.world.postedTo).toEqual([1001, 42]);
    expect(await line.requestNow({ id })).toMatchObject({ counts: { queued: 1, accepted: 1 } });
  });

  it('waits longer each time', async () => {
    block();
    const id = await line.start(scan);
    const pauses: number[] = [];
    for (let tries = 0; tries < 7; tries += 1) {
      await line.settle();
      const { nextAt } = await line.targetOf(id);
      pauses.push(((nextAt ?? 0) - line.clock.now()) / SECOND);
      await line.clock.advance((nextAt ?? 0) - line.clock.now());
    }
    expect(pauses).toEqual([2, 4, 8, 16, 32, 60, 60]);
  });

  it.each([scan, reboot])('ends unsent when it is too old: $kind', async (action) => {
    block();
    const request = action === scan ? { id: await line.start(scan) } : await line.ask(reboot);
    if (action === reboot) await line.approve(await line.requestNow(request));
    await line.pass(15 * MINUTE);
    const evidence = [{ kind: 'unsent', error: { kind: 'unreachable' } }];
    expect(await line.targetFor(request)).toMatchObject({ state: 'not_sent', nextAt: null, evidence });
    const key = action === scan ? ('operation' as const) : ('approval' as const);
    expect(await line.store.cards.get(`told:${key}:${request.id}`)).toMatchObject({ channel: 'U_ALICE' });
    expect(await line.requestNow(request)).toMatchObject({ state: 'ended', counts: { not_sent: 1 } });
    open();
    await line.pass(15 * MINUTE);
    expect(line.world.posts).toEqual([]);
    expect(await line.actions()).not.toContain('operation.refused');
  });
});

describe('an approved request of which nothing was sent', () => {
  const approved = async () => {
    const request = await line.ask(reboot);
    await line.approve(request);
    block();
    await line.settle();
    const counts = { ready: 1, open: 1 };
    expect(await line.requestNow(request)).toMatchObject({ state: 'approved', counts });
    open();
    return request;
  };

  it('is sent when nothing changed', async () => {
    const request = await approved();
    await line.pass(2 * SECOND);
    expect(line.world.posts).toHaveLength(1);
    expect(await line.requestNow(request)).toMatchObject({ state: 'running', counts: { accepted: 1 } });
  });

  it('is checked against its seal again, and is returned when something changed', async () => {
    const request = await approved();
    line.fleet.change({ lastLoggedInUser: 'dave' });
    await line.pass(2 * SECOND);
    const returned = await line.requestNow(request);
    expect(returned).toMatchObject({
      state: 'waiting',
      decidedBy: null,
      note: { kind: 'drifted', subject: 'device', changes: [{ kind: 'changed', field: 'lastLoggedInUser' }] },
      counts: { ready: 1, open: 1 },
    });
    expect(returned.seal).not.toBe(request.seal);
    expect(line.world.posts).toEqual([]);
    await line.approve(returned);
    await line.settle();
    expect(line.world.posts).toHaveLength(1);
  });
});

describe('tags of several devices that never left', () => {
  it('are one call later', async () => {
    const request = await line.ask(tag, line.fleet.addDevices(2));
    await line.approve(request);
    block();
    await line.settle();
    const counts = { ready: 3, open: 3 };
    expect(await line.requestNow(request)).toMatchObject({ state: 'approved', counts });
    line.world.edits = [];
    open();
    await line.pass(2 * SECOND);
    expect(line.world.edits).toEqual(['tagDevices 3']);
    expect(await line.requestNow(request)).toMatchObject({ state: 'ended', counts: { verified: 3 } });
  });
});

describe('what is not needed any more', () => {
  const patchAll = { kind: 'patch-all' } as const;

  async function drawn(id: Parameters<RequestsSetup['targetsOf']>[0], from: RequestsSetup = line) {
    const [request, targets] = await Promise.all([from.requestNow({ id }), from.targetsOf(id)]);
    return renderView({ kind: 'request', request: { ...request, targets } });
  }

  describe('an installation of what is there by now', () => {
    it('ends as no longer needed, without a second approval, and without a button to request it again', async () => {
      const request = await line.ask(patchAll);
      for (const name of ['openssl', 'curl']) line.fleet.install(name);
      await line.approve(request);
      await line.settle();
      const ended = { state: 'ended', counts: { not_needed: 1 }, note: null };
      expect(await line.requestNow(request)).toMatchObject(ended);
      const evidence = [{ kind: 'not-needed' }];
      expect(await line.targetFor(request)).toMatchObject({ state: 'not_needed', evidence });
      expect(line.world.posts).toEqual([]);
      const card = await drawn(request.id);
      expect(card.text).toMatch(/^▫️ No longer needed: Install all missing patches on /);
      expect(card.text).toContain('The management service no longer lists any of it as missing.');
      expect(renderedButtons(card).map(({ action }) => action)).not.toContain('again');
    });

    it('returns to its approver where a part of it is still missing', async () => {
      const request = await line.ask(patchAll);
      line.fleet.install('curl');
      await line.approve(request);
      await line.settle();
      expect(await line.requestNow(request)).toMatchObject({ state: 'waiting', note: { kind: 'drifted' } });
    });

    it('is no change that stops a rollout', async () => {
      const line = await createRequestsSetup({ typedCountFrom: 99 });
      const devices = line.fleet.addDevices(2);
      const plan = planRollout(3, { waves: [], brake: { kind: 'devices', devices: 1 } });
      const request = await line.record(patchAll, devices, { plan });
      for (const name of ['openssl', 'curl']) line.fleet.install(name);
      await line.approve(request);
      await line.settle();
      expect(await line.requestNow(request)).toMatchObject({ state: 'ended', counts: { not_needed: 3 } });
      expect(line.world.posts).toEqual([]);
      expect((await drawn(request.id, line)).text).toMatch(
        /^▫️ No longer needed: Install all missing patches on 3/,
      );
    });
  });
});

describe('declined calls', () => {
  describe('an answer that carries an error with a good status', () => {
    it('is unknown until the queue was looked at: a command that is there is followed', async () => {
      line.world.fate = 'declined-after';
      const request = await line.approved(reboot);
      expect(await line.targetFor(request)).toMatchObject({ state: 'unknown' });
      await line.pass(10 * MINUTE);
      expect(await line.targetFor(request)).toMatchObject({ state: 'queued' });
      expect(line.world.posts).toEqual([reboot]);
    });

    it('is a refusal in the words of the service once two looks did not find it, and is never sent again', async () => {
      line.world.fate = 'declined-before';
      const request = await line.approved(reboot);
      await line.pass(5 * SECOND);
      expect(await line.targetFor(request)).toMatchObject({ state: 'unknown', endedAt: null });
      await line.pass(30 * SECOND);
      const target = await line.targetFor(request);
      expect(target).toMatchObject({ state: 'refused', evidence: [{ kind: 'refused' }] });
      expect(evidenceText(target.evidence, reboot)).toBe(
        'The management service did not accept the command. Nothing was changed. Cause: the management service answered with an error (HTTP 201, `device is &lt;in&gt; maintenance`).',
      );
      await line.pass(HOUR);
      expect(line.world.posts).toEqual([reboot]);
    });

    it('is no refusal where the queue cannot be read', async () => {
      line.world.fate = 'declined-before';
      const request = await line.approved(reboot);
      line.world.readError = anError('broken', 500);
      await line.pass(10 * MINUTE);
      expect(await line.targetFor(request)).toMatchObject({ state: 'unknown', endedAt: null });
    });

    it('is found late', async () => {
      line.world.fate = 'declined-before';
      const request = await line.approved(reboot);
      await line.pass(5 * SECOND);
      line.fleet.enqueue(reboot);
      await line.pass(MINUTE);
      expect(await line.targetFor(request)).toMatchObject({ state: 'queued' });
    });

    it('is no refusal where the device shows the effect', async () => {
      line.world.fate = 'declined-before';
      const request = await line.approved(reboot);
      line.fleet.change({ lastDisconnectTime: line.clock.now() });
      await line.pass(HOUR);
      const evidence = [{ kind: 'restarted' }, { kind: 'cause-unknown' }];
      expect(await line.targetFor(request)).toMatchObject({ state: 'unknown', evidence });
    });
  });
});

const COUNT = 24;
const FIRST = 2;
/** In a row, and what is in flight beside the last of them. */
const MOST_LOST = 5 + 3;
const ACCEPTED: Reply = { status: 201 };
/** No brake is reached, whatever becomes of the devices. */
const PLAN = {
  waves: [{ kind: 'devices', devices: FIRST }],
  brake: { kind: 'devices', devices: COUNT },
} as const;

const begin = (reply: (index: number) => Reply) => beginAtServer(COUNT, PLAN, reply);

/** A page that is no answer counts as a refusal once the queue was found to have nothing. */
const unclear = ({ unknown = 0, refused = 0 }: RequestRecord['counts']) => unknown + refused;

it.each<[string, Reply]>([
  ['answers 500', { status: 500 }],
  ['cuts every answer', { cut: '{"id":', status: 201 }],
  ['drops every connection', 'drop'],
  ['answers with a page', { body: '<html>Bad gateway</html>', headers: { 'content-type': 'text/html' } }],
])(
  'a service that %s holds the rollout after a few devices, until an approver resumes it',
  async (_what, bad) => {
    let reply: Reply = ACCEPTED;
    const { line, id, service, goOn } = await begin((index) => (index < FIRST ? ACCEPTED : reply));
    reply = bad;
    const held = await goOn(3);
    expect(held.rollout).toMatchObject({ wave: 1, hold: { kind: 'unanswered', sends: 5 } });
    const reached = service.requests.length;
    expect(reached).toBeGreaterThanOrEqual(FIRST + 5);
    expect(reached).toBeLessThanOrEqual(FIRST + MOST_LOST);
    expect(unclear(held.counts)).toBe(reached - FIRST);
    expect((await goOn(3)).rollout?.hold).toEqual(held.rollout?.hold);
    expect(service.requests).toHaveLength(reached);
    const expected = { refusal: { kind: 'own-request' } };
    expect(await line.control(id, 'resume', ALICE, 'admin')).toMatchObject(expected);
    expect(await line.control(id, 'resume')).toMatchObject({ kind: 'decided' });
    // Still so: the count begins again, and the next five hold it once more.
    expect((await goOn(2)).rollout?.hold).toMatchObject({ kind: 'unanswered', sends: 5 });
    const again = service.requests.length;
    expect(again).toBeGreaterThanOrEqual(reached + 5);
    expect(again).toBeLessThanOrEqual(reached + MOST_LOST);
    reply = ACCEPTED;
    await line.control(id, 'resume');
    const ended = await goOn(30);
    expect([ended.state, unclear(ended.counts)]).toEqual(['ended', again - FIRST]);
    expect(service.requests).toHaveLength(COUNT);
    expect(sentTwice(service.requests)).toBe(0);
    const told = (await line.actions()).filter((action) => action.startsWith('rollout.'));
    expect(told).toEqual([
      'rollout.wave-ended',
      ...(['rollout.unanswered', 'rollout.resumed', 'rollout.unanswered', 'rollout.resumed'] as const),
    ]);
  },
);

it('single answers that are lost between others hold nothing', async () => {
  const { line, service, goOn } = await begin((index) => (index % 4 === 3 ? { status: 500 } : ACCEPTED));
  const { state, counts } = await goOn(40);
  expect(state).toBe('ended');
  expect(counts.unknown).toBe(COUNT / 4);
  expect(service.requests).toHaveLength(COUNT);
  expect(sentTwice(service.requests)).toBe(0);
  expect(await line.actions()).not.toContain('rollout.unanswered');
});

it.each<[string, FleetError]>([
  ['throttles', { ...anError('broken', 429), kind: 'throttled', retryAfterMs: MINUTE }],
  ['cannot be reached', anError('unreachable', null)],
])('a service that %s holds nothing: what it certainly did not take is sent again', async (_what, error) => {
  const line = await createRolloutSetup();
  const { id, devices } = await line.begin(COUNT, { waves: [] }, reboot);
  Object.assign(line.world, { fate: 'unsent', unsentError: error });
  await line.pass(10 * MINUTE);
  const rollout = { hold: null, unanswered: 0 };
  expect(await line.requestNow({ id })).toMatchObject({ rollout, counts: { ready: COUNT } });
  line.world.fate = 'accept';
  await line.pass(5 * MINUTE);
  expect(line.posted().toSorted()).toEqual(devices.toSorted());
});
