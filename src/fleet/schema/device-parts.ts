/**
 * The `detail` of a device (§2.3) as it is sent: nearly all values are text, true is "True" or "1", and `FQDNS` is
 * `{}` when there are none.
 */

import { policyId } from '../../lib/ids.ts';
import type {
  AutoUpdate,
  DeviceDetail,
  DevicePolicyStatus,
  DeviceWsus,
  Disk,
  Logon,
  NetworkCard,
  PolicyCompliance,
  UpdateSource,
  Volume,
} from '../model/device-parts.ts';
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
  type RawObject,
} from './fields.ts';
import { parseDeviceInstant } from './timestamps.ts';

/** Null when the list was requested without details: `{}`. `timezone`: that of the device, as sent. */
export function readDetail(value: unknown, timezone: string | null): DeviceDetail | null {
  const raw = asObject(value);
  if (raw === null) return null;
  return {
    networkCards: asObjects(raw['NICS'], readNetworkCard),
    addresses: asTexts(raw['IPS']),
    domainNames: asTexts(raw['FQDNS']),
    lastLogon: readOptional(raw['LAST_USER_LOGON'], (logon) => readLogon(logon, timezone)),
    volumes: asObjects(raw['VOLUME'], readVolume),
    disks: asObjects(raw['DISKS'], readDisk),
    ramBytes: asSize(raw['RAM']),
    ramSent: asText(raw['RAM']),
    cpu: asText(raw['CPU']),
    vendor: asText(raw['VENDOR']),
    model: asText(raw['MODEL']),
    version: asText(raw['VERSION']),
    serial: asText(raw['SERIAL']),
    serviceTag: asText(raw['SERVICETAG']),
    shellVersion: asText(raw['PS_VERSION']),
    wmiIntegrity: asText(raw['WMI_INTEGRITY_CHECK']),
    wsus: readOptional(raw['WSUS_CONFIG'], readDeviceWsus),
    autoUpdate: readOptional(raw['AUTO_UPDATE_OPTIONS'], readAutoUpdate),
    updateSource: readOptional(raw['UPDATE_SOURCE_CHECK'], readUpdateSource),
    distinguishedName: asText(raw['DISTINGUISHED_NAME']),
  };
}

function readOptional<T>(value: unknown, read: (raw: RawObject) => T): T | null {
  const raw = asObject(value);
  return raw === null ? null : read(raw);
}

function readNetworkCard(raw: RawObject): NetworkCard {
  return {
    type: asText(raw['TYPE']),
    mac: asText(raw['MAC']),
    addresses: asTexts(raw['IPS']),
    connected: asFlag(raw['CONNECTED']),
    vendor: asText(raw['VENDOR']),
    device: asText(raw['DEVICE']),
  };
}

function readLogon(raw: RawObject, timezone: string | null): Logon {
  const time = parseDeviceInstant(asText(raw['TIME']), timezone);
  return { source: asText(raw['SRC']), user: asText(raw['USER']), time };
}

function readVolume(raw: RawObject): Volume {
  return {
    name: asText(raw['VOLUME']),
    label: asText(raw['LABEL']),
    fileSystem: asText(raw['FSTYPE']),
    systemDisk: asFlag(raw['IS_SYSTEM_DISK']),
    sizeBytes: asSize(raw['AVAIL']),
    freeBytes: asSize(raw['FREE']),
    sent: { size: asText(raw['AVAIL']), free: asText(raw['FREE']) },
  };
}

function readDisk(raw: RawObject): Disk {
  return { type: asText(raw['TYPE']), sizeBytes: asSize(raw['SIZE']), sent: asText(raw['SIZE']) };
}

function readDeviceWsus(raw: RawObject): DeviceWsus {
  return {
    managed: asFlag(raw['WSUS_MANAGED']),
    server: asText(raw['WSUS_SERVER']),
    reachable: asFlag(raw['WSUS_REACHABLE']),
  };
}

function readAutoUpdate(raw: RawObject): AutoUpdate {
  return { enabled: asFlag(raw['ENABLED']), options: asCommaList(raw['OPTIONS']) };
}

function readUpdateSource(raw: RawObject): UpdateSource {
  return { connected: asFlag(raw['CONNECTED']), error: asText(raw['ERROR']) };
}

/** Reads an entry of `policy_status` (§2.4), as far as it is readable. */
export function readPolicyStatus(raw: RawObject): DevicePolicyStatus {
  return {
    policyId: asReference(raw['policy_id'], policyId),
    policyName: asText(raw['policy_name']),
    policyType: asText(raw['policy_type_name']),
    status: asNumber(raw['status']),
    result: asText(raw['result']),
    createTime: asInstant(raw['create_time']),
    nextRemediation: asInstant(raw['next_remediation']),
    willReboot: asFlag(raw['will_reboot']),
    pendingCount: asNumber(raw['pending_count']),
  };
}

/** Reads an entry of `status.policy_statuses` (§2.5); null when it names no policy. */
export function readCompliance(raw: RawObject): PolicyCompliance | null {
  const id = asReference(raw['id'], policyId);
  return id === null ? null : { policyId: id, compliant: asFlag(raw['compliant']) };
}
