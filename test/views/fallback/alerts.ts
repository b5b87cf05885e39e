/**
 * Required content of fallback texts: alerts, subscriptions, silences, events, the pause and Patchbay’s own problems.
 */
import { channelId, deviceId, eventId, groupId, personId, policyId } from '../../../src/lib/ids.ts';
import type { View } from '../../../src/views/model.ts';
import { aDevice, anEvent, START } from '../../harness/builders.ts';
import { anAlert, aSilence, aSubscription, EVERYTHING } from '../../harness/records.ts';
import { aPause } from '../samples/answer-samples.ts';

type Row = { readonly name: string; readonly view: View; readonly holds: readonly string[] };

const ANN = personId('UANN');
const OPS = channelId('C0OPS');
const TAKEN = { acknowledgedBy: ANN, acknowledgedAt: START } as const;
const failed = anAlert({ policyId: policyId(5), policyName: 'Nightly patches' });
const second = anAlert({
  eventId: eventId(70_002),
  deviceId: deviceId(1002),
  deviceName: 'web-02',
  ...TAKEN,
});
const storm = { kind: 'alert-group', first: failed, channel: OPS, alerts: 12, devices: 12 } as const;
const silence = aSilence({
  number: 3,
  scope: { ...EVERYTHING, kinds: ['patch-failed'], device: { id: deviceId(1001), name: 'web-01' } },
  reason: 'move',
});
const subscription = aSubscription({
  number: 4,
  filter: { group: { id: groupId(3), name: 'Linux servers' }, policy: null, tag: null, os: null },
});
const paging = { command: 'alerts', input: {}, page: 0, pages: 1, total: 2, asOf: START };
const since = START;

const CARDS: readonly Row[] = [
  {
    name: 'a failed patch',
    view: { kind: 'alert', alert: failed, group: 'Linux servers' },
    holds: [
      '⛔ *Patch failed on web-01*: OpenSSL',
      '*Error:* `exit status 100: held packages`',
      '*Policy*: Nightly patches',
      '*Group*: Linux servers',
      '*Operating system*: Ubuntu 24.04',
      'Failed <!date^',
    ],
  },
  {
    name: 'a failed patch that somebody acknowledged',
    view: { kind: 'alert', alert: { ...failed, ...TAKEN } },
    holds: ['⛔ *Patch failed on web-01*: OpenSSL', 'Acknowledged by <@UANN> <!date^'],
  },
  {
    name: 'a failed policy',
    view: { kind: 'alert', alert: { ...failed, kind: 'policy-failed', packages: [], exitCode: 3 } },
    holds: ['⛔ *Policy failed on web-01*: Nightly patches', 'exit code 3'],
  },
  {
    name: 'a new device',
    view: { kind: 'alert', alert: anAlert({ kind: 'device-added', packages: [], reason: null }) },
    holds: ['*Device added: web-01*', 'Ubuntu 24.04', '*ID*: #1001', 'Added <!date^'],
  },
  {
    name: 'grouped alerts',
    view: { ...storm, shown: [failed, second], taken: { alerts: 1, people: 1, by: ANN, at: START } },
    holds: [
      '⛔ *Patch failed on 12 devices*: OpenSSL',
      'web-01, web-02 and 10 more',
      '*Error on all of them:* `exit status 100: held packages`',
      'First patch failure <!date^',
      'Further failures of the same patch with the same error are added to this message for 15 minutes after the first.',
      '1 of 12 acknowledged by <@UANN>',
    ],
  },
];

const ANSWERS: readonly Row[] = [
  {
    name: 'a list of alerts',
    view: {
      kind: 'alerts',
      of: { kind: 'all', days: 7, readAt: START, silences: [] },
      rows: [failed, second],
      paging,
    },
    holds: [
      'Alerts in the last 7 days: 2 alerts',
      '⛔ *Patch failed on web-01*: OpenSSL · `exit status 100: held packages` · <!date^',
      '⛔ *Patch failed on web-02*',
      'acknowledged by <@UANN> · alert 70002',
    ],
  },
  {
    name: 'an alert that one acknowledged',
    view: { kind: 'acknowledged', already: false, alert: second, alerts: 1, devices: 1, taken: 1 },
    holds: ['You acknowledged the web-02 alert (patch failure: OpenSSL).'],
  },
  {
    name: 'subscriptions and silences',
    view: {
      ...{ kind: 'subscriptions', channel: OPS, rows: [subscription], silences: [silence], paging },
      fixed: [{ kind: 'device-added', channel: OPS }],
    },
    holds: [
      'Alert subscriptions in <#C0OPS>',
      '*Device added* → <#C0OPS> (set in the configuration file)',
      '*Patch failed* in group Linux servers and its subgroups → <#C0TEAM>',
      'Subscription #4, added by <@UOPERATOR>',
      '*Patch failed* for web-01 until <!date^',
      'Silence #3, by <@UOPERATOR>. Reason: move',
    ],
  },
  {
    name: 'a new subscription',
    view: { kind: 'subscribed', already: false, subscription, unknown: [] },
    holds: ['Subscribed <#C0TEAM> to *Patch failed* in group Linux servers', 'Subscription #4'],
  },
  {
    name: 'a subscription that ended',
    view: { kind: 'unsubscribed', asked: 'one', ended: [subscription] },
    holds: ['Unsubscribed <#C0TEAM> from *Patch failed*', 'Subscription #4 ended.'],
  },
  {
    name: 'a new silence',
    view: { kind: 'silenced', silence, zone: null, skipped: null, unknown: [] },
    holds: [
      '⏳ *Alerts silenced until <!date^',
      'You silenced *Patch failed* for web-01, in every channel. Reason: move',
      'These alerts are held, not posted.',
      'each channel with held alerts gets one message that says how many',
    ],
  },
  {
    name: 'a silence that somebody ended',
    view: { kind: 'silence-ended', silence: { ...silence, kept: 2 } },
    holds: ['▫️ *Silence #3 ended:* *Patch failed* for web-01. It held 2 alerts.'],
  },
  {
    name: 'a channel whose alerts are silenced',
    view: { kind: 'silence-on', silence, channel: OPS },
    holds: [
      '⏳ *Alerts silenced until <!date^',
      '<@UOPERATOR> silenced *Patch failed* for web-01, in every channel. Reason: move',
      'These alerts are held, not posted.',
    ],
  },
  {
    name: 'what a silence held',
    view: { kind: 'silence-over', silence, channel: OPS, kept: [{ kind: 'patch-failed', alerts: 2 }] },
    holds: [
      '▫️ *Silence ended.* It held 2 patch failures here.',
      '<@UOPERATOR> silenced *Patch failed* for web-01, in every channel. Reason: move',
    ],
  },
  {
    name: 'events of a device',
    view: {
      ...{
        kind: 'events',
        device: aDevice(),
        question: '',
        counted: null,
        checked: null,
        since,
        until: null,
      },
      ...{ rows: [anEvent()], paging: { ...paging, total: 1 } },
    },
    holds: ['Events for web-01: 1 event', '⛔ *Patch failed*: OpenSSL · `exit status 100: held packages`'],
  },
];

const OF_PATCHBAY: readonly Row[] = [
  {
    name: 'a pause',
    view: { kind: 'pause-card', pause: aPause({ reason: 'data center move' }) },
    holds: [
      '⚠️ *All changes are paused* by <@U0ADMIN> <!date^',
      '(reason: data center move)',
      'No changes are sent during a pause',
    ],
  },
  {
    name: 'a pause that ended',
    view: { kind: 'pause-card', pause: aPause({ endedBy: ANN, endedAt: START }) },
    holds: ['✅ *Changes resumed* by <@UANN> <!date^', 'Paused by <@U0ADMIN>'],
  },
  {
    name: 'a problem of Patchbay itself',
    view: {
      ...{ kind: 'trouble', since, endedAt: null },
      trouble: { kind: 'slack-refuses', error: 'token_revoked' },
    },
    holds: ['⛔ *Patchbay has a problem*', '`token_revoked`', 'Reinstall the app'],
  },
  {
    name: 'a problem that is over',
    view: { kind: 'trouble', since, endedAt: START, trouble: { kind: 'slack-silent' } },
    holds: ['✅ *Resolved* <!date^', 'Slack didn’t respond, or answered with errors.', 'Started <!date^'],
  },
  {
    name: 'an alert that is not there',
    view: { kind: 'problem', problem: { kind: 'no-such-number', what: 'alert', number: 7 } },
    holds: ['There’s no alert 7.', '/fleet alerts'],
  },
];

export const ALERTS: readonly Row[] = [...CARDS, ...ANSWERS, ...OF_PATCHBAY];
