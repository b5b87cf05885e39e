/**
 * Devices of a filter preview (§4.2). The interface writes `ip_addr` (one text) and `ip_addrs_prviate`; newer
 * descriptions write `ip_addrs` and `ip_addrs_private`. All of them are read, as one text or as a list.
 */
import { z } from 'zod';
import { deviceId, type GroupId, groupId } from '../../ids.ts';
import type { PreviewedDevice } from '../filters.ts';
import type { Fields } from './fields.ts';
import { another, bothReadings, type ReadRow, rowReader } from './rows.ts';

const shape = (f: Fields) =>
  z.object({
    id: f.id,
    uuid: f.text,
    name: f.text,
    custom_name: f.text,
    server_group: f.part(z.object({ id: f.reference, name: f.text })),
    os_version: f.text,
    os_family: f.text,
    ip_addr: f.listing,
    ip_addrs: f.listing,
    ip_addrs_prviate: f.listing,
    ip_addrs_private: f.listing,
    tags: f.texts,
  });
type Wire = z.infer<ReturnType<typeof shape>>;

const read = bothReadings(shape);

/** Reads previewed devices, all of them in one of the groups that were asked for. */
export function previewReader(groupIds?: readonly GroupId[]): ReadRow<PreviewedDevice> {
  const asked = groupIds === undefined ? null : new Set<number>(groupIds);
  const foreign = ({ server_group: group }: Wire) => {
    const named = group?.id ?? null;
    return asked === null || named === null || asked.has(named)
      ? null
      : another('group', named, asked.values().next().value ?? 0);
  };
  return rowReader(read, foreign, build);
}

function build(wire: Wire): PreviewedDevice {
  const group = wire.server_group;
  return {
    id: deviceId(wire.id),
    uuid: wire.uuid,
    name: wire.name ?? '',
    customName: wire.custom_name === '' ? null : wire.custom_name,
    groupId: group === null || group.id === null ? null : groupId(group.id),
    groupName: group === null ? null : group.name,
    osFamily: wire.os_family,
    osVersion: wire.os_version,
    addresses: listed(wire.ip_addr, wire.ip_addrs),
    privateAddresses: listed(wire.ip_addrs_private, wire.ip_addrs_prviate),
    tags: wire.tags ?? [],
  };
}

/** What either spelling lists, each address once. */
function listed(...spellings: readonly Wire['ip_addr'][]): readonly string[] {
  return [...new Set(spellings.flatMap((value) => value ?? []))].filter((address) => address !== '');
}
