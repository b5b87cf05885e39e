/** A device as the service writes it (§2.2). */
import { DAY, HOUR, type Instant, instant } from '../../../clock.ts';
import type { Profile } from '../profiles.ts';
import { isConnected, lastProcessTime, needsAttention, uptimeAtScan } from '../world/facts.ts';
import type { Device } from '../world/model.ts';
import { pendingPatches } from '../world/patches.ts';
import { policiesOf } from '../world/policies.ts';
import type { World } from '../world/world.ts';
import { detailJson } from './device-detail.ts';
import { policyFields } from './device-policies.ts';
import { policyJson } from './policy.ts';
import { deviceTime } from './time.ts';

export type DeviceView = {
  readonly world: World;
  readonly profile: Profile;
  readonly now: Instant;
  readonly totalCount: number;
  readonly kind: 'row' | 'single';
  readonly include: { readonly details: boolean; readonly nextPatchTime: boolean };
  /** Leaves `policy_status` out. */
  readonly withoutPolicyStatus: boolean;
};

/** When devices under a patch policy are patched each day, UTC. */
const PATCH_HOUR_MS = 2 * HOUR;

export function deviceJson(device: Device, view: DeviceView): Record<string, unknown> {
  const { world, profile, kind } = view;
  const full = kind === 'single' || profile.listDetails;
  const detailed = full || view.include.details;
  const bare = kind === 'row' && profile.bareUnscannedRows && device.lastRefresh === null;
  return {
    ...identity(device, view),
    ...system(device),
    ...times(device, view, full || view.include.nextPatchTime),
    ...patching(device, view),
    ...notifications(device, detailed),
    ...policyFields(device, { ...view, bare }),
    detail: detailed ? detailJson(device) : {},
    server_policies:
      kind === 'single' && profile.serverPolicies ? policiesOf(world, device).map(policyJson) : [],
    ...(profile.newerFields ? newerFields(device) : {}),
  };
}

function identity(device: Device, { world, profile, totalCount }: DeviceView): object {
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
    total_count: totalCount,
  };
}

function system({ platform }: Device): object {
  return {
    os_family: platform.family,
    os_name: platform.osName,
    os_version: platform.osVersion,
    os_version_id: platform.osVersionId,
  };
}

function times(device: Device, { world, profile, now }: DeviceView, withNextPatchTime: boolean): object {
  const patched = policiesOf(world, device).some(({ type }) => type === 'patch');
  return {
    create_time: deviceTime(device.createTime),
    last_update_time: deviceTime(device.lastUpdate),
    last_refresh_time: deviceTime(device.lastRefresh),
    last_process_time: deviceTime(lastProcessTime(device, now)),
    last_disconnect_time: deviceTime(device.lastDisconnect),
    next_patch_time: withNextPatchTime && patched ? deviceTime(nextPatchTime(now)) : null,
    uptime: String(Math.floor(uptimeAtScan(device) / profile.uptimeUnitMs)),
    refresh_interval: world.groups.get(device.groupId)?.refreshMinutes ?? null,
  };
}

function nextPatchTime(now: Instant): Instant {
  const today = now - (now % DAY) + PATCH_HOUR_MS;
  return instant(today > now ? today : today + DAY);
}

function patching(device: Device, { now }: DeviceView): object {
  const pending = pendingPatches(device, now).length;
  return {
    connected: isConnected(device),
    needs_reboot: device.needsReboot,
    patches: device.missing.size,
    pending_patches: pending,
    pending: pending > 0,
    last_scan_failed: device.lastScanFailed,
    needs_attention: needsAttention(device, now),
    // Empty in every sample seen; the queue is read by its own endpoint.
    commands: [],
  };
}

function notifications(device: Device, detailed: boolean): object {
  const deferrals = detailed && device.lastUser !== '' ? device.id % 3 : 0;
  return {
    notification_count: 0,
    reboot_notification_count: 0,
    patch_deferral_count: deferrals,
    reboot_deferral_count: 0,
    is_delayed_by_notification: false,
    reboot_is_delayed_by_notification: false,
    is_delayed_by_user: false,
    reboot_is_delayed_by_user: false,
  };
}

function newerFields({ platform }: Device): object {
  return {
    is_compatible: true,
    compatibility_checks: {
      low_diskspace: false,
      missing_wmi_integrity_check: false,
      missing_powershell: platform.family === 'Windows' && platform.shell === null,
    },
    organizational_unit: '',
    notes: '',
    mdm: null,
  };
}
