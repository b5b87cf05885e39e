/** How a device stands with the policies of its group. */
import { DAY, HOUR, type Instant, instant, MINUTE } from '../../../clock.ts';
import type { Device, Group, Policy, Schedule } from './model.ts';
import { isWanted } from './patches.ts';

/** 0 needs remediation, 1 up to date, 2 pending. */
export type PolicyStatus = 0 | 1 | 2;

export type Organized = {
  readonly groups: ReadonlyMap<number, Group>;
  readonly policies: ReadonlyMap<number, Policy>;
};

export function byId<T extends { readonly id: number }>(things: readonly T[]): Map<number, T> {
  return new Map(things.map((thing) => [thing.id, thing]));
}

/** The policies linked to the device's own group; a parent's do not count. */
export function policiesOf(world: Organized, device: Pick<Device, 'groupId'>): readonly Policy[] {
  const linked = world.groups.get(device.groupId)?.policies ?? [];
  const found: Policy[] = [];
  for (const id of linked) {
    const policy = world.policies.get(id);
    if (policy !== undefined) found.push(policy);
  }
  return found;
}

export function policyStatus(device: Device, policy: Policy, now: Instant): PolicyStatus {
  if (policy.type !== 'patch') return device.unmetPolicies.has(policy.id) ? 0 : 1;
  let status: PolicyStatus = 1;
  for (const patch of device.missing.values()) {
    if (!isWanted(patch, now)) continue;
    if (patch.software.severity === 'critical') return 0;
    status = 2;
  }
  return status;
}

/** The device carried the policy out at `now`. */
export function recordRun(device: Device, policy: Policy, now: Instant): void {
  device.policyRuns = new Map([...device.policyRuns, [policy.id, now]]);
}

/**
 * When a policy with this schedule runs next after `now`, UTC; null where it runs only by hand.
 * Assumption (§2.4): the masks of weeks and months leave nothing out.
 */
export function nextRun({ days, time }: Schedule, now: Instant): Instant | null {
  if (days === 0) return null;
  const inDay = Number(time.slice(0, 2)) * HOUR + Number(time.slice(3)) * MINUTE;
  const today = Math.floor(now / DAY);
  for (let day = today; day <= today + 7; day++) {
    const at = day * DAY + inDay;
    if (at > now && isOn(days, day)) return instant(at);
  }
  return null;
}

/** The first day of the epoch was a Thursday. Days are bits: Monday is 2, Sunday 128 ("in practice" 9). */
function isOn(days: number, day: number): boolean {
  const sinceMonday = (day + 3) % 7;
  return (days & (2 << sinceMonday)) !== 0;
}
