import { describe, expect, it } from 'vitest';
import { groupId, policyId } from '../../../../src/lib/ids.ts';
import {
  type Drift,
  driftSchema,
  type Evidence,
  type EvidenceList,
  evidenceSchema,
  type RequestNote,
} from '../../../../src/store/port/evidence.ts';
import {
  auditSentence,
  driftedText,
  driftText,
  evidenceText,
  noteText,
} from '../../../../src/views/requests/evidence.ts';
import { renderView } from '../../../../src/views/views.ts';
import { aRequest, aStartedRequest, aTarget } from '../../../harness/records.ts';
import { brokenRules } from '../../slack-message-rules.ts';
import {
  AT,
  DRAWN,
  EDIT,
  EFFECT_SENTENCES,
  type EvidenceRow,
  NOT_SENT_SENTENCES,
  OTHER_SENTENCES,
  REBOOT,
  SENT_SENTENCES,
} from './sentences.ts';

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

const name = 'web-01';
type Changed = Extract<Drift, { kind: 'changed' }>;
const changed = (
  field: string,
  was: Changed['was'],
  now: Changed['now'],
  item: string | null = null,
): Changed => ({ kind: 'changed', name, field, item, was, now });
const listed = (field: string, added: readonly string[], removed: readonly string[]): Drift => ({
  kind: 'listed',
  name,
  field,
  added,
  removed,
});

const SENTENCES: readonly (readonly [Drift, string])[] = [
  [{ kind: 'gone', name }, 'web-01 no longer exists in the management service'],
  [
    { kind: 'other-machine', name },
    'web-01 is now another machine: its serial number, UUID or creation time is different',
  ],
  [
    { kind: 'policy-hidden', policy: 'Harden SSH' },
    'the management service doesn’t show the configuration of “Harden SSH”',
  ],
  [
    { kind: 'rule', name: 'web-01', rule: 'production', does: 'asks' },
    'by now rule “production” asks for more approvals for web-01',
  ],
  [
    { kind: 'rule', name: 'web-01', rule: null, does: 'asks' },
    'by now what no rule covers asks for more approvals for web-01',
  ],
  [
    { kind: 'rule', name: 'web-01', rule: 'freeze', does: 'refuses' },
    'by now rule “freeze” refuses this for web-01',
  ],
  [
    { kind: 'policy-hidden', policy: null },
    'the management service doesn’t show the configuration of the policy',
  ],
  [changed('hostname', name, 'db-01'), 'the hostname of web-01 changed from “web-01” to “db-01”'],
  [changed('displayName', name, 'shop'), 'web-01 is now named “shop”'],
  [changed('osVersion', '22.04', '24.04'), 'the system version of web-01 changed from “22.04” to “24.04”'],
  [
    changed('groupId', 'Servers (#9)', 'Databases (#10)'),
    'the group of web-01 changed from “Servers (#9)” to “Databases (#10)”',
  ],
  [changed('connected', true, false), 'web-01 is now offline (was online)'],
  [changed('connected', false, true), 'web-01 is now online (was offline)'],
  [changed('connected', '', true), 'web-01 is now online (was unknown)'],
  [changed('connected', true, ''), 'it is no longer known whether web-01 is online (was online)'],
  [changed('lastLoggedInUser', null, null), 'the last logged-in user of web-01 changed'],
  [changed('needsReboot', true, false), 'web-01 no longer requires a reboot'],
  [changed('lastDisconnectTime', '', AT), `web-01 disconnected ${DRAWN} and is back online`],
  [changed('policy.status', 0, 1), 'web-01 now is up to date for the policy'],
  [changed('policy.status', 1, 0), 'web-01 now needs remediation for the policy'],
  [
    changed('policy.status', 1, ''),
    'the management service no longer reports the policy’s result for web-01',
  ],
  [changed('policy.digest', null, null), 'the configuration or schedule of web-01 changed'],
  [changed('policy.type', 'custom', 'patch'), 'the type of web-01 changed from “custom” to “patch”'],
  [changed('devices', 1, 34), 'the number of devices of web-01 changed from 1 to 34'],
  [changed('devices', 1, ''), 'the number of devices of web-01 changed from 1 to not stated'],
  [changed('current.schedule.time', '02:00', '04:00'), 'the time of web-01 changed from “02:00” to “04:00”'],
  [
    changed('current.settings.autoReboot', false, true),
    'the automatic reboot of web-01 changed from no to yes',
  ],
  [changed('group.wsus.managed', null, null), 'the source of Windows updates of web-01 changed'],
  [changed('a.new.one', null, null), 'the details of web-01 changed'],
  [
    changed('packages.version', '8.1', '8.2', 'curl'),
    'for web-01, the version of curl changed from “8.1” to “8.2”',
  ],
  [
    changed('packages.requiresReboot', false, true, 'curl'),
    'for web-01, the need for a reboot of curl changed from no to yes',
  ],
  [
    changed('editable.policies.digest', null, null, 'Harden SSH (#12)'),
    'for web-01, the configuration or schedule of Harden SSH (#12) changed',
  ],
  [listed('packages', ['openssl'], []), 'the missing packages of web-01 now also include openssl'],
  [
    listed('packages', ['a', 'b', 'c', 'd', 'e', 'f', 'g'], ['curl', 'openssl']),
    'the missing packages of web-01 now also include a, b, c, d, e and 2 more and no longer include curl and openssl',
  ],
  [
    listed('editable.policies', [], ['Harden SSH (#12)']),
    'the new policies of web-01 no longer include Harden SSH (#12)',
  ],
  [
    listed('removal.policiesAfter', ['Wipe (#3)'], []),
    'the policies after the removal of web-01 now also include Wipe (#3)',
  ],
  [
    listed('removal.queued', ['Reboot', 'GetOS'], []),
    'the waiting commands of web-01 now also include Reboot and GetOS',
  ],
  [
    listed('removal.devices.listed', ['kiosk-07 (#7)'], []),
    'the devices of web-01 now also include kiosk-07 (#7)',
  ],
];

describe('what changed since a request, in words', () => {
  it.each(SENTENCES.map(([drift, words]) => ({ drift, words })))('$words', ({ drift, words }) => {
    expect(driftText(drift)).toBe(words);
  });

  it('has a clause for every kind', () => {
    const kinds = driftSchema.options.map(({ shape }) => shape.kind.value);
    expect(new Set(SENTENCES.map(([{ kind }]) => kind))).toEqual(new Set(kinds));
  });

  type Drifted = Extract<Evidence, { kind: 'drifted' }>;
  const drifted = (more: Partial<Drifted>): string =>
    driftedText({ kind: 'drifted', subject: 'device', changes: [], more: 0, ...more });
  const offline: Drift = changed('connected', true, false);

  it.each([
    ['device', 'The device'],
    ['devices', 'One or more devices'],
    ['device-or-policy', 'The device or the policy'],
    ['group-or-policy', 'The group or one of its policies'],
  ] as const)('names what may have changed: %s', (subject, words) => {
    expect(drifted({ subject, changes: [offline] })).toBe(
      `${words} changed since the request — web-01 is now offline (was online).`,
    );
  });

  it.each([
    [1, '1 more change'],
    [7, '7 more changes'],
  ])('counts the %s that it does not list', (more, words) => {
    expect(drifted({ changes: [offline, changed('needsReboot', true, false)], more })).toBe(
      `The device changed since the request — web-01 is now offline (was online); web-01 no longer requires a reboot; ${words}.`,
    );
  });
});

function driftOf(name: string): readonly Drift[] {
  const names = Array.from({ length: 9 }, () => name);
  const changed = { kind: 'changed', name, item: null, was: name, now: name } as const;
  return [
    { kind: 'gone', name },
    { kind: 'other-machine', name },
    { kind: 'policy-hidden', policy: name },
    ...['hostname', 'displayName', 'groupId', 'connected', 'policy.status', name].map((field) => ({
      ...changed,
      field,
    })),
    { ...changed, field: 'policies.name', item: name },
    { kind: 'listed', name, field: 'packages', added: names, removed: names },
  ];
}

function evidenceOf(text: string): readonly Evidence[] {
  const policy = { id: policyId(12), name: text };
  const packages = Array.from({ length: 9 }, () => text);
  const error = { kind: 'invalid', status: 422, detail: text, held: null } as const;
  return [
    { kind: 'paused', since: AT, endedAt: null, reason: text },
    { kind: 'unsent', error },
    { kind: 'twin', name: text, group: groupId(5) },
    { kind: 'name-taken', name: text, policy: policyId(5) },
    { kind: 'refused', error },
    { kind: 'unsendable', fault: { kind: 'tag-both-ways', tag: text } },
    { kind: 'installed', packages: [text] },
    { kind: 'reported-installed', packages },
    { kind: 'install-failed', packages, words: text, installed: 0, total: 9 },
    { kind: 'not-installed', packages, nameless: { words: text } },
    { kind: 'policy-met', policy },
    { kind: 'policy-failed', policy, exitCode: 1 },
    { kind: 'confirmed', fields: ['customName'], name: text },
    ...driftOf(text).map(
      (one): Evidence => ({ kind: 'drifted', subject: 'device', changes: [one], more: 0 }),
    ),
  ];
}

const HOSTILE = [
  '<!channel>',
  '<@U123ABC>',
  '<http://evil.example|ok>',
  '&lt;',
  '*bold* _it_ `x`',
  '\u202E\n',
];
const LONG = ['x', '<', '&', '`', '"', '😀'].map((one) => one.repeat(5_000));

it.each([...HOSTILE, ...LONG].map((text) => ({ name: text.slice(0, 12), text })))(
  'a card with evidence of $name obeys Slack’s rules and pings nobody',
  ({ text }) => {
    const broken = evidenceOf(text).flatMap((one) => {
      const targets = [aTarget({ state: 'not_verified', endedAt: AT, evidence: [one] })];
      const request = aStartedRequest({ targets });
      return brokenRules(renderView({ kind: 'request', request })).map((rule) => `${one.kind}: ${rule}`);
    });
    expect(broken).toEqual([]);
  },
);

it.each(LONG.map((text) => ({ name: text.slice(0, 2), text })))(
  'a long text is cut with a mark: $name',
  ({ text }) => {
    for (const one of evidenceOf(text)) {
      const words = evidenceText([one], REBOOT) ?? '';
      expect(words).toContain('…');
      expect(words.length).toBeLessThan(3_000);
    }
  },
);

it.each([...HOSTILE, ...LONG].map((text) => ({ name: text.slice(0, 12), text })))(
  'a returned request with every change of $name fits on its card',
  ({ text }) => {
    const note: RequestNote = { kind: 'drifted', subject: 'device', changes: [...driftOf(text)], more: 3 };
    const request = aRequest({ note });
    expect(brokenRules(renderView({ kind: 'request', request }))).toEqual([]);
  },
);
