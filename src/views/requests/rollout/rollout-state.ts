/** The state of a request's card for programs, in the metadata of its message. Pure. */
import { countIn, type RequestRecord, totalOf } from '../../../store/port/request-records.ts';
import type { StateCounts } from '../../kit/card-metadata.ts';
import type { CardState, RolloutState } from '../../models/request-model.ts';
import { cardState, hasOutcome, outcomeState, STATE_ORDER, statesOf } from '../card-state.ts';
import { isRollout } from './rollout-label.ts';

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
  return heldState(rollout) ?? (hasOutcome(request) ? 'running' : 'scheduled');
}

/** A gate waits for a person, as a pause does; lost answers brake, too. */
function heldState(rollout: Stated['rollout']): RolloutState | null {
  const kind = rollout?.hold?.kind ?? null;
  if (kind === 'unanswered') return 'braked';
  return kind === 'gate' ? 'paused' : kind;
}

function endedState({ counts, rollout }: Pick<Stated, 'counts' | 'rollout'>): CardState | RolloutState {
  const verified = countIn(counts, ['verified']);
  if (verified === totalOf(counts)) return 'verified';
  if (rollout?.hold?.kind === 'stopped') return 'stopped';
  return verified > 0 ? 'partly' : outcomeState({ counts });
}

function countsByState(counts: Stated['counts']): StateCounts {
  const all = STATE_ORDER.map((state) => [state, countIn(counts, statesOf(state))] as const);
  return Object.fromEntries(all.filter(([, devices]) => devices > 0));
}
