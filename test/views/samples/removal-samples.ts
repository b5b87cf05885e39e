/** Samples of removals: cards, outcomes, and why there is nothing to request. */
import type { Removal } from '../../../src/fleet/model/actions.ts';
import { deviceId, groupId, policyId, queueEntryId } from '../../../src/lib/ids.ts';
import type { GroupFacts, TargetFacts } from '../../../src/store/port/records.ts';
import type { RequestTarget } from '../../../src/store/port/request-records.ts';
import type { View } from '../../../src/views/model.ts';
import { START } from '../../harness/builders.ts';
import { aRequest, aStartedRequest, aTarget, someFacts } from '../../harness/records.ts';
import { readyTargets } from '../request-records.ts';
import type { SampleContent, ViewSample } from './sample-content.ts';

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
  const group: GroupFacts = {
    deviceId: null,
    groupId: groupId(5),
    displayName: text,
    group: {
      name: text,
      parentId: groupId(1),
      parentName: text,
      refreshIntervalMinutes: 1_440,
      color: null,
      notes: null,
      osAutoUpdate: null,
      wsus: null,
      deviceCount: count,
      policies,
    },
    parentName: null,
    policies: [],
    twin: null,
    removal: {
      devices: { count, listed: many.map((at) => ({ id: deviceId(at), name: text })) },
      subgroups: many.map((at) => ({ id: groupId(at + 10), name: text })),
      policiesAfter: policies,
    },
    asOf: START,
  };
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
