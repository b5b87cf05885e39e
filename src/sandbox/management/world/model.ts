/**
 * The things of the world as they are, before any interface writes them down: no JSON spelling, no profile.
 * What can change is mutable here, and only the files of this folder change it.
 */
import type { Instant } from '../../../lib/clock.ts';

export type Family = 'Windows' | 'Mac' | 'Linux';

export type Platform = {
  readonly family: Family;
  readonly osName: string;
  readonly osVersion: string;
  readonly osVersionId: number;
  /** Version of PowerShell; only Windows has one here. */
  readonly shell: string | null;
  readonly vendor: string;
  readonly model: string;
  readonly cpu: string;
};

/** `null` means not determined, which is not the same as `no_known_cves`. */
export type WorldSeverity = 'critical' | 'high' | 'medium' | 'low' | 'no_known_cves' | null;

/** One version of one title. */
export type Software = {
  readonly id: number;
  /** The machine's key, never with a space. */
  readonly name: string;
  /** Absent where the service has none. */
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
  /** `midReboot`: it went away while starting again, so it comes back freshly booted. */
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
  /** Null where it is as old as the last scan. */
  lastLogon: Instant | null;
  readonly timezone: string;
  readonly agentVersion: string;
  readonly createTime: Instant;
  /** Titles from a numbered series on top of the usual ones: some hosts list more than a page holds. */
  readonly extraTitles: number;
  /** Named in the design: chance leaves it alone. */
  readonly reserved: boolean;
  link: Connectivity;
  /** Last check-in before it went away. */
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
  /** Installed since the seed, by name. Replaced as a whole, so that devices without share one. */
  applied: ReadonlyMap<string, Software>;
  /** Policies that are not about patches and that the device does not meet. */
  unmetPolicies: ReadonlySet<number>;
  /** When each policy ran last since the seed. */
  policyRuns: ReadonlyMap<number, Instant>;
  notices: DeviceNotices;
};

/** What the people at a device were told and what they said (§2.2). */
export type DeviceNotices = {
  readonly patch: DeviceNotice;
  readonly reboot: DeviceNotice;
};
export type DeviceNotice = {
  readonly sent: number;
  readonly deferrals: number;
  /** `answer`: nobody has said anything to the last one. `user`: somebody put it off. */
  readonly waitsFor: 'nobody' | 'answer' | 'user';
};

/** Never changed in place: an edit puts another into the world under the same id. */
export type WorldGroup = {
  readonly id: number;
  /** Blank for the Default group, which is its own parent. */
  readonly name: string;
  readonly parentId: number;
  readonly refreshMinutes: number;
  readonly color: string | null;
  readonly notes: string;
  /** Null leaves each device its own setting. */
  readonly osAutoUpdate: boolean | null;
  readonly policies: readonly number[];
  readonly wsus: WsusSettings | null;
};

/** Where the group's Windows devices get their updates from; `managed` null leaves each its own setting. */
export type WsusSettings = {
  readonly managed: boolean | null;
  readonly server: string | null;
  readonly setAt: Instant;
};

export type WorldPolicyType = 'patch' | 'custom' | 'required_software';

/** Never changed in place: an edit puts another into the world under the same id. Its groups link to it. */
export type WorldPolicy = {
  readonly id: number;
  readonly name: string;
  readonly type: WorldPolicyType;
  readonly notes: string;
  /** As it was given: scripts and settings, some of them secret. */
  readonly configuration: Readonly<Record<string, unknown>>;
  readonly schedule: WorldSchedule;
  readonly createTime: Instant;
};

/** Bit masks: Monday is 2 and Sunday 128; a policy without days does not run by itself. */
export type WorldSchedule = {
  readonly days: number;
  readonly weeksOfMonth: number;
  readonly months: number;
  /** `HH:MM` */
  readonly time: string;
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
  answer: { readonly text: string; readonly at: Instant } | null;
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
};
