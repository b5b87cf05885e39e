import { describe, expect, it } from 'vitest';
import type { Evidence } from '../../../../src/store/port/evidence.ts';
import type { TargetCounts } from '../../../../src/store/port/request-records.ts';
import { START } from '../../../harness/builders.ts';
import { aTarget } from '../../../harness/records.ts';
import { aRollout } from '../../../harness/rollouts.ts';
import { renderedText } from '../../rendered-text.ts';
import { APPROVER, actionsOf, DECIDED, draw, firstLine } from './draw-rollout.ts';

describe('the card of a rollout that ended', () => {
  it('groups the devices that got nothing by cause, after those on which it failed', () => {
    const unsent = (name: string, evidence: Evidence) =>
      aTarget({ displayName: name, state: 'not_sent', evidence: [evidence] });
    const problems = [
      aTarget({
        displayName: 'web-1',
        state: 'not_verified',
        evidence: [{ kind: 'not-restarted', uptimeDropped: false }],
      }),
      unsent('web-2', { kind: 'offline', since: START }),
      unsent('web-3', { kind: 'offline', since: null }),
      unsent('web-4', { kind: 'gone', thing: 'device' }),
    ];
    const over = {
      state: 'ended',
      ...DECIDED,
      counts: { verified: 36, not_verified: 1, not_sent: 3 },
    } as const;
    const shown = renderedText(draw(over, { problems }));
    expect(shown).toContain(
      '⚠️ Not verified (did not restart): web-1\n▫️ Not sent (offline), 2 devices: web-2, web-3\n▫️ Not sent (no longer in the management service): web-4',
    );
    expect(shown).not.toContain('not shown here');
  });

  it.each<[TargetCounts, string, readonly string[]]>([
    [{ verified: 40 }, '✅ Verified: Reboot 40 devices. 40 verified', ['results']],
    [
      { verified: 37, not_verified: 3, failed: 3 },
      '⚠️ Partly verified: Reboot 40 devices. 37 verified, 3 failed',
      ['retry:failed', 'results'],
    ],
    [
      { verified: 37, refused: 1, not_sent: 2 },
      '⚠️ Partly verified: Reboot 40 devices. 37 verified, 1 not accepted, 2 not sent',
      ['retry:failed', 'retry:not-sent', 'results'],
    ],
    [{ not_verified: 40, failed: 1 }, '⛔ Failed: Reboot 40 devices', ['retry:failed', 'results']],
    [{ not_verified: 40 }, '⚠️ Not verified: Reboot 40 devices', ['retry:failed', 'results']],
    [
      { verified: 35, not_verified: 5, may_run: 4 },
      '⚠️ Partly verified: Reboot 40 devices. 35 verified, 5 not verified',
      ['retry:failed', 'results'],
    ],
    [{ not_verified: 40, may_run: 40 }, '⚠️ Not verified: Reboot 40 devices', ['results']],
    [{ not_sent: 40 }, '▫️ Not sent: Reboot 40 devices', ['retry:not-sent', 'results']],
    [{ unknown: 40 }, '❓ Outcome unknown: Reboot 40 devices', ['results']],
    [{ refused: 40 }, '⛔ Not accepted: Reboot 40 devices', ['retry:failed', 'results']],
  ])('says what worked: %o', (counts, said, buttons) => {
    const over = { state: 'ended', ...DECIDED, counts } as const;
    expect(firstLine(over)).toContain(said);
    expect(actionsOf(over)).toEqual(buttons);
  });

  it('says how many may still run the command, and counts only the others on *Retry*', () => {
    const counts = { verified: 35, not_verified: 5, may_run: 4 };
    const card = draw({ state: 'ended', ...DECIDED, counts });
    expect(renderedText(card)).toContain('Left out of a retry: 4 devices that may still run the command.');
    expect(JSON.stringify(card.blocks)).toContain('Retry (1)');
  });

  it('stays stopped, whatever was verified before', () => {
    const hold = { kind: 'stopped', by: APPROVER, at: START } as const;
    const over = {
      state: 'ended',
      counts: { verified: 10, not_sent: 30 },
      rollout: aRollout(40, { hold }),
    } as const;
    expect(firstLine(over)).toContain('▫️ Stopped: Reboot 40 devices. 10 of 40 done, 30 skipped');
    expect(renderedText(draw(over))).toContain('███░░░░░░░░░ 10 of 40 done, 30 skipped');
  });

  it.each(['denied', 'expired', 'withdrawn'] as const)('says that nothing was sent: %s', (state) => {
    const shown = renderedText(draw({ state, ...DECIDED }));
    expect(shown).toContain('Nothing was sent.');
    expect(shown).not.toContain('of 40 done');
    expect(shown).not.toContain('waits for an approver');
  });
});
