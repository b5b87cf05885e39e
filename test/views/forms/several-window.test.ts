/** What the window says in which several requests are decided, and what is read of its submission. */
import { describe, expect, it } from 'vitest';
import { personId, requestId, windowId } from '../../../src/lib/ids.ts';
import { severalPage } from '../../../src/requests/decide/decide-several.ts';
import { readMarks, severalWindow } from '../../../src/views/forms/several-window.ts';
import { START } from '../../harness/builders.ts';
import { aRequest, aTarget, someFacts } from '../../harness/records.ts';
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
    expect(words).toContain('Reboot web-01');
    expect(words).toContain('"Requested by <@UOPERATOR> · Reason: kernel update · Expires ');
    expect(wordsOf(1, { reach: 12 })).toContain('"12 devices · Requested by <@UOPERATOR>');
    expect(words).not.toContain('initial_option');
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

  it('stays within Slack’s limits with twenty of the longest, and turns its pages', () => {
    const target = aTarget({ displayName: HOSTILE, facts: someFacts({ displayName: HOSTILE }) });
    const modal = drawn(60, { reason: HOSTILE, targets: [target] }, 1);
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
  });
});
