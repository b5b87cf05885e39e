/** `GET /servers/{id}/packages` (§4.7), and the same of all devices: missing packages first, then installed ones. */
import { z } from 'zod';
import { DAY, later } from '../../../lib/clock.ts';
import type { Profile } from '../profiles.ts';
import { installedOn } from '../world/devices.ts';
import type { PatchHold, Software, WorldDevice } from '../world/model.ts';
import {
  deviceOrNotFound,
  type EndpointContext,
  flagParameter,
  forbiddenResponse,
  limitParameter,
  MAX_ROWS,
  notFoundResponse,
  pageParameter,
  parseQuery,
  slicePage,
} from './requests.ts';
import { deviceTime } from './time-formats.ts';

const Query = z.object({ limit: limitParameter(), page: pageParameter() });

export function listPackages(
  service: EndpointContext,
  serverId: string | undefined,
  params: URLSearchParams,
): Response {
  const query = parseQuery(params, Query);
  if (query instanceof Response) return query;
  const device = deviceOrNotFound(service, serverId);
  if (device === undefined) return notFoundResponse();
  const { organizationId } = service.world().state;
  const rows = slicePage(packageRowsOf(device), query, MAX_ROWS);
  return Response.json(rows.map((row) => packageJson(device, row, service.profile, organizationId)));
}

const FleetQuery = Query.extend({
  awaiting: flagParameter('awaiting'),
  includeUnmanaged: flagParameter('includeUnmanaged'),
});

/**
 * `GET /orgs/{id}/packages` ("in practice" 5.2): `awaiting` leaves only missing packages (1) or only installed ones (0).
 * Assumption (in practice 5.2): packages that the service cannot patch are left out unless they are asked for.
 */
export function listFleetPackages(
  service: EndpointContext,
  id: string | undefined,
  params: URLSearchParams,
): Response {
  const { organizationId, devices } = service.world().state;
  if (id !== String(organizationId)) return forbiddenResponse();
  const query = parseQuery(params, FleetQuery);
  if (query instanceof Response) return query;
  const isListed = ({ software, missing }: PackageRow): boolean =>
    (query.awaiting === undefined || query.awaiting === (missing !== null)) &&
    (query.includeUnmanaged === true || isManaged(software));
  const size = query.limit ?? MAX_ROWS;
  const first = (query.page ?? 0) * size;
  const page: object[] = [];
  let at = 0;
  for (const device of devices.values()) {
    if (page.length === size) break;
    for (const row of packageRowsOf(device, query.awaiting).filter(isListed)) {
      if (at >= first && page.length < size)
        page.push(packageJson(device, row, service.profile, organizationId));
      at += 1;
    }
  }
  return Response.json(page);
}

/** `missing`: only the missing packages, or only the installed ones. */
function packageRowsOf(device: WorldDevice, missing?: boolean): readonly PackageRow[] {
  const absent = [...device.missing.values()].map(({ software, hold }) => ({ software, missing: hold }));
  if (missing === true) return absent;
  const installed = installedOn(device).map((software) => ({ software, missing: null }));
  return missing === false ? installed : [...absent, ...installed];
}

/** A package of a device in the service's JSON (§2.6). */

type PackageRow = { readonly software: Software; readonly missing: PatchHold | null };

/** Row ids stay the same when a missing package is installed. */
const ROWS_PER_DEVICE = 1_000_000;

function packageJson(
  device: WorldDevice,
  { software, missing }: PackageRow,
  profile: Profile,
  organizationId: number,
): Record<string, unknown> {
  const row = {
    ...identity(device, software, organizationId),
    installed: missing === null,
    ...holdFields(missing),
    ...risk(software, missing === null ? null : profile.noCves),
    requires_reboot: software.requiresReboot,
    is_uninstallable: missing === null,
    is_managed: isManaged(software),
    ...(profile.newerFields ? { ...classification(software), kev_cves: null, epss_score: null } : {}),
  };
  if (software.displayName !== null) return { ...row, display_name: software.displayName };
  return profile.sparsePackages ? row : { ...row, display_name: software.name };
}

function identity(device: WorldDevice, software: Software, organizationId: number): object {
  return {
    id: device.id * ROWS_PER_DEVICE + software.id,
    server_id: device.id,
    organization_id: organizationId,
    package_id: software.id,
    software_id: software.id * 10,
    package_version_id: software.id * 100,
    name: software.name,
    version: software.version,
    repo: software.repo,
    os_name: device.platform.osName,
    os_version: device.platform.osVersion,
    os_version_id: device.platform.osVersionId,
    create_time: deviceTime(later(device.createTime, (software.id % 30) * DAY)),
    secondary_id: null,
    impact: null,
    patch_scope: null,
    patch_classification_category_id: null,
  };
}

function holdFields(hold: PatchHold | null): object {
  const ignored = (by: 'device' | 'group'): boolean => hold?.kind === 'ignored' && hold.by === by;
  const until = (by: 'device' | 'group'): string | null =>
    hold?.kind === 'deferred' && hold.by === by ? deviceTime(hold.until) : null;
  return {
    ignored: ignored('device'),
    group_ignored: ignored('group'),
    deferred_until: until('device'),
    group_deferred_until: until('group'),
  };
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

function risk(software: Software, noCves: readonly string[] | null): object {
  return {
    severity: software.severity,
    agent_severity: software.severity === 'critical' ? 'Critical' : null,
    cves: software.cves.length > 0 ? software.cves : noCves,
    cve_score: software.cveScore,
  };
}
