/** What a rollout costs at least: requests, and time at the permitted rate. Pure, and the same for the card and `explain`. */
import { MINUTE, SECOND } from '../lib/clock.ts';
import { listPages, PAGE_PAUSE_MS } from '../lib/lists.ts';
import type { RolloutPlan } from './plan.ts';

/**
 * Requests that a rollout may make in a second: the share of background work of 100 in 2 seconds ("management API in
 * practice" 2.3), of which a third is kept for people.
 */
const ROLLOUT_REQUESTS_PER_SECOND = 33;

/** Until a wave shows what became of it: devices need about a minute, and a look at many pages takes longer. */
const LOOK_MS = MINUTE;

/**
 * Single requests for a device, beside pages of lists: what is read before its claim, the one that sends, and what proves
 * it. Of every command its queue before and after; of a patch packages both times, of a policy its events after. An edit
 * is read, written and read back.
 */
const REQUESTS_PER_DEVICE: Readonly<Record<string, number>> = {
  scan: 3,
  reboot: 3,
  patch: 5,
  'patch-each': 5,
  'patch-all': 5,
  'policy-test': 4,
  'policy-remediate': 4,
  'device-edit': 3,
};
const DEFAULT_REQUESTS = 3;

export type RolloutCost = {
  readonly requests: number;
  /** Until everything is sent and looked at once; devices may take longer to answer. */
  readonly ms: number;
};

export type RolloutSize = {
  /** The kind of the action. */
  readonly kind: string;
  readonly plan: Pick<RolloutPlan, 'waves' | 'waitMs'>;
  /** Devices in the fleet, whose lists are read; absent: no more than those of the rollout. */
  readonly fleet?: number;
  /** Requests in a second; absent: what is permitted. */
  readonly perSecond?: number;
};

/** At least so much: people's questions go first, and devices answer when they can. */
export function estimateRollout({
  kind,
  plan: { waves, waitMs },
  fleet = 0,
  perSecond = ROLLOUT_REQUESTS_PER_SECOND,
}: RolloutSize): RolloutCost {
  const perDevice = REQUESTS_PER_DEVICE[kind] ?? DEFAULT_REQUESTS;
  const devices = waves.reduce((sum, wave) => sum + wave, 0);
  const pages = listPages(Math.max(fleet, devices));
  // Before each wave, and to prove it: pages, or single reads where those are fewer.
  const looks = waves.reduce((sum, wave) => sum + 2 * Math.min(pages, wave), 0);
  const requests = devices * perDevice + looks;
  const lookMs = waves.length * Math.max(LOOK_MS, pages * PAGE_PAUSE_MS);
  const pauses = Math.max(waves.length - 1, 0) * waitMs;
  return { requests, ms: Math.ceil((requests * SECOND) / perSecond) + lookMs + pauses };
}
