/** The one state that a card shows. Pure. */

import { countIn } from '../../rollout/results.ts';
import type { TargetState } from '../../store/port/records.ts';
import type { RequestRecord } from '../../store/port/request-records.ts';
import type { CardState } from '../models/request-model.ts';

/** Open states first, then those that a person should look at. */
export const STATE_ORDER = [
  'waiting',
  'accepted',
  'queued',
  'answered',
  'unknown',
  'not_verified',
  'refused',
  'not_sent',
  'verified',
  'not_needed',
] as const;
type OutcomeState = (typeof STATE_ORDER)[number];

type Stated = Pick<RequestRecord, 'state' | 'counts'>;

/** State of a request: its decision until it runs, then the least advanced of its targets. */
export function cardState({ state, counts }: Stated): CardState {
  const isDecided = state === 'approved' || state === 'running' || state === 'ended';
  return isDecided ? outcomeState({ counts }) : state;
}

/** The least advanced state of the targets; approved and not yet sent counts as waiting. */
export function outcomeState({ counts }: Pick<Stated, 'counts'>): OutcomeState {
  return STATE_ORDER.find((state) => countIn(counts, statesOf(state)) > 0) ?? 'waiting';
}

/** A claim that is not sent yet counts as waiting. */
export function statesOf(state: OutcomeState): readonly TargetState[] {
  return state === 'waiting' ? ['ready', 'issuing'] : [state];
}

/**
 * Whether something of it was sent, or ended unsent: then its targets say more than its decision. So does what holds a
 * rollout before its first device.
 */
export function hasOutcome({
  state,
  expiresAt,
  rollout,
}: Pick<RequestRecord, 'state' | 'expiresAt' | 'rollout'>): boolean {
  if (state === 'approved') return expiresAt === null || (rollout !== null && rollout.hold !== null);
  return state === 'running' || state === 'ended';
}

/** State of one device as a card shows it: a claim that is not sent yet counts as waiting. */
export function targetState(state: TargetState): OutcomeState {
  return state === 'ready' || state === 'issuing' ? 'waiting' : state;
}
