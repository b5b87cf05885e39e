/** Requests, commands and alerts, in each of their states. */
import { later, MINUTE } from '../../../src/lib/clock.ts';
import { personId, policyId } from '../../../src/lib/ids.ts';
import { TARGET_STATES } from '../../../src/store/port/records.ts';
import type { RequestWithTargets } from '../../../src/store/port/request-records.ts';
import type { View } from '../../../src/views/model.ts';
import { START } from '../../harness/builders.ts';
import {
  anAlert,
  aRequest,
  aStartedRequest,
  aTarget,
  someFacts,
  somePackages,
} from '../../harness/records.ts';
import { aSentRequest, quoting, readyTargets } from '../request-records.ts';
import { APPROVER, repeated, type SampleContent, type ViewSample } from './sample-content.ts';

export function cards({ text, count }: SampleContent): readonly ViewSample[] {
  const packages = repeated(count, () => text);
  const action = count === 0 ? ({ kind: 'reboot' } as const) : ({ kind: 'patch', packages } as const);
  const facts = someFacts({
    displayName: text,
    hostname: text,
    groupName: text,
    osName: text,
    lastLoggedInUser: text,
    packages: somePackages(...packages),
    connected: false,
  });
  const at = { queuedAt: START, answeredAt: START, endedAt: START };
  const target = aTarget({ displayName: text, facts, response: text, evidence: quoting(text), ...at });
  const waiting = {
    action,
    targets: readyTargets(facts),
    reason: text,
    note: { kind: 'unposted', why: text },
  } as const;
  const decided = { decidedBy: APPROVER, decidedAt: later(START, 5 * MINUTE) };
  const started = { action, reason: text } as const;
  const approval = (more: Partial<RequestWithTargets>): View => ({
    kind: 'request',
    request: aRequest({ ...waiting, ...more }),
  });
  return [
    ['a request that waits', approval({})],
    [
      'a request without a reason by somebody odd',
      approval({ reason: null, note: null, requesterId: personId(text) }),
    ],
    [
      'a request to remediate a policy',
      approval({
        action: { kind: 'policy-remediate', policyId: policyId(12) },
        targets: readyTargets({
          ...facts,
          packages: [],
          policy: { name: text, type: text, status: count, digest: text },
        }),
      }),
    ],
    ['a denied request', approval({ state: 'denied', ...decided })],
    ['a withdrawn request', approval({ state: 'withdrawn', ...decided })],
    ['a request that Patchbay withdrew', approval({ state: 'withdrawn', decidedAt: START })],
    ['an expired request', approval({ state: 'expired' })],
    ['an approved request', approval({ state: 'approved', ...decided })],
    ...TARGET_STATES.flatMap((state): ViewSample[] => {
      const targets = [{ ...target, state }];
      const approved = aSentRequest({ ...waiting, ...decided, targets });
      return [
        [`an approved request, ${state}`, { kind: 'request', request: approved }],
        [`a command, ${state}`, { kind: 'request', request: aStartedRequest({ ...started, targets }) }],
      ];
    }),
    [
      'a command that is looked for',
      {
        kind: 'request',
        request: aStartedRequest({ ...started, targets: [{ ...target, state: 'unknown', endedAt: null }] }),
      },
    ],
    ['a failed patch', { kind: 'alert', alert: alert(text, count) }],
    [
      'a failed patch of nothing named',
      { kind: 'alert', alert: { ...alert(text, 0), deviceId: null, reason: null } },
    ],
    ['a new device', { kind: 'alert', alert: { ...alert(text, 0), kind: 'device-added' } }],
  ];
}

function alert(text: string, count: number) {
  return anAlert({
    deviceName: text,
    packages: repeated(count, () => ({ name: text, displayName: text })),
    reason: text,
    operatingSystem: text,
  });
}
