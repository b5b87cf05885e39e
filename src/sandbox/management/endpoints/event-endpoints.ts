/** `GET /events` (§4.9): newest first, as the live service; the document promises no order. */
import { z } from 'zod';
import { instant } from '../../../lib/clock.ts';
import { eventJson } from '../json/event-json.ts';
import type { WorldEventQuery } from '../world/state/event-log.ts';
import type { EndpointContext } from './endpoint-context.ts';
import { parseQuery } from './parse-request.ts';
import {
  dayParameter,
  flagParameter,
  idParameter,
  limitParameter,
  MAX_ROWS,
  pageParameter,
} from './query-parameters.ts';

const Query = z.object({
  limit: limitParameter(),
  page: pageParameter(),
  countOnly: flagParameter('countOnly'),
  policyId: idParameter('policyId'),
  serverId: idParameter('serverId'),
  userId: idParameter('userId'),
  eventName: z.string().optional(),
  startDate: dayParameter('startDate'),
  endDate: dayParameter('endDate'),
});

export function listEvents(service: EndpointContext, params: URLSearchParams): Response {
  const query = parseQuery(params, Query);
  if (query instanceof Response) return query;
  const { events, organizationId } = service.world().state;
  const filter = eventQueryOf(query);
  if (query.countOnly) return Response.json({ size: events.count(filter), results: [] });
  const { limit: take = MAX_ROWS, page: number = 0 } = query;
  const rows = events.page(filter, { skip: number * take, take });
  return Response.json(rows.map((event) => eventJson(event, service.profile, organizationId)));
}

/** Assumption (§4.9): days are UTC; `startDate` includes its day and `endDate` leaves its day out. */
function eventQueryOf(query: z.infer<typeof Query>): WorldEventQuery {
  return {
    name: query.eventName,
    deviceId: query.serverId,
    policyId: query.policyId,
    userId: query.userId,
    from: query.startDate === undefined ? undefined : instant(query.startDate),
    before: query.endDate === undefined ? undefined : instant(query.endDate),
  };
}
