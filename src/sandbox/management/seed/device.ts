/** Makes one device: what is not said about it is worked out from its id, the same at every start. */
import { DAY, HOUR, type Instant, later, MINUTE } from '../../../clock.ts';
import type { Device, Hold, MissingPatch, Notices, Platform, Software } from '../world/model.ts';
import { NO_NOTICE, NO_NOTICES } from '../world/notices.ts';
import { createRandom, type Random, uuidOf } from '../world/random.ts';
import { softwareNamed, updatesFor } from './software-of.ts';

export type Wish = {
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
  /** How many patches more are ignored or deferred; chance says which of both. */
  readonly held?: number;
  /** Away for this long; absent: online. */
  readonly offlineForMs?: number;
  readonly ageMs?: number;
  readonly extraTitles?: number;
  readonly unmetPolicies?: readonly number[];
  readonly reserved?: boolean;
  readonly scanned?: boolean;
};

const AGENT_VERSIONS = ['1.0-38', '1.42.9', '1.43.12'];
const TIMEZONES = ['UTC+0000', 'UTC+0100', 'UTC-0500', 'UTC-0700'];

/** The device `wish` asks for, as it stands at `now`. */
export function makeDevice(id: number, wish: Wish, now: Instant): Device {
  const random = createRandom(`device ${id}`);
  const times = timesOf(random, wish, now);
  return {
    id,
    uuid: uuidOf(`device ${id}`),
    name: wish.name,
    customName: wish.customName ?? null,
    groupId: wish.groupId,
    platform: wish.platform,
    serial: wish.serial ?? `SN${random.int(0x100000, 0xffffff).toString(16).toUpperCase()}${id}`,
    tags: wish.tags ?? [],
    exception: wish.exception ?? false,
    ...addressesOf(random, id),
    lastUser: wish.lastUser ?? '',
    lastLogon: null,
    timezone: random.pick(TIMEZONES),
    agentVersion: random.pick(AGENT_VERSIONS),
    extraTitles: wish.extraTitles ?? 0,
    reserved: wish.reserved ?? false,
    ...times,
    needsReboot: wish.needsReboot ?? false,
    lastScanFailed: false,
    missing: missingOf(random, wish, now),
    applied: NOTHING,
    unmetPolicies: wish.unmetPolicies?.length ? new Set(wish.unmetPolicies) : NO_POLICIES,
    policyRuns: NEVER_RAN,
    notices: noticesOf(id, wish),
  };
}

// Most devices have none of these: in a large fleet they share one.
const NOTHING: Device['applied'] = new Map();
const NO_POLICIES: Device['unmetPolicies'] = new Set();
const NEVER_RAN: Device['policyRuns'] = new Map();

/** Where somebody sits, patches were put off once or twice; who is known by name waits for nobody. */
function noticesOf(id: number, { lastUser, reserved }: Wish): Notices {
  if (lastUser === undefined) return NO_NOTICES;
  return (reserved ? TOLD_BEFORE : TOLD)[id % TOLD.length] ?? NO_NOTICES;
}

const TOLD_BEFORE: readonly Notices[] = [0, 1, 2].map((deferrals) => ({
  patch: { sent: deferrals, deferrals, waitsFor: 'nobody' },
  reboot: NO_NOTICE,
}));
const TOLD: readonly Notices[] = TOLD_BEFORE.map(({ patch, reboot }) => ({
  patch: { ...patch, waitsFor: patch.deferrals === 0 ? 'nobody' : 'user' },
  reboot,
}));

type Times = Pick<
  Device,
  'link' | 'lastSeen' | 'lastDisconnect' | 'lastRefresh' | 'lastUpdate' | 'bootedAt' | 'createTime'
>;

function timesOf(random: Random, wish: Wish, now: Instant): Times {
  const createTime = later(now, -(wish.ageMs ?? random.int(40, 900) * DAY));
  const lastUpdate = later(now, -random.int(2, 25) * DAY);
  const upFor = random.int(1, 38) * DAY + random.int(0, DAY);
  const scanAge = random.int(5 * MINUTE, 5 * HOUR);
  if (wish.offlineForMs === undefined) {
    const since = later(now, -Math.min(upFor, wish.ageMs ?? upFor));
    const lastRefresh = wish.scanned === false ? null : later(now, -Math.min(scanAge, wish.ageMs ?? scanAge));
    const lastDisconnect = random.chance(0.7) && wish.scanned !== false ? later(since, -4 * MINUTE) : null;
    const link = { kind: 'online', since } as const;
    return { link, lastSeen: now, lastDisconnect, lastRefresh, lastUpdate, bootedAt: since, createTime };
  }
  const gone = later(now, -wish.offlineForMs);
  return {
    link: { kind: 'offline', since: gone, midReboot: false },
    lastSeen: later(gone, -random.int(10, 280) * 1_000),
    lastDisconnect: gone,
    lastRefresh: later(gone, -scanAge),
    lastUpdate: later(lastUpdate, -wish.offlineForMs),
    bootedAt: later(gone, -upFor),
    createTime,
  };
}

function addressesOf(random: Random, id: number): Pick<Device, 'addresses' | 'privateAddresses'> {
  const privateAddresses = [`10.20.${(id >> 8) & 255}.${id & 255}`];
  if (random.chance(0.2))
    privateAddresses.push(`fe80::${id.toString(16)}:${random.int(1, 0xffff).toString(16)}`);
  // 203.0.113.0/24 is for documentation (RFC 5737).
  return { addresses: random.chance(0.1) ? [] : [`203.0.113.${random.int(1, 254)}`], privateAddresses };
}

function missingOf(random: Random, wish: Wish, now: Instant): Device['missing'] {
  const { family } = wish.platform;
  const { missing = 0, held = 0 } = wish;
  const wanted =
    typeof missing === 'number'
      ? random.sample(updatesFor(family), missing)
      : missing.map((name) => softwareNamed(family, name));
  const others = updatesFor(family).filter((software) => !wanted.includes(software));
  return new Map([
    ...wanted.map((software) => [software.name, wantedPatch(software)] as const),
    ...random
      .sample(others, held)
      .map((software) => [software.name, { software, hold: holdOf(random, now) }] as const),
  ]);
}

const NO_HOLD: Hold = { kind: 'none' };
const WANTED = new Map<Software, MissingPatch>();

/** One for all the devices that lack it. */
function wantedPatch(software: Software): MissingPatch {
  const known = WANTED.get(software) ?? { software, hold: NO_HOLD };
  WANTED.set(software, known);
  return known;
}

function holdOf(random: Random, now: Instant): Hold {
  const by = random.pick(['device', 'group'] as const);
  if (random.chance(0.5)) return { kind: 'ignored', by };
  return { kind: 'deferred', by, until: later(now, random.int(10, 60) * DAY) };
}
