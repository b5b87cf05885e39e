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
import { upperFirst } from '../../lib/text.ts';
import { policyPhrase, policyStatusPhrase, timePlaceholder } from '../evidence-text.ts';
import { laterThanBaseline, policyActionsIn } from './baseline.ts';
import type { DeviceObservation, Effect } from './effect.ts';

/** The effect of a test: any action or any new standing shows that it ran. */
export function policyTestEffect(observation: DeviceObservation, id: PolicyId): Effect {
  const [action] = policyActionsAfter(observation, id);
  if (action !== undefined) {
    const what = `The test of ${policyTextFor(observation.device, id)} ended ${exitText(action)}`;
    return { kind: 'proven', evidence: `${what}.` };
  }
  const entry = newPolicyStatus(observation, id);
  if (entry !== null) {
    const what = `The management service updated the result of ${policyTextFor(observation.device, id)} ${timePlaceholder(entry.at)}`;
    return { kind: 'proven', evidence: `${what}: the device ${policyStatusPhrase(entry.status)}.` };
  }
  return { kind: 'open', missing: `No result of ${policyTextFor(observation.device, id)} yet.` };
}

/** The effect of a remediation: an action with exit code 0, or the device turned up to date. */
export function policyRemediationEffect(observation: DeviceObservation, id: PolicyId): Effect {
  const policy = policyTextFor(observation.device, id);
  const found = policyActionsAfter(observation, id);
  const success = found.find(({ exitCode }) => exitCode === 0);
  if (success !== undefined) {
    return { kind: 'proven', evidence: `${asSubject(policy)} ran with exit code 0.` };
  }
  // Where nothing says that the service took the command, a failure may be that of another run and proves nothing.
  const failure =
    observation.target.state === 'unknown' ? undefined : found.find(({ exitCode }) => exitCode !== null);
  if (failure !== undefined) {
    return { kind: 'failed', evidence: `${asSubject(policy)} ran ${exitText(failure)}. ${WHERE_OUTPUT_IS}` };
  }
  if (turnedUpToDate(observation, id)) {
    return { kind: 'proven', evidence: `The device is now up to date with ${policy}.` };
  }
  const [silent] = found;
  const ran = silent === undefined ? '' : ` The management service reported a run ${exitText(silent)}.`;
  return { kind: 'open', missing: `No proof yet that ${policy} was remediated.${ran}` };
}

/**
 * What the policy did on the device after the command, newest first. Assumption (§2.8): ids grow with time, so an
 * event that was there before is no later one, whatever the two clocks say.
 */
function policyActionsAfter({ events, target }: DeviceObservation, id: PolicyId): readonly FleetEvent[] {
  const last = target.before.policy?.lastEventId ?? null;
  if (target.deviceId === null) return [];
  return policyActionsIn(events, target.deviceId, id)
    .filter((event) => last === null || event.id > last)
    .filter(({ createTime }) => createTime !== null && createTime >= target.issuedAt)
    .toSorted((a, b) => b.id - a.id);
}

/** How the device stands with the policy, where the service wrote that after the command. */
function newPolicyStatus({ device, target: { before } }: DeviceObservation, id: PolicyId) {
  const entry = policyStatusOf(device, id);
  const at = laterThanBaseline(before, before.policy?.statusTime ?? null, entry?.createTime ?? null);
  return entry === null || at === null ? null : { status: entry.status, at };
}

function turnedUpToDate(observation: DeviceObservation, id: PolicyId): boolean {
  const before = observation.target.before.policy?.status ?? null;
  if (newPolicyStatus(observation, id)?.status === UP_TO_DATE) return true;
  const turned = before === NEEDS_REMEDIATION || before === PENDING;
  return turned && policyStatusOf(observation.device, id)?.status === UP_TO_DATE;
}

/** A script may print secrets and names of people, so what it printed is in no evidence. */
const WHERE_OUTPUT_IS = 'Its output is in the management service’s console.';

function policyTextFor(device: Device, id: PolicyId): string {
  return policyPhrase(id, policyName(device, id));
}

function exitText({ exitCode }: FleetEvent): string {
  return exitCode === null ? 'without an exit code' : `with exit code ${exitCode}`;
}

/** Its number alone begins a sentence with a capital; a name stays as it is. */
function asSubject(policy: string): string {
  return /^policy \d+$/.test(policy) ? upperFirst(policy) : policy;
}
