import { describe, expect, it } from 'vitest';
import { later, MINUTE } from '../../../src/lib/clock.ts';
import { personId } from '../../../src/lib/ids.ts';
import type { RequestTarget, RequestWithTargets } from '../../../src/store/port/request-records.ts';
import { homeView, renderHome } from '../../../src/views/home/home-tab.ts';
import { readButtonValue } from '../../../src/views/kit/buttons.ts';
import { cardMetadata } from '../../../src/views/kit/card-metadata.ts';
import { relativeDate } from '../../../src/views/kit/timestamps.ts';
import { cardState, outcomeState } from '../../../src/views/requests/request-label.ts';
import { actionTitle, requestFor } from '../../../src/views/text/common-text.ts';
import { renderView } from '../../../src/views/views.ts';
import { START } from '../../harness/builders.ts';
import { aRequest, aStartedRequest, aTarget, someFacts, somePackages } from '../../harness/records.ts';
import { homeDataOf, PLAIN } from '../home/home-facts.ts';
import { renderedButtons, renderedText } from '../rendered-text.ts';
import { aSentRequest, readyTargets } from '../request-records.ts';

const draw = (request: RequestWithTargets) => renderView({ kind: 'request', request });
const card = (more: Partial<RequestWithTargets>) => draw(aRequest(more));
const NOTE = 'not_in_channel';

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
      expect(confirm.toLowerCase()).toContain(action === 'withdraw' ? 'reboot web-01' : 'null');
    }
  });

  it.each([
    ['approved', []],
    ['denied', []],
    ['withdrawn', []],
    ['expired', ['again', 'device']],
  ] as const)('has no buttons to decide once it is %s', (state, buttons) => {
    expect(renderedButtons(card({ state })).map(({ action }) => action)).toEqual(buttons);
  });

  it('says who decided and when', () => {
    const decidedAt = later(START, 3 * MINUTE);
    const shown = renderedText(card({ state: 'denied', decidedBy: personId('UAPPROVER'), decidedAt }));
    expect(shown).toContain(`Denied by <@UAPPROVER> ${relativeDate(decidedAt)}`);
  });

  it.each(['denied', 'approved', 'ended'] as const)(
    'says what was said of it once it is %s, cut',
    (state) => {
      const said = `Not <!here>. ${'x'.repeat(700)}`;
      const shown = renderedText(card({ state, decidedBy: personId('UAPPROVER'), comment: said }));
      expect(shown).toMatch(/Comment: `Not &lt;!here&gt;\. x+…`/);
    },
  );

  it('shows the one state it is in, and its evidence', () => {
    const target = aTarget({
      state: 'queued',
      queuedAt: START,
      evidence: [{ kind: 'ambiguous', entries: 2, answerLost: false }],
    });
    const shown = draw(aSentRequest({ targets: [target] }));
    expect(shown.text.split('\n')[0]).toBe('▶️ Queued: Reboot web-01');
    expect(renderedText(shown)).toContain('2 ');
    expect(renderedText(shown)).not.toMatch(/Verified|Answered|Accepted/);
  });

  const became = (more: Parameters<typeof aTarget>[0]) =>
    draw(aSentRequest({ note: { kind: 'unposted', why: NOTE }, targets: [aTarget(more)] }));

  it('keeps the note of what changed only until it is approved again', () => {
    const note = { kind: 'unposted', why: NOTE } as const;
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

  it.each(['accepted', 'queued', 'unknown', 'refused', 'not_verified'] as const)(
    'says once what the evidence of %s says',
    (state) => {
      const evidence = [{ kind: 'packages-unread' }] as const;
      expect(renderedText(became({ state, evidence, endedAt: START }))).toMatch(
        /^The device’s packages have not been read yet\.(?: (?:Accepted|Tried|Patchbay (?:stopped checking|checks for its result until)) <[^>]*>\.)?$/m,
      );
    },
  );

  it('quotes the answer of the device once', () => {
    const quoted = became({
      state: 'answered',
      response: 'exit code 3',
      evidence: [{ kind: 'answered', exitCode: 3 }],
    });
    expect(renderedText(quoted).match(/The device answered/g)).toHaveLength(1);
    const dropped = [{ kind: 'uptime-dropped', flagCleared: false }] as const;
    const proven = became({ state: 'verified', response: 'exit code 3', evidence: dropped });
    expect(renderedText(proven)).toContain('The device answered with exit code 3.');
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
    ['not_verified', 'Not verified', ['retry:failed', 'queue', 'device']],
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
  });

  it('calls failed what was reported as failed, and not verified what nothing proves', () => {
    const about = { packages: ['curl'], words: null, installed: 0, total: 1 };
    const evidence = [{ kind: 'install-failed', ...about }] as const;
    const failed = { state: 'not_verified', endedAt: START, evidence } as const;
    const one = became(failed);
    expect(one.text.split('\n')[0]).toMatch(/^⛔ Failed: /);
    expect(renderedText(one)).toContain('Patchbay saw the failure <');
    const paging = { command: '', input: {}, page: 0, pages: 1, total: 1, asOf: START };
    const rows = [{ request: aStartedRequest({ targets: [aTarget(failed)] }), link: null }];
    expect(renderView({ kind: 'operations', rows, open: 0, paging }).text).toContain(
      '⛔ Failed: Scan web-01',
    );
  });

  it.each(['not_sent', 'not_verified', 'unknown'] as const)(
    'offers nothing that can only fail for a device that is gone: %s',
    (state) => {
      const evidence = [{ kind: 'gone', thing: 'device' }] as const;
      expect(renderedButtons(became({ state, endedAt: START, evidence }))).toEqual([]);
    },
  );

  it('says when the outcome of what was sent became unknown', () => {
    const open = became({ state: 'unknown', issuedAt: START });
    expect(renderedText(open)).toContain(`Patchbay tried to send the command ${relativeDate(START)}.`);
  });

  it('says until when Patchbay follows what is open, and what may happen after that', () => {
    const until = relativeDate(later(START, MINUTE));
    const shown = (state: RequestTarget['state']) =>
      renderedText(became({ state, deadlineAt: later(START, MINUTE) }));
    expect(shown('accepted')).toContain(`Checking until ${until}.`);
    expect(shown('unknown')).toContain(`Patchbay looks for it until ${until}. Wait until then`);
    expect(shown('queued')).toContain(
      `Checking for the result until ${until}. After that, the device may still run the command, but Patchbay no longer reports it.`,
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

  it('says what is not known', () => {
    const target = aTarget({ state: 'unknown' });
    const shown = renderedText(draw(aSentRequest({ targets: [target] })));
    expect(shown).toContain('❓ *Outcome unknown: Reboot web-01*');
    expect(shown).toContain('won’t send it again');
  });
});

describe('the card of a patch', () => {
  it.each([
    [{ severities: ['critical'], named: [] }, 'all missing critical patches.'],
    [
      { severities: ['critical', 'high'], named: ['nano'] },
      'all missing critical or high patches, and by name nano.',
    ],
  ])('says how the packages were chosen: %o', (chosen, said) => {
    const action = { kind: 'patch', packages: ['curl', 'nano'], chosen } as const;
    const targets = readyTargets(someFacts({ packages: somePackages('curl', 'nano') }));
    const shown = renderedText(card({ action, targets }));
    expect(shown).toContain(said);
    expect(shown).toContain('curl, nano');
  });

  it('says of each package what is known, and counts the rest of many', () => {
    const packages = Array.from({ length: 500 }, (_, at) => ({
      name: `package-${at}`,
      version: '3.0.2',
      severity: 'high',
      cves: ['CVE-2026-1', 'CVE-2026-2', 'CVE-2026-3'],
      requiresReboot: at === 0,
    }));
    const targets = readyTargets(someFacts({ packages }));
    const shown = renderedText(card({ action: { kind: 'patch-all' }, targets }));
    expect(shown).toContain(
      'To install (500)*: package-0 3.0.2 (high; CVE-2026-1, CVE-2026-2 and 1 more; reboot required), package-1 3.0.2',
    );
    expect(shown).toContain('and 485 more');
  });

  it('says nothing of severities where the packages were named', () => {
    expect(renderedText(card({ action: { kind: 'patch', packages: ['curl'] } }))).not.toContain('severity');
  });

  it('names every package that is to be installed, also of many', () => {
    const packages = Array.from({ length: 60 }, (_, at) => `package-${at}-end`);
    const action = { kind: 'patch', packages } as const;
    const targets = readyTargets(someFacts({ packages: somePackages(...packages) }));
    const shown = renderedText(card({ action, targets }));
    for (const name of packages) expect(shown).toContain(name);
  });
});

const install = (severities: readonly string[], named: readonly string[]) =>
  ({ kind: 'patch-each', chosen: { severities, named } }) as const;

describe('the title of an installation on many devices', () => {
  it.each([
    [install(['critical'], []), 'Install missing critical patches on 24 devices'],
    [install([], ['openssl']), 'Install openssl on 24 devices'],
    [
      install(['critical', 'high'], ['openssl']),
      'Install missing critical and high patches and openssl on 24 devices',
    ],
    [install([], ['a', 'b', 'c', 'd']), 'Install a, b, c and 1 more package on 24 devices'],
    [install([], ['a', 'b', 'c', 'd', 'e']), 'Install a, b, c and 2 more packages on 24 devices'],
    [{ kind: 'patch-each', chosen: null } as const, 'Install all missing patches on 24 devices'],
  ])('%j', (action, title) => {
    expect(actionTitle(action, 24)).toBe(title);
  });

  it('is escaped, and names what was requested in other sentences as well', () => {
    expect(requestFor(install([], ['openssl']), 24)).toBe('Installation of openssl on 24 devices');
    expect(requestFor(install([], ['<!here>']), 24)).toContain('&lt;!here&gt;');
  });
});

describe('states: the state of a command', () => {
  it.each([
    ['not sent yet', ['ready'], 'waiting'],
    ['being sent', ['issuing'], 'waiting'],
    ['accepted', ['accepted'], 'accepted'],
    ['queued', ['queued'], 'queued'],
    ['answered', ['answered'], 'answered'],
    ['verified', ['verified'], 'verified'],
    ['not verified', ['not_verified'], 'not_verified'],
    ['not sent for good', ['not_sent'], 'not_sent'],
    ['not sent to one of several', ['verified', 'not_sent'], 'not_sent'],
    ['not sent to one, and refused for another', ['not_sent', 'refused'], 'refused'],
    ['not sent to one, and under way on another', ['not_sent', 'accepted'], 'accepted'],
    ['not accepted', ['refused'], 'refused'],
    ['not accepted for one, and not verified for another', ['refused', 'not_verified'], 'not_verified'],
    ['unknown', ['unknown'], 'unknown'],
    ['the least far of several', ['verified', 'answered', 'queued'], 'queued'],
    ['what a person should look at, when all have ended', ['verified', 'refused', 'unknown'], 'unknown'],
    ['verified only when all are', ['verified', 'verified'], 'verified'],
    ['of no device', [], 'waiting'],
  ] as const)('is for %s', (_what, states, expected) => {
    const targets = states.map((state) => aTarget({ state }));
    expect(outcomeState(aStartedRequest({ targets }))).toBe(expected);
    expect(cardState(aStartedRequest({ targets }))).toBe(expected);
  });
});

describe('states: the state of a request', () => {
  it.each([
    ['waiting', aRequest(), 'waiting'],
    ['denied', aRequest({ state: 'denied' }), 'denied'],
    ['expired', aRequest({ state: 'expired' }), 'expired'],
    ['withdrawn', aRequest({ state: 'withdrawn' }), 'withdrawn'],
    ['approved and not yet issued', aRequest({ state: 'approved' }), 'waiting'],
    ['approved and moving', aSentRequest({ targets: [aTarget({ state: 'answered' })] }), 'answered'],
    [
      'carried out',
      aSentRequest({ targets: [aTarget({ state: 'not_verified', endedAt: START })] }),
      'not_verified',
    ],
  ] as const)('is for one that is %s', (_what, request, expected) => {
    expect(cardState(request)).toBe(expected);
  });

  it('is that of all targets, also of those that are not loaded', () => {
    const targets = [aTarget({ state: 'verified', endedAt: START })];
    expect(cardState(aSentRequest({ targets, counts: { verified: 5_000, queued: 1, open: 1 } }))).toBe(
      'queued',
    );
  });
});

describe('metadata', () => {
  it('names the card and its state', () => {
    expect(cardMetadata('approval:a_1', { state: 'waiting' })).toEqual({
      event_type: 'patchbay_card',
      event_payload: { key: 'approval:a_1', state: 'waiting' },
    });
  });
});
