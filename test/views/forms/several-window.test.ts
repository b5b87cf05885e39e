/** What the window says in which several requests are decided, and what is read of its submission. */
import { describe, expect, it } from 'vitest';
import { personId, requestId, windowId } from '../../../src/lib/ids.ts';
import { severalPage } from '../../../src/requests/decide/decision-windows.ts';
import { readMarks, severalWindow } from '../../../src/views/forms/decision-window.ts';
import { START } from '../../harness/builders.ts';
import { aReadyTarget, aRequest, aTarget, someFacts, somePackages } from '../../harness/records.ts';
import { aRollout, aRolloutRequest, aSummary, rolloutTargets } from '../../harness/rollouts.ts';
import { aDeviceToEdit } from '../../requests/builders.ts';
import { unsafeTexts } from '../slack-message-rules.ts';

const HOSTILE = '<!channel> *now* `x` & <https://a.example|here>'.repeat(20);

function drawn(count: number, given: Parameters<typeof aRequest>[0] = {}, page = 0) {
  const waiting = Array.from({ length: count }, (_, at) => aRequest({ ...given, id: requestId(`r_${at}`) }));
  const shown = severalPage(waiting, { person: personId('UME'), page, now: START });
  const rows = shown.rows.map((row) => ({ ...row, link: 'https://example.slack.com/archives/C1/p1' }));
  return severalWindow({ kind: 'several-window', id: windowId('w_1'), ...shown, rows });
}
const wordsOf = (...given: Parameters<typeof drawn>) => JSON.stringify(drawn(...given).blocks);

describe('the window of several requests', () => {
  it('says of each what, on how many, who, why and until when, and has nothing marked', () => {
    const modal = drawn(2);
    expect(modal.submit?.text).toBe('Decide');
    const words = JSON.stringify(modal.blocks);
    // Slack says “(optional)” after a field’s label, which is no title of a request.
    expect(words).toContain(
      '⏳ *Waiting for approval: Reboot web-01*\\nRequested by <@UOPERATOR> · Reason: kernel update\\nOnline · ',
    );
    expect(wordsOf(1, { reach: 12 })).toContain('\\n12 devices\\n');
    expect(words).not.toContain('initial_option');
    expect(words).toContain('Please say why this is needed.');
    expect(words).not.toContain('page');
  });

  it.each([
    [{ requesterId: personId('UME') }, 'Your own request: another approver decides.'],
    [{ action: { kind: 'device-remove' } as const }, 'Can’t be undone, so it’s decided on its own.'],
    [{ typedCount: true }, 'The number of devices has to be typed, so it’s decided on its own.'],
  ])(
    'lists what is decided on its own with a link, and cannot be submitted with nothing else',
    (given, why) => {
      const modal = drawn(1, given);
      const words = JSON.stringify(modal.blocks);
      expect(words).toContain(`${why} <https://example.slack.com/archives/C1/p1|Open the request>`);
      expect(words).not.toContain('checkboxes');
      expect(modal).not.toHaveProperty('submit');
    },
  );

  it('says of several devices which, what is installed, what is unusual, and in which waves', () => {
    const packages = { top: [{ name: 'openssl 3.0.13', devices: 5 }], more: 0 };
    const rollout = aRollout(5, { summary: aSummary({ packages, offline: 2 }) });
    const words = wordsOf(1, {
      action: { kind: 'patch', packages: ['openssl'] },
      rollout,
      targets: rolloutTargets(3),
      counts: { ready: 5, open: 5 },
    });
    expect(words).toContain('*Devices*: web-1, web-2, web-3 and 2 more\\n');
    expect(words).toContain('*Packages*: openssl 3.0.13 (5)\\n');
    expect(words).toContain('*Note*: 2 are offline and will run it when they’re back\\n');
    expect(words).toContain('*Plan*: ');
  });

  it('says of one device what is installed, and the facts that its card has, without who is logged in', () => {
    const facts = someFacts({
      connected: false,
      needsReboot: false,
      packages: somePackages('openssl', 'zlib'),
    });
    const given = { targets: [aReadyTarget(facts)] };
    // Offline, nobody knows whether somebody is logged in.
    expect(wordsOf(1, given)).toMatch(/\\nOffline since [^·]+ · No reboot required · /);
    const online = someFacts({ needsReboot: false });
    expect(wordsOf(1, { targets: [aReadyTarget(online)] })).toContain('Online · A user is logged in · ');
    const words = wordsOf(1, { ...given, action: { kind: 'patch', packages: ['openssl', 'zlib'] } });
    expect(words).toContain('*Packages*: openssl, zlib\\n');
    expect(words).not.toContain('deploy');
  });

  it('says of an edit what it changes, without addresses of mail', () => {
    const action = {
      kind: 'device-edit',
      change: { customName: 'db-09', addresses: ['lee@example.com'] },
    } as const;
    const words = wordsOf(1, { action, targets: [aReadyTarget(aDeviceToEdit())] });
    expect(words).toContain('*Changes*: custom name: db-09, addresses\\n');
    expect(words).not.toContain('lee@');
  });

  it('says what changed since the approval, and names no device that was sent before', () => {
    const [sent, ...left] = rolloutTargets(3);
    const note = { kind: 'drifted', subject: 'devices', changes: [], more: 0 } as const;
    const targets = [...(sent === undefined ? [] : [{ ...sent, state: 'verified' as const }]), ...left];
    const words = wordsOf(1, {
      ...aRolloutRequest(),
      targets,
      counts: { verified: 1, ready: 9 },
      note,
      typedCount: false,
    });
    expect(words).toMatch(/Needs approval again: Reboot 10 devices.*\\n9 devices\\n/);
    expect(words).toContain('Not sent: ');
    expect(words).toContain('*Devices*: web-2, web-3 and 7 more');
  });

  it('says of what may not be marked how many devices were requested in the hour', () => {
    expect(wordsOf(1, { typedCount: true, askedLastHour: 36 })).toContain(
      'The requester asked for changes of 36 devices in the hour up to this request.',
    );
    const words = wordsOf(1, { typedCount: true });
    expect(words).not.toContain('press *Decide*');
    expect(words).not.toContain('Reason to deny');
  });

  it('stays within Slack’s limits with twenty of the longest, and turns its pages', () => {
    const target = aTarget({
      displayName: HOSTILE,
      facts: someFacts({ displayName: HOSTILE }),
      state: 'ready',
    });
    const counts = { ready: 5, open: 5 };
    const modal = drawn(
      60,
      { ...aRolloutRequest(), typedCount: false, reason: HOSTILE, targets: [target, target, target], counts },
      1,
    );
    expect(modal.blocks.length).toBeLessThanOrEqual(100);
    expect(unsafeTexts(modal.blocks)).toEqual([]);
    const words = JSON.stringify(modal.blocks);
    expect(words).not.toContain('<!channel>');
    expect(words).toMatch(/Page 2\. .*Previous page.*Next page/);
  });

  it('reads which were marked, and what is decided about them', () => {
    const marked = { 'mark:r_1': ['r_1'], 'mark:r_2': [], other: ['r_3'] };
    const read = (given: Readonly<Record<string, readonly string[]>>) =>
      readMarks(new Map(Object.entries(given)));
    const marks = { decision: 'deny', requests: ['r_1'] };
    expect(read({ ...marked, marked: ['deny'] })).toEqual({ marks, error: null });
    expect(read({ marked: ['deny'] }).error).toContain('Mark at least one request.');
    expect(read({ ...marked, marked: ['later'] }).error).toContain('Approve or Deny');
    // Reasons to deny would be said of what was approved.
    const reasons = { ...marked, deny_because: ['2'] };
    expect(read({ ...reasons, marked: ['deny'] })).toEqual({ marks, error: null });
    expect(read({ ...reasons, marked: ['approve'] }).error).toBe(
      'You marked a reason to deny. Unmark it, or choose Deny.',
    );
  });
});
