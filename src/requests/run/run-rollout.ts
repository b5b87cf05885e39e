/**
 * Runs a rollout: the devices of its wave, some at a time, for as long as nothing holds it. Each device is read right
 * before its claim; which wave comes next is decided where targets end (`settle-request.ts`).
 */
import { FleetFailure } from '../../fleet/fleet.ts';
import { ageOf, type Instant, later, MINUTE, SECOND } from '../../lib/clock.ts';
import { waveRange } from '../../rollout/plan.ts';
import { hasExpired, type Rollout, waveBegins, waveWorkAt } from '../../rollout/progress.ts';
import type { WorkResult } from '../../store/due-work/worker.ts';
import type { PositionRange, RequestRecord, RequestTarget } from '../../store/port/request-records.ts';
import { PROOF_AGE_MS, type ProveRights } from '../decide/prove-rights.ts';
import { retryAt } from '../look-schedule.ts';
import type { PagePorts } from '../many-devices.ts';
import type { ClaimAndSend, ClaimOptions } from './claim-and-send.ts';
import type { ReturnRest } from './recheck.ts';
import { type CheckedWave, createWaveReadings } from './wave-readings.ts';

export type RolloutRun = {
  readonly request: RequestRecord;
  readonly rollout: Rollout;
  readonly attempts: number;
  /** When this run should have begun. */
  readonly wasDueAt: Instant;
};

export type RolloutOptions = ClaimOptions &
  Pick<PagePorts, 'fleetSize'> & {
    readonly claimAndSend: ClaimAndSend;
    readonly returnRest: ReturnRest;
    readonly proveRights: ProveRights;
    readonly wakeWorker: () => void;
  };

/** Targets that are read at once: work that ends soon soon sees what holds the rollout. */
const CLAIMS_AT_A_TIME = 200;

export function createRunRollout(options: RolloutOptions): (run: RolloutRun) => Promise<WorkResult> {
  const { store, clock, claimAndSend, holdRollout, proveRights, returnRest, wakeWorker } = options;
  const readings = createWaveReadings(options);

  /** What need not be read again right away, or when to go on. */
  const recheck = async (
    run: RolloutRun,
    range: PositionRange,
    first: RequestTarget,
  ): Promise<CheckedWave | WorkResult> => {
    const { request, rollout, attempts } = run;
    try {
      const wave = await readings.at({ request, rollout, range, first: first.position });
      return wave.kind === 'checked' ? wave : nextRun(options, { id: request.id, range, first });
    } catch (error) {
      if (!(error instanceof FleetFailure)) throw error;
      return tryAgain(options, run, retryAt(error.error, attempts, clock.now()));
    }
  };

  /** Null: it was sent as far as it could be. */
  const sendProved = async (
    run: RolloutRun,
    range: PositionRange,
    { targets, listed }: CheckedWave,
  ): Promise<WorkResult | null> => {
    const { request, rollout, attempts } = run;
    const proof = await proveRights(request);
    const now = clock.now();
    switch (proof.kind) {
      case 'proved': {
        // Without those that the check left out.
        const ready = await store.targets.claimable(request.id, now, CLAIMS_AT_A_TIME, range);
        const sent = { request, ready, attempts, provedUntil: proof.until, checked: targets, listed };
        await claimAndSend(sent);
        return null;
      }
      case 'unread':
        return tryAgain(options, run, later(now, PROOF_AGE_MS));
      case 'lost':
        if (proof.who === 'approver') await returnRest({ ...request, rollout }, null);
        else await holdRollout(request.id, { hold: { kind: 'stopped', by: null, at: now, why: 'rights' } });
        wakeWorker();
        return { kind: 'done' };
    }
  };

  /** Beside the claim, which refuses it: so that people are told. */
  const expire = async ({ id }: RequestRecord): Promise<WorkResult> => {
    await holdRollout(id, { hold: { kind: 'expired', at: clock.now() } });
    wakeWorker();
    return { kind: 'done' };
  };

  const runOnce = async (run: RolloutRun): Promise<WorkResult> => {
    const { request, rollout } = run;
    const now = clock.now();
    const range = waveRange(rollout.plan, rollout.wave);
    if (rollout.hold !== null || range === null) return { kind: 'done' };
    if (hasExpired(rollout, now)) return expire(request);
    if (waveBegins(rollout, now) > now) return { kind: 'again', dueAt: waveWorkAt(rollout, now) };
    const [first] = await store.targets.claimable(request.id, now, 1, range);
    if (first === undefined) return nextRun(options, { id: request.id, range, first: null });
    const since = await stoodStillSince(options, run, first);
    if (since === null) {
      const checked = await recheck(run, range, first);
      if (checked.kind !== 'checked') return checked;
      const again = await sendProved(run, range, checked);
      if (again !== null) return again;
    } else await holdSince(options, request, since);
    wakeWorker();
    return nextRun(options, { id: request.id, range, first });
  };

  return async (run) => {
    const result = await runOnce(run);
    if (result.kind === 'done') readings.forget(run.request.id);
    return result;
  };
}

/** Unless it could not go on for too long. */
async function tryAgain(options: RolloutOptions, run: RolloutRun, dueAt: Instant): Promise<WorkResult> {
  const { clock, maxAgeMs } = options;
  const since = await wentOnAt(options, run);
  if (ageOf(since, clock.now()) < maxAgeMs) return { kind: 'again', dueAt };
  await holdSince(options, run.request, since);
  return { kind: 'done' };
}

function holdSince({ holdRollout, clock }: RolloutOptions, { id }: RequestRecord, since: Instant) {
  return holdRollout(id, { hold: { kind: 'paused', by: null, at: clock.now(), since } });
}

/**
 * Since when it could not go on, where that is too long ago to go on by itself: nobody expects it any more. Null: it
 * may.
 */
async function stoodStillSince(
  options: RolloutOptions,
  run: RolloutRun,
  first: RequestTarget,
): Promise<Instant | null> {
  const { clock, maxAgeMs } = options;
  const { wasDueAt } = run;
  const now = clock.now();
  if (ageOf(wasDueAt, now) >= maxAgeMs) return wasDueAt;
  // Only what was tried before: the service could not be read, or took nothing.
  if (first.nextAt === null) return null;
  const since = await wentOnAt(options, run);
  return ageOf(since, now) >= maxAgeMs ? since : null;
}

/** When something of its wave was claimed last; before that, when the wave began. */
async function wentOnAt(
  { store: { targets } }: RolloutOptions,
  { request, rollout }: RolloutRun,
): Promise<Instant> {
  const { waveFrom } = rollout;
  const last = await targets.lastClaimAt(request.id);
  return last !== null && last > waveFrom ? last : waveFrom;
}

type RanOnce = {
  readonly id: RequestRecord['id'];
  readonly range: PositionRange;
  /** The first that could be claimed in this run; null: none could. */
  readonly first: RequestTarget | null;
};

/** Where nothing of the wave is left, whatever ends its last device puts the work of the next one. */
async function nextRun({ store, clock }: RolloutOptions, { id, range, first }: RanOnce): Promise<WorkResult> {
  const request = await store.requests.get(id);
  const rollout = request?.rollout ?? null;
  if (request === null || rollout === null || rollout.hold !== null) return { kind: 'done' };
  if (request.state !== 'approved' && request.state !== 'running') return { kind: 'done' };
  const now = clock.now();
  // The next wave began meanwhile.
  if (waveRange(rollout.plan, rollout.wave)?.from !== range.from)
    return { kind: 'again', dueAt: waveWorkAt(rollout, now) };
  const [due] = await store.targets.claimable(id, now, 1, range);
  // Where nothing moved, another run or a fault is in the way.
  if (due !== undefined)
    return { kind: 'again', dueAt: due.position === first?.position ? later(now, SECOND) : now };
  const dueAt = await store.targets.nextAt(id, ['ready']);
  if (dueAt !== null) return { kind: 'again', dueAt };
  const wave = { limit: 1, after: range.from - 1, before: range.to } as const;
  const [claimed] = await store.targets.of(id, { states: ['issuing'], limit: 1 });
  // In one read: what another run claimed may have become ready again since the reads above.
  const [left = claimed] = await store.targets.of(id, { ...wave, states: ['ready', 'issuing'] });
  return left === undefined ? { kind: 'done' } : { kind: 'again', dueAt: later(now, MINUTE) };
}
