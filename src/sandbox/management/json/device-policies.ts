/** How a device stands with its policies, as the service writes it (§2.4, §2.5). */
import { isConnected } from '../world/facts.ts';
import type { Device, Policy } from '../world/model.ts';
import { pendingPatches } from '../world/patches.ts';
import { type PolicyStatus, policiesOf, policyStatus } from '../world/policies.ts';
import type { DeviceView } from './device.ts';
import { deviceTime } from './time.ts';

type Standing = { readonly policy: Policy; readonly status: PolicyStatus };

/** `bare`: a row of the vendor's example, with nothing where the status should be. */
export function policyFields(device: Device, view: DeviceView & { readonly bare: boolean }): object {
  const standings = policiesOf(view.world, device).map((policy) => ({
    policy,
    status: policyStatus(device, policy, view.now),
  }));
  return {
    compliant: isCompliant(standings),
    policy_status: policyStatusField(device, standings, view),
    status: view.bare ? {} : statusJson(device, standings),
  };
}

/** Pending is not non-compliance. */
function isCompliant(standings: readonly Standing[]): boolean {
  return standings.every(({ status }) => status !== 0);
}

function policyStatusField(
  device: Device,
  standings: readonly Standing[],
  view: DeviceView & { readonly bare: boolean },
): readonly unknown[] {
  if (view.withoutPolicyStatus) return [];
  if (view.bare) return [null];
  return standings.map((standing, index) => entryJson(device, standing, index, view));
}

function entryJson(
  device: Device,
  { policy, status }: Standing,
  index: number,
  { world, profile, now }: DeviceView,
): object {
  const pending = policy.type === 'patch' ? pendingPatches(device, now) : [];
  const entry = {
    id: device.id * 10 + index,
    organization_id: world.organizationId,
    policy_id: policy.id,
    server_id: device.id,
    policy_name: policy.name,
    policy_type_name: policy.type,
    status,
    result: '{}',
    create_time: deviceTime(device.lastRefresh ?? device.createTime),
    next_remediation: null,
  };
  if (!profile.newerFields) return entry;
  const willReboot = pending.some(({ software }) => software.requiresReboot);
  return { ...entry, will_reboot: willReboot, pending_count: pending.length };
}

/** The old text counts pending as non-compliant and so contradicts `compliant`, as the live service does. */
function statusJson(device: Device, standings: readonly Standing[]): object {
  const met = standings.every(({ status }) => status === 1);
  const connected = isConnected(device);
  return {
    device_status: connected ? 'ready' : 'not-ready',
    agent_status: connected ? 'connected' : 'disconnected',
    policy_status: standings.length === 0 ? 'unmanaged' : met ? 'compliant' : 'non-compliant',
    policy_statuses: standings.map(({ policy, status }) => ({ id: policy.id, compliant: status !== 0 })),
  };
}
