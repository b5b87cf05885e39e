/**
 * `GET /orgs` (§4.10): every organization that the key sees, so it takes no `o`.
 * Here it is the one; asking for another is forbidden.
 */
import { z } from 'zod';
import { organizationJson } from '../json/organization.ts';
import { limit, page, ROWS_MAX } from './fields.ts';
import { queryOf } from './request.ts';
import { pageOf, type Service } from './service.ts';

const Query = z.object({ limit: limit(), page: page() });

export function listOrganizations(service: Service, params: URLSearchParams): Response {
  const query = queryOf(params, Query);
  if (query instanceof Response) return query;
  return Response.json(pageOf([organizationJson(service.moving().state)], query, ROWS_MAX));
}
