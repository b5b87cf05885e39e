/**
 * What changed about a device between the card and now: pure. Empty where nothing changed that matters to any command;
 * whatever is named here breaks the seal too. What matters to one kind of command stands in its own file.
 */

import { systemName } from '../../fleet/model/derived-fields.ts';
import type { Drift } from '../../store/port/evidence.ts';
import type { DeviceFacts, TargetFacts } from '../../store/port/records.ts';

export type DriftList = readonly Drift[];

/** A device as it was sealed, and as it is. */
export type DeviceComparison = { readonly sealed: DeviceFacts; readonly current: DeviceFacts };

export function deviceDrift(comparison: DeviceComparison): DriftList {
  return [
    ...machineDrift(comparison),
    ...nameDrift(comparison),
    ...systemDrift(comparison),
    ...groupDrift(comparison),
    ...connectionDrift(comparison),
    ...loginDrift(comparison),
  ];
}

/** Which one it was and is stands on no record: serial numbers are personal data. */
export function machineDrift({ sealed, current }: DeviceComparison): DriftList {
  return isOtherMachine(sealed, current) ? [{ kind: 'other-machine', name: sealed.displayName }] : [];
}

/**
 * Whether the id belongs to another machine by now: something that identifies it differs, or nothing of what was sealed
 * is stated any more. Where nothing was stated, nothing tells.
 */
export function isOtherMachine(sealed: TargetFacts, current: TargetFacts): boolean {
  if (sealed.deviceId === null || current.deviceId === null) return false;
  const { serial, uuid, created } = sealed.identity;
  const pairs = [
    [serial, current.identity.serial],
    [uuid, current.identity.uuid],
    [created, current.identity.created],
  ].filter(([was]) => was !== null && was !== '');
  const known = pairs.filter(([, is]) => is !== null && is !== '');
  return known.some(([was, is]) => was !== is) || (pairs.length > 0 && known.length === 0);
}

function nameDrift({ sealed, current }: DeviceComparison): DriftList {
  const name = sealed.displayName;
  const isOtherHost = sealed.hostname !== current.hostname;
  // Where nobody gave the device a name it is shown by its hostname, so both change as one.
  const isRenamed =
    sealed.displayName !== current.displayName && !(isOtherHost && current.displayName === current.hostname);
  return [
    ...(isOtherHost
      ? [{ kind: 'hostname', name, was: sealed.hostname, now: current.hostname } as const]
      : []),
    ...(isRenamed ? [{ kind: 'renamed', name, now: current.displayName } as const] : []),
  ];
}

/** A system that is not named for a moment is no other system. */
function systemDrift({ sealed, current }: DeviceComparison): DriftList {
  const isStated = sealed.osVersion !== null && current.osVersion !== null;
  const nameOf = ({ osFamily, osName, osVersion }: DeviceFacts) =>
    systemName({ osFamily, osName, osVersion: isStated ? osVersion : null });
  const [was, now] = [nameOf(sealed), nameOf(current)];
  if (was === null || now === null || was === now) return [];
  return [{ kind: 'system', name: sealed.displayName, was, now }];
}

function groupDrift({ sealed, current }: DeviceComparison): DriftList {
  if (sealed.groupId === current.groupId) return [];
  const groupOf = ({ groupId: id, groupName: name }: DeviceFacts) => ({ id, name });
  return [{ kind: 'group', name: sealed.displayName, was: groupOf(sealed), now: groupOf(current) }];
}

function connectionDrift({ sealed, current }: DeviceComparison): DriftList {
  if (sealed.connected === current.connected) return [];
  return [{ kind: 'connection', name: sealed.displayName, was: sealed.connected, now: current.connected }];
}

function loginDrift({ sealed, current }: DeviceComparison): DriftList {
  const [was, now] = [sealed.lastLoggedInUser, current.lastLoggedInUser];
  if (was === now) return [];
  const who = now === null ? 'nobody' : was === null ? 'someone' : 'someone-else';
  return [{ kind: 'login', name: sealed.displayName, who }];
}
