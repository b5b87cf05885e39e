/**
 * The figures of the fleet. What each one counts is defined only here, so that every screen, list and report shows
 * the same number. Every device in the index counts, also one that is excluded from the console's reports
 * (`exception`): policies patch it all the same. Pure.
 */
import type { IndexedDevice } from './device-index/indexed-device.ts';

type DevicePredicate = (device: IndexedDevice) => boolean;

/** A fact that the service did not state is neither true nor false. */
export const DEVICE_FACTS = {
  'needs-reboot': ({ needsReboot }) => needsReboot === true,
  online: ({ connected }) => connected === true,
  offline: ({ connected }) => connected === false,
  /**
   * Pending patches are those that policies want and the device lacks (§2.2). Missing patches are all that it
   * lacks, including ignored and deferred ones: another number, with another name. The flag counts when the number is
   * not stated.
   */
  pending: ({ pending, pendingPatches }) => (pendingPatches === null ? pending === true : pendingPatches > 0),
  /** All available patches count (`patches`, §2.2), as for `patchStatus=missing` (§4.5). */
  'missing-patches': ({ missesPatches }) => missesPatches === true,
  compliant: ({ compliant }) => compliant === true,
  noncompliant: ({ compliant }) => compliant === false,
  exception: ({ exception }) => exception === true,
  attention: ({ needsAttention }) => needsAttention === true,
  // No linked policies (§4.5).
  unmanaged: ({ policyIds }) => policyIds?.length === 0,
} as const satisfies Readonly<Record<string, DevicePredicate>>;

export type DeviceCounts = {
  readonly devices: number;
  readonly online: number;
  readonly offline: number;
  readonly pending: number;
  readonly needsReboot: number;
  readonly compliant: number;
  readonly noncompliant: number;
};

/** In one pass, because there may be a hundred thousand devices. */
export function countDevices(devices: readonly IndexedDevice[]): DeviceCounts {
  let [online, offline, pending, needsReboot, compliant, noncompliant] = [0, 0, 0, 0, 0, 0];
  for (const device of devices) {
    if (DEVICE_FACTS.online(device)) online += 1;
    if (DEVICE_FACTS.offline(device)) offline += 1;
    if (DEVICE_FACTS.pending(device)) pending += 1;
    if (DEVICE_FACTS['needs-reboot'](device)) needsReboot += 1;
    if (DEVICE_FACTS.compliant(device)) compliant += 1;
    if (DEVICE_FACTS.noncompliant(device)) noncompliant += 1;
  }
  return { devices: devices.length, online, offline, pending, needsReboot, compliant, noncompliant };
}
