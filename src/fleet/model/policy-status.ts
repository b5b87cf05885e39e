/** The status of a device under one policy, from its record (§2.4). Pure. */
import { z } from 'zod';
import type { PolicyId } from '../../lib/ids.ts';
import { nullableNumber, nullableText, type Stored } from '../../lib/record-fields.ts';
import type { DeviceCommand, FleetAction } from './actions.ts';
import type { Device, DevicePolicyStatus, Policy } from './resources.ts';

/** §2.4 shows these numbers without names; the names are those of the live service. */
export const NEEDS_REMEDIATION = 0;
export const UP_TO_DATE = 1;
export const PENDING = 2;

/** What an approver sees of the policy of a command. */
export const policyFacts = z.object({
  name: nullableText,
  type: nullableText,
  /** One of the numbers above, or another; null where the service does not say. */
  status: nullableNumber,
  /** Of its configuration and schedule; null when the service does not show them. */
  digest: nullableText,
});
export type PolicyFacts = Stored<typeof policyFacts>;

type PolicyHolder = Pick<Device, 'policyStatuses' | 'policies'>;

export function policyIdOf(action: FleetAction): PolicyId | null {
  return action.kind === 'policy-test' || action.kind === 'policy-remediate' ? action.policyId : null;
}

/** The newest entry about the policy; null when there is none. */
export function policyStatusOf({ policyStatuses }: PolicyHolder, id: PolicyId): DevicePolicyStatus | null {
  const newestFirst = policyStatuses
    .filter(({ policyId }) => policyId === id)
    .toSorted((a, b) => (b.createTime ?? 0) - (a.createTime ?? 0));
  return newestFirst[0] ?? null;
}

export function policyName(device: PolicyHolder, id: PolicyId): string | null {
  const names = [
    device.policies.find((policy) => policy.id === id)?.name,
    policyStatusOf(device, id)?.policyName,
  ];
  return names.find((name) => name !== undefined && name !== '') ?? null;
}

export type PolicyAction = 'test' | 'remediate';

/**
 * The policy types that can be run by hand (§4.3): tests of Worklets, remediations of Worklets and required software.
 */
export const RUNNABLE_POLICY_TYPES: Readonly<Record<PolicyAction, readonly string[]>> = {
  test: ['custom'],
  remediate: ['custom', 'required_software'],
};

/**
 * Whether the policy applies to the device. Assumption (§2.4): a device names every policy that applies to it in one
 * of its lists; while it names none, the policies linked to its group apply.
 */
export function appliesTo(
  device: PolicyHolder & Pick<Device, 'policyCompliance' | 'groupId'>,
  { id, groupIds }: Pick<Policy, 'id' | 'groupIds'>,
): boolean {
  const named = new Set<PolicyId | null>([
    ...device.policies.map((policy) => policy.id),
    ...device.policyStatuses.map(({ policyId }) => policyId),
    ...device.policyCompliance.map(({ policyId }) => policyId),
  ]);
  named.delete(null);
  if (named.size > 0) return named.has(id);
  return device.groupId !== null && groupIds.includes(device.groupId);
}

/**
 * The facts about the policy of `command`; null for commands without one. `read` is the policy's own record, null
 * when the service does not know it. Only that record says what would run: a device's list of policies is empty in
 * the documented form of the service (§2.2), so a digest from there would seal nothing.
 */
export function toPolicyFacts(
  device: PolicyHolder,
  command: DeviceCommand,
  read: Policy | null,
): PolicyFacts | null {
  const id = policyIdOf(command);
  if (id === null) return null;
  const entry = policyStatusOf(device, id);
  const named = read === null || read.name === '' ? policyName(device, id) : read.name;
  const listed = device.policies.find((one) => one.id === id);
  return {
    name: named,
    type: read?.type ?? listed?.type ?? entry?.policyType ?? null,
    status: entry?.status ?? null,
    digest: read?.digest ?? null,
  };
}
