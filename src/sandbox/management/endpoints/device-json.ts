/** A device in the service's JSON (§2.2 to §2.5). */
import type { Instant } from '../../../lib/clock.ts';
import {
  isConnected,
  lastProcessTime,
  needsAttention,
  nextRun,
  organizationalUnit,
  pendingPatches,
  policiesFor,
  policyStatusOn,
  uptimeAtScan,
  type WorldPolicyStatus,
} from '../world/devices.ts';
import type { Family, MissingPatch, WorldDevice, WorldPolicy } from '../world/model.ts';
import { createRandom, type SeededRandom } from '../world/random.ts';
import { policyJson } from './policies.ts';
import type { View } from './requests.ts';
import { agentTime, deviceTime } from './time-formats.ts';

type DeviceView = View & {
  readonly totalCount: number;
  /** The switches of a list; null where the device is read alone. */
  readonly list: {
    readonly include_details?: boolean | undefined;
    readonly include_server_events?: boolean | undefined;
    readonly include_next_patch_time?: boolean | undefined;
    readonly exclude_policy_status?: boolean | undefined;
  } | null;
};

/** One literal, because a page has hundreds of devices. */
export function deviceJson(device: WorldDevice, view: DeviceView): object {
  const { world, profile, now, list } = view;
  const { platform, notices } = device;
  const full = list === null || profile.listDetails;
  const counted = full || list.include_server_events === true;
  const policies = policiesFor(world, device);
  const pending = pendingPatches(device, now);
  const evaluations = policies.map((policy) => ({ policy, status: policyStatusOn(device, policy, now) }));
  const unscanned = profile.bareUnscannedRows && device.lastRefresh === null;
  const bare = unscanned && list !== null;
  const json = {
    id: device.id,
    uuid: device.uuid,
    organization_id: world.organizationId,
    server_group_id: device.groupId,
    name: device.name,
    custom_name: device.customName ?? profile.unsetName,
    display_name: device.customName ?? device.name,
    instance_id: '',
    tags: device.tags,
    serial_number: device.serial,
    ip_addrs: device.addresses,
    ip_addrs_private: device.privateAddresses,
    last_logged_in_user: device.lastUser,
    agent_version: device.agentVersion,
    timezone: device.timezone,
    exception: device.exception,
    deleted: false,
    total_count: view.totalCount,
    os_family: platform.family,
    os_name: platform.osName,
    os_version: platform.osVersion,
    os_version_id: platform.osVersionId,
    create_time: deviceTime(device.createTime),
    last_update_time: unscanned ? null : deviceTime(device.lastUpdate),
    last_refresh_time: deviceTime(device.lastRefresh),
    last_process_time: deviceTime(lastProcessTime(device, now)),
    last_disconnect_time: deviceTime(device.lastDisconnect),
    next_patch_time: full || list.include_next_patch_time ? nextPatchTime(policies, now) : null,
    uptime: unscanned ? null : String(Math.floor(uptimeAtScan(device) / profile.uptimeUnitMs)),
    refresh_interval: world.groups.get(device.groupId)?.refreshMinutes ?? null,
    connected: isConnected(device),
    needs_reboot: device.needsReboot,
    patches: device.missing.size,
    pending_patches: pending.length,
    pending: pending.length > 0,
    last_scan_failed: device.lastScanFailed,
    needs_attention: needsAttention(device, now),
    // Empty in every sample; the queue has its own endpoint.
    commands: [],
    notification_count: notices.patch.sent,
    reboot_notification_count: notices.reboot.sent,
    patch_deferral_count: counted ? notices.patch.deferrals : 0,
    reboot_deferral_count: counted ? notices.reboot.deferrals : 0,
    is_delayed_by_notification: notices.patch.waitsFor === 'answer',
    reboot_is_delayed_by_notification: notices.reboot.waitsFor === 'answer',
    is_delayed_by_user: notices.patch.waitsFor === 'user',
    reboot_is_delayed_by_user: notices.reboot.waitsFor === 'user',
    // A pending policy counts as compliant.
    compliant: evaluations.every(({ status }) => status !== 0),
    // Of a device that was never scanned as in the vendor's example: a list with nothing in it.
    policy_status: list?.exclude_policy_status
      ? []
      : bare
        ? [null]
        : policyStatusJson(device, evaluations, pending, view),
    status: bare ? {} : statusJson(device, evaluations),
    detail: full || list.include_details ? detailJson(device, profile) : {},
    server_policies:
      list === null && profile.serverPolicies ? policies.map((policy) => policyJson(policy, view)) : [],
  };
  if (!profile.newerFields) return json;
  return Object.assign(json, {
    is_compatible: true,
    compatibility_checks: compatibilityChecks(device, view),
    organizational_unit: organizationalUnit(device),
    notes: '',
    mdm: null,
  });
}

/** The next run of the device's first patch policy. */
function nextPatchTime(policies: readonly WorldPolicy[], now: Instant): string | null {
  const runs = policies.flatMap(({ type, schedule }) =>
    type === 'patch' ? (nextRun(schedule, now) ?? []) : [],
  );
  return runs.length === 0 ? null : deviceTime(runs.reduce((a, b) => (a < b ? a : b)));
}

/**
 * Those of Windows are as recorded; the published ones were divided by what they are about, so that only devices under a
 * Windows update server have the two about it.
 */
function compatibilityChecks({ platform: { family, shell }, groupId }: WorldDevice, { world }: View): object {
  const checks = { low_diskspace: false };
  if (family === 'Linux') return checks;
  if (family === 'Mac') return { ...checks, missing_secure_token: false, app_store_disconnected: false };
  return {
    ...checks,
    missing_wmi_integrity_check: false,
    missing_powershell: shell === null,
    ...(world.groups.get(groupId)?.wsus && {
      wsus_disconnected: false,
      windows_update_server_disconnected: false,
    }),
  };
}

type PolicyEvaluation = { readonly policy: WorldPolicy; readonly status: WorldPolicyStatus };

function policyStatusJson(
  device: WorldDevice,
  evaluations: readonly PolicyEvaluation[],
  pending: readonly MissingPatch[],
  { world, profile, now }: View,
): readonly object[] {
  const willReboot = pending.some(({ software }) => software.requiresReboot);
  const scanned = device.lastRefresh ?? device.createTime;
  return evaluations.map(({ policy, status }, index) => {
    const isPatch = policy.type === 'patch';
    const ran = device.policyRuns.get(policy.id) ?? scanned;
    return {
      id: device.id * 10 + index,
      organization_id: world.organizationId,
      policy_id: policy.id,
      server_id: device.id,
      policy_name: policy.name,
      policy_type_name: policy.type,
      status,
      result: '{}',
      // Evaluated at the last scan, or when the policy ran after it.
      create_time: deviceTime(ran > scanned ? ran : scanned),
      next_remediation: status === 1 ? null : deviceTime(nextRun(policy.schedule, now)),
      ...(profile.newerFields && {
        will_reboot: isPatch && willReboot,
        pending_count: isPatch ? pending.length : 0,
      }),
    };
  });
}

/** The old text counts pending as non-compliant and so contradicts `compliant`, as on the live service. */
function statusJson(device: WorldDevice, evaluations: readonly PolicyEvaluation[]): object {
  const met = evaluations.every(({ status }) => status === 1);
  const connected = isConnected(device);
  return {
    device_status: connected ? 'ready' : 'not-ready',
    agent_status: connected ? 'connected' : 'disconnected',
    policy_status: evaluations.length === 0 ? 'unmanaged' : met ? 'compliant' : 'non-compliant',
    policy_statuses: evaluations.map(({ policy, status }) => ({ id: policy.id, compliant: status !== 0 })),
  };
}

const GIB = 1_024 ** 3;

/** Hardware, computed from the device's id when read. */
function detailJson(device: WorldDevice, profile: View['profile']): object {
  const { platform } = device;
  const random = createRandom(`hardware of ${device.id}`);
  const windows = platform.family === 'Windows';
  return {
    NICS: networkCards(device, random),
    IPS: device.privateAddresses,
    LAST_USER_LOGON: lastLogon(device, profile),
    VERSION: platform.model,
    VOLUME: volumes(random, platform.family),
    WSUS_CONFIG: windows ? { WSUS_MANAGED: '0', WSUS_SERVER: '', WSUS_REACHABLE: '1' } : null,
    RAM: String(random.pick([8, 16, 32, 64]) * GIB),
    AUTO_UPDATE_OPTIONS: { ENABLED: windows ? '1' : '0', OPTIONS: windows ? 'download,notify' : 'off' },
    DISKS: [{ TYPE: 'Samsung SSD 980 PRO', SIZE: String(random.pick([256, 512, 1_024]) * GIB) }],
    SERIAL: device.serial,
    MODEL: platform.model,
    VENDOR: platform.vendor,
    CPU: platform.cpu,
    SERVICETAG: windows ? device.serial : null,
    WMI_INTEGRITY_CHECK: windows ? 'True' : null,
    PS_VERSION: platform.shell,
    // Both spellings as published, of Windows and of a Mac.
    UPDATE_SOURCE_CHECK: {
      CONNECTED: word(platform.family, true),
      ERROR: windows ? 'Succeeded' : 'Succeded',
    },
    // The empty object of the recording of 2022 is what was left of personal data: newer samples have lists.
    FQDNS: platform.family === 'Mac' ? [] : [`${device.name}.example.com`],
    // Present in every recorded row.
    ...(profile.newerFields
      ? { DISTINGUISHED_NAME: distinguishedName(device), SECURE_TOKEN_ACCOUNT: null, ...mdm(platform.family) }
      : {}),
  };
}

/** The agents write it each in their way (rapid7/insightconnect-plugins, automox, help.md: a Mac, and Linux). */
function word(family: Family, holds: boolean): string {
  return family === 'Windows' ? (holds ? 'True' : 'False') : String(holds);
}

/** Of the device management that Macs are enrolled in; other systems have none. */
function mdm(family: Family): object {
  return family === 'Mac'
    ? { MDM_SERVER: 'https://mdm.example.com/checkin', MDM_PROFILE_INSTALLED: word(family, true) }
    : { MDM_SERVER: null, MDM_PROFILE_INSTALLED: null };
}

function distinguishedName(device: WorldDevice): string {
  const unit = organizationalUnit(device);
  return unit === '' ? '' : `CN=${device.name},${unit}`;
}

const NETWORK_CARDS: Readonly<Record<Family, readonly string[]>> = {
  Windows: ['Ethernet', 'Wi-Fi'],
  Mac: ['en0', 'en1'],
  Linux: ['eth0'],
};

/** The first card is the one in use. */
function networkCards(device: WorldDevice, random: SeededRandom): readonly object[] {
  return NETWORK_CARDS[device.platform.family].map((name, index) => ({
    // Of every card that was published, wireless ones too.
    TYPE: 'enet',
    MAC: `02:${Array.from({ length: 5 }, () => octet(random)).join(':')}`,
    IPS: index === 0 ? device.privateAddresses : [],
    CONNECTED: index === 0 && device.link.kind === 'online',
    VENDOR: 'Intel Corporation',
    DEVICE: name,
  }));
}

function octet(random: SeededRandom): string {
  return random.int(0, 255).toString(16).padStart(2, '0');
}

/** Blank or empty where nobody ever logged in. */
function lastLogon(device: WorldDevice, { logonTime, emptyLogon }: View['profile']): object {
  if (device.lastUser === '' && emptyLogon) return {};
  const at = device.lastLogon ?? device.lastRefresh ?? device.createTime;
  const time = logonTime === 'offset' ? deviceTime(at) : agentTime(at, device);
  return { SRC: device.lastUser === '' ? '' : 'console', USER: device.lastUser, TIME: time };
}

type Layout = readonly (readonly [volume: string, type: string, label: string])[];

const VOLUMES: Readonly<Record<Family, Layout>> = {
  Windows: [
    ['C:', 'NTFS', 'OS'],
    ['D:', 'NTFS', 'Data'],
  ],
  Mac: [['/', 'apfs', 'Macintosh HD']],
  Linux: [
    ['/', 'ext4', ''],
    ['/boot', 'ext4', ''],
  ],
};

/** The first volume has the operating system. */
function volumes(random: SeededRandom, family: Family): readonly object[] {
  return VOLUMES[family].map(([volume, type, label], index) => {
    const size = random.pick([256, 512, 1_024]) * GIB;
    return {
      IS_SYSTEM_DISK: word(family, index === 0),
      VOLUME: volume,
      FSTYPE: type,
      LABEL: label,
      AVAIL: String(size),
      FREE: String(Math.floor(size * random.next())),
    };
  });
}
