/** The seeded fleet: its systems, the named devices of the design, and as many more as requested. */

import { DAY, HOUR, type Instant, later, MINUTE } from '../../../lib/clock.ts';
import { NO_NOTICE, NO_NOTICES } from '../world/devices.ts';
import type {
  DeviceNotices,
  MissingPatch,
  PatchHold,
  Platform,
  Software,
  WorldDevice,
} from '../world/model.ts';
import { createRandom, type SeededRandom, uuidOf } from '../world/random.ts';
import { GROUP_IDS, SEEDED_POLICIES } from './organization.ts';
import { softwareNamed, updatesFor } from './software.ts';

const server = {
  vendor: 'Dell Inc.',
  model: 'PowerEdge R650',
  cpu: 'Intel(R) Xeon(R) Silver 4314 CPU @ 2.40GHz',
};
const laptop = { vendor: 'LENOVO', model: '21CBCTO1WW', cpu: '12th Gen Intel(R) Core(TM) i7-1255U' };
const kiosk = {
  vendor: 'Gigabyte Technology Co., Ltd.',
  model: 'BRi3H-10110',
  cpu: 'Intel(R) Core(TM) i3-10110U',
};
const mac = { vendor: 'Apple Inc.', model: 'Mac14,7', cpu: 'Apple M2' };

function platform(
  hardware: Pick<Platform, 'vendor' | 'model' | 'cpu'>,
  family: Platform['family'],
  [osName, osVersion, osVersionId]: readonly [name: string, version: string, versionId: number],
  shell: string | null = null,
): Platform {
  return { ...hardware, family, osName, osVersion, osVersionId, shell };
}

export const UBUNTU = platform(server, 'Linux', ['Ubuntu', '22.04', 5_201]);
const DEBIAN = platform(server, 'Linux', ['Debian', '12', 5_202]);
const REDHAT = platform(server, 'Linux', ['Red Hat Enterprise Linux', '9.4', 5_203]);
const WINDOWS_SERVER = platform(
  server,
  'Windows',
  ['Server 2022 Standard', '10.0.20348', 5_101],
  '5.1.20348.2652',
);
const WINDOWS_10 = platform(kiosk, 'Windows', ['10 Enterprise LTSC', '10.0.19045', 5_102], '5.1.19041.4894');
export const WINDOWS_11 = platform(laptop, 'Windows', ['11 Pro', '10.0.22631', 5_103], '5.1.22621.4111');
const MAC_SONOMA = platform(mac, 'Mac', ['macOS', '14.6.1', 5_301]);
const MAC_VENTURA = platform(mac, 'Mac', ['macOS', '13.6.9', 5_302]);

export const FIRST_DEVICE_ID = 4_001;

/** Fixed by the design: names, and facts on which people and checks rely. */
const NAMED: readonly SeedDeviceOptions[] = [
  {
    name: 'web-01',
    groupId: GROUP_IDS.linuxServers,
    platform: UBUNTU,
    tags: ['web', 'production'],
    needsReboot: true,
    missing: ['openssl', 'linux-image-generic', 'curl'],
  },
  {
    name: 'web-02',
    groupId: GROUP_IDS.linuxServers,
    platform: UBUNTU,
    tags: ['web', 'production'],
    missing: 2,
    held: 1,
  },
  {
    name: 'db-01',
    groupId: GROUP_IDS.databaseServers,
    platform: DEBIAN,
    tags: ['critical', 'production'],
    missing: ['postgresql-14', 'libc6'],
  },
  {
    name: 'win-ts-01',
    groupId: GROUP_IDS.windowsServers,
    platform: WINDOWS_SERVER,
    lastUser: 'CORP\\jsmith',
    needsReboot: true,
    missing: ['KB5042881', 'KB890830', '{7C1B4F0E-52A8-4D7C-9B9D-0C4F4E1D8A21}', 'GoogleChrome'],
  },
  { name: 'kiosk-07', groupId: GROUP_IDS.kiosks, platform: WINDOWS_10, offlineForMs: 9 * DAY, missing: 5 },
  {
    name: 'dup-01',
    groupId: GROUP_IDS.financeLaptops,
    platform: WINDOWS_11,
    serial: 'PF3DUP1A',
    lastUser: 'CORP\\amartin',
    missing: 3,
  },
  {
    name: 'dup-01',
    groupId: GROUP_IDS.engineeringLaptops,
    platform: WINDOWS_11,
    serial: 'PF3DUP2B',
    lastUser: 'CORP\\builder',
    offlineForMs: 41 * DAY,
    missing: 6,
  },
  { name: '<!channel> & *bold*', groupId: GROUP_IDS.kiosks, platform: WINDOWS_10, missing: 2, held: 1 },
  // More titles than one page.
  { name: 'build-01', groupId: GROUP_IDS.linuxServers, platform: UBUNTU, missing: 3, extraTitles: 620 },
  // Registered just now, not scanned yet.
  {
    name: 'desk-01',
    groupId: GROUP_IDS.default,
    platform: WINDOWS_11,
    ageMs: 20 * MINUTE,
    scanned: false,
    missing: 1,
  },
];

type DeviceKind = {
  readonly prefix: string;
  readonly groupId: number;
  readonly platforms: readonly Platform[];
  /** Out of twenty. */
  readonly share: number;
  readonly user?: boolean;
};

const DEVICE_KINDS: readonly DeviceKind[] = [
  { prefix: 'web', groupId: GROUP_IDS.linuxServers, platforms: [UBUNTU, DEBIAN], share: 2 },
  { prefix: 'app', groupId: GROUP_IDS.linuxServers, platforms: [UBUNTU, REDHAT], share: 2 },
  { prefix: 'build', groupId: GROUP_IDS.linuxServers, platforms: [UBUNTU], share: 1 },
  { prefix: 'db', groupId: GROUP_IDS.databaseServers, platforms: [DEBIAN, REDHAT], share: 1 },
  { prefix: 'win-fs', groupId: GROUP_IDS.windowsServers, platforms: [WINDOWS_SERVER], share: 1 },
  { prefix: 'win-ts', groupId: GROUP_IDS.windowsServers, platforms: [WINDOWS_SERVER], share: 1, user: true },
  { prefix: 'fin-lt', groupId: GROUP_IDS.financeLaptops, platforms: [WINDOWS_11], share: 3, user: true },
  {
    prefix: 'eng-lt',
    groupId: GROUP_IDS.engineeringLaptops,
    platforms: [WINDOWS_11, UBUNTU],
    share: 2,
    user: true,
  },
  { prefix: 'lt', groupId: GROUP_IDS.laptops, platforms: [WINDOWS_11], share: 1, user: true },
  { prefix: 'mac', groupId: GROUP_IDS.macs, platforms: [MAC_SONOMA, MAC_VENTURA], share: 2, user: true },
  { prefix: 'design', groupId: GROUP_IDS.designMacs, platforms: [MAC_SONOMA], share: 1, user: true },
  { prefix: 'kiosk', groupId: GROUP_IDS.kiosks, platforms: [WINDOWS_10], share: 2 },
  { prefix: 'desk', groupId: GROUP_IDS.default, platforms: [WINDOWS_11, WINDOWS_10], share: 1, user: true },
];

const NAMED_DEVICES = DEVICE_KINDS.flatMap((kind) => Array.from({ length: kind.share }, () => kind));
const RESERVED_NAMES = new Set(NAMED.map(({ name }) => name));

/** `count` devices at `now`; never fewer than the named ones. */
export function seedFleet(count: number, now: Instant): readonly WorldDevice[] {
  const named = NAMED.map((options) => ({ ...options, reserved: true }));
  const wishes = [...named, ...ordinaryDevices(Math.max(count - NAMED.length, 0))];
  return wishes.map((options, index) => seedDevice(FIRST_DEVICE_ID + index, options, now));
}

function ordinaryDevices(count: number): readonly SeedDeviceOptions[] {
  const random = createRandom('fleet');
  const numbers = new Map<string, number>();
  return Array.from({ length: count }, (_, index) => {
    const kind = NAMED_DEVICES[index % NAMED_DEVICES.length];
    if (kind === undefined) throw new Error('The plan of the fleet is empty.');
    return ordinaryDevice(random, kind, nextName(kind.prefix, numbers));
  });
}

/** Numbers count up per prefix and skip reserved names. */
function nextName(prefix: string, numbers: Map<string, number>): string {
  const number = (numbers.get(prefix) ?? 0) + 1;
  numbers.set(prefix, number);
  const name = `${prefix}-${String(number).padStart(2, '0')}`;
  return RESERVED_NAMES.has(name) ? nextName(prefix, numbers) : name;
}

function ordinaryDevice(random: SeededRandom, kind: DeviceKind, name: string): SeedDeviceOptions {
  const upToDate = random.chance(0.15);
  const age = random.chance(0.06) ? random.int(1, 28) * DAY : random.int(40, 900) * DAY;
  const away = random.chance(0.1) && age > 40 * DAY ? random.int(30, 60 * 24 * 60) * MINUTE : undefined;
  const unmet = SEEDED_POLICIES.filter(({ type }) => type !== 'patch' && random.chance(0.2));
  return {
    name,
    groupId: kind.groupId,
    platform: random.pick(kind.platforms),
    ageMs: age,
    missing: upToDate ? 0 : random.int(1, 6),
    // Half of the devices that are up to date lack nothing at all, so that `patchStatus=missing` excludes some.
    held: upToDate ? createRandom(`held on ${name}`).int(0, 1) : random.pick([0, 0, 0, 1, 2]),
    needsReboot: random.chance(0.12),
    exception: random.chance(0.03),
    unmetPolicies: unmet.map(({ id }) => id),
    ...(away === undefined ? {} : { offlineForMs: away }),
    ...(kind.user ? { lastUser: randomUser(random) } : {}),
    ...(kind.user && random.chance(0.15) ? { customName: `${name} (loan)` } : {}),
    ...(random.chance(0.05) ? { serial: 'Default string' } : {}),
  };
}

/** A user of a device. */
export function randomUser(random: SeededRandom): string {
  return `CORP\\${random.pick(['jsmith', 'amartin', 'tlee', 'mgarcia', 'okim', 'pnovak', 'sdiaz', 'rhaas'])}`;
}

type SeedDeviceOptions = {
  readonly name: string;
  readonly groupId: number;
  readonly platform: Platform;
  readonly customName?: string;
  readonly tags?: readonly string[];
  readonly lastUser?: string;
  readonly serial?: string;
  readonly needsReboot?: boolean;
  readonly exception?: boolean;
  /** Names of patches, or how many. */
  readonly missing?: readonly string[] | number;
  /** Further patches that are ignored or deferred, chosen at random. */
  readonly held?: number;
  /** Offline for this long; absent: online. */
  readonly offlineForMs?: number;
  readonly ageMs?: number;
  readonly extraTitles?: number;
  readonly unmetPolicies?: readonly number[];
  readonly reserved?: boolean;
  readonly scanned?: boolean;
};

const AGENT_VERSIONS = ['1.0-38', '1.42.9', '1.43.12'];
const TIMEZONES = ['UTC+0000', 'UTC+0100', 'UTC-0500', 'UTC-0700'];

/** The device that the options describe, as it is at `now`. */
export function seedDevice(id: number, options: SeedDeviceOptions, now: Instant): WorldDevice {
  const random = createRandom(`device ${id}`);
  const times = deviceTimes(random, options, now);
  return {
    id,
    uuid: uuidOf(`device ${id}`),
    name: options.name,
    customName: options.customName ?? null,
    groupId: options.groupId,
    platform: options.platform,
    serial: options.serial ?? `SN${random.int(0x100000, 0xffffff).toString(16).toUpperCase()}${id}`,
    tags: options.tags ?? [],
    exception: options.exception ?? false,
    ...addressesOf(random, id),
    lastUser: options.lastUser ?? '',
    lastLogon: null,
    timezone: random.pick(TIMEZONES),
    agentVersion: random.pick(AGENT_VERSIONS),
    extraTitles: options.extraTitles ?? 0,
    reserved: options.reserved ?? false,
    ...times,
    needsReboot: options.needsReboot ?? false,
    lastScanFailed: false,
    missing: missingPatches(random, options, now),
    applied: NO_PATCHES_APPLIED,
    unmetPolicies: options.unmetPolicies?.length ? new Set(options.unmetPolicies) : NO_POLICIES,
    policyRuns: NEVER_RAN,
    notices: seedNotices(id, options),
  };
}

// Most devices have none: in a large fleet they share one map.
const NO_PATCHES_APPLIED: WorldDevice['applied'] = new Map();
const NO_POLICIES: WorldDevice['unmetPolicies'] = new Set();
const NEVER_RAN: WorldDevice['policyRuns'] = new Map();

/** On a device with a user, patches were deferred up to twice; on a named device no notice is waiting. */
function seedNotices(id: number, { lastUser, reserved }: SeedDeviceOptions): DeviceNotices {
  if (lastUser === undefined) return NO_NOTICES;
  return (reserved ? PAST_DEFERRALS : NOTICE_SENT)[id % NOTICE_SENT.length] ?? NO_NOTICES;
}

const PAST_DEFERRALS: readonly DeviceNotices[] = [0, 1, 2].map((deferrals) => ({
  patch: { sent: deferrals, deferrals, waitsFor: 'nobody' },
  reboot: NO_NOTICE,
}));
const NOTICE_SENT: readonly DeviceNotices[] = PAST_DEFERRALS.map(({ patch, reboot }) => ({
  patch: { ...patch, waitsFor: patch.deferrals === 0 ? 'nobody' : 'user' },
  reboot,
}));

function deviceTimes(random: SeededRandom, options: SeedDeviceOptions, now: Instant) {
  const createTime = later(now, -(options.ageMs ?? random.int(40, 900) * DAY));
  const lastUpdate = later(now, -random.int(2, 25) * DAY);
  const upFor = random.int(1, 38) * DAY + random.int(0, DAY);
  const scanAge = random.int(5 * MINUTE, 5 * HOUR);
  if (options.offlineForMs === undefined) {
    const since = later(now, -Math.min(upFor, options.ageMs ?? upFor));
    const lastRefresh =
      options.scanned === false ? null : later(now, -Math.min(scanAge, options.ageMs ?? scanAge));
    const lastDisconnect = random.chance(0.7) && options.scanned !== false ? later(since, -4 * MINUTE) : null;
    const link = { kind: 'online', since } as const;
    return { link, lastSeen: now, lastDisconnect, lastRefresh, lastUpdate, bootedAt: since, createTime };
  }
  const gone = later(now, -options.offlineForMs);
  return {
    link: { kind: 'offline', since: gone, midReboot: false } as const,
    lastSeen: later(gone, -random.int(10, 280) * 1_000),
    lastDisconnect: gone,
    lastRefresh: later(gone, -scanAge),
    lastUpdate: later(lastUpdate, -options.offlineForMs),
    bootedAt: later(gone, -upFor),
    createTime,
  };
}

function addressesOf(random: SeededRandom, id: number) {
  const privateAddresses = [`10.20.${(id >> 8) & 255}.${id & 255}`];
  if (random.chance(0.2))
    privateAddresses.push(`fe80::${id.toString(16)}:${random.int(1, 0xffff).toString(16)}`);
  // 203.0.113.0/24 is for documentation (RFC 5737).
  return { addresses: random.chance(0.1) ? [] : [`203.0.113.${random.int(1, 254)}`], privateAddresses };
}

function missingPatches(
  random: SeededRandom,
  options: SeedDeviceOptions,
  now: Instant,
): WorldDevice['missing'] {
  const { family } = options.platform;
  const { missing = 0, held = 0 } = options;
  const requested =
    typeof missing === 'number'
      ? random.sample(updatesFor(family), missing)
      : missing.map((name) => softwareNamed(family, name));
  const others = updatesFor(family).filter((software) => !requested.includes(software));
  return new Map([
    ...requested.map((software) => [software.name, wantedPatch(software)] as const),
    ...random
      .sample(others, held)
      .map((software) => [software.name, { software, hold: patchHold(random, now) }] as const),
  ]);
}

const NO_HOLD: PatchHold = { kind: 'none' };
const WANTED_PATCHES = new Map<Software, MissingPatch>();

/** One object shared by all devices that lack it. */
function wantedPatch(software: Software): MissingPatch {
  const known = WANTED_PATCHES.get(software) ?? { software, hold: NO_HOLD };
  WANTED_PATCHES.set(software, known);
  return known;
}

function patchHold(random: SeededRandom, now: Instant): PatchHold {
  const by = random.pick(['device', 'group'] as const);
  if (random.chance(0.5)) return { kind: 'ignored', by };
  return { kind: 'deferred', by, until: later(now, random.int(10, 60) * DAY) };
}
