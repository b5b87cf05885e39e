/** The devices of a list (§4.5). Checks only the requested filters and allocates nothing per device. */
import type { Instant } from '../../../../lib/clock.ts';
import type { WorldDevice } from '../model.ts';
import { needsAttention } from '../state/device-facts.ts';
import { hasPending } from '../state/patches.ts';
import { policiesOf, type WithPolicies } from '../state/policy-status.ts';
import type { World } from '../world.ts';
import { covers } from './device-filters.ts';

export type WorldDeviceQuery = {
  readonly groupId?: number | undefined;
  /** A PowerShell version: whole, or its first parts. */
  readonly shell?: string | undefined;
  readonly pending?: boolean | undefined;
  /** Any patch that is not installed, including ignored and deferred ones. */
  readonly missing?: boolean | undefined;
  readonly policyId?: number | undefined;
  readonly exception?: boolean | undefined;
  readonly managed?: boolean | undefined;
  readonly needsAttention?: boolean | undefined;
};

type Test = (device: WorldDevice) => boolean;

/** The devices that match all of `filter`, ids ascending. Do not store the result: it may be the fleet itself. */
export function listDevices(world: World, filter: WorldDeviceQuery, now: Instant): readonly WorldDevice[] {
  return deviceTests(world, filter, now).reduce(
    (remaining, test) => remaining.filter(test),
    world.devices.values(),
  );
}

function deviceTests(world: WithPolicies, filter: WorldDeviceQuery, now: Instant): readonly Test[] {
  const {
    groupId,
    shell,
    pending,
    missing,
    policyId,
    exception,
    managed,
    needsAttention: attention,
  } = filter;
  const under = policyId === undefined ? undefined : groupsWith(world, (linked) => linked.includes(policyId));
  const policy = policyId === undefined ? undefined : world.policies.get(policyId);
  const ruled = managed === undefined ? undefined : groupsWith(world, (linked) => linked.length > 0);
  return [
    groupId === undefined ? [] : [(device: WorldDevice) => device.groupId === groupId],
    under === undefined ? [] : [(device: WorldDevice) => under.has(device.groupId)],
    policy === undefined ? [] : [(device: WorldDevice) => covers(policy, device)],
    ruled === undefined ? [] : [(device: WorldDevice) => ruled.has(device.groupId) === managed],
    exception === undefined ? [] : [(device: WorldDevice) => device.exception === exception],
    missing === undefined ? [] : [(device: WorldDevice) => device.missing.size > 0 === missing],
    attention === undefined ? [] : [(device: WorldDevice) => needsAttention(device, now) === attention],
    shell === undefined ? [] : [(device: WorldDevice) => hasShell(device, shell)],
    pending === undefined ? [] : [(device: WorldDevice) => hasPending(device, now) === pending],
  ].flat();
}

/** Ids of the groups whose policies match. */
function groupsWith(world: WithPolicies, suits: (linked: readonly number[]) => boolean): ReadonlySet<number> {
  const ids = [...world.groups.keys()];
  return new Set(ids.filter((groupId) => suits(policiesOf(world, { groupId }).map(({ id }) => id))));
}

/** The whole version or its first parts: §4.5 has it as text, §4.6 as an integer. */
function hasShell({ platform }: WorldDevice, version: string): boolean {
  return platform.shell === version || (platform.shell?.startsWith(`${version}.`) ?? false);
}
