/**
 * What the service has, as it is read (§2): what the readers of rows return. Values stay text where the interface explains
 * no values. What many files use is an interface: the compiler calls only those by their names.
 */
import type { Instant } from '../../lib/clock.ts';
import type { Device } from '../schema/device.ts';
import type { Package } from '../schema/package.ts';

export type {
  Deferrals,
  Device,
  DeviceDetail,
  DevicePolicyStatus,
  NetworkCard,
  PreviewedDevice,
  Volume,
} from '../schema/device.ts';
export type { FleetEvent, PatchMention } from '../schema/event.ts';
export type { Group } from '../schema/group.ts';
export type { DevicePackage, Package, PackageScope } from '../schema/package.ts';
export type { Organization, Policy } from '../schema/policy.ts';
export type { QueueEntry, QueueResponse } from '../schema/queue-entry.ts';

export type ListedDevice = Pick<
  Device,
  | 'id'
  | 'name'
  | 'customName'
  | 'groupId'
  | 'osFamily'
  | 'osName'
  | 'osVersion'
  | 'connected'
  | 'needsReboot'
  | 'compliant'
  | 'pendingPatches'
>;

export function displayName(device: Pick<Device, 'customName' | 'name' | 'id'>): string {
  if (device.customName !== null && device.customName !== '') return device.customName;
  return device.name === '' ? `#${device.id}` : device.name;
}

/** A package that should be installed but is not: not installed, not ignored, not deferred into the future. */
export function isMissing(item: Package, now: Instant): boolean {
  if (item.installed || item.ignored) return false;
  return item.deferredUntil === null || item.deferredUntil <= now;
}
