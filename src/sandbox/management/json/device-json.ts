/** A device in the service's JSON (§2.2): one literal, because a page has hundreds of them. */
import type { Instant } from '../../../lib/clock.ts';
import { deviceCounts } from '../world/edits/edit-groups.ts';
import type { WorldDevice, WorldPolicy, WsusSettings } from '../world/model.ts';
import { policiesFor } from '../world/queries/device-filters.ts';
import {
  isConnected,
  lastProcessTime,
  needsAttention,
  organizationalUnit,
  uptimeAtScan,
} from '../world/state/device-facts.ts';
import { pendingPatches } from '../world/state/patches.ts';
import { nextRun } from '../world/state/policy-status.ts';
import { detailJson } from './device-detail-json.ts';
import {
  isBareRow,
  isCompliant,
  isUnscanned,
  policyEvaluationsOf,
  policyStatusJson,
  statusJson,
} from './device-policies-json.ts';
import type { DeviceView } from './device-view.ts';
import { policyJson } from './policy-json.ts';
import { deviceTime } from './time-formats.ts';

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
