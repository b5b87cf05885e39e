/** The state of a request's card for programs, in the metadata of its message. Pure. */
import { countIn, type RequestRecord, totalOf } from '../../../store/port/request-records.ts';
import type { StateCounts } from '../../kit/card-metadata.ts';
import type { CardState, RolloutState } from '../../models/request-model.ts';
import { cardState, hasOutcome, outcomeState, STATE_ORDER, statesOf } from '../card-state.ts';
import { heldAs, isRollout, wasStopped } from './rollout-label.ts';

type Stated = Pick<RequestRecord, 'state' | 'counts' | 'rollout' | 'expiresAt'>;

/** One device has its own state; of several, whether they go on, and how many are in which state. */
export function requestCardState(request: Stated): {
  readonly state: CardState | RolloutState;
  readonly counts?: StateCounts;
} {
  if (!isRollout(request)) return { state: cardState(request) };
  return { state: rolloutState(request), counts: countsByState(request.counts) };
}

function rolloutState(request: Stated): CardState | RolloutState {
  const { state, rollout } = request;
  if (state === 'ended') return endedState(request);
  if (state !== 'approved' && state !== 'running') return state;
  if (rollout !== null && rollout.hold !== null) return heldAs(rollout.hold);
  return hasOutcome(request) ? 'running' : 'scheduled';
}

function endedState({ counts, rollout }: Pick<Stated, 'counts' | 'rollout'>): CardState | RolloutState {
  const verified = countIn(counts, ['verified']);
  if (verified === totalOf(counts)) return 'verified';
  if (rollout !== null && wasStopped(rollout, counts)) return 'stopped';
  return verified > 0 ? 'partly' : outcomeState({ counts });
}

function countsByState(counts: Stated['counts']): StateCounts {
  const all = STATE_ORDER.map((state) => [state, countIn(counts, statesOf(state))] as const);
  return Object.fromEntries(all.filter(([, devices]) => devices > 0));
}
