/** The views of `records-model.ts`, with one text in every field that others choose. */
import { personId, requestId } from '../../../src/lib/ids.ts';
import { HEALTHY } from '../../commands/harness/fake-records.ts';
import { START } from '../../harness/builders.ts';
import { aRequest, aStartedRequest, aTarget, someFacts } from '../../harness/records.ts';
import { aSentRequest, quoting, readyTargets } from '../request-records.ts';
import type { SampleContent, ViewSample } from './sample-content.ts';
import { aPause, DOUBTS } from './setting-samples.ts';
import { ALL_TROUBLES } from './trouble-samples.ts';

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
    [
      'the status with lists that are doubted',
      {
        ...{ kind: 'status', pause: null, asOf: START, index: { devices: count, asOf: START } },
        health: {
          ...HEALTHY,
          troubles: DOUBTS.map(({ since, list, missing }) => ({
            trouble: { kind: 'list-doubted', list, missing },
            since,
          })),
        },
      },
    ],
    [
      'the status in trouble',
      {
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
      },
    ],
  ];
}
