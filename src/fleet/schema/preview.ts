/**
 * Devices of a filter preview (§4.2). The interface writes `ip_addr` (one text) and `ip_addrs_prviate`; newer
 * descriptions write `ip_addrs` and `ip_addrs_private`. All of them are read, as one text or as a list.
 */
import { deviceId, type GroupId, groupId } from '../../ids.ts';
import type { PreviewedDevice } from '../filters.ts';
import { part, type Raw, reference, text, texts } from './fields.ts';
import { type ReadRow, rowReader } from './rows.ts';

/** Reads previewed devices, each of them in one of the groups that were asked for. */
export function previewReader(groupIds?: readonly GroupId[]): ReadRow<PreviewedDevice> {
  const asked = groupIds === undefined ? null : new Set(groupIds);
  return rowReader({
    foreign(raw) {
      const named = reference(part(raw['server_group'])?.['id'], groupId);
      return asked === null || named === null || asked.has(named) ? null : 'a row of another group';
    },
    build,
  });
}

function build(raw: Raw, id: number): PreviewedDevice {
  const group = part(raw['server_group']);
  const customName = text(raw['custom_name']);
  return {
    id: deviceId(id),
    uuid: text(raw['uuid']),
    name: text(raw['name']) ?? '',
    customName: customName === '' ? null : customName,
    groupId: reference(group?.['id'], groupId),
    groupName: text(group?.['name']),
    osFamily: text(raw['os_family']),
    osVersion: text(raw['os_version']),
    addresses: together(raw['ip_addr'], raw['ip_addrs']),
    privateAddresses: together(raw['ip_addrs_private'], raw['ip_addrs_prviate']),
    tags: texts(raw['tags']),
  };
}

/** What all spellings list, each address once. */
function together(...spellings: readonly unknown[]): readonly string[] {
  return [...new Set(spellings.flatMap(texts))].filter((address) => address !== '');
}
