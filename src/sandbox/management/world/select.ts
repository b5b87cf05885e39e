/** Which devices a list is of (§4.5). Only what was asked for is looked at, and nothing is built for a device. */
import type { Instant } from '../../../clock.ts';
import { needsAttention } from './facts.ts';
import type { Device } from './model.ts';
import { hasPending } from './patches.ts';
import { type Organized, policiesOf } from './policies.ts';
import type { World } from './world.ts';

export type DeviceFilter = {
  readonly groupId?: number | undefined;
  /** A version of the shell: the whole, or its first parts. */
  readonly shell?: string | undefined;
  readonly pending?: boolean | undefined;
  /** Any patch that is not installed, ignored and deferred ones too. */
  readonly missing?: boolean | undefined;
  readonly policyId?: number | undefined;
  readonly exception?: boolean | undefined;
  readonly managed?: boolean | undefined;
  readonly needsAttention?: boolean | undefined;
};

type Test = (device: Device) => boolean;

/** The devices that agree with every part of `filter`, ids ascending. Not to be kept: it may be the fleet itself. */
export function selectDevices(world: World, filter: DeviceFilter, now: Instant): readonly Device[] {
  return testsOf(world, filter, now).reduce((left, test) => left.filter(test), world.devices.values());
}

function testsOf(world: Organized, filter: DeviceFilter, now: Instant): readonly Test[] {
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
  const ruled = managed === undefined ? undefined : groupsWith(world, (linked) => linked.length > 0);
  return [
    groupId === undefined ? [] : [(device: Device) => device.groupId === groupId],
    under === undefined ? [] : [(device: Device) => under.has(device.groupId)],
    ruled === undefined ? [] : [(device: Device) => ruled.has(device.groupId) === managed],
    exception === undefined ? [] : [(device: Device) => device.exception === exception],
    missing === undefined ? [] : [(device: Device) => device.missing.size > 0 === missing],
    attention === undefined ? [] : [(device: Device) => needsAttention(device, now) === attention],
    shell === undefined ? [] : [(device: Device) => hasShell(device, shell)],
    pending === undefined ? [] : [(device: Device) => hasPending(device, now) === pending],
  ].flat();
}

/** The ids of the groups whose policies suit. */
function groupsWith(world: Organized, suits: (linked: readonly number[]) => boolean): ReadonlySet<number> {
  const ids = [...world.groups.keys()];
  return new Set(ids.filter((groupId) => suits(policiesOf(world, { groupId }).map(({ id }) => id))));
}

/** The whole version or its first parts: §4.5 has it as text, §4.6 as an integer. */
function hasShell({ platform }: Device, version: string): boolean {
  return platform.shell === version || (platform.shell?.startsWith(`${version}.`) ?? false);
}
