/** What the card of a rollout says of devices: those for which it waits, and those on which it did not work. */
import { expect, it } from 'vitest';
import { DAY, type Instant, later } from '../../../../src/lib/clock.ts';
import { deviceId } from '../../../../src/lib/ids.ts';
import type { TargetCounts } from '../../../../src/store/port/request-records.ts';
import { relativeDate } from '../../../../src/views/kit/timestamps.ts';
import { START } from '../../../harness/builders.ts';
import { aTarget } from '../../../harness/records.ts';
import { aRollout } from '../../../harness/rollouts.ts';
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

it('a rollout says which offline devices it waits for, and until when', () => {
  const away = (name: string, deadlineAt: Instant) =>
    aTarget({ displayName: name, state: 'queued', deadlineAt });
  const sent: TargetCounts = { verified: 39, queued: 1, open: 1 };
  const [day, week] = [later(START, DAY), later(START, 7 * DAY)];
  expect(renderedText(running({ counts: sent }, { offline: [away('web-1', week)] }))).toContain(
    `⏳ 1 device is offline: web-1. The command runs once it’s back online. Patchbay checks until ${relativeDate(week)}.`,
  );
  const two = [away('web-1', week), away('web-2', day)];
  const shown = renderedText(running({ counts: sent }, { offline: two }));
  expect(shown).toContain('⏳ 2 devices are offline: web-1, web-2.');
  expect(shown).toContain(`Patchbay checks until ${relativeDate(week)}.`);
  expect(shown).not.toContain('close it');
  expect(renderedText(running({ counts: sent }))).not.toContain('offline');
});

it('a rollout groups the devices on which it did not work by cause', () => {
  const failed = (name: string, words: string) =>
    aTarget({
      displayName: name,
      state: 'not_verified',
      evidence: [{ kind: 'install-failed', packages: ['a'], words, installed: 0, total: 1 }],
    });
  const problems = [failed('web-1', 'disk full'), failed('web-2', 'held'), failed('web-3', 'disk full')];
  const shown = renderedText(
    running(
      { counts: { verified: 6, not_verified: 3, failed: 2, queued: 1, ready: 30, open: 31 } },
      { problems },
    ),
  );
  expect(shown).toContain('⛔ Failed (disk full), 2 devices: web-1, web-3\n⛔ Failed (held): web-2');
});

it('a rollout speaks of one device that had ended as of one', () => {
  const hold = { kind: 'braked', bad: 1, ended: 1, at: START } as const;
  expect(
    renderedText(running({ counts: { verified: 1, ready: 39, open: 39 }, rollout: aRollout(40, { hold }) })),
  ).toContain('Stopped automatically after 1 failure in wave 1 (1 done).');
});
