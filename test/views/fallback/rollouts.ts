/** Required content of fallback texts of rollouts: the state, on how many devices, and the counts. */
import { personId } from '../../../src/lib/ids.ts';
import type { RequestWithTargets } from '../../../src/store/port/request-records.ts';
import type { View } from '../../../src/views/model.ts';
import { START } from '../../harness/builders.ts';
import { aRollout, aRolloutRequest, aSummary } from '../../harness/rollouts.ts';

type Row = { readonly name: string; readonly view: View; readonly holds: readonly string[] };

const card = (over: Partial<RequestWithTargets>): View => ({
  kind: 'request',
  request: aRolloutRequest(over),
});
const COUNTS = { verified: 6, not_verified: 3, failed: 2, queued: 1, ready: 30, open: 31 };
const braked = aRollout(40, { hold: { kind: 'braked', bad: 3, ended: 7, at: START } });
const unanswered = aRollout(40, { hold: { kind: 'unanswered', sends: 5, at: START } });

export const ROLLOUTS: readonly Row[] = [
  {
    name: 'a rollout that waits',
    view: card({ rollout: aRollout(40, { summary: aSummary({ offline: 3 }) }) }),
    holds: [
      '⏳ Waiting for approval: Reboot 40 devices',
      'Requested by <@UOPERATOR> · Reason: kernel update',
      '3 are offline and will run it',
      '3 waves (2, 8, 30 devices)',
      'can’t be canceled',
      'The request expires',
    ],
  },
  {
    name: 'a rollout that runs',
    view: card({ state: 'running', decidedBy: personId('UAPPROVER'), counts: COUNTS }),
    holds: ['▶️ Running: Reboot 40 devices. 6 verified, 2 failed', 'Wave 1 of 3', 'Approved by <@UAPPROVER>'],
  },
  {
    name: 'a braked rollout',
    view: card({ state: 'running', counts: COUNTS, rollout: braked }),
    holds: [
      '⚠️ Stopped automatically: Reboot 40 devices',
      'Stopped automatically after 3 failures in wave 1 (7 done)',
    ],
  },
  {
    name: 'a rollout whose calls were not answered',
    view: card({ state: 'running', counts: COUNTS, rollout: unanswered }),
    holds: [
      '⚠️ Stopped automatically: Reboot 40 devices',
      'Stopped automatically: the last 5 commands got no clear answer',
    ],
  },
  {
    name: 'a rollout that partly worked',
    view: card({ state: 'ended', counts: { verified: 37, not_verified: 3, failed: 3 } }),
    holds: ['⚠️ Partly verified: Reboot 40 devices. 37 verified, 3 failed'],
  },
];
