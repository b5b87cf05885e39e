/** Reads the current facts of the device or group that a command or edit is about. */
import { readDeviceForEdit, readGroupForEdit } from '../../fleet/facts/read-edit-facts.ts';
import type { FleetReader, Lane } from '../../fleet/fleet.ts';
import { type FleetAction, type FleetEdit, isEdit } from '../../fleet/model/actions.ts';
import type { FleetCommand } from '../../fleet/model/resources.ts';
import type { DeviceId } from '../../lib/ids.ts';
import type { TargetFacts } from '../../store/port/records.ts';
import { type DeviceRead, type ReadSubject, readDeviceFor } from './device-read.ts';

/** A device or group that was found, with its command or edit. */
export type ActionRead =
  | (DeviceRead & { readonly command: FleetCommand })
  | { readonly kind: 'edit'; readonly edit: FleetEdit; readonly facts: TargetFacts };

export type ActionSubject = Omit<ReadSubject, 'deviceId' | 'command'> & {
  /** Null: the order concerns no device. */
  readonly deviceId: DeviceId | null;
  readonly command: FleetAction;
};

/** `gone`: unknown, or another organization's. Throws FleetFailure. */
export async function readForAction(
  reader: FleetReader,
  subject: ActionSubject,
  lane: Lane,
): Promise<ActionRead | { readonly kind: 'gone' }> {
  const { command, deviceId } = subject;
  if (isEdit(command)) {
    const facts = await factsForEdit(reader, command, { ...subject, lane });
    return facts === null ? { kind: 'gone' } : { kind: 'edit', edit: command, facts };
  }
  const found = await readDeviceFor(reader, { ...subject, command, deviceId: requireDevice(deviceId) }, lane);
  return found.kind === 'gone' ? found : { ...found, command };
}

async function factsForEdit(
  reader: FleetReader,
  edit: FleetEdit,
  { deviceId, organizationId, now: asOf, lane }: ActionSubject & { readonly lane: Lane },
): Promise<TargetFacts | null> {
  const read = { organizationId, asOf, lane };
  return edit.kind === 'device-edit'
    ? readDeviceForEdit(reader, edit, { ...read, deviceId: requireDevice(deviceId) })
    : readGroupForEdit(reader, edit, read);
}

function requireDevice(deviceId: DeviceId | null): DeviceId {
  if (deviceId === null) throw new Error('an order to a device names none');
  return deviceId;
}
