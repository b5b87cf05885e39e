/** `GET /servers/{id}/packages` (§4.7): what is missing first, then what is installed. */
import { z } from 'zod';
import { type PackageRow, packageJson } from '../json/package.ts';
import type { Device } from '../world/model.ts';
import { installedOn } from '../world/patches.ts';
import { notFound } from './answer.ts';
import { limit, page, ROWS_MAX } from './fields.ts';
import { queryOf } from './request.ts';
import { deviceAt, pageOf, type Service } from './service.ts';

const Query = z.object({ limit: limit(), page: page() });

export function listPackages(
  service: Service,
  serverId: string | undefined,
  params: URLSearchParams,
): Response {
  const query = queryOf(params, Query);
  if (query instanceof Response) return query;
  const device = deviceAt(service, serverId);
  if (device === undefined) return notFound();
  const { organizationId } = service.moving().state;
  const rows = pageOf(rowsOf(device), query, ROWS_MAX);
  return Response.json(rows.map((row) => packageJson(device, row, service.profile, organizationId)));
}

function rowsOf(device: Device): readonly PackageRow[] {
  return [
    ...[...device.missing.values()].map(({ software, hold }) => ({ software, missing: hold })),
    ...installedOn(device).map((software) => ({ software, missing: null })),
  ];
}
