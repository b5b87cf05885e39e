/**
 * Takes up proposals and lets people decide them. It knows no Slack and sends nothing; what it decides is work that
 * reads the facts again first.
 */
import type { Role } from '../../lib/access.ts';
import type { PersonId, RequestId } from '../../lib/ids.ts';
import type { WorkResult } from '../../store/due-work/worker.ts';
import type { RequestNote } from '../../store/port/evidence.ts';
import type { RequestRecord } from '../../store/port/request-records.ts';
import type { PauseRecord } from '../../store/port/settings-records.ts';
import type { StoreTables } from '../../store/port/store.ts';
import { type ApplyEvent, createApplyEvent, type EventResult } from './apply-event.ts';
import { type ControlRollout, createControlRollout } from './control-rollout.ts';
import { createAgeRollout } from './hold-rollout.ts';
import type { RequestInput } from './new-request.ts';
import { ChangesPaused, catchPaused, throwIfPaused } from './pause-switch.ts';
import {
  createRecordRequest,
  type RecordRequestOptions,
  type RecordRequestResult,
} from './record-request.ts';
import type { Refusal } from './state-machine.ts';

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
};
export type ReasonInput = {
  readonly requestId: RequestId;
  readonly person: PersonId;
  readonly reason: string;
};

/** What became of a press on Approve, Deny or Withdraw. */
export type DecisionResult =
  | { readonly kind: 'decided'; readonly request: RequestRecord }
  /** By this very person, before: a second press, or the first one that is worked off again after a stop. */
  | { readonly kind: 'repeated'; readonly request: RequestRecord }
  | { readonly kind: 'refused'; readonly refusal: Refusal }
  | { readonly kind: 'paused'; readonly pause: PauseRecord }
  | { readonly kind: 'absent' };
export type AddReasonResult =
  | { readonly kind: 'added'; readonly request: RequestRecord }
  | { readonly kind: 'refused'; readonly refusal: Refusal }
  | { readonly kind: 'absent' };

export type RequestService = {
  /** Stores a proposal and asks for its card; it runs at once where nobody has to agree. */
  readonly record: (input: RequestInput) => Promise<RecordRequestResult>;
  /** Of two at once one wins, and the other is told who was first. */
  readonly decide: (input: DecisionInput) => Promise<DecisionResult>;
  /** For the requester, while it waits. */
  readonly addReason: (input: ReasonInput) => Promise<AddReasonResult>;
  /** Handler of `expire` work: a request waits so long, and a rollout goes on so long. */
  readonly expire: (id: RequestId) => Promise<WorkResult>;
  /** Pauses, stops, resumes or continues a rollout. */
  readonly control: ControlRollout;
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
  const { store, clock, wakeWorker, onFailpoint, bounded = () => ({ pass: true, skipped: 0 }) } = options;
  const applyEvent = createApplyEvent({ store, clock });
  const ageRollout = createAgeRollout({ store, clock });

  const applyOrThrow = async (
    ...[id, event, also]: Parameters<ApplyEvent>
  ): Promise<Exclude<EventResult, { kind: 'blocked' }>> => {
    const result = await applyEvent(id, event, also);
    if (result.kind === 'blocked') throw new Error(`request ${id} could not be changed`);
    if (result.kind === 'changed') wakeWorker();
    return result;
  };

  const auditRefusal = async ({ requestId, person, decision }: DecisionInput, refusal: Refusal) => {
    if (!AUDITED_REFUSALS.has(refusal.kind)) return;
    const passed = bounded(person);
    if (!passed.pass) return;
    const skipped = passed.skipped === 0 ? {} : { skipped: passed.skipped };
    const detail = { decision, why: refusal.kind, ...skipped };
    const entry = { at: clock.now(), actor: person, action: 'approval.refused', subject: requestId, detail };
    await store.audit.append(entry);
  };

  const refuse = async (input: DecisionInput, refusal: Refusal): Promise<DecisionResult> => {
    await auditRefusal(input, refusal);
    if (!isRepeated(input, refusal)) return { kind: 'refused', refusal };
    const request = await store.requests.get(input.requestId);
    return request === null ? { kind: 'absent' } : { kind: 'repeated', request };
  };

  return {
    record: createRecordRequest(options),
    decide: async (input) => {
      const { requestId, person: by, role, decision, seal, devices } = input;
      const event =
        decision === 'withdraw' ? { kind: decision, by } : { kind: decision, by, role, seal, devices };
      const also = decision === 'approve' ? (tables: StoreTables) => throwIfPaused(tables) : undefined;
      const result = await catchPaused(() => applyOrThrow(requestId, event, also));
      if (result instanceof ChangesPaused) return { kind: 'paused', pause: result.pause };
      if (result.kind === 'absent') return result;
      if (result.kind === 'refused') return refuse(input, result.refusal);
      await onFailpoint?.('request.decided');
      return { kind: 'decided', request: result.request };
    },
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
    control: createControlRollout(options),
    withdrawUnposted: async (id, note) => {
      await applyOrThrow(id, { kind: 'unposted', note });
    },
  };
}

/** A press that is worked off twice, after a stop in between, is the one that counted. */
function isRepeated({ person, decision }: DecisionInput, refusal: Refusal): boolean {
  return refusal.kind === 'already' && refusal.by === person && refusal.state === STATE_BY_DECISION[decision];
}

export const STATE_BY_DECISION = { approve: 'approved', deny: 'denied', withdraw: 'withdrawn' } as const;

/** Attempts beyond somebody's rights are kept; being second is no offence. */
const AUDITED_REFUSALS: ReadonlySet<Refusal['kind']> = new Set([
  'own-request',
  'not-requester',
  'not-allowed',
]);
