/** `POST /policies/device-filters-preview` (§4.2): which devices some filters take in. */
import { z } from 'zod';
import { type PreviewView, previewJson } from '../json/preview.ts';
import { type Filter, matchesAll } from '../world/filters.ts';
import type { World } from '../world/world.ts';
import { forbidden, invalid, plain } from './answer.ts';
import { list, required, whole } from './body-fields.ts';
import { limit, page } from './fields.ts';
import { deviceFilters } from './filter-body.ts';
import { bodyOf, queryOf } from './request.ts';
import { haveGroups, pageOf, type Service } from './service.ts';

/** §8 */
const ROWS_MAX = 200;
const ROWS_UNASKED = 25;

const Query = z.object({ limit: limit('limit', ROWS_MAX), page: page() });
const Groups = z.object({ server_groups: list('server_groups', whole('server_groups')).nullish() });

export function previewFilters(service: Service, params: URLSearchParams, text: string): Response {
  const query = queryOf(params, Query);
  if (query instanceof Response) return query;
  const body = bodyOf(text, Groups);
  if (body instanceof Response) return body;
  const groupIds = body.server_groups ?? [];
  if (groupIds.length === 0) return withoutGroups(service);
  const asked = bodyOf(text, z.object({ device_filters: deviceFilters(service.profile) }));
  if (asked instanceof Response) return asked;
  if (!haveGroups(service, groupIds)) return forbidden();
  const { state } = service.moving();
  const found = devicesIn(state, groupIds, asked.device_filters);
  const view: PreviewView = { ...state, profile: service.profile };
  const rows = pageOf(found, query, ROWS_UNASKED).map((device) => previewJson(device, view));
  return Response.json({ size: found.length, results: rows });
}

/**
 * The live service breaks where no groups are named ("in practice" 8).
 * Assumption (§4.2): an empty list names none.
 */
function withoutGroups({ profile }: Service): Response {
  return profile.previewWithoutGroups === 500
    ? plain(500, 'Server Error')
    : invalid({ server_groups: [required('server_groups')] });
}

function devicesIn(world: World, groupIds: readonly number[], filters: readonly Filter[]) {
  const groups = new Set(groupIds);
  return [...world.devices.values()].filter(
    (device) => groups.has(device.groupId) && matchesAll(device, filters),
  );
}
