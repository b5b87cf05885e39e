/** What the service has, as it is read (§2). Values stay text where the interface explains no values. */
import type { Instant } from '../../lib/clock.ts';
import type {
  DeviceId,
  EventId,
  GroupId,
  OrganizationId,
  PolicyId,
  QueueEntryId,
  ServiceUserId,
} from '../../lib/ids.ts';
import type { Policy } from './policy.ts';

/** A device (§2.2), as far as we use it. Status words stay open strings: §3 gives only examples. */
export type Device = {
  readonly id: DeviceId;
  readonly uuid: string | null;
  readonly organizationId: OrganizationId;
  readonly groupId: GroupId | null;
  readonly instanceId: string | null;
  /** Hostname; may be empty. */
  readonly name: string;
  /** Name shown instead of the hostname; the live service sends "" when unset, which becomes null. */
  readonly customName: string | null;
  readonly osFamily: string | null;
  readonly osName: string | null;
  readonly osVersion: string | null;
  readonly osVersionId: number | null;
  readonly agentVersion: string | null;
  /** Offset text of the form `UTC-hhmm`. */
  readonly timezone: string | null;
  readonly refreshIntervalMinutes: number | null;
  /** Null: not stated, which is not the same as none. */
  readonly tags: readonly string[] | null;
  readonly addresses: readonly string[];
  readonly privateAddresses: readonly string[];
  readonly serialNumber: string | null;
  readonly lastLoggedInUser: string | null;
  readonly connected: boolean | null;
  readonly needsReboot: boolean | null;
  readonly pending: boolean | null;
  readonly compliant: boolean | null;
  readonly exception: boolean | null;
  readonly needsAttention: boolean | null;
  readonly lastScanFailed: boolean | null;
  /** All patches available. */
  readonly patches: number | null;
  /** Patches that active policies want and that are not installed. */
  readonly pendingPatches: number | null;
  /** Numeric text; its unit is disputed, so it is only ever compared with itself (§2.2). */
  readonly uptime: number | null;
  readonly deviceStatus: string | null;
  readonly agentStatus: string | null;
  readonly policyStatus: string | null;
  /** Empty in lists that were requested without it. */
  readonly policyStatuses: readonly DevicePolicyStatus[];
  readonly policyCompliance: readonly PolicyCompliance[];
  /** Only in the live service's read of one device; lists have none. */
  readonly policies: readonly Policy[];
  readonly deferrals: Deferrals;
  /** Null when the list was requested without details. */
  readonly detail: DeviceDetail | null;
  /** Newer than the interface document; null where the service does not say. */
  readonly compatible: boolean | null;
  readonly organizationalUnit: string | null;
  readonly notes: string | null;
  readonly createTime: Instant | null;
  readonly lastUpdateTime: Instant | null;
  readonly lastRefreshTime: Instant | null;
  readonly lastProcessTime: Instant | null;
  readonly lastDisconnectTime: Instant | null;
  readonly nextPatchTime: Instant | null;
};

/** The fields of a device that a list shows. */
export type ListedDevice = Pick<
  Device,
  | 'id'
  | 'name'
  | 'customName'
  | 'groupId'
  | 'osFamily'
  | 'osName'
  | 'osVersion'
  | 'connected'
  | 'needsReboot'
  | 'compliant'
  | 'pendingPatches'
>;

/** A software package on a device (§2.6). `name` is the machine key, `displayName` is for people. */
export type Package = {
  readonly id: number;
  readonly packageId: number | null;
  readonly softwareId: number | null;
  readonly packageVersionId: number | null;
  readonly name: string;
  readonly displayName: string;
  readonly version: string | null;
  readonly repo: string | null;
  readonly osName: string | null;
  readonly osVersion: string | null;
  readonly osVersionId: number | null;
  readonly createTime: Instant | null;
  readonly installed: boolean;
  /** Ignored on the device or in its group; `ignoredBy` says where. */
  readonly ignored: boolean;
  readonly ignoredBy: readonly PackageScope[];
  /** The later of the device's and the group's deferral; `deferredBy` says where they stand. */
  readonly deferredUntil: Instant | null;
  readonly deferredBy: readonly PackageScope[];
  /** critical, high, medium, low, no_known_cves, other words, or null: not determined. */
  readonly severity: string | null;
  /** The agent's own word or number for it. */
  readonly agentSeverity: string | null;
  readonly cves: readonly string[];
  /** Those of `cves` that are known to be exploited; newer than the interface document. */
  readonly exploitedCves: readonly string[];
  readonly cveScore: number | null;
  /** Probability of exploitation, 0 to 1; newer than the interface document. */
  readonly epssScore: number | null;
  readonly requiresReboot: boolean;
  readonly uninstallable: boolean | null;
  readonly managed: boolean | null;
  /** As sent; the interface shows no values (§2.6). */
  readonly impact: string | null;
  readonly patchScope: string | null;
  readonly classification: string | null;
  readonly secondaryId: string | null;
};

/** A package in the list of a whole organization. `id` numbers the rows of one reading. */
export type DevicePackage = { readonly id: number; readonly deviceId: DeviceId; readonly item: Package };

export type PackageScope = 'device' | 'group';

/** One entry of a device's command queue (§2.7). */
export type QueueEntry = {
  readonly id: QueueEntryId;
  /** One of the command types of §4.3, another word, or "". */
  readonly type: string;
  readonly args: string;
  readonly commandId: number | null;
  /** 3 beside `Reboot`; no legend is published. */
  readonly agentCommandType: number | null;
  readonly reboot: boolean | null;
  readonly policyId: PolicyId | null;
  /** May lie ahead: a scheduled command. */
  readonly execTime: Instant | null;
  /** Null until the device has answered. */
  readonly response: QueueResponse | null;
  readonly responseTime: Instant | null;
};

/** A device's answer to a command; each part is null when it was not stated. */
export type QueueResponse = {
  /** Signed 32 bit on Windows. */
  readonly exitCode: number | null;
  /** What the device printed. It may hold secrets, so it is never shown or stored. */
  readonly output: string | null;
};

/** A server group (§2.1). The Default Group has a blank name and is its own parent. */
export type Group = {
  readonly id: GroupId;
  readonly name: string;
  readonly organizationId: OrganizationId;
  readonly parentId: GroupId | null;
  /** Between two scans. */
  readonly refreshIntervalMinutes: number | null;
  /** As stored, such as `#059F1D`; `derived-fields.ts` knows how the console shows it. */
  readonly color: string | null;
  readonly notes: string | null;
  /** Null keeps the devices' own setting. */
  readonly osAutoUpdate: boolean | null;
  readonly wsus: WsusConfig | null;
  readonly policyIds: readonly PolicyId[];
  /** Devices in it; newer than the interface document. */
  readonly deviceCount: number | null;
};

/** Where devices of a group get their Windows updates; each part may be null on the live service. */
export type WsusConfig = { readonly managed: boolean | null; readonly server: string | null };

/** One patch as named in an event's data: its machine name and, in the newer form, the rest. */
export type PatchMention = {
  readonly name: string;
  readonly version: string | null;
  readonly displayName: string | null;
};

/** An event (§2.8) with the parts of `data` that we understand. */
export type FleetEvent = {
  readonly id: EventId;
  /** One of the names of §6, or a newer one: an open string. */
  readonly name: string;
  readonly userId: ServiceUserId | null;
  readonly deviceId: DeviceId | null;
  readonly deviceName: string | null;
  readonly policyId: PolicyId | null;
  readonly policyName: string | null;
  readonly policyType: string | null;
  readonly createTime: Instant | null;
  readonly patches: readonly PatchMention[];
  /** Why it failed, in the agent's words. */
  readonly failure: string | null;
  /** Free text of a policy action. */
  readonly text: string | null;
  /** Raw exit code of a policy action; 0 is success and a value. */
  readonly exitCode: number | null;
  readonly operatingSystem: string | null;
  readonly address: string | null;
  /** What the person answered to a notification on the device. */
  readonly notificationResponse: string | null;
  /** A number (documented) or a UUID (live), as text. */
  readonly notificationId: string | null;
  readonly scheduledTime: Instant | null;
  /** The user that an event names: personal data, so never for a shared channel. */
  readonly person: EventPerson | null;
};

export type EventPerson = {
  readonly firstName: string | null;
  readonly lastName: string | null;
  readonly email: string | null;
  readonly organizationName: string | null;
};

export function displayName(device: Pick<Device, 'customName' | 'name' | 'id'>): string {
  if (device.customName !== null && device.customName !== '') return device.customName;
  return device.name === '' ? `#${device.id}` : device.name;
}

/** A package that should be installed but is not: not installed, not ignored, not deferred into the future. */
export function isMissing(item: Package, now: Instant): boolean {
  if (item.installed || item.ignored) return false;
  return item.deferredUntil === null || item.deferredUntil <= now;
}

/** The status of a device under one policy (§2.4). */
export type DevicePolicyStatus = {
  readonly policyId: PolicyId | null;
  readonly policyName: string | null;
  readonly policyType: string | null;
  /** 0 needs remediation, 1 up to date, 2 pending; another number is shown as it is. */
  readonly status: number | null;
  /** Serialized object text; `{}` on the live service. */
  readonly result: string | null;
  readonly createTime: Instant | null;
  /** Unreliable on the live service. */
  readonly nextRemediation: Instant | null;
  /** Newer than the interface document. */
  readonly willReboot: boolean | null;
  readonly pendingCount: number | null;
};

/** From `status.policy_statuses` (§2.5); it may differ from {@link DevicePolicyStatus} by a row or two. */
export type PolicyCompliance = { readonly policyId: PolicyId; readonly compliant: boolean | null };

/** Notifications sent to the person at the device, and what is delayed because of them (§2.2). */
export type Deferrals = {
  readonly notifications: number | null;
  readonly rebootNotifications: number | null;
  readonly patchDeferrals: number | null;
  readonly rebootDeferrals: number | null;
  readonly delayedByNotification: boolean | null;
  readonly rebootDelayedByNotification: boolean | null;
  readonly delayedByUser: boolean | null;
  readonly rebootDelayedByUser: boolean | null;
};

/** The agent's report on hardware and system (§2.3). */
export type DeviceDetail = {
  readonly networkCards: readonly NetworkCard[];
  readonly addresses: readonly string[];
  readonly domainNames: readonly string[];
  readonly lastLogon: Logon | null;
  readonly volumes: readonly Volume[];
  readonly disks: readonly Disk[];
  readonly ramBytes: number | null;
  /** As it was sent. */
  readonly ramSent: string | null;
  readonly cpu: string | null;
  readonly vendor: string | null;
  readonly model: string | null;
  /** Of the board or model. */
  readonly version: string | null;
  readonly serial: string | null;
  readonly serviceTag: string | null;
  readonly shellVersion: string | null;
  readonly wmiIntegrity: string | null;
  readonly wsus: DeviceWsus | null;
  readonly autoUpdate: AutoUpdate | null;
  readonly updateSource: UpdateSource | null;
  /** Newer than the interface document. */
  readonly distinguishedName: string | null;
};

export type NetworkCard = {
  readonly type: string | null;
  readonly mac: string | null;
  readonly addresses: readonly string[];
  readonly connected: boolean | null;
  readonly vendor: string | null;
  readonly device: string | null;
};
export type Logon = {
  readonly source: string | null;
  readonly user: string | null;
  readonly time: Instant | null;
};
export type Volume = {
  readonly name: string | null;
  readonly label: string | null;
  readonly fileSystem: string | null;
  readonly systemDisk: boolean | null;
  /** `AVAIL`: the size of the volume, as recorded payloads show. */
  readonly sizeBytes: number | null;
  readonly freeBytes: number | null;
  /** As they were sent. */
  readonly sent: { readonly size: string | null; readonly free: string | null };
};
export type Disk = {
  readonly type: string | null;
  readonly sizeBytes: number | null;
  /** As it was sent. */
  readonly sent: string | null;
};
export type DeviceWsus = {
  readonly managed: boolean | null;
  readonly server: string | null;
  readonly reachable: boolean | null;
};
export type AutoUpdate = { readonly enabled: boolean | null; readonly options: readonly string[] };
export type UpdateSource = { readonly connected: boolean | null; readonly error: string | null };
