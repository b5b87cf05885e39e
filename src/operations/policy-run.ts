/**
 * Whether a policy ran on the device after the command, by its events or by how the device stands with it: pure. An
 * exit code other than 0 is a failed remediation; of a test it means only that the device needs remediation.
 */
import type { Device, FleetEvent } from '../fleet/model.ts';
import { NEEDS_REMEDIATION, PENDING, policyName, standing, UP_TO_DATE } from '../fleet/standing.ts';
import type { PolicyId } from '../ids.ts';
import { upperFirst } from '../text.ts';
import type { Effect, Seen } from './effect.ts';
import { newer } from './newer.ts';
import { actionsOf } from './policy-before.ts';
import { policyText, standingText, timeToken } from './words.ts';

/** The effect of a test: any action or any new standing shows that it ran. */
export function tested(seen: Seen, id: PolicyId): Effect {
  const [action] = actions(seen, id);
  if (action !== undefined) {
    const what = `The test of ${policyOn(seen.device, id)} ended ${exitText(action)}`;
    return { kind: 'proven', evidence: `${what}.` };
  }
  const entry = newStanding(seen, id);
  if (entry !== null) {
    const what = `The management service updated the result of ${policyOn(seen.device, id)} ${timeToken(entry.at)}`;
    return { kind: 'proven', evidence: `${what}: the device ${standingText(entry.status)}.` };
  }
  return { kind: 'open', missing: `No result of ${policyOn(seen.device, id)} yet.` };
}

/** The effect of a remediation: an action with exit code 0, or the device turned up to date. */
export function remediated(seen: Seen, id: PolicyId): Effect {
  const policy = policyOn(seen.device, id);
  const found = actions(seen, id);
  const success = found.find(({ exitCode }) => exitCode === 0);
  if (success !== undefined) {
    return { kind: 'proven', evidence: `${subject(policy)} ran with exit code 0.` };
  }
  // Where nothing says that the service took the command, a failure may be that of another run and proves nothing.
  const failure =
    seen.target.state === 'unknown' ? undefined : found.find(({ exitCode }) => exitCode !== null);
  if (failure !== undefined) {
    return { kind: 'failed', evidence: `${subject(policy)} ran ${exitText(failure)}. ${WHERE}` };
  }
  if (turnedUpToDate(seen, id)) {
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
function actions({ events, target }: Seen, id: PolicyId): readonly FleetEvent[] {
  const last = target.before.policy?.lastEventId ?? null;
  if (target.deviceId === null) return [];
  return actionsOf(events, target.deviceId, id)
    .filter((event) => last === null || event.id > last)
    .filter(({ createTime }) => createTime !== null && createTime >= target.issuedAt)
    .toSorted((a, b) => b.id - a.id);
}

/** How the device stands with the policy, where the service wrote that after the command. */
function newStanding({ device, target: { before } }: Seen, id: PolicyId) {
  const entry = standing(device, id);
  const at = newer(before, before.policy?.statusTime ?? null, entry?.createTime ?? null);
  return entry === null || at === null ? null : { status: entry.status, at };
}

function turnedUpToDate(seen: Seen, id: PolicyId): boolean {
  const before = seen.target.before.policy?.status ?? null;
  if (newStanding(seen, id)?.status === UP_TO_DATE) return true;
  const turned = before === NEEDS_REMEDIATION || before === PENDING;
  return turned && standing(seen.device, id)?.status === UP_TO_DATE;
}

/** A script may print secrets and names of people, so what it printed is in no evidence. */
const WHERE = 'Its output is in the management service’s console.';

function policyOn(device: Device, id: PolicyId): string {
  return policyText(id, policyName(device, id));
}

function exitText({ exitCode }: FleetEvent): string {
  return exitCode === null ? 'without an exit code' : `with exit code ${exitCode}`;
}

/** Its number alone begins a sentence with a capital; a name stays as it is. */
function subject(policy: string): string {
  return /^policy \d+$/.test(policy) ? upperFirst(policy) : policy;
}
