/** `GET /events` (§4.9): newest first, as live; the document promises no order. */
import { z } from 'zod';
import { instant } from '../../../clock.ts';
import { eventJson } from '../json/event.ts';
import type { EventFilter } from '../world/event-log.ts';
import { day, flag, id, limit, page, ROWS_MAX } from './fields.ts';
import { queryOf } from './request.ts';
import type { Service } from './service.ts';

const Query = z.object({
  limit: limit(),
  page: page(),
  countOnly: flag('countOnly'),
  policyId: id('policyId'),
  serverId: id('serverId'),
  userId: id('userId'),
  eventName: z.string().optional(),
  startDate: day('startDate'),
  endDate: day('endDate'),
});

export function listEvents(service: Service, params: URLSearchParams): Response {
  const query = queryOf(params, Query);
  if (query instanceof Response) return query;
  const { events, organizationId } = service.moving().state;
  const filter = filterOf(query);
  if (query.countOnly) return Response.json({ size: events.count(filter), results: [] });
  const { limit: take = ROWS_MAX, page: number = 0 } = query;
  const rows = events.page(filter, { skip: number * take, take });
  return Response.json(rows.map((event) => eventJson(event, service.profile, organizationId)));
}

/** Assumption (§4.9): days are UTC; `startDate` includes its day and `endDate` leaves its day out. */
function filterOf(query: z.infer<typeof Query>): EventFilter {
  return {
    name: query.eventName,
    deviceId: query.serverId,
    policyId: query.policyId,
    userId: query.userId,
    from: query.startDate === undefined ? undefined : instant(query.startDate),
    before: query.endDate === undefined ? undefined : instant(query.endDate),
  };
}
