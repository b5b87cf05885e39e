/** Which failures are on one alert. */
import { describe, expect, it } from 'vitest';
import { alertKey, takesMembers } from '../../../src/alerts/life/grouping.ts';
import { placeEvents } from '../../../src/alerts/life/place.ts';
import { DAY, HOUR, instant, later, MINUTE } from '../../../src/lib/clock.ts';
import { alertId, channelId, deviceId, eventId, organizationId, policyId } from '../../../src/lib/ids.ts';
import type { AlertEvent } from '../../../src/store/port/alert-records.ts';
import { START } from '../../harness/builders.ts';
import { aMember, anAlertEvent, anAlertRecord } from '../../harness/records.ts';

const HOME = channelId('C0ALERTS');
type Event = Partial<AlertEvent>;
const keyOf = (event: Event, home = HOME) => alertKey(anAlertEvent(event), home);
const named = (...names: readonly string[]) => names.map((name) => ({ name, displayName: null }));
const several = named('openssl', 'curl');

describe('on one alert are failures', () => {
  it.each<[string, Event, Event]>([
    ['of one package on several devices', {}, { deviceId: deviceId(2), deviceName: 'web-02' }],
    ['of one package for different reasons', { reason: 'exit code 1' }, { reason: 'exit code 100' }],
    ['of one package under two display names', {}, { packages: [{ name: 'OpenSSL', displayName: 'x' }] }],
    ['of one package in two policies', { policyId: policyId(1) }, { policyId: policyId(2) }],
    [
      'of several packages for one reason, whatever its numbers and paths',
      { packages: several, reason: 'No space left: /var/lib/dpkg 12 MB' },
      { packages: named('git', 'vim', 'zsh'), reason: 'no space left:  C:\\Windows\\Temp 4711 MB' },
    ],
    [
      'of one policy with different exit codes',
      { kind: 'policy-failed', policyId: policyId(1), exitCode: 1, reason: 'web-01 failed' },
      { kind: 'policy-failed', policyId: policyId(1), exitCode: 2, deviceId: deviceId(2) },
    ],
  ])('%s', (_, one, other) => {
    expect(keyOf(one)).toBe(keyOf(other));
  });
});

describe('on another alert are failures', () => {
  it.each<[string, Event, Event]>([
    ['of another package', {}, { packages: named('curl') }],
    [
      'of another policy',
      { kind: 'policy-failed', policyId: policyId(1) },
      { kind: 'policy-failed', policyId: policyId(2) },
    ],
    [
      'of several packages for another reason',
      { packages: several },
      { packages: several, reason: 'no network' },
    ],
    ['that name nothing, on another device', { packages: [] }, { packages: [], deviceId: deviceId(2) }],
    ['of another kind', {}, { kind: 'patch-installed' }],
  ])('%s', (_, one, other) => {
    expect(keyOf(one)).not.toBe(keyOf(other));
  });

  it('for which another channel is responsible', () => {
    expect(keyOf({}, HOME)).not.toBe(keyOf({}, channelId('C0LAPTOPS')));
  });
});

describe('events that are no problems', () => {
  it.each<[string, Event, Event, boolean]>([
    ['in another order of patches', { packages: several }, { packages: several.toReversed() }, true],
    ['with other letters and spaces', { reason: 'Disk full' }, { reason: 'disk  full ' }, true],
    ['for another reason', { reason: 'exit code 1' }, { reason: 'exit code 2' }, false],
    [
      'with another exit code',
      { policyId: policyId(1), exitCode: 0 },
      { policyId: policyId(1), exitCode: 1 },
      false,
    ],
  ])('%s', (_, one, other, together) => {
    const kind = one.policyId === undefined ? 'patch-installed' : 'policy-run';
    expect(keyOf({ ...one, kind }) === keyOf({ ...other, kind })).toBe(together);
  });

  it.each(['device-added', 'policy-run'] as const)('%s without a policy is alone', (kind) => {
    expect(keyOf({ kind, id: alertId('a') })).not.toBe(keyOf({ kind, id: alertId('b') }));
  });
});

describe('an alert takes members', () => {
  const open = anAlertRecord();
  const ended = anAlertRecord({ state: 'fixed', endedAt: START });
  const noted = anAlertRecord({ kind: 'patch-installed', state: 'noted' });

  it.each([
    ['while one is open, however long', open, 90 * DAY, true],
    ['a day after its end', ended, DAY - 1, true],
    ['no longer', ended, DAY, false],
    ['for 15 minutes where it is no problem', noted, 15 * MINUTE - 1, true],
    ['and no longer', noted, 15 * MINUTE, false],
    ['where a wrong clock opened it a little ahead', noted, -15 * MINUTE, true],
    ['but not far ahead', noted, -HOUR, false],
  ])('%s', (_, alert, after, takes) => {
    expect(takesMembers(alert, later(START, after))).toBe(takes);
  });
});

const placed = (events: readonly Event[], known: Parameters<typeof placeEvents>[1]) =>
  placeEvents(
    events.map((event) => ({ event: anAlertEvent(event), channels: [HOME], home: HOME })),
    known,
    { organizationId: organizationId(7), now: later(START, 2 * DAY) },
  );
const NONE = { members: [], alerts: [], endings: new Map() };
const event = (id: number, over: Event = {}): Event => ({
  id: alertId(`patch-failed-${id}`),
  eventId: eventId(id),
  at: later(START, id),
  ...over,
});

describe('an event is on exactly one alert', () => {
  it('that of the device’s member which is open already, whatever else it names', () => {
    const known = { ...NONE, members: [aMember()], alerts: [anAlertRecord()] };
    const { events, members, opened } = placed([event(80_000, { packages: several })], known);
    expect(events).toMatchObject([{ alert: 'patch-failed-70001' }]);
    expect(members.map(({ alert, id, failures }) => [alert, id, failures])).toEqual([
      ['patch-failed-70001', 'patch-failed:1001:openssl', 2],
      ['patch-failed-70001', 'patch-failed:1001:curl', 1],
    ]);
    expect([...opened]).toEqual(['patch-failed:1001:curl']);
  });

  it('its own, with the number of its event, where there is none', () => {
    const { alerts } = placed([event(80_000), event(80_001, { deviceId: deviceId(2) })], NONE);
    expect(alerts).toMatchObject([{ id: 'patch-failed-80000', number: 80_000, home: HOME }]);
  });

  it('the one that ended within a day, which opens again; later a new one, which knows of it', () => {
    const fixed = aMember({ state: 'fixed', fixedAt: START, fixedEvent: eventId(70_002) });
    const key = alertKey(anAlertEvent(), HOME);
    const ended = (hours: number) => ({
      ...NONE,
      members: [fixed],
      alerts: [anAlertRecord({ key, state: 'fixed', endedAt: later(START, 2 * DAY - hours * HOUR) })],
    });
    expect(placed([event(80_000)], ended(23)).events).toMatchObject([{ alert: 'patch-failed-70001' }]);
    const after = placed([event(80_000)], ended(25));
    expect(after.alerts).toMatchObject([
      { id: 'patch-failed-80000', lastEndedAt: later(START, 2 * DAY - 25 * HOUR) },
    ]);
  });

  it('the old one where it is listed after its proof, of long ago, and opens nothing', () => {
    const fixed = aMember({ state: 'fixed', fixedAt: instant(START + 90_000), fixedEvent: eventId(90_000) });
    const known = { ...NONE, members: [fixed], alerts: [anAlertRecord({ state: 'fixed', endedAt: START })] };
    const { events, opened } = placed([event(80_000)], known);
    expect(events).toMatchObject([{ alert: 'patch-failed-70001' }]);
    expect([...opened]).toEqual([]);
  });
});
