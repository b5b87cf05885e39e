/** The one state that a card shows. Pure. */
import type { ApprovalRecord, OperationRecord, TargetRecord, TargetState } from '../../store/port/records.ts';
import type { CardState } from '../model.ts';

/** Open states first, then those that a person should look at. */
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

/** State of a request and of its operation; approved and not yet sent counts as waiting. */
export function cardState(approval: ApprovalRecord, operation: OperationRecord | null): CardState {
  if (approval.state !== 'approved') return approval.state;
  return operation === null ? 'waiting' : operationState(operation);
}

/** State of a command: of several devices, the least advanced one. */
export function operationState(operation: OperationRecord): CardState {
  const target = leastFarTarget(operation);
  return target === undefined ? 'waiting' : targetState(target.state);
}

/** The target whose state the card shows: of those in one state, one that failed. */
export function leastFarTarget({ targets }: OperationRecord): TargetRecord | undefined {
  for (const state of STATE_ORDER) {
    const found = targets.filter((target) => targetState(target.state) === state);
    if (found.length > 0) return found.find(hasFailed) ?? found[0];
  }
  return undefined;
}

/** Whether the evidence says that it failed, which is more than that nothing proves it. */
export function hasFailed({ state, endCause }: Pick<TargetRecord, 'state' | 'endCause'>): boolean {
  return state === 'not_verified' && endCause === 'failed';
}

/** State of one device as a card shows it: a claim that is not sent yet counts as waiting. */
export function targetState(state: TargetState): (typeof STATE_ORDER)[number] {
  switch (state) {
    case 'ready':
    case 'issuing':
      return 'waiting';
    default:
      return state;
  }
}
