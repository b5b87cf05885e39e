/** Samples of edits: cards, outcomes, and why there is nothing to request. */
import type { TargetFacts } from '../../../src/fleet/facts/facts.ts';
import type { FleetEdit, Removal } from '../../../src/fleet/model/actions.ts';
import { deviceId, groupId, policyId, queueEntryId } from '../../../src/lib/ids.ts';
import type { RequestTarget, TargetState } from '../../../src/store/port/request-records.ts';
import type { View } from '../../../src/views/views.ts';
import { START } from '../../harness/builders.ts';
import { aRequest, aStartedRequest, aTarget, someFacts } from '../../harness/records.ts';
import { aGroupToEdit, aPolicyToEdit } from '../../requests/builders.ts';
import { quoting, readyTargets } from '../request-records.ts';
import { type SampleContent, sample, type ViewSample } from './sample-content.ts';

const STATES: readonly TargetState[] = [
  'issuing',
  'refused',
  'unknown',
  'accepted',
  'verified',
  'not_verified',
  'not_sent',
];

export function edits({ text, count }: SampleContent): readonly ViewSample[] {
  const tags = Array.from({ length: Math.min(count, 500) }, (_, at) => `${text}${at}`);
  const device: FleetEdit = {
    kind: 'device-edit',
    change: {
      customName: text,
      groupId: groupId(3),
      retag: { add: [text], remove: tags.slice(0, 1) },
      exception: true,
      addresses: [text],
    },
  };
  const editable = { customName: text, exception: false, tags, addresses: tags, intoGroup: text };
  const facts = someFacts({ displayName: text, hostname: text, groupName: text, editable });
  const fields = {
    name: text,
    parentId: groupId(3),
    refreshIntervalMinutes: 360,
    color: '#D78500',
    notes: text,
    osAutoUpdate: null,
    wsus: { enabled: true, server: text },
    policyIds: [policyId(1)],
  };
  const policies = tags.map((name, at) => ({ id: policyId(at + 1), name }));
  const group = aGroupToEdit(
    { displayName: text, parentName: text, policies, asOf: START },
    {
      name: text,
      parentName: text,
      color: text,
      notes: text,
      osAutoUpdate: false,
      wsus: { managed: true, server: text },
      deviceCount: count,
      policies,
    },
  );
  const create: FleetEdit = { kind: 'group-create', group: fields };
  const change: FleetEdit = { kind: 'group-edit', groupId: groupId(5), change: fields };
  const policyFields = {
    name: text,
    notes: text,
    groupIds: [groupId(3)],
    days: 62,
    weeksOfMonth: 10,
    months: 8,
    time: text,
    timezone: text,
    settings: { autoReboot: true, deferrals: count, deferralHours: [1, 4], patchText: text },
  };
  const named = Array.from({ length: Math.min(count, 50) }, (_, at) => ({
    id: groupId(at + 1),
    name: text,
    devices: count,
  }));
  const policy = aPolicyToEdit(
    { policyId: policyId(5), displayName: text, groups: named, devices: count, asOf: START },
    {
      name: text,
      type: text,
      notes: text,
      schedule: { days: 254, weeksOfMonth: null, months: 3, time: text, timezone: 'device' },
      settings: { deferralHours: [1, 4, 8] },
      digest: text,
      groups: named,
    },
  );
  const makePolicy: FleetEdit = { kind: 'policy-create', policy: { ...policyFields, severities: [] } };
  const editPolicy: FleetEdit = { kind: 'policy-edit', policyId: policyId(5), change: policyFields };
  const requests = (action: FleetEdit, things: readonly TargetFacts[]): View => ({
    kind: 'request',
    request: aRequest({ action, targets: readyTargets(...things), reason: text }),
  });
  const target = aTarget({ deviceId: null, displayName: text, evidence: quoting(text), endedAt: START });
  return [
    ['a request to edit a device', requests(device, [facts])],
    ['a request to make a group', requests(create, [{ ...group, groupId: null, group: null }])],
    ['a request to change a group', requests(change, [group])],
    ['a request to make a policy', requests(makePolicy, [{ ...policy, policyId: null, current: null }])],
    ['a request to change a policy', requests(editPolicy, [policy])],
    sample('the edit of a policy, verified', {
      kind: 'request',
      request: aStartedRequest({ action: editPolicy, targets: [{ ...target, state: 'verified' }] }),
    }),
    ...STATES.map((state): ViewSample => {
      const request = aStartedRequest({ action: change, targets: [{ ...target, state }] });
      return [`the edit of a group, ${state}`, { kind: 'request', request }];
    }),
    sample('the edit of a device, unknown', {
      kind: 'request',
      request: aStartedRequest({
        action: device,
        targets: [aTarget({ state: 'unknown', displayName: text })],
      }),
    }),
    ['an edit of what is so already', { kind: 'problem', problem: { kind: 'already-so', name: text } }],
    [
      'an edit that no card shows whole',
      { kind: 'problem', problem: { kind: 'unreadable-edit', most: count } },
    ],
    [
      'a policy that is there',
      { kind: 'problem', problem: { kind: 'policy-exists', name: text, id: policyId(5) } },
    ],
    [
      'a group that is there',
      { kind: 'problem', problem: { kind: 'group-exists', name: text, parent: text, id: groupId(5) } },
    ],
  ];
}

const OUTCOMES: readonly Pick<RequestTarget, 'state' | 'evidence'>[] = [
  { state: 'accepted', evidence: [{ kind: 'still-there', thing: 'group' }] },
  { state: 'verified', evidence: [{ kind: 'removed', thing: 'group' }] },
  {
    state: 'not_verified',
    evidence: [
      { kind: 'edit-unconfirmed', answerLost: false },
      { kind: 'still-there', thing: 'group' },
    ],
  },
  { state: 'not_sent', evidence: [{ kind: 'gone', thing: 'group' }] },
];

export function removals({ text, count }: SampleContent): readonly ViewSample[] {
  const many = Array.from({ length: Math.min(count, 500) }, (_, at) => at + 1);
  const policies = many.map((at) => ({ id: policyId(at), name: text }));
  const device = someFacts({
    displayName: text,
    hostname: text,
    groupName: text,
    removal: { policies, queued: many.map((at) => ({ id: queueEntryId(at), type: text })) },
  });
  const removed = {
    devices: { count, listed: many.map((at) => ({ id: deviceId(at), name: text })) },
    subgroups: many.map((at) => ({ id: groupId(at + 10), name: text })),
    policiesAfter: policies,
  };
  const group = aGroupToEdit(
    { displayName: text, parentName: null, policies: [], removal: removed, asOf: START },
    { name: text, parentName: text, deviceCount: count, policies },
  );
  const removal: Removal = { kind: 'group-remove', groupId: groupId(5) };
  const requests = (action: Removal, facts: TargetFacts): View => ({
    kind: 'request',
    request: aRequest({ action, targets: readyTargets(facts), reason: text }),
  });
  const target = aTarget({ deviceId: null, displayName: text, facts: group, endedAt: START });
  return [
    ['a request to remove a device', requests({ kind: 'device-remove' }, device)],
    ['a request to remove a group', requests(removal, group)],
    ...OUTCOMES.map((outcome): ViewSample => {
      const request = aStartedRequest({ action: removal, targets: [{ ...target, ...outcome }] });
      return [`the removal of a group, ${outcome.state}`, { kind: 'request', request }];
    }),
    [
      'a removal with another name typed',
      { kind: 'problem', problem: { kind: 'name-not-typed', name: text } },
    ],
    ['a removal of the Default Group', { kind: 'problem', problem: { kind: 'default-group' } }],
  ];
}
