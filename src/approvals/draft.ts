/** The records of a proposal that is just taken up: pure but for their new ids. */
import { type Instant, later } from '../clock.ts';
import type { Proposal } from '../commands/command.ts';
import { type ChannelId, newApprovalId, newOperationId, type OrganizationId, type PersonId } from '../ids.ts';
import { readyTarget } from '../operations/target.ts';
import type { ApprovalRecord, OperationRecord } from '../store/records.ts';
import { EXPIRY_MS } from './policy.ts';
import { fingerprint, seal } from './seal.ts';

/** What somebody asks for. */
export type RequestOrder = {
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
  order: RequestOrder,
  organizationId: OrganizationId,
  now: Instant,
): ApprovalRecord {
  const { proposal, requester, requestKey } = order;
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
    expiresAt: later(now, EXPIRY_MS),
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
  order: RequestOrder,
  organizationId: OrganizationId,
  now: Instant,
): OperationRecord {
  const { proposal, requester, requestKey, askedAt = now } = order;
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
    createdAt: askedAt < now ? askedAt : now,
    targets: proposal.targets.map((facts) => readyTarget(id, facts, now)),
  };
}
