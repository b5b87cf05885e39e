/** Which channels an alert goes to, and which silence keeps it: pure. */

import { createHash } from 'node:crypto';
import type { ConfigurationFile } from '../config/configuration-file.ts';
import { isPolicyEventKind, shownStoredReason } from '../fleet/model/event-text.ts';
import type { DeviceLabels } from '../inventory/device-labels.ts';
import { type Instant, MINUTE } from '../lib/clock.ts';
import type { ChannelId, DeviceId } from '../lib/ids.ts';
import { fold } from '../lib/text.ts';
import type {
  AlertFilter,
  SilenceRecord,
  SilenceScope,
  SubscriptionRecord,
} from '../store/port/alert-records.ts';
import type { AlertKind, AlertRecord } from '../store/port/records.ts';

export type AlertChannels = Pick<ConfigurationFile['channels'], 'patchAlerts' | 'newDevices'>;

export type AlertRouting = {
  readonly channels: AlertChannels;
  readonly subscriptions: readonly SubscriptionRecord[];
  readonly silences: readonly SilenceRecord[];
};

/** What is known of devices; one that is not there is not known. */
export type DeviceLabelMap = ReadonlyMap<DeviceId, DeviceLabels>;

/** Where the configuration file has alerts of this kind go. */
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

/** Each channel once. What is not known of a device hides nothing: then its alert is told. */
export function channelsFor(
  alert: AlertRecord,
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

/** The numbers of the silences that keep it, the first first. What is not known of a device keeps nothing. */
export function silencesFor(
  alert: AlertRecord,
  { silences }: AlertRouting,
  labels: DeviceLabelMap,
  now: Instant,
): readonly number[] {
  return silences
    .filter(({ until }) => now < until)
    .filter(({ scope }) => isSilenced(alert, scope, labels))
    .map(({ number }) => number);
}

/**
 * The channels of which such a silence keeps everything: all kinds that come there, of whatever device. Direct messages
 * are not among them.
 */
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

/** The devices of which something must be known before these can be routed. */
export function devicesNeedingLabels(
  alerts: readonly AlertRecord[],
  routing: AlertRouting,
): ReadonlySet<DeviceId> {
  const kinds = new Set<AlertKind>();
  for (const { filter, kinds: wanted } of routing.subscriptions)
    if (filter.group !== null || filter.tag !== null || filter.os !== null)
      for (const kind of wanted) kinds.add(kind);
  const ofGroups = routing.silences.filter(({ scope }) => scope.group !== null);
  const asks = ({ kind }: AlertRecord) =>
    kinds.has(kind) || ofGroups.some(({ scope }) => isOfKind(kind, scope));
  return new Set(alerts.filter(asks).flatMap(({ deviceId }) => deviceId ?? []));
}

/** Null: not known. */
function matchesFilter(
  alert: AlertRecord,
  { group, policy, tag, os }: AlertFilter,
  labels: DeviceLabelMap,
): boolean | null {
  if (policy !== null && alert.policyId !== policy.id) return false;
  if (group === null && tag === null && os === null) return true;
  // Nothing about a device is of no group.
  if (alert.deviceId === null) return false;
  const known = labels.get(alert.deviceId);
  if (known === undefined) return null;
  return (
    (group === null || known.groups.includes(group.id)) &&
    (tag === null || known.tags.some((one) => fold(one) === fold(tag))) &&
    (os === null || fold(known.system).includes(fold(os)))
  );
}

function isSilenced(alert: AlertRecord, scope: SilenceScope, labels: DeviceLabelMap): boolean {
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

/** Which alerts stand on one card together: pure. */

/** From its first alert on a card takes more of the same for so long; what comes later begins a new one. */
export const ALERT_GROUP_MS = 15 * MINUTE;

/**
 * Equal for alerts that say the same of different devices: kind, patches, policy and reason. Null for one that stands
 * alone: a new device, which is looked at by itself, and what states no cause, since two of those need not be one.
 */
export function alertGroupKey({ kind, packages, policyId, exitCode, reason }: AlertRecord): string | null {
  if (kind === 'device-added') return null;
  if (kind === 'patch-failed' && packages.length === 0) return null;
  if (isPolicyEventKind(kind) && policyId === null) return null;
  const names = packages.map(({ name }) => fold(name)).toSorted();
  // One patch that fails by several policies fails for one reason.
  const policy = kind === 'patch-failed' ? [] : [policyId, exitCode];
  const identity = JSON.stringify([kind, names, policy, fold(shownStoredReason({ kind, reason }) ?? '')]);
  return createHash('sha256').update(identity).digest('hex').slice(0, 32);
}
