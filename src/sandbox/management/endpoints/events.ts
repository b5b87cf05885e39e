/** `GET /events` (§4.9): newest first, as the live service; the document promises no order. */
import { z } from 'zod';
import { instant } from '../../../lib/clock.ts';
import type { Profile } from '../profiles.ts';
import { SEEDED_ORGANIZATION } from '../seed/organization.ts';
import type { WorldEventQuery } from '../world/event-log.ts';
import type { EventData, WorldEvent } from '../world/model.ts';
import { uuidOf } from '../world/random.ts';
import type { World } from '../world/world.ts';
import {
  dayParameter,
  type EndpointContext,
  flagParameter,
  idParameter,
  limitParameter,
  MAX_ROWS,
  pageParameter,
  parseQuery,
  slicePage,
} from './requests.ts';
import { deviceTime, formatTime } from './time-formats.ts';

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

/** An event in the service's JSON (§2.8). */

function eventJson(event: WorldEvent, profile: Profile, organizationId: number): object {
  return {
    id: event.id,
    name: event.name,
    user_id: event.userId,
    server_id: event.deviceId,
    organization_id: organizationId,
    policy_id: event.policy?.id ?? null,
    data: event.data === null ? null : dataJson(event.data, profile),
    server_name: event.deviceName,
    policy_name: event.policy?.name ?? null,
    policy_type_name: event.policy?.type ?? null,
    create_time: formatTime(profile.eventTime, event.at),
  };
}

function dataJson(data: EventData, profile: Profile): EventData {
  const { notification_id: id } = data;
  if (id === undefined || profile.notificationId === 'number') return data;
  return { ...data, notification_id: uuidOf(`notification ${id}`) };
}

/**
 * `GET /orgs` (§4.10): every organization that the key may see, so it takes no `o`. Here there is one; asking for
 * another is forbidden.
 */

const PageQuery = z.object({ limit: limitParameter(), page: pageParameter() });

export function listOrganizations(service: EndpointContext, params: URLSearchParams): Response {
  const query = parseQuery(params, PageQuery);
  if (query instanceof Response) return query;
  return Response.json(slicePage([organizationJson(service.world().state)], query, MAX_ROWS));
}

/** An organization in the service's JSON ("in practice" 9), including the secret with which its agents enroll. */

function organizationJson(world: World): object {
  return {
    id: world.organizationId,
    uuid: SEEDED_ORGANIZATION.uuid,
    name: SEEDED_ORGANIZATION.name,
    create_time: deviceTime(SEEDED_ORGANIZATION.createTime),
    tier: 'manage',
    device_limit: null,
    device_count: world.devices.size,
    soft_device_limit: null,
    parent_id: null,
    trial_end_time: null,
    metadata: {},
    access_key: SEEDED_ORGANIZATION.accessKey,
  };
}
