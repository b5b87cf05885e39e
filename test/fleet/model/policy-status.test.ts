import { describe, expect, it } from 'vitest';
import type { Policy } from '../../../src/fleet/model/policy.ts';
import {
  policyIdOf,
  policyName,
  policyStatusOf,
  toPolicyFacts,
} from '../../../src/fleet/model/policy-status.ts';
import type { DevicePolicyStatus } from '../../../src/fleet/model/resources.ts';
import { later, MINUTE } from '../../../src/lib/clock.ts';
import { organizationId, policyId } from '../../../src/lib/ids.ts';
import { aDevice, START } from '../../harness/builders.ts';

const ID = policyId(12);
const remediate = { kind: 'policy-remediate', policyId: ID } as const;

function aStatus(change: Partial<DevicePolicyStatus> = {}): DevicePolicyStatus {
  return {
    policyId: ID,
    policyName: 'Harden SSH',
    policyType: 'custom',
    status: 0,
    result: '{}',
    createTime: START,
    nextRemediation: null,
    willReboot: null,
    pendingCount: null,
    ...change,
  };
}

function aPolicy(change: Partial<Policy> = {}): Policy {
  return {
    id: ID,
    uuid: null,
    organizationId: organizationId(7),
    name: 'Harden SSH well',
    type: 'required_software',
    notes: null,
    status: null,
    nextRemediation: null,
    schedule: { days: null, weeksOfMonth: null, months: null, time: null, timezone: null },
    settings: {},
    digest: 'c0ffee',
    selectsByTag: false,
    groupIds: [],
    deviceCount: null,
    createTime: null,
    ...change,
  };
}

describe('the policy of a command', () => {
  it.each([
    [{ kind: 'policy-test', policyId: ID }, ID],
    [remediate, ID],
    [{ kind: 'scan' }, null],
    [{ kind: 'patch', packages: ['openssl'] }, null],
  ] as const)('of %j is %j', (command, id) => {
    expect(policyIdOf(command)).toBe(id);
  });
});

describe('the status of a device under a policy', () => {
  it('is its newest entry; one without a time counts as the oldest', () => {
    const newest = aStatus({ status: 1, createTime: later(START, MINUTE) });
    const others = [aStatus({ createTime: null }), aStatus(), newest, aStatus({ policyId: policyId(13) })];
    expect(policyStatusOf(aDevice({ policyStatuses: others }), ID)).toBe(newest);
  });

  it('is unknown when only other policies, or none, are listed', () => {
    expect(policyStatusOf(aDevice({ policyStatuses: [] }), ID)).toBeNull();
    const others = [aStatus({ policyId: null }), aStatus({ policyId: policyId(13) })];
    expect(policyStatusOf(aDevice({ policyStatuses: others }), ID)).toBeNull();
  });

  it.each([
    ['the policy itself', [aPolicy()], [aStatus()], 'Harden SSH well'],
    ['its entry', [], [aStatus()], 'Harden SSH'],
    ['its entry when another policy is listed', [aPolicy({ id: policyId(13) })], [aStatus()], 'Harden SSH'],
    ['its entry when the policy has an empty name', [aPolicy({ name: '' })], [aStatus()], 'Harden SSH'],
    ['nothing when the entry has no name', [], [aStatus({ policyName: null })], null],
    ['nothing when the entry has an empty name', [], [aStatus({ policyName: '' })], null],
    ['nothing', [], [], null],
  ])('has its name from %s', (_what, policies, policyStatuses, name) => {
    expect(policyName(aDevice({ policies, policyStatuses }), ID)).toBe(name);
  });

  it('is shown to approvers of policy commands, and of no others', () => {
    const policyStatuses = [aStatus()];
    expect(toPolicyFacts(aDevice({ policyStatuses }), remediate, null)).toEqual({
      name: 'Harden SSH',
      type: 'custom',
      status: 0,
      digest: null,
    });
    expect(toPolicyFacts(aDevice({ policyStatuses }), remediate, aPolicy())).toMatchObject({
      name: 'Harden SSH well',
      type: 'required_software',
      digest: 'c0ffee',
    });
    expect(toPolicyFacts(aDevice(), remediate, null)).toEqual({
      name: null,
      type: null,
      status: null,
      digest: null,
    });
    expect(toPolicyFacts(aDevice({ policyStatuses }), { kind: 'reboot' }, null)).toBeNull();
    const listed = aDevice({ policies: [aPolicy()] });
    expect(toPolicyFacts(listed, remediate, null)).toMatchObject({
      name: 'Harden SSH well',
      type: 'required_software',
      digest: null,
    });
  });
});
