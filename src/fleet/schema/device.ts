/** Devices (§2.2) as they are sent. The list of the live service has `detail: {}`, `policy_status: [null]`, `status: {}`. */
import { z } from 'zod';
import {
  type DeviceId,
  deviceId,
  type GroupId,
  groupId,
  type OrganizationId,
  organizationId,
} from '../../ids.ts';
import type { Device } from '../model.ts';
import { parseInstant } from '../time.ts';
import type { Fields } from './fields.ts';
import { another, bothReadings, type ReadRow, rowReader } from './rows.ts';

const shape = (f: Fields) =>
  z.object({
    id: f.id,
    organization_id: f.reference,
    server_group_id: f.reference,
    name: f.text,
    custom_name: f.text,
    os_family: f.text,
    os_name: f.text,
    os_version: f.text,
    agent_version: f.text,
    tags: f.texts,
    ip_addrs: f.texts,
    ip_addrs_private: f.texts,
    serial_number: f.text,
    last_logged_in_user: f.text,
    connected: f.flag,
    needs_reboot: f.flag,
    pending: f.flag,
    compliant: f.flag,
    exception: f.flag,
    needs_attention: f.flag,
    last_scan_failed: f.flag,
    patches: f.number,
    pending_patches: f.number,
    uptime: f.number,
    status: f.part(z.object({ device_status: f.text, agent_status: f.text, policy_status: f.text })),
    create_time: f.text,
    last_update_time: f.text,
    last_refresh_time: f.text,
    last_process_time: f.text,
    last_disconnect_time: f.text,
    next_patch_time: f.text,
  });
type Wire = z.infer<ReturnType<typeof shape>>;

const read = bothReadings(shape);

export type AskedDevices = {
  readonly organizationId: OrganizationId;
  readonly deviceId?: DeviceId | undefined;
  readonly groupId?: GroupId | undefined;
};

/** Reads the devices that were asked for. */
export function deviceReader(asked: AskedDevices): ReadRow<Device> {
  const foreign = (wire: Wire) =>
    another('organization', wire.organization_id, asked.organizationId) ??
    another('device', wire.id, asked.deviceId) ??
    another('group', wire.server_group_id, asked.groupId);
  return rowReader(read, foreign, (wire) => ({ ...identity(wire, asked), ...state(wire), ...times(wire) }));
}

function identity(wire: Wire, asked: AskedDevices) {
  return {
    id: deviceId(wire.id),
    organizationId: organizationId(wire.organization_id ?? asked.organizationId),
    groupId: wire.server_group_id === null ? null : groupId(wire.server_group_id),
    name: wire.name ?? '',
    customName: wire.custom_name === '' ? null : wire.custom_name,
    osFamily: wire.os_family,
    osName: wire.os_name,
    osVersion: wire.os_version,
    agentVersion: wire.agent_version,
    tags: wire.tags ?? [],
    addresses: wire.ip_addrs ?? [],
    privateAddresses: wire.ip_addrs_private ?? [],
    serialNumber: wire.serial_number,
    lastLoggedInUser: wire.last_logged_in_user,
  };
}

function state(wire: Wire) {
  return {
    connected: wire.connected,
    needsReboot: wire.needs_reboot,
    pending: wire.pending,
    compliant: wire.compliant,
    exception: wire.exception,
    needsAttention: wire.needs_attention,
    lastScanFailed: wire.last_scan_failed,
    patches: wire.patches,
    pendingPatches: wire.pending_patches,
    uptime: wire.uptime,
    deviceStatus: wire.status?.device_status ?? null,
    agentStatus: wire.status?.agent_status ?? null,
    policyStatus: wire.status?.policy_status ?? null,
  };
}

function times(wire: Wire) {
  return {
    createTime: parseInstant(wire.create_time),
    lastUpdateTime: parseInstant(wire.last_update_time),
    lastRefreshTime: parseInstant(wire.last_refresh_time),
    lastProcessTime: parseInstant(wire.last_process_time),
    lastDisconnectTime: parseInstant(wire.last_disconnect_time),
    nextPatchTime: parseInstant(wire.next_patch_time),
  };
}
