/** `GET /servers/{id}/packages` (§4.7), and the same of all devices: missing packages first, then installed ones. */
import { z } from 'zod';
import { isManaged, type PackageRow, packageJson } from '../json/package-json.ts';
import type { WorldDevice } from '../world/model.ts';
import { installedOn } from '../world/state/patches.ts';
import { deviceOrNotFound, type EndpointContext, slicePage } from './endpoint-context.ts';
import { parseQuery } from './parse-request.ts';
import { flagParameter, limitParameter, MAX_ROWS, pageParameter } from './query-parameters.ts';
import { forbiddenResponse, notFoundResponse } from './responses.ts';

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
