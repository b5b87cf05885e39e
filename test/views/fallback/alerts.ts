/**
 * Required content of fallback texts: alerts, subscriptions, silences, events, the pause and Patchbay’s own problems.
 */
import { channelId, deviceId, eventId, groupId, personId, policyId } from '../../../src/lib/ids.ts';
import type { AlertMember, ShownAlert } from '../../../src/store/port/alert-records.ts';
import type { View } from '../../../src/views/views.ts';
import { aDevice, anEvent, START } from '../../harness/builders.ts';
import { aMember, anAlert, aSilence, aSubscription, EVERYTHING } from '../../harness/records.ts';
import { type FallbackRow, row } from '../rendered-text.ts';
import { aPause } from '../samples/answer-samples.ts';

const ANN = personId('UANN');
const OPS = channelId('C0OPS');
const TAKEN = { acknowledgedBy: ANN, acknowledgedAt: START } as const;
const member = aMember({ policyId: policyId(5), policyName: 'Nightly patches' });
const failed = anAlert([member]);
const second = anAlert([aMember({ deviceId: deviceId(1002), deviceName: 'web-02' })], {
  number: eventId(70_002),
  ...TAKEN,
});
const fixed = { state: 'fixed', fixedAt: START, fixedEvent: eventId(70_009) } as const;
const storm = (...states: readonly Partial<AlertMember>[]) =>
  states.map((state, at) => aMember({ deviceId: deviceId(at + 1), deviceName: `web-0${at + 1}`, ...state }));
const card = (alert: ShownAlert): View => ({ kind: 'alert', alert, channel: OPS, group: 'Linux servers' });
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

const REMOVED = { state: 'closed', closedAt: START, closedEvent: eventId(70_009) } as const;

const CARDS: readonly FallbackRow[] = [
  row('a failed patch', card(failed), [
    '⛔ *Patch failed on web-01*: OpenSSL',
    '*Error:* `exit status 100: held packages`',
    '*Policy*: Nightly patches',
    '*Group*: Linux servers',
    '*Operating system*: Ubuntu 24.04',
    'First failed <!date^',
    '. #70001',
    'Nobody has acknowledged it.',
  ]),
  row('a failed patch that somebody acknowledged', card({ ...failed, ...TAKEN }), [
    '▶️ *Patch failed on web-01*: OpenSSL',
    'Acknowledged by <@UANN> <!date^',
  ]),
  row('a failed patch that was fixed', card(anAlert([aMember({ ...fixed, failures: 3 })])), [
    '✅ *Fixed on web-01*: OpenSSL',
    '*Error was:* `exit status 100: held packages`',
    ', failed 3 times, reported installed <!date^',
  ]),
  row(
    'a failed policy',
    card(anAlert([aMember({ ...member, kind: 'policy-failed', packages: [], exitCode: 3 })])),
    ['⛔ *Policy failed on web-01*: Nightly patches', 'exit code 3'],
  ),
  row(
    'a new device',
    card(anAlert([aMember({ kind: 'device-added', state: 'noted', packages: [], reason: null })])),
    ['*Device added: web-01*', 'Ubuntu 24.04', '*ID*: #1001', 'Added <!date^'],
  ),
  row('several devices, some of them fixed', card(anAlert(storm({ failures: 2 }, {}, fixed), TAKEN)), [
    '▶️ *Patch failed on 3 devices, 1 fixed*: OpenSSL',
    'Still failing: web-01, web-02',
    '*Error:* `exit status 100: held packages`',
    ', failed 2 times. #70001',
    'Acknowledged by <@UANN>',
  ]),
  row('several devices, all fixed or removed', card(anAlert(storm(fixed, fixed, REMOVED))), [
    '✅ *Fixed on 2 of 3 devices, 1 closed*: OpenSSL',
    'web-01, web-02, web-03',
    '*Error was:* `exit status 100: held packages`',
  ]),
  row('a card that a newer one replaced', { kind: 'alert-moved', alert: failed, link: null }, [
    '▫️ *Moved*: a newer card shows OpenSSL.',
  ]),
];

const ANSWERS: readonly FallbackRow[] = [
  row(
    'a list of alerts',
    {
      ...{ kind: 'alerts', days: 7, state: null, readAt: START, silences: [] },
      ...{ rows: [failed, second], paging },
    },
    [
      'Alerts in the last 7 days: 2 alerts',
      '⛔ *Patch failed on web-01*: OpenSSL · `exit status 100: held packages` · <!date^',
      '▶️ *Patch failed on web-02*',
      'acknowledged by <@UANN> · alert 70002',
    ],
  ),
  row(
    'the devices of an alert',
    { kind: 'alert-members', of: failed, rows: storm({ failures: 2 }, fixed), paging },
    [
      'Alert 70001: 2 patch failures',
      '⛔ *web-01*: OpenSSL · `exit status 100: held packages` · failed 2 times',
      '✅ *web-02*: OpenSSL',
      'reported installed <!date^',
    ],
  ),
  row('an alert that one acknowledged', { kind: 'acknowledged', outcome: 'acknowledged', alert: second }, [
    'You acknowledged the web-02 alert (patch failure: OpenSSL).',
  ]),
  row(
    'subscriptions and silences',
    {
      ...{ kind: 'subscriptions', channel: OPS, rows: [subscription], silences: [silence], paging },
      fixed: [{ kind: 'device-added', channel: OPS }],
    },
    [
      'Alert subscriptions in <#C0OPS>',
      '*Device added* → <#C0OPS> (set in the configuration file)',
      '*Patch failed* in group Linux servers and its subgroups → <#C0TEAM>',
      'Subscription #4, added by <@UOPERATOR>',
      '*Patch failed* for web-01 until <!date^',
      'Silence #3, by <@UOPERATOR>. Reason: move',
    ],
  ),
  row('a new subscription', { kind: 'subscribed', already: false, subscription, unknown: [] }, [
    'Subscribed <#C0TEAM> to *Patch failed* in group Linux servers',
    'Subscription #4',
  ]),
  row('a subscription that ended', { kind: 'unsubscribed', asked: 'one', ended: [subscription] }, [
    'Unsubscribed <#C0TEAM> from *Patch failed*',
    'Subscription #4 ended.',
  ]),
  row('a new silence', { kind: 'silenced', silence, zone: null, skipped: null, unknown: [] }, [
    '⏳ *Alerts silenced until <!date^',
    'You silenced *Patch failed* for web-01, in every channel. Reason: move',
    'These alerts are held, not posted.',
    'each channel with held alerts gets one message that says how many',
  ]),
  row('a silence that somebody ended', { kind: 'silence-ended', silence: { ...silence, kept: 2 } }, [
    '▫️ *Silence #3 ended:* *Patch failed* for web-01. It held 2 alerts.',
  ]),
  row('a channel whose alerts are silenced', { kind: 'silence-on', silence, channel: OPS }, [
    '⏳ *Alerts silenced until <!date^',
    '<@UOPERATOR> silenced *Patch failed* for web-01, in every channel. Reason: move',
    'These alerts are held, not posted.',
  ]),
  row(
    'what a silence held',
    { kind: 'silence-over', silence, channel: OPS, kept: [{ kind: 'patch-failed', alerts: 2 }] },
    [
      '▫️ *Silence ended.* It held 2 patch failures here.',
      '<@UOPERATOR> silenced *Patch failed* for web-01, in every channel. Reason: move',
    ],
  ),
  row(
    'events of a device',
    {
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
    ['Events for web-01: 1 event', '⛔ *Patch failed*: OpenSSL · `exit status 100: held packages`'],
  ),
];

const OF_PATCHBAY: readonly FallbackRow[] = [
  row('a pause', { kind: 'pause-card', pause: aPause({ reason: 'data center move' }) }, [
    '⚠️ *All changes are paused* by <@U0ADMIN> <!date^',
    '(reason: data center move)',
    'No changes are sent during a pause',
  ]),
  row('a pause that ended', { kind: 'pause-card', pause: aPause({ endedBy: ANN, endedAt: START }) }, [
    '✅ *Changes resumed* by <@UANN> <!date^',
    'Paused by <@U0ADMIN>',
  ]),
  row(
    'a problem of Patchbay itself',
    {
      ...{ kind: 'trouble', since, endedAt: null },
      trouble: { kind: 'slack-refuses', error: 'token_revoked' },
    },
    ['⛔ *Patchbay has a problem*', '`token_revoked`', 'Reinstall the app'],
  ),
  row(
    'a problem that is over',
    { kind: 'trouble', since, endedAt: START, trouble: { kind: 'slack-silent' } },
    ['✅ *Resolved* <!date^', 'Slack didn’t respond, or answered with errors.', 'Started <!date^'],
  ),
  row(
    'an alert that is not there',
    { kind: 'problem', problem: { kind: 'no-such-number', what: 'alert', number: 7 } },
    ['There’s no alert 7.', '/fleet alerts'],
  ),
];

export const ALERTS: readonly FallbackRow[] = [...CARDS, ...ANSWERS, ...OF_PATCHBAY];
