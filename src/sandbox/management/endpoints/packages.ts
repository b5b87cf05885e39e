/** `GET /servers/{id}/packages` (§4.7), and the same of all devices: missing packages first, then installed ones. */
import { DAY, later } from '../../../lib/clock.ts';
import { installedOn } from '../world/devices.ts';
import type { PatchHold, Software, WorldDevice } from '../world/model.ts';
import {
  type Call,
  deviceOf,
  flagParameter,
  forbidden,
  MAX_ROWS,
  PageQuery,
  parseQuery,
  slicePage,
  type View,
} from './requests.ts';
import { deviceTime } from './time-formats.ts';

export function listPackages(call: Call): Response {
  const query = parseQuery(call, PageQuery);
  const device = deviceOf(call);
  return Response.json(slicePage(packagesOf(device), query).map((row) => packageJson(device, row, call)));
}

const FleetQuery = PageQuery.extend({
  awaiting: flagParameter('awaiting'),
  includeUnmanaged: flagParameter('includeUnmanaged'),
});

/**
 * `GET /orgs/{id}/packages` ("in practice" 5.2): `awaiting` leaves only missing packages (1) or only installed ones (0).
 * Assumption (in practice 5.2): packages that the service cannot patch are left out unless they are asked for.
 */
export function listFleetPackages(call: Call): Response {
  if (call.id !== String(call.world.organizationId)) throw forbidden();
  const { limit: size = MAX_ROWS, page: number = 0, ...query } = parseQuery(call, FleetQuery);
  const isListed = ({ software }: PackageRow) => query.includeUnmanaged === true || isManaged(software);
  const page: object[] = [];
  let at = 0;
  for (const device of call.world.devices.values()) {
    if (page.length === size) break;
    for (const row of packagesOf(device, query.awaiting).filter(isListed)) {
      if (at >= number * size && page.length < size) page.push(packageJson(device, row, call));
      at += 1;
    }
  }
  return Response.json(page);
}

type PackageRow = { readonly software: Software; readonly missing: PatchHold | null };

/** `missing`: only the missing packages, or only the installed ones. */
function packagesOf(device: WorldDevice, missing?: boolean): readonly PackageRow[] {
  const absent = [...device.missing.values()].map(({ software, hold }) => ({ software, missing: hold }));
  if (missing === true) return absent;
  const installed = installedOn(device).map((software) => ({ software, missing: null }));
  return missing === false ? installed : [...absent, ...installed];
}

/** Row ids stay the same when a missing package is installed. */
const ROWS_PER_DEVICE = 1_000_000;

/** §2.6 */
function packageJson(
  device: WorldDevice,
  { software, missing }: PackageRow,
  { world, profile }: View,
): object {
  const { platform } = device;
  const noCves = missing === null ? null : profile.noCves;
  const row = {
    id: device.id * ROWS_PER_DEVICE + software.id,
    server_id: device.id,
    organization_id: world.organizationId,
    package_id: software.id,
    software_id: software.id * 10,
    package_version_id: software.id * 100,
    name: software.name,
    version: software.version,
    repo: software.repo,
    os_name: platform.osName,
    os_version: platform.osVersion,
    os_version_id: platform.osVersionId,
    create_time: deviceTime(later(device.createTime, (software.id % 30) * DAY)),
    secondary_id: null,
    impact: null,
    patch_scope: null,
    patch_classification_category_id: null,
    installed: missing === null,
    ignored: missing?.kind === 'ignored' && missing.by === 'device',
    group_ignored: missing?.kind === 'ignored' && missing.by === 'group',
    deferred_until: deferredUntil(missing, 'device'),
    group_deferred_until: deferredUntil(missing, 'group'),
    severity: software.severity,
    agent_severity: software.severity === 'critical' ? 'Critical' : null,
    cves: software.cves.length > 0 ? software.cves : noCves,
    cve_score: software.cveScore,
    requires_reboot: software.requiresReboot,
    is_uninstallable: missing === null,
    is_managed: isManaged(software),
    ...(profile.newerFields ? { ...classification(software), kev_cves: null, epss_score: null } : {}),
  };
  if (software.displayName !== null) return { ...row, display_name: software.displayName };
  return profile.sparsePackages ? row : { ...row, display_name: software.name };
}

function deferredUntil(hold: PatchHold | null, by: 'device' | 'group'): string | null {
  return hold?.kind === 'deferred' && hold.by === by ? deviceTime(hold.until) : null;
}

/** Whether the service can patch it. */
function isManaged({ repo }: Software): boolean {
  return repo !== 'ReportingOnly' && repo !== 'Installed';
}

/** Numbers without a published legend; the vendor describes both as integers. */
function classification({ id, repo, requiresReboot }: Software): object {
  return {
    impact: repo === 'WindowsUpdate' ? Number(requiresReboot) : null,
    patch_scope: repo === 'ReportingOnly' ? null : 'all',
    patch_classification_category_id: repo === 'WindowsUpdate' ? (id % 9) + 1 : null,
  };
}
