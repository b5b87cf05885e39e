/** Private answers to requests and presses. */
import { channelId, requestId } from '../../../src/lib/ids.ts';
import type { DecisionOutcome, Problem } from '../../../src/views/model.ts';
import { aDevice, START } from '../../harness/builders.ts';
import { aRequest, someFacts } from '../../harness/records.ts';
import { readyTargets } from '../request-records.ts';
import { APPROVER, CHANNEL, repeated, type SampleContent, type ViewSample } from './sample-content.ts';
import { aPause } from './setting-samples.ts';

export function answers({ text, count }: SampleContent): readonly ViewSample[] {
  const action = { kind: 'patch', packages: repeated(Math.max(count, 1), () => text) } as const;
  const request = aRequest({
    action,
    targets: readyTargets(someFacts({ displayName: text })),
    reason: null,
  });
  const link = 'https://example.slack.com/archives/C0OPS/p1?a=1&b=2';
  const own = { already: false, mine: true, reasonUnused: false };
  const outcomes: readonly DecisionOutcome[] = [
    { kind: 'approved', request },
    { kind: 'denied', request },
    { kind: 'withdrawn', request },
    { kind: 'already', request, state: 'denied', by: APPROVER, at: START },
    { kind: 'already', request, state: 'expired', by: null, at: null },
    { kind: 'own-request' },
    { kind: 'not-requester' },
    { kind: 'reason-given', reason: text },
    { kind: 'not-allowed', need: text },
    { kind: 'stale-card' },
    { kind: 'count-not-typed' },
    { kind: 'window-refused', why: 'ended-window' },
    { kind: 'window-unopened' },
    { kind: 'paused', pause: aPause({ reason: text }) },
    { kind: 'absent' },
  ];
  return [
    ['an answer to a request', { kind: 'approval-requested', request, channel: CHANNEL, link, ...own }],
    [
      'an answer to one’s own request once more',
      {
        kind: 'approval-requested',
        request,
        channel: CHANNEL,
        link,
        ...own,
        already: true,
        reasonUnused: true,
      },
    ],
    [
      'an answer to the same request',
      {
        kind: 'approval-requested',
        request: { ...request, reason: text },
        channel: channelId(text),
        link: text,
        already: true,
        mine: false,
        reasonUnused: true,
      },
    ],
    ['an answer to an order', { kind: 'started', requestId: requestId('r_1'), action, names: [text], link }],
    [
      'an answer to an order without a link',
      { kind: 'started', requestId: requestId('r_1'), action, names: [text], link: null },
    ],
    [
      'an answer to an order that somebody else gave before',
      {
        kind: 'started',
        requestId: requestId('r_1'),
        action,
        names: [text, text],
        link,
        already: true,
        by: APPROVER,
      },
    ],
    ...[1, 300].map((left): ViewSample => {
      const problem: Problem = { kind: 'device-gone', query: text };
      const unrequested = Array.from({ length: left }, () => ({ name: text, problem }));
      const view = {
        kind: 'started',
        requestId: requestId('r_1'),
        action,
        names: [text],
        link,
      } as const;
      return [`what was requested again without ${left}`, { kind: 'requested-again', view, unrequested }];
    }),
    ...['x', 'x'.repeat(3_000)].map(
      (reason): ViewSample => [
        `a request that is too late, of ${reason.length} letters`,
        {
          kind: 'too-late',
          command: 'reboot',
          input: { device: text, reason },
          subject: reason.length === 1 ? text : null,
          askedAt: START,
          maxAgeMs: 900_000,
          root: '/fleet',
        },
      ],
    ),
    ...outcomes.map(
      (outcome): ViewSample => [
        `a press: ${outcome.kind} ${'by' in outcome ? outcome.by : ''}`,
        { kind: 'decided', outcome },
      ],
    ),
    ...(['approvals', 'patchAlerts', 'newDevices', 'none'] as const).map(
      (purpose): ViewSample => [
        `a welcome: ${purpose}`,
        { kind: 'welcome', channel: CHANNEL, purpose, root: '/fleet' },
      ],
    ),
    ['a greeting', { kind: 'greeting', refusal: null, changes: true, root: '/fleet' }],
    ['a greeting of who may only look', { kind: 'greeting', refusal: null, changes: false, root: '/fleet' }],
    [
      'a greeting of who has no role',
      {
        kind: 'greeting',
        refusal: { kind: 'not-allowed', need: 'viewer', role: null, ask: [] },
        changes: false,
        root: '/fleet',
      },
    ],
    [
      'a command that lacks something',
      {
        kind: 'fill-in',
        command: 'patch',
        prefill: { device: text },
        missing: text,
        usage: text,
        root: '/fleet',
      },
    ],
    [
      'a form that did not open',
      {
        kind: 'fill-in',
        command: text,
        prefill: { device: text },
        missing: null,
        usage: text,
        root: '/fleet',
      },
    ],
    ['an answer shared from a window', { kind: 'posted', channel: CHANNEL }],
    [
      'a list sent as a file',
      { kind: 'exported', name: 'devices.csv', link: null, rows: count, omittedRows: 0 },
    ],
    [
      'a part of a list sent as a file',
      {
        kind: 'exported',
        name: 'devices.csv',
        link,
        rows: 50_000,
        omittedRows: count,
      },
    ],
    [
      'an answer to share or to keep',
      {
        kind: 'shareable',
        view: { kind: 'device', device: aDevice({ name: text }), groupName: text },
        again: { command: 'device', input: { device: text }, page: 0 },
        share: true,
        file: true,
      },
    ],
    ...[null, 'missing_scope', 'ratelimited'].map(
      (slackError): ViewSample => [
        `a file not sent: ${slackError}`,
        { kind: 'problem', problem: { kind: 'not-exported', slackError } },
      ],
    ),
  ];
}
