/** Requests, commands and alerts, in each of their states. */
import { later, MINUTE } from '../../../src/lib/clock.ts';
import { personId, policyId } from '../../../src/lib/ids.ts';
import type { TargetState } from '../../../src/store/port/records.ts';
import type { View } from '../../../src/views/model.ts';
import { START } from '../../harness/builders.ts';
import { anAlert, anApproval, anOperation, aTarget, someFacts } from '../../harness/records.ts';
import { APPROVER, repeated, type SampleContent, type ViewSample } from './sample-content.ts';

const STATES: readonly TargetState[] = [
  'ready',
  'issuing',
  'refused',
  'unknown',
  'accepted',
  'queued',
  'answered',
  'verified',
  'not_verified',
  'not_sent',
];

export function cards({ text, count }: SampleContent): readonly ViewSample[] {
  const packages = repeated(count, () => text);
  const command = count === 0 ? ({ kind: 'reboot' } as const) : ({ kind: 'patch', packages } as const);
  const facts = someFacts({
    displayName: text,
    hostname: text,
    groupName: text,
    osName: text,
    lastLoggedInUser: text,
    missing: packages,
    connected: false,
  });
  const at = { queuedAt: START, answeredAt: START, endedAt: START };
  const evidence = `Since @{${START}}: ${text} @{${START}}`;
  const target = aTarget({ displayName: text, response: text, evidence, ...at });
  const waiting = anApproval({ command, targets: [facts], reason: text, note: text });
  const decided = { decidedBy: APPROVER, decidedAt: later(START, 5 * MINUTE) };
  const operation = anOperation({ command, reason: text, targets: [target] });
  const several = repeated(Math.max(count, 2), () => target);
  const approval = (more: Partial<typeof waiting>, what: typeof operation | null = null): View => ({
    kind: 'approval',
    approval: { ...waiting, ...more },
    operation: what,
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
        command: { kind: 'policy-remediate', policyId: policyId(12) },
        targets: [{ ...facts, missing: [], policy: { name: text, type: text, status: count, digest: text } }],
      }),
    ],
    ['a request for several devices', approval({ targets: repeated(Math.max(count, 2), () => facts) })],
    ['a denied request', approval({ state: 'denied', ...decided })],
    ['a withdrawn request', approval({ state: 'withdrawn', ...decided })],
    ['a request that Patchbay withdrew', approval({ state: 'withdrawn', decidedAt: START })],
    ['an expired request', approval({ state: 'expired' })],
    ['an approved request', approval({ state: 'approved', ...decided })],
    ...STATES.flatMap((state): ViewSample[] => {
      const moved = { ...operation, targets: [{ ...target, state }] };
      return [
        [`an approved request, ${state}`, approval({ state: 'approved', ...decided }, moved)],
        [`a command, ${state}`, { kind: 'operation', operation: moved }],
      ];
    }),
    [
      'a command that is looked for',
      {
        kind: 'operation',
        operation: { ...operation, targets: [{ ...target, state: 'unknown', endedAt: null }] },
      },
    ],
    ['a command to several devices', { kind: 'operation', operation: { ...operation, targets: several } }],
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
