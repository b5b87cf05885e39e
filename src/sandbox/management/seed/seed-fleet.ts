/** The seeded fleet: the named devices of the design, and as many more as requested. */
import { DAY, type Instant, MINUTE } from '../../../lib/clock.ts';
import type { Platform, WorldDevice } from '../world/model.ts';
import { createRandom, type SeededRandom } from '../world/random.ts';
import {
  DEBIAN,
  MAC_SONOMA,
  MAC_VENTURA,
  REDHAT,
  UBUNTU,
  WINDOWS_10,
  WINDOWS_11,
  WINDOWS_SERVER,
} from './platforms.ts';
import { type SeedDeviceOptions, seedDevice } from './seed-device.ts';
import { GROUP_IDS } from './seed-groups.ts';
import { SEEDED_POLICIES } from './seed-policies.ts';

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
    held: upToDate ? devicesOnCurrentSystem(name) : random.pick([0, 0, 0, 1, 2]),
    needsReboot: random.chance(0.12),
    exception: random.chance(0.03),
    unmetPolicies: unmet.map(({ id }) => id),
    ...(away === undefined ? {} : { offlineForMs: away }),
    ...(kind.user ? { lastUser: randomUser(random) } : {}),
    ...(kind.user && random.chance(0.15) ? { customName: `${name} (loan)` } : {}),
    ...(random.chance(0.05) ? { serial: 'Default string' } : {}),
  };
}

/** Half of the devices that are up to date lack nothing at all, so that `patchStatus=missing` excludes some. */
function devicesOnCurrentSystem(name: string): number {
  return createRandom(`held on ${name}`).int(0, 1);
}

/** A user of a device. */
export function randomUser(random: SeededRandom): string {
  return `CORP\\${random.pick(['jsmith', 'amartin', 'tlee', 'mgarcia', 'okim', 'pnovak', 'sdiaz', 'rhaas'])}`;
}
