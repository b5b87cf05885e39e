/** Private answers to requests and presses. */

import { EVENT_KIND_NAMES, type EventKind, isProblemKind } from '../../../src/fleet/model/event-kinds.ts';
import { instant } from '../../../src/lib/clock.ts';
import {
  channelId,
  deviceId,
  eventId,
  groupId,
  pauseId,
  personId,
  policyId,
  requestId,
  userGroupId,
} from '../../../src/lib/ids.ts';
import type { AlertMember, MemberState, ShownAlert } from '../../../src/store/port/alert-records.ts';
import type { NamedLine, PauseRecord } from '../../../src/store/port/settings-records.ts';
import type { DoubtedList } from '../../../src/views/models/list-model.ts';
import type { DecisionOutcome, Problem, View } from '../../../src/views/views.ts';
import { aDevice, START } from '../../harness/builders.ts';
import { aMember, anAlert, aRequest, aSilence, aSubscription, someFacts } from '../../harness/records.ts';
import { readyTargets } from '../request-records.ts';
import { offersWith } from './problem-samples.ts';
import {
  APPROVER,
  CHANNEL,
  repeated,
  type SampleContent,
  sample,
  type ViewSample,
} from './sample-content.ts';

export function answers({ text, count }: SampleContent): readonly ViewSample[] {
  const action = { kind: 'patch', packages: repeated(Math.max(count, 1), () => text) } as const;
  const request = aRequest({ action, targets: readyTargets(someFacts({ displayName: text })), reason: null });
  const link = 'https://example.slack.com/archives/C0OPS/p1?a=1&b=2';
  const own = { already: false, mine: true, reasonUnused: false };
  const outcomes: readonly DecisionOutcome[] = [
    { kind: 'approved', request },
    { kind: 'denied', request },
    { kind: 'withdrawn', request },
    { kind: 'already', request, state: 'denied', by: APPROVER, at: START },
    { kind: 'already', request, state: 'expired', by: null, at: null },
    { kind: 'own-request' },
    { kind: 'not-requester' },
    { kind: 'reason-given', reason: text },
    { kind: 'not-allowed', need: text },
    { kind: 'stale-card' },
    { kind: 'count-not-typed' },
    { kind: 'window-refused', why: 'ended-window' },
    { kind: 'window-unopened' },
    { kind: 'paused', pause: aPause({ reason: text }) },
    { kind: 'absent' },
  ];
  return [
    ['an answer to a request', { kind: 'approval-requested', request, channel: CHANNEL, link, ...own }],
    sample('an answer to one’s own request once more', {
      kind: 'approval-requested',
      request,
      channel: CHANNEL,
      link,
      ...own,
      already: true,
      reasonUnused: true,
    }),
    sample('an answer to the same request', {
      kind: 'approval-requested',
      request: { ...request, reason: text },
      channel: channelId(text),
      link: text,
      already: true,
      mine: false,
      reasonUnused: true,
    }),
    ['an answer to an order', { kind: 'started', requestId: requestId('r_1'), action, names: [text], link }],
    [
      'an answer to an order without a link',
      { kind: 'started', requestId: requestId('r_1'), action, names: [text], link: null },
    ],
    sample('an answer to an order that somebody else gave before', {
      kind: 'started',
      requestId: requestId('r_1'),
      action,
      names: [text, text],
      link,
      already: true,
      by: APPROVER,
    }),
    ...[1, 300].map((left): ViewSample => {
      const problem: Problem = { kind: 'device-gone', query: text };
      const unrequested = Array.from({ length: left }, () => ({ name: text, problem }));
      const view = { kind: 'started', requestId: requestId('r_1'), action, names: [text], link } as const;
      return [`what was requested again without ${left}`, { kind: 'requested-again', view, unrequested }];
    }),
    ...['x', 'x'.repeat(3_000)].map(
      (reason): ViewSample => [
        `a request that is too late, of ${reason.length} letters`,
        {
          kind: 'too-late',
          command: 'reboot',
          input: { device: text, reason },
          subject: reason.length === 1 ? text : null,
          askedAt: START,
          maxAgeMs: 900_000,
          root: '/fleet',
        },
      ],
    ),
    ...outcomes.map(
      (outcome): ViewSample => [
        `a press: ${outcome.kind} ${'by' in outcome ? outcome.by : ''}`,
        { kind: 'decided', outcome },
      ],
    ),
    ...(['approvals', 'patchAlerts', 'newDevices', 'none'] as const).map(
      (purpose): ViewSample => [
        `a welcome: ${purpose}`,
        { kind: 'welcome', channel: CHANNEL, purpose, root: '/fleet' },
      ],
    ),
    ['a greeting', { kind: 'greeting', refusal: null, changes: true, root: '/fleet' }],
    ['a greeting of who may only look', { kind: 'greeting', refusal: null, changes: false, root: '/fleet' }],
    sample('roles', {
      kind: 'roles',
      roles: {
        viewer: { people: [], userGroups: [userGroupId('S0VIEW'), userGroupId(text)] },
        operator: { people: [], userGroups: [] },
        approver: { people: Array.from({ length: 25 }, (_, at) => personId(`U0A${at}`)), userGroups: [] },
        admin: { people: [APPROVER], userGroups: [] },
      },
    }),
    sample('a greeting of who has no role', {
      kind: 'greeting',
      refusal: { kind: 'not-allowed', need: 'viewer', role: null, ask: [] },
      changes: false,
      root: '/fleet',
    }),
    sample('a command that lacks something', {
      kind: 'fill-in',
      command: 'patch',
      prefill: { device: text },
      missing: text,
      usage: text,
      root: '/fleet',
    }),
    sample('a form that did not open', {
      kind: 'fill-in',
      command: text,
      prefill: { device: text },
      missing: null,
      usage: text,
      root: '/fleet',
    }),
    ['an answer shared from a window', { kind: 'posted', channel: CHANNEL }],
    [
      'a list sent as a file',
      { kind: 'exported', name: 'devices.csv', link: null, rows: count, omittedRows: 0 },
    ],
    sample('a part of a list sent as a file', {
      kind: 'exported',
      name: 'devices.csv',
      link,
      rows: 50_000,
      omittedRows: count,
    }),
    sample('an answer to share or to keep', {
      kind: 'shareable',
      view: { kind: 'device', device: aDevice({ name: text }), groupName: text },
      again: { command: 'device', input: { device: text }, page: 0 },
      share: true,
      file: true,
    }),
    ...[null, 'missing_scope', 'ratelimited'].map(
      (slackError): ViewSample => [
        `a file not sent: ${slackError}`,
        { kind: 'problem', problem: { kind: 'not-exported', slackError } },
      ],
    ),
  ];
}

export function aPause(given: Partial<PauseRecord> = {}): PauseRecord {
  const by = personId('U0ADMIN');
  return { id: pauseId('p_1'), by, reason: null, since: START, endedBy: null, endedAt: null, ...given };
}

export const DOUBTS: readonly DoubtedList[] = [
  { list: 'devices', since: START, missing: 140 },
  { list: 'policies', since: START, missing: 4 },
];

export function settings({ text, count }: SampleContent): readonly ViewSample[] {
  const rows = Array.from({ length: count }, (_, at) => {
    const owner = at % 2 === 0 ? null : personId('U0OPERATOR1');
    const named: NamedLine = { name: text, line: text, owner, by: personId(text), at: START };
    const remove = { command: 'alias', input: { do: 'remove', name: text, shared: owner === null } };
    return { named, remove: at % 3 === 0 ? null : remove };
  });
  const names = { kind: 'named-lines', most: 50, root: '/fleet' } as const;
  const pause = aPause({ reason: text, by: personId(text) });
  const over = aPause({ reason: text, endedBy: personId(text), endedAt: instant(START + 1) });
  const help = {
    kind: 'problem',
    problem: { kind: 'unknown-command', word: text, nearest: [], root: '/fleet' },
  } as const;
  const zone = { kind: 'timezone', asOf: START } as const;
  return [
    ['aliases', { ...names, of: 'alias', rows, done: null }],
    ['saved targets', { ...names, of: 'saved', rows, done: null }],
    ['no saved targets', { ...names, of: 'saved', rows: [], done: null }],
    [
      'an alias that was kept',
      { ...names, of: 'alias', rows, done: { kind: 'kept', name: text, shared: false } },
    ],
    [
      'a saved target that was removed',
      { ...names, of: 'saved', rows, done: { kind: 'removed', name: text, shared: true } },
    ],
    ['a time zone', { ...zone, zone: text, chosen: true, changed: true }],
    ['the time zone of who chose none', { ...zone, zone: 'UTC', chosen: false, changed: false }],
    ['a pause that goes on', { kind: 'pause-card', pause }],
    ['a pause without a reason', { kind: 'pause-card', pause: aPause() }],
    ['a pause that is over', { kind: 'pause-card', pause: over }],
    ['who paused', { kind: 'pause', what: 'begun', pause }],
    ['who paused what was paused', { kind: 'pause', what: 'already', pause }],
    ['who ended an older pause', { kind: 'pause', what: 'newer', pause }],
    ['who ended a pause', { kind: 'pause', what: 'ended', pause: over }],
    ['who paused without a reason', { kind: 'pause', what: 'ask' }],
    ['who said why it is paused', { kind: 'pause', what: 'reason-added', pause }],
    ['who ended no pause', { kind: 'pause', what: 'none' }],
    ...(['ask', 'accepted', 'grown'] as const).map(
      (what): ViewSample => [
        `removals: ${what}`,
        { kind: 'removals', what, doubts: what === 'accepted' ? [] : DOUBTS },
      ],
    ),
    ['what an alias ran', { kind: 'expanded', view: help, name: text, line: text }],
    ['what a sentence was read as', { kind: 'expanded', view: help, name: null, line: text, leftOut: text }],
  ];
}

export function settingProblems(filling: SampleContent): readonly Problem[] {
  const { text } = filling;
  return [
    { kind: 'paused', pause: aPause({ reason: text, by: personId(text) }) },
    { kind: 'names-full', of: 'alias', most: 50, shared: true },
    { kind: 'alias-is-device', name: text },
    { kind: 'no-such-name', of: 'alias', name: text, shared: false, offers: offersWith(filling).slice(-2) },
    { kind: 'no-such-name', of: 'saved', name: text, shared: true, offers: [] },
  ];
}

export function alerts(filling: SampleContent): readonly ViewSample[] {
  return [...renderedEndings(filling), ...settingAnswers(filling)];
}

function renderedEndings({ text, count }: SampleContent): readonly ViewSample[] {
  const packages = repeated(Math.min(count, 50), (at) => ({ name: `${text}${at}`, displayName: text }));
  const named = { deviceName: text, reason: text, policyName: text, packages } as const;
  const ended = { fixedAt: START, fixedEvent: eventId(9), closedAt: START, closedEvent: eventId(9) };
  const owner = { acknowledgedBy: personId(text), acknowledgedAt: START };
  /** `count + 2` members, each on its device. */
  const members = (states: readonly MemberState[], over: Partial<AlertMember> = {}) =>
    repeated(count + 2, (at) => {
      const state = states[at % states.length] ?? 'open';
      const facts = state === 'open' || state === 'noted' ? {} : ended;
      return aMember({ ...named, deviceId: deviceId(at + 1), failures: at + 1, state, ...facts, ...over });
    });
  const card = (alert: ShownAlert): View => ({ kind: 'alert', channel: CHANNEL, alert });
  const one = anAlert([aMember(named)]);
  const storm = anAlert(members(['open']));
  const partly = anAlert(members(['open', 'fixed']), owner);
  const fixed = anAlert(members(['fixed']), { endedAt: START });
  const mixed = anAlert(members(['fixed', 'closed']), {
    endedAt: START,
    lastEndedAt: START,
    lastOwner: personId(text),
  });
  const closed = anAlert(members(['closed']), { endedAt: START });
  const ofPolicy = { kind: 'policy-failed', policyId: policyId(5), exitCode: -1, packages: [] } as const;
  const several = [
    { reason: text, exitCode: null, members: 7 },
    { reason: `${text} and more`, exitCode: null, members: 2 },
  ];
  const rows = [one, storm, partly, fixed, mixed, closed];
  const answer = { kind: 'acknowledged', alert: { ...one, ...owner } } as const;
  const kinds = EVENT_KIND_NAMES.map((kind): ViewSample => {
    const state = isProblemKind(kind) ? 'open' : 'noted';
    return [`an alert of the kind ${kind}`, card(anAlert([aMember({ ...named, kind, state })]))];
  });
  const silence = aSilence({ createdBy: personId(text), reason: text, kept: count });
  const paging = {
    command: 'alerts',
    input: { of: 'all', days: 7 },
    page: 1,
    pages: 3,
    total: count,
    asOf: START,
  };
  return [
    ...kinds,
    ['an alert that somebody took', card({ ...one, ...owner })],
    ['an alert about nothing that is named', card(emptyAlert('patch-failed'))],
    ['a storm', card({ ...storm, reasons: several })],
    ['a storm that somebody took, fixed in part', card(partly)],
    ['a storm that is fixed', card({ ...fixed, reasons: several })],
    ['a storm that is fixed but for removed devices', card(mixed)],
    ['a storm of removed devices', card(closed)],
    ['a storm that opened again', card({ ...storm, lastEndedAt: START, lastOwner: personId(text) })],
    ['a storm of a policy', card(anAlert(members(['open'], ofPolicy)))],
    ['a storm of a policy that ran', card(anAlert(members(['fixed'], ofPolicy)))],
    ['a storm of users', card({ ...emptyAlert('signed-in'), members: count + 2 })],
    ['new devices', card(anAlert(members(['noted'], { kind: 'device-added', packages: [] })))],
    ['a card that a newer one replaced', { kind: 'alert-moved', alert: storm, link: null }],
    ['a card that a newer one replaced, with its link', { kind: 'alert-moved', alert: one, link: LINK }],
    ['alerts', { kind: 'alerts', days: 7, state: null, readAt: START, silences: [], rows, paging }],
    sample('alerts that a silence holds', {
      kind: 'alerts',
      ...{ days: 1, state: 'open', readAt: START, silences: [silence], paging },
      rows: [
        { ...storm, heldBy: 3 },
        { ...one, heldBy: 3 },
      ],
    }),
    ['no alerts of a silence', { kind: 'alert-members', of: 'silence', rows: [], paging }],
    [
      'devices of an alert',
      { kind: 'alert-members', of: mixed, rows: members(['open', 'fixed', 'closed']), paging },
    ],
    ['an alert that one took', { ...answer, outcome: 'acknowledged' }],
    ['an alert that another took', { ...answer, outcome: 'already' }],
    ['an alert that ended before', { ...answer, outcome: 'ended', alert: fixed }],
    ['an event that nobody takes', { ...answer, outcome: 'noted' }],
    ['a storm that one took', { ...answer, outcome: 'acknowledged', alert: { ...storm, ...owner } }],
    ['a storm that another took', { ...answer, outcome: 'already', alert: { ...storm, ...owner } }],
    ['a silence of everything begins', { kind: 'silence-on', silence: aSilence(), channel: CHANNEL }],
    sample('a silence of everything is over', {
      kind: 'silence-on',
      silence: { ...silence, endedAt: silence.until, endedBy: personId(text) },
      channel: CHANNEL,
    }),
    sample('what a silence kept', {
      kind: 'silence-over',
      silence,
      channel: CHANNEL,
      kept: EVENT_KIND_NAMES.map((kind) => ({ kind, alerts: count + 1 })),
    }),
  ];
}

function emptyAlert(kind: EventKind): ShownAlert {
  const nobody = { deviceId: null, deviceName: null, policyName: null, reason: null, packages: [] };
  return anAlert([aMember({ ...nobody, kind, state: isProblemKind(kind) ? 'open' : 'noted' })]);
}

const LINK = 'https://example.slack.com/archives/C0OPS/p1';

function settingAnswers({ text, count }: SampleContent): readonly ViewSample[] {
  const filter = {
    group: { id: groupId(3), name: text },
    policy: { id: policyId(5), name: text },
    tag: text,
    os: text,
  };
  const kinds = EVENT_KIND_NAMES;
  const choice = { command: 'silence', input: { events: [], device: text } };
  const subscription = aSubscription({ kinds, filter, createdBy: personId(text) });
  const mine = aSubscription({ person: personId('UVIEWER'), channel: channelId('D0VIEWER') });
  const scope = {
    kinds,
    group: { id: groupId(3), name: text },
    device: { id: deviceId(7), name: text },
    patch: text,
  };
  const silence = aSilence({ scope, reason: text, createdBy: personId(text), kept: count });
  const list = {
    kind: 'subscriptions',
    channel: CHANNEL,
    fixed: [{ kind: 'patch-failed', channel: CHANNEL }],
    rows: repeated(count, (at) => ({ ...subscription, number: at + 1 })),
    silences: repeated(count, (at) => ({ ...silence, number: at + 1 })),
    paging: { command: 'subscriptions', input: { all: false }, page: 1, pages: 3, total: count, asOf: START },
  } as const;
  return [
    ['subscriptions', list],
    ['subscriptions of all channels', { ...list, channel: null, rows: [mine, ...list.rows] }],
    ['no subscriptions', { ...list, fixed: [], rows: [], silences: [] }],
    ['a subscription', { kind: 'subscribed', already: false, subscription, unknown: [] }],
    sample('a subscription to unknown events', {
      kind: 'subscribed',
      already: false,
      subscription,
      unknown: repeated(count, () => ({ name: text, meant: { word: text, choice } })),
    }),
    ['a subscription to oneself', { kind: 'subscribed', already: false, subscription: mine, unknown: [] }],
    ['a subscription that was there', { kind: 'subscribed', already: true, subscription, unknown: [] }],
    ['a subscription that is ended', { kind: 'unsubscribed', asked: 'one', ended: [subscription] }],
    [
      'subscriptions that are ended',
      { kind: 'unsubscribed', asked: 'here', ended: repeated(count, () => subscription) },
    ],
    ['a silence', { kind: 'silenced', silence, zone: null, skipped: null, unknown: [] }],
    sample('a silence of unknown events', {
      kind: 'silenced',
      silence,
      zone: null,
      skipped: null,
      unknown: repeated(count, () => ({ name: text, meant: { word: text, choice } })),
    }),
    [
      'a silence of everything',
      { kind: 'silenced', silence: aSilence(), zone: 'Europe/Berlin', skipped: null, unknown: [] },
    ],
    ['a silence that is over', { kind: 'silence-ended', silence }],
  ];
}

export function alertProblems({ text }: SampleContent): readonly Problem[] {
  return [
    { kind: 'no-such-number', what: 'subscription', number: 3 },
    { kind: 'no-such-number', what: 'alert', number: 70_001 },
    { kind: 'no-member', channel: text },
    { kind: 'no-member', channel: 'here' },
    { kind: 'channel-unread', channel: text },
    { kind: 'too-many-subscriptions', most: 500, own: false },
    { kind: 'too-many-subscriptions', most: 20, own: true },
    { kind: 'too-many-silences', most: 20, own: true },
    { kind: 'too-many-silences', most: 200, own: false },
    { kind: 'personal', what: text, needed: text },
  ];
}
