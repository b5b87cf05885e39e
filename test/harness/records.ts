/** Records as tests need them: every field set to something ordinary, any of them overridden. */

import type { DeviceFacts, TargetFacts } from '../../src/fleet/facts/facts.ts';
import { HOUR, instant, later, MINUTE } from '../../src/lib/clock.ts';
import {
  alertId,
  channelId,
  deviceId,
  eventId,
  groupId,
  organizationId,
  personId,
  requestId,
} from '../../src/lib/ids.ts';
import { mayRun } from '../../src/rollout/results.ts';
import type {
  AlertEvent,
  AlertFilter,
  AlertMember,
  AlertRecord,
  MemberState,
  ShownAlert,
  SilenceRecord,
  SilenceScope,
  SubscriptionRecord,
} from '../../src/store/port/alert-records.ts';
import {
  type CountKey,
  hasFailed,
  type RequestTarget,
  type RequestWithTargets,
  type TargetCounts,
} from '../../src/store/port/request-records.ts';
import { START } from './builders.ts';
import { rulesOf } from './rules.ts';

/** Packages of which nothing but the name is known. */
export function somePackages(...names: readonly string[]): DeviceFacts['packages'] {
  return names.map((name) => ({ name, version: null, severity: null, cves: [], requiresReboot: false }));
}

export function someFacts(over: Partial<DeviceFacts> = {}): DeviceFacts {
  return {
    deviceId: deviceId(1001),
    identity: {
      serial: 'SN-1001',
      uuid: 'b7f14c91-31c8-415b-9639-43de765fbe7e',
      created: later(START, -90 * 24 * 60 * MINUTE),
    },
    hostname: over.displayName ?? 'web-01',
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
    packages: [],
    policy: null,
    editable: null,
    asOf: START,
    ...over,
  };
}

export function aTarget(over: Partial<RequestTarget> = {}): RequestTarget {
  return {
    requestId: requestId('r_1'),
    deviceId: deviceId(1001),
    position: 0,
    displayName: 'web-01',
    facts: someFacts({
      deviceId: over.deviceId ?? deviceId(1001),
      displayName: over.displayName ?? 'web-01',
    }),
    state: 'accepted',
    before: {
      at: START,
      connected: true,
      lastRefreshTime: later(START, -30 * MINUTE),
      lastDisconnectTime: later(START, -3 * 24 * 60 * MINUTE),
      uptime: 864_000,
      needsReboot: true,
      queueIds: [],
      aheadMs: 0,
      missing: [],
      policy: null,
    },
    issuedAt: START,
    acceptedAt: later(START, 1_000),
    queueEntryId: null,
    queuedAt: null,
    missedAt: null,
    answeredAt: null,
    endedAt: null,
    nextAt: null,
    response: null,
    evidence: [],
    deadlineAt: later(START, 60 * MINUTE),
    ...over,
  };
}

/** A target with these facts of which nothing was sent yet. */
export function aReadyTarget(facts: TargetFacts = someFacts()): RequestTarget {
  const { deviceId: device, displayName } = facts;
  return aTarget({ deviceId: device, displayName, facts, state: 'ready', acceptedAt: null });
}

/** Each target gets the request's id and its place; counts are theirs unless given otherwise. */
type RequestChange = Partial<RequestWithTargets>;

/** One that waits for an approver. */
export function aRequest(over: RequestChange = {}): RequestWithTargets {
  const { id = requestId('r_1'), targets = [aReadyTarget()] } = over;
  return {
    organizationId: organizationId(7),
    version: 1,
    state: 'waiting',
    action: { kind: 'reboot' },
    seal: 'seal-1',
    fingerprint: 'fingerprint-1',
    requesterId: personId('UOPERATOR'),
    requestKey: 'command:1',
    reason: 'kernel update',
    createdAt: START,
    expiresAt: later(START, 30 * MINUTE),
    decidedBy: null,
    decidedAt: null,
    comment: null,
    approvedBy: null,
    approvedAt: null,
    note: null,
    startedAt: null,
    endedAt: null,
    askedLastHour: null,
    typedCount: false,
    reach: 1,
    rules: rulesOf({ expiresAt: START, ...over }),
    rollout: null,
    counts: countsOf(targets),
    ...over,
    id,
    targets: targets.map((target, position) => ({ ...target, requestId: id, position })),
  };
}

/** A scan that nobody had to approve; it is as far as its targets are. */
export function aStartedRequest(over: RequestChange = {}): RequestWithTargets {
  const { targets = [aTarget()] } = over;
  const claimed = targets.some(({ state }) => state !== 'ready');
  const open = targets.some(({ endedAt }) => endedAt === null);
  return aRequest({
    state: open ? (claimed ? 'running' : 'approved') : 'ended',
    action: { kind: 'scan' },
    seal: null,
    fingerprint: null,
    reason: null,
    expiresAt: null,
    startedAt: claimed ? START : null,
    endedAt: open ? null : START,
    ...over,
    targets,
  });
}

/** As the store counts targets. */
function countsOf(targets: readonly RequestTarget[]): TargetCounts {
  const counts: { [key in CountKey]?: number } = {};
  const add = (key: CountKey) => {
    counts[key] = (counts[key] ?? 0) + 1;
  };
  for (const target of targets) {
    add(target.state);
    if (target.endedAt === null) add('open');
    if (hasFailed(target)) add('failed');
    if (mayRun(target)) add('may_run');
  }
  return counts;
}

/** A failure of openssl on web-01. */
export function anAlertEvent(over: Partial<AlertEvent> = {}): AlertEvent {
  return {
    id: alertId('patch-failed-70001'),
    kind: 'patch-failed',
    eventId: eventId(70_001),
    deviceId: deviceId(1001),
    deviceName: 'web-01',
    packages: [{ name: 'openssl', displayName: 'OpenSSL' }],
    reason: 'exit status 100: held packages',
    operatingSystem: 'Ubuntu 24.04',
    policyId: null,
    policyName: null,
    exitCode: null,
    userId: null,
    happenedAt: later(START, -5 * MINUTE),
    at: later(START, -5 * MINUTE),
    ...over,
  };
}

export function aMember(over: Partial<AlertMember> = {}): AlertMember {
  const { id: alert, eventId: failedEvent, at, happenedAt: _, ...facts } = anAlertEvent();
  return {
    ...facts,
    organizationId: organizationId(7),
    id: `${over.kind ?? 'patch-failed'}:${over.deviceId ?? 1001}:openssl`,
    alert,
    state: 'open',
    firstAt: at,
    failures: 1,
    failedAt: at,
    failedEvent,
    fixedAt: null,
    fixedEvent: null,
    closedAt: null,
    closedEvent: null,
    ...over,
  };
}

export function anAlertRecord(over: Partial<AlertRecord> = {}): AlertRecord {
  return {
    organizationId: organizationId(7),
    id: alertId('patch-failed-70001'),
    number: eventId(70_001),
    key: 'key',
    kind: 'patch-failed',
    home: channelId('C0ALERTS'),
    state: 'open',
    openedAt: START,
    changedAt: START,
    endedAt: null,
    acknowledgedBy: null,
    acknowledgedAt: null,
    lastEndedAt: null,
    lastOwner: null,
    ...over,
  };
}

/** An alert with these members, counted one by one. */
export function anAlert(
  members: readonly AlertMember[] = [aMember()],
  over: Partial<ShownAlert> = {},
): ShownAlert {
  const inState = (...states: readonly MemberState[]) =>
    members.filter(({ state }) => states.includes(state));
  const devicesOf = (some: readonly AlertMember[]) =>
    new Set(some.flatMap(({ deviceId: id }) => id ?? [])).size;
  const ends = members.flatMap(({ fixedAt, closedAt }) => fixedAt ?? closedAt ?? []);
  const [first = aMember()] = members;
  const openDevices = devicesOf(inState('open'));
  return {
    ...anAlertRecord({ kind: first.kind, state: first.state }),
    members: members.length,
    open: inState('open').length,
    closed: inState('closed').length,
    devices: devicesOf(members),
    openDevices,
    fixedDevices: devicesOf(inState('open', 'fixed')) - openDevices,
    failures: Math.max(...members.map(({ failures }) => failures)),
    firstAt: instant(Math.min(...members.map(({ firstAt }) => firstAt))),
    lastEnd: ends.length === 0 ? null : instant(Math.max(...ends)),
    packages: [
      ...new Map(members.flatMap(({ packages }) => packages).map((one) => [one.name, one])).values(),
    ],
    reasons: [{ reason: first.reason, exitCode: first.exitCode, members: members.length }],
    shown: members.slice(0, 10),
    heldBy: null,
    card: null,
    ...over,
  };
}

/** Subscriptions and silences for tests. */

export const ANY: AlertFilter = { group: null, policy: null, tag: null, os: null };
export const EVERYTHING: SilenceScope = { kinds: [], group: null, device: null, patch: null };

export function aSubscription(given: Partial<SubscriptionRecord> = {}): SubscriptionRecord {
  return {
    organizationId: organizationId(7),
    number: 1,
    channel: channelId('C0TEAM'),
    person: null,
    kinds: ['patch-failed'],
    filter: ANY,
    createdBy: personId('UOPERATOR'),
    createdAt: START,
    endedBy: null,
    endedAt: null,
    ...given,
  };
}

export function aSilence(given: Partial<SilenceRecord> = {}): SilenceRecord {
  return {
    organizationId: organizationId(7),
    number: 1,
    scope: EVERYTHING,
    reason: null,
    createdBy: personId('UOPERATOR'),
    createdAt: START,
    until: later(START, HOUR),
    endedAt: null,
    endedBy: null,
    kept: 0,
    ...given,
  };
}
