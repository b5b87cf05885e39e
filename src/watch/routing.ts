/** Which channels an alert goes to, and which silence keeps it: pure. */
import type { Instant } from '../clock.ts';
import type { ChannelId, DeviceId } from '../ids.ts';
import type { DeviceTraits } from '../inventory/traits.ts';
import type { Policy } from '../policy.ts';
import type { AlertFilter, SilenceRecord, SilenceScope, SubscriptionRecord } from '../store/alert-records.ts';
import type { AlertKind, AlertRecord } from '../store/records.ts';
import { fold } from '../text.ts';

export type AlertChannels = Pick<Policy['channels'], 'patchAlerts' | 'newDevices'>;

export type Rules = {
  readonly channels: AlertChannels;
  readonly subscriptions: readonly SubscriptionRecord[];
  readonly silences: readonly SilenceRecord[];
};

/** What is known of devices; one that is not there is not known. */
export type Traits = ReadonlyMap<DeviceId, DeviceTraits>;

/** Where the configuration file has alerts of this kind go. */
export function fixedChannel(kind: AlertKind, channels: AlertChannels): ChannelId | null {
  switch (kind) {
    case 'patch-failed':
      return channels.patchAlerts;
    case 'device-added':
      return channels.newDevices;
    default:
      return null;
  }
}

/** Each channel once. What is not known of a device hides nothing: then its alert is told. */
export function channelsOf(alert: AlertRecord, rules: Rules, traits: Traits): readonly ChannelId[] {
  const fixed = fixedChannel(alert.kind, rules.channels);
  const wanted = rules.subscriptions
    .filter(({ kinds }) => kinds.includes(alert.kind))
    .filter(({ filter }) => fits(alert, filter, traits) !== false)
    .map(({ channel }) => channel);
  return [...new Set(fixed === null ? wanted : [fixed, ...wanted])];
}

/** The numbers of the silences that keep it, the first first. What is not known of a device keeps nothing. */
export function silencesOf(
  alert: AlertRecord,
  { silences }: Rules,
  traits: Traits,
  now: Instant,
): readonly number[] {
  return silences
    .filter(({ until }) => now < until)
    .filter(({ scope }) => isKept(alert, scope, traits))
    .map(({ number }) => number);
}

/**
 * The channels of which such a silence keeps everything: all kinds that come there, of whatever device. Direct messages
 * are not among them.
 */
export function channelsSilenced(
  { kinds, group, device, patch }: SilenceScope,
  { channels, subscriptions }: Pick<Rules, 'channels' | 'subscriptions'>,
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

/** The devices of which something must be known before these can be routed. */
export function devicesAsked(alerts: readonly AlertRecord[], rules: Rules): ReadonlySet<DeviceId> {
  const kinds = new Set<AlertKind>();
  for (const { filter, kinds: wanted } of rules.subscriptions)
    if (filter.group !== null || filter.tag !== null || filter.os !== null)
      for (const kind of wanted) kinds.add(kind);
  const ofGroups = rules.silences.filter(({ scope }) => scope.group !== null);
  const asks = ({ kind }: AlertRecord) =>
    kinds.has(kind) || ofGroups.some(({ scope }) => isOfKind(kind, scope));
  return new Set(alerts.filter(asks).flatMap(({ deviceId }) => deviceId ?? []));
}

/** Null: not known. */
function fits(alert: AlertRecord, { group, policy, tag, os }: AlertFilter, traits: Traits): boolean | null {
  if (policy !== null && alert.policyId !== policy.id) return false;
  if (group === null && tag === null && os === null) return true;
  // Nothing about a device is of no group.
  if (alert.deviceId === null) return false;
  const known = traits.get(alert.deviceId);
  if (known === undefined) return null;
  return (
    (group === null || known.groups.includes(group.id)) &&
    (tag === null || known.tags.some((one) => fold(one) === fold(tag))) &&
    (os === null || fold(known.system).includes(fold(os)))
  );
}

function isKept(alert: AlertRecord, scope: SilenceScope, traits: Traits): boolean {
  const { group, device, patch } = scope;
  if (!isOfKind(alert.kind, scope)) return false;
  if (device !== null && alert.deviceId !== device.id) return false;
  if (patch !== null && !alert.packages.some(({ name }) => fold(name) === fold(patch))) return false;
  if (group === null) return true;
  const known = alert.deviceId === null ? undefined : traits.get(alert.deviceId);
  return known?.groups.includes(group.id) ?? false;
}

function isOfKind(kind: AlertKind, { kinds }: SilenceScope): boolean {
  return kinds.length === 0 || kinds.includes(kind);
}
