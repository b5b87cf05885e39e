/** How a device stands with its policies, as the service writes it (§2.4, §2.5). */
import type { Instant } from '../../../clock.ts';
import { isConnected } from '../world/facts.ts';
import type { Device, MissingPatch, Policy } from '../world/model.ts';
import { nextRun, type PolicyStatus, policyStatus } from '../world/policies.ts';
import type { DeviceView } from './device.ts';
import { deviceTime } from './time.ts';

export type Standing = { readonly policy: Policy; readonly status: PolicyStatus };

export function standingsOf(device: Device, policies: readonly Policy[], now: Instant): readonly Standing[] {
  return policies.map((policy) => ({ policy, status: policyStatus(device, policy, now) }));
}

/** Pending is not non-compliance. */
export function isCompliant(standings: readonly Standing[]): boolean {
  return standings.every(({ status }) => status !== 0);
}

export function policyStatusJson(
  device: Device,
  standings: readonly Standing[],
  pending: readonly MissingPatch[],
  view: DeviceView,
): readonly object[] {
  const willReboot = pending.some(({ software }) => software.requiresReboot);
  return standings.map(({ policy, status }, index) => {
    const entry = {
      id: device.id * 10 + index,
      organization_id: view.world.organizationId,
      policy_id: policy.id,
      server_id: device.id,
      policy_name: policy.name,
      policy_type_name: policy.type,
      status,
      result: '{}',
      create_time: deviceTime(evaluatedAt(device, policy)),
      next_remediation: status === 1 ? null : deviceTime(nextRun(policy.schedule, view.now)),
    };
    if (!view.profile.newerFields) return entry;
    const patches = policy.type === 'patch';
    return { ...entry, will_reboot: patches && willReboot, pending_count: patches ? pending.length : 0 };
  });
}

/** When the status was made: at the last scan, or when the policy ran after it. */
function evaluatedAt(device: Device, policy: Policy): Instant {
  const scanned = device.lastRefresh ?? device.createTime;
  const ran = device.policyRuns.get(policy.id);
  return ran !== undefined && ran > scanned ? ran : scanned;
}

/** The old text counts pending as non-compliant and so contradicts `compliant`, as the live service does. */
export function statusJson(device: Device, standings: readonly Standing[]): object {
  const met = standings.every(({ status }) => status === 1);
  const connected = isConnected(device);
  return {
    device_status: connected ? 'ready' : 'not-ready',
    agent_status: connected ? 'connected' : 'disconnected',
    policy_status: standings.length === 0 ? 'unmanaged' : met ? 'compliant' : 'non-compliant',
    policy_statuses: standings.map(({ policy, status }) => ({ id: policy.id, compliant: status !== 0 })),
  };
}
