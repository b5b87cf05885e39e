/** Approvals and facts for tests of pure functions. */

import { APPROVAL_EXPIRY_MS } from '../../src/approvals/rules.ts';
import { instant, later } from '../../src/lib/clock.ts';
import { approvalId, groupId, personId, policyId } from '../../src/lib/ids.ts';
import type { ApprovalRecord, DeviceFacts, GroupFacts } from '../../src/store/port/records.ts';
import { DEVICE, ORGANIZATION } from '../operations/simulated-fleet.ts';

export const NOW = instant(1_000_000);
export const ALICE = personId('U_ALICE');
export const BOB = personId('U_BOB');

export function aFact(change: Partial<DeviceFacts> = {}): DeviceFacts {
  return {
    deviceId: DEVICE,
    hostname: 'web-01',
    displayName: 'web-01',
    groupId: groupId(9),
    groupName: 'Servers',
    osFamily: 'Linux',
    osName: 'Ubuntu',
    osVersion: null,
    connected: true,
    lastDisconnectTime: null,
    lastLoggedInUser: 'carol',
    pendingPatches: 3,
    needsReboot: true,
    missing: [],
    policy: null,
    editable: null,
    asOf: NOW,
    ...change,
  };
}

export function anApproval(change: Partial<ApprovalRecord> = {}): ApprovalRecord {
  return {
    organizationId: ORGANIZATION,
    id: approvalId('a_1'),
    version: 1,
    state: 'waiting',
    command: { kind: 'reboot' },
    targets: [aFact()],
    seal: 'seal-1',
    fingerprint: 'print-1',
    requesterId: ALICE,
    requestKey: 'delivery-1',
    reason: null,
    createdAt: NOW,
    expiresAt: later(NOW, APPROVAL_EXPIRY_MS),
    decidedBy: null,
    decidedAt: null,
    approvedBy: null,
    approvedAt: null,
    note: null,
    operationId: null,
    ...change,
  };
}

/** A device whose record will be edited. */
export function aDeviceToEdit(
  change: Partial<DeviceFacts> = {},
  editable: Partial<NonNullable<DeviceFacts['editable']>> = {},
): DeviceFacts {
  const fields = { customName: null, exception: false, tags: ['old'], addresses: [], intoGroup: 'Laptops' };
  return aFact({ editable: { ...fields, ...editable }, ...change });
}

/** A group that will be changed. */
export function aGroupToEdit(
  change: Partial<GroupFacts> = {},
  state: Partial<NonNullable<GroupFacts['group']>> = {},
): GroupFacts {
  return {
    deviceId: null,
    groupId: groupId(5),
    displayName: 'Kiosks',
    group: {
      name: 'Kiosks',
      parentId: groupId(1),
      parentName: 'Default group',
      refreshIntervalMinutes: 1440,
      color: null,
      notes: null,
      osAutoUpdate: null,
      wsus: null,
      deviceCount: 4,
      policies: [],
      ...state,
    },
    parentName: 'Servers',
    policies: [{ id: policyId(3), name: 'Patch all' }],
    twin: null,
    asOf: NOW,
    ...change,
  };
}
