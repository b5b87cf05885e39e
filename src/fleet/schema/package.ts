/** Packages of a device (§2.6) as they are sent: later rows of a recording lack most of their fields. */
import type { Instant } from '../../lib/clock.ts';
import { type DeviceId, deviceId, type OrganizationId } from '../../lib/ids.ts';
import {
  asFlag,
  asId,
  asInstant,
  asNumber,
  asText,
  asTexts,
  idMismatch,
  type RawObject,
  type RowReader,
  rowReader,
} from './rows.ts';

export function packageReader(organizationId: OrganizationId, deviceId: DeviceId): RowReader<Package> {
  return rowReader({
    mismatch: (raw) =>
      idMismatch('organization', raw['organization_id'], organizationId) ??
      idMismatch('device', raw['server_id'], deviceId),
    build: buildPackage,
  });
}

/** A package in the list of a whole organization. `id` numbers the rows of one reading. */
export type DevicePackage = { readonly id: number; readonly deviceId: DeviceId; readonly item: Package };

/**
 * Reads the organization's list of packages that are not installed. Its rows name their devices; a row without one, or
 * of an installed package, means that the service does not have this list as we understand it. `rowId` numbers the
 * packages of all devices: the service does not say that its own ids are unique across devices.
 */
export function missingPackageReader(
  organizationId: OrganizationId,
  rowId: (device: DeviceId, id: number) => number,
): RowReader<DevicePackage> {
  return rowReader({
    mismatch: (raw) => {
      if (asId(raw['server_id']) === null) return 'a package without a device';
      if (asFlag(raw['installed']) !== false) return 'a package that is installed, or does not say';
      return idMismatch('organization', raw['organization_id'], organizationId);
    },
    build: (raw, id) => {
      const owner = deviceId(asId(raw['server_id']) ?? 0);
      return { id: rowId(owner, id), deviceId: owner, item: buildPackage(raw, id) };
    },
  });
}

/** A software package on a device (§2.6). `name` is the machine key, `displayName` is for people. */
export interface Package extends Readonly<ReturnType<typeof buildPackage>> {}

function buildPackage(raw: RawObject, id: number) {
  const name = asText(raw['name']) ?? '';
  const displayName = asText(raw['display_name']);
  const ignoredBy = scopes(asFlag(raw['ignored']) === true, asFlag(raw['group_ignored']) === true);
  const deferredUntil = asInstant(raw['deferred_until']);
  const groupDeferredUntil = asInstant(raw['group_deferred_until']);
  return {
    id,
    name,
    displayName: displayName === null || displayName === '' ? name : displayName,
    version: asText(raw['version']),
    // `installed` proves a patch, so it is true only when the service says so.
    installed: asFlag(raw['installed']) ?? false,
    /** Ignored on the device or in its group; `ignoredBy` says where. */
    ignored: ignoredBy.length > 0,
    ignoredBy,
    /** The later of the device's and the group's deferral; `deferredBy` says where they stand. */
    deferredUntil: latest(deferredUntil, groupDeferredUntil),
    deferredBy: scopes(deferredUntil !== null, groupDeferredUntil !== null),
    /** critical, high, medium, low, no_known_cves, other words, or null: not determined. */
    severity: asText(raw['severity']),
    cves: asTexts(raw['cves']),
    /** Those of `cves` that are known to be exploited; newer than the interface document. */
    exploitedCves: asTexts(raw['kev_cves']),
    cveScore: asNumber(raw['cve_score']),
    /** Probability of exploitation, 0 to 1; newer than the interface document. */
    epssScore: asNumber(raw['epss_score']),
    requiresReboot: asFlag(raw['requires_reboot']) ?? false,
  };
}

export type PackageScope = 'device' | 'group';

function scopes(device: boolean, group: boolean): readonly PackageScope[] {
  if (device) return group ? ['device', 'group'] : ['device'];
  return group ? ['group'] : [];
}

function latest(one: Instant | null, other: Instant | null): Instant | null {
  if (one === null || other === null) return one ?? other;
  return one > other ? one : other;
}
