/** Entries of a device's command queue (§2.7) as they are sent. */
import { type DeviceId, type OrganizationId, policyId, type QueueEntryId, queueEntryId } from '../../ids.ts';
import type { QueueEntry } from '../model.ts';
import { flag, number, type Raw, reference, text, time } from './fields.ts';
import { queueResponse } from './queue-response.ts';
import { anotherId, type ReadRow, rowReader } from './rows.ts';

/** Reads the queue of the device that was asked for, or the one entry of it that was asked for. */
export function queueEntryReader(
  organizationId: OrganizationId,
  deviceId: DeviceId,
  entryId?: QueueEntryId,
): ReadRow<QueueEntry> {
  return rowReader({
    foreign: (raw, id) =>
      anotherId('organization', raw['organization_id'], organizationId) ??
      anotherId('device', raw['server_id'], deviceId) ??
      anotherId('entry', id, entryId),
    build,
  });
}

function build(raw: Raw, id: number): QueueEntry {
  return {
    id: queueEntryId(id),
    type: text(raw['command_type_name']) ?? '',
    args: text(raw['args']) ?? '',
    commandId: number(raw['command_id']),
    agentCommandType: number(raw['agent_command_type']),
    reboot: flag(raw['reboot']),
    policyId: reference(raw['policy_id'], policyId),
    execTime: time(raw['exec_time']),
    response: queueResponse(raw['response']),
    responseTime: time(raw['response_time']),
  };
}
