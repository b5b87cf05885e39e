/** Records for tests: valid, with only the relevant values given. */
import { type Instant, instant, MINUTE } from '../../src/lib/clock.ts';
import {
  alertId,
  approvalId,
  channelId,
  deviceId,
  eventId,
  groupId,
  operationId,
  organizationId,
  personId,
  queueEntryId,
} from '../../src/lib/ids.ts';
import type {
  AlertRecord,
  ApprovalRecord,
  AuditEntry,
  CardKey,
  DeviceFacts,
  OperationRecord,
  RecentOperation,
  TargetRecord,
} from '../../src/store/port/records.ts';

export const ORGANIZATION = organizationId(7);
export const OTHER_ORGANIZATION = organizationId(8);
export const START = instant(1_790_000_000_000);

let count = 0;
/** Names that are unique among the records of a test file. */
export function fresh(): string {
  count += 1;
  return `${count}`.padStart(6, '0');
}

export function someFacts(given: Partial<DeviceFacts> = {}): DeviceFacts {
  return {
    deviceId: deviceId(101),
    hostname: 'web-01',
    displayName: 'web-01 "front" <!channel> 💥',
    groupId: groupId(3),
    groupName: '',
    osFamily: 'Linux',
    osName: null,
    osVersion: null,
    connected: false,
    lastDisconnectTime: null,
    lastLoggedInUser: null,
    pendingPatches: 0,
    needsReboot: true,
    missing: ['openssl'],
    policy: null,
    editable: null,
    asOf: START,
    ...given,
  };
}

export function anApproval(given: Partial<ApprovalRecord> = {}): ApprovalRecord {
  const name = fresh();
  return {
    organizationId: ORGANIZATION,
    id: approvalId(`a_${name}`),
    version: 1,
    state: 'waiting',
    command: { kind: 'patch', packages: ['openssl', 'curl'] },
    targets: [someFacts()],
    seal: 'seal',
    fingerprint: `print-${name}`,
    requesterId: personId('U1'),
    requestKey: `request-${name}`,
    reason: null,
    createdAt: START,
    expiresAt: instant(START + 30 * MINUTE),
    decidedBy: null,
    decidedAt: null,
    approvedBy: null,
    approvedAt: null,
    note: null,
    operationId: null,
    ...given,
  };
}

export function aTarget(operation: string, given: Partial<TargetRecord> = {}): TargetRecord {
  return {
    operationId: operationId(operation),
    deviceId: deviceId(101),
    displayName: 'web-01',
    state: 'issuing',
    before: {
      at: START,
      connected: true,
      lastRefreshTime: START,
      lastDisconnectTime: null,
      uptime: 12.5,
      needsReboot: false,
      queueIds: [queueEntryId(5)],
      missing: [],
      policy: null,
    },
    queueEntryId: null,
    issuedAt: START,
    acceptedAt: null,
    queuedAt: null,
    missedAt: null,
    answeredAt: null,
    endedAt: null,
    response: null,
    evidence: null,
    endCause: null,
    deadlineAt: instant(START + 60 * MINUTE),
    ...given,
  };
}

export function anOperation(given: Partial<OperationRecord> = {}): OperationRecord {
  const name = fresh();
  const id = given.id ?? operationId(`o_${name}`);
  return {
    organizationId: ORGANIZATION,
    id,
    version: 1,
    approvalId: null,
    command: { kind: 'reboot' },
    requesterId: personId('U1'),
    requestKey: `request-${name}`,
    reason: 'kernel update',
    createdAt: START,
    targets: [aTarget(id, { deviceId: deviceId(10_000 + Number(name)) })],
    ...given,
  };
}

/** As it is listed when no approval was needed. */
export function asRecent(operation: OperationRecord): RecentOperation {
  return { ...operation, requestedAt: operation.createdAt };
}

export function anAlert(given: Partial<AlertRecord> = {}): AlertRecord {
  const name = fresh();
  return {
    organizationId: ORGANIZATION,
    id: alertId(`n_${name}`),
    kind: 'patch-failed',
    eventId: eventId(Number(name)),
    deviceId: null,
    deviceName: null,
    packages: [{ name: 'openssl', displayName: null }],
    reason: null,
    operatingSystem: null,
    happenedAt: null,
    createdAt: START,
    policyId: null,
    policyName: null,
    exitCode: null,
    userId: null,
    acknowledgedBy: null,
    acknowledgedAt: null,
    ...given,
  };
}

export function anEnqueuedCard(key: CardKey, dueAt: Instant = START) {
  return { key, channel: channelId('C1'), fallbackPerson: personId('U1'), dueAt };
}

export function anEntry(given: Partial<AuditEntry> = {}): AuditEntry {
  return {
    at: START,
    actor: personId('U1'),
    action: 'approval.requested',
    subject: 'a_1',
    detail: { devices: 1, note: null, risky: true, reason: 'x' },
    ...given,
  };
}
