/** Server groups (§2.1) as they are listed, read by id, and answered by a create (§4.1). */
import { type GroupId, groupId, type OrganizationId, policyId } from '../../ids.ts';
import type { Group, WsusConfig } from '../model.ts';
import { flag, number, part, type Raw, reference, references, text } from './fields.ts';
import { anotherId, type ReadRow, rowReader } from './rows.ts';

/** Reads the groups of the organization, or the one that was asked for. */
export function groupReader(asked: OrganizationId, askedGroup?: GroupId): ReadRow<Group> {
  return rowReader({
    foreign: (raw, id) =>
      anotherId('organization', raw['organization_id'], asked) ?? anotherId('group', id, askedGroup),
    build: (raw, id) => ({
      id: groupId(id),
      name: text(raw['name']) ?? '',
      // A row that names another one is refused.
      organizationId: asked,
      parentId: reference(raw['parent_server_group_id'], groupId),
      refreshIntervalMinutes: number(raw['refresh_interval']),
      color: text(raw['ui_color']),
      notes: text(raw['notes']),
      osAutoUpdate: flag(raw['enable_os_auto_update']),
      wsus: readWsus(raw),
      policyIds: references(raw['policies'], policyId),
      deviceCount: number(raw['server_count']),
    }),
  });
}

/**
 * Assumption (§2.1): the shape of `wsus_config` is not shown; the live service calls its parts so. What a create
 * takes as `enable_wsus` and `wsus_server` is believed where it is echoed after all.
 */
function readWsus(raw: Raw): WsusConfig | null {
  const config = part(raw['wsus_config']);
  const managed = flag(config?.['is_managed']) ?? flag(raw['enable_wsus']);
  const server = text(config?.['server_url']) ?? text(raw['wsus_server']);
  return config === null && managed === null && server === null ? null : { managed, server };
}
