/**
 * Devices of a filter preview (§4.2). The interface writes `ip_addr` (one text) and `ip_addrs_prviate`; newer
 * descriptions write `ip_addrs` and `ip_addrs_private`. All of them are read, as one text or as a list.
 */
import { deviceId, type GroupId, groupId } from '../../lib/ids.ts';
import type { PreviewedDevice } from '../model/preview-query.ts';
import { isDeleted } from './device.ts';
import { asObject, asReference, asText, asTexts, type RawObject } from './fields.ts';
import { type RowReader, rowReader } from './rows.ts';

/** Reads previewed devices and checks that each is in one of the requested groups. */
export function previewReader(groupIds?: readonly GroupId[]): RowReader<PreviewedDevice> {
  const expectedGroups = groupIds === undefined ? null : new Set(groupIds);
  return rowReader({
    mismatch(raw) {
      const named = asReference(asObject(raw['server_group'])?.['id'], groupId);
      return expectedGroups === null || named === null || expectedGroups.has(named)
        ? null
        : 'a row of another group';
    },
    isDeleted,
    build: buildPreviewedDevice,
  });
}

function buildPreviewedDevice(raw: RawObject, id: number): PreviewedDevice {
  const group = asObject(raw['server_group']);
  const customName = asText(raw['custom_name']);
  return {
    id: deviceId(id),
    uuid: asText(raw['uuid']),
    name: asText(raw['name']) ?? '',
    customName: customName === '' ? null : customName,
    groupId: asReference(group?.['id'], groupId),
    groupName: asText(group?.['name']),
    osFamily: asText(raw['os_family']),
    osVersion: asText(raw['os_version']),
    addresses: mergeAddresses(raw['ip_addr'], raw['ip_addrs']),
    privateAddresses: mergeAddresses(raw['ip_addrs_private'], raw['ip_addrs_prviate']),
    tags: asTexts(raw['tags']),
  };
}

/** The addresses of all spellings, each once. */
function mergeAddresses(...spellings: readonly unknown[]): readonly string[] {
  return [...new Set(spellings.flatMap(asTexts))].filter((address) => address !== '');
}
