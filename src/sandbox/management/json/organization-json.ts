/** An organization in the service's JSON ("in practice" 9), including the secret with which its agents enroll. */
import { SEEDED_ORGANIZATION } from '../seed/seed-organization.ts';
import type { World } from '../world/world.ts';
import { deviceTime } from './time-formats.ts';

export function organizationJson(world: World): object {
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
