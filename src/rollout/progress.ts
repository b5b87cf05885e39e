/** Where a rollout stands, and why it does not go on: pure. */
import { type Instant, later, MINUTE } from '../lib/clock.ts';
import type { PersonId } from '../lib/ids.ts';
import { isBraked, tallyOf, type WaveCounts } from './brake.ts';
import type { RolloutPlan } from './plan.ts';
import { emptySummary, type RolloutSummary } from './summary.ts';

/** Why no further device is sent; devices that were sent are followed all the same. */
export type RolloutHold =
  /**
   * Until an approver other than the requester resumes it. `by` null: changes were paused for everybody; or, with
   * `since`, it should have gone on then, and could not.
   */
  | {
      readonly kind: 'paused';
      readonly by: PersonId | null;
      readonly at: Instant;
      readonly since?: Instant;
    }
  /**
   * `bad` of the `ended` devices of the wave went wrong; with `drifted`, they changed since they were approved, and
   * were left out. Until an approver other than the requester resumes it.
   */
  | {
      readonly kind: 'braked';
      readonly bad: number;
      readonly ended: number;
      readonly at: Instant;
      readonly drifted?: true;
    }
  /**
   * The last `sends` calls of the wave may or may not have arrived: the service left them without a clear answer. Until
   * an approver other than the requester resumes it.
   */
  | { readonly kind: 'unanswered'; readonly sends: number; readonly at: Instant }
  /** A wave ended and the plan waits for a person. */
  | { readonly kind: 'gate'; readonly at: Instant }
  /** For good: what was not sent ended as `not_sent`. `by` null: it was returned, and nobody approved the rest in time. */
  | { readonly kind: 'stopped'; readonly by: PersonId | null; readonly at: Instant };

/** The rollout of a request: its plan, and how far it came. */
export type Rollout = {
  readonly plan: RolloutPlan;
  /** Index of the wave whose devices may be sent. */
  readonly wave: number;
  /** Before this nothing of the wave is sent. */
  readonly waveFrom: Instant;
  readonly hold: RolloutHold | null;
  /** Devices of this wave that had gone wrong when it was resumed: they count no more. */
  readonly forgiven: number;
  /** Calls of this wave in a row, up to the last, that had no clear answer; none of those that came before it was resumed. */
  readonly unanswered: number;
  /** Of the devices as they were sealed. */
  readonly summary: RolloutSummary;
  /** So many devices that whoever approves them types their number. */
  readonly typedCount: boolean;
};

/** What people see of it before it starts. */
export type RolloutFacts = Pick<Rollout, 'summary' | 'typedCount'>;

/** Approved or not: nothing of it was sent. */
export function startRollout(
  plan: RolloutPlan,
  now: Instant,
  { summary, typedCount }: RolloutFacts = { summary: emptySummary(now), typedCount: false },
): Rollout {
  return { plan, wave: 0, waveFrom: now, hold: null, forgiven: 0, unanswered: 0, summary, typedCount };
}

/**
 * One more than the calls that are in flight at once, so that a single cut never holds a rollout; fewer than the failures
 * that open the circuit breaker, which reads between the calls keep closed.
 */
export const MAX_UNANSWERED = 5;

/** What came of a call: `lost` where it may or may not have arrived. */
export type SendAnswer = 'answered' | 'lost';

/** The rollout after a call of its wave was answered or not; the same object where that changes nothing. */
export function afterAnswer(rollout: Rollout, answer: SendAnswer): Rollout {
  const unanswered = answer === 'lost' ? rollout.unanswered + 1 : 0;
  return unanswered === rollout.unanswered ? rollout : { ...rollout, unanswered };
}

/**
 * The rollout after a device of its wave moved: held, in its next wave, or the same object. What holds it already keeps
 * it where it is, but a brake is told also of one that is paused, or held for lost answers.
 */
export function afterEnd(rollout: Rollout, counts: WaveCounts, now: Instant): Rollout {
  const { plan, wave, hold, forgiven, unanswered } = rollout;
  if (hold !== null && hold.kind !== 'paused' && hold.kind !== 'unanswered') return rollout;
  const { bad, ended, size } = tallyOf(counts);
  if (isBraked(plan.brake, { bad: bad - forgiven, ended, size }))
    return { ...rollout, hold: { kind: 'braked', bad, ended, at: now } };
  if (hold?.kind !== 'unanswered' && unanswered >= MAX_UNANSWERED)
    return { ...rollout, hold: { kind: 'unanswered', sends: unanswered, at: now } };
  if (hold !== null || counts.open > 0 || wave + 1 >= plan.waves.length) return rollout;
  const gate = plan.gate === 'manual' ? ({ kind: 'gate', at: now } as const) : null;
  return { ...rollout, wave: wave + 1, waveFrom: later(now, plan.waitMs), hold: gate, ...NOTHING_COUNTED };
}

/**
 * When its wave begins. It never waits longer than the plan says: a later time was written by a clock that was set back
 * since.
 */
export function waveBegins({ plan, waveFrom }: Pick<Rollout, 'plan' | 'waveFrom'>, now: Instant): Instant {
  return waveFrom > later(now, plan.waitMs) ? now : waveFrom;
}

/** When to look whether its wave may begin. The store takes what is due in more than an hour for due already. */
export function waveWorkAt(rollout: Pick<Rollout, 'plan' | 'waveFrom'>, now: Instant): Instant {
  const begins = waveBegins(rollout, now);
  const latest = later(now, MAX_WAIT_MS);
  return begins < latest ? begins : latest;
}

const MAX_WAIT_MS = 30 * MINUTE;

/** The rollout after somebody resumed it: where its wave is over the next one begins at once. */
export function afterResume(rollout: Rollout, counts: WaveCounts, now: Instant): Rollout {
  const { plan, wave } = rollout;
  const isOver = counts.open === 0 && wave + 1 < plan.waves.length;
  if (isOver) return { ...rollout, wave: wave + 1, waveFrom: now, hold: null, ...NOTHING_COUNTED };
  return { ...rollout, waveFrom: now, hold: null, forgiven: tallyOf(counts).bad, unanswered: 0 };
}

const NOTHING_COUNTED = { forgiven: 0, unanswered: 0 } as const;

/** The rollout after somebody let its next wave begin, which still waits as long as the plan says. */
export function afterGate(rollout: Rollout, now: Instant): Rollout {
  return { ...rollout, waveFrom: rollout.waveFrom > now ? rollout.waveFrom : now, hold: null };
}
