/** Records as tests need them: every field set to something ordinary, any of them overridden. */
import { later, MINUTE } from '../../src/lib/clock.ts';
import {
  alertId,
  approvalId,
  deviceId,
  eventId,
  groupId,
  operationId,
  organizationId,
  personId,
} from '../../src/lib/ids.ts';
import type {
  AlertRecord,
  ApprovalRecord,
  DeviceFacts,
  OperationRecord,
  RecentOperation,
  TargetRecord,
} from '../../src/store/port/records.ts';
import { START } from './builders.ts';

export function someFacts(over: Partial<DeviceFacts> = {}): DeviceFacts {
  return {
    deviceId: deviceId(1001),
    hostname: 'web-01',
    displayName: 'web-01',
    groupId: groupId(20),
    groupName: 'Linux servers',
    osFamily: 'Linux',
    osName: 'Ubuntu',
    osVersion: '24.04',
    connected: true,
    lastDisconnectTime: later(START, -3 * 24 * 60 * MINUTE),
    lastLoggedInUser: 'deploy',
    pendingPatches: 3,
    needsReboot: true,
    missing: [],
    policy: null,
    editable: null,
    asOf: START,
    ...over,
  };
}

export function anApproval(over: Partial<ApprovalRecord> = {}): ApprovalRecord {
  return {
    organizationId: organizationId(7),
    id: approvalId('a_1'),
    version: 1,
    state: 'waiting',
    command: { kind: 'reboot' },
    targets: [someFacts()],
    seal: 'seal-1',
    fingerprint: 'fingerprint-1',
    requesterId: personId('UOPERATOR'),
    requestKey: 'command:1',
    reason: 'kernel update',
    createdAt: START,
    expiresAt: later(START, 30 * MINUTE),
    decidedBy: null,
    decidedAt: null,
    approvedBy: null,
    approvedAt: null,
    note: null,
    operationId: null,
    ...over,
  };
}

export function aTarget(over: Partial<TargetRecord> = {}): TargetRecord {
  return {
    operationId: operationId('o_1'),
    deviceId: deviceId(1001),
    displayName: 'web-01',
    state: 'accepted',
    before: {
      at: START,
      connected: true,
      lastRefreshTime: later(START, -30 * MINUTE),
      lastDisconnectTime: later(START, -3 * 24 * 60 * MINUTE),
      uptime: 864_000,
      needsReboot: true,
      queueIds: [],
      missing: [],
      policy: null,
    },
    queueEntryId: null,
    issuedAt: START,
    acceptedAt: later(START, 1_000),
    queuedAt: null,
    missedAt: null,
    answeredAt: null,
    endedAt: null,
    response: null,
    evidence: null,
    endCause: null,
    deadlineAt: later(START, 60 * MINUTE),
    ...over,
  };
}

export function anOperation(over: Partial<OperationRecord> = {}): OperationRecord {
  return {
    organizationId: organizationId(7),
    id: operationId('o_1'),
    version: 1,
    approvalId: null,
    command: { kind: 'scan' },
    requesterId: personId('UOPERATOR'),
    requestKey: 'command:1',
    reason: null,
    createdAt: START,
    targets: [aTarget()],
    ...over,
  };
}

/** Requested when it was made, unless given otherwise. */
export function aRecentOperation(over: Partial<RecentOperation> = {}): RecentOperation {
  const operation = anOperation(over);
  return { requestedAt: operation.createdAt, ...operation };
}

export function anAlert(over: Partial<AlertRecord> = {}): AlertRecord {
  return {
    organizationId: organizationId(7),
    id: alertId('n_1'),
    kind: 'patch-failed',
    eventId: eventId(70_001),
    deviceId: deviceId(1001),
    deviceName: 'web-01',
    packages: [{ name: 'openssl', displayName: 'OpenSSL' }],
    reason: 'exit status 100: held packages',
    operatingSystem: 'Ubuntu 24.04',
    happenedAt: later(START, -5 * MINUTE),
    createdAt: START,
    policyId: null,
    policyName: null,
    exitCode: null,
    userId: null,
    acknowledgedBy: null,
    acknowledgedAt: null,
    ...over,
  };
}
