import { describe, expect, it } from 'vitest';
import { personId } from '../../../src/lib/ids.ts';
import type { RequestWithTargets } from '../../../src/store/port/request-records.ts';
import { relativeDate } from '../../../src/views/kit/timestamps.ts';
import type { HeldView } from '../../../src/views/requests/completion-message.ts';
import { renderView } from '../../../src/views/views.ts';
import { START } from '../../harness/builders.ts';
import { aRequest, aStartedRequest, aTarget } from '../../harness/records.ts';
import { aRollout, aRolloutRequest } from '../../harness/rollouts.ts';
import { renderedButtons, renderedText } from '../rendered-text.ts';
import { aSentRequest } from '../request-records.ts';

const KIM = personId('UKIM');
const draw = (request: RequestWithTargets) => renderView({ kind: 'request', request });
const report = (request: RequestWithTargets) => renderView({ kind: 'completion', request, link: null });
const noted = (why: string) => ({ kind: 'unposted', why }) as const;

describe('the message about a rollout', () => {
  it('counts what worked, groups by cause what did not, and offers to retry exactly that', () => {
    const failed = (name: string) =>
      aTarget({
        displayName: name,
        state: 'not_verified',
        evidence: [{ kind: 'not-restarted', uptimeDropped: false }],
      });
    const request = aRolloutRequest({ state: 'ended', counts: { verified: 37, not_verified: 3 } });
    const problems = ['web-7', 'web-8', 'web-9'].map(failed);
    const drawn = renderView({
      kind: 'completion',
      request,
      link: null,
      details: { waves: [], problems, offline: [], onlyOffline: false, least: null },
    });
    expect(drawn.text).toMatch(/^⚠️ Partly verified\. Your request: Reboot 40 devices/);
    expect(renderedText(drawn)).toContain('37 verified, 3 not verified');
    expect(renderedText(drawn)).toContain('⚠️ Not verified (did not restart), 3 devices: web-7, web-8, web-9');
    expect(renderedButtons(drawn).map(({ action }) => action)).toEqual(['retry:failed']);
  });
});

describe('the message about a request that went back', () => {
  const note = 'Nothing was sent, because something changed: web-01 is offline now.';
  const request = aRequest({ state: 'waiting', note: noted(note) });
  const shown = { kind: 'returned', link: 'https://example.test/card' } as const;

  it('tells the approver that the approval does not count any more, and why', () => {
    const drawn = renderView({ ...shown, to: 'approver', request });
    expect(drawn.text).toMatch(/^⏳ Needs approval again: Reboot web-01\nYou approved this\.\n/);
    expect(renderedText(drawn)).toContain(note);
    expect(renderedText(drawn)).toContain('|Open the request>');
  });

  it('says what became of the request where it comes late', () => {
    const denied = { ...request, state: 'denied', decidedBy: personId('UAPPROVER') } as const;
    expect(renderView({ ...shown, to: 'requester', request: denied }).text).toMatch(
      /^⛔ Needed approval again, now denied: Reboot web-01\nYou requested this\.\n/,
    );
  });

  it('says that it was not sent, and why, where it cannot be asked again', () => {
    const evidence = [{ kind: 'gone', thing: 'device' }] as const;
    const gone = aSentRequest({ targets: [aTarget({ state: 'not_sent', endedAt: START, evidence })] });
    const drawn = renderView({ ...shown, to: 'approver', request: gone });
    expect(drawn.text).toMatch(/^▫️ Not sent: Reboot web-01\nYou approved this\.\n/);
    expect(renderedText(drawn)).toContain('The device no longer exists in the management service.');
    const card = renderedText(draw(gone));
    expect(card).toMatch(
      /\*Not sent: Reboot web-01\*.*Approved by <@UAPPROVER>.*\nThe device no longer exists/s,
    );
    expect(card).not.toContain('Withdrawn');
  });
});

describe('the message that a rollout stands still', () => {
  const hold = { kind: 'braked', bad: 2, ended: 5, at: START } as const;
  const counts = { verified: 3, not_verified: 2, ready: 35, open: 35 } as const;
  const rollout = aRollout(40, { hold, wave: 1 });
  const braked = aRolloutRequest({ state: 'running', counts, rollout });
  const stoppedByKim = { kind: 'stopped', by: KIM, at: START } as const;
  const drawn = (to: HeldView['to'], request: typeof braked = braked) =>
    renderView({ kind: 'held', to, request, link: 'https://example.test/card' });

  it('says what stopped, why, how far it came and who can resume it, with a link, and buttons for approvers', () => {
    const shown = drawn('approver');
    expect(shown.text).toMatch(/^⚠️ Stopped automatically: Reboot 40 devices\nYou approved this\.\n/);
    const text = renderedText(shown);
    expect(text).toContain('5 of 40 done\n3 verified, 2 not verified, 35 waiting');
    expect(text).toContain('Stopped automatically after 2 failures in wave 2 (5 done).');
    expect(text).toContain('An approver has to resume it, not its requester.');
    expect(text).toContain('|Open the request>');
    expect(renderedButtons(shown).map(({ action }) => action)).toEqual(['control:resume', 'control:stop']);
    expect(renderedText(drawn('requester'))).toContain('You requested this.');
    expect(renderedButtons(drawn('requester'))).toEqual([]);
  });

  it.each([
    ['goes on', { ...braked, rollout: { ...aRollout(40), resumedBy: KIM } }, '<@UKIM> let it continue.'],
    ['was stopped', { ...braked, rollout: { ...rollout, hold: stoppedByKim } }, 'Stopped by <@UKIM> '],
    ['was returned', { ...braked, state: 'waiting', rollout: aRollout(40) }, 'Waiting for approval.'],
  ] as const)('says only what was decided where it %s', (_what, request, decided) => {
    const shown = drawn('approver', request);
    expect(shown.text).toMatch(/^▫️ No longer waiting: Reboot 40 devices\nYou approved this\.\n/);
    expect(renderedText(shown)).toContain(decided);
    expect(renderedText(shown)).not.toContain('Stopped automatically');
    expect(renderedButtons(shown)).toEqual([]);
  });

  it('says to all approvers who requested it, with the buttons', () => {
    const shown = drawn('approvers');
    expect(renderedText(shown)).toContain('Requested by <@');
    expect(renderedButtons(shown)).toEqual(renderedButtons(drawn('approver')));
  });
});

describe('a request that went back and expired', () => {
  const note = 'Nothing was sent, because something changed: web-02 is called “Front door” now.';
  const approvedBy = personId('UAPPROVER');
  const went = { note: noted(note), approvedBy, approvedAt: START } as const;
  const story = `\`${note}\` The request had been approved by <@UAPPROVER> ${relativeDate(START)}.`;

  it('names its approval and why that did not count, on the card and in the message', () => {
    const request = aRequest({ state: 'expired', decidedAt: START, ...went });
    for (const shown of [draw(request), report(request)].map(renderedText)) {
      expect(shown).toContain('Nobody decided again before it expired');
      expect(shown).toContain(story);
      expect(shown).not.toContain('Nobody decided before it expired');
    }
  });

  it('names them while it waits, too', () => {
    const card = renderedText(draw(aRequest({ state: 'waiting', ...went })));
    expect(card).toContain('*Needs approval again: Reboot web-01*');
    expect(card).toContain(story);
  });

  it('says that nobody decided only of one that never went back', () => {
    const request = aRequest({ state: 'expired', decidedAt: START });
    expect(renderedText(draw(request))).toContain('Nobody decided before it expired');
  });
});

describe('the message about an outcome', () => {
  it('says why Patchbay withdrew what no person did', () => {
    const note = 'Nothing was sent, because something changed: web-01 is gone.';
    const request = aRequest({ state: 'withdrawn', note: noted(note) });
    expect(renderedText(report(request))).toContain(note);
    const own = { ...request, decidedBy: personId('UOPERATOR') };
    expect(renderedText(report(own))).not.toContain(note);
  });

  it.each([
    ['a command', aStartedRequest],
    ['an approved request', aSentRequest],
  ])('offers to request again what was not sent: %s', (_what, requestOf) => {
    const evidence = [{ kind: 'delayed' }] as const;
    const targets = [aTarget({ state: 'not_sent', endedAt: START, evidence })];
    const request = requestOf({ targets });
    const message = report(request);
    expect(message.text).toMatch(/^▫️ Not sent\. Your request: (Reboot|Scan) web-01\n/);
    expect(renderedText(message)).toMatch(/^▫️ \*Not sent\.\* Your request: \*(Reboot|Scan) web-01\*\n/);
    expect(renderedText(message)).toContain('Too late. Patchbay was delayed');
    expect(renderedButtons(message)).toMatchObject([
      { action: 'again', value: expect.stringContaining(`{"again":{"request":"${request.id}","of":null}}`) },
    ]);
  });

  it.each([
    ['was sent', ['verified']],
    ['may still be sent', ['ready']],
    ['is being sent', ['issuing']],
  ] as const)('offers nothing of the kind for what %s', (_what, states) => {
    const targets = states.map((state) => aTarget({ state }));
    expect(renderedButtons(report(aStartedRequest({ targets })))).toEqual([]);
  });
});
