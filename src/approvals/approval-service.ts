/**
 * Stores requests and applies people's decisions. It knows no Slack and sends no command: an approval becomes work for
 * the `act` handler, which reads the facts again first.
 */
import type { Role } from '../lib/access.ts';
import type { ApprovalId, PersonId } from '../lib/ids.ts';
import type { ApprovalRecord } from '../store/port/records.ts';
import type { StoreTables } from '../store/port/store.ts';
import type { WorkResult } from '../store/work/worker.ts';
import type { DecisionOutcome } from '../views/model.ts';
import { type ApplyApprovalEvent, createApplyApprovalEvent, type EventResult } from './apply-event.ts';
import { ChangesPaused, catchPaused, throwIfPaused } from './pause-switch.ts';
import {
  createRecordRequest,
  type RecordRequestOptions,
  type RecordRequestResult,
  type RequestInput,
} from './record-request.ts';

export type ApprovalDecision = 'approve' | 'deny' | 'withdraw';
export type DecisionInput = {
  readonly approvalId: ApprovalId;
  readonly person: PersonId;
  /** As it is now, not as it was when the card was drawn. */
  readonly role: Role | null;
  readonly decision: ApprovalDecision;
  /** The seal on the card that was pressed. */
  readonly seal: string;
};
export type ReasonInput = {
  readonly approvalId: ApprovalId;
  readonly person: PersonId;
  readonly reason: string;
};
export type AddReasonResult =
  | { readonly kind: 'added'; readonly approval: ApprovalRecord }
  | { readonly kind: 'refused'; readonly outcome: DecisionOutcome };

export type ApprovalService = {
  /** Stores a proposal with its card, or starts it at once where it needs no approval. */
  readonly request: (order: RequestInput) => Promise<RecordRequestResult>;
  /** Of two decisions at once one wins, and the other gets an answer that names the first. */
  readonly decide: (order: DecisionInput) => Promise<DecisionOutcome>;
  /** For the requester, while it waits. */
  readonly addReason: (order: ReasonInput) => Promise<AddReasonResult>;
  /** Handler of `expire` work. */
  readonly expire: (id: ApprovalId) => Promise<WorkResult>;
  /** Withdraws a request whose card Slack refuses, because nobody could decide it. `note` says why. */
  readonly withdrawUnposted: (id: ApprovalId, note: string) => Promise<void>;
};

export type ApprovalServiceOptions = RecordRequestOptions & {
  /** Which of somebody's refused attempts are kept, and how many before were not; absent: all are kept. */
  readonly bounded?: (
    person: PersonId,
  ) => { readonly pass: true; readonly skipped: number } | { readonly pass: false };
};

export function createApprovalService(options: ApprovalServiceOptions): ApprovalService {
  const { store, clock, wakeWorker, onFailpoint, bounded = () => ({ pass: true, skipped: 0 }) } = options;
  const applyEvent = createApplyApprovalEvent({ store, clock });

  const applyOrThrow = async (
    ...[id, event, inSameTransaction]: Parameters<ApplyApprovalEvent>
  ): Promise<Exclude<EventResult, { kind: 'blocked' }>> => {
    const changed = await applyEvent(id, event, inSameTransaction);
    if (changed.kind === 'blocked') throw new Error(`approval ${id} could not be changed`);
    if (changed.kind === 'changed') wakeWorker();
    return changed;
  };

  const auditRefusal = async ({ approvalId, person, decision }: DecisionInput, outcome: DecisionOutcome) => {
    if (!AUDITED_REFUSALS.has(outcome.kind)) return;
    const passed = bounded(person);
    if (!passed.pass) return;
    const skipped = passed.skipped === 0 ? {} : { skipped: passed.skipped };
    const detail = { decision, why: outcome.kind, ...skipped };
    const setup = { at: clock.now(), actor: person, action: 'approval.refused', subject: approvalId, detail };
    await store.audit.append(setup);
  };

  return {
    request: createRecordRequest(options),
    decide: async (input) => {
      const { approvalId, person: by, role, decision, seal } = input;
      const event = decision === 'withdraw' ? { kind: decision, by } : { kind: decision, by, role, seal };
      const inSameTransaction =
        decision === 'approve' ? (tables: StoreTables) => throwIfPaused(tables) : undefined;
      const changed = await catchPaused(() => applyOrThrow(approvalId, event, inSameTransaction));
      if (changed instanceof ChangesPaused) return { kind: 'paused', pause: changed.pause };
      if (changed.kind === 'refused') {
        await auditRefusal(input, changed.outcome);
        return repeatedDecision(input, changed.outcome);
      }
      await onFailpoint?.('approval.decided');
      return { kind: STATE_BY_DECISION[decision], approval: changed.approval };
    },
    addReason: async ({ approvalId, person, reason }) => {
      const changed = await applyOrThrow(approvalId, { kind: 'add-reason', by: person, reason });
      return changed.kind === 'refused' ? changed : { kind: 'added', approval: changed.approval };
    },
    expire: async (id) => {
      const changed = await applyOrThrow(id, { kind: 'expire' });
      const approval = changed.kind === 'refused' ? await store.approvals.get(id) : null;
      return approval?.state === 'waiting' ? { kind: 'again', dueAt: approval.expiresAt } : { kind: 'done' };
    },
    withdrawUnposted: async (id, note) => {
      await applyOrThrow(id, { kind: 'unposted', note });
    },
  };
}

/** A click that is handled twice, because the process stopped in between, is the decision that counted. */
function repeatedDecision({ person, decision }: DecisionInput, outcome: DecisionOutcome): DecisionOutcome {
  const state = STATE_BY_DECISION[decision];
  if (outcome.kind !== 'already' || outcome.by !== person || outcome.state !== state) return outcome;
  return { kind: 'repeated', approval: outcome.approval, decision: state, at: outcome.at };
}

const STATE_BY_DECISION = { approve: 'approved', deny: 'denied', withdraw: 'withdrawn' } as const;

/** Refusals that are audited: attempts beyond a person's rights, not lost races. */
const AUDITED_REFUSALS: ReadonlySet<DecisionOutcome['kind']> = new Set([
  'own-request',
  'not-requester',
  'not-allowed',
]);
