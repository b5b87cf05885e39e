import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fieldChanges, fitsOnCard } from '../../../src/fleet/facts/edit-changes.ts';
import type { TargetFacts } from '../../../src/fleet/facts/facts.ts';
import type { FleetEdit } from '../../../src/fleet/model/actions.ts';
import { groupId, personId, policyId } from '../../../src/lib/ids.ts';
import type { RequestWithTargets } from '../../../src/store/port/request-records.ts';
import { relativeDate } from '../../../src/views/kit/timestamps.ts';
import type { HeldView } from '../../../src/views/requests/completion-message.ts';
import { type Block, renderView } from '../../../src/views/views.ts';
import { START } from '../../harness/builders.ts';
import { property } from '../../harness/property.ts';
import { aRequest, aStartedRequest, aTarget } from '../../harness/records.ts';
import { aRollout, aRolloutRequest } from '../../harness/rollouts.ts';
import { aDeviceToEdit, aGroupToEdit } from '../../requests/builders.ts';
import { renderedButtons, renderedText, renderedTexts } from '../rendered-text.ts';
import { aSentRequest, readyTargets } from '../request-records.ts';

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

it('a card says that Patchbay tries again what certainly did not arrive', () => {
  const error = { kind: 'throttled', status: 429, detail: '', held: null } as const;
  const target = aTarget({ state: 'ready', evidence: [{ kind: 'unsent', error }] });
  const request = aStartedRequest({ targets: [target] });
  expect(renderedText(renderView({ kind: 'request', request }))).toContain(
    '\nIt could not be sent: the management service is limiting requests (HTTP 429). Patchbay tries again by itself.',
  );
});

it('a card says that Patchbay tries again where the state before sending could not be read', () => {
  const error = { kind: 'throttled', status: 429, detail: '', held: null } as const;
  const target = aTarget({ state: 'ready', evidence: [{ kind: 'not-read-yet', error }] });
  expect(
    renderedText(renderView({ kind: 'request', request: aStartedRequest({ targets: [target] }) })),
  ).toContain(
    '\nThe current state could not be read: the management service is limiting requests (HTTP 429). Patchbay tries again by itself.',
  );
});

it('so does the card of what was approved', () => {
  const error = { kind: 'throttled', status: 429, detail: '', held: null } as const;
  const target = aTarget({ state: 'ready', evidence: [{ kind: 'not-read-yet', error }] });
  const request = aRequest({ state: 'approved', targets: [target] });
  const shown = renderedText(renderView({ kind: 'request', request }));
  expect(shown).toContain('(HTTP 429). Patchbay tries again by itself.');
  expect(shown).not.toContain('Re-checking');
});

/** The card of a request with every other part as full as possible. */
function card(action: FleetEdit, things: readonly TargetFacts[]): string {
  const targets = readyTargets(...things);
  const note = { kind: 'unposted', why: '\\'.repeat(1_000) } as const;
  const request = aRequest({ action, targets, reason: '"'.repeat(2_000), note });
  const { blocks } = renderView({ kind: 'request', request });
  expect(JSON.stringify(blocks).length).toBeLessThanOrEqual(12_000);
  const shown = renderedTexts(blocks as readonly Block[]).map(({ text }) => text);
  return shown.join('\n');
}

const LETTERS = 'ab"\\&<`'.split('');
const piece = fc.string({ unit: fc.constantFrom(...LETTERS), minLength: 1, maxLength: 300 });
/** Starts and ends with unique letters, so that its escaped form can be found between them. */
const marked = fc.tuple(fc.nat(99_999), piece).map(([at, text]) => ({ text: `x${at}${text}${at}y`, at }));

describe('the changes on a card that waits', () => {
  const exclude = (exception: boolean) =>
    card({ kind: 'device-edit', change: { exception } }, [aDeviceToEdit({}, { exception: !exception })]);

  it('warn that a device that is excluded from reports is patched all the same', () => {
    expect(exclude(true)).toContain('*Reports and statistics*: included → excluded (policies still apply)');
    expect(exclude(false)).not.toContain('still apply');
    expect(exclude(true)).not.toMatch(/exce(pted|ption) from policies/i);
  });

  it('name the policies of the group that a device moves to', () => {
    const policies = [{ id: policyId(12), name: 'Harden SSH', digest: 'a' }];
    const edit = { kind: 'device-edit', change: { groupId: groupId(10) } } as const;
    expect(card(edit, [aDeviceToEdit({}, { policies })])).toContain(
      'Policies of the new group (1)*: Harden SSH (#12)',
    );
  });

  it('say what is added and removed, and quote a tag that holds a comma', () => {
    const edit = { kind: 'device-edit', change: { tags: ['prod', 'a, b'] } } as const;
    expect(card(edit, [aDeviceToEdit({}, { tags: ['prod', 'old'] })])).toContain(
      '*Tags*: add "a, b"; remove old (keeps prod)',
    );
  });

  it('mark what could be taken for several values or for our words', () => {
    const tags = ['q; remove prod', 'Remove b', 'None', '3 more', 'b or', 'Mo'];
    const edit = { kind: 'device-edit', change: { customName: 'web-01 (web-01, #4001)', tags } } as const;
    const device = card(edit, [aDeviceToEdit({ displayName: 'web-01 (web-01, #4001)' }, { tags: ['a'] })]);
    expect(device).toContain('*Custom name*: none → "web-01 (web-01, #4001)"');
    expect(device).toContain(
      '*Tags*: add "3 more", "None", "Remove b", "b or", "q; remove prod", Mo; remove a',
    );
    expect(device).toContain('*Edit* `web-01 (web-01, #4001)` (web-01, #42)');
    const policies = [{ id: policyId(7), name: 'X (#2103); remove Y' }];
    const link = { kind: 'group-edit', groupId: groupId(5), change: { policyIds: [policyId(7)] } } as const;
    expect(card(link, [aGroupToEdit({ policies, displayName: 'Kiosks and Shops' })])).toMatch(
      /`Kiosks and Shops` \(#5\).*\*Policies\*: add "X \(#2103\); remove Y" \(#7\)\n.* · #5\n/s,
    );
  });

  it('count what stays where it is too long to be listed', () => {
    const tags = Array.from({ length: 100 }, (_, at) => `tag-${at}`);
    const edit = { kind: 'device-edit', change: { retag: { add: ['new'], remove: [] } } } as const;
    expect(card(edit, [aDeviceToEdit({}, { tags })])).toContain('*Tags*: add new (keeps 100 others)');
  });

  it('warn of the policies of the group that a device moves to', () => {
    const edit = { kind: 'device-edit', change: { groupId: groupId(10) } } as const;
    const shown = card(edit, [aDeviceToEdit({}, { intoGroup: 'Kiosks' })]);
    expect(shown).toContain('*Group*: Servers (#9) → Kiosks (#10)');
    expect(shown).toContain(
      'the policies of the new group apply to the device instead of those of the current group.',
    );
  });

  it('name a new group in the title, and again only where the title had to cut it', () => {
    const create = (name: string) => {
      const group = { name, parentId: groupId(8), refreshIntervalMinutes: 720 };
      return card({ kind: 'group-create', group }, [
        aGroupToEdit({ groupId: null, group: null, displayName: name }),
      ]);
    };
    expect(create('Web')).not.toContain('*Name*');
    expect(create('w'.repeat(200))).toContain(`*Name*: ${'w'.repeat(200)}`);
  });

  const tags = Array.from({ length: 200 }, (_, at) => `was-${at}`);
  property([fc.array(marked, { minLength: 1, maxLength: 8 }), fc.boolean()])(
    'show every tag that is set whole, or the edit is not asked for',
    (added, many) => {
      const facts = aDeviceToEdit({}, { tags: many ? tags : [] });
      const retag = { add: added.map(({ text }) => text), remove: ['was-7'] };
      const edit = { kind: 'device-edit', change: { retag } } as const;
      if (!fitsOnCard(fieldChanges(edit, facts))) return;
      const shown = card(edit, [facts]);
      for (const { at } of added) {
        expect(shown).toContain(`x${at}`);
        expect(shown).toContain(`${at}y`);
      }
    },
  );

  it('show every field of a group, whatever else the card says', () => {
    const policies = Array.from({ length: 60 }, (_, at) => ({ id: policyId(at + 1), name: `Policy ${at}` }));
    const before = aGroupToEdit({ policies }, { notes: '"'.repeat(3_000), color: '"'.repeat(400) });
    const change = {
      name: 'New name',
      parentId: groupId(8),
      refreshIntervalMinutes: 720,
      color: '#D78500',
      notes: `${'"'.repeat(80)} the end of the notes`,
      osAutoUpdate: true,
      wsus: { enabled: true, server: 'http://wsus.example:8530' },
      policyIds: policies.map(({ id }) => id),
    };
    const edit: FleetEdit = { kind: 'group-edit', groupId: groupId(5), change };
    expect(fitsOnCard(fieldChanges(edit, before))).toBe(true);
    const shown = card(edit, [before]);
    for (const part of [
      'New name',
      '12 hours',
      'the end of the notes',
      'wsus.example:8530',
      'Policy 59 (#60)',
    ])
      expect(shown).toContain(part);
    expect(shown).toContain('Applies as soon as it’s approved');
  });
});
