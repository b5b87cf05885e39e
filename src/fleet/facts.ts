/** What an approver sees of a device, taken from its record. Pure. */
import type { Instant } from '../clock.ts';
import type { DeviceId } from '../ids.ts';
import type { Editable } from './edit-facts.ts';
import { type Device, displayName } from './model.ts';
import type { PolicyFacts } from './standing.ts';

type Taken = Pick<
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

/** What the device's own record does not say. */
export type Besides = {
  /** Of the group that the device is in now. */
  readonly groupName: string | null;
  /** Machine names of the missing packages that matter to the command. */
  readonly missing: readonly string[];
  /** Of the command's policy. Absent: the command is of none. */
  readonly policy?: PolicyFacts | null;
  /** What an edit may change. Absent: nothing is edited. */
  readonly editable?: Editable | null;
  readonly asOf: Instant;
};

export type Facts = Taken &
  Required<Besides> & {
    readonly deviceId: DeviceId;
    readonly hostname: string;
    readonly displayName: string;
  };

/** The facts about `device`; the one place that chooses them. */
export function deviceFacts(device: Device, besides: Besides): Facts {
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
    ...besides,
    policy: besides.policy ?? null,
    editable: besides.editable ?? null,
  };
}
