/** The record of a request that is just taken up: pure but for its new id. */

import type { Proposal } from '../../commands/core/command.ts';
import { type Instant, later } from '../../lib/clock.ts';
import { type ChannelId, newRequestId, type OrganizationId, type PersonId } from '../../lib/ids.ts';
import { startRollout } from '../../rollout/progress.ts';
import type { RequestRecord, RequestTarget } from '../../store/port/request-records.ts';
import { newTarget } from '../target.ts';
import { summarizeTargets } from './rollout-summary.ts';
import { APPROVAL_EXPIRY_MS, needsApproval, reachOf } from './rules.ts';
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

type RequestContext = { readonly organizationId: OrganizationId; readonly now: Instant };

export type NewRequest = {
  readonly request: Omit<RequestRecord, 'counts'>;
  readonly targets: readonly RequestTarget[];
};

/**
 * Sealed to the facts of the proposal and waiting, where somebody has to agree; else ready to run, and counted from
 * when the person asked for it. What else the person asked for lately is not known yet.
 */
export function newRequest(input: RequestInput, { organizationId, now }: RequestContext): NewRequest {
  const { proposal, requester, requestKey, askedAt = now } = input;
  const { command: action, targets: facts, reason, plan } = proposal;
  const id = newRequestId();
  const isDecided = !needsApproval(action);
  const createdAt = isDecided && askedAt < now ? askedAt : now;
  const sealed = { action, targets: facts, ...(plan ? { plan } : {}) };
  const request = {
    organizationId,
    id,
    version: 1,
    state: isDecided ? 'approved' : 'waiting',
    action,
    seal: isDecided ? null : seal(sealed),
    fingerprint: isDecided ? null : fingerprint(sealed),
    requesterId: requester,
    requestKey,
    reason,
    createdAt,
    expiresAt: isDecided ? null : later(now, APPROVAL_EXPIRY_MS),
    decidedBy: null,
    decidedAt: null,
    comment: null,
    approvedBy: null,
    approvedAt: null,
    note: null,
    startedAt: null,
    endedAt: null,
    askedLastHour: null,
    typedCount: false,
    reach: reachOf(facts),
    rollout:
      plan === undefined
        ? null
        : {
            ...startRollout(plan, now, summarizeTargets(facts, now, proposal)),
            endsAt: later(createdAt, plan.lastsMs),
          },
  } as const;
  return { request, targets: facts.map((one, position) => newTarget(id, one, { position, now })) };
}
