/** Required content of fallback texts of requests and commands: who, what, which device, why and the state. */

import { later, MINUTE } from '../../../src/lib/clock.ts';
import {
  channelId,
  deviceId,
  groupId,
  personId,
  policyId,
  queueEntryId,
  requestId,
} from '../../../src/lib/ids.ts';
import type { RequestNote } from '../../../src/store/port/evidence.ts';
import type { RequestWithTargets, TargetState } from '../../../src/store/port/request-records.ts';
import { relativeDate } from '../../../src/views/kit/timestamps.ts';
import type { DecisionOutcome, View } from '../../../src/views/views.ts';
import { START } from '../../harness/builders.ts';
import { aRequest, aStartedRequest, aTarget, someFacts, somePackages } from '../../harness/records.ts';
import { aRollout, aRolloutRequest, aSummary } from '../../harness/rollouts.ts';
import { aDeviceToEdit, aGroupToEdit } from '../../requests/builders.ts';
import { type FallbackRow, row } from '../rendered-text.ts';
import { aSentRequest, readyTargets } from '../request-records.ts';

const BY = '<@UOPERATOR>';
const WHY = 'Reason: kernel update';
const APPROVER = personId('UAPPROVER');
const AT = later(START, 3 * MINUTE);
const DECIDED = { decidedBy: APPROVER, decidedAt: AT } as const;
const LINK = 'https://example.slack.com/archives/C0OPS/p1';
const NOTE = 'Not sent: the device changed since the request — web-01 is now offline (was online).';
const DRIFTED: RequestNote = {
  kind: 'drifted',
  subject: 'device',
  changes: [{ kind: 'changed', name: 'web-01', field: 'connected', item: null, was: true, now: false }],
  more: 0,
};

const card = (more: Parameters<typeof aRequest>[0]): View => ({ kind: 'request', request: aRequest(more) });

const WAITING: readonly FallbackRow[] = [
  row('a request to reboot', card({}), [
    '⏳ Waiting for approval: Reboot web-01',
    `Requested by ${BY} · ${WHY}`,
    'Online',
    'Last logged-in user: deploy',
    'Reboot required',
    'Linux servers',
    'Once approved, it’s re-checked and sent, and can’t be canceled.',
    'The request expires',
  ]),
  row(
    'a request to reboot an offline device',
    card({ targets: readyTargets(someFacts({ connected: false })) }),
    ['Reboot web-01', 'Offline since', 'It runs as soon as web-01 is back online.'],
  ),
  row('a request without a reason', card({ reason: null }), [
    '⏳ Waiting for approval: Reboot web-01',
    `Requested by ${BY}\n`,
  ]),
  row(
    'a request to install packages',
    card({
      action: { kind: 'patch', packages: ['curl', 'openssl'] },
      targets: readyTargets(someFacts({ packages: somePackages('curl', 'openssl') })),
    }),
    ['Install 2 packages on web-01', 'To install (2)', 'curl, openssl', BY, WHY],
  ),
  row(
    'a request to edit a device',
    card({
      action: { kind: 'device-edit', change: { tags: ['prod'] } },
      targets: readyTargets(aDeviceToEdit({}, { tags: [] })),
    }),
    ['⏳ Waiting for approval: Edit', '*Tags*: add prod', BY, WHY, 'Applies as soon as it’s approved.'],
  ),
  row(
    'a request to edit a group',
    card({
      action: { kind: 'group-edit', groupId: groupId(5), change: { name: 'Booths' } },
      targets: readyTargets(aGroupToEdit()),
    }),
    ['⏳ Waiting for approval: Edit the group', 'Booths', BY, WHY, 'Applies as soon as it’s approved'],
  ),
  row(
    'a request to remove a device',
    card({
      action: { kind: 'device-remove' },
      targets: readyTargets(
        someFacts({
          removal: {
            policies: [{ id: policyId(3), name: 'Patch all' }],
            queued: [{ id: queueEntryId(8), type: 'Reboot' }],
          },
        }),
      ),
    }),
    [
      '⏳ Waiting for approval: Remove the device web-01',
      '*Policies (1)*: Patch all',
      '*Queued commands, also deleted (1)*: Reboot',
      BY,
      WHY,
      'can’t be undone',
      'registers again under another ID',
    ],
  ),
  row(
    'a request to remove a group',
    card({
      action: { kind: 'group-remove', groupId: groupId(5) },
      targets: readyTargets(
        aGroupToEdit({
          removal: {
            devices: { count: 12, listed: [{ id: deviceId(1), name: 'web-01' }] },
            subgroups: [{ id: groupId(6), name: 'Shops' }],
            policiesAfter: [{ id: policyId(4), name: 'Patch weekly' }],
          },
        }),
      ),
    }),
    [
      '⏳ Waiting for approval: Remove the group Kiosks',
      '*Devices, moved to the Default Group (12)*: web-01 (#1) and 11 more',
      '*Subgroups (1)*: Shops (#6)',
      '*Policies of the Default Group (1)*: Patch weekly (#4)',
      BY,
      WHY,
      'can’t be undone',
      'doesn’t document where its subgroups go',
    ],
  ),
  row('a request that went back', card({ note: DRIFTED, approvedBy: APPROVER, approvedAt: AT }), [
    '⏳ Needs approval again: Reboot web-01',
    `${NOTE} The request had been approved by <@UAPPROVER>`,
    BY,
    WHY,
  ]),
];

const DECISIONS: readonly FallbackRow[] = [
  row('an approved request', card({ state: 'approved', ...DECIDED }), [
    '⏳ Approved: Reboot web-01',
    `Requested by ${BY} · ${WHY}`,
    `Approved by <@UAPPROVER> ${relativeDate(AT)}. Re-checking the device, then sending.`,
  ]),
  row('a denied request', card({ state: 'denied', ...DECIDED }), [
    '⛔ Denied: Reboot web-01',
    BY,
    WHY,
    `Denied by <@UAPPROVER> ${relativeDate(AT)}. Nothing was sent.`,
  ]),
  row('a withdrawn request', card({ state: 'withdrawn', ...DECIDED }), [
    '▫️ Withdrawn: Reboot web-01',
    BY,
    WHY,
    'Withdrawn by <@UAPPROVER>',
    'Nothing was sent.',
  ]),
  row('an expired request', card({ state: 'expired' }), [
    '▫️ Expired: Reboot web-01',
    BY,
    WHY,
    'Nobody decided before it expired',
    'Nothing was sent.',
  ]),
];

const STATES: readonly (readonly [TargetState, string])[] = [
  ['ready', '⏳ Requested'],
  ['issuing', '⏳ Sending'],
  ['accepted', '▶️ Accepted'],
  ['queued', '▶️ Queued'],
  ['answered', '▶️ Answered'],
  ['verified', '✅ Verified'],
  ['not_verified', '⚠️ Not verified'],
  ['refused', '⛔ Not accepted'],
  ['not_sent', '▫️ Not sent'],
  ['unknown', '❓ Outcome unknown'],
];

const OUTCOMES: readonly FallbackRow[] = STATES.flatMap(([state, label]): readonly FallbackRow[] => {
  const evidence = 'The device’s packages have not been read yet.';
  const action = { kind: 'reboot' } as const;
  const targets = [aTarget({ state, evidence: [{ kind: 'packages-unread' }] })];
  const request = aStartedRequest({ action, reason: 'kernel update', targets });
  const title = `${label}: Reboot web-01`;
  return [
    {
      name: `an approved request, ${state}`,
      view: { kind: 'request', request: aSentRequest({ ...DECIDED, targets }) },
      holds: [title, `Requested by ${BY} · ${WHY}`, 'Approved by <@UAPPROVER>', evidence],
    },
    {
      name: `a command, ${state}`,
      view: { kind: 'request', request },
      holds: [title, `Requested by ${BY} ${relativeDate(START)} · ${WHY}`, evidence],
    },
    {
      name: `the message about a command, ${state}`,
      view: { kind: 'completion', request, link: LINK },
      holds: [`${label}. Your request: Reboot web-01`, evidence, '|Open the request>'],
    },
  ];
});

const SENT_BACK = aRequest({ note: DRIFTED });

const MESSAGES: readonly FallbackRow[] = [
  row(
    'the message about a denial',
    { kind: 'completion', request: aRequest({ state: 'denied', ...DECIDED }), link: LINK },
    ['⛔ Denied. Your request: Reboot web-01', 'Denied by <@UAPPROVER>', 'Nothing was sent.'],
  ),
  ...(['requester', 'approver'] as const).map((to): FallbackRow => {
    const whose = to === 'requester' ? 'You requested this.' : 'You approved this.';
    return {
      name: `the message that a request went back, to the ${to}`,
      view: { kind: 'returned', to, request: SENT_BACK, link: LINK },
      holds: ['⏳ Needs approval again: Reboot web-01', whose, NOTE, '|Open the request>'],
    };
  }),
];

export const REQUESTS: readonly FallbackRow[] = [...WAITING, ...DECISIONS, ...OUTCOMES, ...MESSAGES];

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

const ANSWERS: readonly FallbackRow[] = [
  row('the answer to a request', asked({}), [
    'Approval requested: Reboot web-01',
    '<#C0APPROVALS>',
    'it expires',
    '|Open the request>',
  ]),
  row('the answer to somebody else’s request', asked({ already: true, mine: false, reasonUnused: true }), [
    'Approval was already requested: Reboot web-01',
    BY,
    WHY,
    'Your reason was not added.',
  ]),
  { name: 'a command', view: STARTED, holds: ['Scan of web-01 requested.', '|Open the request>'] },
  row('a command of somebody else', { ...STARTED, already: true, by: APPROVER }, [
    'Scan of web-01 was already requested by <@UAPPROVER>.',
  ]),
  row('a change that came too late', { ...TOO_LATE, command: 'scan', subject: 'web-01', input: {} }, [
    '▫️ *Not sent:* `/fleet scan web-01`',
    relativeDate(START),
    'Changes older than 15 minutes aren’t sent.',
  ]),
  row(
    'a repeated request whose devices have it all',
    {
      kind: 'problem',
      problem: {
        kind: 'none-to-change',
        leftOut: ['web-01', 'web-02'].map((name) => ({
          name,
          problem: { kind: 'none-missing', deviceName: name },
        })),
      },
    },
    ['Nothing to do: all 2 devices have it now.', 'Ignored and deferred packages aren’t counted.'],
  ),
  row(
    'a repeated request without some devices',
    {
      kind: 'requested-again',
      view: STARTED,
      unrequested: [{ name: 'web-02', problem: { kind: 'device-gone', query: 'web-02' } }],
    },
    ['Scan of web-01 requested.', 'Not requested for 1 device:', '*web-02*'],
  ),
  row('an answer to an alias', { kind: 'expanded', name: 'lr', line: 'scan web-01', view: STARTED }, [
    'Scan of web-01 requested.',
    'Ran `scan web-01` (alias `lr`).',
  ]),
];

const outcome = (name: string, decision: DecisionOutcome, ...holds: readonly string[]): FallbackRow => ({
  name: `the answer to a click: ${name}`,
  view: { kind: 'decided', outcome: decision },
  holds,
});
const request = aRequest();

const CLICKS: readonly FallbackRow[] = [
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

const LISTS: readonly FallbackRow[] = [
  row(
    'the requests that wait',
    {
      kind: 'approvals',
      mine: false,
      rows: [
        { request: aRequest(), link: LINK },
        {
          request: aRequest({ id: requestId('r_2'), state: 'denied', decidedBy: APPROVER, decidedAt: AT }),
          link: null,
        },
      ],
      paging: paging('approvals'),
    },
    [
      'Requests waiting for approval: 2',
      `⏳ Waiting for approval: Reboot web-01 · expires ${relativeDate(later(START, 30 * MINUTE))}`,
      `Requested by ${BY} ${relativeDate(START)} · ${WHY}`,
      '⛔ Denied: Reboot web-01 · by <@UAPPROVER>',
    ],
  ),
  row(
    'the commands',
    {
      kind: 'operations',
      rows: [{ request: aStartedRequest({ targets: [aTarget({ state: 'verified' })] }), link: LINK }],
      open: 0,
      paging: paging('operations'),
    },
    ['Recent commands: 2 commands, 0 in progress', '✅ Verified: Scan web-01', BY],
  ),
];

export const REQUEST_ANSWERS: readonly FallbackRow[] = [...ANSWERS, ...CLICKS, ...LISTS];

const rolloutCard = (over: Partial<RequestWithTargets>): View => ({
  kind: 'request',
  request: aRolloutRequest(over),
});
const COUNTS = { verified: 6, not_verified: 3, failed: 2, queued: 1, ready: 30, open: 31 };
const braked = aRollout(40, { hold: { kind: 'braked', bad: 3, ended: 7, at: START } });
const unanswered = aRollout(40, { hold: { kind: 'unanswered', sends: 5, at: START } });

export const ROLLOUTS: readonly FallbackRow[] = [
  row('a rollout that waits', rolloutCard({ rollout: aRollout(40, { summary: aSummary({ offline: 3 }) }) }), [
    '⏳ Waiting for approval: Reboot 40 devices',
    'Requested by <@UOPERATOR> · Reason: kernel update',
    '3 are offline and will run it',
    '3 waves (2, 8, 30 devices)',
    'can’t be canceled',
    'The request expires',
  ]),
  row(
    'a rollout that runs',
    rolloutCard({ state: 'running', decidedBy: personId('UAPPROVER'), counts: COUNTS }),
    ['▶️ Running: Reboot 40 devices. 6 verified, 2 failed', 'Wave 1 of 3', 'Approved by <@UAPPROVER>'],
  ),
  row('a braked rollout', rolloutCard({ state: 'running', counts: COUNTS, rollout: braked }), [
    '⚠️ Stopped automatically: Reboot 40 devices',
    'Stopped automatically after 3 failures in wave 1 (7 done)',
  ]),
  row(
    'a rollout whose calls were not answered',
    rolloutCard({ state: 'running', counts: COUNTS, rollout: unanswered }),
    [
      '⚠️ Stopped automatically: Reboot 40 devices',
      'Stopped automatically: the last 5 commands got no clear answer',
    ],
  ),
  row(
    'a rollout that partly worked',
    rolloutCard({ state: 'ended', counts: { verified: 37, not_verified: 3, failed: 3 } }),
    ['⚠️ Partly verified: Reboot 40 devices. 37 verified, 3 failed'],
  ),
];
