/** A server group as the service writes it (§2.1). */
import type { Profile } from '../profiles.ts';
import type { Group } from '../world/model.ts';
import type { World } from '../world/world.ts';

/** The service fills this in when a group is made. */
const GROUPS_MADE_AT = '2022-04-29T01:30:09+0000';

export function groupJson(group: Group, world: World, profile: Profile): object {
  return {
    id: group.id,
    organization_id: world.organizationId,
    name: group.name,
    refresh_interval: group.refreshMinutes,
    parent_server_group_id: group.parentId,
    ui_color: group.color,
    notes: group.notes,
    enable_os_auto_update: group.osAutoUpdate,
    server_count: [...world.devices.values()].filter(({ groupId }) => groupId === group.id).length,
    wsus_config: group.wsus === null ? null : wsusConfig(group, group.wsus),
    policies: group.policies.length > 0 ? group.policies : profile.noPolicies,
  };
}

function wsusConfig(group: Group, wsus: NonNullable<Group['wsus']>): object {
  return {
    id: group.id * 10,
    server_group_id: group.id,
    is_managed: wsus.managed,
    server_url: wsus.server,
    created_at: GROUPS_MADE_AT,
    updated_at: GROUPS_MADE_AT,
  };
}
