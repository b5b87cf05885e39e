/**
 * The figures of the fleet. What each one counts is defined only here, so that every screen, list and report shows
 * the same number. Every device in the index counts, also one that is excluded from the console's reports
 * (`exception`): policies patch it all the same. Pure.
 */
import type { IndexedDevice } from './device-index/indexed-device.ts';

/** Null: the service did not say. */
type DevicePredicate = (device: IndexedDevice) => boolean | null;

/** A fact that the service did not state is neither true nor false: it counts as unknown, and `-is:` does not take it. */
export const DEVICE_FACTS = {
  'needs-reboot': ({ needsReboot }) => needsReboot,
  online: ({ connected }) => connected,
  offline: ({ connected }) => isNot(connected),
  /**
   * Pending patches are those that policies want and the device lacks (§2.2). Missing ones are neither installed, ignored
   * nor deferred; available ones are these and the ignored and deferred ones. The flag counts when the number is not
   * stated.
   */
  pending: ({ pending, pendingPatches }) => (pendingPatches === null ? pending : pendingPatches > 0),
  /** All available patches count (`patches`, §2.2), as for `patchStatus=missing` (§4.5). */
  'patches-available': ({ missesPatches }) => missesPatches,
  compliant: ({ compliant }) => compliant,
  noncompliant: ({ compliant }) => isNot(compliant),
  exception: ({ exception }) => exception,
  attention: ({ needsAttention }) => needsAttention,
  // No linked policies (§4.5).
  unmanaged: ({ policyIds }) => (policyIds === null ? null : policyIds.length === 0),
} as const satisfies Readonly<Record<string, DevicePredicate>>;

export function isNot(fact: boolean | null): boolean | null {
  return fact === null ? null : !fact;
}

/** In one pass, because there may be a hundred thousand devices. */
export function countDevices(devices: readonly IndexedDevice[]) {
  const facts = ['online', 'offline', 'pending', 'needs-reboot', 'compliant', 'noncompliant'] as const;
  const counts = { online: 0, offline: 0, pending: 0, 'needs-reboot': 0, compliant: 0, noncompliant: 0 };
  const unknown = { ...counts };
  for (const device of devices) {
    for (const name of facts) {
      const fact = DEVICE_FACTS[name](device);
      if (fact === true) counts[name] += 1;
      else if (fact === null) unknown[name] += 1;
    }
  }
  const { 'needs-reboot': needsReboot, ...others } = counts;
  const { online: connection, pending, compliant: compliance } = unknown;
  return {
    devices: devices.length,
    ...others,
    needsReboot,
    /** How many devices the service says nothing about. */
    unknown: { connection, pending, needsReboot: unknown['needs-reboot'], compliance },
  };
}
