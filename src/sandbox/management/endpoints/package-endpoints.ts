/** `GET /servers/{id}/packages` (§4.7): missing packages first, then installed ones. */
import { z } from 'zod';
import { type PackageRow, packageJson } from '../json/package-json.ts';
import type { WorldDevice } from '../world/model.ts';
import { installedOn } from '../world/state/patches.ts';
import { deviceOrNotFound, type EndpointContext, slicePage } from './endpoint-context.ts';
import { parseQuery } from './parse-request.ts';
import { limitParameter, MAX_ROWS, pageParameter } from './query-parameters.ts';
import { notFoundResponse } from './responses.ts';

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

function packageRowsOf(device: WorldDevice): readonly PackageRow[] {
  return [
    ...[...device.missing.values()].map(({ software, hold }) => ({ software, missing: hold })),
    ...installedOn(device).map((software) => ({ software, missing: null })),
  ];
}
