/** One target of a request, before and right after it is sent: pure. */

import type { TargetFacts } from '../fleet/facts/facts.ts';
import type { EditOutcome, FleetError, IssueOutcome, Removed } from '../fleet/fleet.ts';
import {
  actionOn,
  type FleetAction,
  isEdit,
  isRemoval,
  recordKindOf,
  type TargetAction,
} from '../fleet/model/actions.ts';
import type { Instant } from '../lib/clock.ts';
import type { RequestId } from '../lib/ids.ts';
import type { SendAnswer } from '../rollout/progress.ts';
import type { Evidence, EvidenceList } from '../store/port/evidence.ts';
import {
  missingOf,
  type RequestRecord,
  type RequestTarget,
  type TargetMove,
  type TargetState,
} from '../store/port/request-records.ts';
import { errorFactsOf } from './clip.ts';
import { initialDeadline } from './look-schedule.ts';
import { concludeEdit, concludeRemoval, type EditFindings } from './proof/record-outcome.ts';

/** What is done with this target: of a patch of many devices, the packages that are sealed with it. */
export function targetAction(action: FleetAction, target: Pick<RequestTarget, 'facts'>): TargetAction {
  return actionOn(action, missingOf(target));
}

/** Stored, nothing read and nothing sent. */
export function newTarget(
  requestId: RequestId,
  facts: TargetFacts,
  { position, now }: { readonly position: number; readonly now: Instant },
): RequestTarget {
  return {
    requestId,
    deviceId: facts.deviceId,
    position,
    displayName: facts.displayName,
    facts,
    state: 'ready',
    before: {
      at: now,
      connected: null,
      lastRefreshTime: null,
      lastDisconnectTime: null,
      uptime: null,
      needsReboot: null,
      queueIds: [],
      missing: [],
      policy: null,
    },
    queueEntryId: null,
    issuedAt: now,
    acceptedAt: null,
    queuedAt: null,
    missedAt: null,
    answeredAt: null,
    endedAt: null,
    nextAt: null,
    response: null,
    evidence: [],
    deadlineAt: initialDeadline(now, null),
  };
}

/** Ended before anything was sent; nothing failed. */
export function notSent(target: RequestTarget, why: Evidence | EvidenceList, now: Instant): RequestTarget {
  const evidence = [why].flat();
  const state = evidence.some(({ kind }) => kind === 'not-needed') ? 'not_needed' : 'not_sent';
  return { ...target, state, endedAt: now, nextAt: null, evidence };
}

/** Certainly not taken by the service: it may be claimed again at `retryAt`. */
export function unsent(target: RequestTarget, why: Evidence, retryAt: Instant): RequestTarget {
  return { ...target, state: 'ready', nextAt: retryAt, evidence: [why] };
}

/** Not read yet before it is sent; `nextAt`: when it is read again, null where that is the request's own time. */
export function notReadYet(target: RequestTarget, error: FleetError, nextAt: Instant | null): RequestTarget {
  return { ...target, nextAt, evidence: [{ kind: 'not-read-yet', error: errorFactsOf(error) }] };
}

export function unsentBecause(error: FleetError): Evidence {
  return { kind: 'unsent', error: errorFactsOf(error) };
}

/** What became of the one call for a target. */
export type TargetOutcome = IssueOutcome | EditOutcome<EditFindings | Removed>;
/** The same where the service took it, refused it, or may have taken it. */
export type SentOutcome = Exclude<TargetOutcome, { kind: 'withheld' | 'unsent' }>;

export function afterSending(
  target: RequestTarget,
  action: FleetAction,
  outcome: SentOutcome,
  now: Instant,
): RequestTarget {
  switch (outcome.kind) {
    case 'accepted': {
      const evidence = [{ kind: 'accepted', inQueue: 'not-yet' } as const];
      return { ...target, state: 'accepted', acceptedAt: now, evidence };
    }
    case 'done':
      return afterChange({ ...target, acceptedAt: now }, action, outcome.result, now);
    case 'refused':
      return { ...target, state: 'refused', endedAt: now, evidence: [refusal(outcome.error)] };
    case 'unknown': {
      const lost = { kind: 'answer-lost', error: errorFactsOf(outcome.error) } as const;
      return { ...target, state: 'unknown', evidence: [lost, { kind: 'looking' }] };
    }
  }
}

/** Whether the move takes a target that was not sent, to send it. */
export function isClaim({ from, next }: TargetMove): boolean {
  return from === 'ready' && next.state === 'issuing';
}

/** What came of the call behind these moves; null: none was sent, or whether it was answered is not known. */
export function answerOf(moves: readonly TargetMove[]): SendAnswer | null {
  const sent = moves.filter(({ from }) => from === 'issuing').map(({ next }) => next);
  if (sent.some(({ state }) => !WITHOUT_ANSWER.has(state))) return 'answered';
  return sent.some(({ evidence }) => evidence[0]?.kind === 'answer-lost') ? 'lost' : null;
}

/** After a claim: given back, ended unsent, or not known. */
const WITHOUT_ANSWER: ReadonlySet<TargetState> = new Set(['ready', 'issuing', 'not_sent', 'unknown']);

function afterChange(
  target: RequestTarget,
  action: FleetAction,
  result: EditFindings | Removed,
  now: Instant,
): RequestTarget {
  if (isEdit(action) && !('gone' in result)) return concludeEdit(target, action, result, now);
  if (isRemoval(action) && 'gone' in result)
    return concludeRemoval(target, { ...result, thing: recordKindOf(action) }, now);
  throw new Error(`request ${target.requestId}: the answer to another kind of call`);
}

/** By Patchbay itself, before anything was sent, or by the service. */
function refusal(error: FleetError): Evidence {
  return error.fault === undefined
    ? { kind: 'refused', error: errorFactsOf(error) }
    : { kind: 'unsendable', fault: error.fault };
}

/** Found claimed, with no word of what became of it: the process ended in between. It may have been sent. */
export function afterInterruption(target: RequestTarget): RequestTarget {
  return { ...target, state: 'unknown', evidence: [{ kind: 'interrupted' }, { kind: 'looking' }] };
}

/** Since when a request is due: when it was approved, or when it was asked where nobody had to agree. */
export type DueSince = { readonly since: Instant; readonly how: 'requested' | 'approved' };

/** Null: a rollout has an end of its own, and is paused where it should have gone on and could not. */
export function dueSince({ decidedAt, createdAt, expiresAt, rollout }: RequestRecord): DueSince | null {
  if (rollout !== null) return null;
  return expiresAt === null
    ? { since: createdAt, how: 'requested' }
    : { since: decidedAt ?? createdAt, how: 'approved' };
}

/** Whether a card shows no difference: what a proof is compared with, and when it is looked at next, is on none. */
export function isShownAlike(before: RequestTarget, after: RequestTarget): boolean {
  const { before: baseline, missedAt, nextAt } = before;
  return JSON.stringify({ ...after, before: baseline, missedAt, nextAt }) === JSON.stringify(before);
}
