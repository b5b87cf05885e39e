/**
 * A request from the moment somebody asked until every target of it ended: one record, and one row per target.
 * Instants are epoch milliseconds on the clock.
 */

import { z } from 'zod';
import { packageNames, type TargetFacts, targetFactsSchema } from '../../fleet/facts/facts.ts';
import { actionSchema } from '../../fleet/model/actions.ts';
import { requestId } from '../../lib/ids.ts';
import {
  deviceField,
  instantField,
  nullableText,
  organizationField,
  personField,
  queueEntryField,
  type Stored,
  wholeNumber,
} from '../../lib/record-fields.ts';
import { rolloutSchema } from '../../rollout/progress.ts';
import { countIn, mayRun } from '../../rollout/results.ts';
import { evidenceSchema, noteSchema, saysFailed } from './evidence.ts';
import { baseline, TARGET_STATES, type TargetState } from './records.ts';

const requestField = z.string().transform(requestId);
const targetState = z.enum(TARGET_STATES);

/**
 * `waiting`: somebody has to agree first. `approved`: it may run, and all of it may still be claimed; changed facts or a
 * pause may still return it. `running`: of at least one target that is not so, because it was claimed or ended unsent.
 * `ended`: no target is open any more.
 */
export const REQUEST_STATES = [
  'waiting',
  'denied',
  'expired',
  'withdrawn',
  'approved',
  'running',
  'ended',
] as const;
export type RequestState = (typeof REQUEST_STATES)[number];
/** What was decided about a request, whatever became of it since. */
export type DecidedState = Exclude<RequestState, 'running' | 'ended'>;

/**
 * How many targets are in each state; beside that, how many are `open` (not ended), and by their evidence, which the
 * state alone does not say, how many `failed` and how many of the devices may still run the command. Absent: none.
 */
export const COUNTED_BESIDE = ['open', 'failed', 'may_run'] as const;
const targetCounts = z.partialRecord(z.union([targetState, z.literal(COUNTED_BESIDE)]), wholeNumber.min(1));
export type TargetCounts = Stored<typeof targetCounts>;
export type CountKey = keyof TargetCounts;

/** Sent, as far as is known: what became of the target is looked for until it ends. */
export const FOLLOWED_STATES = [
  'unknown',
  'accepted',
  'queued',
  'answered',
] as const satisfies readonly TargetState[];

/** Whether there still is something to find out. */
export function isFollowed({ state, endedAt }: Pick<RequestTarget, 'state' | 'endedAt'>): boolean {
  return endedAt === null && FOLLOWED_STATES.some((followed) => followed === state);
}

/** Whether the evidence says that it failed, which is more than that nothing proves it. */
export function hasFailed({ state, evidence }: Pick<RequestTarget, 'state' | 'evidence'>): boolean {
  return state === 'not_verified' && saysFailed(evidence);
}

/** Whether its check could not be made when it was due: its deadline has passed, and promises nothing any more. */
export function isLate({ evidence }: Pick<RequestTarget, 'evidence'>): boolean {
  return evidence.some(({ kind }) => kind === 'check-late');
}

/** How a target that ended is counted beside its state. */
export function endCounts(
  target: Pick<RequestTarget, 'state' | 'answeredAt' | 'evidence'>,
): readonly (readonly [CountKey, number])[] {
  return [
    ['failed', hasFailed(target) ? 1 : 0],
    ['may_run', mayRun(target) ? 1 : 0],
  ];
}

export function totalOf(counts: TargetCounts): number {
  return countIn(counts, TARGET_STATES);
}

/** How many of its targets an approval is about: of a rollout that was returned, those that were not sent before. */
export function undecidedIn({ ready = 0 }: TargetCounts): number {
  return ready;
}

/** How many devices that approval reaches, which is the number that is typed for it. */
export function devicesDecided({ counts, reach }: Pick<RequestRecord, 'counts' | 'reach'>): number {
  return undecidedIn(counts) * reach;
}

/** A request with its first targets: as many as are shown. */
export type RequestWithTargets = RequestRecord & {
  readonly targets: readonly RequestTarget[];
  /** Of a rollout, how many devices are offline and run it once they are back; absent: none, or not counted. */
  readonly offline?: number;
  /** Where the tickets are that its reason names, with `{id}` in place of the id. */
  readonly ticketUrl?: string | undefined;
};

export const requestRecord = z.object({
  organizationId: organizationField,
  id: requestField,
  /** Grows by one with each change of the request or of a target: the compare-and-set column. */
  version: wholeNumber,
  state: z.enum(REQUEST_STATES),
  action: actionSchema,
  /** Digest of the action and the facts about its targets, as shown on the card; null: nobody has to agree. */
  seal: nullableText,
  /** Digest of the action and its targets: at most one waiting request has it. Null: nobody has to agree. */
  fingerprint: nullableText,
  requesterId: personField,
  /** The Slack delivery that asked, so that a repeated delivery asks once. */
  requestKey: z.string(),
  reason: nullableText,
  createdAt: instantField,
  /** Until when it waits; null: nobody has to agree. */
  expiresAt: instantField.nullable(),
  decidedBy: personField.nullable(),
  decidedAt: instantField.nullable(),
  /** What whoever decided it said about it; null: nothing. */
  comment: nullableText,
  /** Who had approved it when it was last returned, and when; null: it was not. */
  approvedBy: personField.nullable(),
  approvedAt: instantField.nullable(),
  /** Why it was returned for approval, or withdrawn by Patchbay. */
  note: noteSchema.nullable(),
  /** When the first target was claimed. */
  startedAt: instantField.nullable(),
  /** When the last target ended. */
  endedAt: instantField.nullable(),
  /**
   * Devices that its person requested changes of in the hour up to it, with its own; null: it changes nothing, and counts
   * towards no limit.
   */
  askedLastHour: wholeNumber.nullable(),
  /** Those are so many that whoever approves it types the number of its devices. */
  typedCount: z.boolean(),
  /** Devices that each target reaches: those of the group or policy that it is about; otherwise 1. */
  reach: wholeNumber,
  /** Null: it is about one device, group or policy, without options. */
  rollout: rolloutSchema.nullable(),
  counts: targetCounts,
});
export type RequestRecord = Stored<typeof requestRecord>;

/** The packages that are sealed with a target, by machine name. */
export function missingOf({ facts }: { readonly facts: TargetFacts }): readonly string[] {
  return facts.deviceId === null ? [] : packageNames(facts.packages);
}

/** One device of a request, or the group that it is about. */
export const requestTarget = z.object({
  requestId: requestField,
  /** Null: the edit of a group, which concerns no device. */
  deviceId: deviceField.nullable(),
  /** Its place in the order in which the targets were given. */
  position: wholeNumber,
  displayName: z.string(),
  /** As sealed. */
  facts: targetFactsSchema,
  state: targetState,
  before: baseline,
  queueEntryId: queueEntryField.nullable(),
  issuedAt: instantField,
  acceptedAt: instantField.nullable(),
  queuedAt: instantField.nullable(),
  /** When its entry was first not listed in the queue any more. Null: it is listed, or never was. */
  missedAt: instantField.nullable(),
  answeredAt: instantField.nullable(),
  /** When verified, not_verified, not_sent or refused; or when we stopped looking for an unknown one. Null: open. */
  endedAt: instantField.nullable(),
  /** When it is to be looked at next, while it is followed; when it may be claimed next, while it is `ready`. Null: never, or at once. */
  nextAt: instantField.nullable(),
  /** What the device answered, cut. */
  response: nullableText,
  /** On what evidence the state stands, or why it is not known; empty: nothing is to be said. */
  evidence: z.array(evidenceSchema),
  /** After this the command is not followed any more. */
  deadlineAt: instantField,
});
export type RequestTarget = Stored<typeof requestTarget>;
