import { describe, expect, it } from 'vitest';
import { type EvidenceList, evidenceSchema, type RequestNote } from '../../../../src/store/port/evidence.ts';
import { auditSentence, evidenceText, noteText } from '../../../../src/views/requests/evidence.ts';
import { EFFECT_SENTENCES } from './effect-sentences.ts';
import { NOT_SENT_SENTENCES } from './not-sent-sentences.ts';
import { OTHER_SENTENCES } from './other-sentences.ts';
import { AT, DRAWN, EDIT, type EvidenceRow, REBOOT } from './rows.ts';
import { SENT_SENTENCES } from './sent-sentences.ts';

const ALL: readonly EvidenceRow[] = [
  ...NOT_SENT_SENTENCES,
  ...SENT_SENTENCES,
  ...EFFECT_SENTENCES,
  ...OTHER_SENTENCES,
];
const named = ALL.map(([evidence, words, action = REBOOT]) => ({ evidence, words, action }));

describe('evidence in words', () => {
  it.each(named)('$evidence.kind of a $action.kind: $words', ({ evidence, words, action }) => {
    expect(evidenceText([evidence], action)).toBe(words);
  });

  it('has a sentence for every kind', () => {
    const kinds = evidenceSchema.options.map(({ shape }) => shape.kind.value);
    expect(new Set(ALL.map(([{ kind }]) => kind))).toEqual(new Set(kinds));
  });

  it('says nothing where there is none', () => {
    expect(evidenceText([], REBOOT)).toBeNull();
  });

  it('is one sentence after the other', () => {
    const evidence: EvidenceList = [
      { kind: 'answered', exitCode: 2 },
      { kind: 'unconfirmed' },
      { kind: 'not-restarted', uptimeDropped: false },
    ];
    expect(evidenceText(evidence, REBOOT)).toBe(
      'The device answered with exit code 2. Couldn’t confirm that it ran. No disconnect and reconnect seen, and its uptime did not drop.',
    );
  });

  it.each<[string, EvidenceList, string]>([
    [
      'shows other values',
      [
        { kind: 'edit-unconfirmed', answerLost: false },
        { kind: 'other-values', fields: ['tags'] },
      ],
      'The management service accepted the change. It shows other values for tags.',
    ],
    [
      'still shows what was removed',
      [
        { kind: 'edit-unconfirmed', answerLost: true },
        { kind: 'still-there', thing: 'device' },
      ],
      'Patchbay got no clear answer, so the management service may or may not have accepted the change. It still shows the device. It was not sent again.',
    ],
    [
      'does not show it',
      [
        { kind: 'edit-unconfirmed', answerLost: true },
        { kind: 'not-shown', fields: ['tags'] },
      ],
      'Patchbay got no clear answer, so the management service may or may not have accepted the change. The management service does not show tags. It was not sent again.',
    ],
    [
      'no longer knows the device',
      [
        { kind: 'edit-unconfirmed', answerLost: true },
        { kind: 'gone', thing: 'device' },
      ],
      'Patchbay got no clear answer, so the management service may or may not have accepted the change. The device no longer exists in the management service. It was not sent again.',
    ],
    [
      'has several groups of the name',
      [
        { kind: 'edit-unconfirmed', answerLost: false },
        { kind: 'several-groups', groups: 2 },
      ],
      'The management service accepted the change. There are now 2 groups with this name.',
    ],
  ])('of an edit that is not confirmed says what the service shows: it %s', (_what, evidence, words) => {
    expect(evidenceText(evidence, EDIT)).toBe(words);
  });
});

const PAUSED: RequestNote = { kind: 'paused', since: AT, endedAt: null, reason: 'an incident' };
const DRIFTED: RequestNote = {
  kind: 'drifted',
  subject: 'group-or-policy',
  changes: [
    { kind: 'changed', name: 'Kiosks', field: 'displayName', item: null, was: 'Kiosks', now: 'Booths' },
  ],
  more: 0,
};

describe('a note on a request', () => {
  it.each<[RequestNote, string]>([
    [
      DRIFTED,
      'Not sent: the group or one of its policies changed since the request — Kiosks is now named “Booths”.',
    ],
    [PAUSED, `Not sent: all changes have been paused since ${DRAWN} (reason: an incident).`],
    [{ kind: 'unposted', why: 'channel_not_found' }, 'Slack couldn’t show the card: channel_not_found'],
  ])('says why it was returned or withdrawn: $kind', (note, words) => {
    expect(noteText(note, REBOOT)).toBe(words);
  });
});

describe('what the audit keeps', () => {
  it('is shown in the same words, be it evidence or a note', () => {
    const kept = (stored: unknown) => auditSentence(JSON.stringify(stored), REBOOT, 300);
    expect(kept([{ kind: 'answered', exitCode: 3 }])).toBe('The device answered with exit code 3.');
    expect(kept(PAUSED)).toBe(`Not sent: all changes have been paused since ${DRAWN} (reason: an incident).`);
    expect(kept([])).toBe('');
  });

  it('is shown as it stands where it only looks like facts', () => {
    expect(auditSentence('{"kind":"melted"}', REBOOT, 300)).toContain('melted');
    expect(auditSentence('[1]', REBOOT, 300)).toContain('[1]');
  });
});
