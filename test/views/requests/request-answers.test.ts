import { describe, expect, it } from 'vitest';
import { type Reference, requestId } from '../../../src/lib/ids.ts';
import { relativeDate } from '../../../src/views/kit/timestamps.ts';
import type { DecisionOutcome, View } from '../../../src/views/model.ts';
import { renderView } from '../../../src/views/views.ts';
import { START } from '../../harness/builders.ts';
import { aRequest } from '../../harness/records.ts';
import { aRolloutRequest } from '../../harness/rollouts.ts';
import { renderedButtons, renderedText } from '../rendered-text.ts';

describe('private answers', () => {
  const asked = (reason: string | null, more: Partial<Extract<View, { kind: 'approval-requested' }>> = {}) =>
    renderView({
      kind: 'approval-requested',
      request: aRequest({ reason }),
      channel: 'C0OPS' as Extract<View, { kind: 'approval-requested' }>['channel'], // a test's brand
      link: null,
      already: false,
      mine: true,
      reasonUnused: false,
      ...more,
    });

  it('let the one who asked add a reason that is missing, and withdraw', () => {
    expect(renderedButtons(asked(null)).map(({ action }) => action)).toEqual(['add_reason', 'withdraw']);
    expect(renderedButtons(asked('x')).map(({ action }) => action)).toEqual(['withdraw']);
  });

  it('tell somebody else who asked already, and offer them nothing', () => {
    const shown = asked(null, { already: true, mine: false, reasonUnused: true });
    expect(shown.text).toMatch(
      /^Approval was already requested: Reboot web-01\nRequested by <@UOPERATOR>\n.*Nothing is sent without an approval\./s,
    );
    expect(renderedText(shown)).toContain('Your reason was not added.');
    expect(renderedButtons(shown)).toEqual([]);
  });

  it('speak of a reason only where one was given', () => {
    expect(renderedText(asked(null, { already: true }))).not.toContain('Your reason');
  });

  const decided = (outcome: DecisionOutcome) => renderView({ kind: 'decided', outcome }).text;
  const request = aRequest();
  it.each<readonly [DecisionOutcome, string]>([
    [{ kind: 'approved', request }, 'Approved. If anything has changed, you’ll be asked again.'],
    [
      { kind: 'approved', request: aRolloutRequest({ counts: { ready: 1, open: 1 } }) },
      'Approved. If anything has changed, you’ll be asked again.',
    ],
    [
      { kind: 'approved', request: aRolloutRequest() },
      'Approved. Each wave is re-checked before it’s sent. Devices that have changed are left out.',
    ],
    [{ kind: 'denied', request }, 'You denied the reboot of web-01. Nothing was sent.'],
    [{ kind: 'withdrawn', request }, 'You withdrew the request for the reboot of web-01. Nothing was sent.'],
    [
      { kind: 'already', request, state: 'expired', by: null, at: null },
      'Already expired: Reboot web-01. Your click changed nothing.',
    ],
    [
      { kind: 'repeated', request, decision: 'approved', at: START },
      `You already approved this ${relativeDate(START)}: Reboot web-01. The request shows its current state.`,
    ],
  ])('name the request: $0.kind', (outcome, expected) => {
    expect(decided(outcome)).toBe(expected);
  });

  it.each([
    [null, 'Its progress will appear in a separate message.'],
    ['https://example.test/card', 'Follow its progress: <https://example.test/card|Open the request>'],
  ])('promise no more than that a command was requested, with the card at %s', (link, follow) => {
    const shown = renderView({
      kind: 'started',
      requestId: requestId('r_1'),
      action: { kind: 'scan' },
      names: ['web-01'],
      link,
    });
    expect(renderedText(shown)).toBe(`Scan of web-01 requested. ${follow}`);
  });

  it.each([
    ['nothing', 'Nothing was changed.'],
    ['unknown', 'Something may have changed'],
  ] as const)('say after a fault of ours whether anything was changed: %s', (changed, expected) => {
    const reference = 'abcd1234' as Reference; // a test's brand
    const shown = renderView({ kind: 'problem', problem: { kind: 'unexpected', changed, reference } });
    expect(shown.text).toContain(expected);
  });
});
