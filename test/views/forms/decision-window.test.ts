/** What the window says in which an approver lets something run. */
import { describe, expect, it } from 'vitest';
import { later, MINUTE } from '../../../src/lib/clock.ts';
import { requestId, windowId } from '../../../src/lib/ids.ts';
import { liftedBy } from '../../../src/rollout/progress.ts';
import {
  commentIn,
  decisionWindow,
  REASON_BLOCK,
  REASON_FORM_CALLBACK,
  reasonForm,
} from '../../../src/views/forms/decision-window.ts';
import { formErrorText } from '../../../src/views/forms/form-error-text.ts';
import { relativeDate } from '../../../src/views/kit/timestamps.ts';
import type { DecisionWindowFacts } from '../../../src/views/models/request-model.ts';
import { START } from '../../harness/builders.ts';
import { aRequest } from '../../harness/records.ts';
import { aRollout, aRolloutRequest, rolloutTargets } from '../../harness/rollouts.ts';

const drawn = (facts: Pick<DecisionWindowFacts, 'decides' | 'request'> & { devices?: number }) => {
  const modal = decisionWindow({
    kind: 'window',
    id: windowId('w_1'),
    endsAt: later(START, 15 * MINUTE),
    devices: null,
    ...facts,
  });
  return { modal, words: JSON.stringify(modal.blocks) };
};
const about = { requestId: requestId('r_1') };
const approve = { kind: 'approve', ...about, seal: 's' } as const;
const running = (over: Parameters<typeof aRolloutRequest>[0] = {}) =>
  aRolloutRequest({ state: 'running', counts: { verified: 10, ready: 30, open: 30 }, ...over });

describe('the window of an approval', () => {
  it('says what, on what, who asked, why, what cannot be undone, and that nothing is decided yet', () => {
    const { modal, words } = drawn({ decides: approve, request: aRequest({ reason: 'kernel update' }) });
    expect(modal).toMatchObject({
      callback_id: 'decision',
      private_metadata: 'w_1',
      submit: { text: 'Approve' },
    });
    for (const part of [
      'Reboot web-01',
      'Reason: kernel update',
      'can’t be canceled',
      'before you press *Approve*',
    ])
      expect(words).toContain(part);
    expect(words).not.toContain('approve_count');
  });

  it('asks for the number of what is left of many devices', () => {
    const counts = { verified: 3, ready: 37, open: 37 };
    const { words } = drawn({ decides: approve, devices: 37, request: aRolloutRequest({ counts }) });
    expect(words).toContain('*Reboot 37 devices*');
    expect(words).toContain('This approval is for the other 37 devices.');
    expect(words).toContain('"approve_count"');
  });

  it('has no more blocks than Slack takes, and ends with what is decided', () => {
    const targets = Array.from({ length: 50 }, () => aRequest().targets).flat();
    const { modal } = drawn({
      decides: approve,
      request: aRequest({ targets, counts: { ready: 50, open: 50 } }),
    });
    expect(modal.blocks.length).toBeLessThanOrEqual(100);
    expect(JSON.stringify(modal.blocks.at(-1))).toContain('Nothing is decided before');
  });
});

describe('the window of a denial', () => {
  it('says what is denied, and takes three suggestions and a comment, or neither', () => {
    const { modal, words } = drawn({ decides: { ...approve, kind: 'deny' }, request: aRequest() });
    expect(modal.submit?.text).toBe('Deny');
    for (const part of ['Reboot web-01', 'Nothing will be sent.', 'before you press *Deny*'])
      expect(words).toContain(part);
    const fields = modal.blocks.filter(({ type }) => type === 'input');
    expect(fields).toMatchObject([
      { optional: true, element: { type: 'checkboxes', options: [{}, {}, {}] } },
      { optional: true, element: { type: 'plain_text_input' } },
    ]);
    expect(words).not.toContain('initial_options');
  });

  it('is told with what was marked, then with what was typed', () => {
    expect(commentIn(' Ask Ann. ', ['1'])).toBe('Not now. Please request it later. Ask Ann.');
    expect(commentIn('', ['0', '2', '9'])).toBe('Please say why this is needed. Wrong devices.');
    expect(commentIn(' ', [])).toBeNull();
  });
});

describe('the window to let a rollout go on', () => {
  it('says why it stands, in the words of its card, and how many are left', () => {
    const hold = { kind: 'braked', bad: 3, ended: 7, at: START } as const;
    const request = running({ rollout: aRollout(40, { hold }) });
    const { modal, words } = drawn({ decides: { kind: 'resume', ...about, hold: START, wave: 0 }, request });
    expect(modal.submit?.text).toBe('Resume');
    expect(words).toContain('Stopped automatically after 3 failures in wave 1 (7 done)');
    expect(words).toContain('the 30 devices left.');
  });

  it.each([
    [
      'gate',
      'manual',
      38,
      'Next is wave 2 of 3: 8 devices of the 38 left. Then an approver has to continue it.',
    ],
    ['gate', 'manual', 30, 'Next is wave 3 of 3: the 30 devices left.'],
    ['paused', 'auto', 35, 'Next is wave 2 of 3: 5 devices of the 35 left.'],
  ] as const)(
    'names the next wave, and what it waits for then: %s, gate:%s, %i left',
    (kind, gate, left, said) => {
      const hold =
        kind === 'gate' ? ({ kind, at: START } as const) : ({ kind, by: null, at: START } as const);
      const counts = { verified: 40 - left, ready: left, open: left };
      const request = running({ counts, rollout: aRollout(40, { hold, gate, wave: 1 }) });
      const decides = { kind: liftedBy(hold) ?? 'resume', ...about, hold: START, wave: 1 };
      const { words } = drawn({ decides, request });
      expect(words).toContain(`${said}"`);
      expect(words).not.toContain('to the rest');
    },
  );

  it('without the offline ones says who has not come back, and since when', () => {
    const rollout = aRollout(12, { waveFrom: START });
    const request = running({ counts: { queued: 1, ready: 11, open: 12 }, rollout });
    const { words } = drawn({
      decides: { kind: 'continue-without', ...about, hold: null, wave: 0 },
      request,
    });
    expect(words).toContain(`1 of 1 has not come back since it was sent ${relativeDate(START)}.`);
    expect(words).toContain('Next is wave 2 of 3: 2 devices of the 11 left.');
  });

  it('without the offline ones says when it was sent, also after somebody continued, and not who was left out', () => {
    const [canary] = rolloutTargets(1);
    if (canary === undefined) throw new Error('no device');
    const { words } = drawn({
      decides: { kind: 'continue-without', ...about, hold: null, wave: 0 },
      request: running({
        targets: [{ ...canary, state: 'queued', issuedAt: START }],
        rollout: aRollout(12, { waveFrom: later(START, 30 * MINUTE) }),
        counts: { queued: 1, verified: 1, not_sent: 3, ready: 7, open: 8 },
      }),
    });
    expect(words).toContain(`1 of the 2 sent so far has not come back since ${relativeDate(START)}.`);
  });
});

describe('form for a reason', () => {
  it('carries the request and keeps the limits of a form', () => {
    const form = reasonForm(requestId('r_1'));
    expect(form).toMatchObject({
      callback_id: REASON_FORM_CALLBACK,
      private_metadata: 'r_1',
      blocks: [{ block_id: REASON_BLOCK }],
    });
    for (const part of [form.title, form.submit, form.close])
      expect(part?.text.length).toBeLessThanOrEqual(24);
  });
});

describe('errors on a form', () => {
  it('names in words what is near, because a form has no buttons for it', () => {
    const choice = { command: 'policy-test', input: {} };
    const offers = [
      { kind: 'named', what: 'policy', name: 'Disable SMBv1', id: 12, detail: null, choice },
    ] as const;
    const { next } = formErrorText({
      kind: 'no-such-policy',
      query: 'Disable SMB',
      nearest: ['Disable SMBv1'],
      offers,
    });
    expect(next).toContain('Closest match: Disable SMBv1.');
  });

  it('asks for the reason in its field, not in a command line', () => {
    const { next } = formErrorText({ kind: 'reason-required', devices: 1, lastHour: 52, from: 25 });
    expect(next).toBe('Enter it here.');
  });
});
