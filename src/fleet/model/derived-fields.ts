import type { Instant } from '../../lib/clock.ts';
import { fold } from '../../lib/text.ts';
import type { Volume } from './device-parts.ts';
import type { Device, Group } from './resources.ts';

/** How Windows names begin without their family: `11 Pro`, `10 Enterprise LTSC`, `Server 2022 Standard`. */
const WINDOWS_NAME =
  /^(?:(?:xp|vista|7|8|8\.1|1\d) +(?:pro|home|enterprise|education|business|ultimate|iot|se)\b|server +(?:20|19)\d\d\b)/i;

/**
 * The name of a device's operating system as people say it: name and version, or else the family; null when the
 * service says nothing. The service omits the family from Windows names (`11 Pro`, `Server 2022 Standard`), where
 * people do not. Events state no family (§2.8), so there a Windows name is recognized by its form.
 */
export function systemName({
  osFamily,
  osName,
  osVersion,
}: Pick<Device, 'osFamily' | 'osName'> & Partial<Pick<Device, 'osVersion'>>): string | null {
  const named = [osName, osVersion ?? null].filter((part) => part !== null && part !== '').join(' ');
  if (named === '') return osFamily === '' ? null : osFamily;
  const isWindows =
    osFamily === null || osFamily === '' ? WINDOWS_NAME.test(named) : osFamily.toLowerCase() === 'windows';
  const isImplied = isWindows && !named.toLowerCase().includes('windows');
  return isImplied ? `Windows ${named}` : named;
}

/** What people call a group: its name; the organization's default group has a blank one (§2.1). */
export function groupLabel({ name }: Pick<Group, 'name'>): string {
  return fold(name) === '' ? 'Default group' : name;
}

/** The group above all others: its name is blank (§2.1); on the live service it is its own parent. */
export function isDefaultGroup({ id, name, parentId }: Pick<Group, 'id' | 'name' | 'parentId'>): boolean {
  return parentId === id || fold(name) === '';
}

type Times = Pick<Device, 'lastDisconnectTime' | 'lastUpdateTime' | 'lastRefreshTime' | 'lastProcessTime'>;

/**
 * When a device was last heard from: the latest of its times, null when the service states none. A connected device
 * is seen now.
 */
export function lastSeenAt(device: Times): Instant | null {
  const { lastDisconnectTime, lastUpdateTime, lastRefreshTime, lastProcessTime } = device;
  let latest: Instant | null = null;
  for (const time of [lastDisconnectTime, lastUpdateTime, lastRefreshTime, lastProcessTime]) {
    if (time !== null && (latest === null || time > latest)) latest = time;
  }
  return latest;
}

/** Free space of a volume in percent; null where a size is missing or impossible. */
export function freePercent({
  sizeBytes,
  freeBytes,
}: Pick<Volume, 'sizeBytes' | 'freeBytes'>): number | null {
  if (sizeBytes === null || freeBytes === null || sizeBytes <= 0 || freeBytes < 0 || freeBytes > sizeBytes) {
    return null;
  }
  return Math.floor((freeBytes / sizeBytes) * 100);
}
