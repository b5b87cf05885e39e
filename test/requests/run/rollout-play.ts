/**
 * Plays a rollout under random faults of the service, the database, its processes and people. What is promised is
 * checked against the POSTs as they leave, and against the audit, which says in which order everything was committed.
 */

import fc from 'fast-check';
import type { FleetError } from '../../../src/fleet/fleet.ts';
import { MINUTE, SECOND } from '../../../src/lib/clock.ts';
import type { FailpointName } from '../../../src/lib/failpoints.ts';
import { type DeviceId, personId, type RequestId } from '../../../src/lib/ids.ts';
import type { Requests } from '../../../src/requests/requests.ts';
import { planRollout, waveOf } from '../../../src/rollout/plan.ts';
import type { Store } from '../../../src/store/port/store.ts';
import { controlAsPeopleDo } from '../../harness/through-window.ts';
import { anError } from '../fleet-builders.ts';
import { BOB, createRequestsSetup, pauseSwitchOf, type RequestsSetup } from '../requests-setup.ts';
import type { PostFate } from '../simulated-fleet.ts';

const DEVICES = 6;
/** Longer than a change that nobody lets go on is waited for. */
const LONG_MS = 20 * MINUTE;
const AWAY_MS = 14 * MINUTE;
/** A rollout that nothing disturbs ends in far less. */
const MOST_VISITS = 40;
const CAROL = personId('U_CAROL');

class Killed extends Error {}

/** What the service does with a POST. */
const FATES = {
  accepted: { fate: 'accept' },
  'accepted and not listed': { fate: 'accept-unlisted' },
  'accepted slowly': { fate: 'accept', ms: 20 * SECOND },
  'cut before it': { fate: 'lost-before' },
  'cut after it': { fate: 'lost-after' },
  'cut after it, much later': { fate: 'lost-after', ms: LONG_MS },
  'answered 404': { fate: 'refuse' },
  'answered 429': { fate: 'unsent', error: throttled(30 * SECOND), retryAfterMs: 30 * SECOND },
  'not connected': { fate: 'unsent', error: anError('unreachable', null) },
} satisfies Record<string, Answer>;
type Answer = {
  readonly fate: PostFate;
  readonly ms?: number;
  readonly error?: FleetError;
  readonly retryAfterMs?: number | null;
};
type Fate = keyof typeof FATES;

function throttled(retryAfterMs: number): FleetError {
  return { ...anError('broken', 429), kind: 'throttled', retryAfterMs };
}

/** What happens with a POST, before it leaves. */
const INCIDENTS = [
  'pause',
  'stop',
  'resume',
  'continue',
  'pause of everything',
  'end of the pause',
  'a second run',
  'a run of another replica',
  'reads fail with 503',
  'reads fail with 401',
  'reads are throttled',
  'reads work',
  'the database fails',
  'the database loses an answer',
] as const;
type Incident = (typeof INCIDENTS)[number];

const sometimes = fc.integer({ min: 1, max: DEVICES });
const points = fc.constantFrom<FailpointName>(
  ...(['target.claimed', 'target.sent', 'target.recorded'] as const),
  ...(['wave.rechecked', 'wave.ended', 'rollout.braked'] as const),
);
export const plans = fc.record({
  kind: fc.constantFrom('scan' as const, 'reboot' as const),
  waves: fc.array(sometimes, { maxLength: 3 }),
  brake: fc.integer({ min: 1, max: 4 }),
  gate: fc.constantFrom('auto' as const, 'manual' as const),
  waitMs: fc.constantFrom(0, MINUTE),
  /** Of each POST in turn; all later ones are accepted. */
  fates: fc.array(fc.constantFrom(...(Object.keys(FATES) as Fate[])), { maxLength: DEVICES + 2 }),
  /** Devices that never show that it was done. */
  silent: fc.uniqueArray(fc.integer({ min: 0, max: DEVICES - 1 }), { maxLength: 2 }),
  deaths: fc.array(fc.record({ point: points, count: fc.integer({ min: 1, max: 4 }) }), { maxLength: 3 }),
  incidents: fc.array(fc.record({ post: sometimes, what: fc.constantFrom(...INCIDENTS) }), { maxLength: 4 }),
});
export type RolloutPlay = typeof plans extends fc.Arbitrary<infer T> ? T : never;

/** The setup after the rollout ended, and what was sent beyond the wave that ran. */
export type Played = {
  readonly line: RequestsSetup;
  readonly id: RequestId;
  readonly sentElsewhere: readonly string[];
};

export async function play(plan: RolloutPlay): Promise<Played> {
  const database = failingDatabase();
  const line = await createRequestsSetup({ onFailpoint: dying(plan.deaths), around: database.around });
  const { clock, fleet, requests } = line;
  const { world } = fleet;
  const devices = fleet.addDevices(DEVICES - 1);
  const rolloutPlan = planRollout(DEVICES, {
    ...plan,
    waves: plan.waves.map((count) => ({ kind: 'devices', devices: count })),
    brake: { kind: 'devices', devices: plan.brake },
  });
  const order = await line.order({ kind: plan.kind }, devices);
  const recorded = await requests.record({ ...order, proposal: { ...order.proposal, plan: rolloutPlan } });
  if (recorded.kind !== 'recorded') throw new Error('it was not recorded');
  const { id } = recorded.request;
  const sentElsewhere: string[] = [];
  const besides: Promise<unknown>[] = [];
  const happen = incidentsOf(line, { id, database, besides });
  let calls = 0;
  fleet.hold((send) => async (device, command) => {
    calls += 1;
    const { fate, ms = 0, error, retryAfterMs = null }: Answer = FATES[plan.fates[calls - 1] ?? 'accepted'];
    const { rollout } = await line.requestNow({ id });
    const wave = waveOf(rolloutPlan, devices.indexOf(device));
    if (rollout?.wave !== wave) sentElsewhere.push(`device of wave ${wave} in ${rollout?.wave}`);
    for (const { post, what } of plan.incidents) if (post === calls) await happen(what);
    if (ms > 0) await clock.advance(ms);
    Object.assign(world, { fate, retryAfterMs, unsentError: error ?? anError('unreachable', null) });
    return send(device, command);
  });
  if (plan.kind === 'reboot') await line.approve(recorded.request);
  await untilItEnds(line, id, () => prove(line, plan, devices));
  await Promise.all(besides);
  return { line, id, sentElsewhere };
}

/** The process dies at these points, each the `count`th time. */
export function dying(deaths: RolloutPlay['deaths']) {
  const passed = new Map<FailpointName, number>();
  const left = new Set(deaths);
  return (name: FailpointName): void => {
    const count = (passed.get(name) ?? 0) + 1;
    passed.set(name, count);
    const death = [...left].find((one) => one.point === name && one.count === count);
    if (death === undefined) return;
    left.delete(death);
    throw new Killed(name);
  };
}

export function ignoreKilled(error: unknown): void {
  if (!(error instanceof Killed)) throw error;
}

type FailingDatabase = ReturnType<typeof failingDatabase>;

/**
 * Fails one transaction of the play: before it, or after its commit. After a second one in a row a result is written
 * later, and nobody moves the clock meanwhile.
 */
function failingDatabase() {
  let next: 'before' | 'after' | 'never' | null = null;
  const isNow = (when: 'before' | 'after'): boolean => {
    if (next !== when) return false;
    next = 'never';
    return true;
  };
  return {
    fail: (when: 'before' | 'after') => {
      next ??= when;
    },
    around: (store: Store): Store => ({
      ...store,
      transaction: async (job) => {
        if (isNow('before')) throw new Killed('connection refused');
        const isLost = isNow('after');
        const result = await store.transaction(job);
        if (isLost) throw new Killed('connection terminated');
        return result;
      },
    }),
  };
}

function incidentsOf(
  line: RequestsSetup,
  {
    id,
    database,
    besides,
  }: { readonly id: RequestId; readonly database: FailingDatabase; readonly besides: Promise<unknown>[] },
): (what: Incident) => Promise<unknown> {
  const { store, clock, fleet } = line;
  const pause = pauseSwitchOf({ store, clock });
  const runBeside = async (process?: Pick<Requests, 'run'>) =>
    besides.push(line.run(id, process).catch(ignoreKilled));
  return async (what) => {
    switch (what) {
      case 'pause':
      case 'stop':
      case 'resume':
      case 'continue':
        return controlAsPeopleDo(line, { requestId: id, person: BOB, role: 'approver', control: what });
      case 'pause of everything':
        return pause.begin(CAROL, null);
      case 'end of the pause':
        return pause.end(CAROL);
      case 'a second run':
        return runBeside();
      case 'a run of another replica':
        return runBeside(line.replica());
      case 'reads fail with 503':
      case 'reads fail with 401':
      case 'reads are throttled':
        fleet.world.readError = READ_ERRORS[what];
        return;
      case 'reads work':
        fleet.world.readError = null;
        return;
      case 'the database fails':
        return database.fail('before');
      case 'the database loses an answer':
        return database.fail('after');
    }
  };
}

const READ_ERRORS = {
  'reads fail with 503': anError('broken', 503),
  'reads fail with 401': anError('unauthorized', 401),
  'reads are throttled': throttled(MINUTE),
} as const;

/** Devices carry out what they have in their queues. */
function prove({ fleet, clock }: RequestsSetup, { silent }: RolloutPlay, devices: readonly DeviceId[]): void {
  const { world } = fleet;
  for (const [position, id] of devices.entries()) {
    const queued = position === 0 ? world.queue : (world.queues.get(id) ?? []);
    if (queued.length === 0 || silent.includes(position)) continue;
    fleet.change({ lastDisconnectTime: clock.now(), lastRefreshTime: clock.now() }, id);
    if (position === 0) world.queue = [];
    else world.queues = new Map([...world.queues].filter(([device]) => device !== id));
  }
}

/**
 * A process that died is started again; in the end everything works, and whatever holds the rollout is lifted. Between
 * two visits nobody looks for almost as long as a rollout may stand still, which spares looks at what never ends.
 */
async function untilItEnds(line: RequestsSetup, id: RequestId, proveAll: () => void): Promise<void> {
  const pause = pauseSwitchOf(line);
  for (let visits = 1; visits <= MOST_VISITS; visits += 1) {
    for (let looks = 0; looks < 6; looks += 1) {
      await line.pass(4 * SECOND).catch(ignoreKilled);
      proveAll();
    }
    const request = await line.requestNow({ id });
    if (request.state === 'ended') return;
    await line.clock.advance(AWAY_MS);
    if (visits % 2 === 1) continue;
    line.world.readError = null;
    if (request.state === 'waiting') await line.approve(request);
    await pause.end(CAROL);
    const control = request.rollout?.hold?.kind === 'gate' ? 'continue' : 'resume';
    await controlAsPeopleDo(line, { requestId: id, person: BOB, role: 'approver', control }).catch(
      ignoreKilled,
    );
  }
  throw new Error(`the rollout does not end: ${JSON.stringify(await line.requestNow({ id }))}`);
}
