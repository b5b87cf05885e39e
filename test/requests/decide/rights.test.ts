/** Whether the people behind a request still have their rights. */
import { describe, expect, it } from 'vitest';
import { instant, later, MINUTE } from '../../../src/lib/clock.ts';
import { personId } from '../../../src/lib/ids.ts';
import { approversOf, judgeRights, type RightReading } from '../../../src/requests/decide/rights.ts';
import { aRollout } from '../../harness/rollouts.ts';
import { aRequest, BOB, NOW } from '../builders.ts';

const at = (ms: number, verdict: RightReading['verdict'] = 'allowed') => ({
  verdict,
  asOf: instant(NOW + ms),
});
const listed: RightReading = { verdict: 'allowed', asOf: null };

describe('the rights behind a request', () => {
  it.each([
    ['all have them, by their ids', listed, [listed], { kind: 'proved', until: null }],
    ['all have them', at(5), [listed, at(2)], { kind: 'proved', until: later(instant(NOW + 2), MINUTE) }],
    ['nobody approved', at(5), [], { kind: 'proved', until: later(instant(NOW + 5), MINUTE) }],
    ['the requester lost them', at(1, 'refused'), [at(1)], { kind: 'lost', who: 'requester' }],
    ['an approver lost them', at(1), [at(1), at(1, 'refused')], { kind: 'lost', who: 'approver' }],
    ['all lost them', at(1, 'refused'), [at(1, 'refused')], { kind: 'lost', who: 'requester' }],
    ['Slack does not say of the requester', at(1, 'unknown'), [at(1)], { kind: 'unread' }],
    ['Slack does not say of an approver', listed, [at(1, 'unknown')], { kind: 'unread' }],
  ] as const)('where %s', (_what, requester, approvers, proof) => {
    expect(judgeRights(requester, approvers)).toEqual(proof);
  });

  it('are those of whoever approved it and of whoever let it go on since', () => {
    const carol = personId('U_CAROL');
    expect(approversOf(aRequest({}))).toEqual([]);
    expect(approversOf(aRequest({ decidedBy: BOB }))).toEqual([BOB]);
    const resumed = aRequest({ decidedBy: BOB, rollout: aRollout(40, { resumedBy: carol }) });
    expect(approversOf(resumed)).toEqual([BOB, carol]);
  });
});
