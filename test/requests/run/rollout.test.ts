/** Rollouts: waves, the brake, and what people do with them. */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { HOUR, MINUTE } from '../../../src/lib/clock.ts';
import { personId, type RequestId } from '../../../src/lib/ids.ts';
import { planRollout, waveOf } from '../../../src/rollout/plan.ts';
import type { RequestTarget } from '../../../src/store/port/request-records.ts';
import type { AuditRecord } from '../../../src/store/port/store.ts';
import { countTargets } from '../../../src/store/tables/request-counts.ts';
import type { Reply } from '../../fleet/scripted-server.ts';
import { madePerTest } from '../../harness/use-started.ts';
import { ALICE, pauseSwitchOf, reboot, scan } from '../requests-setup.ts';
import { type Played, plans, play } from './rollout-play.ts';
import {
  beginAtServer,
  createRolloutSetup,
  ONE_THEN_REST,
  type RolloutSetup,
  sentTwice,
} from './rollout-setup.ts';

const CAROL = personId('U_CAROL');
const line = madePerTest(createRolloutSetup);

const begin: RolloutSetup['begin'] = (...given) => line.begin(...given);
const restart: RolloutSetup['restart'] = (...given) => line.restart(...given);
const control: RolloutSetup['control'] = (...given) => line.control(...given);
const rolloutOf: RolloutSetup['rolloutOf'] = (id) => line.rolloutOf(id);
const posted = () => line.posted();

describe('a rollout', () => {
  it('sends one wave after the other, each once the one before has ended', async () => {
    const { id, devices } = await begin(9, ONE_THEN_REST);
    await line.settle();
    expect(posted()).toEqual(devices.slice(0, 1));
    await line.pass(MINUTE);
    expect(posted()).toHaveLength(1);
    restart(...devices.slice(0, 1));
    await line.pass(2 * MINUTE);
    expect(posted().toSorted()).toEqual(devices.slice(0, 4).toSorted());
    expect(await rolloutOf(id)).toMatchObject({ wave: 1, hold: null });
    restart(...devices.slice(1, 4));
    await line.pass(2 * MINUTE);
    restart(...devices.slice(4));
    await line.pass(2 * MINUTE);
    expect(posted()).toHaveLength(9);
    expect(await line.requestNow({ id })).toMatchObject({ state: 'ended', counts: { verified: 9 } });
    expect(await line.store.requests.waveCounts(id)).toEqual([
      { verified: 1 },
      { verified: 3 },
      { verified: 5 },
    ]);
    expect((await line.actions()).filter((action) => action === 'rollout.wave-ended')).toHaveLength(2);
  });

  it('waits between its waves as long as its plan says', async () => {
    const { devices } = await begin(5, { ...ONE_THEN_REST, waitMs: 10 * MINUTE });
    await line.settle();
    restart(...devices.slice(0, 1));
    await line.pass(5 * MINUTE);
    expect(posted()).toHaveLength(1);
    await line.pass(7 * MINUTE);
    expect(posted()).toHaveLength(4);
  });

  it('of hours does not become too late', async () => {
    const { id, devices } = await begin(5, { ...ONE_THEN_REST, waitMs: 3 * HOUR });
    await line.settle();
    restart(...devices.slice(0, 1));
    await line.pass(3 * HOUR + 2 * MINUTE);
    restart(...devices.slice(1, 4));
    await line.pass(3 * HOUR + 2 * MINUTE);
    restart(...devices.slice(4));
    await line.pass(2 * MINUTE);
    expect(await line.requestNow({ id })).toMatchObject({ state: 'ended', counts: { verified: 5 } });
  });

  it('waits for somebody after a wave of which nothing was sent', async () => {
    const { id, devices } = await begin(5, ONE_THEN_REST);
    line.world.device = null;
    await line.settle();
    expect(posted()).toEqual([]);
    const hold = { kind: 'braked', ended: 0, why: 'unproven' };
    expect(await rolloutOf(id)).toMatchObject({ wave: 0, hold });
    await control(id, 'resume', CAROL);
    await line.settle();
    expect(posted().toSorted()).toEqual(devices.slice(1, 4).toSorted());
    expect(await line.store.requests.waveCounts(id)).toMatchObject([{ not_sent: 1 }, { accepted: 3 }, {}]);
  });

  it('goes on though devices come online or are used by others since it was approved', async () => {
    const { devices } = await begin(2, {});
    line.fleet.change({ connected: false, lastLoggedInUser: 'dave' }, devices[1]);
    await line.settle();
    expect(posted()).toEqual(devices);
  });

  it('leaves out devices that are offline where its plan says so', async () => {
    const { id, devices } = await begin(3, { offline: 'skip' });
    line.fleet.change({ connected: false }, devices[1]);
    await line.settle();
    expect(posted()).toEqual([devices[0], devices[2]]);
    const [, left] = await line.targetsOf(id);
    expect(left).toMatchObject({ state: 'not_sent', evidence: [{ kind: 'offline' }] });
  });
});

describe('the brake', () => {
  it('stops the rollout in its wave, and an approver lets it go on', async () => {
    const { id, devices } = await begin(9, ONE_THEN_REST);
    await line.settle();
    restart(...devices.slice(0, 1));
    line.world.fate = 'refuse';
    await line.pass(2 * MINUTE);
    expect(await rolloutOf(id)).toMatchObject({ wave: 1, hold: { kind: 'braked', bad: 2 } });
    const sent = posted().length;
    expect(sent).toBeLessThanOrEqual(4);
    await line.pass(HOUR);
    expect(posted()).toHaveLength(sent);
    line.world.fate = 'accept';
    const refusal = { kind: 'own-request' };
    expect(await control(id, 'resume', ALICE, 'admin')).toEqual({ kind: 'refused', refusal });
    const expected = { refusal: { kind: 'not-allowed', need: 'approver' } };
    expect(await control(id, 'resume', CAROL, 'operator')).toMatchObject(expected);
    expect(await control(id, 'resume')).toMatchObject({ kind: 'decided' });
    for (let rest = 0; rest < 3; rest += 1) {
      restart(...devices);
      await line.pass(2 * MINUTE);
    }
    expect(await line.requestNow({ id })).toMatchObject({ state: 'ended' });
    expect(new Set(posted()).size).toBe(posted().length);
    expect(posted()).toHaveLength(9);
    const actions = (await line.actions()).filter((action) => action.startsWith('rollout.'));
    expect(actions).toEqual(['rollout.wave-ended', 'rollout.braked', 'rollout.resumed', ...actions.slice(3)]);
  });
});

describe('a person', () => {
  it('pauses a rollout, and nothing more of it is sent until an approver resumes it', async () => {
    const { id, devices } = await begin(5, ONE_THEN_REST);
    await line.settle();
    expect(await control(id, 'pause', ALICE, 'operator')).toMatchObject({ kind: 'decided' });
    expect(await control(id, 'pause')).toMatchObject({ refusal: { kind: 'rollout-is', standing: 'paused' } });
    restart(...devices.slice(0, 1));
    await line.pass(HOUR);
    expect(posted()).toHaveLength(1);
    expect(await rolloutOf(id)).toMatchObject({ wave: 0, hold: { kind: 'paused', by: ALICE } });
    await control(id, 'resume');
    await line.settle();
    expect(posted()).toHaveLength(4);
    expect(await rolloutOf(id)).toMatchObject({ wave: 1, hold: null });
  });

  it('stops a rollout: what was not sent ends, and what was sent is followed', async () => {
    const { id, devices } = await begin(9, ONE_THEN_REST);
    await line.settle();
    const request = { state: 'running', counts: { not_sent: 8 } };
    expect(await control(id, 'stop', ALICE, 'operator')).toMatchObject({ kind: 'decided', request });
    restart(...devices.slice(0, 1));
    await line.pass(2 * MINUTE);
    const counts = { verified: 1, not_sent: 8 };
    expect(await line.requestNow({ id })).toMatchObject({ state: 'ended', counts });
    const [, other] = await line.targetsOf(id);
    expect(other).toMatchObject({ state: 'not_sent', evidence: [{ kind: 'stopped' }] });
    expect(await control(id, 'resume')).toMatchObject({ refusal: { standing: 'ended' } });
  });

  it('continues a rollout that waits after each wave', async () => {
    const { id, devices } = await begin(5, { ...ONE_THEN_REST, gate: 'manual' });
    await line.settle();
    restart(...devices.slice(0, 1));
    await line.pass(HOUR);
    expect(posted()).toHaveLength(1);
    expect(await rolloutOf(id)).toMatchObject({ wave: 1, hold: { kind: 'gate' } });
    expect(await control(id, 'resume')).toMatchObject({ refusal: { kind: 'rollout-is', standing: 'gate' } });
    expect(await control(id, 'continue')).toMatchObject({ kind: 'decided' });
    await line.settle();
    expect(posted()).toHaveLength(4);
  });

  it('controls no request without waves, and none that is unknown', async () => {
    const request = await line.ask(reboot);
    expect(await control(request.id, 'pause')).toEqual({ kind: 'absent' });
  });

  it('cannot pause what nobody approved yet', async () => {
    const { id } = await line.record(reboot, line.fleet.addDevices(1), { plan: planRollout(2) });
    expect(await control(id, 'pause')).toMatchObject({ refusal: { standing: 'waiting' } });
  });
});

describe('a pause of all changes', () => {
  const pauseSwitch = () => pauseSwitchOf(line);

  it.each([scan, reboot])(
    'holds a $kind between two devices, and its end resumes nothing',
    async (action) => {
      let begun = 0;
      line.fleet.hold((send) => async (device, command) => {
        begun += 1;
        if (begun === 3) await pauseSwitch().begin(CAROL, null);
        return send(device, command);
      });
      const { id } = await begin(9, { waves: [] }, action);
      await line.settle();
      const sent = posted().length;
      expect(sent).toBeGreaterThanOrEqual(3);
      expect(sent).toBeLessThan(9);
      expect(await rolloutOf(id)).toMatchObject({ hold: { kind: 'paused', by: null } });
      expect((await line.requestNow({ id })).counts.not_sent).toBeUndefined();
      expect(await control(id, 'resume')).toMatchObject({ kind: 'paused' });
      await pauseSwitch().end(CAROL);
      await line.pass(5 * MINUTE);
      expect(posted()).toHaveLength(sent);
      expect(await control(id, 'resume')).toMatchObject({ kind: 'decided' });
      await line.settle();
      expect(posted()).toHaveLength(9);
      expect(new Set(posted()).size).toBe(9);
    },
  );
});

describe('rollouts and the service', () => {
  const COUNT = 24;
  /** How many looks, and how far apart: a lost answer is looked for half an hour, in each wave. */
  const LOOKS = [16, 5 * MINUTE] as const;
  const ACCEPTED: Reply = { status: 201 };
  const THROTTLED = 9;
  /** What the service does with these POSTs, by their number; it accepts all others. */
  const TROUBLES: Readonly<Record<number, Reply>> = {
    3: { status: 500 },
    6: 'drop',
    [THROTTLED]: { status: 429, headers: { 'retry-after': '20' } },
    12: { cut: '{"id":', status: 201 },
    14: { status: 404 },
    16: { status: 401 },
  };
  const PLAN = {
    waves: [
      { kind: 'devices', devices: 2 },
      { kind: 'devices', devices: 10 },
    ],
    brake: { kind: 'devices', devices: 6 },
  } as const;

  const begin = (reply: (index: number) => Reply) => beginAtServer(COUNT, PLAN, reply);

  describe('a rollout', () => {
    it('ends with each device sent once, whatever some answers were', async () => {
      const { service, goOn } = await begin((index) => TROUBLES[index] ?? ACCEPTED);
      const { state, counts } = await goOn(...LOOKS);
      // Only what the service certainly did not take is sent once more.
      const sent = service.requests.filter((_, index) => index !== THROTTLED);
      expect(sentTwice(sent)).toBe(0);
      expect(sent).toHaveLength(COUNT);
      expect(state).toBe('ended');
      expect(counts).toMatchObject({ refused: 2 });
      const { verified = 0, not_verified: failed = 0, unknown = 0, refused = 0 } = counts;
      expect(verified + failed + unknown + refused).toBe(COUNT);
    });

    it('brakes where the service refuses everything, and leaves the rest', async () => {
      let status = 201;
      const { line, id, service, goOn } = await begin((index) => ({ status: index < 2 ? 201 : status }));
      status = 403;
      const { counts, rollout } = await goOn(...LOOKS);
      expect(rollout?.hold).toMatchObject({ kind: 'braked', bad: 6 });
      expect(counts.refused).toBeLessThanOrEqual(6 + 3);
      const before = service.requests.length;
      status = 201;
      await line.control(id, 'resume');
      expect(await goOn(...LOOKS)).toMatchObject({ state: 'ended' });
      expect(sentTwice(service.requests)).toBe(0);
      expect(service.requests.length).toBeGreaterThan(before);
    });
  });
});

const RUNS = 50;
/** Far more than it takes on an idle machine. */
const PATIENCE_MS = 300_000;

it(
  'sends at most once to each device, nothing while it is held, and ends with counts that match',
  () =>
    fc.assert(
      fc.asyncProperty(plans, async (plan) => {
        const played = await play(plan);
        const { line, id, sentElsewhere } = played;
        const { postedTo } = line.world;
        expect(sentElsewhere).toEqual([]);
        expect(new Set(postedTo).size).toBe(postedTo.length);
        expect(claimedWhileHeld(await line.store.audit.list(0, MOST_ENTRIES), id)).toEqual([]);
        await expectCountsToMatch(played);
        await line.close();
      }),
      // A shorter plan would say no more than the one that was found, and each takes as long.
      { numRuns: RUNS, endOnFailure: true },
    ),
  PATIENCE_MS,
);

const MOST_ENTRIES = 1_000;
const HOLDS = new Set([
  'rollout.paused',
  'rollout.braked',
  'rollout.unanswered',
  'rollout.drifted',
  'rollout.stopped',
]);
const RELEASES = new Set(['rollout.resumed', 'rollout.continued']);

/** Claims that were committed between what held the rollout, or everything, and what let it go on. */
function claimedWhileHeld(audit: readonly AuditRecord[], id: RequestId): readonly AuditRecord[] {
  let isHeld = false;
  let arePaused = false;
  const inOrder = audit.toSorted((a, b) => a.sequence - b.sequence);
  return inOrder.filter(({ action, subject, detail }) => {
    if (action === 'changes.paused') arePaused = true;
    if (action === 'changes.resumed') arePaused = false;
    if (subject !== id) return false;
    const isGate = action === 'rollout.wave-ended' && detail['waits'] === true;
    if (isGate || HOLDS.has(action)) isHeld = true;
    if (RELEASES.has(action)) isHeld = false;
    return action === 'operation.issuing' && (isHeld || arePaused);
  });
}

async function expectCountsToMatch({ line, id }: Played): Promise<void> {
  const request = await line.requestNow({ id });
  if (request.rollout === null) throw new Error('it is no rollout');
  const { plan } = request.rollout;
  const targets = await line.targetsOf(id);
  const counted = (some: readonly RequestTarget[]) =>
    Object.fromEntries([...countTargets(some)].filter(([, count]) => count > 0));
  expect(request.counts).toEqual(counted(targets));
  expect(await line.store.requests.waveCounts(id)).toEqual(
    plan.waves.map((_, wave) => counted(targets.filter(({ position }) => waveOf(plan, position) === wave))),
  );
  const sent = new Set(line.world.postedTo);
  for (const { deviceId, state } of targets)
    if (deviceId !== null && !sent.has(deviceId)) expect(['not_sent', 'unknown']).toContain(state);
}
