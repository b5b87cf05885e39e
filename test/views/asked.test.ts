import { describe, expect, it } from 'vitest';
import { operationId, type Reference } from '../../src/ids.ts';
import { when } from '../../src/views/kit/when.ts';
import type { DecisionOutcome, View } from '../../src/views/model.ts';
import { render } from '../../src/views/render.ts';
import { START } from '../harness/builders.ts';
import { anApproval } from '../harness/records.ts';
import { buttons, words } from './drawn.ts';

describe('private answers', () => {
  const asked = (reason: string | null, more: Partial<Extract<View, { kind: 'asked' }>> = {}) =>
    render({
      kind: 'asked',
      approval: anApproval({ reason }),
      channel: 'C0OPS' as Extract<View, { kind: 'asked' }>['channel'], // a test's brand
      link: null,
      already: false,
      mine: true,
      reasonUnused: false,
      ...more,
    });

  it('let the one who asked add a reason that is missing, and withdraw', () => {
    expect(buttons(asked(null)).map(({ action }) => action)).toEqual(['add_reason', 'withdraw']);
    expect(buttons(asked('x')).map(({ action }) => action)).toEqual(['withdraw']);
  });

  it('tell somebody else who asked already, and offer them nothing', () => {
    const shown = asked(null, { already: true, mine: false, reasonUnused: true });
    expect(shown.text).toBe(
      'The request of <@UOPERATOR> to reboot web-01 already waits for approval. Nothing is sent to the device before an approver agrees.',
    );
    expect(words(shown)).toContain('The reason that you gave now was not added to it.');
    expect(buttons(shown)).toEqual([]);
  });

  it('speak of a reason only where one was given', () => {
    expect(words(asked(null, { already: true }))).not.toContain('reason that you gave');
  });

  const decided = (outcome: DecisionOutcome) => render({ kind: 'decided', outcome }).text;
  const approval = anApproval();
  it.each<readonly [DecisionOutcome, string]>([
    [
      { kind: 'approved', approval },
      'You approved the request to reboot web-01. The facts are read once more before anything is sent; the card shows what becomes of it.',
    ],
    [{ kind: 'denied', approval }, 'You denied the request to reboot web-01. Nothing is sent to the device.'],
    [
      { kind: 'withdrawn', approval },
      'You withdrew your request to reboot web-01. Nothing is sent to the device.',
    ],
    [
      { kind: 'already', approval, state: 'expired', by: null, at: null },
      'The request to reboot web-01 is already expired. Nothing was changed by your press.',
    ],
    [
      { kind: 'repeated', approval, decision: 'approved', at: START },
      `You approved the request to reboot web-01 ${when(START)}. Its card shows its state.`,
    ],
  ])('name the request: $0.kind', (outcome, expected) => {
    expect(decided(outcome)).toBe(expected);
  });

  it.each([
    [null, 'Its card may take a moment to appear.'],
    ['https://example.test/card', '<https://example.test/card|Open the card> to follow it.'],
  ])('promise no more than that a command was taken up, with the card at %s', (link, follow) => {
    const shown = render({
      kind: 'started',
      operationId: operationId('o_1'),
      command: { kind: 'scan' },
      names: ['web-01'],
      link,
    });
    expect(words(shown)).toBe(`Your request to scan web-01 was taken up. ${follow}`);
  });

  it.each([
    ['nothing', 'Nothing was changed.'],
    ['unknown', 'Something may have changed'],
  ] as const)('say after a fault of ours whether anything was changed: %s', (changed, expected) => {
    const reference = 'abcd1234' as Reference; // a test's brand
    const shown = render({ kind: 'problem', problem: { kind: 'unexpected', changed, reference } });
    expect(shown.text).toContain(expected);
  });
});
