/** An organization as the service writes it ("in practice" 9), the enrolment secret of its agents included. */
import { ORGANIZATION } from '../seed/organization.ts';
import type { World } from '../world/world.ts';
import { deviceTime } from './time.ts';

export function organizationJson(world: World): object {
  return {
    id: world.organizationId,
    uuid: ORGANIZATION.uuid,
    name: ORGANIZATION.name,
    create_time: deviceTime(ORGANIZATION.createTime),
    tier: 'manage',
    device_limit: null,
    device_count: world.devices.size,
    soft_device_limit: null,
    parent_id: null,
    trial_end_time: null,
    metadata: [],
    access_key: ORGANIZATION.accessKey,
  };
}
