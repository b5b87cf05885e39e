/** Where a rollout stands, when it stops by itself, and why it does not go on: pure. */
import { z } from 'zod';
import { DAY, type Instant, later, MINUTE } from '../lib/clock.ts';
import { instantField, personField, type Stored, wholeNumber } from '../lib/record-fields.ts';
import { type Brake, planSchema, type RolloutPlan } from './plan.ts';
import { countIn } from './results.ts';
import { emptySummary, type RolloutSummary, summarySchema } from './summary.ts';

/** A wave so far. `bad`: failed, not proved, or not come back. What was not sent is in none of them. */
type WaveTally = { readonly bad: number; readonly ended: number; readonly size: number };

/** How many devices of a wave are in which state; `open` ones have not ended. */
export type WaveCounts = {
  readonly total: number;
  readonly open: number;
  readonly verified: number;
  readonly notSent: number;
};

/** Whatever ended otherwise than proved or not sent went wrong. */
export function tallyOf({ total, open, verified, notSent }: WaveCounts): WaveTally {
  const ended = total - open - notSent;
  return { bad: ended - verified, ended, size: total - notSent };
}

/** A share of fewer devices says little, unless they are all there are. Our own figure. */
const MIN_ENDED_FOR_SHARE = 10;

/** Whether no further device may be sent. Judged at each end. */
export function isBraked(brake: Brake, { bad, ended, size }: WaveTally): boolean {
  switch (brake.kind) {
    case 'devices':
      return bad >= brake.devices;
    case 'share':
      return bad > 0 && ended >= Math.min(MIN_ENDED_FOR_SHARE, size) && bad * 100 >= brake.percent * ended;
  }
}

/** Whether so many of the devices of a wave changed since they were approved that its approvers should see it. */
export function isDriftTooLarge(
  brake: Brake,
  { drifted, checked }: { readonly drifted: number; readonly checked: number },
): boolean {
  return brake.kind === 'devices' ? drifted > brake.devices : drifted * 100 > brake.percent * checked;
}

/** Why no further device is sent; devices that were sent are followed all the same. */
const holdSchema = z.discriminatedUnion('kind', [
  /**
   * Until an approver other than the requester resumes it. `by` null: changes were paused for everybody; or, with
   * `since`, it should have gone on then, and could not.
   */
  z.object({
    kind: z.literal('paused'),
    by: personField.nullable(),
    at: instantField,
    since: instantField.exactOptional(),
  }),
  /**
   * `bad` of the `ended` devices of the wave went wrong; `drifted`: they changed since they were approved, and were left
   * out; `unproven`: the wave is over, and none of them is verified. Until an approver other than the requester resumes
   * it. `heldFrom`: something else held it before, since then.
   */
  z.object({
    kind: z.literal('braked'),
    bad: wholeNumber,
    ended: wholeNumber,
    at: instantField,
    why: z.enum(['drifted', 'unproven']).exactOptional(),
    heldFrom: instantField.exactOptional(),
  }),
  /**
   * The last `sends` calls of the wave may or may not have arrived: the service left them without a clear answer. Until
   * an approver other than the requester resumes it.
   */
  z.object({
    kind: z.literal('unanswered'),
    sends: wholeNumber,
    at: instantField,
    heldFrom: instantField.exactOptional(),
  }),
  /** The approval ended before all was sent. Until an approver other than the requester continues. */
  z.object({ kind: z.literal('expired'), at: instantField }),
  /** Patchbay was not running from `from` until `at`. Until an approver other than the requester continues. */
  z.object({ kind: z.literal('away'), from: instantField, at: instantField }),
  /** A wave ended and the plan waits for a person. */
  z.object({ kind: z.literal('gate'), at: instantField }),
  /**
   * For good: what was not sent ended as `not_sent`. `by` null: it was returned, and nobody approved the rest in time.
   * `closed`: so did the devices that were waited for; `unresumed`: it was held for so long that it ended.
   * `rights`: its requester lost the role. `comment`: what whoever denied the rest said about it.
   */
  z.object({
    kind: z.literal('stopped'),
    by: personField.nullable(),
    at: instantField,
    why: z.enum(['closed', 'unresumed', 'rights']).exactOptional(),
    comment: z.string().exactOptional(),
  }),
]);
export type RolloutHold = Stored<typeof holdSchema>;

/** The rollout of a request: its plan, and how far it came. */
export const rolloutSchema = z.object({
  plan: planSchema,
  /** Index of the wave whose devices may be sent. */
  wave: wholeNumber,
  /** Before this nothing of the wave is sent. */
  waveFrom: instantField,
  /** When the approval ends, or the request where none is needed: from then on nothing is sent before somebody continues. */
  endsAt: instantField,
  hold: holdSchema.nullable(),
  /** Devices of this wave that had gone wrong when it was resumed: they count no more. */
  forgiven: wholeNumber,
  /** Calls of this wave in a row, up to the last, that had no clear answer; none of those that came before it was resumed. */
  unanswered: wholeNumber,
  /** Who let it go on last, by *Resume* or *Continue*, since it was approved; null: nobody. */
  resumedBy: personField.nullable(),
  /** Of the devices as they were sealed. */
  summary: summarySchema,
});
export type Rollout = Stored<typeof rolloutSchema>;

const NOTHING_COUNTED = { forgiven: 0, unanswered: 0 } as const;

/** Approved or not: nothing of it was sent. An approval gives it another end. */
export function startRollout(
  plan: RolloutPlan,
  now: Instant,
  summary: RolloutSummary = emptySummary(now),
): Rollout {
  const endsAt = later(now, plan.lastsMs);
  return { plan, wave: 0, waveFrom: now, endsAt, hold: null, ...NOTHING_COUNTED, resumedBy: null, summary };
}

/** The rollout as it is approved: its wave may begin, and it has all of its time. */
export function afterApproval(rollout: Rollout, now: Instant): Rollout {
  return { ...rollout, waveFrom: now, endsAt: later(now, rollout.plan.lastsMs), resumedBy: null };
}

/** Whether it is so old that nothing may be sent before somebody lets it go on. */
export function hasExpired({ endsAt }: Pick<Rollout, 'endsAt'>, now: Instant): boolean {
  return now >= endsAt;
}

/** How somebody lets it go on: what nothing went wrong with is continued, what was halted is resumed. Null: in no way. */
export function liftedBy(hold: RolloutHold | null): 'continue' | 'resume' | null {
  switch (hold?.kind) {
    case 'expired':
    case 'away':
    case 'gate':
      return 'continue';
    case 'paused':
    case 'braked':
    case 'unanswered':
      return 'resume';
    default:
      return null;
  }
}

/** Whether it stands still until a person lets it go on, or stops it. With nothing left to be sent, nothing waits. */
export function isHeld({
  state,
  rollout,
  counts,
}: {
  readonly state: string;
  readonly rollout: Pick<Rollout, 'hold'> | null;
  readonly counts: { readonly ready?: number; readonly issuing?: number };
}): boolean {
  const isApproved = state === 'approved' || state === 'running';
  return isApproved && rollout !== null && liftedBy(rollout.hold) !== null && countIn(counts, UNSENT) > 0;
}

/** Whether a person has to do something before anything happens. */
export function standsStill(request: Parameters<typeof isHeld>[0]): boolean {
  return request.state === 'waiting' || isHeld(request);
}

/** Whether nobody pressed, so that who wanted it believes that it runs. A pause of everything is announced to all. */
export function isHeldUnasked(hold: RolloutHold | null): boolean {
  return liftedBy(hold) !== null && (hold?.kind !== 'paused' || hold.since !== undefined);
}

/** Of a target that gets nothing while the rollout is held, unless it is being sent just now. */
export const UNSENT = ['ready', 'issuing'] as const;

/** What is held for so long ends: nobody remembers what it was about. */
const MAX_HELD_MS = 7 * DAY;

/** When a held rollout ends because nobody let it go on; null: it is not held, or stopped already. */
export function holdEndsAt(hold: RolloutHold | null): Instant | null {
  return hold === null || hold.kind === 'stopped' ? null : later(heldFrom(hold), MAX_HELD_MS);
}

/** Since when it has not gone on, whatever held it first. */
export function heldFrom(hold: RolloutHold): Instant {
  return 'heldFrom' in hold ? (hold.heldFrom ?? hold.at) : hold.at;
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
 * The rollout after a device of its wave moved: held, in its next wave, or the same object. No wave begins after one of
 * which nothing is verified. What holds it already keeps it where it is, but a brake is told of it all the same.
 */
export function afterEnd(rollout: Rollout, counts: WaveCounts, now: Instant): Rollout {
  const { plan, wave, hold, forgiven, unanswered } = rollout;
  if (hold !== null && BRAKED_OR_OVER.has(hold.kind)) return rollout;
  const { bad, ended, size } = tallyOf(counts);
  const since = hold === null ? {} : { heldFrom: heldFrom(hold) };
  const braked = { kind: 'braked', bad, ended, at: now, ...since } as const;
  if (isBraked(plan.brake, { bad: bad - forgiven, ended, size })) return { ...rollout, hold: braked };
  const isWaveOver = isOver(rollout, counts);
  // A wave of which all were left out was no trial either.
  if (isWaveOver && counts.verified === 0) return { ...rollout, hold: { ...braked, why: 'unproven' } };
  if (hold?.kind !== 'unanswered' && unanswered >= MAX_UNANSWERED)
    return { ...rollout, hold: { kind: 'unanswered', sends: unanswered, at: now, ...since } };
  if (hold !== null || !isWaveOver) return rollout;
  const gate = plan.gate === 'manual' ? ({ kind: 'gate', at: now } as const) : null;
  return { ...rollout, wave: wave + 1, waveFrom: later(now, plan.waitMs), hold: gate, ...NOTHING_COUNTED };
}

/** Whether a wave comes after this one, of which nothing is open. */
function isOver({ plan, wave }: Rollout, counts: WaveCounts): boolean {
  return counts.open === 0 && wave + 1 < plan.waves.length;
}

/** After these nothing that ends in the wave changes why it is held. */
const BRAKED_OR_OVER: ReadonlySet<RolloutHold['kind']> = new Set(['braked', 'gate', 'stopped']);

/** It never waits longer than the plan says: a later time was written by a clock that was set back since. */
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
  if (isOver(rollout, counts)) return afterWave(rollout, now);
  const goesOn = { ...renewed(rollout, now), waveFrom: now, hold: null };
  return { ...goesOn, forgiven: tallyOf(counts).bad, unanswered: 0 };
}

/** The rollout in its next wave, whatever is still open of its wave: somebody let it go on. */
export function afterWave(rollout: Rollout, now: Instant): Rollout {
  const next = { wave: rollout.wave + 1, waveFrom: now, hold: null, ...NOTHING_COUNTED };
  return { ...renewed(rollout, now), ...next };
}

/** Whoever lets a rollout go on whose time is over gives it the same time again. */
function renewed(rollout: Rollout, now: Instant): Rollout {
  if (rollout.hold?.kind !== 'expired' && !hasExpired(rollout, now)) return rollout;
  return { ...rollout, endsAt: later(now, rollout.plan.lastsMs) };
}

/** The rollout after somebody let its wave begin or go on, which still waits as long as the plan says; or the next one. */
export function afterContinue(rollout: Rollout, counts: WaveCounts, now: Instant): Rollout {
  if (isOver(rollout, counts)) return afterWave(rollout, now);
  const waveFrom = rollout.waveFrom > now ? rollout.waveFrom : now;
  return { ...renewed(rollout, now), waveFrom, hold: null };
}
