/** Requests, commands and alerts, in each of their states. */
import { DAY, HOUR, later, MINUTE } from '../../../src/lib/clock.ts';
import { deviceId, personId, policyId, requestId } from '../../../src/lib/ids.ts';
import type { RolloutHold } from '../../../src/rollout/progress.ts';
import type { AlertMember } from '../../../src/store/port/alert-records.ts';
import type { EvidenceList } from '../../../src/store/port/evidence.ts';
import {
  type RequestWithTargets,
  TARGET_STATES,
  type TargetCounts,
} from '../../../src/store/port/request-records.ts';
import type { View } from '../../../src/views/views.ts';
import { HEALTHY } from '../../commands/harness/fake-records.ts';
import { START } from '../../harness/builders.ts';
import {
  aMember,
  anAlert,
  aRequest,
  aStartedRequest,
  aTarget,
  someFacts,
  somePackages,
} from '../../harness/records.ts';
import { aRollout, aRolloutRequest, aSummary } from '../../harness/rollouts.ts';
import { aSentRequest, quoting, readyTargets } from '../request-records.ts';
import { aPause, DOUBTS } from './answer-samples.ts';
import { ALL_TROUBLES } from './problem-samples.ts';
import {
  APPROVER,
  CHANNEL,
  repeated,
  type SampleContent,
  sample,
  type ViewSample,
} from './sample-content.ts';

export function cards({ text, count }: SampleContent): readonly ViewSample[] {
  const packages = repeated(count, () => text);
  const action = count === 0 ? ({ kind: 'reboot' } as const) : ({ kind: 'patch', packages } as const);
  const facts = someFacts({
    displayName: text,
    hostname: text,
    groupName: text,
    osName: text,
    lastLoggedInUser: text,
    packages: somePackages(...packages),
    connected: false,
  });
  const at = { queuedAt: START, answeredAt: START, endedAt: START };
  const target = aTarget({ displayName: text, facts, response: text, evidence: quoting(text), ...at });
  const waiting = {
    action,
    targets: readyTargets(facts),
    reason: text,
    note: { kind: 'unposted', why: text },
  } as const;
  const decided = { decidedBy: APPROVER, decidedAt: later(START, 5 * MINUTE) };
  const started = { action, reason: text } as const;
  const approval = (more: Partial<RequestWithTargets>): View => ({
    kind: 'request',
    request: aRequest({ ...waiting, ...more }),
  });
  return [
    ['a request that waits', approval({})],
    [
      'a request without a reason by somebody odd',
      approval({ reason: null, note: null, requesterId: personId(text) }),
    ],
    [
      'a request to remediate a policy',
      approval({
        action: { kind: 'policy-remediate', policyId: policyId(12) },
        targets: readyTargets({
          ...facts,
          packages: [],
          policy: { name: text, type: text, status: count, digest: text },
        }),
      }),
    ],
    ['a denied request', approval({ state: 'denied', ...decided })],
    ['a withdrawn request', approval({ state: 'withdrawn', ...decided })],
    ['a request that Patchbay withdrew', approval({ state: 'withdrawn', decidedAt: START })],
    ['an expired request', approval({ state: 'expired' })],
    ['an approved request', approval({ state: 'approved', ...decided })],
    ...TARGET_STATES.flatMap((state): ViewSample[] => {
      const targets = [{ ...target, state }];
      const approved = aSentRequest({ ...waiting, ...decided, targets });
      return [
        [`an approved request, ${state}`, { kind: 'request', request: approved }],
        [`a command, ${state}`, { kind: 'request', request: aStartedRequest({ ...started, targets }) }],
      ];
    }),
    sample('a command that is looked for', {
      kind: 'request',
      request: aStartedRequest({ ...started, targets: [{ ...target, state: 'unknown', endedAt: null }] }),
    }),
    ['a failed patch', { kind: 'alert', channel: CHANNEL, alert: alert(text, count) }],
    [
      'a failed patch of nothing named',
      { kind: 'alert', channel: CHANNEL, alert: alert(text, 0, { deviceId: null, reason: null }) },
    ],
    ['a new device', { kind: 'alert', channel: CHANNEL, alert: alert(text, 0, ADDED) }],
  ];
}

const ADDED = { kind: 'device-added', state: 'noted' } as const;

function alert(text: string, count: number, over: Partial<AlertMember> = {}) {
  const packages = repeated(count, () => ({ name: text, displayName: text }));
  const named = { deviceName: text, packages, reason: text, operatingSystem: text };
  return anAlert([aMember({ ...named, ...over })]);
}

const HOLDS: readonly RolloutHold[] = [
  { kind: 'paused', by: APPROVER, at: START },
  { kind: 'paused', by: null, at: START },
  { kind: 'braked', bad: 3, ended: 8, at: START },
  { kind: 'unanswered', sends: 5, at: START },
  { kind: 'gate', at: START },
  { kind: 'stopped', by: APPROVER, at: START },
  { kind: 'stopped', by: null, at: START, why: 'rights' },
];

export function rollouts({ text, count }: SampleContent): readonly ViewSample[] {
  const devices = Math.max(count, 2);
  const top = { top: repeated(6, (at) => ({ name: text, devices: at })), more: count };
  const summary = aSummary({
    offline: 1,
    loggedIn: 2,
    servers: 1,
    rebootPending: 3,
    excluded: 4,
    groups: top,
    systems: { top: [{ name: null, devices }], more: 0 },
    packages: top,
  });
  const facts = someFacts({ displayName: text, groupName: text, packages: somePackages(text) });
  const targets = readyTargets(
    ...repeated(Math.min(devices, 50), (at) => ({ ...facts, deviceId: deviceId(1001 + at) })),
  );
  const decided = { decidedBy: APPROVER, decidedAt: START } as const;
  const evidence: EvidenceList = [
    { kind: 'install-failed', packages: [text], words: text, installed: 0, total: 1 },
  ];
  const failed = aTarget({ displayName: text, state: 'not_verified', endedAt: START, evidence });
  const problems = repeated(Math.min(devices, 50), () => failed);
  const away = aTarget({ displayName: text, state: 'queued', deadlineAt: later(START, DAY) });
  const offline = repeated(Math.min(count, 50), () => away);
  const view = (
    state: 'waiting' | 'approved' | 'running' | 'ended',
    counts: TargetCounts,
    hold: RolloutHold | null = null,
  ): View => ({
    kind: 'request',
    request: aRolloutRequest({
      state,
      reason: text,
      targets,
      counts,
      ...(state === 'waiting' ? {} : decided),
      rollout: aRollout(devices, { summary, hold }),
    }),
    details: {
      waves: [{ verified: 1 }],
      problems,
      offline,
      onlyOffline: false,
      least: { from: START, ms: HOUR },
    },
  });
  const under = { verified: 1, ready: devices - 1, open: devices - 1 };
  const running = aRolloutRequest({
    state: 'running',
    ...decided,
    targets,
    counts: under,
    rollout: aRollout(devices),
  });
  const paging = {
    command: 'operations',
    input: { of: running.id, group: null },
    page: 0,
    pages: 3,
    total: devices,
    asOf: START,
  };
  const rows = repeated(count, () => failed);
  return [
    [
      'the results of a rollout',
      { kind: 'results', request: running, group: null, rows, link: text, paging },
    ],
    [
      'the failed devices of a rollout',
      { kind: 'results', request: running, group: 'failed', rows, link: null, paging },
    ],
    sample('the message about a rollout', {
      kind: 'completion',
      request: { ...running, state: 'ended', counts: { verified: 1, refused: devices - 1 } },
      link: text,
      details: { waves: [], problems, offline: [], onlyOffline: false, least: null },
    }),
    sample('the message that a rollout stands still', {
      kind: 'held',
      to: 'approver',
      request: { ...running, rollout: aRollout(devices, { hold: { kind: 'gate', at: START } }) },
      link: text,
    }),
    sample('a list with rollouts', {
      kind: 'operations',
      rows: repeated(Math.min(count, 10), () => ({ request: running, link: text })),
      open: count,
      paging,
    }),
    ['a rollout that waits', view('waiting', { ready: devices, open: devices })],
    ['an approved rollout', view('approved', { ready: devices, open: devices })],
    ['a rollout that runs', view('running', under)],
    ...HOLDS.map(
      (hold, at): ViewSample => [`a rollout that is held (${hold.kind} ${at})`, view('running', under, hold)],
    ),
    ['a rollout that worked', view('ended', { verified: devices })],
    ['a rollout that partly worked', view('ended', { verified: 1, not_verified: devices - 1, failed: 1 })],
  ];
}

const LINK = 'https://example.slack.com/archives/C0OPS/p1?a=1&b=2';
const STATES = ['waiting', 'approved', 'denied', 'withdrawn', 'expired'] as const;

export function records({ text, count }: SampleContent): readonly ViewSample[] {
  const many = <T>(make: (at: number) => T): readonly T[] =>
    Array.from({ length: count }, (_, at) => make(at));
  const paging = (command: string) => ({
    command,
    input: { text },
    page: 1,
    pages: 3,
    total: count,
    asOf: START,
  });
  const action = { kind: 'patch', packages: [text] } as const;
  const facts = someFacts({ displayName: text });
  const targets = [aTarget({ displayName: text, facts, response: text, evidence: quoting(text) })];
  const requests = many((at) => ({
    request: aRequest({
      id: requestId(`r_${at}`),
      action,
      targets: readyTargets(facts),
      reason: text,
      requesterId: personId(at === 0 ? text : 'UOPERATOR'),
      state: STATES[at % STATES.length] ?? 'waiting',
      decidedBy: at % 2 === 0 ? null : personId('UAPPROVER'),
    }),
    link: at === 0 ? text : LINK,
  }));
  const sent = many((at) => ({
    request: aStartedRequest({ action, reason: text, targets: at === 0 ? [] : targets }),
    link: at === 0 ? null : LINK,
  }));
  const entries = many((at) => ({
    at: START,
    actor: at === 0 ? ('patchbay' as const) : personId(text),
    action: text,
    subject: text,
    detail: { device: 1, evidence: text, seal: text, note: null, [text]: text },
    sequence: at,
    hash: text,
  }));
  const acts = entries.map((entry, at) => {
    const order = { command: at % 2 === 0 ? 'scan' : text, devices: '1 2', group: text, fields: text };
    const step = { ...entry, action: at % 2 === 0 ? 'operation.accepted' : text };
    return { entries: [entry, step] as const, order: at % 3 === 0 ? null : order };
  });
  const names = { devices: new Map([[1, text]]), groups: new Map(), policies: new Map() };
  const audit = {
    kind: 'audit',
    rows: acts,
    lines: acts.length,
    names,
    since: START,
    paging: paging('audit'),
  } as const;
  const decided = { action, targets: readyTargets(facts), decidedAt: START };
  const operation = aStartedRequest({ action, reason: text, targets });
  const notified = STATES.map((state): ViewSample => {
    const request =
      state === 'approved'
        ? aSentRequest({ action, targets, decidedBy: null, decidedAt: START })
        : aRequest({ ...decided, state });
    return [
      `how a request ended: ${state}`,
      { kind: 'completion', request, link: state === 'denied' ? null : LINK },
    ];
  });
  const returned = STATES.map((state): ViewSample => {
    const to = state === 'waiting' ? 'requester' : 'approver';
    const request = aRequest({ ...decided, state, note: { kind: 'unposted', why: text } });
    const link = state === 'denied' ? null : LINK;
    return [`a request that went back, now ${state}`, { kind: 'returned', to, request, link }];
  });
  return [
    ...notified,
    ...returned,
    ['how a command ended', { kind: 'completion', request: operation, link: text }],
    ['requests that wait', { kind: 'approvals', mine: false, rows: requests, paging: paging('approvals') }],
    ['one’s own requests', { kind: 'approvals', mine: true, rows: requests, paging: paging('approvals') }],
    ['commands', { kind: 'operations', rows: sent, open: count, paging: paging('operations') }],
    ['the audit', { ...audit, device: null, cut: count > 0 }],
    ['the audit of a device', { ...audit, device: someFacts().deviceId, cut: false }],
    [
      'the status',
      { kind: 'status', health: HEALTHY, index: { devices: count, asOf: START }, pause: null, asOf: START },
    ],
    sample('the status with lists that are doubted', {
      ...{ kind: 'status', pause: null, asOf: START, index: { devices: count, asOf: START } },
      health: {
        ...HEALTHY,
        troubles: DOUBTS.map(({ since, list, missing }) => ({
          trouble: { kind: 'list-doubted', list, missing },
          since,
        })),
      },
    }),
    sample('the status in trouble', {
      kind: 'status',
      health: {
        ...HEALTHY,
        slack: false,
        database: false,
        events: { lastSuccess: null, failures: count },
        calls: {
          ...HEALTHY.calls,
          tokens: {},
          capacities: {},
          pausedForMs: 1,
          breaker: { state: 'half-open', retryInMs: 0, failing: null },
          outcomes: { broken: count, timeout: 1 },
        },
        version: text,
        troubles: ALL_TROUBLES.map((trouble) => ({ trouble, since: START })),
        silences: [],
        outbox: { waiting: count, waitingAlerts: 1, oldestAt: START, givenUp: count },
        wroteAt: { slack: null, database: null },
      },
      index: null,
      pause: aPause({ reason: text }),
      asOf: START,
    }),
  ];
}
