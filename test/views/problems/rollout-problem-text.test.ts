/** What keeps a change of many devices from being requested, in words. */
import { expect, it } from 'vitest';
import { HOUR } from '../../../src/lib/clock.ts';
import { planRollout } from '../../../src/rollout/plan.ts';
import { renderProblem } from '../../../src/views/problems/problem.ts';
import { renderView } from '../../../src/views/views.ts';
import { aRequest } from '../../harness/records.ts';
import { aRollout, aRolloutRequest } from '../../harness/rollouts.ts';
import { renderedText } from '../rendered-text.ts';

it('says that a reason is required, with the line to complete', () => {
  const line = '/fleet reboot os:linux because REASON';
  const choice = { command: 'reboot', input: {} };
  const offers = [{ kind: 'line', does: 'form', line, choice }] as const;
  const problem = { kind: 'reason-required', devices: 30, lastHour: 30, from: 25, offers } as const;
  const text = renderedText(renderView({ kind: 'problem', problem }));
  expect(text).toContain('A change of 30 devices needs a reason.');
  expect(text).toContain('Complete this line, or enter the reason in the form:');
  expect(text).toContain(`\`${line}\``);
  expect(text).not.toContain('Did you mean');
});

const shown = (problem: Parameters<typeof renderProblem>[0]['problem']) =>
  renderProblem({ kind: 'problem', problem });

it('says of how many devices the person asked for changes in the last hour', () => {
  const text = renderedText(shown({ kind: 'reason-required', devices: 1, lastHour: 25, from: 25 }));
  expect(text).toContain(
    'With this, you asked for changes of 25 devices in the last hour, so it needs a reason.',
  );
});

it('lists the waiting requests of a person, each with its button', () => {
  const waiting = Array.from({ length: 60 }, () => aRequest({ seal: 'f180' }));
  const message = shown({ kind: 'too-many-waiting', most: 60, waiting });
  const text = renderedText(message);
  expect(text).toContain('60 requests of yours already wait for approval, the maximum.');
  expect(text).toContain('Show all 60');
  expect(JSON.stringify(message).split('"action_id":"withdraw"')).toHaveLength(11);
});

it.each([
  [
    { waves: [{ kind: 'devices', devices: 1 }] },
    'only yours has “2 waves (1, 23 devices)”, and only the waiting',
  ],
  [{ waitMs: HOUR }, 'only yours has “1 hour between waves”.'],
  [
    { brake: { kind: 'devices', devices: 1 } },
    '“stops at 1 failure in a wave”, and only the waiting one has',
  ],
  [{ gate: 'manual' }, 'only yours has “an approver continues after each wave”.'],
  [{ offline: 'skip' }, 'only yours has “offline devices are left out”.'],
] as const)('says in what a request with %j differs from the waiting one', (options, words) => {
  const request = aRolloutRequest({ counts: { ready: 24, open: 24 }, rollout: aRollout(24) });
  const plan = planRollout(24, options);
  const link = 'https://example.slack.com/card';
  const problem = { kind: 'request-differs', request, link, plan, devices: 24, mine: false } as const;
  const text = renderedText(shown(problem));
  expect(text).toContain(words);
  expect(text).toContain(link);
  expect(JSON.stringify(shown(problem))).not.toContain('"action_id":"withdraw"');
  expect(JSON.stringify(shown({ ...problem, mine: true }))).toContain('"action_id":"withdraw"');
});

it('says that options are others where the plans read alike: of one device, a gate after its only wave', () => {
  const request = aRolloutRequest({ counts: { ready: 1, open: 1 }, rollout: null });
  const plan = planRollout(1, { gate: 'manual' });
  const problem = { kind: 'request-differs', request, link: null, plan, devices: 1, mine: false } as const;
  expect(renderedText(shown(problem))).toContain('it’s not the same: its options are others.');
});

it('says that the waiting request is for the rest of the devices', () => {
  const request = aRolloutRequest({ counts: { verified: 9, ready: 15, open: 15 } });
  const problem = {
    kind: 'request-differs',
    request,
    link: null,
    plan: null,
    devices: 24,
    mine: false,
  } as const;
  expect(renderedText(shown(problem))).toContain(
    'yours is for 24 devices, the waiting one for the 15 that are left',
  );
});
