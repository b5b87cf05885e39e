/** Required content of fallback texts of requests and commands: who, what, which device, why and the state. */
import { later, MINUTE } from '../../../src/lib/clock.ts';
import { deviceId, groupId, personId, policyId, queueEntryId } from '../../../src/lib/ids.ts';
import type { RequestNote } from '../../../src/store/port/evidence.ts';
import type { TargetState } from '../../../src/store/port/records.ts';
import { relativeDate } from '../../../src/views/kit/timestamps.ts';
import type { View } from '../../../src/views/model.ts';
import { START } from '../../harness/builders.ts';
import { aRequest, aStartedRequest, aTarget, someFacts, somePackages } from '../../harness/records.ts';
import { aDeviceToEdit, aGroupToEdit } from '../../requests/builders.ts';
import { aSentRequest, readyTargets } from '../request-records.ts';

type Row = { readonly name: string; readonly view: View; readonly holds: readonly string[] };

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

const WAITING: readonly Row[] = [
  {
    name: 'a request to reboot',
    view: card({}),
    holds: [
      '⏳ Waiting for approval: Reboot web-01',
      `Requested by ${BY} · ${WHY}`,
      'Online',
      'Last logged-in user: deploy',
      'Reboot required',
      'Linux servers',
      'Once approved, it’s re-checked and sent, and can’t be canceled.',
      'The request expires',
    ],
  },
  {
    name: 'a request to reboot an offline device',
    view: card({ targets: readyTargets(someFacts({ connected: false })) }),
    holds: ['Reboot web-01', 'Offline since', 'It runs as soon as web-01 is back online.'],
  },
  {
    name: 'a request without a reason',
    view: card({ reason: null }),
    holds: ['⏳ Waiting for approval: Reboot web-01', `Requested by ${BY}\n`],
  },
  {
    name: 'a request to install packages',
    view: card({
      action: { kind: 'patch', packages: ['curl', 'openssl'] },
      targets: readyTargets(someFacts({ packages: somePackages('curl', 'openssl') })),
    }),
    holds: ['Install 2 packages on web-01', 'To install (2)', 'curl, openssl', BY, WHY],
  },
  {
    name: 'a request to edit a device',
    view: card({
      action: { kind: 'device-edit', change: { tags: ['prod'] } },
      targets: readyTargets(aDeviceToEdit({}, { tags: [] })),
    }),
    holds: [
      '⏳ Waiting for approval: Edit',
      '*Tags*: add prod',
      BY,
      WHY,
      'Applies as soon as it’s approved.',
    ],
  },
  {
    name: 'a request to edit a group',
    view: card({
      action: { kind: 'group-edit', groupId: groupId(5), change: { name: 'Booths' } },
      targets: readyTargets(aGroupToEdit()),
    }),
    holds: ['⏳ Waiting for approval: Edit the group', 'Booths', BY, WHY, 'Applies as soon as it’s approved'],
  },
  {
    name: 'a request to remove a device',
    view: card({
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
    holds: [
      '⏳ Waiting for approval: Remove the device web-01',
      '*Policies (1)*: Patch all',
      '*Queued commands, also deleted (1)*: Reboot',
      BY,
      WHY,
      'can’t be undone',
      'registers again under another ID',
    ],
  },
  {
    name: 'a request to remove a group',
    view: card({
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
    holds: [
      '⏳ Waiting for approval: Remove the group Kiosks',
      '*Devices, moved to the Default Group (12)*: web-01 (#1) and 11 more',
      '*Subgroups (1)*: Shops (#6)',
      '*Policies of the Default Group (1)*: Patch weekly (#4)',
      BY,
      WHY,
      'can’t be undone',
      'doesn’t document where its subgroups go',
    ],
  },
  {
    name: 'a request that went back',
    view: card({ note: DRIFTED, approvedBy: APPROVER, approvedAt: AT }),
    holds: [
      '⏳ Needs approval again: Reboot web-01',
      `${NOTE} The request had been approved by <@UAPPROVER>`,
      BY,
      WHY,
    ],
  },
];

const DECISIONS: readonly Row[] = [
  {
    name: 'an approved request',
    view: card({ state: 'approved', ...DECIDED }),
    holds: [
      '⏳ Approved: Reboot web-01',
      `Requested by ${BY} · ${WHY}`,
      `Approved by <@UAPPROVER> ${relativeDate(AT)}. Re-checking the device, then sending.`,
    ],
  },
  {
    name: 'a denied request',
    view: card({ state: 'denied', ...DECIDED }),
    holds: [
      '⛔ Denied: Reboot web-01',
      BY,
      WHY,
      `Denied by <@UAPPROVER> ${relativeDate(AT)}. Nothing was sent.`,
    ],
  },
  {
    name: 'a withdrawn request',
    view: card({ state: 'withdrawn', ...DECIDED }),
    holds: ['▫️ Withdrawn: Reboot web-01', BY, WHY, 'Withdrawn by <@UAPPROVER>', 'Nothing was sent.'],
  },
  {
    name: 'an expired request',
    view: card({ state: 'expired' }),
    holds: ['▫️ Expired: Reboot web-01', BY, WHY, 'Nobody decided before it expired', 'Nothing was sent.'],
  },
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

const OUTCOMES: readonly Row[] = STATES.flatMap(([state, label]): readonly Row[] => {
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

const MESSAGES: readonly Row[] = [
  {
    name: 'the message about a denial',
    view: { kind: 'completion', request: aRequest({ state: 'denied', ...DECIDED }), link: LINK },
    holds: ['⛔ Denied. Your request: Reboot web-01', 'Denied by <@UAPPROVER>', 'Nothing was sent.'],
  },
  ...(['requester', 'approver'] as const).map((to): Row => {
    const whose = to === 'requester' ? 'You requested this.' : 'You approved this.';
    return {
      name: `the message that a request went back, to the ${to}`,
      view: { kind: 'returned', to, request: SENT_BACK, link: LINK },
      holds: ['⏳ Needs approval again: Reboot web-01', whose, NOTE, '|Open the request>'],
    };
  }),
];

export const REQUESTS: readonly Row[] = [...WAITING, ...DECISIONS, ...OUTCOMES, ...MESSAGES];
