/** Makes one device; facts that the options leave open come from its id and repeat at every start. */
import { DAY, HOUR, type Instant, later, MINUTE } from '../../../lib/clock.ts';
import type {
  DeviceNotices,
  MissingPatch,
  PatchHold,
  Platform,
  Software,
  WorldDevice,
} from '../world/model.ts';
import { createRandom, type SeededRandom, uuidOf } from '../world/random.ts';
import { NO_NOTICE, NO_NOTICES } from '../world/state/device-facts.ts';
import { softwareNamed, updatesFor } from './software.ts';

export type SeedDeviceOptions = {
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

type DeviceTimes = Pick<
  WorldDevice,
  'link' | 'lastSeen' | 'lastDisconnect' | 'lastRefresh' | 'lastUpdate' | 'bootedAt' | 'createTime'
>;

function deviceTimes(random: SeededRandom, options: SeedDeviceOptions, now: Instant): DeviceTimes {
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
    link: { kind: 'offline', since: gone, midReboot: false },
    lastSeen: later(gone, -random.int(10, 280) * 1_000),
    lastDisconnect: gone,
    lastRefresh: later(gone, -scanAge),
    lastUpdate: later(lastUpdate, -options.offlineForMs),
    bootedAt: later(gone, -upFor),
    createTime,
  };
}

function addressesOf(random: SeededRandom, id: number): Pick<WorldDevice, 'addresses' | 'privateAddresses'> {
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
