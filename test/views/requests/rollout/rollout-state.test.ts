/** What programs read of a rollout's card. */
import { expect, it } from 'vitest';
import { instant } from '../../../../src/lib/clock.ts';
import { personId } from '../../../../src/lib/ids.ts';
import type { RolloutHold } from '../../../../src/rollout/progress.ts';
import type { RequestWithTargets } from '../../../../src/store/port/request-records.ts';
import { requestCardState } from '../../../../src/views/requests/request-label.ts';
import { START } from '../../../harness/builders.ts';
import { aRollout, aRolloutRequest } from '../../../harness/rollouts.ts';

const EXPIRES = instant(START + 1);
const BRAKED: RolloutHold = { kind: 'braked', bad: 2, ended: 4, at: START };
const STOPPED: RolloutHold = { kind: 'stopped', by: personId('U0BOB'), at: START };
const held = (hold: RolloutHold) => ({ rollout: aRollout(40, { hold }) });

const CASES: readonly (readonly [string, Partial<RequestWithTargets>])[] = [
  ['waiting', { state: 'waiting' }],
  ['denied', { state: 'denied' }],
  ['scheduled', { state: 'approved', expiresAt: EXPIRES }],
  ['running', { state: 'approved', expiresAt: null }],
  ['running', { state: 'running', expiresAt: EXPIRES, counts: { ready: 30, queued: 10, open: 40 } }],
  ['paused', { state: 'running', ...held({ kind: 'paused', by: null, at: START }) }],
  ['paused', { state: 'running', ...held({ kind: 'gate', at: START }) }],
  ['braked', { state: 'running', ...held(BRAKED) }],
  ['braked', { state: 'running', ...held({ kind: 'unanswered', sends: 5, at: START }) }],
  ['stopped', { state: 'running', ...held(STOPPED) }],
  ['stopped', { state: 'ended', ...held(STOPPED), counts: { verified: 1, not_sent: 39 } }],
  ['verified', { state: 'ended', ...held(STOPPED), counts: { verified: 40 } }],
  ['partly', { state: 'ended', counts: { verified: 39, unknown: 1 } }],
  ['not_verified', { state: 'ended', counts: { not_verified: 39, not_sent: 1 } }],
  ['not_sent', { state: 'ended', counts: { not_sent: 40 } }],
];

it.each(CASES)('is %s', (state, over) => {
  expect(requestCardState(aRolloutRequest(over)).state).toBe(state);
});

it('says how many devices are in which state', () => {
  const counts = { ready: 20, issuing: 1, queued: 4, verified: 12, not_verified: 3, failed: 2, open: 25 };
  expect(requestCardState(aRolloutRequest({ state: 'running', counts })).counts).toEqual({
    waiting: 21,
    queued: 4,
    verified: 12,
    not_verified: 3,
  });
});

it('is the state of the device where there is only one', () => {
  const one = aRolloutRequest({ state: 'running', counts: { queued: 1, open: 1 }, rollout: aRollout(1) });
  expect(requestCardState(one)).toEqual({ state: 'queued' });
});
