import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { acknowledgeCommand } from '../../src/commands/acknowledge.ts';
import { EVENT_NAME_WORDS, parseEventNames } from '../../src/commands/alerting/event-names.ts';
import { alertsCommand } from '../../src/commands/alerts.ts';
import { silenceCommand, silenceForm } from '../../src/commands/silence.ts';
import { subscribeCommand, subscribeForm, subscribeInput } from '../../src/commands/subscribe.ts';
import { unsubscribeCommand } from '../../src/commands/subscriptions.ts';
import { EVENT_KIND_NAMES } from '../../src/fleet/model/event-kinds.ts';
import { later, MINUTE } from '../../src/lib/clock.ts';
import { channelId, eventId } from '../../src/lib/ids.ts';
import { renderView } from '../../src/views/views.ts';
import { START } from '../harness/builders.ts';
import { anAlert } from '../harness/records.ts';
import { HEALTHY } from './harness/fake-records.ts';
import { createFakeSettings } from './harness/fake-settings.ts';
import { testPorts } from './harness/ports.ts';
import { faultOf } from './harness/run-command.ts';
import { inputOf } from './harness/typed-line.ts';

describe('names of events', () => {
  it.each<[string, readonly string[]]>([
    ['patch failures', ['patch-failed']],
    ['Patch Failures, new devices and removed devices', ['patch-failed', 'device-added', 'device-removed']],
    ['new devices patch failures', ['patch-failed', 'device-added']],
    ['patch failres', ['patch-failed']],
    ['new devcies', ['device-added']],
    ['system.patch.failed', ['patch-failed']],
    ['policy actions', ['policy-failed', 'policy-run']],
    ['logins & logouts', ['signed-in', 'signed-out']],
    ['patches', ['patch-installed']],
  ])('“%s”', (words, kinds) => {
    expect(parseEventNames(words.split(' '))).toEqual({ kind: 'events', kinds });
  });

  it.each<[string, readonly string[]]>([
    ['system.device.renamed', ['system.device.renamed']],
    ['Patch failures, Org.New_Thing and a.b', ['patch-failed', 'Org.New_Thing', 'a.b']],
    ['SYSTEM.patch.failed system.policy.action', ['patch-failed', 'policy-failed', 'policy-run']],
    ['user.created', ['user.created']],
  ])('“%s” with events that are not known', (words, kinds) => {
    expect(parseEventNames(words.split(' '))).toEqual({ kind: 'events', kinds });
  });

  it.each(['renamed', 'a.', '.b', 'a..b', `a.${'b'.repeat(99)}`, 'a.<b>'])(
    '“%s” is no name of the log',
    (word) => {
      expect(parseEventNames([word])).toMatchObject({ kind: 'fault' });
    },
  );

  it.each(['reboots', 'new devices and disconnects', 'offline devices'])(
    '“%s” are not logged, and that is said',
    (words) => {
      expect(parseEventNames(words.split(' '))).toMatchObject({
        fault: { kind: 'bad-value', expected: expect.stringContaining('which has no reboots') },
      });
    },
  );

  it('an unknown one is named back with the nearest', () => {
    expect(parseEventNames(['failed', 'things'])).toMatchObject({
      fault: { kind: 'unknown-word', word: 'failed' },
    });
  });

  it('every name that is offered is taken', () => {
    expect(EVENT_NAME_WORDS.map((words) => parseEventNames([words]))).toEqual(
      EVENT_KIND_NAMES.map((kind) => ({ kind: 'events', kinds: [kind] })),
    );
  });

  it('whatever is typed is an answer', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'binary' })), (words) => {
        expect(['events', 'fault']).toContain(parseEventNames(words).kind);
      }),
    );
  });
});

describe('subscribe', () => {
  const nothing = { group: null, policy: null, tag: null, os: null };

  it.each<[string, object]>([
    ['patch failures', { where: 'here', events: ['patch-failed'] }],
    ['here to patch failures', { where: 'here', events: ['patch-failed'] }],
    ['me new devices', { where: 'me', events: ['device-added'] }],
    ['#team-a to new devices', { where: 'team-a', events: ['device-added'] }],
    ['<#C0123456|team-a> new devices', { where: 'team-a', events: ['device-added'] }],
    ['system.device.renamed', { where: 'here', events: ['system.device.renamed'] }],
    ['C01234567 new devices', { where: 'C01234567', events: ['device-added'] }],
    [
      'patch failures group:"Linux servers" tag:critical',
      { where: 'here', events: ['patch-failed'], group: 'Linux servers', tag: 'critical' },
    ],
  ])('“%s”', (text, input) => {
    expect(inputOf(subscribeCommand, text)).toEqual({ ...nothing, ...input });
  });

  it('without events says what is missing and keeps what was typed for the form', () => {
    expect(faultOf(subscribeCommand, '#ops group:Linux')).toMatchObject({
      kind: 'missing',
      prefill: { where: 'ops', group: 'Linux' },
    });
  });

  it.each([
    ['patch failures groop:x', 'unknown-word'],
    ['patch failures -group:x', 'bad-value'],
    ['patch failures tag:a tag:b', 'bad-value'],
    ['patch failures because x', 'unknown-word'],
  ])('does not take “%s”', (text, kind) => {
    expect(faultOf(subscribeCommand, text)).toMatchObject({ kind });
  });

  it.each([
    ['patch-failed', true],
    ['constructor', false],
  ])('takes a stored event “%s”: %s', (event, success) => {
    const stored = { ...nothing, where: 'here', events: [event] };
    expect(subscribeInput.safeParse(stored)).toMatchObject({ success });
  });

  it('gives what its form holds as what would have been typed', async () => {
    const { ports } = testPorts({});
    const opened = await subscribeForm.open({ where: 'ops', group: 'Linux' }, ports);
    expect(opened).toMatchObject({ form: { command: 'subscribe' } });
    const values = new Map<string, readonly string[]>([
      ['where', ['other']],
      ['channel', ['#ops']],
      ['events', ['patch-failed', 'device-added']],
      ['others', ['system.device.renamed, user.login, patch-failed']],
      ['group', ['3111']],
      ['tag', [' critical ']],
    ]);
    const input = {
      where: 'ops',
      events: ['patch-failed', 'device-added', 'signed-in', 'system.device.renamed'],
      tag: 'critical',
    };
    expect(subscribeForm.read(values, {}, ports)).toEqual({
      kind: 'input',
      input: { ...nothing, ...input, group: 3_111 },
    });
  });

  it.each<[string, ReadonlyMap<string, readonly string[]>]>([
    [
      'channel',
      new Map([
        ['where', ['other']],
        ['events', ['patch-failed']],
      ]),
    ],
    ['events', new Map([['where', ['here']]])],
    [
      'others',
      new Map([
        ['where', ['here']],
        ['others', ['moons']],
      ]),
    ],
  ])('says on the field what its form lacks: %s', (field, values) => {
    const { ports } = testPorts({});
    expect(subscribeForm.read(values, {}, ports)).toMatchObject({ errors: { [field]: expect.any(String) } });
  });
});

describe('unsubscribe', () => {
  it.each<[string, object]>([
    ['3', { number: 3 }],
    ['#3', { number: 3 }],
    ['here', { all: 'here' }],
    ['ME', { all: 'me' }],
  ])('“%s”', (text, input) => {
    expect(inputOf(unsubscribeCommand, text)).toEqual(input);
  });

  it.each([
    ['', 'missing'],
    ['0', 'bad-value'],
    ['everything', 'bad-value'],
    ['3 4', 'unknown-word'],
  ])('does not take “%s”', (text, kind) => {
    expect(faultOf(unsubscribeCommand, text)).toMatchObject({ kind });
  });
});

describe('silence', () => {
  const nothing = { events: [], group: null, device: null, package: null, lasts: null, reason: null };
  const HOURS = 3_600_000;

  it.each<[string, object]>([
    ['patch failures for 2h', { events: ['patch-failed'], lasts: { for: 2 * HOURS } }],
    ['patch failures for 2 hours', { events: ['patch-failed'], lasts: { for: 2 * HOURS } }],
    ['device:web-01 until 18:05', { device: 'web-01', lasts: { untilMinute: 1_085 } }],
    ['group:"Linux servers" because moving', { group: 'Linux servers', reason: 'moving' }],
    ['everything for 3d', { lasts: { for: 72 * HOURS } }],
    ['package:openssl', { package: 'openssl' }],
    ['system.device.renamed for 2h', { events: ['system.device.renamed'], lasts: { for: 2 * HOURS } }],
  ])('“%s”', (text, input) => {
    expect(inputOf(silenceCommand, text)).toEqual({ ...nothing, ...input });
  });

  it('gives what its form holds as what would have been typed', () => {
    const values = new Map<string, readonly string[]>([
      ['events', ['patch-failed']],
      ['others', ['system.device.renamed, user.login']],
      ['lasts', ['1h']],
    ]);
    const events = ['patch-failed', 'signed-in', 'system.device.renamed'];
    expect(silenceForm.read(values, null, testPorts({}).ports)).toEqual({
      kind: 'input',
      input: { ...nothing, events, lasts: { for: HOURS } },
    });
  });

  it('ends one by its number', () => {
    expect(inputOf(silenceCommand, 'off 3')).toEqual({ off: 3 });
  });

  it.each([
    ['', 'missing'],
    ['for 2h', 'missing'],
    ['off', 'missing'],
    ['off me', 'bad-value'],
    ['patch failures for 2 weeks', 'bad-value'],
    ['patch failures for 31d', 'bad-value'],
    ['patch failures until 25:00', 'bad-value'],
    ['patch failures is:offline', 'unknown-word'],
  ])('does not take “%s”', (text, kind) => {
    expect(faultOf(silenceCommand, text)).toMatchObject({ kind });
  });
});

describe('alerts', () => {
  it.each<[string, object]>([
    ['', { of: 'all', days: 7 }],
    ['days:2', { of: 'all', days: 2 }],
    ['silence:#3', { of: 'silence', silence: 3, channel: null }],
  ])('“%s”', (text, input) => {
    expect(inputOf(alertsCommand, text)).toEqual(input);
  });

  it.each(['70001', '#70001', 'alert 70001'])('are acknowledged by their number: %s', (text) => {
    expect(inputOf(acknowledgeCommand, text)).toEqual({ alert: 70_001 });
  });

  it('show a storm as one, and all of its alerts in the file', async () => {
    const storm = { alerts: 2, devices: 2, acknowledged: 0 };
    const [first, second] = [anAlert(), anAlert({ eventId: eventId(2) })];
    const settings = createFakeSettings({
      shown: async () => ({ total: 1, rows: [{ ...first, storm }] }),
      list: async () => ({ total: 2, rows: [first, second] }),
    });
    const ports = { ...testPorts({}).ports, channel: channelId('C0OPS'), refusal: async () => null };
    const listed = (over: object) =>
      alertsCommand.run({ of: 'all', days: 7 }, 0, { ...ports, settings, ...over });
    expect(await listed({})).toMatchObject({ rows: [{ storm }], paging: { total: 1 } });
    expect(await listed({ pageSize: 100 })).toMatchObject({ rows: [first, second], paging: { total: 2 } });
  });

  it.each([
    [
      later(START, -9 * MINUTE),
      /No alerts\.\n⚠️ Events were last read <!date.*>\. Newer ones aren’t listed\./,
    ],
    [null, /No alerts\.\n⚠️ Events haven’t been read yet\. Newer ones aren’t listed\./],
    [START, /No alerts\.\n0 alerts, as of /],
  ])('say up to when events are known, where the log was read at %s', async (lastSuccess, words) => {
    const { ports } = testPorts({});
    const health = async () => ({ ...HEALTHY, events: { lastSuccess, failures: 3 } });
    const setting = {
      settings: createFakeSettings(),
      channel: channelId('C0OPS'),
      refusal: async () => null,
    };
    const list = await alertsCommand.run({ of: 'all', days: 7 }, 0, { ...ports, ...setting, health });
    expect(renderView(list).text).toMatch(words);
  });

  it.each([
    ['days:91', 'bad-value'],
    ['silence:x', 'bad-value'],
    ['dys:2', 'unknown-word'],
    ['web-01', 'unknown-word'],
  ])('does not take “%s”', (text, kind) => {
    expect(faultOf(alertsCommand, text)).toMatchObject({ kind });
  });
});
