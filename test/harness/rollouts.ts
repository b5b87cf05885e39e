/** Rollouts as tests need them: 40 devices in three waves, any of it overridden. */
import { later } from '../../src/lib/clock.ts';
import { deviceId, requestId } from '../../src/lib/ids.ts';
import { DEFAULT_ROLLOUT_LIMITS } from '../../src/lib/rollout-limits.ts';
import { type PlanOptions, planRollout } from '../../src/rollout/plan.ts';
import type { Rollout } from '../../src/rollout/progress.ts';
import { emptySummary, type RolloutSummary } from '../../src/rollout/summary.ts';
import {
  type RequestTarget,
  type RequestWithTargets,
  totalOf,
} from '../../src/store/port/request-records.ts';
import { START } from './builders.ts';
import { aReadyTarget, aRequest, someFacts } from './records.ts';

export function aSummary(over: Partial<RolloutSummary> = {}): RolloutSummary {
  return {
    ...emptySummary(START),
    groups: { top: [{ name: 'Laptops', devices: 40 }], more: 0 },
    systems: { top: [{ name: 'Windows 11 Pro', devices: 40 }], more: 0 },
    ...over,
  };
}

export function aRollout(devices: number, over: Partial<Rollout> & PlanOptions = {}): Rollout {
  const { waves, waitMs, brake, gate, offline, ...progress } = over;
  const plan = planRollout(devices, { waves, waitMs, brake, gate, offline });
  return {
    plan,
    wave: 0,
    waveFrom: START,
    endsAt: later(START, plan.lastsMs),
    hold: null,
    forgiven: 0,
    unanswered: 0,
    resumedBy: null,
    summary: aSummary(),
    ...progress,
  };
}

/** The first devices of a rollout, named `web-1` and so on. */
export function rolloutTargets(count: number): readonly RequestTarget[] {
  return Array.from({ length: count }, (_, at) =>
    aReadyTarget(someFacts({ deviceId: deviceId(1001 + at), displayName: `web-${at + 1}` })),
  );
}

const SHOWN = 5;

/** One that waits for approval; `counts` say how many devices it has. */
export function aRolloutRequest(over: Partial<RequestWithTargets> = {}): RequestWithTargets {
  const { counts = { ready: 40, open: 40 } } = over;
  const devices = totalOf(counts);
  return aRequest({
    id: requestId('r_1'),
    seal: 'f180a6f9c0ffee',
    targets: rolloutTargets(Math.min(devices, SHOWN)),
    rollout: aRollout(devices),
    typedCount: devices >= DEFAULT_ROLLOUT_LIMITS.reasonFrom,
    ...over,
    counts,
  });
}
