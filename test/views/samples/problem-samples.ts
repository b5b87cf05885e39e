/** Every kind of problem. */
import type { FleetError } from '../../../src/fleet/fleet.ts';
import { later, MINUTE } from '../../../src/lib/clock.ts';
import { channelId, deviceId, eventId, type Reference } from '../../../src/lib/ids.ts';
import type { Trouble } from '../../../src/store/port/health-records.ts';
import type { Offer } from '../../../src/views/models/problem-model.ts';
import type { Problem, UsageFault, View } from '../../../src/views/views.ts';
import { aDevice, START } from '../../harness/builders.ts';
import { alertProblems, settingProblems } from './answer-samples.ts';
import { CHANNEL, repeated, type SampleContent, type ViewSample } from './sample-content.ts';
import { softwareProblems } from './software-samples.ts';

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

/** The same reference in every run. */
const REFERENCE = 'abcd1234' as Reference; // a test's brand

export function problems(filling: SampleContent): readonly ViewSample[] {
  const { text, count } = filling;
  const nearest = repeated(count, () => text);
  const root = '/fleet';
  const faults: readonly UsageFault[] = [
    { kind: 'missing', what: `${text}?` },
    { kind: 'unknown-word', word: text, nearest },
    { kind: 'unknown-word', word: text, nearest: [] },
    { kind: 'unknown-word', word: text, nearest, of: 'saved target' },
    { kind: 'unknown-word', word: text, nearest: [], of: 'saved target' },
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
    { kind: 'several-devices', query: text, offers: offersWith(filling) },
    ...[null, { command: 'devices', input: { words: [text], filters: [] } }].map(
      (choice): Problem => ({
        ...{ kind: 'usage', command: text, usage: text, root },
        fault: { kind: 'one-device', filters: text, choice },
      }),
    ),
    ...(['disk-full', 'read-only', 'broken-disk'] as const).map(
      (why): Problem => ({ kind: 'not-stored', why, changed: 'nothing', reference: REFERENCE }),
    ),
    { kind: 'not-stored', why: 'disk-full', changed: 'unknown', reference: REFERENCE },
    { kind: 'none-missing', deviceName: text },
    { kind: 'several-packages', query: text, deviceName: text, names: nearest },
    { kind: 'unsendable-change', fault: { kind: 'tag-both-ways', tag: text } },
    { kind: 'list-doubted', doubt: { list: 'devices', since: START, missing: 140 } },
    { kind: 'unknown-command', word: text, nearest: [], noDevice: true, root },
    ...(['reboot', 'scan'] as const).map(
      (command): Problem => ({
        kind: 'no-schedules',
        when: text,
        does: command === 'scan' ? 'form' : 'set',
        choice: { command, input: { device: text } },
        needsApproval: command === 'scan' ? null : true,
      }),
    ),
    ...[nearest, []].map(
      (unknown): Problem => ({
        kind: 'not-all-devices',
        query: text,
        unknown,
        offers: offersWith(filling).slice(-1),
      }),
    ),
  ];
  const numbered = all.map(
    (problem, at): ViewSample => [`problem ${at + 1}: ${problem.kind}`, { kind: 'problem', problem }],
  );
  return [...numbered, ['problem of a stop', { kind: 'problem', problem: { kind: 'restarting' } }]];
}

export function offersWith({ text, count }: SampleContent): readonly Offer[] {
  const device = { ...aDevice({ name: text, customName: text }), id: deviceId(1) };
  const line = { device, groupName: text, seenAt: START, addresses: [text], serialNumber: text };
  const choice = { command: 'reboot', input: { device: 1, reason: text } };
  const offers: readonly Offer[] = [
    { kind: 'device', line, choice },
    {
      kind: 'device',
      line,
      page: 'volumes',
      choice: { command: 'device', input: { device: 1, page: 'volumes' } },
    },
    {
      kind: 'named',
      what: 'group',
      name: text,
      id: 20,
      detail: text,
      choice: { command: 'group', input: { group: 20 } },
    },
    { kind: 'line', line: text, does: 'form', choice: { command: 'reboot', input: { device: text } } },
    { kind: 'line', line: text, does: 'set', choice: { command: 'alias', input: { name: text } } },
    { kind: 'line', line: text, does: 'run', choice: { command: 'devices', input: { words: [text] } } },
  ];
  return Array.from({ length: Math.max(1, Math.ceil(count / offers.length)) }, () => offers).flat();
}

export const ALL_TROUBLES: readonly Trouble[] = [
  { kind: 'slack-disconnected' },
  { kind: 'slack-silent' },
  { kind: 'slack-refuses', error: 'token_revoked' },
  { kind: 'slack-refuses', error: 'missing_scope' },
  { kind: 'database-down' },
  { kind: 'database-unwritable', why: 'disk-full' },
  { kind: 'database-unwritable', why: 'read-only' },
  { kind: 'database-unwritable', why: 'broken-disk' },
  { kind: 'events-unread', failures: 3 },
  { kind: 'ids-restarted', newestId: eventId(7), floorId: eventId(90_000) },
  { kind: 'cards-late', cards: 4, alerts: 3 },
  { kind: 'cards-late', cards: 1, alerts: 1 },
  { kind: 'cards-late', cards: 2, alerts: 0 },
  { kind: 'channel-refuses', channel: channelId('C0ALERTS'), error: 'not_in_channel', cards: 5 },
  { kind: 'channel-refuses', channel: channelId('C0ALERTS'), error: 'is_archived', cards: 1 },
  { kind: 'channel-refuses', channel: channelId('U0ADMIN'), error: 'cannot_dm_bot', cards: 1 },
  { kind: 'alerts-given-up', alerts: 2, error: 'invalid_blocks' },
  { kind: 'new-database' },
  { kind: 'new-database', newFrom: START },
  { kind: 'events-missing', from: START, until: later(START, MINUTE), givenUp: false },
  { kind: 'events-missing', from: START, until: later(START, MINUTE), givenUp: true },
  { kind: 'slack-shared', connections: 2 },
  { kind: 'channel-refuses', channel: channelId('C0APPROVALS'), error: 'requests_shortened', cards: 0 },
  { kind: 'service-failing', cause: 'unauthorized', failures: 1 },
  { kind: 'service-failing', cause: 'unreachable', failures: 8 },
  { kind: 'service-failing', cause: 'timeout', failures: 9 },
  { kind: 'service-failing', cause: 'broken', failures: 10 },
  { kind: 'list-doubted', list: 'policies', missing: 2 },
  { kind: 'no-devices' },
  { kind: 'configuration-refused', faults: ['line 3, column 1: `x` & <!channel> is unknown', 'no `roles`'] },
  { kind: 'configuration-differs' },
  { kind: 'events-unread', failures: 0, neverRead: true },
];

export function troubleViews(): readonly (readonly [string, View])[] {
  return ALL_TROUBLES.flatMap((trouble, index) =>
    [null, START].map(
      (endedAt) =>
        [
          `a trouble ${index}: ${trouble.kind}${endedAt === null ? '' : ', over'}`,
          { kind: 'trouble', trouble, since: START, endedAt } as const,
        ] as const,
    ),
  );
}
