/** Entries of a device's command queue (§2.7) as they are sent. */
import { z } from 'zod';
import { type DeviceId, type OrganizationId, policyId, queueEntryId } from '../../ids.ts';
import type { QueueEntry } from '../model.ts';
import { parseInstant } from '../time.ts';
import type { Fields } from './fields.ts';
import { another, bothReadings, type ReadRow, rowReader } from './rows.ts';

const shape = (f: Fields) =>
  z.object({
    id: f.id,
    server_id: f.reference,
    organization_id: f.reference,
    command_type_name: f.text,
    args: f.text,
    policy_id: f.reference,
    exec_time: f.text,
    response: f.text,
    response_time: f.text,
  });
type Wire = z.infer<ReturnType<typeof shape>>;

const read = bothReadings(shape);

/** Reads the queue of the device that was asked for. */
export function queueEntryReader(organizationId: OrganizationId, deviceId: DeviceId): ReadRow<QueueEntry> {
  const foreign = (wire: Wire) =>
    another('organization', wire.organization_id, organizationId) ??
    another('device', wire.server_id, deviceId);
  return rowReader(read, foreign, build);
}

function build(wire: Wire): QueueEntry {
  return {
    id: queueEntryId(wire.id),
    type: wire.command_type_name ?? '',
    args: wire.args ?? '',
    policyId: wire.policy_id === null ? null : policyId(wire.policy_id),
    execTime: parseInstant(wire.exec_time),
    response: wire.response,
    responseTime: parseInstant(wire.response_time),
  };
}
