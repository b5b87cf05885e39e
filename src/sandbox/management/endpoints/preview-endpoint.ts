/** `POST /policies/device-filters-preview` (§4.2): the devices that filters match. */
import { z } from 'zod';
import { type PreviewView, previewJson } from '../json/preview-json.ts';
import type { DeviceFilterClause } from '../world/model.ts';
import { matchesAll } from '../world/queries/device-filters.ts';
import type { World } from '../world/world.ts';
import { integerField, listField, requiredField } from './body-fields.ts';
import { allGroupsExist, type EndpointContext, slicePage } from './endpoint-context.ts';
import { deviceFilters } from './filter-body.ts';
import { parseBody, parseQuery } from './parse-request.ts';
import { limitParameter, pageParameter } from './query-parameters.ts';
import { forbiddenResponse, invalidResponse, plainErrorResponse } from './responses.ts';

/** §8 */
const ROWS_MAX = 200;
const DEFAULT_ROWS = 25;

const Query = z.object({ limit: limitParameter('limit', ROWS_MAX), page: pageParameter() });
const Groups = z.object({
  server_groups: listField('server_groups', integerField('server_groups')).nullish(),
});

export function previewFilters(service: EndpointContext, params: URLSearchParams, text: string): Response {
  const query = parseQuery(params, Query);
  if (query instanceof Response) return query;
  const body = parseBody(text, Groups);
  if (body instanceof Response) return body;
  const groupIds = body.server_groups ?? [];
  if (groupIds.length === 0) return withoutGroups(service);
  const requested = parseBody(text, z.object({ device_filters: deviceFilters(service.profile) }));
  if (requested instanceof Response) return requested;
  if (!allGroupsExist(service, groupIds)) return forbiddenResponse();
  const { state } = service.world();
  const found = devicesIn(state, groupIds, requested.device_filters);
  const view: PreviewView = { ...state, profile: service.profile };
  const rows = slicePage(found, query, DEFAULT_ROWS).map((device) => previewJson(device, view));
  return Response.json({ size: found.length, results: rows });
}

/**
 * The live service fails where no groups are named ("in practice" 8).
 * Assumption (§4.2): an empty list names none.
 */
function withoutGroups({ profile }: EndpointContext): Response {
  return profile.previewWithoutGroups === 500
    ? plainErrorResponse(500, 'Server Error')
    : invalidResponse({ server_groups: [requiredField('server_groups')] });
}

function devicesIn(world: World, groupIds: readonly number[], filters: readonly DeviceFilterClause[]) {
  const groups = new Set(groupIds);
  return [...world.devices.values()].filter(
    (device) => groups.has(device.groupId) && matchesAll(device, filters),
  );
}
