/** What an approver sees of a device, taken from its record. Pure. */
import type { Instant } from '../../lib/clock.ts';
import type { DeviceId } from '../../lib/ids.ts';
import type { PolicyFacts } from '../model/policy-status.ts';
import { type Device, displayName } from '../model/resources.ts';
import type { EditableFields } from './edit-facts.ts';
import type { DeviceRemovalFacts } from './removal-facts.ts';

type CopiedFields = Pick<
  Device,
  | 'groupId'
  | 'osFamily'
  | 'osName'
  | 'osVersion'
  | 'connected'
  | 'lastDisconnectTime'
  | 'lastLoggedInUser'
  | 'pendingPatches'
  | 'needsReboot'
>;

/** Facts that the device's own record does not hold. */
export type AdditionalFacts = {
  /** Name of the group that the device is in now. */
  readonly groupName: string | null;
  /** Machine names of the missing packages that matter to the command. */
  readonly missing: readonly string[];
  /** Facts about the command's policy. Absent: the command has no policy. */
  readonly policy?: PolicyFacts | null;
  /** The fields that an edit may change. Absent: nothing is edited. */
  readonly editable?: EditableFields | null;
  /** What goes with the device, where it is to be removed. */
  readonly removal?: DeviceRemovalFacts;
  readonly asOf: Instant;
};

export type SealedDeviceFacts = CopiedFields &
  Required<Omit<AdditionalFacts, 'removal'>> &
  Pick<AdditionalFacts, 'removal'> & {
    readonly deviceId: DeviceId;
    readonly hostname: string;
    readonly displayName: string;
  };

/** The facts about `device`. Only this function chooses them. */
export function toDeviceFacts(device: Device, additional: AdditionalFacts): SealedDeviceFacts {
  return {
    deviceId: device.id,
    hostname: device.name,
    displayName: displayName(device),
    groupId: device.groupId,
    osFamily: device.osFamily,
    osName: device.osName,
    osVersion: device.osVersion,
    connected: device.connected,
    lastDisconnectTime: device.lastDisconnectTime,
    lastLoggedInUser: device.lastLoggedInUser,
    pendingPatches: device.pendingPatches,
    needsReboot: device.needsReboot,
    ...additional,
    policy: additional.policy ?? null,
    editable: additional.editable ?? null,
  };
}
