/** What approval rules add to cards, answers and lists. */
import { later, MINUTE } from '../../../src/lib/clock.ts';
import { personId, userGroupId } from '../../../src/lib/ids.ts';
import type { RequestRules } from '../../../src/rules/quorum.ts';
import { START } from '../../harness/builders.ts';
import { aRequest, someFacts } from '../../harness/records.ts';
import { aRolloutRequest } from '../../harness/rollouts.ts';
import { rulesOf } from '../../harness/rules.ts';
import { APPROVER, repeated, type SampleContent, sample, type ViewSample } from './sample-content.ts';

export function ruleSamples({ text, count }: SampleContent): readonly ViewSample[] {
  const people = { people: [personId('UDBA')], userGroups: [userGroupId('S0DBA')] };
  const escalate = { afterMs: 40 * MINUTE, to: people };
  const demands = [
    {
      ...{ rule: text, devices: 30, remindMs: 20 * MINUTE, escalate, escalatedTo: people },
      quorums: [{ from: people, count: 2 }],
    },
    ...repeated(count, (at) => ({
      ...{ rule: `${text}${at}`, devices: 4, remindMs: null, escalate: null, isLost: true as const },
      quorums: [{ from: people, count: 1 }],
    })),
    { rule: null, devices: 1, quorums: [{ from: null, count: 1 }], remindMs: null, escalate: null },
  ];
  const approvals = [{ by: APPROVER, at: later(START, MINUTE), groups: [userGroupId('S0DBA')] }];
  const rules: RequestRules = { ...rulesOf({}), demands, approvals, since: START };
  const request = aRequest({ rules });
  const unmet = demands.map((demand) => ({ demand, missing: demand.quorums.map((quorum) => quorum.count) }));
  const refusing = repeated(count, (at) => ({ name: `${text}${at}`, because: text }));
  return [
    sample('a request that several have to agree to', { kind: 'request', request }),
    sample('a request that rules refuse since the file changed', {
      kind: 'request',
      request: aRequest({ rules: { ...rules, refusedBy: refusing } }),
    }),
    sample('a request that enough people approved since the file changed', {
      kind: 'request',
      request: aRequest({ rules: { ...rulesOf({}), approvals } }),
    }),
    sample('a rollout that several have to agree to', {
      kind: 'request',
      request: aRolloutRequest({ rules }),
    }),
    sample('a reminder', {
      kind: 'nudge',
      request,
      nudge: 'remind',
      approverGroups: [userGroupId('S0APPROVERS')],
    }),
    sample('an escalation', { kind: 'nudge', request, nudge: 'escalate', approverGroups: [] }),
    sample('an approval of several', { kind: 'decided', outcome: { kind: 'agreed', request } }),
    sample('an approval that was given before', {
      kind: 'decided',
      outcome: { kind: 'agreed-before', at: START, unmet },
    }),
    sample('what others decide', { kind: 'decided', outcome: { kind: 'others-decide', unmet } }),
    sample('what a rule refuses by now', {
      kind: 'decided',
      outcome: { kind: 'rule-refuses', rules: refusing },
    }),
    sample('a request that rules refuse', {
      kind: 'problem',
      problem: { kind: 'rule-refuses', rules: refusing, names: [text, text], devices: 3, total: 9 },
    }),
    sample('a reason that does not fit', {
      kind: 'problem',
      problem: { kind: 'reason-unfit', rule: text, pattern: text },
    }),
    sample('a change explained under rules', {
      kind: 'explain-plan',
      ...{ command: { kind: 'reboot' }, need: 'propose', targets: [someFacts()], reason: null, pause: null },
      judgement: { kind: 'asks', demands, reasons: [], expiresMs: 30 * MINUTE },
    }),
    sample('a change that a rule lets run, explained', {
      kind: 'explain-plan',
      ...{ command: { kind: 'reboot' }, need: 'propose', targets: [someFacts()], reason: null, pause: null },
      judgement: {
        kind: 'runs',
        by: repeated(count, (at) => ({ rule: `${text}${at}`, devices: 1, left: 3 })),
      },
    }),
    sample('a change that rules refuse, explained', {
      kind: 'explain-plan',
      ...{ command: { kind: 'reboot' }, need: 'propose', targets: [someFacts()], reason: null, pause: null },
      judgement: { kind: 'refused', rules: refusing, devices: [0] },
    }),
  ];
}
