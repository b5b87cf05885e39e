/** Devices (§2.2) as they are sent. The list of the live service has `detail: {}`, `policy_status: [null]`, `status: {}`. */
import {
  type DeviceId,
  deviceId,
  type GroupId,
  groupId,
  type OrganizationId,
  policyId,
} from '../../lib/ids.ts';
import type { Unchanging } from '../../lib/record-fields.ts';
import { readNestedPolicy } from './policy.ts';
import {
  asCommaList,
  asFlag,
  asInstant,
  asNumber,
  asObject,
  asObjects,
  asReference,
  asSize,
  asText,
  asTexts,
  idMismatch,
  type RawObject,
  type RowReader,
  rowReader,
} from './rows.ts';
import { parseDeviceInstant } from './timestamps.ts';

/** The live service ignores unknown parameters, and an unfiltered list must not be taken for a filtered one. */
export type ExpectedDevices = {
  readonly organizationId: OrganizationId;
  readonly deviceId?: DeviceId | undefined;
  readonly groupId?: GroupId | undefined;
};

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
function isDeleted(raw: RawObject): boolean {
  return asFlag(raw['deleted']) === true;
}

/** A device (§2.2), as far as we use it. Status words stay open strings: §3 gives only examples. */
export interface Device extends Unchanging<ReturnType<typeof buildDevice>> {}

function buildDevice(raw: RawObject, id: number, expected: ExpectedDevices) {
  const status = asObject(raw['status']);
  const customName = asText(raw['custom_name']);
  return {
    id: deviceId(id),
    uuid: asText(raw['uuid']),
    // A row that names another organization is rejected.
    organizationId: expected.organizationId,
    groupId: asReference(raw['server_group_id'], groupId),
    instanceId: asText(raw['instance_id']),
    /** Hostname; may be empty. */
    name: asText(raw['name']) ?? '',
    /** Name shown instead of the hostname; the live service sends "" when unset, which becomes null. */
    customName: customName === '' ? null : customName,
    osFamily: asText(raw['os_family']),
    osName: asText(raw['os_name']),
    osVersion: asText(raw['os_version']),
    osVersionId: asNumber(raw['os_version_id']),
    agentVersion: asText(raw['agent_version']),
    /** Offset text of the form `UTC-hhmm`. */
    timezone: asText(raw['timezone']),
    refreshIntervalMinutes: asNumber(raw['refresh_interval']),
    /** Null: not stated, which is not the same as none. */
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
    /** All patches available. */
    patches: asNumber(raw['patches']),
    /** Patches that active policies want and that are not installed. */
    pendingPatches: asNumber(raw['pending_patches']),
    /** Numeric text; its unit is disputed, so it is only ever compared with itself (§2.2). */
    uptime: asNumber(raw['uptime']),
    deviceStatus: asText(status?.['device_status']),
    agentStatus: asText(status?.['agent_status']),
    policyStatus: asText(status?.['policy_status']),
    /** Empty in lists that were requested without it. */
    policyStatuses: asObjects(raw['policy_status'], readPolicyStatus),
    policyCompliance: asObjects(status?.['policy_statuses'], readCompliance),
    /** Only in the live service's read of one device; lists have none. */
    policies: asObjects(raw['server_policies'], readNestedPolicy),
    deferrals: {
      notifications: asNumber(raw['notification_count']),
      rebootNotifications: asNumber(raw['reboot_notification_count']),
      patchDeferrals: asNumber(raw['patch_deferral_count']),
      rebootDeferrals: asNumber(raw['reboot_deferral_count']),
      delayedByNotification: asFlag(raw['is_delayed_by_notification']),
      rebootDelayedByNotification: asFlag(raw['reboot_is_delayed_by_notification']),
      delayedByUser: asFlag(raw['is_delayed_by_user']),
      rebootDelayedByUser: asFlag(raw['reboot_is_delayed_by_user']),
    },
    /** Null when the list was requested without details. */
    detail: readDetail(raw['detail'], asText(raw['timezone'])),
    /** Newer than the interface document; null where the service does not say. */
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

/** Notifications sent to the person at the device, and what is delayed because of them (§2.2). */
export type Deferrals = Device['deferrals'];

/** The agent's report on hardware and system (§2.3). */
export type DeviceDetail = NonNullable<Device['detail']>;

/**
 * The `detail` of a device (§2.3) as it is sent: nearly all values are text, true is "True" or "1", and `FQDNS` is
 * `{}` when there are none. Null when the list was requested without details: `{}`. `timezone`: that of the device, as
 * sent.
 */
export function readDetail(value: unknown, timezone: string | null) {
  const raw = asObject(value);
  if (raw === null) return null;
  return {
    networkCards: asObjects(raw['NICS'], (card) => ({
      type: asText(card['TYPE']),
      mac: asText(card['MAC']),
      addresses: asTexts(card['IPS']),
      connected: asFlag(card['CONNECTED']),
      vendor: asText(card['VENDOR']),
      device: asText(card['DEVICE']),
    })),
    addresses: asTexts(raw['IPS']),
    domainNames: asTexts(raw['FQDNS']),
    lastLogon: readOptional(raw['LAST_USER_LOGON'], (logon) => readLogon(logon, timezone)),
    volumes: asObjects(raw['VOLUME'], readVolume),
    disks: asObjects(raw['DISKS'], (disk) => ({
      type: asText(disk['TYPE']),
      sizeBytes: asSize(disk['SIZE']),
      /** As it was sent. */
      sent: asText(disk['SIZE']),
    })),
    ramBytes: asSize(raw['RAM']),
    /** As it was sent. */
    ramSent: asText(raw['RAM']),
    cpu: asText(raw['CPU']),
    vendor: asText(raw['VENDOR']),
    model: asText(raw['MODEL']),
    /** Of the board or model. */
    version: asText(raw['VERSION']),
    serial: asText(raw['SERIAL']),
    serviceTag: asText(raw['SERVICETAG']),
    shellVersion: asText(raw['PS_VERSION']),
    wmiIntegrity: asText(raw['WMI_INTEGRITY_CHECK']),
    wsus: readOptional(raw['WSUS_CONFIG'], (wsus) => ({
      managed: asFlag(wsus['WSUS_MANAGED']),
      server: asText(wsus['WSUS_SERVER']),
      reachable: asFlag(wsus['WSUS_REACHABLE']),
    })),
    autoUpdate: readOptional(raw['AUTO_UPDATE_OPTIONS'], (update) => ({
      enabled: asFlag(update['ENABLED']),
      options: asCommaList(update['OPTIONS']),
    })),
    updateSource: readOptional(raw['UPDATE_SOURCE_CHECK'], (source) => ({
      connected: asFlag(source['CONNECTED']),
      error: asText(source['ERROR']),
    })),
    /** Newer than the interface document. */
    distinguishedName: asText(raw['DISTINGUISHED_NAME']),
  };
}

function readOptional<T>(value: unknown, read: (raw: RawObject) => T): T | null {
  const raw = asObject(value);
  return raw === null ? null : read(raw);
}

export type NetworkCard = DeviceDetail['networkCards'][number];

function readLogon(raw: RawObject, timezone: string | null) {
  const time = parseDeviceInstant(asText(raw['TIME']), timezone);
  return { source: asText(raw['SRC']), user: asText(raw['USER']), time };
}

export type Volume = DeviceDetail['volumes'][number];

function readVolume(raw: RawObject) {
  return {
    name: asText(raw['VOLUME']),
    label: asText(raw['LABEL']),
    fileSystem: asText(raw['FSTYPE']),
    systemDisk: asFlag(raw['IS_SYSTEM_DISK']),
    /** `AVAIL`: the size of the volume, as recorded payloads show. */
    sizeBytes: asSize(raw['AVAIL']),
    freeBytes: asSize(raw['FREE']),
    /** As they were sent. */
    sent: { size: asText(raw['AVAIL']), free: asText(raw['FREE']) },
  };
}

/** The status of a device under one policy: an entry of `policy_status` (§2.4), as far as it is readable. */
export type DevicePolicyStatus = Device['policyStatuses'][number];

function readPolicyStatus(raw: RawObject) {
  return {
    policyId: asReference(raw['policy_id'], policyId),
    policyName: asText(raw['policy_name']),
    policyType: asText(raw['policy_type_name']),
    /** 0 needs remediation, 1 up to date, 2 pending; another number is shown as it is. */
    status: asNumber(raw['status']),
    /** Serialized object text; `{}` on the live service. */
    result: asText(raw['result']),
    createTime: asInstant(raw['create_time']),
    /** Unreliable on the live service. */
    nextRemediation: asInstant(raw['next_remediation']),
    /** Newer than the interface document. */
    willReboot: asFlag(raw['will_reboot']),
    pendingCount: asNumber(raw['pending_count']),
  };
}

/**
 * Reads an entry of `status.policy_statuses` (§2.5), which may differ from {@link DevicePolicyStatus} by a row or two; null
 * when it names no policy.
 */
function readCompliance(raw: RawObject) {
  const id = asReference(raw['id'], policyId);
  return id === null ? null : { policyId: id, compliant: asFlag(raw['compliant']) };
}

/**
 * Devices of a filter preview (§4.2). The interface writes `ip_addr` (one text) and `ip_addrs_prviate`; newer
 * descriptions write `ip_addrs` and `ip_addrs_private`. All of them are read, as one text or as a list.
 */
export function previewReader(groupIds?: readonly GroupId[]): RowReader<PreviewedDevice> {
  const expectedGroups = groupIds === undefined ? null : new Set(groupIds);
  return rowReader({
    mismatch(raw) {
      const named = asReference(asObject(raw['server_group'])?.['id'], groupId);
      return expectedGroups === null || named === null || expectedGroups.has(named)
        ? null
        : 'a row of another group';
    },
    isDeleted,
    build: buildPreviewedDevice,
  });
}

export type PreviewedDevice = Readonly<ReturnType<typeof buildPreviewedDevice>>;

function buildPreviewedDevice(raw: RawObject, id: number) {
  const group = asObject(raw['server_group']);
  const customName = asText(raw['custom_name']);
  return {
    id: deviceId(id),
    name: asText(raw['name']) ?? '',
    customName: customName === '' ? null : customName,
    groupId: asReference(group?.['id'], groupId),
    groupName: asText(group?.['name']),
    osFamily: asText(raw['os_family']),
    osVersion: asText(raw['os_version']),
    addresses: mergeAddresses(raw['ip_addr'], raw['ip_addrs']),
    privateAddresses: mergeAddresses(raw['ip_addrs_private'], raw['ip_addrs_prviate']),
    tags: asTexts(raw['tags']),
  };
}

/** The addresses of all spellings, each once. */
function mergeAddresses(...spellings: readonly unknown[]): readonly string[] {
  return [...new Set(spellings.flatMap(asTexts))].filter((address) => address !== '');
}
