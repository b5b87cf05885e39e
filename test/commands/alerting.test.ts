import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { acknowledgeCommand } from '../../src/commands/acknowledge.ts';
import { EVENT_NAME_WORDS, parseEventNames } from '../../src/commands/alerting/event-names.ts';
import { alertsCommand } from '../../src/commands/alerts.ts';
import type { AlertSettings } from '../../src/commands/core/settings-port.ts';
import {
  clockTimeText,
  readClockTime,
  silenceCommand,
  silenceEnd,
  silenceForm,
} from '../../src/commands/silence.ts';
import { subscribeCommand, subscribeForm, subscribeInput } from '../../src/commands/subscribe.ts';
import { subscriptionsCommand, unsubscribeCommand } from '../../src/commands/subscriptions.ts';
import { EVENT_KIND_NAMES } from '../../src/fleet/model/event-kinds.ts';
import { checkPermission, type Permission, type Role } from '../../src/lib/access.ts';
import { DAY, HOUR, instant, later, MINUTE } from '../../src/lib/clock.ts';
import { channelId, deviceId, organizationId, personId } from '../../src/lib/ids.ts';
import type { AlertQuery, SubscriptionRecord } from '../../src/store/port/alert-records.ts';
import { type Problem, renderView } from '../../src/views/views.ts';
import { START } from '../harness/builders.ts';
import { property } from '../harness/property.ts';
import { aMember, anAlert } from '../harness/records.ts';
import { HEALTHY } from './harness/fake-records.ts';
import { createFakeSettings } from './harness/fake-settings.ts';
import { testPorts } from './harness/ports.ts';
import { faultOf, inputOf } from './harness/typed-line.ts';

const HERE = { channel: channelId('C0OPS'), refusal: async () => null };

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
    const expected = { fault: { kind: 'unknown-word', word: 'failed' } };
    expect(parseEventNames(['failed', 'things'])).toMatchObject(expected);
  });

  it('every name that is offered is taken', () => {
    expect(EVENT_NAME_WORDS.map((words) => parseEventNames([words]))).toEqual(
      EVENT_KIND_NAMES.map((kind) => ({ kind: 'events', kinds: [kind] })),
    );
  });

  property([fc.array(fc.string({ unit: 'binary' }))])('whatever is typed is an answer', (words) => {
    expect(['events', 'fault']).toContain(parseEventNames(words).kind);
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
    const prefill = { where: 'ops', group: 'Linux' };
    expect(faultOf(subscribeCommand, '#ops group:Linux')).toMatchObject({ kind: 'missing', prefill });
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
    const events = ['patch-failed', 'device-added', 'signed-in', 'system.device.renamed'];
    const input = { ...nothing, where: 'ops', events, tag: 'critical', group: 3_111 };
    expect(subscribeForm.read(values, {}, ports)).toEqual({ kind: 'input', input });
  });

  it.each<[string, Readonly<Record<string, readonly string[]>>]>([
    ['channel', { where: ['other'], events: ['patch-failed'] }],
    ['events', { where: ['here'] }],
    ['others', { where: ['here'], others: ['moons'] }],
  ])('says on the field what its form lacks: %s', (field, values) => {
    const read = subscribeForm.read(new Map(Object.entries(values)), {}, testPorts({}).ports);
    expect(read).toMatchObject({ errors: { [field]: expect.any(String) } });
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
    const input = { ...nothing, events, lasts: { for: HOURS } };
    expect(silenceForm.read(values, null, testPorts({}).ports)).toEqual({ kind: 'input', input });
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
    ['', { of: 'all', days: 7, state: null }],
    ['days:2', { of: 'all', days: 2, state: null }],
    ['open', { of: 'all', days: 7, state: 'open' }],
    ['Fixed days:30', { of: 'all', days: 30, state: 'fixed' }],
    ['70001', { of: 'alert', number: 70_001, channel: null }],
    ['alert #70001', { of: 'alert', number: 70_001, channel: null }],
    ['silence:#3', { of: 'silence', silence: 3, channel: null }],
  ])('“%s”', (text, input) => {
    expect(inputOf(alertsCommand, text)).toEqual(input);
  });

  it.each(['70001', '#70001', 'alert 70001'])('are acknowledged by their number: %s', (text) => {
    expect(inputOf(acknowledgeCommand, text)).toEqual({ alert: 70_001 });
  });

  const alert = anAlert([aMember(), aMember({ deviceId: deviceId(2) })]);
  const run = (input: object, settings = createFakeSettings(), page = 0) =>
    alertsCommand.run(alertsCommand.inputOf(input) ?? {}, page, {
      ...testPorts({}).ports,
      ...HERE,
      settings,
    });

  it('are one row each, of the state that was asked for', async () => {
    const queries: AlertQuery[] = [];
    const list: AlertSettings['list'] = async (query) => {
      queries.push(query);
      return { total: 1, rows: [alert] };
    };
    const settings = createFakeSettings({ list });
    expect(await run({ of: 'all', days: 7, state: 'open' }, settings)).toMatchObject({ rows: [alert] });
    expect(queries).toEqual([{ since: later(START, -7 * DAY), until: START, state: 'open' }]);
    expect(await run({ of: 'all', days: 7 }, settings)).toMatchObject({ state: null });
  });

  it('show the devices of one by its number, or say that there is none', async () => {
    const found = { ofEvent: async () => alert, shown: async () => alert };
    const members = async () => ({ total: 2, rows: alert.shown });
    const listed = await run({ of: 'alert', number: 70_001 }, createFakeSettings({ ...found, members }));
    expect(listed).toMatchObject({
      kind: 'alert-members',
      of: alert,
      rows: alert.shown,
      paging: { total: 2 },
    });
    expect(await run({ of: 'alert', number: 7 })).toMatchObject({
      problem: { kind: 'no-such-number', what: 'alert', number: 7 },
    });
  });

  it('are read on the last page where the list became shorter', async () => {
    const list: AlertSettings['list'] = async (_, { skip }) => ({
      total: 1,
      rows: skip === 0 ? [alert] : [],
    });
    const listed = await run({ of: 'all', days: 7 }, createFakeSettings({ list }), 3);
    expect(listed).toMatchObject({ rows: [alert], paging: { page: 0, pages: 1 } });
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
    const setting = { settings: createFakeSettings(), ...HERE };
    const list = await alertsCommand.run({ of: 'all', days: 7, state: null }, 0, {
      ...ports,
      ...setting,
      health,
    });
    expect(renderView(list).text).toMatch(words);
  });

  it.each([
    ['days:91', 'bad-value'],
    ['silence:3 days:2', 'unknown-word'],
    ['silence:3 open', 'unknown-word'],
    ['70001 days:2', 'unknown-word'],
    ['broken', 'unknown-word'],
  ])('does not take “%s”', (text, kind) => {
    expect(faultOf(alertsCommand, text)).toMatchObject({ kind });
  });
});

describe('ending a subscription', () => {
  const one = (number: number, person: string | null): SubscriptionRecord => ({
    organizationId: organizationId(7),
    number,
    channel: channelId(person === null ? 'C0OPS' : 'D0OTHER'),
    person: person === null ? null : personId(person),
    kinds: ['patch-failed'],
    filter: { group: null, policy: null, tag: null, os: null },
    createdBy: personId(person ?? 'UANY'),
    createdAt: START,
    endedBy: null,
    endedAt: null,
  });
  const all = [one(1, null), one(2, 'UOPERATOR'), one(3, 'UOTHER')];
  const refusalAs =
    (role: Role) =>
    async (need: Permission): Promise<Problem | null> => {
      const access = checkPermission(role, need);
      return access.allowed ? null : { kind: 'not-allowed', need: access.needed, role, ask: [] };
    };

  it.each<[number, Role, string]>([
    [1, 'viewer', 'problem'],
    [1, 'operator', 'unsubscribed'],
    [2, 'viewer', 'unsubscribed'],
    [3, 'viewer', 'problem'],
    [3, 'approver', 'problem'],
    [3, 'admin', 'unsubscribed'],
  ])('%s by its number, as %s: %s', async (number, role, kind) => {
    const settings = createFakeSettings({
      subscriptions: async () => all,
      unsubscribe: async () => all.find((each) => each.number === number) ?? null,
    });
    const refusal = refusalAs(role);
    const view = await unsubscribeCommand.run({ number }, 0, { ...testPorts({}).ports, settings, refusal });
    expect(view.kind).toBe(kind);
  });

  it.each<['me' | 'here', number[]]>([
    ['me', [2]],
    ['here', [1]],
  ])('all of %s says what it ended, and then that there was none', async (which, numbers) => {
    const open = new Map(all.map((each) => [each.number, each]));
    const settings = createFakeSettings({
      subscriptions: async () => [...open.values()],
      unsubscribe: async (number) => {
        const ended = open.get(number) ?? null;
        open.delete(number);
        return ended;
      },
    });
    const ports = { ...testPorts({}).ports, ...HERE, settings, refusal: refusalAs('operator') };
    const ended = numbers.map((number) => expect.objectContaining({ number }));
    const said = { kind: 'unsubscribed', asked: which };
    expect(await unsubscribeCommand.run({ all: which }, 0, ports)).toEqual({ ...said, ended });
    expect(await unsubscribeCommand.run({ all: which }, 0, ports)).toEqual({ ...said, ended: [] });
  });

  it.each<[Role, boolean]>([
    ['viewer', true],
    ['operator', false],
  ])('is offered to a %s in a list that is only to be looked at: %s', async (role, isLookOnly) => {
    const settings = createFakeSettings({ subscriptions: async () => all });
    const refusal = refusalAs(role);
    const ports = { ...testPorts({}).ports, settings, refusal };
    const view = await subscriptionsCommand.run({ all: true }, 0, ports);
    expect(view).toMatchObject({ kind: 'subscriptions', rows: [{ number: 1 }, { number: 2 }] });
    expect('lookOnly' in view).toBe(isLookOnly);
  });
});

describe('how long a silence lasts', () => {
  const at = (time: string) => instant(Date.parse(time));
  const end = (time: string, now: string, zone: string) => {
    const lasts = readClockTime(time);
    if (lasts === null) throw new Error(`no time: ${time}`);
    return new Date(silenceEnd(lasts, at(now), zone).until).toISOString();
  };

  describe('until a time of day', () => {
    it.each([
      ['later today', '18:00', '2026-03-10T12:00:00Z', 'UTC', '2026-03-10T18:00:00.000Z'],
      ['tomorrow, where it is past', '18:00', '2026-03-10T18:00:00Z', 'UTC', '2026-03-11T18:00:00.000Z'],
      ['in a zone ahead', '18:00', '2026-03-10T12:00:00Z', 'Europe/Berlin', '2026-03-10T17:00:00.000Z'],
      ['in a zone behind', '8:30', '2026-03-10T12:00:00Z', 'America/New_York', '2026-03-10T12:30:00.000Z'],
      ['on another date there', '01:00', '2026-03-10T23:30:00Z', 'Asia/Kolkata', '2026-03-11T19:30:00.000Z'],
    ])('is %s', (_, time, now, zone, expected) => {
      expect(end(time, now, zone)).toBe(expected);
    });

    const far = ['America/St_Johns', 'Pacific/Apia', 'Asia/Kathmandu'];
    const zones = fc.constantFrom('UTC', 'Europe/Berlin', ...far);
    const times = fc.integer({ min: 1_600_000_000_000, max: 1_900_000_000_000 });
    property([times, fc.integer({ min: 0, max: 1_439 }), zones], { numRuns: 300 })(
      'is always ahead, and less than two days',
      (now, untilMinute, zone) => {
        const left = silenceEnd({ untilMinute }, instant(now), zone).until - now;
        expect(left).toBeGreaterThan(0);
        expect(left).toBeLessThanOrEqual(DAY + HOUR);
      },
    );
  });

  describe('a time that clocks skip', () => {
    it.each([
      ['America/New_York', '2027-03-14T01:45:00-05:00', '2027-03-14T03:00:00-04:00'],
      ['America/New_York', '2027-03-14T01:15:00-05:00', '2027-03-14T03:00:00-04:00'],
      ['Europe/Berlin', '2027-03-28T01:45:00+01:00', '2027-03-28T03:00:00+02:00'],
    ])('in %s is the first moment after it, which is said: %s', (zone, now, expected) => {
      expect(end('02:30', now, zone)).toBe(new Date(expected).toISOString());
      expect(silenceEnd({ untilMinute: 150 }, at(now), zone).skipped).toBe('02:30');
    });
  });

  const AMERICAN = ['America/New_York', 'America/Santiago'];
  const ZONES = ['Europe/Berlin', ...AMERICAN, 'Asia/Beirut', 'Australia/Lord_Howe'];
  const formats = new Map(
    ZONES.map((timeZone) => [
      timeZone,
      new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' }),
    ]),
  );
  const wall = (time: number, zone: string): string => formats.get(zone)?.format(time) ?? '';
  const offset = (time: number, zone: string) => Date.parse(`${wall(time, zone).replace(' ', 'T')}Z`) - time;

  /** The first whole hour after each change of clocks in ten years. */
  function changesOf(zone: string): readonly number[] {
    const changes: number[] = [];
    for (let day = Date.UTC(2024, 0, 1); day < Date.UTC(2034, 0, 1); day += DAY) {
      if (offset(day, zone) === offset(day + DAY, zone)) continue;
      for (let hour = day; hour < day + DAY; hour += HOUR)
        if (offset(hour, zone) !== offset(hour + HOUR, zone)) changes.push(hour + HOUR);
    }
    return changes;
  }

  describe.each(ZONES)('at every change of clocks in %s', (zone) => {
    it('a time of day is ahead, at most a day and an hour, and shows as asked unless it is skipped', () => {
      const changes = changesOf(zone);
      expect(changes.length).toBeGreaterThanOrEqual(19);
      for (const change of changes) {
        for (const before of [25 * HOUR, 3 * HOUR, 70 * MINUTE, 15 * MINUTE, -20 * MINUTE, -2 * HOUR]) {
          const now = instant(change - before);
          for (let untilMinute = 0; untilMinute < 240; untilMinute += 30) {
            const { until, skipped } = silenceEnd({ untilMinute }, now, zone);
            const asked = clockTimeText(untilMinute);
            const said = `${zone} ${new Date(now).toISOString()} ${asked}`;
            expect(until, said).toBeGreaterThan(now);
            expect(until - now, said).toBeLessThanOrEqual(DAY + HOUR);
            const first = firstShowing(asked, now, zone);
            if (skipped === null) expect(until, said).toBe(first);
            else {
              expect(skipped, said).toBe(asked);
              const gap = `${wall(until, zone).slice(0, 10)} ${asked}`;
              expect(wall(until - MINUTE, zone) < gap && gap < wall(until, zone), said).toBe(true);
            }
          }
        }
      }
    });
  });

  /** The first whole minute after `now` at which clocks show this. */
  function firstShowing(asked: string, now: number, zone: string): number {
    const step = 30 * MINUTE;
    for (let at = (Math.floor(now / step) + 1) * step; at <= now + 2 * DAY; at += step)
      if (wall(at, zone).endsWith(asked)) return at;
    throw new Error('never shown');
  }
});
