import { describe, expect, it } from 'vitest';
import {
  type AlertRouting,
  channelsFor,
  type DeviceLabels,
  devicesNeedingLabels,
  silencesFor,
} from '../../src/alerts/routing.ts';
import { HOUR, instant, later } from '../../src/lib/clock.ts';
import { channelId, deviceId, eventId, groupId, policyId } from '../../src/lib/ids.ts';
import type { AlertFilter, SilenceScope } from '../../src/store/port/alert-records.ts';
import { alertFromEvent, unseenEvents } from '../../src/watch/classify-events.ts';
import { aFleetEvent, START } from '../harness/builders.ts';
import { ANY, anAlertEvent, aSilence, aSubscription, EVERYTHING } from '../harness/records.ts';

const ALERTS = channelId('C0ALERTS');
const NEW = channelId('C0NEW');
const TEAM = channelId('C0TEAM');
const DEVICE = deviceId(1001);
const LINUX = { id: groupId(5), name: 'Linux' };
const LABELS: DeviceLabels = {
  groups: [groupId(9), groupId(5)],
  tags: ['Critical'],
  system: 'Linux Ubuntu 24.04',
};

const routing = (given: Partial<AlertRouting> = {}): AlertRouting => ({
  channels: { patchAlerts: ALERTS, newDevices: NEW },
  subscriptions: [],
  silences: [],
  ...given,
});
const deviceLabels = new Map([[DEVICE, LABELS]]);

describe('where an alert goes', () => {
  it.each([
    ['patch-failed', [ALERTS]],
    ['device-added', [NEW]],
    ['device-removed', []],
  ] as const)('%s goes where the configuration file says', (kind, channels) => {
    expect(channelsFor(anAlertEvent({ kind }), routing(), deviceLabels)).toEqual(channels);
  });

  it('goes once to a channel that asked for it twice', () => {
    const subscriptions = [aSubscription(), aSubscription({ number: 2 }), aSubscription({ channel: ALERTS })];
    expect(channelsFor(anAlertEvent(), routing({ subscriptions }), deviceLabels)).toEqual([ALERTS, TEAM]);
  });

  const filters: readonly (readonly [string, Partial<AlertFilter>, boolean])[] = [
    ['its group', { group: { id: groupId(9), name: '' } }, true],
    ['a group above its own', { group: LINUX }, true],
    ['another group', { group: { id: groupId(6), name: '' } }, false],
    ['its tag in other letters', { tag: 'critical' }, true],
    ['another tag', { tag: 'crit' }, false],
    ['a part of its system', { os: 'ubuntu' }, true],
    ['another system', { os: 'windows' }, false],
    ['its policy', { policy: { id: policyId(3), name: '' } }, true],
    ['another policy', { policy: { id: policyId(4), name: '' } }, false],
    ['its group but another policy', { group: LINUX, policy: { id: policyId(4), name: '' } }, false],
  ];
  it.each(filters)('asked for %s', (_, filter, goes) => {
    const subscriptions = [aSubscription({ filter: { ...ANY, ...filter } })];
    const alert = anAlertEvent({ policyId: policyId(3) });
    expect(channelsFor(alert, routing({ subscriptions }), deviceLabels).includes(TEAM)).toBe(goes);
  });

  it('is posted where nothing is known of its device, rather than lost', () => {
    const subscriptions = [aSubscription({ filter: { ...ANY, group: LINUX } })];
    expect(channelsFor(anAlertEvent(), routing({ subscriptions }), new Map())).toContain(TEAM);
  });

  it('is not sent to subscribers of a group’s devices where it is about no device', () => {
    const subscriptions = [aSubscription({ kinds: ['signed-in'], filter: { ...ANY, group: LINUX } })];
    const alert = anAlertEvent({ kind: 'signed-in', deviceId: null });
    expect(channelsFor(alert, routing({ subscriptions }), new Map())).toEqual([]);
  });
});

describe('which silence holds an alert back', () => {
  const scopes: readonly (readonly [string, Partial<SilenceScope>, boolean])[] = [
    ['of everything', {}, true],
    ['of its kind', { kinds: ['device-added', 'patch-failed'] }, true],
    ['of another kind', { kinds: ['device-added'] }, false],
    ['of its device', { device: { id: DEVICE, name: '' } }, true],
    ['of another device', { device: { id: deviceId(2), name: '' } }, false],
    ['of its patch in other letters', { patch: 'OpenSSL' }, true],
    ['of another patch', { patch: 'curl' }, false],
    ['of a group above its own', { group: LINUX }, true],
    ['of another group', { group: { id: groupId(6), name: '' } }, false],
  ];
  it.each(scopes)('one %s', (_, scope, keeps) => {
    const silences = [aSilence({ number: 4, scope: { ...EVERYTHING, ...scope } })];
    expect(silencesFor(anAlertEvent(), routing({ silences }), deviceLabels, START)).toEqual(keeps ? [4] : []);
  });

  it('none whose time is over', () => {
    const silences = [aSilence({ until: later(START, HOUR) })];
    expect(silencesFor(anAlertEvent(), routing({ silences }), deviceLabels, later(START, HOUR - 1))).toEqual([
      1,
    ]);
    expect(silencesFor(anAlertEvent(), routing({ silences }), deviceLabels, later(START, HOUR))).toEqual([]);
  });

  it('none of a group where nothing is known of the device', () => {
    const silences = [aSilence({ scope: { ...EVERYTHING, group: LINUX } })];
    expect(silencesFor(anAlertEvent(), routing({ silences }), new Map(), START)).toEqual([]);
  });
});

describe('what has to be known before', () => {
  const alerts = [anAlertEvent(), anAlertEvent({ kind: 'device-added', deviceId: deviceId(2) })];

  it('is nothing where no rule asks for it', () => {
    const silences = [aSilence({ scope: { ...EVERYTHING, device: { id: DEVICE, name: '' } } })];
    const asked = devicesNeedingLabels(alerts, routing({ subscriptions: [aSubscription()], silences }));
    expect([...asked]).toEqual([]);
  });

  it('are the devices of alerts that a subscription by group, tag or system may want', () => {
    const subscriptions = [aSubscription({ filter: { ...ANY, tag: 'x' } })];
    expect([...devicesNeedingLabels(alerts, routing({ subscriptions }))]).toEqual([DEVICE]);
  });

  it('are those that a silence of a group may keep', () => {
    const silences = [aSilence({ scope: { ...EVERYTHING, group: LINUX } })];
    expect([...devicesNeedingLabels(alerts, routing({ silences }))]).toEqual([DEVICE, deviceId(2)]);
  });
});

const NOW = instant(5);
const select = (changes: Parameters<typeof aFleetEvent>[1]) => alertFromEvent(aFleetEvent(1, changes), NOW);

describe('the facts of an event', () => {
  it.each([
    ['system.patch.failed', null, 'patch-failed'],
    ['system.add', null, 'device-added'],
    ['system.delete', null, 'device-removed'],
    ['system.policy.action', 1, 'policy-failed'],
    ['system.policy.action', 0, 'policy-run'],
    ['system.policy.action', null, 'policy-run'],
    ['user.login', null, 'signed-in'],
  ])('%s with exit code %s is %s', (name, exitCode, kind) => {
    expect(select({ name, exitCode })?.kind).toBe(kind);
  });

  it.each(['something', 'some thing.new', ''])('“%s” gives no alert', (name) => {
    expect(select({ name })).toBeNull();
  });

  it('a name that is not known is its own kind, without the text', () => {
    expect(select({ name: 'System.thing.new', text: 'secret', failure: 'secret' })).toMatchObject({
      id: 'System.thing.new-1',
      kind: 'System.thing.new',
      packages: [{ name: 'openssl' }],
      reason: null,
    });
  });

  it.each(['0x80070643', 'Timeout', 'ERROR_INSTALL_FAILURE', 'openssl'])(
    'a failure without patches whose one word is %s names no patch, and keeps it as the reason',
    (failure) => {
      expect(select({ patches: [], failure })).toMatchObject({ packages: [], reason: failure });
    },
  );

  it('a failure without patches whose one word is an update of Windows names the patch', () => {
    expect(select({ patches: [], failure: 'KB123456' })).toMatchObject({
      packages: [{ name: 'KB123456' }],
      reason: null,
    });
  });

  it('a patch keeps its version where the agent stated one', () => {
    const patches = [
      { name: 'openssl', version: '3.0.2', displayName: 'OpenSSL' },
      { name: 'curl', version: null, displayName: null },
    ];
    const packages = [
      { name: 'openssl', displayName: 'OpenSSL', version: '3.0.2' },
      { name: 'curl', displayName: null },
    ];
    expect(select({ patches })?.packages).toEqual(packages);
    expect(select({ name: 'system.patch.applied', patches })?.packages).toEqual(packages);
  });

  it('a failure without patches keeps the agent’s words as the reason', () => {
    expect(select({ patches: [], failure: 'disk is full' })).toMatchObject({
      packages: [],
      reason: 'disk is full',
    });
  });

  it.each([
    { name: 'user.login', failure: null, text: 'x'.repeat(1_000_000) },
    { failure: `${'x'.repeat(998)} and so on` },
  ])('of many words the first are kept', (changes) => {
    expect(select(changes)?.reason).toMatch(/^x{998}.…$/);
  });

  it.each([0, 1, null])('nothing that a policy’s script printed is kept (exit code %s)', (exitCode) => {
    const printed = { failure: 'password=hunter2', text: 'password=hunter2', patches: [] };
    const alert = select({ name: 'system.policy.action', exitCode, ...printed });
    expect(alert).toMatchObject({ exitCode, reason: null });
    expect(JSON.stringify(alert)).not.toContain('hunter2');
  });

  it('a device that the event does not name stays unnamed', () => {
    expect(select({ deviceId: null, deviceName: null })).toMatchObject({ deviceId: null, deviceName: null });
  });
});

describe('what is new', () => {
  it('is above the floor, not seen, once, oldest first', () => {
    const events = [5, 9, 7, 9, 3, 8].map((id) => aFleetEvent(id));
    const seen = new Map([8, 7].map((id) => [eventId(id), instant(id === 8 ? 1_000_008 : 1)]));
    expect(unseenEvents(events, seen, eventId(4)).map(({ id }) => id)).toEqual([5, 7, 9]);
  });
});
