/** What differs between the kinds of actions: what is read and sealed, and what proves it. */

import type { TargetFacts } from '../../fleet/facts/facts.ts';
import type { FleetEditor, FleetReader, Lane } from '../../fleet/fleet.ts';
import type { FleetAction, Removal, TargetAction } from '../../fleet/model/actions.ts';
import type { Device } from '../../fleet/model/resources.ts';
import type { Inventory } from '../../inventory/inventory.ts';
import type { Clock, Instant } from '../../lib/clock.ts';
import type { DeviceId, GroupId, OrganizationId } from '../../lib/ids.ts';
import type { RequestTarget } from '../../store/port/request-records.ts';
import type { ReadIndex } from '../members.ts';

export type ReadPorts = {
  readonly reader: FleetReader;
  readonly clock: Pick<Clock, 'now'>;
  readonly groupName: (id: GroupId | null) => Promise<string | null>;
  readonly readIndex?: ReadIndex;
  /** The time by the clock of the service; absent: its clock is ours, null: not known. */
  readonly serviceNow?: (() => Instant | null) | undefined;
};

/** A device as a list showed it a while ago. */
export type ListedTarget = { readonly device: Device; readonly readAt: Instant };

export type ReadSubject<A extends FleetAction = FleetAction> = {
  readonly action: A;
  readonly organizationId: OrganizationId;
  readonly target: Pick<RequestTarget, 'deviceId' | 'facts'>;
  readonly lane: Lane;
  /** Absent: the device is read now. */
  readonly listed?: ListedTarget | undefined;
};

/** What a target is about, as the service shows it now. */
export type TargetRead = {
  readonly facts: TargetFacts;
  /** The claim, written before the one call; or the end of the target where there is nothing to be sent. Pure. */
  readonly claim: (target: RequestTarget, now: Instant) => RequestTarget;
};

export type LookPorts = {
  readonly reader: FleetReader;
  readonly editor: Pick<FleetEditor, 'checkDevice' | 'checkGroup' | 'checkPolicy'>;
  readonly clock: Pick<Clock, 'now'>;
};

export type TargetLook = {
  /** The same object where nothing moved. */
  readonly next: RequestTarget;
  /** As it was read; null where it was not, or is gone. */
  readonly device: Device | null;
};

export type ActionKind<A extends FleetAction> = {
  /** Null: the device or group is unknown, or another organization's. Throws FleetFailure. */
  readonly read: (ports: ReadPorts, subject: ReadSubject<A>) => Promise<TargetRead | null>;
  /** Reads what the action changes, and judges; `row`: the device, where it was read just now. Throws FleetFailure. */
  readonly look: (
    ports: LookPorts,
    action: A,
    target: RequestTarget,
    row?: Device | null,
  ) => Promise<TargetLook>;
  /**
   * Whether the device alone, as lists show it too, says that the rest is worth reading. Absent: lists say nothing of
   * the action. Pure.
   */
  readonly showsEffect?: (action: A, target: RequestTarget, device: Device, now: Instant) => boolean;
};

export type KindsOf<K extends TargetAction['kind']> = {
  readonly [P in K]: ActionKind<Extract<TargetAction, { kind: P }>>;
};

export function requireDevice({ deviceId }: Pick<RequestTarget, 'deviceId'>): DeviceId {
  if (deviceId === null) throw new Error('an action on a device names none');
  return deviceId;
}

export function reportRemoved(
  changeListener: Pick<Inventory, 'forgetDevice' | 'forgetGroup'> | undefined,
  removal: Removal,
  target: Pick<RequestTarget, 'deviceId'>,
): void {
  if (removal.kind === 'group-remove') changeListener?.forgetGroup(removal.groupId);
  else changeListener?.forgetDevice(requireDevice(target));
}
