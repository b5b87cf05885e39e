/** Records for tests: valid, with only the relevant values given. */

import type { DeviceFacts } from '../../src/fleet/facts/facts.ts';
import { type Instant, instant } from '../../src/lib/clock.ts';
import {
  alertId,
  type CardKey,
  channelId,
  deviceId,
  eventId,
  groupId,
  organizationId,
  personId,
} from '../../src/lib/ids.ts';
import type { AlertMember, AlertRecord } from '../../src/store/port/alert-records.ts';
import type { AuditEntry } from '../../src/store/port/store.ts';
import * as ordinary from '../harness/records.ts';

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
  return ordinary.someFacts({
    deviceId: deviceId(101),
    identity: { serial: null, uuid: null, created: null },
    hostname: 'web-01',
    displayName: 'web-01 "front" <!channel> 💥',
    groupId: groupId(3),
    groupName: '',
    ...{ osName: null, osVersion: null, lastDisconnectTime: null, lastLoggedInUser: null },
    ...{ connected: false, pendingPatches: 0 },
    packages: [
      { name: 'openssl', version: null, severity: null, cves: ['CVE-2026-1'], requiresReboot: true },
    ],
    asOf: START,
    ...given,
  });
}

/** An alert with no members yet. */
export function anAlert(given: Partial<AlertRecord> = {}): AlertRecord {
  const name = fresh();
  return ordinary.anAlertRecord({
    organizationId: ORGANIZATION,
    id: alertId(`patch-failed-${name}`),
    number: eventId(Number(name)),
    key: `key ${name}`,
    openedAt: START,
    changedAt: START,
    ...given,
  });
}

export function aMember(given: Partial<AlertMember> = {}): AlertMember {
  const name = fresh();
  return ordinary.aMember({
    organizationId: ORGANIZATION,
    id: `member ${name}`,
    failedEvent: eventId(Number(name)),
    firstAt: START,
    failedAt: START,
    ...given,
  });
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
