/** Requests, targets and facts for tests of pure functions. */

import type { DeviceFacts, GroupFacts, PolicyEditFacts } from '../../src/fleet/facts/facts.ts';
import { instant, later, MINUTE } from '../../src/lib/clock.ts';
import { groupId, pauseId, personId, policyId } from '../../src/lib/ids.ts';
import type { Baseline, RequestRecord, RequestTarget } from '../../src/store/port/request-records.ts';
import type { PauseRecord } from '../../src/store/port/settings-records.ts';
import * as ordinary from '../harness/records.ts';
import { EXPIRY_MS } from '../harness/rules.ts';
import { DEVICE, ORGANIZATION } from './fleet-builders.ts';

/** When a request was asked for. */
export const NOW = instant(1_000_000);
/** When a command was sent. */
export const SENT = instant(Date.UTC(2026, 5, 5, 4, 0));
/** A time before it. */
export const EARLIER = later(SENT, -60 * MINUTE);
export const ALICE = personId('U_ALICE');
export const BOB = personId('U_BOB');

export function aFact(change: Partial<DeviceFacts> = {}): DeviceFacts {
  return ordinary.someFacts({
    deviceId: DEVICE,
    identity: { serial: null, uuid: null, created: null },
    hostname: 'web-01',
    groupId: groupId(9),
    groupName: 'Servers',
    osVersion: null,
    lastDisconnectTime: null,
    lastLoggedInUser: 'carol',
    asOf: NOW,
    ...change,
  });
}

/** One that waits for an approver. */
export function aRequest(change: Partial<RequestRecord> = {}): RequestRecord {
  const { targets: _, ...request } = ordinary.aRequest({
    organizationId: ORGANIZATION,
    fingerprint: 'print-1',
    requesterId: ALICE,
    requestKey: 'delivery-1',
    reason: null,
    createdAt: NOW,
    expiresAt: later(NOW, EXPIRY_MS),
    ...change,
  });
  return request;
}

export function aTarget(change: Partial<RequestTarget> = {}, before: Partial<Baseline> = {}): RequestTarget {
  return ordinary.aTarget({
    deviceId: DEVICE,
    facts: aFact(),
    before: {
      ...ordinary.aTarget().before,
      at: SENT,
      lastRefreshTime: EARLIER,
      lastDisconnectTime: EARLIER,
      uptime: 5000,
      ...before,
    },
    issuedAt: SENT,
    acceptedAt: SENT,
    deadlineAt: later(SENT, 30 * MINUTE),
    ...change,
  });
}

/** A pause without an end. */
export function aPause(): PauseRecord {
  const by = personId('U_ADMIN');
  return { id: pauseId('p_1'), by, reason: 'an incident', since: SENT, endedBy: null, endedAt: null };
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
    members: 'beef',
    asOf: NOW,
    ...change,
  };
}

/** A policy that will be changed. */
export function aPolicyToEdit(
  change: Partial<PolicyEditFacts> = {},
  state: Partial<NonNullable<PolicyEditFacts['current']>> = {},
): PolicyEditFacts {
  return {
    deviceId: null,
    policyId: policyId(3),
    displayName: 'Patch all',
    current: {
      name: 'Patch all',
      type: 'patch',
      notes: null,
      schedule: { days: 254, weeksOfMonth: 62, months: 8_190, time: '02:00', timezone: 'device' },
      settings: { autoReboot: false, deferrals: 3, deferralHours: [1, 4, 8] },
      digest: 'c0ffee',
      groups: [{ id: groupId(9), name: 'Servers', devices: 4 }],
      ...state,
    },
    groups: [],
    devices: 4,
    twin: null,
    members: 'beef',
    asOf: NOW,
    ...change,
  };
}
