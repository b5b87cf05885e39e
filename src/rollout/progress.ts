/** Where a rollout stands, and why it does not go on. */
import type { Instant } from '../lib/clock.ts';
import type { PersonId } from '../lib/ids.ts';
import type { RolloutPlan } from './plan.ts';
import type { RolloutSummary } from './summary.ts';

/** Why no further device is sent; devices that were sent are followed all the same. */
export type RolloutHold =
  /** Until an approver other than the requester resumes it; `by` null: changes were paused for everybody. */
  | { readonly kind: 'paused'; readonly by: PersonId | null; readonly at: Instant }
  /** `bad` of the `ended` devices of the wave went wrong. Until an approver other than the requester resumes it. */
  | { readonly kind: 'braked'; readonly bad: number; readonly ended: number; readonly at: Instant }
  /** A wave ended and the plan waits for a person. */
  | { readonly kind: 'gate'; readonly at: Instant }
  /** For good: what was not sent ended as `not_sent`. */
  | { readonly kind: 'stopped'; readonly by: PersonId; readonly at: Instant };

/** The rollout of a request: its plan, and how far it came. */
export type Rollout = {
  readonly plan: RolloutPlan;
  /** Index of the wave whose devices may be sent. */
  readonly wave: number;
  /** Before this nothing of the wave is sent. */
  readonly waveFrom: Instant;
  readonly hold: RolloutHold | null;
  /** How often a brake was overridden in this wave: what went wrong until then counts no more. */
  readonly forgiven: number;
  /** Of the devices as they were sealed. */
  readonly summary: RolloutSummary;
  /** So many devices that whoever approves them types their number. */
  readonly typedCount: boolean;
};

/** What a rollout is started with. */
export type NewRollout = Pick<Rollout, 'plan' | 'summary' | 'typedCount'>;

/** Approved or not: nothing of it was sent. */
export function startRollout(rollout: NewRollout, now: Instant): Rollout {
  return { ...rollout, wave: 0, waveFrom: now, hold: null, forgiven: 0 };
}
