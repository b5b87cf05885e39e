/** The nested parts of a device (§2.2 to §2.5): types only. Values stay text where the interface explains no values. */
import type { Instant } from '../../lib/clock.ts';
import type { PolicyId } from '../../lib/ids.ts';

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
