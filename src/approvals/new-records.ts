/** The new records of a request. Pure except for their ids. */

import type { Proposal } from '../commands/core/command.ts';
import { type Instant, later } from '../lib/clock.ts';
import {
  type ChannelId,
  newApprovalId,
  newOperationId,
  type OrganizationId,
  type PersonId,
} from '../lib/ids.ts';
import { newTarget } from '../operations/claim/target.ts';
import type { ApprovalRecord, OperationRecord } from '../store/port/records.ts';
import { APPROVAL_EXPIRY_MS } from './rules.ts';
import { fingerprint, seal } from './seal.ts';

/** What somebody asks for. */
export type RequestInput = {
  readonly proposal: Proposal;
  readonly requester: PersonId;
  /** Where it was asked. */
  readonly channel: ChannelId;
  /** Names the Slack delivery, so that a repeated one asks once. */
  readonly requestKey: string;
  /** When the person asked; absent: just now. */
  readonly askedAt?: Instant | undefined;
};

/** Waiting, sealed to the facts of the proposal. */
export function newApproval(
  input: RequestInput,
  organizationId: OrganizationId,
  now: Instant,
): ApprovalRecord {
  const { proposal, requester, requestKey } = input;
  return {
    organizationId,
    id: newApprovalId(),
    version: 1,
    state: 'waiting',
    command: proposal.command,
    targets: proposal.targets,
    seal: seal(proposal),
    fingerprint: fingerprint(proposal),
    requesterId: requester,
    requestKey,
    reason: proposal.reason,
    createdAt: now,
    expiresAt: later(now, APPROVAL_EXPIRY_MS),
    decidedBy: null,
    decidedAt: null,
    approvedBy: null,
    approvedAt: null,
    note: null,
    operationId: null,
  };
}

/** Ready, with nothing read and nothing sent. It counts from when the person asked for it. */
export function newOperation(
  input: RequestInput,
  organizationId: OrganizationId,
  now: Instant,
): OperationRecord {
  const { proposal, requester, requestKey, askedAt: requestedAt = now } = input;
  const id = newOperationId();
  return {
    organizationId,
    id,
    version: 1,
    approvalId: null,
    command: proposal.command,
    requesterId: requester,
    requestKey,
    reason: proposal.reason,
    createdAt: requestedAt < now ? requestedAt : now,
    targets: proposal.targets.map((facts) => newTarget(id, facts, now)),
  };
}
