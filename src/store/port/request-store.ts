/** Requests and their targets, as the rest of the product uses them. */

import type { FleetAction, TargetAction } from '../../fleet/model/actions.ts';
import { type Instant, MINUTE } from '../../lib/clock.ts';
import type { DeviceId, PersonId, RequestId } from '../../lib/ids.ts';
import type { EvidenceList } from './evidence.ts';
import type { TargetState } from './records.ts';
import type { RequestRecord, RequestState, RequestTarget, TargetCounts } from './request-records.ts';

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
