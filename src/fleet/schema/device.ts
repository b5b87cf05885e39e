/** Devices (§2.2) as they are sent. The list of the live service has `detail: {}`, `policy_status: [null]`, `status: {}`. */
import { type DeviceId, deviceId, type GroupId, groupId, type OrganizationId } from '../../lib/ids.ts';
import type { Deferrals } from '../model/device-parts.ts';
import type { Device } from '../model/resources.ts';
import { readCompliance, readDetail, readPolicyStatus } from './device-parts.ts';
import {
  asFlag,
  asInstant,
  asNumber,
  asObject,
  asObjects,
  asReference,
  asText,
  asTexts,
  type RawObject,
} from './fields.ts';
import { readNestedPolicy } from './policy.ts';
import { idMismatch, type RowReader, rowReader } from './rows.ts';

/**
 * What the request asked for. The live service ignores parameters that it does not know. An unfiltered list must not be
 * taken for a filtered one, so rows are checked.
 */
export type ExpectedDevices = {
  readonly organizationId: OrganizationId;
  readonly deviceId?: DeviceId | undefined;
  readonly groupId?: GroupId | undefined;
};

/** Reads the requested devices. */
export function deviceReader(expected: ExpectedDevices): RowReader<Device> {
  return rowReader({
    mismatch: (raw, id) =>
      idMismatch('organization', raw['organization_id'], expected.organizationId) ??
      idMismatch('device', id, expected.deviceId) ??
      idMismatch('group', raw['server_group_id'], expected.groupId),
    isDeleted,
    build: (raw, id) => buildDevice(raw, id, expected),
  });
}

/** No device of the fleet any more, although the service may still list it and answer for its id (§2.2). */
export function isDeleted(raw: RawObject): boolean {
  return asFlag(raw['deleted']) === true;
}

function buildDevice(raw: RawObject, id: number, expected: ExpectedDevices): Device {
  const status = asObject(raw['status']);
  const customName = asText(raw['custom_name']);
  return {
    id: deviceId(id),
    uuid: asText(raw['uuid']),
    // A row that names another organization is rejected.
    organizationId: expected.organizationId,
    groupId: asReference(raw['server_group_id'], groupId),
    instanceId: asText(raw['instance_id']),
    name: asText(raw['name']) ?? '',
    customName: customName === '' ? null : customName,
    osFamily: asText(raw['os_family']),
    osName: asText(raw['os_name']),
    osVersion: asText(raw['os_version']),
    osVersionId: asNumber(raw['os_version_id']),
    agentVersion: asText(raw['agent_version']),
    timezone: asText(raw['timezone']),
    refreshIntervalMinutes: asNumber(raw['refresh_interval']),
    tags: raw['tags'] === null || raw['tags'] === undefined ? null : asTexts(raw['tags']),
    addresses: asTexts(raw['ip_addrs']),
    privateAddresses: asTexts(raw['ip_addrs_private']),
    serialNumber: asText(raw['serial_number']),
    lastLoggedInUser: asText(raw['last_logged_in_user']),
    connected: asFlag(raw['connected']),
    needsReboot: asFlag(raw['needs_reboot']),
    pending: asFlag(raw['pending']),
    compliant: asFlag(raw['compliant']),
    exception: asFlag(raw['exception']),
    needsAttention: asFlag(raw['needs_attention']),
    lastScanFailed: asFlag(raw['last_scan_failed']),
    patches: asNumber(raw['patches']),
    pendingPatches: asNumber(raw['pending_patches']),
    uptime: asNumber(raw['uptime']),
    deviceStatus: asText(status?.['device_status']),
    agentStatus: asText(status?.['agent_status']),
    policyStatus: asText(status?.['policy_status']),
    policyStatuses: asObjects(raw['policy_status'], readPolicyStatus),
    policyCompliance: asObjects(status?.['policy_statuses'], readCompliance),
    policies: asObjects(raw['server_policies'], (policy) =>
      readNestedPolicy(policy, expected.organizationId),
    ),
    deferrals: readDeferrals(raw),
    detail: readDetail(raw['detail'], asText(raw['timezone'])),
    compatible: asFlag(raw['is_compatible']),
    organizationalUnit: asText(raw['organizational_unit']),
    notes: asText(raw['notes']),
    createTime: asInstant(raw['create_time']),
    lastUpdateTime: asInstant(raw['last_update_time']),
    lastRefreshTime: asInstant(raw['last_refresh_time']),
    lastProcessTime: asInstant(raw['last_process_time']),
    lastDisconnectTime: asInstant(raw['last_disconnect_time']),
    nextPatchTime: asInstant(raw['next_patch_time']),
  };
}

function readDeferrals(raw: RawObject): Deferrals {
  return {
    notifications: asNumber(raw['notification_count']),
    rebootNotifications: asNumber(raw['reboot_notification_count']),
    patchDeferrals: asNumber(raw['patch_deferral_count']),
    rebootDeferrals: asNumber(raw['reboot_deferral_count']),
    delayedByNotification: asFlag(raw['is_delayed_by_notification']),
    rebootDelayedByNotification: asFlag(raw['reboot_is_delayed_by_notification']),
    delayedByUser: asFlag(raw['is_delayed_by_user']),
    rebootDelayedByUser: asFlag(raw['reboot_is_delayed_by_user']),
  };
}
