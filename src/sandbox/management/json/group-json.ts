/** A server group in the service's JSON (§2.1). */
import type { Profile } from '../profiles.ts';
import type { WorldGroup, WsusSettings } from '../world/model.ts';
import { uuidOf } from '../world/random.ts';
import { deviceTime } from './time-formats.ts';

export type GroupView = {
  readonly organizationId: number;
  readonly profile: Pick<Profile, 'newerFields'>;
  /** Number of devices by group. */
  readonly counts: ReadonlyMap<number, number>;
};

/** Only a group that is read has a `uuid`, and in older recordings none has (terraform-provider-automox, 2026). */
export function groupJson(group: WorldGroup, { organizationId, profile, counts }: GroupView): object {
  return {
    ...createdGroupJson(group, organizationId),
    ...(profile.newerFields ? { uuid: uuidOf(`group ${group.id}`) } : {}),
    server_count: counts.get(group.id) ?? 0,
    policies: group.policies,
  };
}

/** The answer to a create (§4.1): without the policies and the WSUS fields. */
export function createdGroupJson(group: WorldGroup, organizationId: number): object {
  return {
    ...briefGroupJson(group, organizationId),
    ui_color: group.color,
    notes: group.notes,
    enable_os_auto_update: group.osAutoUpdate,
    wsus_config: group.wsus === null ? null : wsusConfig(group, group.wsus),
  };
}

/** The group inside a row of a preview ("in practice" 1). */
export function briefGroupJson(group: WorldGroup, organizationId: number): object {
  return {
    id: group.id,
    organization_id: organizationId,
    name: group.name,
    refresh_interval: group.refreshMinutes,
    parent_server_group_id: group.parentId,
  };
}

function wsusConfig(group: WorldGroup, wsus: WsusSettings): object {
  return {
    id: group.id * 10,
    server_group_id: group.id,
    is_managed: wsus.managed,
    server_url: wsus.server,
    created_at: deviceTime(wsus.setAt),
    updated_at: deviceTime(wsus.setAt),
  };
}
