/** What fields mean together: names and times of devices, the state and severity of packages, colors of groups. Pure. */
import type { Instant } from '../../lib/clock.ts';
import type { GroupId } from '../../lib/ids.ts';
import { fold } from '../../lib/text.ts';
import { type Device, type Group, isMissing, type Package, type Volume } from './resources.ts';

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

/** These groups and those below them. The tree is the service's to keep; a ring in it must not hold us up. */
export function descendants(
  roots: readonly GroupId[],
  all: Iterable<Pick<Group, 'id' | 'parentId'>>,
): ReadonlySet<GroupId> {
  const children = Map.groupBy(all, (group) => group.parentId);
  const met = new Set(roots);
  for (const id of met) for (const child of children.get(id) ?? []) met.add(child.id);
  return met;
}

/** A group with those below it; the default group, which stands above all (§2.1), means only itself. */
export function withSubgroups(
  group: Pick<Group, 'id' | 'name' | 'parentId'>,
  all: Iterable<Pick<Group, 'id' | 'parentId'>>,
): ReadonlySet<GroupId> {
  return isDefaultGroup(group) ? new Set([group.id]) : descendants([group.id], all);
}

type Times = Pick<Device, 'lastDisconnectTime' | 'lastUpdateTime' | 'lastRefreshTime' | 'lastProcessTime'>;

/** The latest of its times, null when the service states none. A connected device is seen now. */
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

/** Each package is in one of these; only `missing` should be installed and is not. */
export type PackageState = 'missing' | 'deferred' | 'ignored' | 'installed';

/** The state of a package at this time: a deferral expires. */
export function packageState(item: Package, now: Instant): PackageState {
  if (item.installed) return 'installed';
  if (item.ignored) return 'ignored';
  return isMissing(item, now) ? 'missing' : 'deferred';
}

/** The severities that a person can name, worst first ("management API in practice" 5.2). */
export const SEVERITIES = ['critical', 'high', 'medium', 'low'] as const;
export type Severity = (typeof SEVERITIES)[number];

/** Unknown words of the service rank after the known ones; "not determined" is no word at all. */
const SEVERITY_RANKS: readonly string[] = [...SEVERITIES, 'no_known_cves'];

/** Lower is worse; a missing severity ranks last. */
export function severityRank(severity: string | null): number {
  if (severity === null || severity === '') return SEVERITY_RANKS.length + 1;
  const rank = SEVERITY_RANKS.indexOf(severity.toLowerCase());
  return rank === -1 ? SEVERITY_RANKS.length : rank;
}

export type SeverityCount = { readonly severity: string | null; readonly count: number };

/** Counts packages by severity, worst first; `severity` is null for those without one. */
export function countSeverities(items: readonly Pick<Package, 'severity'>[]): readonly SeverityCount[] {
  const groups = Map.groupBy(items, ({ severity }) => (severity === '' ? null : severity));
  return [...groups]
    .map(([severity, all]) => ({ severity, count: all.length }))
    .toSorted((a, b) => severityRank(a.severity) - severityRank(b.severity));
}

/** Whether the package has one of these severities, in any capitalization. */
export function hasSeverity({ severity }: Pick<Package, 'severity'>, wanted: readonly string[]): boolean {
  return severity !== null && wanted.includes(severity.toLowerCase());
}

/** The colors of groups (§2.1): the service stores any, its console knows nine by name. */
export const COLORS = [
  { name: 'Pine Green', value: '#059F1D' },
  { name: 'Salmon', value: '#CC6666' },
  { name: 'Lemonade', value: '#E9FF03' },
  { name: 'Bubblegum', value: '#FFa4c0' },
  { name: 'Colorado Snow', value: '#FFFFFF' },
  { name: 'Battleship Hull', value: '#61666F' },
  { name: 'Utah Clay', value: '#D78500' },
  { name: 'Electric Violet', value: '#BD0FE1' },
  { name: 'Forgot Sunscreen', value: '#F65C23' },
] as const;

/** The value to send for `#RRGGBB` or for one of the nine names, however they are capitalized; null for other texts. */
export function colorValue(text: string): string | null {
  const wanted = text.trim();
  return isColor(wanted)
    ? wanted
    : (COLORS.find(({ name }) => equalsIgnoringCase(name, wanted))?.value ?? null);
}

export function isColor(text: string): boolean {
  return /^#[0-9a-f]{6}$/i.test(text);
}

/** How the console's editor shows a stored color: by its name, any other one as the first, Pine Green. Null for none. */
export function colorName(value: string | null): string | null {
  if (value === null) return null;
  return (COLORS.find((color) => equalsIgnoringCase(color.value, value)) ?? COLORS[0]).name;
}

function equalsIgnoringCase(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}
