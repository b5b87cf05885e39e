/**
 * A request from the moment somebody asked until every target of it ended: one record, and one row per target; and the
 * ports to them. Instants are epoch milliseconds on the clock.
 */
import { z } from 'zod';
import { packageNames, type TargetFacts, targetFactsSchema } from '../../fleet/facts/facts.ts';
import { actionSchema, type FleetAction, type TargetAction } from '../../fleet/model/actions.ts';
import { type Instant, MINUTE } from '../../lib/clock.ts';
import { type DeviceId, type PersonId, type RequestId, requestId } from '../../lib/ids.ts';
import {
  deviceField,
  eventField,
  instantField,
  nullableFlag,
  nullableNumber,
  nullableText,
  organizationField,
  personField,
  queueEntryField,
  type Stored,
  wholeNumber,
} from '../../lib/record-fields.ts';
import { rolloutSchema } from '../../rollout/progress.ts';
import { countIn, mayRun } from '../../rollout/results.ts';
import { requestRules } from '../../rules/quorum.ts';
import { type EvidenceList, evidenceSchema, noteSchema, saysFailed } from './evidence.ts';

/**
 * `ready`: stored but not claimed; nothing was sent. `issuing`: the claim, written before the one POST. `not_sent`:
 * ended before that; nothing left Patchbay, and nothing failed. `not_needed`: so did what there was nothing left to do
 * for. `refused`: certainly not carried out. The others are the product's states, each based on evidence.
 */
export const TARGET_STATES = [
  'ready',
  'issuing',
  'refused',
  'unknown',
  'accepted',
  'queued',
  'answered',
  'verified',
  'not_verified',
  'not_sent',
  'not_needed',
] as const;
export type TargetState = (typeof TARGET_STATES)[number];
/** Ended, and nothing left Patchbay. */
export const UNSENT_STATES = ['not_sent', 'not_needed'] as const satisfies readonly TargetState[];

export function isUnsent(state: TargetState): boolean {
  return UNSENT_STATES.some((unsent) => unsent === state);
}

const policyBaseline = z.object({
  /** Null: the service did not say. */
  status: nullableNumber,
  /** When the service wrote that status. */
  statusTime: instantField.nullable(),
  /** Highest id among the events of this policy on the device; null: there was none. */
  lastEventId: eventField.nullable(),
});
export type PolicyBaseline = Stored<typeof policyBaseline>;

/**
 * What a proof is compared with: the device just before the command, updated as long as the command waits in the
 * queue.
 */
export const baseline = z.object({
  at: instantField,
  connected: nullableFlag,
  lastRefreshTime: instantField.nullable(),
  lastDisconnectTime: instantField.nullable(),
  uptime: nullableNumber,
  needsReboot: nullableFlag,
  /** Ids in the queue before the POST: a new entry of our type after it is ours. */
  queueIds: z.array(queueEntryField),
  /** Missing packages before, by machine name. */
  missing: z.array(z.string()),
  /** The device's status under the command's policy; null for commands without one. */
  policy: policyBaseline.nullable(),
  /** Highest id among the device's events; null: there was none. Absent: they were not read. */
  lastEventId: eventField.nullable().exactOptional(),
  /**
   * Where the device was read some time before the claim: the claim's time by the clock of the service. What the service
   * dates before it is no effect. Absent: the device was read right before the claim.
   */
  from: instantField.exactOptional(),
  /** How far the clock of the service was ahead of ours at the claim. Absent: not known. */
  aheadMs: z.number().exactOptional(),
});
export type Baseline = Stored<typeof baseline>;

const requestField = z.string().transform(requestId);
const targetState = z.enum(TARGET_STATES);

/**
 * `waiting`: somebody has to agree first. `approved`: it may run, and all of it may still be claimed; changed facts or a
 * pause may still return it. `running`: of at least one target that is not so, because it was claimed or ended unsent.
 * `ended`: no target is open any more.
 */
const REQUEST_STATES = ['waiting', 'denied', 'expired', 'withdrawn', 'approved', 'running', 'ended'] as const;
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
  /** Who has to agree, and who did. */
  rules: requestRules,
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

/** Requests in one answer of the store. */
export const MAX_LISTED = 500;
/** Nothing is put off for longer before it is claimed: a later time was written by a clock that was set back since. */
export const MAX_CLAIM_WAIT_MS = 30 * MINUTE;

export type RequestStore = {
  /**
   * Stores a request with its targets, whose positions count from 0 without gaps, and their counts. `exists` when the
   * same delivery asked before, or where a waiting request has the same fingerprint; it carries that one.
   */
  readonly insert: (
    request: Omit<RequestRecord, 'counts'>,
    targets: readonly RequestTarget[],
  ) => Promise<{ readonly kind: 'inserted' } | { readonly kind: 'exists'; readonly request: RequestRecord }>;
  readonly get: (id: RequestId) => Promise<RequestRecord | null>;
  readonly byRequestKey: (requestKey: string) => Promise<RequestRecord | null>;
  /**
   * Writes the request if its version still is `next.version - 1`; counts stay as they are, and so does what was asked
   * for: the action, who asked, by which delivery and when. False: it changed, or it would wait while another waiting
   * request has its fingerprint.
   */
  readonly replace: (next: Omit<RequestRecord, 'counts'>) => Promise<boolean>;
  /** The counts of each wave of a rollout, by its index; empty where it goes in no waves. */
  readonly waveCounts: (id: RequestId) => Promise<readonly TargetCounts[]>;
  /** Whoever records for the same person waits until this transaction ends, so that no two count the same. */
  readonly lockRequester: (person: PersonId) => Promise<void>;
  /**
   * Devices that the changes reach which the person requested since then: those that were sent, or still may be.
   */
  readonly requestedSince: (person: PersonId, since: Instant) => Promise<number>;
  /** Whoever lets something run by a rule waits until this transaction ends, so that no two count the same. */
  readonly lockRuns: () => Promise<void>;
  /** How many devices each rule let through without an approval, in requests made since then. */
  readonly ranByRule: (since: Instant) => Promise<ReadonlyMap<string, number>>;
  /** Up to `limit` (at most {@link MAX_LISTED}), the newest first unless the filter says otherwise. */
  readonly list: (filter: RequestFilter, limit: number) => Promise<readonly RequestRecord[]>;
};

export type RequestFilter = {
  readonly states?: readonly RequestState[];
  readonly requesterId?: PersonId;
  /** Only those that somebody has to agree to. */
  readonly needsApproval?: true;
  readonly inWaves?: true;
  readonly device?: DeviceId;
  /** Only those that come after this one in the list. */
  readonly after?: Pick<RequestRecord, 'createdAt' | 'id'>;
  readonly oldestFirst?: true;
  /** Only those that were decided, or expired, then or later. */
  readonly decidedFrom?: Instant;
};

/** A target as it becomes, if it still is in state `from`; from `issuing` only where it is the same claim, by its time. */
export type TargetMove = {
  readonly from: TargetState;
  readonly next: RequestTarget;
  /** Nothing that a card shows is different. */
  readonly quiet?: boolean;
};

/** Positions from `from` up to but not including `to`. */
export type PositionRange = { readonly from: number; readonly to: number };

export type TargetStore = {
  /**
   * In their order; up to `limit`, those after position `after` and before position `before`, with `limit` without the
   * first `skip` of these. Absent: of all states, and all of them.
   */
  readonly of: (
    request: RequestId,
    options?: {
      readonly states?: readonly TargetState[];
      readonly limit?: number;
      readonly after?: number;
      readonly before?: number;
      readonly skip?: number;
    },
  ) => Promise<readonly RequestTarget[]>;
  /** Those of a request on these devices, in their order. */
  readonly onDevices: (request: RequestId, devices: readonly DeviceId[]) => Promise<readonly RequestTarget[]>;
  /** The first of several requests at once, up to `limit` of each; each request has its entry. */
  readonly ofEach: (
    requests: readonly RequestId[],
    limit: number,
  ) => Promise<ReadonlyMap<RequestId, readonly RequestTarget[]>>;
  /**
   * How many targets of each of these requests, which are no more than a list has, are in one of these states with a
   * deadline after `after`, if any.
   */
  readonly countDueAfter: (
    requests: readonly RequestId[],
    states: readonly TargetState[],
    after: Instant,
  ) => Promise<ReadonlyMap<RequestId, number>>;
  /**
   * Writes these targets of one request that still are where they were and have not ended, adjusts its counts and its
   * version, and gives those that were written; their positions stay. Each target at most once. Where none was written, nothing changes. A
   * target that was sent and not seen in the queue yet is the only one of its device and action, or of the thing that it
   * edits; a second one throws. Holds the request's row until the transaction ends.
   */
  readonly move: (request: RequestId, moves: readonly TargetMove[]) => Promise<readonly RequestTarget[]>;
  /** Writes this target of a request, whose version grows by one, as if nothing had been done yet; throws where it is not `ready`. */
  readonly reset: (target: RequestTarget) => Promise<void>;
  /** Writes the facts of these `ready` targets of a request, whose version grows by one; throws where one is not. */
  readonly refreeze: (request: RequestId, targets: readonly RequestTarget[]) => Promise<void>;
  /** Those of these claims of one request that still are `issuing` since the same time: nobody took them over. */
  readonly stillClaimed: (claims: readonly RequestTarget[]) => Promise<readonly RequestTarget[]>;
  /**
   * Ends all `ready` targets of a request as `not_sent` and adjusts its counts and its version, without reading the
   * targets; gives how many there were. Holds the request's row until the transaction ends.
   */
  readonly endReady: (request: RequestId, evidence: EvidenceList, now: Instant) => Promise<number>;
  /**
   * `ready` ones at these positions that may be claimed at `now`, in their order; up to `limit`. See
   * {@link MAX_CLAIM_WAIT_MS}.
   */
  readonly claimable: (
    request: RequestId,
    now: Instant,
    limit: number,
    range: PositionRange,
  ) => Promise<readonly RequestTarget[]>;
  /** When the last one was claimed that is not `ready` any more; null: none was. */
  readonly lastClaimAt: (request: RequestId) => Promise<Instant | null>;
  /** Followed ones that are to be looked at by `now`, the longest due first; up to `limit`. */
  readonly due: (request: RequestId, now: Instant, limit: number) => Promise<readonly RequestTarget[]>;
  /** Followed ones of any request on these devices. */
  readonly followedOn: (devices: readonly DeviceId[]) => Promise<readonly RequestTarget[]>;
  /** Followed ones whose deadline is not after `until`, in their order; up to `limit`. */
  readonly followedUntil: (
    request: RequestId,
    until: Instant,
    limit: number,
  ) => Promise<readonly RequestTarget[]>;
  /** Followed ones on these devices that are due later become due at `now`; gives their requests. */
  readonly hasten: (devices: readonly DeviceId[], now: Instant) => Promise<readonly RequestId[]>;
  /** The earliest `nextAt` of an open target in one of these states; null where none has one. */
  readonly nextAt: (request: RequestId, states: readonly TargetState[]) => Promise<Instant | null>;
  /**
   * Targets of any request that were claimed and are not ended, and with which this action would collide, the oldest
   * first: the same command on this device, or any edit of the same thing. Null: the action concerns no device.
   */
  readonly open: (deviceId: DeviceId | null, action: TargetAction) => Promise<readonly RequestTarget[]>;
  /** Actions of these kinds that ended after `since`: on which device, and when. */
  readonly endedSince: (
    since: Instant,
    kinds: readonly FleetAction['kind'][],
  ) => Promise<readonly { readonly deviceId: DeviceId; readonly at: Instant }[]>;
};
