/** The one state that a card shows. Pure. */

import { countIn } from '../../rollout/results.ts';
import type { TargetState } from '../../store/port/records.ts';
import { hasFailed, type RequestRecord, type RequestTarget } from '../../store/port/request-records.ts';
import { type Mrkdwn, md, trustedMrkdwn } from '../kit/escape.ts';
import { type Labelled, SIGN } from '../kit/signs.ts';
import type { CardState } from '../models/request-model.ts';
import { STATE_SIGNS, STATE_TEXTS } from '../text/common-text.ts';

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

/** The state of one device of several: one that waits for its turn, or for a person, is named as in the counts. */
export function memberLabel(target: RequestTarget): Labelled {
  return targetState(target.state) === 'waiting'
    ? { sign: SIGN.waiting, words: 'Waiting' }
    : targetLabel(target);
}

/** State of one device's command with its sign. */
export function targetLabel(target: RequestTarget): Labelled {
  if (hasFailed(target)) return { sign: SIGN.failed, words: 'Failed' };
  return { sign: STATE_SIGNS[targetState(target.state)], words: stateText(target) };
}

/** State of one device's command in words. A card may be read long after it was drawn: so it never denies that something was sent before that has ended. */
export function stateText({ state }: Pick<RequestTarget, 'state'>): Mrkdwn {
  switch (state) {
    case 'ready':
      return md`Requested`;
    case 'issuing':
      return md`Sending`;
    default:
      return trustedMrkdwn(STATE_TEXTS[targetState(state)]);
  }
}
