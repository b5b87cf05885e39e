/** The state of a request as people read it: on its card, in lists and in messages. */
import type { RequestRecord, RequestWithTargets } from '../../store/port/request-records.ts';
import { type Labelled, SIGN } from '../kit/signs.ts';
import type { CardState } from '../models/request-model.ts';
import { STATE_SIGNS, STATE_TEXTS } from '../text/common-text.ts';
import { cardState, hasOutcome, targetLabel } from './card-state.ts';
import { isRollout, rolloutLabel } from './rollout/rollout-label.ts';

/** It was approved earlier, or its note says why it is to be decided. */
export function wentBack({ approvedBy, note }: Pick<RequestRecord, 'approvedBy' | 'note'>): boolean {
  return approvedBy !== null || note !== null;
}

/** A request that waits once more, because what was approved changed before it was sent. */
export const NEEDS_APPROVAL_AGAIN: Labelled = { sign: SIGN.waiting, words: 'Needs approval again' };

/** The state of a request as people read it. Approved and not yet sent is still waiting. */
export function requestLabel(request: RequestWithTargets): Labelled {
  if (isRollout(request) && hasOutcome(request)) return rolloutLabel(request);
  const [only] = request.targets;
  if (hasOutcome(request) && only !== undefined) return targetLabel(only);
  if (request.state === 'waiting' && wentBack(request)) return NEEDS_APPROVAL_AGAIN;
  if (request.state === 'approved') return { sign: SIGN.waiting, words: 'Approved' };
  return labelOf(cardState(request));
}

function labelOf(state: CardState): Labelled {
  return { sign: STATE_SIGNS[state], words: STATE_TEXTS[state] };
}
