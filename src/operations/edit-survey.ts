/** What the service says right now about the thing that an order is about: a device, or a group. */
import { deviceForEdit, groupForEdit } from '../fleet/edit-reads.ts';
import type { FleetReader, Lane } from '../fleet/fleet.ts';
import type { FleetCommand } from '../fleet/model.ts';
import { type FleetEdit, type FleetOrder, isEdit } from '../fleet/orders.ts';
import type { DeviceId } from '../ids.ts';
import type { TargetFacts } from '../store/records.ts';
import { type Found, type Subject, survey } from './survey.ts';

/** A thing that was found, with the order that is about it. */
export type Surveyed =
  | (Found & { readonly command: FleetCommand })
  | { readonly kind: 'edit'; readonly edit: FleetEdit; readonly facts: TargetFacts };

export type OrderSubject = Omit<Subject, 'deviceId' | 'command'> & {
  /** Null: the order concerns no device. */
  readonly deviceId: DeviceId | null;
  readonly command: FleetOrder;
};

/** `gone`: unknown, or another organization's. Throws FleetFailure. */
export async function surveyOrder(
  reader: FleetReader,
  subject: OrderSubject,
  lane: Lane,
): Promise<Surveyed | { readonly kind: 'gone' }> {
  const { command, deviceId } = subject;
  if (isEdit(command)) {
    const facts = await factsForEdit(reader, command, { ...subject, lane });
    return facts === null ? { kind: 'gone' } : { kind: 'edit', edit: command, facts };
  }
  const found = await survey(reader, { ...subject, command, deviceId: named(deviceId) }, lane);
  return found.kind === 'gone' ? found : { ...found, command };
}

async function factsForEdit(
  reader: FleetReader,
  edit: FleetEdit,
  { deviceId, organizationId, now: asOf, lane }: OrderSubject & { readonly lane: Lane },
): Promise<TargetFacts | null> {
  const read = { organizationId, asOf, lane };
  return edit.kind === 'device-edit'
    ? deviceForEdit(reader, edit, { ...read, deviceId: named(deviceId) })
    : groupForEdit(reader, edit, read);
}

function named(deviceId: DeviceId | null): DeviceId {
  if (deviceId === null) throw new Error('an order to a device names none');
  return deviceId;
}
