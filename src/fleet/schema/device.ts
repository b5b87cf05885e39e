/** Devices (§2.2) as they are sent. The list of the live service has `detail: {}`, `policy_status: [null]`, `status: {}`. */
import {
  type DeviceId,
  deviceId,
  type GroupId,
  groupId,
  type OrganizationId,
  type PolicyId,
} from '../../ids.ts';
import type { Deferrals } from '../device-parts.ts';
import type { Device } from '../model.ts';
import { readDetail } from './device-detail.ts';
import { readCompliance, readPolicyStatus } from './device-policies.ts';
import { flag, number, part, parts, type Raw, reference, text, texts, time } from './fields.ts';
import { readPolicy } from './policy.ts';
import { anotherId, type ReadRow, rowReader } from './rows.ts';

/**
 * What was asked for. The live service ignores parameters that it does not know, and `needsAttention` is in no list of
 * them (§4.5): a list that was not filtered must not pass for one that was, so rows are checked.
 */
export type AskedDevices = {
  readonly organizationId: OrganizationId;
  readonly deviceId?: DeviceId | undefined;
  readonly groupId?: GroupId | undefined;
  readonly policyId?: PolicyId | undefined;
  readonly pending?: boolean | undefined;
  readonly exception?: boolean | undefined;
  readonly needsAttention?: boolean | undefined;
};

/** Reads the devices that were asked for. */
export function deviceReader(asked: AskedDevices): ReadRow<Device> {
  return rowReader({
    foreign: (raw, id) =>
      anotherId('organization', raw['organization_id'], asked.organizationId) ??
      anotherId('device', id, asked.deviceId) ??
      anotherId('group', raw['server_group_id'], asked.groupId) ??
      unfiltered('exception', flag(raw['exception']), asked.exception) ??
      unfiltered('needsAttention', flag(raw['needs_attention']), asked.needsAttention) ??
      unfiltered('pending', isPending(raw), asked.pending) ??
      unfiltered('policyId', asked.policyId === undefined ? null : hasPolicy(raw, asked.policyId), true),
    build: (raw, id) => build(raw, id, asked),
  });
}

/** Refuses a row that plainly says the contrary of the filter. */
function unfiltered(filter: string, said: boolean | null, asked: boolean | undefined): string | null {
  const fits = asked === undefined || said === null || said === asked;
  return fits ? null : `the service ignored the filter ${filter}`;
}

/**
 * Whether patches are pending; null where the row does not say it plainly.
 * Assumption (§4.5): the filter is about either of the two fields, which one is not said, so both must agree.
 */
function isPending(raw: Raw): boolean | null {
  const said = flag(raw['pending']);
  const patches = number(raw['pending_patches']);
  return patches === null || said !== patches > 0 ? null : said;
}

/**
 * Whether the device is of the policy; null where the row does not say it plainly.
 * Assumption (§2.4, §2.5): a device of a policy has it in one of the two lists of its policies; they may differ by a
 * row or two, so both must be there and say nothing of it.
 */
function hasPolicy(raw: Raw, id: PolicyId): boolean | null {
  const statuses = parts(raw['policy_status'], readPolicyStatus).filter(({ policyId }) => policyId !== null);
  const compliance = parts(part(raw['status'])?.['policy_statuses'], readCompliance);
  if (statuses.length === 0 || compliance.length === 0) return null;
  return [...statuses, ...compliance].some(({ policyId }) => policyId === id);
}

function build(raw: Raw, id: number, asked: AskedDevices): Device {
  const status = part(raw['status']);
  const customName = text(raw['custom_name']);
  return {
    id: deviceId(id),
    uuid: text(raw['uuid']),
    // A row that names another one is refused.
    organizationId: asked.organizationId,
    groupId: reference(raw['server_group_id'], groupId),
    instanceId: text(raw['instance_id']),
    name: text(raw['name']) ?? '',
    customName: customName === '' ? null : customName,
    osFamily: text(raw['os_family']),
    osName: text(raw['os_name']),
    osVersion: text(raw['os_version']),
    osVersionId: number(raw['os_version_id']),
    agentVersion: text(raw['agent_version']),
    timezone: text(raw['timezone']),
    refreshIntervalMinutes: number(raw['refresh_interval']),
    tags: texts(raw['tags']),
    addresses: texts(raw['ip_addrs']),
    privateAddresses: texts(raw['ip_addrs_private']),
    serialNumber: text(raw['serial_number']),
    lastLoggedInUser: text(raw['last_logged_in_user']),
    deleted: flag(raw['deleted']),
    connected: flag(raw['connected']),
    needsReboot: flag(raw['needs_reboot']),
    pending: flag(raw['pending']),
    compliant: flag(raw['compliant']),
    exception: flag(raw['exception']),
    needsAttention: flag(raw['needs_attention']),
    lastScanFailed: flag(raw['last_scan_failed']),
    patches: number(raw['patches']),
    pendingPatches: number(raw['pending_patches']),
    uptime: number(raw['uptime']),
    deviceStatus: text(status?.['device_status']),
    agentStatus: text(status?.['agent_status']),
    policyStatus: text(status?.['policy_status']),
    policyStatuses: parts(raw['policy_status'], readPolicyStatus),
    policyCompliance: parts(status?.['policy_statuses'], readCompliance),
    policies: parts(raw['server_policies'], (policy) => readPolicy(policy, asked.organizationId)),
    deferrals: readDeferrals(raw),
    detail: readDetail(raw['detail']),
    compatible: flag(raw['is_compatible']),
    organizationalUnit: text(raw['organizational_unit']),
    notes: text(raw['notes']),
    createTime: time(raw['create_time']),
    lastUpdateTime: time(raw['last_update_time']),
    lastRefreshTime: time(raw['last_refresh_time']),
    lastProcessTime: time(raw['last_process_time']),
    lastDisconnectTime: time(raw['last_disconnect_time']),
    nextPatchTime: time(raw['next_patch_time']),
  };
}

function readDeferrals(raw: Raw): Deferrals {
  return {
    notifications: number(raw['notification_count']),
    rebootNotifications: number(raw['reboot_notification_count']),
    patchDeferrals: number(raw['patch_deferral_count']),
    rebootDeferrals: number(raw['reboot_deferral_count']),
    delayedByNotification: flag(raw['is_delayed_by_notification']),
    rebootDelayedByNotification: flag(raw['reboot_is_delayed_by_notification']),
    delayedByUser: flag(raw['is_delayed_by_user']),
    rebootDelayedByUser: flag(raw['reboot_is_delayed_by_user']),
  };
}
