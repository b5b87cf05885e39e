/** Server groups (§2.1) as they are listed, read by id, and returned by a create (§4.1). */
import { type GroupId, groupId, type OrganizationId, policyId } from '../../lib/ids.ts';
import type { Unchanging } from '../../lib/record-fields.ts';
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
    build: buildGroup,
  });
}

/** A server group (§2.1). The Default Group has a blank name and is its own parent. */
export interface Group extends Unchanging<ReturnType<typeof buildGroup>> {}

function buildGroup(raw: RawObject, id: number) {
  return {
    id: groupId(id),
    name: asText(raw['name']) ?? '',
    parentId: asReference(raw['parent_server_group_id'], groupId),
    /** Between two scans. */
    refreshIntervalMinutes: asNumber(raw['refresh_interval']),
    /** As stored, such as `#059F1D`; `derived-fields.ts` knows how the console shows it. */
    color: asText(raw['ui_color']),
    notes: asText(raw['notes']),
    /** Null keeps the devices' own setting. */
    osAutoUpdate: asFlag(raw['enable_os_auto_update']),
    wsus: readWsus(raw),
    policyIds: asReferences(raw['policies'], policyId),
    /** Devices in it; newer than the interface document. */
    deviceCount: asNumber(raw['server_count']),
  };
}

/**
 * Where devices of a group get their Windows updates; each part may be null on the live service.
 *
 * Assumption (§2.1): the document does not show the shape of `wsus_config`, so its parts have the names of the live
 * service. `enable_wsus` and `wsus_server`, which a create takes, are read where they are echoed.
 */
function readWsus(raw: RawObject) {
  const config = asObject(raw['wsus_config']);
  const managed = asFlag(config?.['is_managed']) ?? asFlag(raw['enable_wsus']);
  const server = asText(config?.['server_url']) ?? asText(raw['wsus_server']);
  return config === null && managed === null && server === null ? null : { managed, server };
}
