/** What an approver sees of a device, taken from its record. Pure. */
import type { Instant } from '../../lib/clock.ts';
import type { DeviceId } from '../../lib/ids.ts';
import type { PolicyFacts } from '../model/policy-status.ts';
import { type Device, displayName } from '../model/resources.ts';
import type { EditableFields } from './edit-facts.ts';
import type { PackageFacts } from './package-facts.ts';
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
  /** What is known of them. Absent: there are none. */
  readonly packages?: readonly PackageFacts[];
  /** Facts about the command's policy. Absent: the command has no policy. */
  readonly policy?: PolicyFacts | null;
  /** The fields that an edit may change. Absent: nothing is edited. */
  readonly editable?: EditableFields | null;
  /** What goes with the device, where it is to be removed. */
  readonly removal?: DeviceRemovalFacts;
  readonly asOf: Instant;
};

/** Which machine the record is about, as far as the service states it: another one may take its id over. */
export type MachineIdentity = {
  readonly serial: string | null;
  readonly uuid: string | null;
  readonly created: Instant | null;
};

/** What is unusual about a device; absent where it is not. */
export type UnusualFacts = {
  /** Excluded from reports. */
  readonly exception?: true;
  /** Its users put off patches or a restart. */
  readonly deferred?: true;
};

export type SealedDeviceFacts = CopiedFields &
  UnusualFacts &
  Required<Omit<AdditionalFacts, 'removal' | 'packages'>> &
  Pick<AdditionalFacts, 'removal' | 'packages'> & {
    readonly deviceId: DeviceId;
    /** Its serial number is personal data: it is compared, and shown nowhere. */
    readonly identity: MachineIdentity;
    readonly hostname: string;
    readonly displayName: string;
  };

/** The facts about `device`. Only this function chooses them. */
export function toDeviceFacts(device: Device, additional: AdditionalFacts): SealedDeviceFacts {
  return {
    deviceId: device.id,
    identity: { serial: device.serialNumber, uuid: device.uuid, created: device.createTime },
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
    ...(device.exception === true ? { exception: true } : {}),
    ...(isDeferred(device) ? { deferred: true } : {}),
    ...additional,
    policy: additional.policy ?? null,
    editable: additional.editable ?? null,
  };
}

function isDeferred({ deferrals }: Device): boolean {
  const { patchDeferrals, rebootDeferrals, delayedByUser, rebootDelayedByUser } = deferrals;
  const times = (patchDeferrals ?? 0) + (rebootDeferrals ?? 0);
  return times > 0 || delayedByUser === true || rebootDelayedByUser === true;
}
