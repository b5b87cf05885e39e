/** What the card and the timeline of a device say of its requests. */
import { expect, it } from 'vitest';
import { relativeDate } from '../../../src/views/kit/timestamps.ts';
import { deviceRequestText } from '../../../src/views/requests/request-card.ts';
import { START } from '../../harness/builders.ts';
import { aReadyTarget, aRequest } from '../../harness/records.ts';
import { aRollout, aRolloutRequest } from '../../harness/rollouts.ts';

it('says when a request expired', () => {
  const request = aRequest({ state: 'expired', decidedAt: START });
  expect(deviceRequestText({ request, link: null })).toMatch(`▫️ Expired ${relativeDate(START)}: Reboot · `);
});

it('says of a device whose turn had not come that it got nothing and waits with its rollout', () => {
  const hold = { kind: 'braked', bad: 2, ended: 3, at: START } as const;
  const rollout = aRollout(40, { wave: 1, hold });
  const request = aRolloutRequest({ state: 'running', rollout, targets: [aReadyTarget()] });
  expect(deviceRequestText({ request, link: null })).toContain(
    '⚠️ Stopped automatically: Reboot. Nothing was sent to this device. It waits with the rollout. · ',
  );
});
