/** The devices for which alone a rollout waits. */
import { expect, it } from 'vitest';
import { DAY, later } from '../../../../src/lib/clock.ts';
import { deviceId } from '../../../../src/lib/ids.ts';
import { START } from '../../../harness/builders.ts';
import { aTarget } from '../../../harness/records.ts';
import { renderedText } from '../../rendered-text.ts';
import { actionsOf, DECIDED, running } from './draw-rollout.ts';

it('a rollout names its last devices where all are offline, and says who can close it', () => {
  const week = later(START, 7 * DAY);
  const offline = Array.from({ length: 7 }, (_, at) =>
    aTarget({ deviceId: deviceId(at + 1), displayName: `web-${at + 1}`, deadlineAt: week }),
  );
  const last = { counts: { verified: 33, queued: 7, open: 7 } } as const;
  const shown = renderedText(running(last, { offline, onlyOffline: true }));
  expect(shown).toContain(
    '⏳ Waiting only for 7 offline devices: web-1, web-2, web-3, web-4, web-5 and 2 more.',
  );
  expect(shown).toContain('The requester or an approver can close it now.');
  expect(actionsOf({ state: 'running', ...DECIDED, ...last }, { offline, onlyOffline: true })).toContain(
    'control:close',
  );
});
