/** Events (§2.8) as they are sent; `data` depends on the name and is null, an empty list or a text for some rows. */
import { z } from 'zod';
import { type DeviceId, deviceId, eventId, type OrganizationId, policyId } from '../../ids.ts';
import type { FleetEvent } from '../model.ts';
import { parseInstant } from '../time.ts';
import type { Fields } from './fields.ts';
import { parsePatches } from './patches.ts';
import { another, bothReadings, type ReadRow, rowReader } from './rows.ts';

const data = (f: Fields) =>
  z.object({
    ip: f.text,
    os: f.text,
    systemname: f.text,
    patches: f.listing,
    failure: f.text,
    text: f.text,
    status: f.number,
  });
const shape = (f: Fields) =>
  z.object({
    id: f.id,
    name: f.text,
    server_id: f.reference,
    organization_id: f.reference,
    policy_id: f.reference,
    server_name: f.text,
    policy_name: f.text,
    policy_type_name: f.text,
    create_time: f.text,
    data: f.part(data(f)),
  });
type Wire = z.infer<ReturnType<typeof shape>>;

const read = bothReadings(shape);

export type AskedEvents = {
  readonly organizationId: OrganizationId;
  readonly deviceId?: DeviceId | undefined;
  readonly name?: string | undefined;
};

/**
 * Reads the events that were asked for: the live service ignores filters that it does not know. Only an event of
 * another organization is left out by itself: refusing its page would silence every alert for as long as it is listed.
 */
export function eventReader(asked: AskedEvents): ReadRow<FleetEvent> {
  const foreign = (wire: Wire) =>
    another('device', wire.server_id, asked.deviceId) ?? another('name', wire.name, asked.name);
  const stray = (wire: Wire) => another('organization', wire.organization_id, asked.organizationId) !== null;
  return rowReader(read, foreign, build, stray);
}

function build(wire: Wire): FleetEvent {
  return {
    id: eventId(wire.id),
    name: wire.name ?? '',
    deviceId: wire.server_id === null ? null : deviceId(wire.server_id),
    deviceName: wire.server_name ?? wire.data?.systemname ?? null,
    policyId: wire.policy_id === null ? null : policyId(wire.policy_id),
    policyName: wire.policy_name,
    policyType: wire.policy_type_name,
    createTime: parseInstant(wire.create_time),
    patches: parsePatches(wire.data?.patches ?? null),
    failure: wire.data?.failure ?? null,
    text: wire.data?.text ?? null,
    exitCode: exitCode(wire.data?.status ?? null),
    operatingSystem: wire.data?.os ?? null,
    address: wire.data?.ip ?? null,
  };
}

/** Exit codes are signed 32-bit (a Windows 0xC0000142 is -1073741502); one sent unsigned is the same code. */
function exitCode(status: number | null): number | null {
  if (status === null || !Number.isInteger(status)) return null;
  return status >= -(2 ** 31) && status < 2 ** 32 ? status | 0 : null;
}
