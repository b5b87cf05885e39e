/** Server groups (§2.1) as they are listed, read by id, and returned by a create (§4.1). */
import { type GroupId, groupId, type OrganizationId, policyId } from '../../lib/ids.ts';
import type { Group, WsusConfig } from '../model/resources.ts';
import {
  asFlag,
  asNumber,
  asObject,
  asReference,
  asReferences,
  asText,
  idMismatch,
  type RawObject,
  type RowReader,
  rowReader,
} from './rows.ts';

/** Reads the groups of the organization, or the one requested group. */
export function groupReader(organization: OrganizationId, expectedGroup?: GroupId): RowReader<Group> {
  return rowReader({
    mismatch: (raw, id) =>
      idMismatch('organization', raw['organization_id'], organization) ??
      idMismatch('group', id, expectedGroup),
    build: (raw, id) => ({
      id: groupId(id),
      name: asText(raw['name']) ?? '',
      // A row that names another organization is rejected.
      organizationId: organization,
      parentId: asReference(raw['parent_server_group_id'], groupId),
      refreshIntervalMinutes: asNumber(raw['refresh_interval']),
      color: asText(raw['ui_color']),
      notes: asText(raw['notes']),
      osAutoUpdate: asFlag(raw['enable_os_auto_update']),
      wsus: readWsus(raw),
      policyIds: asReferences(raw['policies'], policyId),
      deviceCount: asNumber(raw['server_count']),
    }),
  });
}

/**
 * Assumption (§2.1): the document does not show the shape of `wsus_config`, so its parts have the names of the live
 * service. `enable_wsus` and `wsus_server`, which a create takes, are read where they are echoed.
 */
function readWsus(raw: RawObject): WsusConfig | null {
  const config = asObject(raw['wsus_config']);
  const managed = asFlag(config?.['is_managed']) ?? asFlag(raw['enable_wsus']);
  const server = asText(config?.['server_url']) ?? asText(raw['wsus_server']);
  return config === null && managed === null && server === null ? null : { managed, server };
}
