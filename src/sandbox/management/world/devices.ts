/** Facts derived from a device's state and the time. Pure. */
import { DAY, HOUR, type Instant, instant, MINUTE } from '../../../lib/clock.ts';
import { installedAtSeed } from '../seed/software.ts';
import type {
  DeviceFilterClause,
  DeviceFilterField,
  DeviceNotice,
  DeviceNotices,
  MissingPatch,
  Software,
  WorldDevice,
  WorldGroup,
  WorldPolicy,
  WorldSchedule,
} from './model.ts';

/** How often an agent that is online checks in. */
const CHECK_IN_MS = 5 * MINUTE;

/** A device that has been silent for this long needs attention (the console's own report uses 30 days). */
const SILENT_MS = 30 * DAY;

/** Windows devices have joined the domain; others are in no organizational unit. */
export function organizationalUnit({ platform: { family, osName } }: WorldDevice): string {
  if (family !== 'Windows') return '';
  return osName.startsWith('Server') ? 'OU=Servers,DC=corp,DC=example' : 'OU=Workstations,DC=corp,DC=example';
}

export function isConnected(device: WorldDevice): boolean {
  return device.link.kind === 'online';
}

/** The last check-in: every few minutes while the device is online. */
export function lastProcessTime(device: WorldDevice, now: Instant): Instant {
  if (device.link.kind !== 'online') return device.lastSeen;
  const phase = (device.id * 7_919) % CHECK_IN_MS;
  return instant(Math.max(now - ((now - phase) % CHECK_IN_MS), device.link.since));
}

/** Milliseconds since boot, as measured at the last scan. */
export function uptimeAtScan(device: WorldDevice): number {
  return Math.max((device.lastRefresh ?? device.bootedAt) - device.bootedAt, 0);
}

export function needsAttention(device: WorldDevice, now: Instant): boolean {
  const silent = device.link.kind !== 'online' && now - device.lastSeen > SILENT_MS;
  return silent || device.lastScanFailed;
}

export type NoticeSubject = keyof DeviceNotices;

export const NO_NOTICE: DeviceNotice = { sent: 0, deferrals: 0, waitsFor: 'nobody' };
export const NO_NOTICES: DeviceNotices = { patch: NO_NOTICE, reboot: NO_NOTICE };

export function setNotice(device: WorldDevice, about: NoticeSubject, notice: DeviceNotice): void {
  if (device.notices[about] !== notice) device.notices = { ...device.notices, [about]: notice };
}

/** Neither ignored nor deferred beyond `now`. */
function isWanted(patch: MissingPatch, now: Instant): boolean {
  if (patch.hold.kind === 'none') return true;
  return patch.hold.kind === 'deferred' && patch.hold.until <= now;
}

/** Patches that active policies want and the device lacks. */
export function pendingPatches(device: WorldDevice, now: Instant): readonly MissingPatch[] {
  return [...device.missing.values()].filter((patch) => isWanted(patch, now));
}

/** Whether there is any, without building the list. */
export function hasPending(device: WorldDevice, now: Instant): boolean {
  for (const patch of device.missing.values()) if (isWanted(patch, now)) return true;
  return false;
}

/** The seed's titles and later installs, minus what is missing again. */
export function installedOn(device: WorldDevice): readonly Software[] {
  const seeded = installedAtSeed(device).filter(({ name }) => !device.applied.has(name));
  return [...seeded, ...device.applied.values()].filter(({ name }) => !device.missing.has(name));
}

export function setMissing(device: WorldDevice, software: Software): void {
  device.missing.set(software.name, { software, hold: { kind: 'none' } });
}

/** Installs the named patches that are missing; returns what was installed. A patch may leave a reboot required. */
export function install(device: WorldDevice, names: readonly string[], now: Instant): readonly Software[] {
  const installed = names.flatMap((name) => device.missing.get(name)?.software ?? []);
  for (const { name } of installed) device.missing.delete(name);
  device.applied = new Map([
    ...device.applied,
    ...installed.map((software) => [software.name, software] as const),
  ]);
  if (installed.some(({ requiresReboot }) => requiresReboot)) device.needsReboot = true;
  if (installed.length > 0) device.lastUpdate = now;
  if (!hasPending(device, now)) setNotice(device, 'patch', NO_NOTICE);
  return installed;
}

/** 0 needs remediation, 1 up to date, 2 pending. */
export type WorldPolicyStatus = 0 | 1 | 2;

type WithPolicies = {
  readonly groups: ReadonlyMap<number, WorldGroup>;
  readonly policies: ReadonlyMap<number, WorldPolicy>;
};

export function mapById<T extends { readonly id: number }>(things: readonly T[]): Map<number, T> {
  return new Map(things.map((item) => [item.id, item]));
}

/** The policies linked to the device's own group; those of a parent do not count. */
export function policiesOf(
  world: WithPolicies,
  device: Pick<WorldDevice, 'groupId'>,
): readonly WorldPolicy[] {
  const linked = world.groups.get(device.groupId)?.policies ?? [];
  const found: WorldPolicy[] = [];
  for (const id of linked) {
    const policy = world.policies.get(id);
    if (policy !== undefined) found.push(policy);
  }
  return found;
}

export function policyStatusOn(device: WorldDevice, policy: WorldPolicy, now: Instant): WorldPolicyStatus {
  if (policy.type !== 'patch') return device.unmetPolicies.has(policy.id) ? 0 : 1;
  let status: WorldPolicyStatus = 1;
  for (const patch of device.missing.values()) {
    if (!isWanted(patch, now)) continue;
    if (patch.software.severity === 'critical') return 0;
    status = 2;
  }
  return status;
}

/** The device ran the policy at `now`. */
export function recordRun(device: WorldDevice, policy: WorldPolicy, now: Instant): void {
  device.policyRuns = new Map([...device.policyRuns, [policy.id, now]]);
}

/**
 * The next run of a schedule after `now`, UTC; null where it runs only by hand.
 * Assumption (§2.4): the masks of weeks and months exclude nothing.
 */
export function nextRun({ days, time }: WorldSchedule, now: Instant): Instant | null {
  if (days === 0) return null;
  const inDay = Number(time.slice(0, 2)) * HOUR + Number(time.slice(3)) * MINUTE;
  const today = Math.floor(now / DAY);
  for (let day = today; day <= today + 7; day++) {
    const at = day * DAY + inDay;
    if (at > now && runsOnDay(days, day)) return instant(at);
  }
  return null;
}

/** The first day of the epoch was a Thursday. Days are bits: Monday is 2, Sunday 128 ("in practice" 9). */
function runsOnDay(days: number, day: number): boolean {
  const sinceMonday = (day + 3) % 7;
  return (days & (2 << sinceMonday)) !== 0;
}

export const EXACT_FIELDS = ['os_family', 'os_version_id'] as const satisfies readonly DeviceFilterField[];
export const TEXT_FIELDS = [
  'ip_addr',
  'tag',
  'hostname',
  'organizational_unit',
  'serial_number',
] as const satisfies readonly DeviceFilterField[];

/** Whether the policy, linked to the device's group, is for this device. */
export function covers({ deviceFilters }: WorldPolicy, device: WorldDevice): boolean {
  return deviceFilters === undefined || matchesAll(device, deviceFilters);
}

/** The policies of the device's group that are for this device. */
export function policiesFor(world: WithPolicies, device: WorldDevice): readonly WorldPolicy[] {
  return policiesOf(world, device).filter((policy) => covers(policy, device));
}

/** Clauses are joined by "and", the values of one by "or" (§2.9). */
export function matchesAll(device: WorldDevice, filters: readonly DeviceFilterClause[]): boolean {
  return filters.every((filter) => matchesClause(device, filter));
}

/**
 * Assumption (§2.9): `ip_addr` looks at public and private addresses, `hostname` at the name that the device gives
 * itself and not at its custom name; upper and lower case are the same.
 */
const FILTERED_VALUES: Readonly<Record<DeviceFilterField, (device: WorldDevice) => readonly string[]>> = {
  os_family: ({ platform }) => [platform.family],
  os_version_id: ({ platform }) => [String(platform.osVersionId)],
  ip_addr: ({ addresses, privateAddresses }) => [...addresses, ...privateAddresses],
  tag: ({ tags }) => tags,
  hostname: ({ name }) => [name],
  organizational_unit: (device) => [organizationalUnit(device)],
  serial_number: ({ serial }) => [serial],
};

function matchesClause(device: WorldDevice, { field, test, turned, values }: DeviceFilterClause): boolean {
  const own = FILTERED_VALUES[field](device);
  const found =
    test === 'is'
      ? own.some((value) => values.includes(value))
      : own.some((value) => values.some((part) => value.toLowerCase().includes(part.toLowerCase())));
  return found !== turned;
}
