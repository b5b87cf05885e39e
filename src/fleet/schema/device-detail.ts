/**
 * The `detail` of a device (§2.3) as it is sent: nearly everything is text, truth is "True" or "1", and `FQDNS` is
 * `{}` where there are none.
 */
import type {
  AutoUpdate,
  DeviceDetail,
  DeviceWsus,
  Disk,
  Logon,
  NetworkCard,
  UpdateSource,
  Volume,
} from '../device-parts.ts';
import { commaTexts, flag, number, part, parts, type Raw, text, texts, time } from './fields.ts';

/** Null where the list was asked for without details: `{}`. */
export function readDetail(value: unknown): DeviceDetail | null {
  const raw = part(value);
  if (raw === null) return null;
  return {
    networkCards: parts(raw['NICS'], readCard),
    addresses: texts(raw['IPS']),
    domainNames: texts(raw['FQDNS']),
    lastLogon: maybe(raw['LAST_USER_LOGON'], readLogon),
    volumes: parts(raw['VOLUME'], readVolume),
    disks: parts(raw['DISKS'], readDisk),
    ramBytes: number(raw['RAM']),
    cpu: text(raw['CPU']),
    vendor: text(raw['VENDOR']),
    model: text(raw['MODEL']),
    version: text(raw['VERSION']),
    serial: text(raw['SERIAL']),
    serviceTag: text(raw['SERVICETAG']),
    shellVersion: text(raw['PS_VERSION']),
    wmiIntegrity: text(raw['WMI_INTEGRITY_CHECK']),
    wsus: maybe(raw['WSUS_CONFIG'], readWsus),
    autoUpdate: maybe(raw['AUTO_UPDATE_OPTIONS'], readAutoUpdate),
    updateSource: maybe(raw['UPDATE_SOURCE_CHECK'], readUpdateSource),
    distinguishedName: text(raw['DISTINGUISHED_NAME']),
  };
}

function maybe<T>(value: unknown, read: (raw: Raw) => T): T | null {
  const raw = part(value);
  return raw === null ? null : read(raw);
}

function readCard(raw: Raw): NetworkCard {
  return {
    type: text(raw['TYPE']),
    mac: text(raw['MAC']),
    addresses: texts(raw['IPS']),
    connected: flag(raw['CONNECTED']),
    vendor: text(raw['VENDOR']),
    device: text(raw['DEVICE']),
  };
}

function readLogon(raw: Raw): Logon {
  return { source: text(raw['SRC']), user: text(raw['USER']), time: time(raw['TIME']) };
}

function readVolume(raw: Raw): Volume {
  return {
    name: text(raw['VOLUME']),
    label: text(raw['LABEL']),
    fileSystem: text(raw['FSTYPE']),
    systemDisk: flag(raw['IS_SYSTEM_DISK']),
    sizeBytes: number(raw['AVAIL']),
    freeBytes: number(raw['FREE']),
  };
}

function readDisk(raw: Raw): Disk {
  return { type: text(raw['TYPE']), sizeBytes: number(raw['SIZE']) };
}

function readWsus(raw: Raw): DeviceWsus {
  return {
    managed: flag(raw['WSUS_MANAGED']),
    server: text(raw['WSUS_SERVER']),
    reachable: flag(raw['WSUS_REACHABLE']),
  };
}

function readAutoUpdate(raw: Raw): AutoUpdate {
  return { enabled: flag(raw['ENABLED']), options: commaTexts(raw['OPTIONS']) };
}

function readUpdateSource(raw: Raw): UpdateSource {
  return { connected: flag(raw['CONNECTED']), error: text(raw['ERROR']) };
}
