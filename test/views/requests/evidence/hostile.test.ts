/** Whatever others write stands in evidence as text: escaped, and cut. */
import { expect, it } from 'vitest';
import { groupId, policyId } from '../../../../src/lib/ids.ts';
import type { Drift, Evidence, RequestNote } from '../../../../src/store/port/evidence.ts';
import { evidenceText } from '../../../../src/views/requests/evidence.ts';
import { renderView } from '../../../../src/views/views.ts';
import { aRequest, aStartedRequest, aTarget } from '../../../harness/records.ts';
import { brokenRules } from '../../slack-message-rules.ts';
import { AT, REBOOT } from './rows.ts';

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
