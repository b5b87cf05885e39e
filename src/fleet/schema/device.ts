/** Devices (§2.2) as they are sent. The list of the live service has `detail: {}`, `policy_status: [null]`, `status: {}`. */
import {
  type DeviceId,
  deviceId,
  type GroupId,
  groupId,
  type OrganizationId,
  type PolicyId,
} from '../../lib/ids.ts';
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
 * What the request asked for. The live service ignores parameters that it does not know, and `needsAttention` is in
 * no list of them (§4.5). An unfiltered list must not be taken for a filtered one, so rows are checked.
 */
export type ExpectedDevices = {
  readonly organizationId: OrganizationId;
  readonly deviceId?: DeviceId | undefined;
  readonly groupId?: GroupId | undefined;
  readonly policyId?: PolicyId | undefined;
  readonly pending?: boolean | undefined;
  readonly exception?: boolean | undefined;
  readonly needsAttention?: boolean | undefined;
};

/** Reads the requested devices. */
export function deviceReader(expected: ExpectedDevices): RowReader<Device> {
  return rowReader({
    mismatch: (raw, id) =>
      idMismatch('organization', raw['organization_id'], expected.organizationId) ??
      idMismatch('device', id, expected.deviceId) ??
      idMismatch('group', raw['server_group_id'], expected.groupId) ??
      filterMismatch('exception', asFlag(raw['exception']), expected.exception) ??
      filterMismatch('needsAttention', asFlag(raw['needs_attention']), expected.needsAttention) ??
      filterMismatch('pending', hasPendingPatches(raw), expected.pending) ??
      filterMismatch(
        'policyId',
        expected.policyId === undefined ? null : hasPolicy(raw, expected.policyId),
        true,
      ),
    build: (raw, id) => buildDevice(raw, id, expected),
  });
}

/** Rejects a row that clearly contradicts the filter. */
function filterMismatch(
  filter: string,
  stated: boolean | null,
  expected: boolean | undefined,
): string | null {
  const fits = expected === undefined || stated === null || stated === expected;
  return fits ? null : `the service ignored the filter ${filter}`;
}

/**
 * Whether patches are pending; null when the row does not say it clearly. Assumption (§4.5): the filter refers to one
 * of the two fields; the document does not say which, so both must agree.
 */
function hasPendingPatches(raw: RawObject): boolean | null {
  const stated = asFlag(raw['pending']);
  const patches = asNumber(raw['pending_patches']);
  return patches === null || stated !== patches > 0 ? null : stated;
}

/**
 * Whether the policy applies to the device; null when the row does not say it clearly. Assumption (§2.4, §2.5): a
 * device names each of its policies in one of two lists; these may differ by a row or two, so a policy is taken
 * not to apply only when both lists are there and neither names it.
 */
function hasPolicy(raw: RawObject, id: PolicyId): boolean | null {
  const statuses = asObjects(raw['policy_status'], readPolicyStatus).filter(
    ({ policyId }) => policyId !== null,
  );
  const compliance = asObjects(asObject(raw['status'])?.['policy_statuses'], readCompliance);
  if (statuses.length === 0 || compliance.length === 0) return null;
  return [...statuses, ...compliance].some(({ policyId }) => policyId === id);
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
    tags: asTexts(raw['tags']),
    addresses: asTexts(raw['ip_addrs']),
    privateAddresses: asTexts(raw['ip_addrs_private']),
    serialNumber: asText(raw['serial_number']),
    lastLoggedInUser: asText(raw['last_logged_in_user']),
    deleted: asFlag(raw['deleted']),
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
