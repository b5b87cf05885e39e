/** A device in the service's JSON (§2.2): one literal, because a page has hundreds of them. */
import type { Instant } from '../../../lib/clock.ts';
import type { Profile } from '../profiles.ts';
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
import type { Family, MissingPatch, WorldDevice, WorldPolicy, WsusSettings } from '../world/model.ts';
import { createRandom, type SeededRandom } from '../world/random.ts';
import type { World } from '../world/world.ts';
import { deviceCounts } from './groups.ts';
import { policyJson } from './policies.ts';
import { agentTime, deviceTime } from './time-formats.ts';

export function deviceJson(device: WorldDevice, view: DeviceView): Record<string, unknown> {
  const json = documentedFields(device, view);
  return view.profile.newerFields ? Object.assign(json, liveFields(device, view)) : json;
}

function documentedFields(device: WorldDevice, view: DeviceView): Record<string, unknown> {
  const { world, profile, now, kind } = view;
  const { platform, notices } = device;
  const full = kind === 'single' || profile.listDetails;
  const counted = full || view.include.serverEvents;
  const policies = policiesFor(world, device);
  const pending = pendingPatches(device, now);
  const standings = policyEvaluationsOf(device, policies, now);
  const unscanned = isUnscanned(device, view);
  return {
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
    next_patch_time: full || view.include.nextPatchTime ? nextPatchTime(policies, now) : null,
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
    compliant: isCompliant(standings),
    policy_status: policyStatusJson(device, standings, pending, view),
    status: isBareRow(device, view) ? {} : statusJson(device, standings),
    detail: full || view.include.details ? detailJson(device, profile) : {},
    server_policies: kind === 'single' && profile.serverPolicies ? policiesJson(policies, view) : [],
  };
}

function policiesJson(policies: readonly WorldPolicy[], view: DeviceView): readonly object[] {
  const counts = deviceCounts(view.world);
  return policies.map((policy) => policyJson(policy, view, counts));
}

/** The next run of the device's first patch policy. */
function nextPatchTime(policies: readonly WorldPolicy[], now: Instant): string | null {
  const runs = policies.flatMap(({ type, schedule }) =>
    type === 'patch' ? (nextRun(schedule, now) ?? []) : [],
  );
  return runs.length === 0 ? null : deviceTime(runs.reduce((a, b) => (a < b ? a : b)));
}

function liveFields(device: WorldDevice, { world }: DeviceView): object {
  return {
    is_compatible: true,
    compatibility_checks: compatibilityChecks(device, world.groups.get(device.groupId)?.wsus ?? null),
    organizational_unit: organizationalUnit(device),
    notes: '',
    mdm: null,
  };
}

/**
 * Those of Windows are as recorded; the published ones were divided by what they are about, so that only devices under a
 * Windows update server have the two about it.
 */
function compatibilityChecks(
  { platform: { family, shell } }: WorldDevice,
  wsus: WsusSettings | null,
): object {
  const always = { low_diskspace: false };
  switch (family) {
    case 'Windows':
      return {
        ...always,
        missing_wmi_integrity_check: false,
        missing_powershell: shell === null,
        ...(wsus === null ? {} : { wsus_disconnected: false, windows_update_server_disconnected: false }),
      };
    case 'Mac':
      return { ...always, missing_secure_token: false, app_store_disconnected: false };
    case 'Linux':
      return always;
    default:
      return family satisfies never;
  }
}

/** A device's policy status in the service's JSON (§2.4, §2.5). */

type PolicyEvaluation = { readonly policy: WorldPolicy; readonly status: WorldPolicyStatus };

function policyEvaluationsOf(
  device: WorldDevice,
  policies: readonly WorldPolicy[],
  now: Instant,
): readonly PolicyEvaluation[] {
  return policies.map((policy) => ({ policy, status: policyStatusOn(device, policy, now) }));
}

/** A pending policy counts as compliant. */
function isCompliant(standings: readonly PolicyEvaluation[]): boolean {
  return standings.every(({ status }) => status !== 0);
}

/** From the vendor's example: a list with nothing in place of the status. */
const BARE_STATUS = [null];

/** Whether this device was never scanned, and its answers tell. */
function isUnscanned({ lastRefresh }: WorldDevice, { profile }: DeviceView): boolean {
  return profile.bareUnscannedRows && lastRefresh === null;
}

/** Whether the list leaves the status of this device out, because the device was never scanned. */
function isBareRow(device: WorldDevice, view: DeviceView): boolean {
  return view.kind === 'row' && isUnscanned(device, view);
}

function policyStatusJson(
  device: WorldDevice,
  standings: readonly PolicyEvaluation[],
  pending: readonly MissingPatch[],
  view: DeviceView,
): readonly (object | null)[] {
  if (view.withoutPolicyStatus) return [];
  if (isBareRow(device, view)) return BARE_STATUS;
  const willReboot = pending.some(({ software }) => software.requiresReboot);
  return standings.map(({ policy, status }, index) => {
    const entry = {
      id: device.id * 10 + index,
      organization_id: view.world.organizationId,
      policy_id: policy.id,
      server_id: device.id,
      policy_name: policy.name,
      policy_type_name: policy.type,
      status,
      result: '{}',
      create_time: deviceTime(evaluatedAt(device, policy)),
      next_remediation: status === 1 ? null : deviceTime(nextRun(policy.schedule, view.now)),
    };
    if (!view.profile.newerFields) return entry;
    const patches = policy.type === 'patch';
    return { ...entry, will_reboot: patches && willReboot, pending_count: patches ? pending.length : 0 };
  });
}

/** When the status was evaluated: at the last scan, or when the policy ran after it. */
function evaluatedAt(device: WorldDevice, policy: WorldPolicy): Instant {
  const scanned = device.lastRefresh ?? device.createTime;
  const ran = device.policyRuns.get(policy.id);
  return ran !== undefined && ran > scanned ? ran : scanned;
}

/** The old text counts pending as non-compliant and so contradicts `compliant`, as on the live service. */
function statusJson(device: WorldDevice, standings: readonly PolicyEvaluation[]): object {
  const met = standings.every(({ status }) => status === 1);
  const connected = isConnected(device);
  return {
    device_status: connected ? 'ready' : 'not-ready',
    agent_status: connected ? 'connected' : 'disconnected',
    policy_status: standings.length === 0 ? 'unmanaged' : met ? 'compliant' : 'non-compliant',
    policy_statuses: standings.map(({ policy, status }) => ({ id: policy.id, compliant: status !== 0 })),
  };
}

/** A device's `detail` (§2.3): its hardware, computed from its id when read. */

const GIB = 1_024 ** 3;

function detailJson(device: WorldDevice, profile: Profile): object {
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
function lastLogon(device: WorldDevice, { logonTime, emptyLogon }: Profile): object {
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

/** What the JSON of a device depends on besides the device. */

export type DeviceView = {
  readonly world: World;
  readonly profile: Profile;
  readonly now: Instant;
  readonly totalCount: number;
  readonly kind: 'row' | 'single';
  readonly include: Readonly<Record<'details' | 'serverEvents' | 'nextPatchTime', boolean>>;
  /** Leaves `policy_status` out. */
  readonly withoutPolicyStatus: boolean;
};
