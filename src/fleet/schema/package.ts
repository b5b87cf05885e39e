/** Packages of a device (§2.6) as they are sent: later rows of a recording lack most of their fields. */
import type { Instant } from '../../clock.ts';
import type { DeviceId, OrganizationId } from '../../ids.ts';
import type { Package, PackageScope } from '../model.ts';
import { flag, number, type Raw, text, texts, time } from './fields.ts';
import { anotherId, type ReadRow, rowReader } from './rows.ts';

/** Reads the packages of the device that was asked for. */
export function packageReader(organizationId: OrganizationId, deviceId: DeviceId): ReadRow<Package> {
  return rowReader({
    foreign: (raw) =>
      anotherId('organization', raw['organization_id'], organizationId) ??
      anotherId('device', raw['server_id'], deviceId),
    build,
  });
}

function build(raw: Raw, id: number): Package {
  const name = text(raw['name']) ?? '';
  const displayName = text(raw['display_name']);
  const ignoredBy = scopes(flag(raw['ignored']) === true, flag(raw['group_ignored']) === true);
  const deferredUntil = time(raw['deferred_until']);
  const groupDeferredUntil = time(raw['group_deferred_until']);
  return {
    id,
    packageId: number(raw['package_id']),
    softwareId: number(raw['software_id']),
    packageVersionId: number(raw['package_version_id']),
    name,
    displayName: displayName === null || displayName === '' ? name : displayName,
    version: text(raw['version']),
    repo: text(raw['repo']),
    osName: text(raw['os_name']),
    osVersion: text(raw['os_version']),
    osVersionId: number(raw['os_version_id']),
    createTime: time(raw['create_time']),
    // Installed is a claim that proves a patch: without the service's word it is not made.
    installed: flag(raw['installed']) ?? false,
    ignored: ignoredBy.length > 0,
    ignoredBy,
    deferredUntil: latest(deferredUntil, groupDeferredUntil),
    deferredBy: scopes(deferredUntil !== null, groupDeferredUntil !== null),
    severity: text(raw['severity']),
    agentSeverity: text(raw['agent_severity']),
    cves: texts(raw['cves']),
    exploitedCves: texts(raw['kev_cves']),
    cveScore: number(raw['cve_score']),
    epssScore: number(raw['epss_score']),
    requiresReboot: flag(raw['requires_reboot']) ?? false,
    uninstallable: flag(raw['is_uninstallable']),
    managed: flag(raw['is_managed']),
    impact: text(raw['impact']),
    patchScope: text(raw['patch_scope']),
    classification: text(raw['patch_classification_category_id']),
    secondaryId: text(raw['secondary_id']),
  };
}

function scopes(device: boolean, group: boolean): readonly PackageScope[] {
  if (device) return group ? ['device', 'group'] : ['device'];
  return group ? ['group'] : [];
}

function latest(one: Instant | null, other: Instant | null): Instant | null {
  if (one === null || other === null) return one ?? other;
  return one > other ? one : other;
}
