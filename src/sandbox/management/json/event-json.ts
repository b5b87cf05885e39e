/** An event in the service's JSON (§2.8). */
import type { Profile } from '../profiles.ts';
import type { EventData, WorldEvent } from '../world/model.ts';
import { uuidOf } from '../world/random.ts';
import { formatTime } from './time-formats.ts';

export function eventJson(event: WorldEvent, profile: Profile, organizationId: number): object {
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
