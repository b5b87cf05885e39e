/**
 * The objects of the world, independent of any interface: no JSON spelling, no profile. Mutable fields are changed only
 * by files of this folder.
 */
import type { Instant } from '../../../lib/clock.ts';

export type Family = 'Windows' | 'Mac' | 'Linux';

export type Platform = {
  readonly family: Family;
  readonly osName: string;
  readonly osVersion: string;
  readonly osVersionId: number;
  /** PowerShell version; here only Windows has one. */
  readonly shell: string | null;
  readonly vendor: string;
  readonly model: string;
  readonly cpu: string;
};

/** `null` means not determined, which differs from `no_known_cves`. */
export type WorldSeverity = 'critical' | 'high' | 'medium' | 'low' | 'no_known_cves' | null;

/** One version of one title. */
export type Software = {
  readonly id: number;
  /** The technical key, never with a space. */
  readonly name: string;
  /** Null where the service has none. */
  readonly displayName: string | null;
  readonly version: string;
  readonly repo: string;
  readonly severity: WorldSeverity;
  readonly cves: readonly string[];
  readonly cveScore: string | null;
  readonly requiresReboot: boolean;
};

export type PatchHold =
  | { readonly kind: 'none' }
  | { readonly kind: 'ignored'; readonly by: 'device' | 'group' }
  | { readonly kind: 'deferred'; readonly by: 'device' | 'group'; readonly until: Instant };

export type MissingPatch = { readonly software: Software; readonly hold: PatchHold };

export type Connectivity =
  | { readonly kind: 'online'; readonly since: Instant }
  /** `midReboot`: it went offline while restarting, so it returns freshly booted. */
  | { readonly kind: 'offline'; readonly since: Instant; readonly midReboot: boolean }
  | { readonly kind: 'rebooting'; readonly since: Instant };

export type WorldDevice = {
  readonly id: number;
  readonly uuid: string;
  readonly name: string;
  customName: string | null;
  groupId: number;
  readonly platform: Platform;
  readonly serial: string;
  tags: readonly string[];
  exception: boolean;
  addresses: readonly string[];
  readonly privateAddresses: readonly string[];
  /** Blank where nobody ever logged in. */
  lastUser: string;
  /** Null where it equals the last scan. */
  lastLogon: Instant | null;
  readonly timezone: string;
  readonly agentVersion: string;
  readonly createTime: Instant;
  /** Numbered titles on top of the usual ones, because some hosts list more than a page. */
  readonly extraTitles: number;
  /** Named in the design: spontaneous events leave it alone. */
  readonly reserved: boolean;
  link: Connectivity;
  /** Last check-in before it went offline. */
  lastSeen: Instant;
  lastDisconnect: Instant | null;
  /** Null until the first scan. */
  lastRefresh: Instant | null;
  lastUpdate: Instant | null;
  bootedAt: Instant;
  needsReboot: boolean;
  lastScanFailed: boolean;
  /** By name. */
  readonly missing: Map<string, MissingPatch>;
  /** Installed since the seed, by name. Replaced as a whole, so that devices without any share one map. */
  applied: ReadonlyMap<string, Software>;
  /** Policies other than patch policies that the device does not meet. */
  unmetPolicies: ReadonlySet<number>;
  /** Last run of each policy since the seed. */
  policyRuns: ReadonlyMap<number, Instant>;
  notices: DeviceNotices;
};

/** Notices to the users of a device, and their answers (§2.2). */
export type DeviceNotices = {
  readonly patch: DeviceNotice;
  readonly reboot: DeviceNotice;
};
export type DeviceNotice = {
  readonly sent: number;
  readonly deferrals: number;
  /** `answer`: the last notice has no answer yet. `user`: somebody deferred it. */
  readonly waitsFor: 'nobody' | 'answer' | 'user';
};

/** Never changed in place: an edit replaces it under the same id. */
export type WorldGroup = {
  readonly id: number;
  /** Blank for the Default group, which is its own parent. */
  readonly name: string;
  readonly parentId: number;
  readonly refreshMinutes: number;
  readonly color: string | null;
  readonly notes: string;
  /** Null leaves the setting to each device. */
  readonly osAutoUpdate: boolean | null;
  readonly policies: readonly number[];
  readonly wsus: WsusSettings | null;
};

/** The update server of the group's Windows devices; `managed` null leaves the setting to each device. */
type WsusSettings = {
  readonly managed: boolean | null;
  readonly server: string | null;
  readonly setAt: Instant;
};

export type DeviceFilterField =
  | 'os_family'
  | 'os_version_id'
  | 'ip_addr'
  | 'tag'
  | 'hostname'
  | 'organizational_unit'
  | 'serial_number';

export type DeviceFilterClause = {
  readonly field: DeviceFilterField;
  /** `is`: equal to one of the values; `contains`: contains one of them. */
  readonly test: 'is' | 'contains';
  /** Inverts the test. */
  readonly turned: boolean;
  readonly values: readonly string[];
};

/** Never changed in place: an edit replaces it under the same id. Groups link to it. */
export type WorldPolicy = {
  readonly id: number;
  readonly name: string;
  readonly type: 'patch' | 'custom' | 'required_software';
  readonly notes: string;
  /** As received: scripts and settings, some of them secret. */
  readonly configuration: Readonly<Record<string, unknown>>;
  /** Which devices of its groups it is for; without any, all of them. */
  readonly deviceFilters?: readonly DeviceFilterClause[];
  readonly schedule: WorldSchedule;
  readonly createTime: Instant;
};

/** Bit masks: Monday is 2 and Sunday 128; a policy without days runs only by hand. */
export type WorldSchedule = {
  readonly days: number;
  readonly weeksOfMonth: number;
  readonly months: number;
  /** `HH:MM` */
  readonly time: string;
  /** Where the time counts, such as `UTC+0100`; null: in each device's own zone. */
  readonly timezone: string | null;
};

export type WorldCommand =
  | { readonly kind: 'scan' }
  | { readonly kind: 'reboot' }
  | { readonly kind: 'install-all' }
  | { readonly kind: 'install'; readonly args: string }
  | { readonly kind: 'policy'; readonly policyId: number; readonly action: 'test' | 'remediate' };

export type WorldQueueEntry = {
  readonly id: number;
  readonly deviceId: number;
  readonly command: WorldCommand;
  readonly execTime: Instant;
  answer: { readonly text: string; readonly exitCode: number; readonly at: Instant } | null;
};

export type EventData = Readonly<Record<string, string | number | null>>;

export type WorldEvent = {
  readonly id: number;
  readonly name: string;
  readonly at: Instant;
  readonly userId: number | null;
  readonly deviceId: number | null;
  readonly deviceName: string | null;
  readonly policy: WorldPolicy | null;
  readonly data: EventData | null;
  /** No list shows it before. Absent: from the start. */
  readonly listedAt?: Instant;
  /** Its row states no time. */
  readonly timeless?: true;
};
