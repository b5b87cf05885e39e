/** Fleet data for tests: every field set to something ordinary, any of them overridden. */

import type {
  Deferrals,
  Device,
  DeviceDetail,
  DevicePolicyStatus,
  FleetEvent,
  Group,
  Organization,
  Package,
  Policy,
  QueueEntry,
  QueueResponse,
} from '../../src/fleet/model/resources.ts';
import { type Instant, instant, later, MINUTE } from '../../src/lib/clock.ts';
import { deviceId, eventId, groupId, organizationId, policyId, queueEntryId } from '../../src/lib/ids.ts';

/** 2026-11-20T10:00:00Z: the start of tests. */
export const START: Instant = instant(1_795_168_800_000);

const NO_DEFERRALS: Deferrals = {
  notifications: 0,
  rebootNotifications: 0,
  patchDeferrals: 0,
  rebootDeferrals: 0,
  delayedByNotification: false,
  rebootDelayedByNotification: false,
  delayedByUser: false,
  rebootDelayedByUser: false,
};

/** Of a device that reported nothing of it. */
export const NO_DETAIL: DeviceDetail = {
  networkCards: [],
  addresses: [],
  domainNames: [],
  lastLogon: null,
  volumes: [],
  disks: [],
  ramBytes: null,
  ramSent: null,
  cpu: null,
  vendor: null,
  model: null,
  version: null,
  serial: null,
  serviceTag: null,
  shellVersion: null,
  wmiIntegrity: null,
  wsus: null,
  autoUpdate: null,
  updateSource: null,
  distinguishedName: null,
};

export function aDevice(over: Partial<Device> = {}): Device {
  return {
    id: deviceId(1001),
    uuid: 'b7f14c91-31c8-415b-9639-43de765fbe7e',
    organizationId: organizationId(7),
    groupId: groupId(20),
    instanceId: null,
    name: 'web-01',
    customName: null,
    osFamily: 'Linux',
    osName: 'Ubuntu',
    osVersion: '24.04',
    osVersionId: 4737,
    agentVersion: '1.42.3',
    timezone: 'UTC+0000',
    refreshIntervalMinutes: 1_440,
    tags: ['web'],
    addresses: ['203.0.113.10'],
    privateAddresses: ['10.0.0.10'],
    serialNumber: 'SN-1001',
    lastLoggedInUser: 'deploy',
    connected: true,
    needsReboot: true,
    pending: true,
    compliant: false,
    exception: false,
    needsAttention: false,
    lastScanFailed: false,
    patches: 3,
    pendingPatches: 3,
    uptime: 864_000,
    deviceStatus: 'ready',
    agentStatus: 'connected',
    policyStatus: 'non-compliant',
    policyStatuses: [],
    policyCompliance: [],
    policies: [],
    deferrals: NO_DEFERRALS,
    detail: null,
    compatible: null,
    organizationalUnit: null,
    notes: null,
    createTime: later(START, -90 * 24 * 60 * MINUTE),
    lastUpdateTime: later(START, -20 * MINUTE),
    lastRefreshTime: later(START, -30 * MINUTE),
    lastProcessTime: later(START, -30 * MINUTE),
    lastDisconnectTime: later(START, -3 * 24 * 60 * MINUTE),
    nextPatchTime: null,
    ...over,
  };
}

export function aPackage(over: Partial<Package> = {}): Package {
  return {
    id: 501,
    name: 'openssl',
    displayName: 'OpenSSL',
    version: '3.0.14',
    installed: false,
    ignored: false,
    ignoredBy: [],
    deferredUntil: null,
    deferredBy: [],
    severity: 'high',
    cves: ['CVE-2026-0001'],
    exploitedCves: [],
    cveScore: 7.5,
    epssScore: null,
    requiresReboot: false,
    ...over,
  };
}

export function aGroup(over: Partial<Group> = {}): Group {
  return {
    id: groupId(20),
    name: 'Linux servers',
    parentId: groupId(1),
    refreshIntervalMinutes: 1_440,
    color: null,
    notes: null,
    osAutoUpdate: null,
    wsus: null,
    policyIds: [],
    deviceCount: null,
    ...over,
  };
}

/** Every day at two. */
export function aPolicy(over: Partial<Policy> = {}): Policy {
  return {
    id: policyId(12),
    name: 'Apply All Patches',
    type: 'patch',
    notes: null,
    status: 'active',
    nextRemediation: null,
    schedule: { days: 254, weeksOfMonth: 62, months: 8_190, time: '02:00', timezone: 'device' },
    settings: {},
    digest: 'c0ffee',
    selectsByTag: false,
    groupIds: [groupId(20)],
    deviceCount: null,
    createTime: null,
    ...over,
  };
}

/** How a device stands with its policy, which it met. */
export function aPolicyStatus(over: Partial<DevicePolicyStatus> = {}): DevicePolicyStatus {
  return {
    policyId: policyId(12),
    policyName: 'Harden SSH',
    policyType: 'custom',
    status: 0,
    result: '{}',
    createTime: START,
    nextRemediation: null,
    willReboot: null,
    pendingCount: null,
    ...over,
  };
}

export function anOrganization(over: Partial<Organization> = {}): Organization {
  return {
    id: organizationId(7),
    name: 'Acme',
    tier: 'complete',
    createTime: null,
    deviceCount: 240,
    deviceLimit: 500,
    ...over,
  };
}

export function aQueueEntry(over: Partial<QueueEntry> = {}): QueueEntry {
  return {
    id: queueEntryId(9001),
    type: 'Reboot',
    args: '',
    policyId: null,
    execTime: later(START, -2 * MINUTE),
    response: null,
    responseTime: null,
    ...over,
  };
}

/** A device's answer. */
export function aResponse(exitCode: number | null = null): QueueResponse {
  return { exitCode };
}

export function anEvent(over: Partial<FleetEvent> = {}): FleetEvent {
  return {
    id: eventId(70_001),
    name: 'system.patch.failed',
    userId: null,
    deviceId: deviceId(1001),
    deviceName: 'web-01',
    policyId: null,
    policyName: null,
    createTime: later(START, -5 * MINUTE),
    patches: [{ name: 'openssl', version: '3.0.14', displayName: 'OpenSSL' }],
    failure: 'exit status 100: held packages',
    text: null,
    exitCode: null,
    operatingSystem: 'Ubuntu 24.04',
    address: '10.0.0.10',
    notificationResponse: null,
    scheduledTime: null,
    ...over,
  };
}

export const said = (id: number) => anEvent({ id: eventId(id) });

/** A failure of openssl on device 7, later with every id. */
export function aFleetEvent(id: number, changes: Partial<FleetEvent> = {}): FleetEvent {
  return anEvent({
    id: eventId(id),
    deviceId: deviceId(7),
    createTime: instant(1_000_000 + id),
    patches: [{ name: 'openssl', version: null, displayName: null }],
    failure: 'exit code 100',
    operatingSystem: 'Ubuntu',
    address: null,
    ...changes,
  });
}
