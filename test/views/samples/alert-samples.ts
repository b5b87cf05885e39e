/** The views of `alerts-model.ts`, with one text in every field that others choose. */

import { EVENT_KIND_NAMES } from '../../../src/fleet/model/event-kinds.ts';
import { alertId, channelId, deviceId, eventId, groupId, personId, policyId } from '../../../src/lib/ids.ts';
import type { AlertRecord } from '../../../src/store/port/records.ts';
import type { Problem } from '../../../src/views/model.ts';
import { START } from '../../harness/builders.ts';
import { anAlert, aSilence, aSubscription } from '../../harness/records.ts';
import type { SampleContent, ViewSample } from './sample-content.ts';

const CHANNEL = channelId('C0OPS');

export function alerts(filling: SampleContent): readonly ViewSample[] {
  return [...renderedEndings(filling), ...settingAnswers(filling)];
}

function renderedEndings({ text, count }: SampleContent): readonly ViewSample[] {
  const packages = many(Math.min(count, 50), () => ({ name: text, displayName: text }));
  const named = { deviceName: text, reason: text, policyName: text, packages } as const;
  const first = anAlert({ ...named, id: alertId('patch-failed-1') });
  const taken = { acknowledgedBy: personId(text), acknowledgedAt: START };
  const last = { by: personId(text), at: START };
  const one = {
    kind: 'acknowledged',
    alert: { ...first, ...taken },
    alerts: 1,
    devices: 1,
    taken: 1,
  } as const;
  const ofStorm = { ...one, alerts: 12, devices: 11, taken: 12 };
  const rows = many(count, (at) =>
    anAlert({ ...named, eventId: eventId(at + 1), ...(at % 2 === 0 ? taken : {}) }),
  );
  const storm = {
    kind: 'alert-group',
    first,
    channel: CHANNEL,
    alerts: count + 2,
    devices: count + 2,
    shown: rows,
    taken: null,
  } as const;
  const ofPolicy = { ...first, kind: 'policy-failed', policyId: policyId(5), exitCode: -1 } as const;
  const kinds = EVENT_KIND_NAMES.map((kind): ViewSample => {
    const alert: AlertRecord = { ...first, kind };
    return [`an alert of the kind ${kind}`, { kind: 'alert', alert }];
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
    ['an alert that somebody took', { kind: 'alert', alert: { ...first, ...taken } }],
    ['an alert about nothing that is named', { kind: 'alert', alert: emptyAlert(first) }],
    ['a storm', storm],
    ['a storm that somebody took', { ...storm, taken: { ...last, alerts: storm.alerts, people: 1 } }],
    ['a storm that some took in part', { ...storm, taken: { ...last, alerts: 1, people: 2 } }],
    ['a storm on one device', { ...storm, devices: 1 }],
    ['a storm of a policy', { ...storm, first: ofPolicy }],
    ['a storm of users', { ...storm, devices: 0, first: { ...emptyAlert(first), kind: 'signed-in' } }],
    ['alerts', { kind: 'alerts', of: { kind: 'all', days: 7, readAt: START, silences: [] }, rows, paging }],
    [
      'alerts with a storm',
      {
        kind: 'alerts',
        of: { kind: 'all', days: 1, readAt: START, silences: [silence] },
        rows: [
          { ...first, storm: { alerts: 12, devices: 12, acknowledged: 5 } },
          { ...first, storm: { alerts: 36, devices: 35, acknowledged: 0 }, heldBy: 3 },
          { ...first, heldBy: 3 },
        ],
        paging,
      },
    ],
    ['no alerts of a silence', { kind: 'alerts', of: { kind: 'silence' }, rows: [], paging }],
    ['alerts of a card', { kind: 'alerts', of: { kind: 'card' }, rows, paging }],
    ['an alert that one took', { ...one, already: false }],
    ['an alert that another took', { ...one, already: true }],
    ['a storm that one took', { ...ofStorm, already: false }],
    ['the rest of a storm', { ...ofStorm, already: false, taken: 5 }],
    ['a storm that another took', { ...ofStorm, already: true, taken: 0 }],
    ['a silence of everything begins', { kind: 'silence-on', silence: aSilence(), channel: CHANNEL }],
    [
      'a silence of everything is over',
      {
        kind: 'silence-on',
        silence: { ...silence, endedAt: silence.until, endedBy: personId(text) },
        channel: CHANNEL,
      },
    ],
    [
      'what a silence kept',
      {
        kind: 'silence-over',
        silence,
        channel: CHANNEL,
        kept: EVENT_KIND_NAMES.map((kind) => ({ kind, alerts: count + 1 })),
      },
    ],
  ];
}

function emptyAlert(alert: AlertRecord): AlertRecord {
  return {
    ...alert,
    deviceId: null,
    deviceName: null,
    policyName: null,
    reason: null,
    packages: [],
    happenedAt: null,
  };
}

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
    rows: many(count, (at) => ({ ...subscription, number: at + 1 })),
    silences: many(count, (at) => ({ ...silence, number: at + 1 })),
    paging: {
      command: 'subscriptions',
      input: { all: false },
      page: 1,
      pages: 3,
      total: count,
      asOf: START,
    },
  } as const;
  return [
    ['subscriptions', list],
    ['subscriptions of all channels', { ...list, channel: null, rows: [mine, ...list.rows] }],
    ['no subscriptions', { ...list, fixed: [], rows: [], silences: [] }],
    ['a subscription', { kind: 'subscribed', already: false, subscription, unknown: [] }],
    [
      'a subscription to unknown events',
      {
        kind: 'subscribed',
        already: false,
        subscription,
        unknown: many(count, () => ({ name: text, meant: { word: text, choice } })),
      },
    ],
    ['a subscription to oneself', { kind: 'subscribed', already: false, subscription: mine, unknown: [] }],
    ['a subscription that was there', { kind: 'subscribed', already: true, subscription, unknown: [] }],
    ['a subscription that is ended', { kind: 'unsubscribed', asked: 'one', ended: [subscription] }],
    [
      'subscriptions that are ended',
      { kind: 'unsubscribed', asked: 'here', ended: many(count, () => subscription) },
    ],
    ['a silence', { kind: 'silenced', silence, zone: null, skipped: null, unknown: [] }],
    [
      'a silence of unknown events',
      {
        kind: 'silenced',
        silence,
        zone: null,
        skipped: null,
        unknown: many(count, () => ({ name: text, meant: { word: text, choice } })),
      },
    ],
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

function many<T>(count: number, make: (at: number) => T): readonly T[] {
  return Array.from({ length: count }, (_, at) => make(at));
}
