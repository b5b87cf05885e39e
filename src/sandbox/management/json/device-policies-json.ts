/** A device's policy status in the service's JSON (§2.4, §2.5). */
import type { Instant } from '../../../lib/clock.ts';
import type { MissingPatch, WorldDevice, WorldPolicy } from '../world/model.ts';
import { isConnected } from '../world/state/device-facts.ts';
import { nextRun, policyStatusOn, type WorldPolicyStatus } from '../world/state/policy-status.ts';
import type { DeviceView } from './device-view.ts';
import { deviceTime } from './time-formats.ts';

export type PolicyEvaluation = { readonly policy: WorldPolicy; readonly status: WorldPolicyStatus };

export function policyEvaluationsOf(
  device: WorldDevice,
  policies: readonly WorldPolicy[],
  now: Instant,
): readonly PolicyEvaluation[] {
  return policies.map((policy) => ({ policy, status: policyStatusOn(device, policy, now) }));
}

/** A pending policy counts as compliant. */
export function isCompliant(standings: readonly PolicyEvaluation[]): boolean {
  return standings.every(({ status }) => status !== 0);
}

/** From the vendor's example: a list with nothing in place of the status. */
const BARE_STATUS = [null];

/** Whether this device was never scanned, and its answers tell. */
export function isUnscanned({ lastRefresh }: WorldDevice, { profile }: DeviceView): boolean {
  return profile.bareUnscannedRows && lastRefresh === null;
}

/** Whether the list leaves the status of this device out, because the device was never scanned. */
export function isBareRow(device: WorldDevice, view: DeviceView): boolean {
  return view.kind === 'row' && isUnscanned(device, view);
}

export function policyStatusJson(
  device: WorldDevice,
  standings: readonly PolicyEvaluation[],
  pending: readonly MissingPatch[],
  view: DeviceView,
): readonly (object | null)[] {
  if (view.withoutPolicyStatus) return [];
  if (isBareRow(device, view)) return BARE_STATUS;
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

/** When the status was evaluated: at the last scan, or when the policy ran after it. */
function evaluatedAt(device: WorldDevice, policy: WorldPolicy): Instant {
  const scanned = device.lastRefresh ?? device.createTime;
  const ran = device.policyRuns.get(policy.id);
  return ran !== undefined && ran > scanned ? ran : scanned;
}

/** The old text counts pending as non-compliant and so contradicts `compliant`, as on the live service. */
export function statusJson(device: WorldDevice, standings: readonly PolicyEvaluation[]): object {
  const met = standings.every(({ status }) => status === 1);
  const connected = isConnected(device);
  return {
    device_status: connected ? 'ready' : 'not-ready',
    agent_status: connected ? 'connected' : 'disconnected',
    policy_status: standings.length === 0 ? 'unmanaged' : met ? 'compliant' : 'non-compliant',
    policy_statuses: standings.map(({ policy, status }) => ({ id: policy.id, compliant: status !== 0 })),
  };
}
