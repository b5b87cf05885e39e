/**
 * `GET /orgs` (§4.10): every organization that the key may see, so it takes no `o`. Here there is one; asking for
 * another is forbidden.
 */
import { z } from 'zod';
import { organizationJson } from '../json/organization-json.ts';
import { type EndpointContext, slicePage } from './endpoint-context.ts';
import { parseQuery } from './parse-request.ts';
import { limitParameter, MAX_ROWS, pageParameter } from './query-parameters.ts';

const Query = z.object({ limit: limitParameter(), page: pageParameter() });

export function listOrganizations(service: EndpointContext, params: URLSearchParams): Response {
  const query = parseQuery(params, Query);
  if (query instanceof Response) return query;
  return Response.json(slicePage([organizationJson(service.world().state)], query, MAX_ROWS));
}
