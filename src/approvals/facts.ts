/** The facts about a device as an approver sees them, read again. */
import type { Instant } from '../clock.ts';
import { displayName, type FleetCommand } from '../fleet/model.ts';
import { type Found, missingFor } from '../operations/survey.ts';
import type { DeviceFacts } from '../store/records.ts';

/** What the service says now; `groupName` belongs to the group that the device is in now. */
export function factsOf(
  { device, packages }: Found,
  command: FleetCommand,
  { groupName, asOf }: { readonly groupName: string | null; readonly asOf: Instant },
): DeviceFacts {
  return {
    deviceId: device.id,
    hostname: device.name,
    displayName: displayName(device),
    groupId: device.groupId,
    groupName,
    osFamily: device.osFamily,
    osName: device.osName,
    connected: device.connected,
    lastDisconnectTime: device.lastDisconnectTime,
    lastLoggedInUser: device.lastLoggedInUser,
    pendingPatches: device.pendingPatches,
    needsReboot: device.needsReboot,
    missing: missingFor(command, packages, asOf),
    asOf,
  };
}
