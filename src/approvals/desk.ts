/**
 * The approvals desk: takes up proposals and lets people decide them. It knows no Slack and sends no command; what
 * it decides is work for the `act` handler, which reads the facts again first.
 */
import type { Role } from '../access.ts';
import type { ApprovalId, PersonId } from '../ids.ts';
import type { ApprovalRecord } from '../store/records.ts';
import type { Tables } from '../store/store.ts';
import type { WorkResult } from '../store/worker.ts';
import type { DecisionOutcome } from '../views/model.ts';
import { type Change, type Changed, createChange } from './change.ts';
import { orPaused, Paused, unlessPaused } from './pause.ts';
import { createRequest, type Requested, type RequestOptions, type RequestOrder } from './request.ts';

export type Decision = 'approve' | 'deny' | 'withdraw';
export type DecideOrder = {
  readonly approvalId: ApprovalId;
  readonly person: PersonId;
  /** As it is now, not as it was when the card was drawn. */
  readonly role: Role | null;
  readonly decision: Decision;
  /** The seal on the card that was pressed. */
  readonly seal: string;
};
export type ReasonOrder = {
  readonly approvalId: ApprovalId;
  readonly person: PersonId;
  readonly reason: string;
};
export type ReasonAdded =
  | { readonly kind: 'added'; readonly approval: ApprovalRecord }
  | { readonly kind: 'refused'; readonly outcome: DecisionOutcome };

export type Desk = {
  /** Stores a proposal and asks for its card, or starts it at once where nobody has to agree. */
  readonly request: (order: RequestOrder) => Promise<Requested>;
  /** Of two at once one wins, and the other is told who was first. */
  readonly decide: (order: DecideOrder) => Promise<DecisionOutcome>;
  /** For the requester, while it waits. */
  readonly addReason: (order: ReasonOrder) => Promise<ReasonAdded>;
  /** Handler of `expire` work. */
  readonly expire: (id: ApprovalId) => Promise<WorkResult>;
  /** Slack will not take the card, so nobody could decide. `note` says so. */
  readonly withdrawUnposted: (id: ApprovalId, note: string) => Promise<void>;
};

export type DeskOptions = RequestOptions & {
  /** Which of somebody's refused attempts are kept, and how many before were not; absent: all are kept. */
  readonly bounded?: (
    person: PersonId,
  ) => { readonly pass: true; readonly skipped: number } | { readonly pass: false };
};

export function createDesk(options: DeskOptions): Desk {
  const { store, clock, kick, onStep, bounded = () => ({ pass: true, skipped: 0 }) } = options;
  const change = createChange({ store, clock });

  const apply = async (
    ...[id, event, also]: Parameters<Change>
  ): Promise<Exclude<Changed, { kind: 'blocked' }>> => {
    const changed = await change(id, event, also);
    if (changed.kind === 'blocked') throw new Error(`approval ${id} could not be changed`);
    if (changed.kind === 'changed') kick();
    return changed;
  };

  const refused = async ({ approvalId, person, decision }: DecideOrder, outcome: DecisionOutcome) => {
    if (!NOTED.has(outcome.kind)) return;
    const passed = bounded(person);
    if (!passed.pass) return;
    const skipped = passed.skipped === 0 ? {} : { skipped: passed.skipped };
    const detail = { decision, why: outcome.kind, ...skipped };
    const line = { at: clock.now(), actor: person, action: 'approval.refused', subject: approvalId, detail };
    await store.audit.append(line);
  };

  return {
    request: createRequest(options),
    decide: async (order) => {
      const { approvalId, person: by, role, decision, seal } = order;
      const event = decision === 'withdraw' ? { kind: decision, by } : { kind: decision, by, role, seal };
      const also = decision === 'approve' ? (tables: Tables) => unlessPaused(tables) : undefined;
      const changed = await orPaused(() => apply(approvalId, event, also));
      if (changed instanceof Paused) return { kind: 'paused', pause: changed.pause };
      if (changed.kind === 'refused') {
        await refused(order, changed.outcome);
        return sameAgain(order, changed.outcome);
      }
      await onStep?.('approval.decided');
      return { kind: DECIDED[decision], approval: changed.approval };
    },
    addReason: async ({ approvalId, person, reason }) => {
      const changed = await apply(approvalId, { kind: 'add-reason', by: person, reason });
      return changed.kind === 'refused' ? changed : { kind: 'added', approval: changed.approval };
    },
    expire: async (id) => {
      const changed = await apply(id, { kind: 'expire' });
      const approval = changed.kind === 'refused' ? await store.approvals.get(id) : null;
      return approval?.state === 'waiting' ? { kind: 'again', dueAt: approval.expiresAt } : { kind: 'done' };
    },
    withdrawUnposted: async (id, note) => {
      await apply(id, { kind: 'unposted', note });
    },
  };
}

/** A press that is worked off twice, after a stop in between, is the one that counted. */
function sameAgain({ person, decision }: DecideOrder, outcome: DecisionOutcome): DecisionOutcome {
  const decided = DECIDED[decision];
  if (outcome.kind !== 'already' || outcome.by !== person || outcome.state !== decided) return outcome;
  return { kind: 'repeated', approval: outcome.approval, decision: decided, at: outcome.at };
}

const DECIDED = { approve: 'approved', deny: 'denied', withdraw: 'withdrawn' } as const;

/** Attempts beyond somebody's rights are kept; being second is no offence. */
const NOTED: ReadonlySet<DecisionOutcome['kind']> = new Set(['own-request', 'not-requester', 'not-allowed']);
