/** `GET /events` (§4.9) and `GET /orgs` (§4.10). */
import { z } from 'zod';
import { SEEDED_ORGANIZATION } from '../seed/organization.ts';
import type { EventData, WorldEvent } from '../world/model.ts';
import { uuidOf } from '../world/random.ts';
import {
  type Call,
  dayParameter,
  flagParameter,
  idParameter,
  MAX_ROWS,
  PageQuery,
  parseQuery,
  slicePage,
  type View,
} from './requests.ts';
import { deviceTime, formatTime } from './time-formats.ts';

const EventQuery = PageQuery.extend({
  countOnly: flagParameter('countOnly'),
  policyId: idParameter('policyId'),
  serverId: idParameter('serverId'),
  userId: idParameter('userId'),
  eventName: z.string().optional(),
  startDate: dayParameter('startDate'),
  endDate: dayParameter('endDate'),
});

/**
 * Newest first, as the live service; the document promises no order.
 * Assumption (§4.9): days are UTC; `startDate` includes its day and `endDate` leaves its day out.
 */
export function listEvents(call: Call): Response {
  const { limit: take = MAX_ROWS, page = 0, countOnly, ...query } = parseQuery(call, EventQuery);
  const { events } = call.world;
  const filter = {
    name: query.eventName,
    deviceId: query.serverId,
    policyId: query.policyId,
    userId: query.userId,
    from: query.startDate,
    before: query.endDate,
    now: call.now,
  };
  if (countOnly) return Response.json({ size: events.count(filter), results: [] });
  const rows = events.page(filter, { skip: page * take, take });
  return Response.json(rows.map((event) => eventJson(event, call)));
}

/** §2.8 */
function eventJson(event: WorldEvent, { profile, world }: View): object {
  return {
    id: event.id,
    name: event.name,
    user_id: event.userId,
    server_id: event.deviceId,
    organization_id: world.organizationId,
    policy_id: event.policy?.id ?? null,
    data: event.data === null ? null : dataJson(event.data, profile),
    server_name: event.deviceName,
    policy_name: event.policy?.name ?? null,
    policy_type_name: event.policy?.type ?? null,
    create_time: event.timeless ? null : formatTime(profile.eventTime, event.at),
  };
}

function dataJson(data: EventData, profile: View['profile']): EventData {
  const { notification_id: id } = data;
  if (id === undefined || profile.notificationId === 'number') return data;
  return { ...data, notification_id: uuidOf(`notification ${id}`) };
}

/**
 * Every organization that the key may see, so it takes no `o`: here there is one ("in practice" 9), with the secret by
 * which its agents enroll.
 */
export function listOrganizations(call: Call): Response {
  const { name, uuid, createTime, accessKey } = SEEDED_ORGANIZATION;
  const organization = {
    id: call.world.organizationId,
    uuid,
    name,
    create_time: deviceTime(createTime),
    tier: 'manage',
    device_limit: null,
    device_count: call.world.devices.size,
    soft_device_limit: null,
    parent_id: null,
    trial_end_time: null,
    metadata: {},
    access_key: accessKey,
  };
  return Response.json(slicePage([organization], parseQuery(call, PageQuery)));
}
