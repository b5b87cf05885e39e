/**
 * A request from the moment somebody asked until every target of it ended: one record, and one row per target.
 * Instants are epoch milliseconds on the clock.
 */

import type { FleetAction } from '../../fleet/model/actions.ts';
import type { Instant } from '../../lib/clock.ts';
import type {
  DeviceId,
  OperationId,
  OrganizationId,
  PersonId,
  QueueEntryId,
  RequestId,
} from '../../lib/ids.ts';
import type { Rollout } from '../../rollout/progress.ts';
import { type EvidenceList, type RequestNote, saysFailed } from './evidence.ts';
import type { Baseline, TargetFacts, TargetState } from './records.ts';

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
 * How many targets are in each state; beside that, how many are `open` (not ended) and how many `failed` by their
 * evidence, which the state alone does not say. Absent: none.
 */
export type TargetCounts = Readonly<Partial<Record<CountKey, number>>>;
export type CountKey = TargetState | 'open' | 'failed';

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

/** How many targets are in one of these states. */
export function countIn(counts: TargetCounts, states: readonly TargetState[]): number {
  return states.reduce((sum, state) => sum + (counts[state] ?? 0), 0);
}

/** How many targets the request has. */
export function totalOf({ open: _, failed: __, ...states }: TargetCounts): number {
  return Object.values(states).reduce((sum, count) => sum + count, 0);
}

/** How many of its targets an approval is about: of a rollout that was returned, those that were not sent before. */
export function undecidedIn({ ready = 0 }: TargetCounts): number {
  return ready;
}

/** A request with its first targets: as many as are shown. */
export type RequestWithTargets = RequestRecord & {
  readonly targets: readonly RequestTarget[];
  /** Of a rollout, how many devices are offline and run it once they are back; absent: none, or not counted. */
  readonly offline?: number;
};

export type RequestRecord = {
  readonly organizationId: OrganizationId;
  readonly id: RequestId;
  /** Grows by one with each change of the request or of a target: the compare-and-set column. */
  readonly version: number;
  readonly state: RequestState;
  readonly action: FleetAction;
  /** Digest of the action and the facts about its targets, as shown on the card; null: nobody has to agree. */
  readonly seal: string | null;
  /** Digest of the action and its targets: at most one waiting request has it. Null: nobody has to agree. */
  readonly fingerprint: string | null;
  readonly requesterId: PersonId;
  /** The Slack delivery that asked, so that a repeated delivery asks once. */
  readonly requestKey: string;
  readonly reason: string | null;
  /** When the person asked. */
  readonly createdAt: Instant;
  /** Until when it waits; null: nobody has to agree. */
  readonly expiresAt: Instant | null;
  readonly decidedBy: PersonId | null;
  readonly decidedAt: Instant | null;
  /** Who had approved it when it was last returned, and when; null: it was not, or that is not known. */
  readonly approvedBy: PersonId | null;
  readonly approvedAt: Instant | null;
  /** Why it was returned for approval, or withdrawn by Patchbay. */
  readonly note: RequestNote | null;
  /** When the first target was claimed. */
  readonly startedAt: Instant | null;
  /** When the last target ended. */
  readonly endedAt: Instant | null;
  /** Its operation before requests and operations became one record; buttons and audit lines of then name it. */
  readonly operationId: OperationId | null;
  /** Null: its devices are sent one after the other, in no waves. */
  readonly rollout: Rollout | null;
  readonly counts: TargetCounts;
};

/** The packages that are sealed with a target. */
export function missingOf({ facts }: { readonly facts: TargetFacts | null }): readonly string[] {
  return facts === null || facts.deviceId === null ? [] : facts.missing;
}

/** One device of a request, or the group that it is about. */
export type RequestTarget = {
  readonly requestId: RequestId;
  /** Null: the edit of a group, which concerns no device. */
  readonly deviceId: DeviceId | null;
  /** Its place in the order in which the targets were given. */
  readonly position: number;
  readonly displayName: string;
  /** As sealed; null where a record from before had none. */
  readonly facts: TargetFacts | null;
  readonly state: TargetState;
  readonly before: Baseline;
  readonly queueEntryId: QueueEntryId | null;
  readonly issuedAt: Instant;
  readonly acceptedAt: Instant | null;
  readonly queuedAt: Instant | null;
  /** When its entry was first not listed in the queue any more. Null: it is listed, or never was. */
  readonly missedAt: Instant | null;
  readonly answeredAt: Instant | null;
  /** When verified, not_verified, not_sent or refused; or when we stopped looking for an unknown one. Null: open. */
  readonly endedAt: Instant | null;
  /** When it is to be looked at next, while it is followed; when it may be claimed next, while it is `ready`. Null: never, or at once. */
  readonly nextAt: Instant | null;
  /** What the device answered, cut. */
  readonly response: string | null;
  /** On what evidence the state stands, or why it is not known; empty: nothing is to be said. */
  readonly evidence: EvidenceList;
  /** After this the command is not followed any more. */
  readonly deadlineAt: Instant;
};
