/**
 * Takes up proposals and lets people decide them. It knows no Slack and sends nothing; what it decides is work that
 * reads the facts again first.
 */
import { isDeepStrictEqual } from 'node:util';
import type { PersonId, RequestId, UserGroupId } from '../../lib/ids.ts';
import type { Judgement } from '../../rules/rules.ts';
import type { WorkResult } from '../../store/due-work/worker.ts';
import type { LetsGoOn } from '../../store/port/decision-windows.ts';
import type { RequestNote } from '../../store/port/evidence.ts';
import { MAX_LISTED, type RequestRecord, totalOf } from '../../store/port/request-records.ts';
import type { StoreTables } from '../../store/port/store.ts';
import { type ApplyEvent, createApplyEvent, type EventResult } from './apply-event.ts';
import { type ControlInput, createControlRollout } from './control-rollout.ts';
import { createDecisionWindows, type DecisionWindows, type RefusedDecision } from './decision-windows.ts';
import { createAgeRollout } from './hold-rollout.ts';
import {
  approverGroups,
  createJudgeChange,
  lackingReason,
  mayJudgeOtherwise,
  unfitReason,
} from './judge-change.ts';
import { createNudge } from './nudges.ts';
import { ChangesPaused, catchPaused, throwIfPaused } from './pause-switch.ts';
import {
  createRecordRequest,
  judgeInHour,
  type RecordRequestOptions,
  type RecordRequestResult,
  type RequestInput,
} from './record-request.ts';
import type { RolloutControl } from './rollout-machine.ts';
import { reachOf } from './rules.ts';
import {
  type AskedByNow,
  askedNow,
  type DecisionInput,
  type DecisionResult,
  type Refusal,
} from './state-machine.ts';

export type AddReasonResult =
  | { readonly kind: 'added'; readonly request: RequestRecord }
  | { readonly kind: 'refused'; readonly refusal: Refusal }
  | { readonly kind: 'absent' };

export type RequestService = DecisionWindows & {
  /** Stores a proposal and asks for its card; it runs at once where nobody has to agree. */
  readonly record: (input: RequestInput) => Promise<RecordRequestResult>;
  /** What the rules would ask of a proposal. */
  readonly judge: (asked: Pick<RequestInput, 'proposal' | 'requester'>) => Promise<Judgement>;
  /** After the configuration file changed: what waits says who has to agree by now, and nothing is approved by it. */
  readonly judgeWaiting: () => Promise<void>;
  /** The user groups that decide about the request, by the rules that it was made with and by those of now. */
  readonly approverGroups: (request: RequestRecord) => readonly UserGroupId[];
  /** Of two at once one wins, and the other is told who was first. Only a window approves or denies. */
  readonly withdraw: (input: Pick<DecisionInput, 'requestId' | 'person'>) => Promise<DecisionResult>;
  /** For the requester, while it waits. */
  readonly addReason: (
    input: Pick<DecisionInput, 'requestId' | 'person'> & { readonly reason: string },
  ) => Promise<AddReasonResult>;
  /** Handler of `expire` work: a request waits so long, and a rollout goes on so long. */
  readonly expire: (id: RequestId) => Promise<WorkResult>;
  /** Handler of `nudge` work: those who can still agree are told again. */
  readonly nudge: (id: RequestId) => Promise<WorkResult>;
  /** Halts a rollout; only a window lets it go on. */
  readonly control: (
    input: ControlInput & { readonly control: Exclude<RolloutControl, LetsGoOn> },
  ) => Promise<DecisionResult>;
  /** Slack will not take the card, so nobody could decide. */
  readonly withdrawUnposted: (id: RequestId, note: RequestNote) => Promise<void>;
};

export type RequestServiceOptions = RecordRequestOptions & {
  /** From this age on a change is not sent any more. */
  readonly maxAgeMs: number;
  /** Which of somebody's refused attempts are kept, and how many before were not; absent: all are kept. */
  readonly bounded?: (
    person: PersonId,
  ) => { readonly pass: true; readonly skipped: number } | { readonly pass: false };
};

export function createRequestService(options: RequestServiceOptions): RequestService {
  const { store, clock, wakeWorker, onFailpoint } = options;
  const applyEvent = createApplyEvent({ store, clock });
  const judgeChange = createJudgeChange(options);
  const ageRollout = createAgeRollout(options);
  const nudge = createNudge({ store, clock });

  const applyOrThrow = async (
    ...[id, event, also]: Parameters<ApplyEvent>
  ): Promise<Exclude<EventResult, { kind: 'blocked' }>> => {
    const result = await applyEvent(id, event, also);
    if (result.kind === 'blocked') throw new Error(`request ${id} could not be changed`);
    if (result.kind === 'changed') wakeWorker();
    return result;
  };

  const auditRefusal = createAuditRefusal(options);

  const refuse = async (input: DecisionInput, refusal: Refusal): Promise<DecisionResult> => {
    const { requestId: subject, person, decision } = input;
    // A submitted window writes its own line.
    const action = 'approval.refused';
    if (decision === 'withdraw') await auditRefusal({ action, person, subject, decision, why: refusal.kind });
    if (!isRepeated(input, refusal)) return { kind: 'refused', refusal };
    const request = await store.requests.get(input.requestId);
    return request === null ? { kind: 'absent' } : { kind: 'repeated', request };
  };

  /** What the rules ask for by now; undefined: what they asked for. Stored facts: what changed since is found at the send. */
  const askedByNow = async (request: RequestRecord | null): Promise<AskedByNow> => {
    if (request === null || request.state !== 'waiting') return undefined;
    if (!mayJudgeOtherwise(options, request)) return undefined;
    const ready = await store.targets.of(request.id, { states: ['ready'] });
    const targets = ready.map(({ facts }) => facts);
    const { digest, judge } = await judgeChange({ ...request, targets, requester: request.rules.requester });
    const judgement = judge({ size: totalOf(request.counts) * request.reach });
    if (judgement.kind === 'refused') return judgement;
    // Whoever asked was to wait: what would run by now still takes those who were asked.
    if (judgement.kind === 'runs') return undefined;
    const unfit = unfitReason(judgement, request.reason);
    if (unfit !== null) return { kind: 'refused', rules: [lackingReason(unfit)] };
    return { kind: 'asked', digest, demands: judgement.demands };
  };

  const decide = async (
    input: DecisionInput,
    also?: (tables: StoreTables) => Promise<void>,
  ): Promise<DecisionResult> => {
    const { requestId, person: by, role, decision, seal, devices, comment, groups = [] } = input;
    const asked = decision === 'approve' ? await askedByNow(await store.requests.get(requestId)) : undefined;
    const event =
      decision === 'withdraw'
        ? { kind: decision, by }
        : { kind: decision, by, role, seal, devices, comment, groups, asked };
    const join = async (tables: StoreTables): Promise<void> => {
      if (decision === 'approve') await throwIfPaused(tables);
      await also?.(tables);
    };
    const result = await catchPaused(() => applyOrThrow(requestId, event, join));
    if (result instanceof ChangesPaused) return { kind: 'paused', pause: result.pause };
    if (result.kind === 'absent') return result;
    if (result.kind === 'refused') return refuse(input, result.refusal);
    if (result.request.state !== 'waiting') await onFailpoint?.('request.decided');
    return { kind: 'decided', request: result.request };
  };
  const control = createControlRollout(options);
  const windows: DecisionWindows = createDecisionWindows({
    ...options,
    decide,
    control,
    auditRefusal,
    askedByNow,
  });

  return {
    ...windows,
    judge: async ({ proposal: { command: action, targets }, requester: requesterId }) => {
      const judged = await judgeChange({ action, targets, reach: reachOf(targets), requesterId });
      return judgeInHour(store, judged, clock.now());
    },
    judgeWaiting: async () => {
      for (const request of await store.requests.list({ states: ['waiting'] }, MAX_LISTED)) {
        const { id, rules, seal } = request;
        const asked = (await askedByNow(request)) ?? { kind: 'asked' as const, ...rules };
        const isSame = isDeepStrictEqual({ ...askedNow(rules, { asked }), digest: rules.digest }, rules);
        if (!isSame) await applyOrThrow(id, { kind: 'ask-anew', seal, asked });
      }
    },
    approverGroups: (request) => approverGroups(options, request),
    record: createRecordRequest(options),
    withdraw: (input) => decide({ ...input, role: null, decision: 'withdraw', seal: '' }),
    addReason: async ({ requestId, person, reason }) => {
      const result = await applyOrThrow(requestId, { kind: 'add-reason', by: person, reason });
      return result.kind === 'changed' ? { kind: 'added', request: result.request } : result;
    },
    expire: async (id) => {
      const result = await applyOrThrow(id, { kind: 'expire' });
      const request = result.kind === 'refused' ? await store.requests.get(id) : null;
      const isWaiting = request?.state === 'waiting' && request.expiresAt !== null;
      if (isWaiting) return { kind: 'again', dueAt: request.expiresAt };
      const aged = await ageRollout(id);
      wakeWorker();
      return aged;
    },
    nudge: async (id) => {
      const result = await nudge(id);
      wakeWorker();
      return result;
    },
    control: (input) => control(input),
    withdrawUnposted: async (id, note) => {
      await applyOrThrow(id, { kind: 'unposted', note });
    },
  };
}

/** Attempts in vain, as far as they are kept. */
function createAuditRefusal({
  store,
  clock,
  bounded = () => ({ pass: true, skipped: 0 }),
}: RequestServiceOptions) {
  return async ({ action, person, subject, decision, why }: RefusedDecision) => {
    if (action === 'approval.refused' && !AUDITED_REFUSALS.has(why)) return;
    const passed = bounded(person);
    if (!passed.pass) return;
    const skipped = passed.skipped === 0 ? {} : { skipped: passed.skipped };
    const detail = { ...(decision === undefined ? {} : { decision }), why, ...skipped };
    await store.audit.append({ at: clock.now(), actor: person, action, subject, detail });
  };
}

/** A press that is worked off twice, after a stop in between, is the one that counted. */
function isRepeated({ person, decision }: DecisionInput, refusal: Refusal): boolean {
  return refusal.kind === 'already' && refusal.by === person && refusal.state === STATE_BY_DECISION[decision];
}

export const STATE_BY_DECISION = { approve: 'approved', deny: 'denied', withdraw: 'withdrawn' } as const;

/** Attempts beyond somebody's rights are kept; being second is no offence. */
const AUDITED_REFUSALS: ReadonlySet<string> = new Set([
  'own-request',
  'not-requester',
  'not-allowed',
  'others-decide',
  'rule-refuses',
]);
