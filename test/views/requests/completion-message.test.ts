import { describe, expect, it } from 'vitest';
import { personId } from '../../../src/lib/ids.ts';
import { relativeDate } from '../../../src/views/kit/timestamps.ts';
import { renderView } from '../../../src/views/render.ts';
import { START } from '../../harness/builders.ts';
import { anApproval, anOperation, aTarget } from '../../harness/records.ts';
import { renderedButtons, renderedText } from '../rendered-text.ts';

describe('the message about a request that went back', () => {
  const note = 'Nothing was sent, because something changed: web-01 is offline now.';
  const approval = anApproval({ state: 'waiting', note });
  const shown = { kind: 'returned', operation: null, link: 'https://example.test/card' } as const;

  it('tells the approver that the approval does not count any more, and why', () => {
    const drawn = renderView({ ...shown, to: 'approver', approval });
    expect(drawn.text).toMatch(/^⏳ Needs approval again: Reboot web-01\nYou approved this\.\n/);
    expect(renderedText(drawn)).toContain(note);
    expect(renderedText(drawn)).toContain('|Open the request>');
  });

  it('says what became of the request where it comes late', () => {
    const denied = { ...approval, state: 'denied', decidedBy: personId('UAPPROVER') } as const;
    expect(renderView({ ...shown, to: 'requester', approval: denied }).text).toMatch(
      /^⛔ Needed approval again, now denied: Reboot web-01\nYou requested this\.\n/,
    );
  });

  it('says that it was not sent, and why, where it cannot be asked again', () => {
    const evidence = 'Not sent: the device no longer exists in the management service.';
    const operation = anOperation({ targets: [aTarget({ state: 'not_sent', evidence })] });
    const gone = { ...approval, state: 'approved', note: null, decidedBy: personId('UAPPROVER') } as const;
    const drawn = renderView({ ...shown, to: 'approver', approval: gone, operation });
    expect(drawn.text).toMatch(/^▫️ Not sent: Reboot web-01\nYou approved this\.\n/);
    expect(renderedText(drawn)).toContain('The device no longer exists in the management service.');
    const card = renderedText(renderView({ kind: 'approval', approval: gone, operation }));
    expect(card).toMatch(
      /\*Not sent: Reboot web-01\*.*Approved by <@UAPPROVER>.*\nThe device no longer exists/s,
    );
    expect(card).not.toContain('Withdrawn');
  });

  it('says that Patchbay withdrew what an earlier version could not ask again', () => {
    const gone = { ...approval, state: 'withdrawn', decidedBy: null } as const;
    expect(renderView({ ...shown, to: 'approver', approval: gone }).text).toMatch(
      /^▫️ Not sent and withdrawn: Reboot web-01\nYou approved this\.\n/,
    );
  });
});

describe('a request that went back and expired', () => {
  const note = 'Nothing was sent, because something changed: web-02 is called “Front door” now.';
  const approvedBy = personId('UAPPROVER');
  const went = { note, approvedBy, approvedAt: START } as const;
  const story = `${note} It had been approved by <@UAPPROVER> ${relativeDate(START)}.`;

  it('names its approval and why that did not count, on the card and in the message', () => {
    const approval = anApproval({ state: 'expired', decidedAt: START, ...went });
    const card = renderedText(renderView({ kind: 'approval', approval, operation: null }));
    const ended = { kind: 'approval', approval, operation: null } as const;
    const told = renderedText(renderView({ kind: 'told', ended, link: null }));
    for (const shown of [card, told]) {
      expect(shown).toContain('Nobody decided again by');
      expect(shown).toContain(story);
      expect(shown).not.toContain('Nobody decided by');
    }
  });

  it('names them while it waits, too', () => {
    const waiting = anApproval({ state: 'waiting', ...went });
    const card = renderedText(renderView({ kind: 'approval', approval: waiting, operation: null }));
    expect(card).toContain('*Needs approval again: Reboot web-01*');
    expect(card).toContain(story);
  });

  it('says that nobody decided only of one that never went back', () => {
    const approval = anApproval({ state: 'expired', decidedAt: START });
    expect(renderedText(renderView({ kind: 'approval', approval, operation: null }))).toContain(
      'Nobody decided by',
    );
  });
});

describe('the message about an outcome', () => {
  it('says why Patchbay withdrew what no person did', () => {
    const note = 'Nothing was sent, because something changed: web-01 is gone.';
    const ended = {
      kind: 'approval',
      approval: anApproval({ state: 'withdrawn', note }),
      operation: null,
    } as const;
    expect(renderedText(renderView({ kind: 'told', ended, link: null }))).toContain(note);
    const by = personId('UOPERATOR');
    const own = { ...ended, approval: { ...ended.approval, decidedBy: by } };
    expect(renderedText(renderView({ kind: 'told', ended: own, link: null }))).not.toContain(note);
  });

  it.each([null, anApproval({ state: 'approved' })])(
    'offers to request again what was not sent',
    (approval) => {
      const evidence = 'Not sent: too late. It was requested long ago.';
      const operation = anOperation({ targets: [aTarget({ state: 'not_sent', evidence })] });
      const ended =
        approval === null
          ? ({ kind: 'operation', operation } as const)
          : ({ kind: 'approval', approval, operation } as const);
      const message = renderView({ kind: 'told', ended, link: null });
      expect(message.text).toMatch(/^▫️ Not sent\. Your request: (Reboot|Scan) web-01\n/);
      expect(renderedText(message)).toMatch(/^▫️ \*Not sent\.\* Your request: \*(Reboot|Scan) web-01\*\n/);
      expect(renderedText(message)).toContain('Too late. It was requested long ago.');
      expect(renderedButtons(message)).toMatchObject([
        { action: 'again', value: JSON.stringify({ do: 'again', operation: operation.id }) },
      ]);
    },
  );

  it.each([
    ['all of several devices', ['not_sent', 'not_sent'], 'Request again', '2 not sent'],
    [
      'some of several devices',
      ['not_sent', 'verified', 'queued', 'not_sent'],
      'Request again for 2 devices',
      '2 not sent, 1 verified, 1 queued',
    ],
    [
      'several that did not accept it',
      ['refused', 'verified'],
      'Request again for web-01',
      '1 not accepted, 1 verified',
    ],
  ] as const)('offers to request again what was not sent to %s, by naming the operation', (...sample) => {
    const [, states, label, said] = sample;
    const operation = anOperation({ targets: states.map((state) => aTarget({ state })) });
    const told = renderView({ kind: 'told', ended: { kind: 'operation', operation }, link: null });
    const card = renderView({ kind: 'operation', operation });
    const value = JSON.stringify({ do: 'again', operation: operation.id });
    for (const message of [told, card]) {
      const [line] = message.text.split('\n');
      expect(line).toContain(said);
      expect(line).toContain(`${states.length} devices`);
      expect(renderedButtons(message)).toMatchObject([{ action: 'again', value }]);
      expect(JSON.stringify(message.blocks)).toContain(`"text":"${label}"`);
    }
  });

  it.each([
    ['was sent', ['verified']],
    ['may still be sent', ['not_sent', 'ready']],
    ['is being sent', ['not_sent', 'issuing']],
  ] as const)('offers nothing of the kind for what %s', (_what, states) => {
    const operation = anOperation({ targets: states.map((state) => aTarget({ state })) });
    const message = renderView({ kind: 'told', ended: { kind: 'operation', operation }, link: null });
    expect(renderedButtons(message)).toEqual([]);
  });
});
