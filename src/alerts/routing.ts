/** Decides which channels an alert goes to and which silence holds it, by facts of its device. */
import type { ConfigurationFile } from '../config/configuration-file.ts';
import type { FleetReader } from '../fleet/fleet.ts';
import type { Inventory, Snapshot } from '../inventory/inventory.ts';
import type { Instant } from '../lib/clock.ts';
import type { ChannelId, DeviceId, GroupId } from '../lib/ids.ts';
import type { Log } from '../lib/log.ts';
import { fold } from '../lib/text.ts';
import type {
  AlertFilter,
  AlertKind,
  EventFacts,
  SilenceRecord,
  SilenceScope,
  SubscriptionRecord,
} from '../store/port/alert-records.ts';

export type AlertChannels = Pick<ConfigurationFile['channels'], 'patchAlerts' | 'newDevices'>;

export type AlertRouting = {
  readonly channels: AlertChannels;
  readonly subscriptions: readonly SubscriptionRecord[];
  readonly silences: readonly SilenceRecord[];
};

/** Labels by device; absent for devices that could not be read. */
export type DeviceLabelMap = ReadonlyMap<DeviceId, DeviceLabels>;

/** The channel that the configuration file sets for this kind; null for kinds without one. */
export function configuredChannel(kind: AlertKind, channels: AlertChannels): ChannelId | null {
  switch (kind) {
    case 'patch-failed':
      return channels.patchAlerts;
    case 'device-added':
      return channels.newDevices;
    default:
      return null;
  }
}

/** The channels for an alert, each once. A filter that cannot be checked lets the alert through. */
export function channelsFor(
  alert: EventFacts,
  routing: AlertRouting,
  labels: DeviceLabelMap,
): readonly ChannelId[] {
  const fixed = configuredChannel(alert.kind, routing.channels);
  const wanted = routing.subscriptions
    .filter(({ kinds }) => kinds.includes(alert.kind))
    .filter(({ filter }) => matchesFilter(alert, filter, labels) !== false)
    .map(({ channel }) => channel);
  return [...new Set(fixed === null ? wanted : [fixed, ...wanted])];
}

/** Numbers of the silences that match an alert, oldest first. A scope that cannot be checked does not match. */
export function silencesFor(
  alert: EventFacts,
  { silences }: AlertRouting,
  labels: DeviceLabelMap,
  now: Instant,
): readonly number[] {
  return silences
    .filter(({ until }) => now < until)
    .filter(({ scope }) => isSilenced(alert, scope, labels))
    .map(({ number }) => number);
}

/** Those of which it holds every kind that they get, of every device. Without direct messages. */
export function fullySilencedChannels(
  { kinds, group, device, patch }: SilenceScope,
  { channels, subscriptions }: Pick<AlertRouting, 'channels' | 'subscriptions'>,
): readonly ChannelId[] {
  if (group !== null || device !== null || patch !== null) return [];
  const wanted = new Map<ChannelId, AlertKind[]>();
  const add = (channel: ChannelId, more: readonly AlertKind[]) =>
    wanted.set(channel, [...(wanted.get(channel) ?? []), ...more]);
  add(channels.patchAlerts, ['patch-failed']);
  add(channels.newDevices, ['device-added']);
  for (const one of subscriptions) if (one.person === null) add(one.channel, one.kinds);
  return [...wanted]
    .filter(([, come]) => kinds.length === 0 || come.every((kind) => kinds.includes(kind)))
    .map(([channel]) => channel);
}

/** The devices whose labels are needed to route these alerts. */
export function devicesNeedingLabels(
  alerts: readonly EventFacts[],
  routing: AlertRouting,
): ReadonlySet<DeviceId> {
  const kinds = new Set<AlertKind>();
  for (const { filter, kinds: wanted } of routing.subscriptions)
    if (filter.group !== null || filter.tag !== null || filter.os !== null)
      for (const kind of wanted) kinds.add(kind);
  const ofGroups = routing.silences.filter(({ scope }) => scope.group !== null);
  const asks = ({ kind }: EventFacts) =>
    kinds.has(kind) || ofGroups.some(({ scope }) => isOfKind(kind, scope));
  return new Set(alerts.filter(asks).flatMap(({ deviceId }) => deviceId ?? []));
}

/** Null where the device's labels are not known. */
function matchesFilter(
  alert: EventFacts,
  { group, policy, tag, os }: AlertFilter,
  labels: DeviceLabelMap,
): boolean | null {
  if (policy !== null && alert.policyId !== policy.id) return false;
  if (group === null && tag === null && os === null) return true;
  // An alert without a device belongs to no group, tag or system.
  if (alert.deviceId === null) return false;
  const known = labels.get(alert.deviceId);
  if (known === undefined) return null;
  return (
    (group === null || known.groups.includes(group.id)) &&
    (tag === null || known.tags.some((one) => fold(one) === fold(tag))) &&
    (os === null || fold(known.system).includes(fold(os)))
  );
}

function isSilenced(alert: EventFacts, scope: SilenceScope, labels: DeviceLabelMap): boolean {
  const { group, device, patch } = scope;
  if (!isOfKind(alert.kind, scope)) return false;
  if (device !== null && alert.deviceId !== device.id) return false;
  if (patch !== null && !alert.packages.some(({ name }) => fold(name) === fold(patch))) return false;
  if (group === null) return true;
  const known = alert.deviceId === null ? undefined : labels.get(alert.deviceId);
  return known?.groups.includes(group.id) ?? false;
}

function isOfKind(kind: AlertKind, { kinds }: SilenceScope): boolean {
  return kinds.length === 0 || kinds.includes(kind);
}

/** The labels of a device that subscriptions and silences filter by. */
export type DeviceLabels = {
  readonly groups: readonly GroupId[];
  readonly tags: readonly string[];
  /** All names of its operating system in one text. */
  readonly system: string;
};

/** Maximum devices that are read one by one because the index lacks them; the others stay unknown. */
const MAX_SINGLE_READS = 20;

type DeviceLabelsOptions = {
  readonly inventory: Pick<Inventory, 'snapshot'>;
  readonly fleet: Pick<FleetReader, 'device'>;
  readonly log: Log;
};

/** Never rejects: a device that can't be read is left out. */
export function createDeviceLabelReader({ inventory, fleet, log }: DeviceLabelsOptions) {
  const read = async (id: DeviceId) => {
    try {
      return await fleet.device(id, { lane: 'background' });
    } catch {
      return null;
    }
  };

  return async (ids: ReadonlySet<DeviceId>): Promise<ReadonlyMap<DeviceId, DeviceLabels>> => {
    const found = new Map<DeviceId, DeviceLabels>();
    let groups: Snapshot['groups'] = new Map();
    try {
      const snapshot = await inventory.snapshot();
      groups = snapshot.groups;
      for (const device of snapshot.devices)
        if (ids.has(device.id)) found.set(device.id, labelsOf(device, groups));
    } catch (error) {
      log.warn({ event: 'traits.unread', err: error }, 'could not read device groups and tags');
    }
    const unknown = [...ids].filter((id) => !found.has(id)).slice(0, MAX_SINGLE_READS);
    for (const id of unknown) {
      const device = await read(id);
      if (device !== null) found.set(id, labelsOf(device, groups));
    }
    return found;
  };
}

type LabelSource = {
  readonly groupId: GroupId | null;
  readonly tags: readonly string[] | null;
  readonly osFamily: string | null;
  readonly osName: string | null;
  readonly osVersion: string | null;
};

function labelsOf(
  { groupId, tags, osFamily, osName, osVersion }: LabelSource,
  groups: Snapshot['groups'],
): DeviceLabels {
  return {
    groups: groupWithAncestors(groupId, groups),
    tags: tags ?? [],
    system: [osFamily, osName, osVersion].filter((part) => part !== null).join(' '),
  };
}

/** The service maintains the tree; a cycle in it must not loop forever. The default group is its own parent (§2.1). */
function groupWithAncestors(id: GroupId | null, groups: Snapshot['groups']): readonly GroupId[] {
  const visited = new Set<GroupId>();
  for (let at = id; at !== null && !visited.has(at); ) {
    visited.add(at);
    const parent = groups.get(at)?.parentId ?? null;
    // A group directly below the default group does not count as part of it.
    at = parent === null || groups.get(parent)?.parentId === parent ? null : parent;
  }
  return [...visited];
}
