/** Required content of fallback texts: answers to requests and clicks, and lists of requests. */
import { later, MINUTE } from '../../../src/lib/clock.ts';
import { channelId, personId, requestId } from '../../../src/lib/ids.ts';
import { relativeDate } from '../../../src/views/kit/timestamps.ts';
import type { DecisionOutcome, View } from '../../../src/views/model.ts';
import { START } from '../../harness/builders.ts';
import { aRequest, aStartedRequest, aTarget } from '../../harness/records.ts';
import { aRolloutRequest } from '../../harness/rollouts.ts';

type Row = { readonly name: string; readonly view: View; readonly holds: readonly string[] };

const BY = '<@UOPERATOR>';
const WHY = 'Reason: kernel update';
const APPROVER = personId('UAPPROVER');
const AT = later(START, 3 * MINUTE);
const LINK = 'https://example.slack.com/archives/C0OPS/p1';

const asked = (more: Partial<Extract<View, { kind: 'approval-requested' }>>): View => ({
  kind: 'approval-requested',
  request: aRequest(),
  channel: channelId('C0APPROVALS'),
  link: LINK,
  already: false,
  mine: true,
  reasonUnused: false,
  ...more,
});

const STARTED = {
  kind: 'started',
  requestId: requestId('r_1'),
  action: { kind: 'scan' },
  names: ['web-01'],
  link: LINK,
} as const;

const TOO_LATE = { kind: 'too-late', maxAgeMs: 15 * MINUTE, askedAt: START, root: '/fleet' } as const;

const ANSWERS: readonly Row[] = [
  {
    name: 'the answer to a request',
    view: asked({}),
    holds: ['Approval requested: Reboot web-01', '<#C0APPROVALS>', 'it expires', '|Open the request>'],
  },
  {
    name: 'the answer to somebody else’s request',
    view: asked({ already: true, mine: false, reasonUnused: true }),
    holds: ['Approval was already requested: Reboot web-01', BY, WHY, 'Your reason was not added.'],
  },
  { name: 'a command', view: STARTED, holds: ['Scan of web-01 requested.', '|Open the request>'] },
  {
    name: 'a command of somebody else',
    view: { ...STARTED, already: true, by: APPROVER },
    holds: ['Scan of web-01 was already requested by <@UAPPROVER>.'],
  },
  {
    name: 'a change that came too late',
    view: { ...TOO_LATE, command: 'scan', subject: 'web-01', input: {} },
    holds: [
      '▫️ *Not sent:* `/fleet scan web-01`',
      relativeDate(START),
      'Changes older than 15 minutes aren’t sent.',
    ],
  },
  {
    name: 'a repeated request whose devices have it all',
    view: {
      kind: 'problem',
      problem: {
        kind: 'none-to-change',
        leftOut: ['web-01', 'web-02'].map((name) => ({
          name,
          problem: { kind: 'none-missing', deviceName: name },
        })),
      },
    },
    holds: ['Nothing to do: all 2 devices have it now.', 'Ignored and deferred packages aren’t counted.'],
  },
  {
    name: 'a repeated request without some devices',
    view: {
      kind: 'requested-again',
      view: STARTED,
      unrequested: [{ name: 'web-02', problem: { kind: 'device-gone', query: 'web-02' } }],
    },
    holds: ['Scan of web-01 requested.', 'Not requested for 1 device:', '*web-02*'],
  },
  {
    name: 'an answer to an alias',
    view: { kind: 'expanded', name: 'lr', line: 'scan web-01', view: STARTED },
    holds: ['Scan of web-01 requested.', 'Ran `scan web-01` (alias `lr`).'],
  },
];

const outcome = (name: string, decision: DecisionOutcome, ...holds: readonly string[]): Row => ({
  name: `the answer to a click: ${name}`,
  view: { kind: 'decided', outcome: decision },
  holds,
});
const request = aRequest();

const CLICKS: readonly Row[] = [
  outcome(
    'approved',
    { kind: 'approved', request },
    'Approved. If anything has changed, you’ll be asked again.',
  ),
  outcome('denied', { kind: 'denied', request }, 'You denied the reboot of web-01. Nothing was sent.'),
  outcome(
    'withdrawn',
    { kind: 'withdrawn', request },
    'You withdrew the request for the reboot of web-01. Nothing was sent.',
  ),
  outcome(
    'decided before',
    { kind: 'already', request, state: 'denied', by: APPROVER, at: AT },
    `Already denied by <@UAPPROVER> ${relativeDate(AT)}: Reboot web-01.`,
  ),
  outcome('own request', { kind: 'own-request' }, 'You can’t approve or deny your own request.'),
  outcome(
    'not allowed',
    { kind: 'not-allowed', need: 'approver', role: 'operator' },
    'You need the approver role (you’re an operator).',
  ),
  outcome('no role', { kind: 'not-allowed', need: 'approver', role: null }, '(you have no role)'),
  outcome('an old card', { kind: 'stale-card' }, 'This request has changed.'),
  outcome('a number that was not typed', { kind: 'count-not-typed' }, 'Nothing was approved.'),
  outcome(
    'a rollout that was paused',
    {
      kind: 'controlled',
      control: 'pause',
      request: aRolloutRequest({ counts: { ready: 38, queued: 2, open: 40 } }),
    },
    'You paused the reboot of 40 devices. 38 devices not sent. 2 commands already with the management service can’t be canceled and can still run.',
  ),
  outcome(
    'a rollout that was stopped',
    { kind: 'controlled', control: 'stop', request: aRolloutRequest() },
    'You stopped the reboot of 40 devices.',
  ),
  outcome(
    'a rollout that was stopped in the middle',
    {
      kind: 'controlled',
      control: 'stop',
      request: aRolloutRequest({ counts: { not_sent: 35, issuing: 2, accepted: 1, queued: 1, answered: 1 } }),
    },
    '3 commands already with the management service can’t be canceled and can still run. The command is being sent to 2 devices. What wasn’t sent won’t be sent.',
  ),
  outcome(
    'a rollout that goes on',
    { kind: 'controlled', control: 'resume', request: aRolloutRequest() },
    'You resumed the reboot of 40 devices. 40 devices left.',
  ),
  outcome('a rollout of one’s own', { kind: 'own-rollout' }, 'An approver has to let it go on'),
  outcome(
    'a stop by somebody who may not',
    { kind: 'others-rollout', control: 'stop' },
    'Only the requester, approvers and admins can stop this rollout.',
  ),
  outcome(
    'a press that does not fit',
    { kind: 'rollout-is', standing: 'ended' },
    'Your click changed nothing: the rollout has ended.',
  ),
  outcome('a window that did not open', { kind: 'window-unopened' }, 'nothing was decided'),
  outcome(
    'a window that expired',
    { kind: 'window-refused', why: 'ended-window' },
    'Nothing was decided: this window expired.',
  ),
];

const paging = (command: string) => ({ command, input: {}, page: 0, pages: 1, total: 2, asOf: START });

const LISTS: readonly Row[] = [
  {
    name: 'the requests that wait',
    view: {
      kind: 'approvals',
      mine: false,
      rows: [
        { request: aRequest(), link: LINK },
        {
          request: aRequest({
            id: requestId('r_2'),
            state: 'denied',
            decidedBy: APPROVER,
            decidedAt: AT,
          }),
          link: null,
        },
      ],
      paging: paging('approvals'),
    },
    holds: [
      'Requests waiting for approval: 2',
      `⏳ Waiting for approval: Reboot web-01 · expires ${relativeDate(later(START, 30 * MINUTE))}`,
      `Requested by ${BY} ${relativeDate(START)} · ${WHY}`,
      '⛔ Denied: Reboot web-01 · by <@UAPPROVER>',
    ],
  },
  {
    name: 'the commands',
    view: {
      kind: 'operations',
      rows: [{ request: aStartedRequest({ targets: [aTarget({ state: 'verified' })] }), link: LINK }],
      open: 0,
      paging: paging('operations'),
    },
    holds: ['Recent commands: 2 commands, 0 in progress', '✅ Verified: Scan web-01', BY],
  },
];

export const REQUEST_ANSWERS: readonly Row[] = [...ANSWERS, ...CLICKS, ...LISTS];
