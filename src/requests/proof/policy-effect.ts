/**
 * Whether a policy ran on the device after the command, by its events or by how the device stands with it: pure. An
 * exit code other than 0 is a failed remediation; of a test it means only that the device needs remediation.
 */

import {
  NEEDS_REMEDIATION,
  PENDING,
  policyName,
  policyStatusOf,
  UP_TO_DATE,
} from '../../fleet/model/policy-status.ts';
import type { Device, FleetEvent } from '../../fleet/model/resources.ts';
import type { PolicyId } from '../../lib/ids.ts';
import { eventsAfter, laterThanBaseline, policyActionsIn } from './baseline.ts';
import { type DeviceObservation, type Effect, failed, open, proven } from './effect.ts';

/** The effect of a test: any action or any new standing shows that it ran. */
export function policyTestEffect(observation: DeviceObservation, id: PolicyId): Effect {
  const policy = namedPolicy(observation.device, id);
  const [action] = policyActionsAfter(observation, id);
  if (action !== undefined) return proven({ kind: 'policy-tested', policy, exitCode: action.exitCode });
  const entry = newPolicyStatus(observation, id);
  if (entry !== null) return proven({ kind: 'policy-result', policy, ...entry });
  return open({ kind: 'no-policy-result', policy });
}

/** The effect of a remediation: an action with exit code 0, or the device turned up to date. */
export function policyRemediationEffect(observation: DeviceObservation, id: PolicyId): Effect {
  const policy = namedPolicy(observation.device, id);
  const found = policyActionsAfter(observation, id);
  const success = found.find(({ exitCode }) => exitCode === 0);
  if (success !== undefined) return proven({ kind: 'policy-ran', policy, exitCode: 0 });
  // Where nothing says that the service took the command, a failure may be that of another run and proves nothing.
  const failure =
    observation.target.state === 'unknown' ? undefined : found.find(({ exitCode }) => exitCode !== null);
  // A script may print secrets and names of people, so what it printed is in no evidence.
  if (failure !== undefined) return failed({ kind: 'policy-failed', policy, exitCode: failure.exitCode });
  if (turnedUpToDate(observation, id)) return proven({ kind: 'policy-met', policy });
  const [last] = found;
  const run = last === undefined ? null : { exitCode: last.exitCode };
  return open({ kind: 'policy-unproven', policy, run });
}

/** What the policy did on the device after the command, newest first. */
function policyActionsAfter(seen: DeviceObservation, id: PolicyId): readonly FleetEvent[] {
  const { before, deviceId } = seen.target;
  if (deviceId === null) return [];
  return eventsAfter(seen, policyActionsIn(seen.events, deviceId, id), before.policy?.lastEventId ?? null);
}

/** How the device stands with the policy, where the service wrote that after the command. */
function newPolicyStatus(seen: DeviceObservation, id: PolicyId) {
  const entry = policyStatusOf(seen.device, id);
  const before = seen.target.before.policy?.statusTime ?? null;
  const at = laterThanBaseline(seen, before, entry?.createTime ?? null);
  return entry === null || at === null ? null : { status: entry.status, at };
}

function turnedUpToDate(observation: DeviceObservation, id: PolicyId): boolean {
  const { policy, from } = observation.target.before;
  if (newPolicyStatus(observation, id)?.status === UP_TO_DATE) return true;
  // Without a time it may have turned after the device was read and before the claim.
  if (from !== undefined) return false;
  const before = policy?.status ?? null;
  const turned = before === NEEDS_REMEDIATION || before === PENDING;
  return turned && policyStatusOf(observation.device, id)?.status === UP_TO_DATE;
}

function namedPolicy(device: Device, id: PolicyId) {
  return { id, name: policyName(device, id) };
}
