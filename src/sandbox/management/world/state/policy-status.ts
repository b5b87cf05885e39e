/** A device's status under the policies of its group. */
import { DAY, HOUR, type Instant, instant, MINUTE } from '../../../../lib/clock.ts';
import type { WorldDevice, WorldGroup, WorldPolicy, WorldSchedule } from '../model.ts';
import { isWanted } from './patches.ts';

/** 0 needs remediation, 1 up to date, 2 pending. */
export type WorldPolicyStatus = 0 | 1 | 2;

export type WithPolicies = {
  readonly groups: ReadonlyMap<number, WorldGroup>;
  readonly policies: ReadonlyMap<number, WorldPolicy>;
};

export function mapById<T extends { readonly id: number }>(things: readonly T[]): Map<number, T> {
  return new Map(things.map((item) => [item.id, item]));
}

/** The policies linked to the device's own group; those of a parent do not count. */
export function policiesOf(
  world: WithPolicies,
  device: Pick<WorldDevice, 'groupId'>,
): readonly WorldPolicy[] {
  const linked = world.groups.get(device.groupId)?.policies ?? [];
  const found: WorldPolicy[] = [];
  for (const id of linked) {
    const policy = world.policies.get(id);
    if (policy !== undefined) found.push(policy);
  }
  return found;
}

export function policyStatusOn(device: WorldDevice, policy: WorldPolicy, now: Instant): WorldPolicyStatus {
  if (policy.type !== 'patch') return device.unmetPolicies.has(policy.id) ? 0 : 1;
  let status: WorldPolicyStatus = 1;
  for (const patch of device.missing.values()) {
    if (!isWanted(patch, now)) continue;
    if (patch.software.severity === 'critical') return 0;
    status = 2;
  }
  return status;
}

/** The device ran the policy at `now`. */
export function recordRun(device: WorldDevice, policy: WorldPolicy, now: Instant): void {
  device.policyRuns = new Map([...device.policyRuns, [policy.id, now]]);
}

/**
 * The next run of a schedule after `now`, UTC; null where it runs only by hand.
 * Assumption (§2.4): the masks of weeks and months exclude nothing.
 */
export function nextRun({ days, time }: WorldSchedule, now: Instant): Instant | null {
  if (days === 0) return null;
  const inDay = Number(time.slice(0, 2)) * HOUR + Number(time.slice(3)) * MINUTE;
  const today = Math.floor(now / DAY);
  for (let day = today; day <= today + 7; day++) {
    const at = day * DAY + inDay;
    if (at > now && runsOnDay(days, day)) return instant(at);
  }
  return null;
}

/** The first day of the epoch was a Thursday. Days are bits: Monday is 2, Sunday 128 ("in practice" 9). */
function runsOnDay(days: number, day: number): boolean {
  const sinceMonday = (day + 3) % 7;
  return (days & (2 << sinceMonday)) !== 0;
}
