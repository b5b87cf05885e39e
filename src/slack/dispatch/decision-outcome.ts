/** What a press on a request's button came to, for the one who pressed. */
import type { RecordsReader } from '../../commands/core/command.ts';
import type { RequestId } from '../../lib/ids.ts';
import { type AddReasonResult, STATE_BY_DECISION } from '../../requests/decide/request-service.ts';
import type { ControlRefusal } from '../../requests/decide/rollout-machine.ts';
import type { Decision, DecisionResult, Refusal } from '../../requests/decide/state-machine.ts';
import type { ControlKind, DecisionOutcome } from '../../views/model.ts';

export type OutcomeOptions = {
  readonly records: Pick<RecordsReader, 'shownRequest'>;
  readonly requestId: RequestId;
};

export async function decisionOutcome(
  result: DecisionResult,
  decision: Decision | ControlKind,
  options: OutcomeOptions,
): Promise<DecisionOutcome> {
  switch (result.kind) {
    case 'absent':
      return result;
    case 'paused':
      return isControl(decision) ? { kind: 'held-by-pause', pause: result.pause } : result;
    case 'refused': {
      const { refusal } = result;
      const isOwn = refusal.kind === 'own-request' && isControl(decision);
      return isOwn ? { kind: 'own-rollout' } : refusalOutcome(refusal, options);
    }
    case 'decided':
    case 'repeated': {
      const request = await options.records.shownRequest(options.requestId);
      if (request === null) return { kind: 'absent' };
      if (isControl(decision)) return { kind: 'controlled', control: decision, request };
      const kind = STATE_BY_DECISION[decision];
      return result.kind === 'decided'
        ? { kind, request }
        : { kind: 'repeated', request, decision: kind, at: request.decidedAt };
    }
  }
}

function isControl(decision: Decision | ControlKind): decision is ControlKind {
  return !(decision in STATE_BY_DECISION);
}

/** Why a reason was not added. */
export async function reasonOutcome(
  result: Exclude<AddReasonResult, { kind: 'added' }>,
  options: OutcomeOptions,
): Promise<DecisionOutcome> {
  return result.kind === 'absent' ? result : refusalOutcome(result.refusal, options);
}

async function refusalOutcome(
  refusal: Refusal | ControlRefusal,
  { records, requestId }: OutcomeOptions,
): Promise<DecisionOutcome> {
  if (refusal.kind !== 'already') return refusal;
  const request = await records.shownRequest(requestId);
  return request === null ? { kind: 'absent' } : { ...refusal, request };
}
