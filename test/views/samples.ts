/** Every kind of view and every state of a card, with one text everywhere where others choose it. */
import { later, MINUTE } from '../../src/clock.ts';
import { registry } from '../../src/commands/index.ts';
import type { FleetError } from '../../src/fleet/fleet.ts';
import {
  channelId,
  deviceId,
  eventId,
  operationId,
  personId,
  policyId,
  type Reference,
} from '../../src/ids.ts';
import type { TargetState } from '../../src/store/records.ts';
import type { Block, DecisionOutcome, Paging, Problem, UsageFault, View } from '../../src/views/model.ts';
import {
  aDevice,
  anAlert,
  anApproval,
  anEvent,
  anOperation,
  aPackage,
  aQueueEntry,
  aTarget,
  START,
  someFacts,
} from '../harness/builders.ts';
import { alertProblems, alerts } from './alert-samples.ts';
import { deviceSamples } from './device-samples.ts';
import { edits } from './edit-samples.ts';
import { offersWith } from './offer-samples.ts';
import { records } from './record-samples.ts';
import { reports } from './report-samples.ts';
import { aPause, settingProblems, settings } from './setting-samples.ts';
import { software, softwareProblems } from './software-samples.ts';

/** `text` stands in every field that others choose; lists have `count` rows. */
export type Filling = { readonly text: string; readonly count: number };
export type Sample = readonly [string, View];

export const CHANNEL = channelId('C0OPS');
const APPROVER = personId('UAPPROVER');

const many = <T>(count: number, make: (at: number) => T): readonly T[] =>
  Array.from({ length: count }, (_, at) => make(at));

export function samples(filling: Filling): readonly Sample[] {
  return [
    ...lists(filling),
    ...deviceSamples(filling),
    ...cards(filling),
    ...reports(filling),
    ...records(filling),
    ...answers(filling),
    ...settings(filling),
    ...alerts(filling),
    ...edits(filling),
    ...problems(filling),
  ];
}

function paging({ text, count }: Filling, command: string): Paging {
  return { command, input: { device: text }, page: 1, pages: 3, total: count, asOf: START };
}

function lists(filling: Filling): readonly Sample[] {
  const { text, count } = filling;
  const inner = Math.min(count, 50);
  const device = aDevice({
    name: text,
    customName: text,
    osName: text,
    osVersion: text,
    tags: many(inner, () => text),
    lastLoggedInUser: text,
    policyStatus: text,
  });
  const line = { device, groupName: text };
  const help = { kind: 'help', withheld: 0, refusal: null, attempt: null } as const;
  const rows = many(count, (at) => ({ ...line, device: { ...device, id: deviceId(at + 1) } }));
  const packages = many(count, (at) =>
    aPackage({
      id: at,
      name: text,
      displayName: text,
      version: text,
      severity: text,
      cves: many(inner, () => text),
    }),
  );
  const events = many(count, (at) =>
    anEvent({
      id: eventId(at + 1),
      name: text,
      patches: many(inner, () => ({ name: text, version: text, displayName: text })),
      failure: text,
      text: `${text}!`,
      policyName: text,
    }),
  );
  const queue = many(count, (at) =>
    aQueueEntry(
      at % 2 === 0 ? { type: text, args: text, response: text } : { type: 'InstallUpdate', args: text },
    ),
  );
  const history = { kind: 'events', rows: events, since: START, paging: paging(filling, 'events') } as const;
  return [
    ['a device', { kind: 'device', ...line }],
    [
      'a list of devices',
      {
        kind: 'devices',
        title: text,
        publicTitle: '…',
        rows,
        totals: { online: count, offline: 0, pending: count, needsReboot: 1, noncompliant: 0 },
        unlisted: count,
        paging: paging(filling, 'devices'),
      },
    ],
    [
      'packages',
      {
        kind: 'packages',
        device,
        question: text,
        isDefault: count % 2 === 0,
        rows: packages,
        counts: { missing: count, deferred: inner, ignored: 0, installed: count },
        severities: many(inner, (at) => ({ severity: at === 0 ? null : text, count: at + 1 })),
        other: { command: 'packages', input: { device: text } },
        paging: paging(filling, 'packages'),
      },
    ],
    ...software(filling),
    ['a queue', { kind: 'queue', device, rows: queue, asOf: START }],
    ['events', { ...history, device, question: '', counted: null }],
    ['events of all', { ...history, device: null, question: text, counted: count + 5 }],
    [
      'a picker of what a message speaks of',
      {
        kind: 'picker',
        query: null,
        rows,
        total: count,
        choices: rows.map(() => ({ command: 'device', input: { device: 1 } })),
      },
    ],
    [
      'a picker',
      {
        kind: 'picker',
        query: text,
        rows: rows.map((row) => ({ ...row, seenAt: START, addresses: [text, text], serialNumber: text })),
        total: count + 3,
        choices: rows.map(() => ({ command: 'reboot', input: { device: 1, reason: text } })),
      },
    ],
    [
      'help',
      { ...help, sections: [{ title: 'Look', commands: registry.help() }], root: '/fleet', topic: null },
    ],
    [
      'help for who may do nothing',
      {
        ...help,
        sections: [],
        refusal: { kind: 'not-allowed', need: text, role: null, ask: [APPROVER] },
        root: '/fleet',
        topic: null,
      },
    ],
    [
      'help of foreign commands',
      {
        ...help,
        sections: [
          {
            title: text,
            commands: many(count, () => ({ name: text, usage: text, summary: text, examples: [text] })),
          },
        ],
        withheld: count,
        root: text,
        topic: null,
      },
    ],
    [
      'help of one',
      {
        ...help,
        sections: [],
        root: text,
        topic: { name: text, usage: `x tag:a|${text} is:${text}`, summary: text, examples: [text, text] },
        attempt: { do: 'form', command: text, input: {} },
      },
    ],
  ];
}

const STATES: readonly TargetState[] = [
  'ready',
  'issuing',
  'refused',
  'unknown',
  'accepted',
  'queued',
  'answered',
  'verified',
  'not_verified',
];

function cards({ text, count }: Filling): readonly Sample[] {
  const packages = many(count, () => text);
  const command = count === 0 ? ({ kind: 'reboot' } as const) : ({ kind: 'patch', packages } as const);
  const facts = someFacts({
    displayName: text,
    hostname: text,
    groupName: text,
    osName: text,
    lastLoggedInUser: text,
    missing: packages,
    connected: false,
  });
  const at = { queuedAt: START, answeredAt: START, endedAt: START };
  const evidence = `Since @{${START}}: ${text} @{${START}}`;
  const target = aTarget({ displayName: text, response: text, evidence, ...at });
  const waiting = anApproval({ command, targets: [facts], reason: text, note: text });
  const decided = { decidedBy: APPROVER, decidedAt: later(START, 5 * MINUTE) };
  const operation = anOperation({ command, reason: text, targets: [target] });
  const several = many(Math.max(count, 2), () => target);
  const approval = (more: Partial<typeof waiting>, what: typeof operation | null = null): View => ({
    kind: 'approval',
    approval: { ...waiting, ...more },
    operation: what,
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
        command: { kind: 'policy-remediate', policyId: policyId(12) },
        targets: [{ ...facts, missing: [], policy: { name: text, type: text, status: count, digest: text } }],
      }),
    ],
    ['a request for several devices', approval({ targets: many(Math.max(count, 2), () => facts) })],
    ['a denied request', approval({ state: 'denied', ...decided })],
    ['a withdrawn request', approval({ state: 'withdrawn', ...decided })],
    ['a request that Patchbay withdrew', approval({ state: 'withdrawn', decidedAt: START })],
    ['an expired request', approval({ state: 'expired' })],
    ['an approved request', approval({ state: 'approved', ...decided })],
    ...STATES.flatMap((state): Sample[] => {
      const moved = { ...operation, targets: [{ ...target, state }] };
      return [
        [`an approved request, ${state}`, approval({ state: 'approved', ...decided }, moved)],
        [`a command, ${state}`, { kind: 'operation', operation: moved }],
      ];
    }),
    [
      'a command that is looked for',
      {
        kind: 'operation',
        operation: { ...operation, targets: [{ ...target, state: 'unknown', endedAt: null }] },
      },
    ],
    ['a command to several devices', { kind: 'operation', operation: { ...operation, targets: several } }],
    ['a failed patch', { kind: 'alert', alert: alert(text, count) }],
    [
      'a failed patch of nothing named',
      { kind: 'alert', alert: { ...alert(text, 0), deviceId: null, reason: null } },
    ],
    ['a new device', { kind: 'alert', alert: { ...alert(text, 0), kind: 'device-added' } }],
  ];
}

function alert(text: string, count: number) {
  return anAlert({
    deviceName: text,
    packages: many(count, () => ({ name: text, displayName: text })),
    reason: text,
    operatingSystem: text,
  });
}

function answers({ text, count }: Filling): readonly Sample[] {
  const command = { kind: 'patch', packages: many(Math.max(count, 1), () => text) } as const;
  const approval = anApproval({ command, targets: [someFacts({ displayName: text })], reason: null });
  const link = 'https://example.slack.com/archives/C0OPS/p1?a=1&b=2';
  const own = { already: false, mine: true, reasonUnused: false };
  const outcomes: readonly DecisionOutcome[] = [
    { kind: 'approved', approval },
    { kind: 'denied', approval },
    { kind: 'withdrawn', approval },
    { kind: 'already', approval, state: 'denied', by: APPROVER, at: START },
    { kind: 'already', approval, state: 'expired', by: null, at: null },
    { kind: 'own-request' },
    { kind: 'not-requester' },
    { kind: 'reason-given', reason: text },
    { kind: 'not-allowed', need: text },
    { kind: 'stale-card' },
    { kind: 'paused', pause: aPause({ reason: text }) },
    { kind: 'absent' },
  ];
  return [
    ['an answer to a request', { kind: 'asked', approval, channel: CHANNEL, link, ...own }],
    [
      'an answer to one’s own request once more',
      { kind: 'asked', approval, channel: CHANNEL, link, ...own, already: true, reasonUnused: true },
    ],
    [
      'an answer to the same request',
      {
        kind: 'asked',
        approval: { ...approval, reason: text },
        channel: channelId(text),
        link: text,
        already: true,
        mine: false,
        reasonUnused: true,
      },
    ],
    [
      'an answer to an order',
      { kind: 'started', operationId: operationId('o_1'), command, deviceName: text, link },
    ],
    [
      'an answer to an order without a link',
      { kind: 'started', operationId: operationId('o_1'), command, deviceName: text, link: null },
    ],
    ...outcomes.map(
      (outcome): Sample => [
        `a press: ${outcome.kind} ${'by' in outcome ? outcome.by : ''}`,
        { kind: 'decided', outcome },
      ],
    ),
    ...(['approvals', 'patchAlerts', 'newDevices', 'none'] as const).map(
      (purpose): Sample => [
        `a welcome: ${purpose}`,
        { kind: 'welcome', channel: CHANNEL, purpose, root: '/fleet' },
      ],
    ),
    [
      'a command that lacks something',
      { kind: 'fill-in', command: 'patch', given: { device: text }, missing: text, usage: `/fleet ${text}` },
    ],
    [
      'a form that did not open',
      { kind: 'fill-in', command: text, given: { device: text }, missing: null, usage: `/fleet ${text}` },
    ],
    ['an answer shared from a window', { kind: 'posted', channel: CHANNEL }],
    ['a list sent as a file', { kind: 'exported', name: 'devices.csv', rows: count, left: 0 }],
    ['a part of a list sent as a file', { kind: 'exported', name: 'devices.csv', rows: 50_000, left: count }],
    [
      'an answer to share or to keep',
      {
        kind: 'shareable',
        view: { kind: 'device', device: aDevice({ name: text }), groupName: text },
        again: { command: 'device', input: { device: text }, page: 0 },
        share: true,
        file: true,
      },
    ],
    ...[null, 'missing_scope', 'ratelimited'].map(
      (slackError): Sample => [
        `a file not sent: ${slackError}`,
        { kind: 'problem', problem: { kind: 'not-exported', slackError } },
      ],
    ),
  ];
}

const FLEET_KINDS = [
  'unreachable',
  'timeout',
  'unauthorized',
  'forbidden',
  'missing',
  'invalid',
  'broken',
  'unreadable',
  'too-large',
] as const;

/** A reference that is the same in every run. */
const REFERENCE = 'abcd1234' as Reference; // a test's brand

function problems(filling: Filling): readonly Sample[] {
  const { text, count } = filling;
  const nearest = many(count, () => text);
  const root = '/fleet';
  const faults: readonly UsageFault[] = [
    { kind: 'missing', what: text },
    { kind: 'unknown-word', word: text, nearest },
    { kind: 'unknown-word', word: text, nearest: [] },
    { kind: 'bad-value', word: text, expected: text },
    { kind: 'open-quote', near: text },
    { kind: 'too-long', length: 10_000, limit: 2_000 },
  ];
  const error = { method: 'GET', path: '/servers/{id}', status: 500, detail: text } as const;
  const errors: readonly FleetError[] = [
    ...FLEET_KINDS.map((kind): FleetError => ({ ...error, kind })),
    { ...error, kind: 'throttled', retryAfterMs: 0 },
  ];
  const all: readonly Problem[] = [
    ...settingProblems(filling),
    { kind: 'unknown-command', word: text, nearest, root },
    ...faults.map((fault): Problem => ({ kind: 'usage', command: text, usage: text, fault, root })),
    { kind: 'no-such-device', query: text, nearest },
    { kind: 'device-gone', query: text },
    { kind: 'no-such-group', query: text, nearest },
    { kind: 'nothing-to-install', deviceName: text },
    { kind: 'already-installed', name: text, deviceName: text },
    { kind: 'no-such-package', query: text, deviceName: text, nearest },
    { kind: 'unsendable-package', name: text },
    { kind: 'already-queued', command: { kind: 'patch', packages: nearest }, deviceName: text, since: START },
    { kind: 'already-queued', command: { kind: 'scan' }, deviceName: text, since: null },
    { kind: 'not-allowed', need: text, role: text },
    { kind: 'not-allowed', need: text, role: null },
    { kind: 'rights-unknown', reference: REFERENCE },
    ...errors.map(
      (one): Problem => ({ kind: 'fleet', error: one, changed: 'nothing', reference: REFERENCE }),
    ),
    { kind: 'fleet', error: { ...error, kind: 'timeout' }, changed: 'unknown', reference: REFERENCE },
    ...['not_in_channel', 'is_archived', text].map(
      (slackError): Problem => ({ kind: 'card-refused', channel: CHANNEL, slackError }),
    ),
    { kind: 'card-delayed', channel: CHANNEL, reference: REFERENCE },
    { kind: 'unexpected', changed: 'nothing', reference: REFERENCE },
    { kind: 'unexpected', changed: 'unknown', reference: REFERENCE },
    { kind: 'no-such-policy', query: text, nearest },
    ...softwareProblems(filling),
    ...alertProblems(filling),
    { kind: 'no-such-device', query: text, nearest, offers: offersWith(filling) },
    { kind: 'unknown-command', word: text, nearest, root, offers: offersWith(filling).slice(-1) },
  ];
  return all.map(
    (problem, at): Sample => [`problem ${at + 1}: ${problem.kind}`, { kind: 'problem', problem }],
  );
}

/** Every text object of a message, wherever it is. */
export function texts(blocks: readonly Block[]): readonly { readonly type: string; readonly text: string }[] {
  const found: { type: string; text: string }[] = [];
  JSON.stringify(blocks, (_key, value: unknown) => {
    if (isText(value)) found.push(value);
    return value;
  });
  return found;
}

function isText(value: unknown): value is { type: string; text: string } {
  if (typeof value !== 'object' || value === null || !('type' in value) || !('text' in value)) return false;
  return typeof value.text === 'string' && (value.type === 'mrkdwn' || value.type === 'plain_text');
}
