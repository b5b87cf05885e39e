import { describe, expect, it } from 'vitest';
import { later, MINUTE } from '../../../src/lib/clock.ts';
import { personId } from '../../../src/lib/ids.ts';
import type { RequestTarget, RequestWithTargets } from '../../../src/store/port/request-records.ts';
import { homeView } from '../../../src/views/home/home-model.ts';
import { renderHome } from '../../../src/views/home/home-tab.ts';
import { readButtonValue } from '../../../src/views/kit/button-value.ts';
import { relativeDate } from '../../../src/views/kit/timestamps.ts';
import { renderView } from '../../../src/views/render.ts';
import { START } from '../../harness/builders.ts';
import { aRequest, aStartedRequest, aTarget, someFacts } from '../../harness/records.ts';
import { homeDataOf, PLAIN } from '../home/home-facts.ts';
import { renderedButtons, renderedText } from '../rendered-text.ts';
import { aSentRequest, readyTargets, sentence } from '../request-records.ts';

const draw = (request: RequestWithTargets) => renderView({ kind: 'request', request });
const card = (more: Partial<RequestWithTargets>) => draw(aRequest(more));
const NOTE = 'Nothing was sent, because it went offline.';

describe('the card of a request', () => {
  it('names who asks, why, the device and the facts that matter', () => {
    const shown = renderedText(card({}));
    for (const part of [
      '<@UOPERATOR>',
      'kernel update',
      'web-01',
      'Online',
      'deploy',
      'Linux servers',
      'Ubuntu',
      'can’t be canceled',
    ]) {
      expect(shown).toContain(part);
    }
  });

  it('says that an offline device runs it when it returns', () => {
    const said = 'It runs as soon as web-01 is back online.';
    expect(renderedText(card({ targets: readyTargets(someFacts({ connected: false })) }))).toContain(said);
    expect(renderedText(card({}))).not.toContain('It runs as soon as');
    expect(renderedText(card({ targets: readyTargets(someFacts({ connected: null })) }))).not.toMatch(
      /offline|back online/,
    );
  });

  it('offers approve, which asks in its window, and deny and withdraw with dialogs that name command and device', () => {
    const offered = renderedButtons(card({}));
    expect(offered.map(({ action }) => action)).toEqual(['approve', 'deny', 'withdraw']);
    for (const { action, value, confirm } of offered) {
      expect(readButtonValue(value)).toEqual({ do: 'decide', approval: 'r_1', seal: 'seal-1' });
      expect(confirm.toLowerCase()).toContain(action === 'approve' ? 'null' : 'reboot web-01');
    }
  });

  it.each(['approved', 'denied', 'expired', 'withdrawn'] as const)(
    'has no buttons once it is %s',
    (state) => {
      expect(renderedButtons(card({ state }))).toEqual([]);
    },
  );

  it('says who decided and when', () => {
    const decidedAt = later(START, 3 * MINUTE);
    const shown = renderedText(card({ state: 'denied', decidedBy: personId('UAPPROVER'), decidedAt }));
    expect(shown).toContain(`Denied by <@UAPPROVER> ${relativeDate(decidedAt)}`);
  });

  it('shows the one state it is in, and its evidence', () => {
    const target = aTarget({
      state: 'queued',
      queuedAt: START,
      evidence: sentence('Entry 9001 appeared in the queue.'),
    });
    const shown = draw(aSentRequest({ targets: [target] }));
    expect(shown.text.split('\n')[0]).toBe('▶️ Queued: Reboot web-01');
    expect(renderedText(shown)).toContain('Entry 9001 appeared in the queue.');
    expect(renderedText(shown)).not.toMatch(/Verified|Answered|Accepted/);
  });

  const became = (more: Parameters<typeof aTarget>[0]) =>
    draw(aSentRequest({ note: { kind: 'text', text: NOTE }, targets: [aTarget(more)] }));

  it('keeps the note of what changed only until it is approved again', () => {
    const note = { kind: 'text', text: NOTE } as const;
    expect(renderedText(card({ note }))).toContain(NOTE);
    expect(renderedText(card({ note, state: 'denied' }))).toContain(NOTE);
    expect(renderedText(card({ note, state: 'approved' }))).not.toContain(NOTE);
    expect(renderedText(became({ state: 'queued' }))).not.toContain(NOTE);
    expect(renderedText(became({ state: 'verified', endedAt: START }))).not.toContain(NOTE);
  });

  it('says that Patchbay withdrew what no person did', () => {
    const decidedAt = later(START, MINUTE);
    expect(renderedText(card({ state: 'withdrawn', decidedAt }))).toContain(
      `Withdrawn by Patchbay ${relativeDate(decidedAt)}`,
    );
  });

  it.each(['waiting', 'approved', 'denied', 'expired', 'withdrawn'] as const)(
    'dates its facts while it is %s',
    (state) => {
      // Old facts beside the current outcome would contradict it.
      const dated =
        state === 'waiting'
          ? `Device data as of ${relativeDate(START)}.`
          : `State as of ${relativeDate(START)}: Online`;
      expect(renderedText(card({ state }))).toContain(dated);
    },
  );

  const WHEN =
    '(?: (?:Accepted|Tried|Patchbay (?:stopped checking|checks for its result until)) <[^>]*>\\.)?';
  it.each([
    ['accepted', 'The service accepted the command; it was not seen in the device’s queue yet.'],
    ['queued', 'It waits in the device’s queue (number 501) and cannot be cancelled.'],
    ['unknown', 'Patchbay got no clear answer: it timed out. It is not sent again.'],
    ['refused', 'The management service refused the command. Nothing was changed.'],
    ['not_verified', 'Still in the device’s queue when we stopped looking.'],
  ] as const)('says once what the evidence of %s says', (state, evidence) => {
    expect(renderedText(became({ state, evidence: sentence(evidence), endedAt: START }))).toMatch(
      new RegExp(`^${evidence.replace(/[().]/g, '\\$&')}${WHEN}$`, 'm'),
    );
  });

  it('quotes the answer of the device once', () => {
    const quoted = became({
      state: 'answered',
      response: 'exit code 3',
      evidence: [{ kind: 'answered', exitCode: 3 }],
    });
    expect(renderedText(quoted).match(/The device answered/g)).toHaveLength(1);
    const said = sentence('The device answered with exit code 3.');
    const before = became({ state: 'answered', response: 'exit code 3', evidence: said });
    expect(renderedText(before).match(/The device answered/g)).toHaveLength(1);
    const dropped = [{ kind: 'uptime-dropped', flagCleared: false }] as const;
    const proven = became({ state: 'verified', response: 'exit code 3', evidence: dropped });
    expect(renderedText(proven)).toContain('The device answered with exit code 3.');
    const older = became({ state: 'verified', response: 'token=hunter2', evidence: dropped });
    expect(renderedText(older)).not.toContain('hunter2');
  });

  it.each([
    ['ready', 'Requested'],
    ['issuing', 'Sending'],
  ] as const)('denies nothing that may have happened by the time it is read: %s', (state, label) => {
    const targets = [aTarget({ state })];
    const request = aStartedRequest({ targets });
    const paging = { command: '', input: {}, page: 0, pages: 1, total: 1, asOf: START };
    const rows = [{ request, link: null }];
    const home = renderHome(homeView(homeDataOf(PLAIN, { requests: [request] })), new Map());
    const shown = [
      draw(request),
      draw(aSentRequest({ targets })),
      renderView({ kind: 'operations', rows, open: 1, paging }),
      { text: '', blocks: home.blocks },
    ];
    for (const drawn of shown) {
      expect(renderedText(drawn)).toContain(label);
      expect(`${drawn.text} ${renderedText(drawn)}`).not.toMatch(/not sent/i);
    }
    const unclaimed = card({ state: 'approved' });
    expect(`${unclaimed.text} ${renderedText(unclaimed)}`).not.toMatch(/not sent/i);
  });

  it.each([
    ['unknown', 'Outcome unknown', ['queue', 'device']],
    ['not_verified', 'Not verified', ['queue', 'device']],
    ['refused', 'Not accepted', ['again', 'device']],
    ['not_sent', 'Not sent', ['again', 'device']],
    ['verified', 'Verified', []],
    ['accepted', 'Accepted', ['queue']],
    ['queued', 'Queued', ['queue']],
    ['answered', 'Answered', []],
  ] as const)('leads on from %s, which it calls %s', (state, label, actions) => {
    const shown = became({ state });
    const alone = draw(aStartedRequest({ targets: [aTarget({ state })] }));
    for (const drawn of [shown, alone]) {
      expect(renderedText(drawn)).toMatch(new RegExp(`^\\S+ \\*${label}: (Reboot|Scan) web-01\\*$`, 'm'));
      expect(renderedButtons(drawn).map(({ action }) => action)).toEqual(actions);
    }
    const several = aStartedRequest({ targets: [aTarget({ state }), aTarget({ state })] });
    const wayOn = state === 'not_sent' || state === 'refused' ? ['again'] : [];
    expect(renderedButtons(draw(several)).map(({ action }) => action)).toEqual(wayOn);
  });

  it('calls failed what was reported as failed, and not verified what nothing proves', () => {
    const evidence = sentence('The installation failed.', 'failed');
    const failed = { state: 'not_verified', endedAt: START, evidence } as const;
    const one = became(failed);
    expect(one.text.split('\n')[0]).toMatch(/^⛔ Failed: /);
    expect(renderedText(one)).toContain('Patchbay saw the failure <');
    const unproven = aTarget({ state: 'not_verified', endedAt: START });
    const several = draw(aStartedRequest({ targets: [unproven, aTarget(failed)] }));
    expect(several.text.split('\n')[0]).toBe('⛔ Scan 2 devices: 1 not verified, 1 failed');
    const paging = { command: '', input: {}, page: 0, pages: 1, total: 1, asOf: START };
    const rows = [{ request: aStartedRequest({ targets: [aTarget(failed)] }), link: null }];
    expect(renderView({ kind: 'operations', rows, open: 0, paging }).text).toContain(
      '⛔ Failed: Scan web-01',
    );
  });

  it.each(['not_sent', 'not_verified', 'unknown'] as const)(
    'offers nothing that can only fail for a device that is gone: %s',
    (state) => {
      const before = sentence('It is gone.', 'gone');
      for (const evidence of [[{ kind: 'gone', thing: 'device' }], before] as const)
        expect(renderedButtons(became({ state, endedAt: START, evidence }))).toEqual([]);
      const gone = aTarget({ state: 'not_sent', evidence: before });
      const left = aTarget({ state: 'not_sent', displayName: 'web-02' });
      const shown = draw(aStartedRequest({ targets: [gone, left] }));
      expect(JSON.stringify(shown.blocks)).toContain('"text":"Request again for web-02"');
    },
  );

  it('says when the outcome of what was sent became unknown, and why each of several devices is where it is', () => {
    const open = became({ state: 'unknown', issuedAt: START });
    expect(renderedText(open)).toContain(`Patchbay tried to send the command ${relativeDate(START)}.`);
    const targets = [aTarget({ state: 'not_verified' }), aTarget({ state: 'not_sent' })];
    const several = renderedText(draw(aStartedRequest({ targets })));
    expect(several).toContain(
      'Not verified. The management service accepted the command, but Patchbay couldn’t confirm that it ran.',
    );
    expect(several).toContain('Not sent. Nothing was changed.');
  });

  it('says until when Patchbay follows what is open, and what may happen after that', () => {
    const until = relativeDate(later(START, MINUTE));
    const shown = (state: RequestTarget['state']) =>
      renderedText(became({ state, deadlineAt: later(START, MINUTE) }));
    expect(shown('accepted')).toContain(`Patchbay checks until ${until}.`);
    expect(shown('unknown')).toContain(`Patchbay looks for it until ${until}. Wait until then`);
    expect(shown('queued')).toContain(
      `Patchbay checks for the result until ${until}. After that, the device may still run the command, but Patchbay no longer reports it.`,
    );
    const targets = [aTarget({ state: 'verified', endedAt: START }), aTarget({ state: 'queued' })];
    const [, open] = targets.map(({ deadlineAt }) => relativeDate(deadlineAt));
    expect(renderedText(draw(aStartedRequest({ targets })))).toContain(
      `Patchbay keeps checking until ${open}.`,
    );
  });

  it('tells the device’s own exit code from that of a reported failure', () => {
    const words = 'The installer ended with exit code 1603';
    const failed = became({
      state: 'not_verified',
      endedAt: START,
      response: 'exit code 0',
      evidence: [{ kind: 'install-failed', packages: ['curl'], words, installed: 0, total: 1 }],
    });
    expect(renderedText(failed)).toContain(
      'The device answered the command itself with exit code 0. The failure was reported separately.',
    );
  });

  it('shows the device of an edit that is done', () => {
    const action = { kind: 'device-edit', change: { tags: [] } } as const;
    const drawn = draw(aStartedRequest({ action, targets: [aTarget({ state: 'verified' })] }));
    expect(renderedButtons(drawn).map(({ action }) => action)).toEqual(['device']);
  });

  it('draws the times of its evidence in the reader’s zone, and shows no token anywhere', () => {
    const shown = became({ state: 'verified', evidence: sentence(`The device was refreshed @{${START}}.`) });
    expect(renderedText(shown)).toContain(`The device was refreshed ${relativeDate(START)}.`);
    expect(JSON.stringify(shown)).not.toContain('@{');
  });

  it('says what is not known', () => {
    const target = aTarget({ state: 'unknown' });
    const shown = renderedText(draw(aSentRequest({ targets: [target] })));
    expect(shown).toContain('❓ *Outcome unknown: Reboot web-01*');
    expect(shown).toContain('won’t send it again');
  });
});
