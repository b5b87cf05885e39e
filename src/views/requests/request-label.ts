/** The state of a request as people read it: on its card, in lists and in messages. */
import { lowerFirst } from '../../lib/text.ts';
import {
  countIn,
  type RequestRecord,
  type RequestWithTargets,
  totalOf,
} from '../../store/port/request-records.ts';
import { type Labelled, SIGN } from '../kit/signs.ts';
import type { CardState } from '../models/request-model.ts';
import { countText, STATE_SIGNS, STATE_TEXTS } from '../text/common-text.ts';
import { cardState, hasOutcome, outcomeState, STATE_ORDER, statesOf } from './card-state.ts';
import { stateText, targetLabel } from './outcome.ts';
import { isRollout, rolloutLabel } from './rollout/rollout-label.ts';

/** A request with an earlier approval went back; records of earlier versions have only the note. */
export function wentBack({ approvedBy, note }: Pick<RequestRecord, 'approvedBy' | 'note'>): boolean {
  return approvedBy !== null || note !== null;
}

/** A request that waits once more, because what was approved changed before it was sent. */
export const NEEDS_APPROVAL_AGAIN: Labelled = { sign: SIGN.waiting, words: 'Needs approval again' };

/** The state of a request as people read it. Approved and not yet sent is still waiting. */
export function requestLabel(request: RequestWithTargets): Labelled {
  if (isRollout(request) && hasOutcome(request)) return rolloutLabel(request);
  if (hasOutcome(request)) return outcomeLabel(request);
  if (request.state === 'waiting' && wentBack(request)) return NEEDS_APPROVAL_AGAIN;
  if (request.state === 'approved') return { sign: SIGN.waiting, words: 'Approved' };
  return labelOf(cardState(request));
}

/** The state of what was sent; of several devices, the sign of the least advanced one. */
function outcomeLabel({ counts, targets }: RequestWithTargets): Labelled {
  const [only] = targets;
  if (only !== undefined && totalOf(counts) === 1) return targetLabel(only);
  if (totalOf(counts) === 0) return { sign: SIGN.waiting, words: countText(0, 'device') };
  const state = outcomeState({ counts });
  const sign = state === 'not_verified' && (counts.failed ?? 0) > 0 ? SIGN.failed : STATE_SIGNS[state];
  return { sign, words: countsText(counts), isCount: true };
}

function labelOf(state: CardState): Labelled {
  return { sign: STATE_SIGNS[state], words: STATE_TEXTS[state] };
}

/** How many of several devices are in each state. */
function countsText(counts: RequestRecord['counts']): string {
  const failed = counts.failed ?? 0;
  const parts = STATE_ORDER.flatMap(statesOf).map((state) => {
    const of = countIn(counts, [state]) - (state === 'not_verified' ? failed : 0);
    return of === 0 ? null : `${of} ${lowerFirst(stateText({ state }))}`;
  });
  const all = failed === 0 ? parts : [...parts, `${failed} failed`];
  return all.filter((part) => part !== null).join(', ');
}
