/** The one state that a card shows: pure. */
import type { ApprovalRecord, OperationRecord, TargetState } from '../../store/port/records.ts';
import type { CardState } from '../model.ts';

/** What is still moving comes first, then what a person should look at. */
const STATE_ORDER = [
  'waiting',
  'accepted',
  'queued',
  'answered',
  'unknown',
  'not_verified',
  'refused',
  'not_sent',
  'verified',
] as const;

/** State of a request and of what came of it; approved and not yet issued is still waiting. */
export function cardState(approval: ApprovalRecord, operation: OperationRecord | null): CardState {
  if (approval.state !== 'approved') return approval.state;
  return operation === null ? 'waiting' : operationState(operation);
}

/** State of a command: of several devices, the one that is least far. */
export function operationState(operation: OperationRecord): CardState {
  const states = new Set(operation.targets.map((target) => targetState(target.state)));
  return STATE_ORDER.find((state) => states.has(state)) ?? 'waiting';
}

/** The claim before the one call is still waiting. */
export function targetState(state: TargetState): (typeof STATE_ORDER)[number] {
  switch (state) {
    case 'ready':
    case 'issuing':
      return 'waiting';
    default:
      return state;
  }
}
