/** `GET /servergroups` (§4.10; shape as recorded). */
import { z } from 'zod';
import { groupJson } from '../json/group.ts';
import { invalid, problemsOf } from './answer.ts';
import { limit, page, ROWS_MAX } from './fields.ts';
import { pageOf, type Service } from './service.ts';

const Query = z.object({ limit: limit(), page: page() });

export function listGroups(service: Service, params: URLSearchParams): Response {
  const query = Query.safeParse(Object.fromEntries(params));
  if (!query.success) return invalid(problemsOf(query.error));
  const { state } = service.moving();
  const groups = pageOf([...state.groups.values()], query.data, ROWS_MAX);
  return Response.json(groups.map((group) => groupJson(group, state, service.profile)));
}
