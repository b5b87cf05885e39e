/**
 * What can happen to a request, as a pure machine: `waiting` becomes `approved`, `denied`, `expired` or `withdrawn`.
 * Only `approved` goes on: it runs, or returns to `waiting` when facts changed before anything was sent. A rollout returns
 * with what is left of it; where nobody approves that, it is stopped, and what ran stays. Everything else is refused with
 * a reason of its own.
 */
import { checkPermission, type Role } from '../../lib/access.ts';
import { type Instant, instant, later } from '../../lib/clock.ts';
import type { PersonId, RequestId, UserGroupId } from '../../lib/ids.ts';
import { afterApproval } from '../../rollout/progress.ts';
import type { RolloutSummary } from '../../rollout/summary.ts';
import {
  counts,
  escalatedAs,
  mayAgree,
  type RequestRules,
  type UnmetDemand,
  unmet,
} from '../../rules/quorum.ts';
import type { RefusingRule } from '../../rules/rules.ts';
import type { RequestNote } from '../../store/port/evidence.ts';
import {
  type DecidedState,
  devicesDecided,
  type RequestRecord,
  totalOf,
  undecidedIn,
} from '../../store/port/request-records.ts';
import type { PauseRecord } from '../../store/port/settings-records.ts';
import type { ControlRefusal } from './rollout-machine.ts';

export type RequestEvent =
  /** `seal` is the one that the window was opened for; `devices` the number that was typed. */
  | {
      readonly kind: 'approve' | 'deny';
      readonly by: PersonId;
      readonly role: Role | null;
      readonly seal: string;
      readonly devices?: number | undefined;
      readonly comment?: string | undefined;
      /** The user groups of the rules that they are in now. */
      readonly groups?: readonly UserGroupId[];
      readonly asked?: AskedByNow;
    }
  | { readonly kind: 'withdraw'; readonly by: PersonId }
  | { readonly kind: 'add-reason'; readonly by: PersonId; readonly reason: string }
  /** The rules ask for something else while it waits. It never approves. */
  | { readonly kind: 'ask-anew'; readonly seal: string | null; readonly asked: NonNullable<AskedByNow> }
  | { readonly kind: 'expire' }
  /** Slack refuses the card for good, so nobody could ever decide. */
  | { readonly kind: 'unposted'; readonly note: RequestNote }
  /** Not what was approved any more: asked again with what is true now. */
  | {
      readonly kind: 'return';
      readonly seal: string;
      readonly note: RequestNote;
      readonly reach?: number;
      /** Who has to agree to it as it is now, and how long it waits. */
      readonly asks: Pick<RequestRules, 'digest' | 'demands'> & { readonly expiresMs: number };
      /** What is left of a rollout, and how many of so many devices changed. */
      readonly rest?: { readonly summary: RolloutSummary; readonly bad: number; readonly ended: number };
    };

/** What the rules ask for by now; undefined: what they asked for. */
export type AskedByNow =
  | { readonly kind: 'refused'; readonly rules: readonly RefusingRule[] }
  | ({ readonly kind: 'asked' } & Pick<RequestRules, 'digest' | 'demands'>)
  | undefined;

/** Why an event does not happen. */
export type Refusal =
  | {
      readonly kind: 'already';
      readonly state: DecidedState;
      readonly by: PersonId | null;
      readonly at: Instant | null;
    }
  | { readonly kind: 'own-request' }
  | { readonly kind: 'not-requester' }
  /** A reason was given before; an approver may have read it, so it stays. */
  | { readonly kind: 'reason-given'; readonly reason: string }
  | { readonly kind: 'not-allowed'; readonly need: Role; readonly role: Role | null }
  | { readonly kind: 'stale-card' }
  /** They agreed before, and others still have to. */
  | { readonly kind: 'agreed-before'; readonly at: Instant; readonly unmet: readonly UnmetDemand[] }
  /** Others decide what is still missing. */
  | { readonly kind: 'others-decide'; readonly unmet: readonly UnmetDemand[] }
  /** By a rule nobody can approve it, by now. */
  | { readonly kind: 'rule-refuses'; readonly rules: readonly RefusingRule[] }
  /** It is about so many devices that their number has to be typed. */
  | { readonly kind: 'count-not-typed' };

export type Decision = 'approve' | 'deny' | 'withdraw';
export type DecisionInput = {
  readonly requestId: RequestId;
  readonly person: PersonId;
  /** As it is now, not as it was when the card was drawn. */
  readonly role: Role | null;
  readonly decision: Decision;
  /** The seal on the card that was pressed. */
  readonly seal: string;
  /** The number of devices that the person typed. */
  readonly devices?: number | undefined;
  /** What the person says about the decision. */
  readonly comment?: string | undefined;
  /** The user groups of the rules that they are in now. */
  readonly groups?: readonly UserGroupId[];
};
/** What became of what somebody decided about a request, or about its rollout. */
export type DecisionResult =
  | { readonly kind: 'decided'; readonly request: RequestRecord }
  /** By this very person, before: a second press, or the first one that is worked off again after a stop. */
  | { readonly kind: 'repeated'; readonly request: RequestRecord }
  | { readonly kind: 'refused'; readonly refusal: Refusal | ControlRefusal }
  /** Nothing begins or goes on while changes are paused for everybody. */
  | { readonly kind: 'paused'; readonly pause: PauseRecord }
  | { readonly kind: 'absent' };
type TransitionResult =
  | { readonly kind: 'next'; readonly request: RequestRecord }
  | { readonly kind: 'refused'; readonly refusal: Refusal };

/** The request after `event`, or why it does not happen. */
export function transition(request: RequestRecord, event: RequestEvent, now: Instant): TransitionResult {
  switch (event.kind) {
    case 'approve':
    case 'deny':
    case 'withdraw':
    case 'add-reason': {
      const refusal = decisionRefusal(request, event, now);
      return refusal === null
        ? withPatch(request, patchOf(request, event, now))
        : { kind: 'refused', refusal };
    }
    case 'ask-anew':
      // Another seal was judged when it was returned with it.
      return request.state === 'waiting' && request.seal === event.seal
        ? withPatch(request, { rules: askedNow(request.rules, event) })
        : alreadyDecidedResult(request);
    case 'expire':
      return request.state === 'waiting' && isExpired(request, now)
        ? withPatch(request, endedPatch(request, 'expired', { by: null, now }))
        : alreadyDecidedResult(request);
    case 'unposted':
      return request.state === 'waiting'
        ? withPatch(request, { ...endedPatch(request, 'withdrawn', { by: null, now }), note: event.note })
        : alreadyDecidedResult(request);
    case 'return':
      return mayReturn(request)
        ? withPatch(request, returnedPatch(request, event, now))
        : alreadyDecidedResult(request);
  }
}

/** Why a person cannot do this; null where they can. */
export function decisionRefusal(request: RequestRecord, event: PersonEvent, now: Instant): Refusal | null {
  return alreadyDecided(request, now) ?? notAllowed(request, event);
}

type RequestPatch = Partial<RequestRecord>;
type PersonEvent = Extract<RequestEvent, { readonly by: PersonId }>;

function patchOf(request: RequestRecord, event: PersonEvent, now: Instant): RequestPatch {
  const { rollout } = request;
  switch (event.kind) {
    case 'approve': {
      const rules = withApproval(request.rules, event, now);
      if (unmet(rules).length > 0) return { rules };
      return {
        rules,
        state: hasRun(request) ? 'running' : 'approved',
        decidedBy: event.by,
        decidedAt: now,
        comment: event.comment ?? null,
        ...(rollout === null ? {} : { rollout: afterApproval(rollout, now) }),
      };
    }
    case 'deny':
      return endedPatch(request, 'denied', { by: event.by, now, comment: event.comment });
    case 'withdraw':
      return endedPatch(request, 'withdrawn', { by: event.by, now });
    case 'add-reason':
      return { reason: event.reason };
  }
}

/** An approval counts as of when it was given, whatever its person's groups are later. */
function withApproval(rules: RequestRules, event: ApproveEvent, now: Instant): RequestRules {
  const said = event.comment === undefined ? {} : { comment: event.comment };
  const approval = { by: event.by, at: now, groups: event.groups ?? [], ...said };
  const others = rules.approvals.filter(({ by }) => by !== event.by);
  return { ...askedNow(rules, event), approvals: [...others, approval] };
}

/** What a rule that refuses asked for before stays. */
export function askedNow(rules: RequestRules, { asked }: Pick<ApproveEvent, 'asked'>): RequestRules {
  if (asked === undefined) return rules;
  if (asked.kind === 'refused') return { ...rules, refusedBy: asked.rules };
  const { digest } = asked;
  return { ...rules, digest, demands: escalatedAs(asked.demands, rules.demands), refusedBy: [] };
}

type ApproveEvent = Extract<RequestEvent, { kind: 'approve' | 'deny' }>;

/** Whether some of it was sent, or left out, before it was returned. */
function hasRun({ counts }: RequestRecord): boolean {
  return undecidedIn(counts) < totalOf(counts);
}

/** It ends without an approval. A rollout that ran is stopped, and stays with those who had approved it. */
function endedPatch(
  request: RequestRecord,
  state: 'denied' | 'withdrawn' | 'expired',
  { by, now, comment }: EndedBy,
): RequestPatch {
  const { rollout, approvedBy: decidedBy, approvedAt: decidedAt } = request;
  if (rollout !== null && hasRun(request))
    return {
      state: 'running',
      decidedBy,
      decidedAt,
      rollout: {
        ...rollout,
        hold: { kind: 'stopped', by, at: now, ...(comment === undefined ? {} : { comment }) },
      },
    };
  return { state, decidedAt: now, comment: comment ?? null, ...(by === null ? {} : { decidedBy: by }) };
}

type EndedBy = {
  readonly by: PersonId | null;
  readonly now: Instant;
  readonly comment?: string | undefined;
};

/** As long as nothing was sent; of a rollout that goes on what is left, unless a call of it is in flight. */
function mayReturn({ state, expiresAt, rollout, counts }: RequestRecord): boolean {
  if (expiresAt === null) return false;
  if (state === 'approved') return true;
  return state === 'running' && rollout?.hold === null && (counts.issuing ?? 0) === 0;
}

function returnedPatch(
  { decidedBy, decidedAt, rollout, typedCount, rules, reach: before }: RequestRecord,
  { seal, note, rest, asks, reach = before }: Extract<RequestEvent, { kind: 'return' }>,
  now: Instant,
): RequestPatch {
  return {
    state: 'waiting',
    seal,
    note,
    expiresAt: later(now, asks.expiresMs),
    rules: { ...rules, digest: asks.digest, demands: asks.demands, approvals: [], since: now, refusedBy: [] },
    decidedBy: null,
    decidedAt: null,
    comment: null,
    approvedBy: decidedBy,
    approvedAt: decidedAt,
    // Whoever asked gave a reason for fewer devices, if for any.
    typedCount: typedCount || reach > before,
    reach,
    ...(rollout === null || rest === undefined ? {} : { rollout: { ...rollout, summary: rest.summary } }),
  };
}

function isExpired({ expiresAt }: RequestRecord, now: Instant): boolean {
  return expiresAt !== null && now >= expiresAt;
}

/** Past its time it counts as expired, whether or not its work has run. */
function alreadyDecided(request: RequestRecord, now: Instant): Refusal | null {
  if (request.state !== 'waiting') return decisionOf(request);
  return isExpired(request, now)
    ? { kind: 'already', state: 'expired', by: null, at: request.expiresAt }
    : null;
}

function decisionOf({ state, decidedBy: by, decidedAt: at }: RequestRecord): Refusal {
  return { kind: 'already', state: decidedState(state), by, at };
}

/** What was decided about a request in this state. */
export function decidedState(state: RequestRecord['state']): DecidedState {
  return state === 'running' || state === 'ended' ? 'approved' : state;
}

function notAllowed(request: RequestRecord, event: PersonEvent): Refusal | null {
  const isOwn = event.by === request.requesterId;
  switch (event.kind) {
    case 'approve':
    case 'deny': {
      if (isOwn) return { kind: 'own-request' };
      const access = checkPermission(event.role, 'approve');
      if (!access.allowed) return { kind: 'not-allowed', need: access.needed, role: event.role };
      if (event.seal !== request.seal) return { kind: 'stale-card' };
      if (event.kind === 'deny') return null;
      const isCounted = !request.typedCount || event.devices === devicesDecided(request);
      return notCounted(request, event) ?? (isCounted ? null : { kind: 'count-not-typed' });
    }
    case 'withdraw':
      return isOwn ? null : { kind: 'not-requester' };
    case 'add-reason': {
      if (!isOwn) return { kind: 'not-requester' };
      // What an approver has read stays: another reason is another request.
      return request.reason === null ? null : { kind: 'reason-given', reason: request.reason };
    }
  }
}

/** Why this approval brings the request no nearer. */
function notCounted({ rules: stored }: RequestRecord, event: ApproveEvent): Refusal | null {
  if (event.asked?.kind === 'refused') return { kind: 'rule-refuses', rules: event.asked.rules };
  const rules = askedNow(stored, event);
  const left = unmet(rules);
  const before = rules.approvals.find(({ by }) => by === event.by);
  const approval = { by: event.by, at: instant(0), groups: event.groups ?? [] };
  // A lowered demand is used by the next press, also of somebody who agreed before; and so are groups that count since.
  if (left.length === 0 && mayAgree(rules.demands, approval)) return null;
  if (counts(rules, approval)) return null;
  return before === undefined
    ? {
        kind: 'others-decide',
        unmet: left.length > 0 ? left : rules.demands.map((demand) => ({ demand, missing: [] })),
      }
    : { kind: 'agreed-before', at: before.at, unmet: left };
}

function withPatch(request: RequestRecord, patch: RequestPatch): TransitionResult {
  return { kind: 'next', request: { ...request, ...patch, version: request.version + 1 } };
}

function alreadyDecidedResult(request: RequestRecord): TransitionResult {
  return { kind: 'refused', refusal: decisionOf(request) };
}
