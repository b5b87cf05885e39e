/** A device as a row of a filter preview (§4.2). */
import type { Profile } from '../profiles.ts';
import type { WorldDevice, WorldGroup } from '../world/model.ts';
import { organizationalUnit } from '../world/state/device-facts.ts';
import { briefGroupJson } from './group-json.ts';

export type PreviewView = {
  readonly organizationId: number;
  readonly profile: Profile;
  readonly groups: ReadonlyMap<number, WorldGroup>;
};

export function previewJson(device: WorldDevice, { organizationId, profile, groups }: PreviewView): object {
  const group = groups.get(device.groupId);
  return {
    id: device.id,
    uuid: device.uuid,
    name: device.name,
    custom_name: device.customName ?? '',
    server_group: group === undefined ? null : briefGroupJson(group, organizationId),
    os_version: device.platform.osVersion,
    os_family: device.platform.family,
    ...addresses(device, profile),
    tags: device.tags,
    ...(profile.newerFields ? { organizational_unit: unitsOf(device) } : {}),
  };
}

/** A list here, although the device itself has a text. */
function unitsOf(device: WorldDevice): readonly string[] {
  const unit = organizationalUnit(device);
  return unit === '' ? [] : [unit];
}

function addresses(device: WorldDevice, { previewAddresses: names }: Profile): object {
  return {
    [names.public]: names.public === 'ip_addr' ? (device.addresses[0] ?? '') : device.addresses,
    [names.private]: device.privateAddresses,
  };
}
